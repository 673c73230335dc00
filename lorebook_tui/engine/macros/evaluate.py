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
from lorebook_tui.engine.macros.ceilings import Ceilings
from lorebook_tui.engine.macros.definitions import (
    CONDITION,
    CONDITION_ARGUMENTS,
    DEFINITIONS,
    ELSE_MARK,
    Definition,
    Place,
)
from lorebook_tui.engine.macros.hashing import cyrb53
from lorebook_tui.engine.macros.pairing import branches_of, steps_of
from lorebook_tui.engine.macros.shorthand import shorthand
from lorebook_tui.engine.macros.trims import dedented, without_trims
from lorebook_tui.engine.macros.units import unit_offset
from lorebook_tui.engine.macros.variables import Variables, is_true, shown
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.macros.environment import MacroEnvironment
    from lorebook_tui.engine.macros.parser import Argument, Call

_UTC_TIME = re.compile(r"\{\{time_(UTC[+-][0-9]+)\}\}", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([{}])")
_VARIABLE = re.compile(r"([.$])([a-zA-Z](?:[\w-]*\w)?)", re.ASCII)


def _rewritten(text: str) -> str:
    """Old spellings as macros."""
    text = _UTC_TIME.sub(r"{{time::\1}}", text)
    return names.TAG.sub(lambda found: f"{{{{{names.TAGS[found[1].lower()]}}}}}", text) if "<" in text else text


def _cleaned(text: str) -> str:
    """Escaped braces become braces, `{{trim}}` takes the line ends around it away."""
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
    if "{{" in text:
        text = without_trims(text)
    return text.replace(ELSE_MARK, "")


class _Document:
    """One text being replaced; `base` is where it stands in the whole, in UTF-16 units."""

    def __init__(self, evaluation: Evaluation, text: str, base: int) -> None:
        self.evaluation = evaluation
        self.text = text
        self.base = base

    def replaced(self) -> str:
        """The text with its macros replaced."""
        self.evaluation.ceilings.read(self.text)
        pieces: list[str] = []
        place = 0
        for step in steps_of(self.text):
            call = step.call
            pieces.append(self.text[place : call.start])
            pieces.append(self.text[call.start : call.end] if step.kept else self.invoked(call, step.scope_end))
            place = step.end
        pieces.append(self.text[place:])
        return self.evaluation.ceilings.bounded("".join(pieces))

    def invoked(self, call: Call, end: int | None = None) -> str:
        """What a call gives.

        Args:
            call: the (opening) tag.
            end: where its closing tag starts; None: there is none.
        """
        if call.prefix:
            return self.shorthand(call)
        if call.key == CONDITION:
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
        if "{{" not in text:
            return text
        return _Document(self.evaluation, text, self.base + unit_offset(self.text, start)).replaced()

    def called(self, definition: Definition, call: Call, given: list[str], *, scoped: bool) -> str | None:
        if not definition.takes(len(given)):
            return None
        evaluation = self.evaluation
        seed = lambda: evaluation.pick_seed(self.offset(call))  # noqa: E731 - asked for by few macros
        place = Place(evaluation.environment, evaluation.card, evaluation.ceilings.draw, seed, scoped)
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
        return shorthand(variables, call.name, call.operator, lambda: self.value(call.arguments[0]))

    def value(self, argument: Argument) -> str:
        """The value of a shorthand: SillyTavern 1.19 pairs no tags in it, and reads on where a macro broke off.

        The text right behind a macro whose end was taken as given is lost, and so is the text behind the last macro.
        """
        pieces: list[str] = []
        place: int | None = argument.start
        for call in argument.calls:
            pieces.append("" if place is None else self.text[place : call.start])
            pieces.append(self.unfinished(call) if call.unfinished else self.invoked(call))
            place = None if call.endless else call.end
        if not any(call.endless for call in argument.calls):
            pieces.append(self.text[place : argument.end])
        return trim("".join(pieces))

    def unfinished(self, call: Call) -> str:
        """A macro in a value that broke off gives what was read of it."""
        if call.prefix:
            return self.shorthand(call) if call.name else ""
        return f"{{{{{call.flags}}}}}"

    def condition(self, call: Call, end: int | None) -> str:
        """`{{if}}`: the condition decides which branch is replaced."""
        given = [self.text[argument.start : argument.end] for argument in call.arguments]
        if end is not None:
            given.append(self.text[call.end : end])
        if len(given) != CONDITION_ARGUMENTS:
            return self.text[call.start : call.end]
        base = self.offset(call)
        branches = branches_of(given[1])
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


class Evaluation:
    """The replacement of one text: what its parts share."""

    def __init__(self, text: str, environment: MacroEnvironment) -> None:
        self.text = text
        self.environment = environment
        self.ceilings = Ceilings(environment.draw, len(text))
        self.card = CardReader(environment.card or Card(), self._card_text)
        self._content_hash: int | None = None

    def run(self) -> str:
        """The text with its macros replaced."""
        return self.resolve(self.text, 0)

    def resolve(self, text: str, base: int) -> str:
        """A text or a part of it, rewritten, replaced and cleaned."""
        text = _rewritten(text)
        return _cleaned(_Document(self, text, base).replaced() if "{{" in text else text)

    def pick_seed(self, offset: int) -> str:
        """The seed of `{{pick}}`: it depends on the chat, the whole text and the place in it."""
        if self._content_hash is None:
            self._content_hash = cyrb53(self.text)
        environment = self.environment
        reroll = "" if environment.reroll is None else f"-{environment.reroll}"
        return str(cyrb53(f"{environment.chat_key()}-{self._content_hash}-{offset}{reroll}"))

    def _card_text(self, text: str, char: str | None) -> str:
        environment = self.environment
        inner = replace(environment, card=None, lent={}, char=environment.char if char is None else char)
        return Evaluation(text, inner).run()
