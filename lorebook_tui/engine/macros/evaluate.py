"""Replaces the macros of a text as SillyTavern 1.19's new engine does.

A text is rewritten (old spellings), read into calls, replaced from left to right, and cleaned (escaped braces,
`{{trim}}`). An opening tag with a closing one behind it takes the text between as its last argument. What cannot be
called stays as it is, with the macros inside its arguments replaced. The branches of `{{if}}` are texts of their own:
only the chosen one is replaced.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.macros import names
from lorebook_tui.engine.macros.card import Card, CardReader
from lorebook_tui.engine.macros.definitions import DEFINITIONS, ELSE_MARK, Definition, Place
from lorebook_tui.engine.macros.hashing import cyrb53
from lorebook_tui.engine.macros.parser import Argument, Call, calls_of
from lorebook_tui.engine.macros.shorthand import shorthand
from lorebook_tui.engine.macros.units import unit_offset
from lorebook_tui.engine.macros.variables import Variables, is_true, shown
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.macros.environment import MacroEnvironment

_UTC_TIME = re.compile(r"\{\{time_(UTC[+-][0-9]+)\}\}", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([{}])")
_TRIM = re.compile(r"(?:\r?\n)*\{\{trim\}\}(?:\r?\n)*", re.IGNORECASE)
_VARIABLE = re.compile(r"([.$])([a-zA-Z](?:[\w-]*\w)?)", re.ASCII)
_INDENT = re.compile(r"[ \t]*")
_CONDITION = 2
"""Arguments of `{{if}}`: the condition and the branches."""


def _rewritten(text: str) -> str:
    """Old spellings as macros."""
    text = _UTC_TIME.sub(r"{{time::\1}}", text)
    return names.TAG.sub(lambda found: f"{{{{{names.TAGS[found[1].lower()]}}}}}", text) if "<" in text else text


def _cleaned(text: str) -> str:
    """Escaped braces become braces, `{{trim}}` takes the line ends around it away."""
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
    if "{{" in text:
        text = _TRIM.sub("", text)
    return text.replace(ELSE_MARK, "")


def dedented(text: str) -> str:
    """A text between tags without the indent of its first line, and trimmed."""
    lines = text.split("\n")
    first = next((line for line in lines if trim(line)), "")
    indent = _width(first)
    return trim("\n".join(line[min(indent, _width(line)) :] for line in lines))


def _width(line: str) -> int:
    found = _INDENT.match(line)
    return found.end() if found else 0


class _Document:
    """One text being replaced; `base` is where it stands in the whole, in UTF-16 units."""

    def __init__(self, evaluation: Evaluation, text: str, base: int) -> None:
        self.evaluation = evaluation
        self.text = text
        self.base = base

    def replaced(self, calls: Sequence[Call], start: int, end: int) -> str:
        """A stretch of the text with the calls in it replaced."""
        pieces: list[str] = []
        place = start
        closing = any(call.closing for call in calls)
        used: set[int] = set()
        number = 0
        while number < len(calls):
            call = calls[number]
            pieces.append(self.text[place : call.start])
            place = call.end
            partner = self.partner(calls, number, used) if closing and not call.closing and not call.prefix else None
            if call.closing:
                pieces.append(self.text[call.start : call.end])
            elif partner is None:
                pieces.append(self.invoked(call))
            elif _takes_scope(call):
                pieces.append(self.invoked(call, calls[partner].start))
                place = calls[partner].end
                number = partner
            else:
                used.add(partner)
                pieces.append(self.text[call.start : call.end])
            number += 1
        pieces.append(self.text[place:end])
        return "".join(pieces)

    @staticmethod
    def partner(calls: Sequence[Call], number: int, used: set[int]) -> int | None:
        """The closing tag of an opening one, past those of the same name inside."""
        depth = 0
        key = calls[number].key
        for other in range(number + 1, len(calls)):
            call = calls[other]
            if call.prefix or call.key != key:
                continue
            if not call.closing:
                depth += _takes_scope(call)
            elif other not in used:
                if not depth:
                    return other
                depth -= 1
        return None

    def invoked(self, call: Call, end: int | None = None) -> str:
        """What a call gives.

        Args:
            call: the (opening) tag.
            end: where its closing tag starts; None: there is none.
        """
        if call.prefix:
            return self.shorthand(call)
        if call.key == "if":
            return self.condition(call, end)
        lent = self.evaluation.environment.lent.get(call.key)
        if lent is not None:
            return lent()
        definition = DEFINITIONS.get(call.key)
        values = [self.argument(argument) for argument in call.arguments]
        scope: str | None = None
        if end is not None:
            scope = self.part(call.end, end)
            scope = scope if "#" in call.flags else dedented(scope)
        given = values if scope is None else [*values, scope]
        result = self.called(definition, call, given, scoped=scope is not None) if definition else None
        if result is not None:
            return result
        return self.kept(call, values) + ("" if end in {None, call.end} else f"{scope}}}}}")

    def part(self, start: int, end: int) -> str:
        """An argument, or the text between two tags: it is read anew as a text of its own."""
        text = self.text[start:end]
        calls = calls_of(text) if "{{" in text else ()
        base = self.base + unit_offset(self.text, start)
        return _Document(self.evaluation, text, base).replaced(calls, 0, len(text)) if calls else text

    def called(self, definition: Definition, call: Call, given: list[str], *, scoped: bool) -> str | None:
        if not definition.takes(len(given)):
            return None
        evaluation = self.evaluation
        place = Place(evaluation.environment, evaluation.card, lambda: evaluation.pick_seed(self.offset(call)), scoped)
        return definition.handler(place, given)

    def offset(self, call: Call) -> int:
        return self.base + unit_offset(self.text, call.start)

    def argument(self, argument: Argument) -> str:
        return self.part(argument.start, argument.end)

    def kept(self, call: Call, values: Sequence[str]) -> str:
        """A call that stays, with its arguments replaced."""
        pieces: list[str] = []
        place = call.start
        for argument, value in zip(call.arguments, values, strict=True):
            pieces += (self.text[place : argument.start], value)
            place = argument.end
        return "".join((*pieces, self.text[place : call.end]))

    def shorthand(self, call: Call) -> str:
        environment = self.evaluation.environment
        variables = Variables(environment.local if call.prefix == "." else environment.globals)
        return shorthand(variables, call.name, call.operator, lambda: self.argument(call.arguments[0]))

    def condition(self, call: Call, end: int | None) -> str:
        """`{{if}}`: the condition decides which branch is replaced."""
        given = [self.text[argument.start : argument.end] for argument in call.arguments]
        if end is not None:
            given.append(self.text[call.end : end])
        if len(given) != _CONDITION:
            return self.text[call.start : call.end]
        base = self.offset(call)
        branches = _branches(given[1])
        branch = branches[0 if self.holds(given[0], base) else 1]
        result = self.evaluation.resolve(branch, base)
        return result if "#" in call.flags else dedented(result)

    def holds(self, condition: str, base: int) -> bool:
        """Whether a condition holds; the bare name of a macro or a variable stands for its value."""
        negated = condition.startswith("!")
        value = self.evaluation.resolve(trim(condition[1:]) if negated else condition, base)
        variable = _VARIABLE.fullmatch(value)
        environment = self.evaluation.environment
        definition = DEFINITIONS.get(value.lower())
        if variable:
            store = environment.local if variable[1] == "." else environment.globals
            value = shown(Variables(store).get(variable[2]))
        elif definition and not definition.least:
            value = self.evaluation.resolve(f"{{{{{value}}}}}", base)
        return is_true(value) is not negated


def _takes_scope(call: Call) -> bool:
    """Whether a text between tags can be an argument of this call; unknown macros take anything."""
    count = len(call.arguments)
    if call.key == "if":
        return count == _CONDITION - 1
    definition = DEFINITIONS.get(call.key)
    return definition is None or definition.takes_scope(count)


def _branches(content: str) -> tuple[str, str]:
    """The two branches of an `{{if}}`, split at its own `{{else}}`."""
    depth = 0
    for call in calls_of(content):
        if call.loose or call.prefix:
            continue
        if call.name == "if":
            depth += -1 if call.closing else _takes_scope(call)
        elif call.name == "else" and not depth:
            return content[: call.start], content[call.end :]
    return content, ""


class Evaluation:
    """The replacement of one text: what its parts share."""

    def __init__(self, text: str, environment: MacroEnvironment) -> None:
        self.text = text
        self.environment = environment
        self.card = CardReader(environment.card or Card(), self._card_text)
        self._content_hash: int | None = None

    def run(self) -> str:
        """The text with its macros replaced."""
        return self.resolve(self.text, 0)

    def resolve(self, text: str, base: int) -> str:
        """A text or a part of it, rewritten, replaced and cleaned."""
        text = _rewritten(text)
        calls = calls_of(text) if "{{" in text else ()
        return _cleaned(_Document(self, text, base).replaced(calls, 0, len(text)) if calls else text)

    def pick_seed(self, offset: int) -> str:
        """The seed of `{{pick}}`: it depends on the chat, the whole text and the place in it."""
        if self._content_hash is None:
            self._content_hash = cyrb53(self.text)
        environment = self.environment
        reroll = "" if environment.reroll is None else f"-{environment.reroll}"
        return str(cyrb53(f"{environment.chat_key()}-{self._content_hash}-{offset}{reroll}"))

    def _card_text(self, text: str, char: str | None) -> str:
        environment = self.environment
        inner = replace(environment, card=None, char=environment.char if char is None else char)
        return Evaluation(text, inner).run()
