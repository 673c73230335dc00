"""The macros of SillyTavern 1.19's new engine: names, how many arguments they take, and what they give."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.macros import clock, messages, names
from lorebook_tui.engine.macros.card import format_examples
from lorebook_tui.engine.macros.constants import SYSTEM_PROMPT, SYSTEM_PROMPT_OFF, TEXTS
from lorebook_tui.engine.macros.dates import time_between
from lorebook_tui.engine.macros.dice import roll
from lorebook_tui.engine.macros.seedrandom import SeedRandom
from lorebook_tui.engine.macros.variables import Variables, shown
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.engine.macros.card import CardReader
    from lorebook_tui.engine.macros.environment import MacroEnvironment

TRIM_MARK: Final = "{{trim}}"
CONDITION: Final = "if"
LAST_KIND: Final = "lastGenerationType"
CONDITION_ARGUMENTS: Final = 2
"""The condition and the branches."""
ELSE_MARK: Final = "\0\x1fELSE\x1f\0"
"""What an `{{else}}` outside `{{if}}` gives until the text is cleaned."""
MOST_REPEATS: Final = 1_000_000
"""More repetitions of `{{newline}}` or `{{space}}` are refused; SillyTavern allows some hundred times as many."""
_MOST_DIGITS = 20
_INTEGER = re.compile(r"-?[0-9]+")
_UTC = re.compile(r"UTC([+-][0-9]+)")
_COMMA = re.compile(r"(?<!\\),")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a macro stands and what it can see there."""

    environment: MacroEnvironment
    card: CardReader
    draw: Callable[[], float]
    pick_seed: Callable[[], str]
    scoped: bool = False
    """Its last argument stands between an opening and a closing tag."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One macro. A handler that gives None refuses: the text stays as it is."""

    handler: Callable[[Place, Sequence[str]], str | None]
    least: int = 0
    most: int = 0
    listed: bool = False
    """It takes any number of arguments, but none between tags."""

    def takes(self, count: int) -> bool:
        """Whether it can be called with so many arguments."""
        return self.listed or self.least <= count <= self.most

    def takes_scope(self, count: int) -> bool:
        """Whether a text between tags can follow so many arguments."""
        return not self.listed and self.takes(count + 1)


def whole(text: str) -> int | None:
    """A whole number; None for other texts, and for numbers that no one means."""
    return int(text) if len(text) <= _MOST_DIGITS and _INTEGER.fullmatch(text) else None


def _of(reader: Callable[[MacroEnvironment], str]) -> Definition:
    return Definition(lambda place, _: reader(place.environment))


def _card(field: str) -> Definition:
    return Definition(lambda place, _: place.card.field(field))


def _repeat(text: str) -> Definition:
    def handler(_: Place, arguments: Sequence[str]) -> str | None:
        count = whole(trim(arguments[0])) if arguments else 1
        return text * count if count is not None and 0 <= count <= MOST_REPEATS else None

    return Definition(handler, 0, 1)


def _trim(place: Place, arguments: Sequence[str]) -> str:
    return arguments[0] if place.scoped else TRIM_MARK


def _reverse(_: Place, arguments: Sequence[str]) -> str:
    return arguments[0][::-1]


def _outlet(place: Place, arguments: Sequence[str]) -> str:
    return place.environment.outlets.get(trim(arguments[0]), "") if arguments[0] else ""


def _has_extension(place: Place, arguments: Sequence[str]) -> str:
    return "true" if arguments[0].lower() in place.environment.extensions else "false"


def _greeting(place: Place, arguments: Sequence[str]) -> str | None:
    number = whole(trim(arguments[0])) if arguments else 0
    return None if number is None else place.card.greeting(number)


def choices(arguments: Sequence[str]) -> list[str]:
    """The items of `{{random}}` and `{{pick}}`: a list after `::`, or one argument split at `::` or else at commas."""
    if len(arguments) != 1:
        return list(arguments)
    if "::" in arguments[0]:
        return [trim(item) for item in arguments[0].split("::")]
    return [trim(item).replace("\\,", ",") for item in _COMMA.split(arguments[0])]


def _random(place: Place, arguments: Sequence[str]) -> str:
    items = choices(arguments)
    if not items:
        return ""
    environment = place.environment
    value = environment.draw_apart() if environment.draw_random is None else environment.draw_random()
    return items[math.floor(value * len(items))]


def _pick(place: Place, arguments: Sequence[str]) -> str:
    items = choices(arguments)
    return items[math.floor(SeedRandom(place.pick_seed()).next() * len(items))] if items else ""


def _time(place: Place, arguments: Sequence[str]) -> str:
    found = _UTC.fullmatch(arguments[0]) if arguments else None
    now = place.environment.now
    return clock.formatted(clock.at_offset(now, found[1]) if found else now, clock.TIME)


def _format(place: Place, arguments: Sequence[str]) -> str | None:
    return clock.formatted(place.environment.now, arguments[0]) if clock.is_format(arguments[0]) else None


def _difference(place: Place, arguments: Sequence[str]) -> str:
    return time_between(arguments[0], arguments[1], messages.zone_of(place.environment))


def _now(pattern: str) -> Definition:
    return Definition(lambda place, _: clock.formatted(place.environment.now, pattern))


def _local(place: Place) -> Variables:
    return Variables(place.environment.local)


def _global(place: Place) -> Variables:
    return Variables(place.environment.globals)


def _set(variables: Variables, name: str, value: str) -> str | None:
    if not name:
        return None
    variables.set(name, value)
    return ""


def _add(variables: Variables, name: str, value: str) -> str | None:
    if not name:
        return None
    variables.add(name, value)
    return ""


def _step(variables: Variables, name: str, step: int) -> str | None:
    return shown(variables.add(name, step)) if name else None


def _delete(variables: Variables, name: str) -> str:
    variables.delete(name)
    return ""


def _variable_macros(infix: str, store: Callable[[Place], Variables]) -> dict[str, Definition]:
    """The eight macros over one store of variables, with their second names."""
    has = Definition(lambda place, given: "true" if store(place).has(given[0]) else "false", 1, 1)
    delete = Definition(lambda place, given: _delete(store(place), given[0]), 1, 1)
    return {
        f"set{infix}var": Definition(lambda place, given: _set(store(place), given[0], given[1]), 2, 2),
        f"add{infix}var": Definition(lambda place, given: _add(store(place), given[0], given[1]), 2, 2),
        f"inc{infix}var": Definition(lambda place, given: _step(store(place), given[0], 1), 1, 1),
        f"dec{infix}var": Definition(lambda place, given: _step(store(place), given[0], -1), 1, 1),
        f"get{infix}var": Definition(lambda place, given: shown(store(place).get(given[0])), 1, 1),
        f"has{infix}var": has,
        f"{infix}varexists": has,
        f"delete{infix}var": delete,
        f"flush{infix}var": delete,
    }


def _constant(name: str, default: str) -> Definition:
    key = name.lower()
    return _of(lambda environment: environment.texts.get(key, default))


def _examples(place: Place, _: Sequence[str]) -> str:
    environment = place.environment
    if environment.example_format is not None:
        return environment.example_format(place.card.field("examples"), environment)
    return format_examples(place.card.field("examples"))


def _system_prompt(place: Place, _: Sequence[str]) -> str:
    """The card's prompt stands in for the application's."""
    if SYSTEM_PROMPT_OFF in place.environment.texts:
        return ""
    return place.card.field("system_prompt") or place.environment.texts.get("systemprompt", SYSTEM_PROMPT)


def _last_kind(environment: MacroEnvironment) -> str:
    environment.asked.add(LAST_KIND)
    return environment.generation_type


_CONTEXT = _of(lambda environment: str(environment.max_context))
_RESPONSE = _of(lambda environment: str(environment.max_response))
_IDLE = _of(messages.idle_duration)
_COMMENT = Definition(lambda _place, _arguments: "", 1, 1)
_VERSION = Definition(lambda place, _: place.card.card.version)
_GREETING = Definition(_greeting, 0, 1)

_NAMED: dict[str, Definition] = {
    **{name: _constant(name, default) for name, default in TEXTS.items()},
    **_variable_macros("", _local),
    **_variable_macros("global", _global),
    "user": _of(lambda environment: environment.user),
    "char": _of(lambda environment: environment.char),
    "group": _of(names.group),
    "charIfNotGroup": _of(names.group),
    "groupNotMuted": _of(names.group_not_muted),
    "notChar": _of(names.not_char),
    "systemPrompt": Definition(_system_prompt),
    "charPrompt": _card("system_prompt"),
    "charInstruction": _card("post_history"),
    "description": _card("description"),
    "charDescription": _card("description"),
    "personality": _card("personality"),
    "charPersonality": _card("personality"),
    "scenario": _card("scenario"),
    "charScenario": _card("scenario"),
    "persona": _card("persona"),
    "mesExamplesRaw": _card("examples"),
    "mesExamples": Definition(_examples),
    "charDepthPrompt": _card("depth_prompt"),
    "creatorNotes": _card("creator_notes"),
    "charCreatorNotes": _card("creator_notes"),
    "charFirstMessage": _GREETING,
    "greeting": _GREETING,
    "version": _VERSION,
    "charVersion": _VERSION,
    "char_version": _VERSION,
    "original": Definition(lambda _place, _arguments: None),
    "newline": _repeat("\n"),
    "space": _repeat(" "),
    "noop": Definition(lambda _place, _arguments: ""),
    "else": Definition(lambda _place, _arguments: ELSE_MARK),
    "trim": Definition(_trim, 0, 1),
    "//": _COMMENT,
    "comment": _COMMENT,
    "banned": Definition(lambda _place, _arguments: "", 1, 1),
    "reverse": Definition(_reverse, 1, 1),
    "outlet": Definition(_outlet, 1, 1),
    "hasExtension": Definition(_has_extension, 1, 1),
    "roll": Definition(lambda place, given: roll(given[0], place.draw), 1, 1),
    "random": Definition(_random, listed=True),
    "pick": Definition(_pick, listed=True),
    "time": Definition(_time, 0, 1),
    "date": _now(clock.DATE),
    "weekday": _now("dddd"),
    "isotime": _now("HH:mm"),
    "isodate": _now("YYYY-MM-DD"),
    "datetimeformat": Definition(_format, 1, 1),
    "timeDiff": Definition(_difference, 2, 2),
    "idle_duration": _IDLE,
    "idleDuration": _IDLE,
    "lastMessage": _of(messages.last_message),
    "lastMessageId": _of(messages.last_message_id),
    "lastUserMessage": _of(messages.last_user_message),
    "lastCharMessage": _of(messages.last_char_message),
    "firstIncludedMessageId": _of(messages.first_included_id),
    "lastSwipeId": _of(messages.last_swipe_id),
    "currentSwipeId": _of(messages.current_swipe_id),
    "allChatRange": _of(messages.all_chat_range),
    "maxPrompt": _CONTEXT,
    "maxPromptTokens": _CONTEXT,
    "maxContext": _CONTEXT,
    "maxContextTokens": _CONTEXT,
    "maxResponse": _RESPONSE,
    "maxResponseTokens": _RESPONSE,
    LAST_KIND: _of(_last_kind),
    "authorsNote": _of(lambda environment: environment.note),
    "charAuthorsNote": _of(lambda environment: environment.character_note),
}

DEFINITIONS: Final[dict[str, Definition]] = {name.lower(): definition for name, definition in _NAMED.items()}
"""Every macro but `if`, by its name in lower case."""
MACRO_NAMES: Final[tuple[str, ...]] = (*_NAMED, CONDITION)
"""Every name of the new engine as its documentation spells it."""
