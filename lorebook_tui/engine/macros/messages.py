"""What macros tell about the chat: last messages, swipes, ranges, and how long the user has been idle."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lorebook_tui.engine.macros.clock import INVALID, span
from lorebook_tui.engine.macros.dates import iso_milliseconds, milliseconds
from lorebook_tui.model.js import MISSING, text_of, to_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.engine.macros.environment import MacroEnvironment
    from lorebook_tui.model.transcript import Message

JUST_NOW = "just now"
_LARGEST_DATE = 8.64e15
"""Beyond it JavaScript has no dates."""
_AT = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\s?@(\d{1,2})h\s?(\d{1,2})m\s?(\d{1,2})s(?:\s?(\d{1,3})ms)?", re.ASCII)
_SPOKEN = re.compile(r"([a-z]{3,})\s(\d{1,2}),\s(\d{4})\s(\d{1,2}):(\d{1,2})(am|pm)", re.ASCII | re.IGNORECASE)


def last_index(environment: MacroEnvironment, wanted: Callable[[Message], bool] = lambda _: True) -> int | None:
    """The number of the last message that is wanted; one whose swipe is only being made does not count."""
    messages = environment.messages
    for number in range(len(messages) - 1, -1, -1):
        message = messages[number]
        if message.lists_swipes and to_number(message.swipe_id) >= len(message.swipes):
            continue
        if wanted(message):
            return number
    return None


def _text(environment: MacroEnvironment, number: int | None) -> str:
    return "" if number is None else environment.messages[number].text


def last_message(environment: MacroEnvironment) -> str:
    """The last message of anybody, hidden ones too."""
    return _text(environment, last_index(environment))


def last_message_id(environment: MacroEnvironment) -> str:
    """Its number, from 0."""
    number = last_index(environment)
    return "" if number is None else str(number)


def last_user_message(environment: MacroEnvironment) -> str:
    """The last visible message of the user."""
    return _text(environment, last_index(environment, lambda message: message.is_user and not message.is_hidden))


def last_char_message(environment: MacroEnvironment) -> str:
    """The last visible message of a character."""
    return _text(environment, last_index(environment, lambda message: not message.is_user and not message.is_hidden))


def first_included_id(environment: MacroEnvironment) -> str:
    """The first message that was in the last prompt."""
    first = environment.first_in_context
    return "" if first is None else str(first)


def last_swipe_id(environment: MacroEnvironment) -> str:
    """How many swipes the last message has."""
    last = environment.messages[-1] if environment.messages else None
    return str(len(last.swipes)) if last and last.lists_swipes else ""


def current_swipe_id(environment: MacroEnvironment) -> str:
    """Which of them is chosen, from 1.

    SillyTavern 1.19: the new engine wants a number, the legacy engine adds 1 to whatever is there.
    """
    last = environment.messages[-1] if environment.messages else None
    number = last.swipe_id if last else MISSING
    if isinstance(number, (int, float)) and not isinstance(number, bool):
        return text_of(number + 1)
    if environment.engine != "legacy" or number is None:
        return ""
    return f"{number}1" if isinstance(number, str) else text_of(to_number(number) + 1)


def all_chat_range(environment: MacroEnvironment) -> str:
    """First and last number of the chat."""
    count = len(environment.messages)
    return f"0-{count - 1}" if count else ""


def zone_of(environment: MacroEnvironment) -> int:
    """Minutes east of UTC of the environment's clock."""
    offset = environment.now.utcoffset()
    return int(offset.total_seconds() // 60) if offset else 0


def idle_duration(environment: MacroEnvironment) -> str:
    """The time since the user's last message before the last visible one."""
    seen_one = False
    for message in reversed(environment.messages):
        if message.is_hidden:
            continue
        if message.is_user and seen_one:
            return _since(environment, message.sent) if message.sent else JUST_NOW
        seen_one = True
    return JUST_NOW


def _since(environment: MacroEnvironment, sent: str) -> str:
    when = sent_milliseconds(sent, zone_of(environment))
    return INVALID if when is None else span(environment.now.timestamp() * 1000 - when)


def sent_milliseconds(sent: str, zone: int) -> float | None:
    """The date of a message in any of SillyTavern's spellings, in milliseconds since 1970."""
    if sent.isascii() and sent.isdigit():
        return float(sent) if float(sent) <= _LARGEST_DATE else None
    when = iso_milliseconds(sent, zone)
    if when is not None:
        return when
    found = _AT.search(sent)
    if found:
        year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
        fraction = (found[7] or "0").rjust(3, "0")
        return iso_milliseconds(
            f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}.{fraction}", zone
        )
    spoken = _SPOKEN.search(sent)
    if spoken:
        return milliseconds(f"{spoken[1]} {spoken[2]} {spoken[3]} {spoken[4]}:{spoken[5]} {spoken[6]}", zone)
    return None
