"""SillyTavern 1.19's old macro engine: one expression after the other over the whole text.

The order of the expressions is the behaviour: a macro inside another one works only if its turn comes first. Nothing is
unescaped. The fields of the card are read before anything is replaced, so dice and variables in a card act every time.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from lorebook_tui.engine.macros import clock, messages, names
from lorebook_tui.engine.macros.card import EXAMPLE_SEPARATOR, READ_ORDER, CardReader, format_examples
from lorebook_tui.engine.macros.ceilings import Ceilings
from lorebook_tui.engine.macros.constants import (
    LEGACY_AFTER_NAMES,
    LEGACY_BEFORE_VARIABLES,
    NEW_ONLY,
    SYSTEM_PROMPT,
    SYSTEM_PROMPT_OFF,
    TEXTS,
)
from lorebook_tui.engine.macros.dates import time_between
from lorebook_tui.engine.macros.dice import roll
from lorebook_tui.engine.macros.hashing import cyrb53
from lorebook_tui.engine.macros.legacy_rules import (
    RefusedError,
    assigned,
    braced,
    enclosed,
    listed,
    matched,
    named,
    paired,
    quoted,
    removed,
)
from lorebook_tui.engine.macros.seedrandom import SeedRandom
from lorebook_tui.engine.macros.trims import without_trims
from lorebook_tui.engine.macros.units import unit_offset
from lorebook_tui.engine.macros.variables import Variables
from lorebook_tui.model.js import text_of, trim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.engine.macros.environment import MacroEnvironment
    from lorebook_tui.engine.macros.legacy_rules import Rule

_COMMA = re.compile(r"(?<!\\),")
_CARD_MACROS = (
    ("charPrompt", "system_prompt"),
    ("charJailbreak", "post_history"),
    ("charInstruction", "post_history"),
    ("description", "description"),
    ("personality", "personality"),
    ("scenario", "scenario"),
    ("persona", "persona"),
)
_CHAT_MACROS = (
    ("lastMessage", messages.last_message),
    ("lastMessageId", messages.last_message_id),
    ("lastUserMessage", messages.last_user_message),
    ("lastCharMessage", messages.last_char_message),
    ("firstIncludedMessageId", messages.first_included_id),
    ("lastSwipeId", messages.last_swipe_id),
    ("currentSwipeId", messages.current_swipe_id),
    ("allChatRange", messages.all_chat_range),
)
_CLOCK_MACROS = (
    ("time", clock.TIME),
    ("date", clock.DATE),
    ("weekday", "dddd"),
    ("isotime", "HH:mm"),
    ("isodate", "YYYY-MM-DD"),
)


def _choices(text: str) -> list[str]:
    if "::" in text:
        return text.split("::")
    return [trim(item).replace("\\,", ",") for item in _COMMA.split(text)]


def _saying(text: str) -> Callable[[], str]:
    return lambda: text


class LegacyEvaluation:
    """The replacement of one text."""

    def __init__(self, text: str, environment: MacroEnvironment) -> None:
        self.text = text
        self.environment = environment
        self.ceilings = Ceilings(environment.draw, len(text))
        self.card = CardReader(environment.card, self._card_text) if environment.card else None

    def run(self) -> str:
        """The text with its macros replaced; the card is read even if the text has none."""
        self._read_card()
        text = self.text
        if "{{" not in text and not names.TAG.search(text):
            return text
        for rule in self._rules():
            with suppress(RefusedError):
                text = self.ceilings.bounded(rule(text))
        return self._picked(text) if "{{" in text else text

    def _read_card(self) -> None:
        if self.card:
            for field in READ_ORDER:
                self.card.field(field)
            for number in range(1, len(self.card.card.alternate_greetings) + 1):
                self.card.greeting(number)

    def _card_text(self, text: str, char: str | None) -> str:
        environment = self.environment
        inner = replace(environment, card=None, lent={}, char=environment.char if char is None else char)
        return LegacyEvaluation(text, inner).run()

    def _rules(self) -> Iterator[Rule]:
        """All expressions but the last, in their order."""
        environment = self.environment
        for tag, macro in names.TAGS.items():
            yield matched(f"<{tag}>", partial(self._name, macro))
        yield braced(r"\{\{roll[ :]", lambda inside: roll(trim(inside), self.ceilings.draw))
        yield named("systemPrompt", self._system_prompt)
        yield from self._texts(LEGACY_BEFORE_VARIABLES)
        yield from _variable_rules("", Variables(environment.local))
        yield from _variable_rules("global", Variables(environment.globals))
        yield named("newline", lambda: "\n")
        yield without_trims
        yield named("noop", lambda: "")
        yield from self._texts(("input",))
        for lent, text in environment.lent.items():
            yield named(lent, text)
        yield from self._card_rules()
        for macro in ("user", "char", "charIfNotGroup", "group", "groupNotMuted", "notChar"):
            yield named(macro, partial(self._name, macro))
        yield from self._texts(LEGACY_AFTER_NAMES)
        yield from self._chat_rules()
        yield enclosed(r"\{\{reverse:", lambda inside: inside[::-1])
        yield removed(r"\{\{//")
        yield from self._clock_rules()
        yield enclosed(r"\{\{outlet::", lambda inside: environment.outlets.get(trim(inside), ""))
        yield paired(r"\{\{timeDiff::", self._difference)
        yield quoted(r'\{\{banned "', '"}}')
        yield listed("random", self._random)

    def _texts(self, wanted: tuple[str, ...]) -> Iterator[Rule]:
        for name in wanted:
            if name not in NEW_ONLY:
                text = self.environment.texts.get(name.lower(), TEXTS[name])
                yield named(name, _saying(text))

    def _name(self, macro: str) -> str:
        environment = self.environment
        if macro in {"user", "char"}:
            return environment.user if macro == "user" else environment.char
        if macro == "notChar":
            return names.not_char(environment)
        return names.group_not_muted(environment) if macro == "groupNotMuted" else names.group(environment)

    def _system_prompt(self) -> str:
        own = self.card.field("system_prompt") if self.card else ""
        if SYSTEM_PROMPT_OFF in self.environment.texts:
            return ""
        return own or self.environment.texts.get("systemprompt", SYSTEM_PROMPT)

    def _card_rules(self) -> Iterator[Rule]:
        card = self.card
        if card is None:
            return
        for name, field in _CARD_MACROS:
            yield named(name, partial(card.field, field))
        yield named("mesExamples", self._examples)
        yield named("mesExamplesRaw", lambda: card.field("examples"))
        yield named("charVersion", lambda: card.card.version)
        yield named("char_version", lambda: card.card.version)
        yield named("charDepthPrompt", lambda: card.field("depth_prompt"))
        yield named("creatorNotes", lambda: card.field("creator_notes"))

    def _examples(self) -> str:
        """Formatted examples; their separator is a text with macros of its own, so the card is read once more."""
        raw = self.card.field("examples") if self.card else ""
        if self.environment.example_format is not None:
            return self.environment.example_format(raw, self.environment)
        shown_examples = format_examples(raw)
        if shown_examples:
            LegacyEvaluation(EXAMPLE_SEPARATOR, self.environment).run()
        return shown_examples

    def _chat_rules(self) -> Iterator[Rule]:
        environment = self.environment
        for name in ("maxPrompt", "maxPromptTokens", "maxContext", "maxContextTokens"):
            yield named(name, lambda: str(environment.max_context))
        for name in ("maxResponse", "maxResponseTokens"):
            yield named(name, lambda: str(environment.max_response))
        for name, reader in _CHAT_MACROS:
            yield named(name, partial(reader, environment))
        yield from self._texts(("firstDisplayedMessageId",))

    def _clock_rules(self) -> Iterator[Rule]:
        now = self.environment.now
        for name, pattern in _CLOCK_MACROS:
            yield named(name, partial(clock.formatted, now, pattern))
        yield braced(r"\{\{datetimeformat +", self._formatted, least=0)
        yield named("idle_duration", partial(messages.idle_duration, self.environment))
        yield braced(r"\{\{time_UTC(?=[-+][0-9]+\}\})", self._time_at)

    def _formatted(self, pattern: str) -> str:
        if not clock.is_format(pattern):
            raise RefusedError
        return clock.formatted(self.environment.now, pattern)

    def _time_at(self, offset: str) -> str:
        return clock.formatted(clock.at_offset(self.environment.now, offset), clock.TIME)

    def _difference(self, first: str, second: str) -> str:
        return time_between(first, second, messages.zone_of(self.environment))

    def _random(self, inside: str, _: int) -> str:
        items = _choices(inside)
        return items[math.floor(self.environment.draw_apart() * len(items))]

    def _picked(self, text: str) -> str:
        """`{{pick}}` comes last; its seed counts the place in the text as it is by now."""
        start = f"{self.environment.chat_key()}-{cyrb53(self.text)}-"
        reroll = "" if self.environment.reroll is None else f"-{self.environment.reroll}"

        def chosen(inside: str, place: int) -> str:
            items = _choices(inside)
            seed = f"{cyrb53(f'{start}{unit_offset(text, place)}{reroll}')}\0"
            return items[math.floor(SeedRandom(seed).next() * len(items))]

        return listed("pick", chosen)(text)


def _variable_rules(infix: str, variables: Variables) -> Iterator[Rule]:
    def named_in(inside: str) -> str:
        name = trim(inside)
        if not name:
            raise RefusedError
        return name

    def assign(name: str, value: str) -> str:
        variables.set(named_in(name), value)
        return ""

    def add(name: str, value: str) -> str:
        variables.add(named_in(name), value)
        return ""

    def step(by: int, name: str) -> str:
        return text_of(variables.add(named_in(name), by))

    yield assigned(rf"\{{\{{set{infix}var::", assign, least=0)
    yield assigned(rf"\{{\{{add{infix}var::", add, least=1)
    yield braced(rf"\{{\{{inc{infix}var::", partial(step, 1))
    yield braced(rf"\{{\{{dec{infix}var::", partial(step, -1))
    yield braced(rf"\{{\{{get{infix}var::", lambda name: text_of(variables.get(trim(name))))
