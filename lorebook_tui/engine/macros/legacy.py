"""SillyTavern 1.19's old macro engine: one regular expression after the other over the whole text.

The order of the expressions is the behaviour: a macro inside another one works only if its turn comes first. Nothing is
unescaped. The fields of the card are read before anything is replaced, so dice and variables in a card act every time.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.macros import clock, messages, names
from lorebook_tui.engine.macros.card import EXAMPLE_SEPARATOR, READ_ORDER, CardReader, format_examples
from lorebook_tui.engine.macros.constants import (
    LEGACY_AFTER_NAMES,
    LEGACY_BEFORE_VARIABLES,
    NEW_ONLY,
    SYSTEM_PROMPT,
    TEXTS,
)
from lorebook_tui.engine.macros.dates import time_between
from lorebook_tui.engine.macros.dice import roll
from lorebook_tui.engine.macros.hashing import cyrb53
from lorebook_tui.engine.macros.seedrandom import SeedRandom
from lorebook_tui.engine.macros.units import unit_offset
from lorebook_tui.engine.macros.variables import Variables, shown
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.engine.macros.environment import MacroEnvironment

    Replacement = Callable[[re.Match[str]], str]
    Rule = tuple[re.Pattern[str], Replacement]

_CASELESS = re.IGNORECASE
_ANY = "[^\\n\\r\u2028\u2029]"
_ROLL = re.compile(r"\{\{roll[ :]([^}]+)\}\}", _CASELESS)
_TRIM = re.compile(r"(?:\r?\n)*\{\{trim\}\}(?:\r?\n)*", _CASELESS)
_REVERSE = re.compile(rf"\{{\{{reverse:({_ANY}+?)\}}\}}", _CASELESS)
_COMMENT = re.compile(r"\{\{//([\s\S]*?)\}\}")
_FORMAT = re.compile(r"\{\{datetimeformat +([^}]*)\}\}", _CASELESS)
_UTC = re.compile(r"\{\{time_UTC([-+][0-9]+)\}\}", _CASELESS)
_OUTLET = re.compile(rf"\{{\{{outlet::({_ANY}+?)\}}\}}", _CASELESS)
_DIFFERENCE = re.compile(rf"\{{\{{timeDiff::({_ANY}*?)::({_ANY}*?)\}}\}}", _CASELESS)
_BANNED = re.compile(rf'\{{\{{banned "({_ANY}*)"\}}\}}', _CASELESS)
_RANDOM = re.compile(r"\{\{random\s?::?([^}]+)\}\}", _CASELESS)
_PICK = re.compile(r"\{\{pick\s?::?([^}]+)\}\}", _CASELESS)
_COMMA = re.compile(r"(?<!\\),")


class _Refused(Exception):  # noqa: N818 - stops one expression, as an error does in SillyTavern
    """An expression gave up; what it would have replaced stays, what it did to variables too."""


def _named(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(f"{{{{{name}}}}}"), _CASELESS)


def _choices(text: str) -> list[str]:
    if "::" in text:
        return text.split("::")
    return [trim(item).replace("\\,", ",") for item in _COMMA.split(text)]


class LegacyEvaluation:
    """The replacement of one text."""

    def __init__(self, text: str, environment: MacroEnvironment) -> None:
        self.text = text
        self.environment = environment
        self.card = CardReader(environment.card, self._card_text) if environment.card else None

    def run(self) -> str:
        """The text with its macros replaced; the card is read even if the text has none."""
        if self.card:
            for field in READ_ORDER:
                self.card.field(field)
            for number in range(1, len(self.card.card.alternate_greetings) + 1):
                self.card.greeting(number)
        text = self.text
        if "{{" not in text and "<" not in text:
            return text
        for pattern, replacement in self._rules():
            with suppress(_Refused):
                text = pattern.sub(replacement, text)
        return text if "{{" not in text else self._picked(text)

    def _card_text(self, text: str, char: str | None) -> str:
        environment = self.environment
        inner = replace(environment, card=None, char=environment.char if char is None else char)
        return LegacyEvaluation(text, inner).run()

    def _rules(self) -> Iterator[Rule]:
        """All expressions but the last, in their order."""
        for tag, macro in names.TAGS.items():
            yield re.compile(f"<{tag}>", _CASELESS), _constantly(self._name(macro))
        yield _ROLL, lambda found: roll(trim(found[1]), self.environment.draw)
        own = self.card.field("system_prompt") if self.card else ""
        yield _named("systemPrompt"), _constantly(own or self.environment.texts.get("systemprompt", SYSTEM_PROMPT))
        yield from self._texts(LEGACY_BEFORE_VARIABLES)
        yield from _variable_rules("", Variables(self.environment.local))
        yield from _variable_rules("global", Variables(self.environment.globals))
        yield _named("newline"), _constantly("\n")
        yield _TRIM, _constantly("")
        yield _named("noop"), _constantly("")
        yield from self._texts(("input",))
        for lent, text in self.environment.lent.items():
            yield _named(lent), _told_by(text)
        yield from self._card_rules()
        for macro in ("user", "char", "charIfNotGroup", "group", "groupNotMuted", "notChar"):
            yield _named(macro), _constantly(self._name(macro))
        yield from self._texts(LEGACY_AFTER_NAMES)
        yield from self._chat_rules()
        yield _REVERSE, lambda found: found[1][::-1]
        yield _COMMENT, _constantly("")
        yield from self._clock_rules()
        yield _OUTLET, lambda found: self.environment.outlets.get(trim(found[1]), "")
        yield _DIFFERENCE, lambda found: time_between(found[1], found[2], messages.zone_of(self.environment))
        yield _BANNED, _constantly("")
        yield _RANDOM, self._random

    def _texts(self, wanted: tuple[str, ...]) -> Iterator[Rule]:
        for name in wanted:
            if name not in NEW_ONLY:
                yield _named(name), _constantly(self.environment.texts.get(name.lower(), TEXTS[name]))

    def _name(self, macro: str) -> str:
        environment = self.environment
        if macro in {"user", "char"}:
            return environment.user if macro == "user" else environment.char
        if macro == "notChar":
            return names.not_char(environment)
        return names.group_not_muted(environment) if macro == "groupNotMuted" else names.group(environment)

    def _card_rules(self) -> Iterator[Rule]:
        card = self.card
        if card is None:
            return
        for name, field in (
            ("charPrompt", "system_prompt"),
            ("charJailbreak", "post_history"),
            ("charInstruction", "post_history"),
            ("description", "description"),
            ("personality", "personality"),
            ("scenario", "scenario"),
            ("persona", "persona"),
        ):
            yield _named(name), _constantly(card.field(field))
        yield _named("mesExamples"), self._examples
        yield _named("mesExamplesRaw"), _constantly(card.field("examples"))
        yield _named("charVersion"), _constantly(card.card.version)
        yield _named("char_version"), _constantly(card.card.version)
        yield _named("charDepthPrompt"), _constantly(card.field("depth_prompt"))
        yield _named("creatorNotes"), _constantly(card.field("creator_notes"))

    def _examples(self, _: re.Match[str]) -> str:
        """Formatted examples; their separator is a text with macros of its own, so the card is read once more."""
        shown_examples = format_examples(self.card.field("examples")) if self.card else ""
        if shown_examples:
            LegacyEvaluation(EXAMPLE_SEPARATOR, self.environment).run()
        return shown_examples

    def _chat_rules(self) -> Iterator[Rule]:
        environment = self.environment
        for name in ("maxPrompt", "maxPromptTokens", "maxContext", "maxContextTokens"):
            yield _named(name), _constantly(str(environment.max_context))
        for name in ("maxResponse", "maxResponseTokens"):
            yield _named(name), _constantly(str(environment.max_response))
        for name, reader in (
            ("lastMessage", messages.last_message),
            ("lastMessageId", messages.last_message_id),
            ("lastUserMessage", messages.last_user_message),
            ("lastCharMessage", messages.last_char_message),
            ("firstIncludedMessageId", messages.first_included_id),
        ):
            yield _named(name), _told(environment, reader)
        yield from self._texts(("firstDisplayedMessageId",))
        yield _named("lastSwipeId"), _told(environment, messages.last_swipe_id)
        yield _named("currentSwipeId"), _told(environment, messages.current_swipe_id)
        yield _named("allChatRange"), _told(environment, messages.all_chat_range)

    def _clock_rules(self) -> Iterator[Rule]:
        now = self.environment.now
        for name, pattern in (
            ("time", clock.TIME),
            ("date", clock.DATE),
            ("weekday", "dddd"),
            ("isotime", "HH:mm"),
            ("isodate", "YYYY-MM-DD"),
        ):
            yield _named(name), _constantly(clock.formatted(now, pattern))
        yield _FORMAT, self._formatted
        yield _named("idle_duration"), _told(self.environment, messages.idle_duration)
        yield _UTC, lambda found: clock.formatted(clock.at_offset(now, int(found[1][:8])), clock.TIME)

    def _formatted(self, found: re.Match[str]) -> str:
        if not clock.is_format(found[1]):
            raise _Refused
        return clock.formatted(self.environment.now, found[1])

    def _random(self, found: re.Match[str]) -> str:
        items = _choices(found[1])
        return items[math.floor(self.environment.draw_apart() * len(items))]

    def _picked(self, text: str) -> str:
        """`{{pick}}` comes last; its seed counts the place in the text as it is by now."""
        start = f"{self.environment.chat_key()}-{cyrb53(self.text)}-"
        reroll = "" if self.environment.reroll is None else f"-{self.environment.reroll}"

        def chosen(found: re.Match[str]) -> str:
            items = _choices(found[1])
            seed = f"{cyrb53(f'{start}{unit_offset(text, found.start())}{reroll}')}\0"
            return items[math.floor(SeedRandom(seed).next() * len(items))]

        return _PICK.sub(chosen, text)


def _constantly(text: str) -> Replacement:
    return lambda _: text


def _told_by(teller: Callable[[], str]) -> Replacement:
    return lambda _: teller()


def _told(environment: MacroEnvironment, reader: Callable[[MacroEnvironment], str]) -> Replacement:
    return lambda _: reader(environment)


def _variable_rules(infix: str, variables: Variables) -> Iterator[Rule]:
    def name_in(found: re.Match[str]) -> str:
        name = trim(found[1])
        if not name:
            raise _Refused
        return name

    def assign(found: re.Match[str]) -> str:
        variables.set(name_in(found), found[2])
        return ""

    def add(found: re.Match[str]) -> str:
        variables.add(name_in(found), found[2])
        return ""

    def step(found: re.Match[str], by: int) -> str:
        return shown(variables.add(name_in(found), by))

    def pattern(name: str) -> re.Pattern[str]:
        return re.compile(rf"\{{\{{{name}{infix}var::([^}}]+)\}}\}}", _CASELESS)

    yield re.compile(rf"\{{\{{set{infix}var::([^:]+)::([^}}]*)\}}\}}", _CASELESS), assign
    yield re.compile(rf"\{{\{{add{infix}var::([^:]+)::([^}}]+)\}}\}}", _CASELESS), add
    yield pattern("inc"), lambda found: step(found, 1)
    yield pattern("dec"), lambda found: step(found, -1)
    yield pattern("get"), lambda found: shown(variables.get(trim(found[1])))
