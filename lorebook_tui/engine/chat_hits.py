"""Which messages of a chat hold which key of an entry, whatever the turn: for the badge beside each key.

A message is looked at by itself, as a line of the scan. A pattern that reaches over several lines, and a macro that is
different at another turn, can therefore be judged otherwise at a turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.keys import BlankKey, DynamicKey, EmptyKey, KeyReader, PatternKey, PlainKey
from lorebook_tui.engine.phases.buffer import MARK
from lorebook_tui.matching import ecma
from lorebook_tui.matching.index import HitIndex
from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.words import match_plain
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.chat import ChatView
    from lorebook_tui.engine.keys import Key
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.model.entry import Entry

PLAIN: Final = "plain"
PATTERN: Final = "pattern"
MACRO: Final = "macro"
BLANK: Final = "blank"
EMPTY: Final = "empty"
INVALID: Final = "invalid"
"""Written like a pattern and none: it is taken as plain text, slashes included."""


@dataclass(frozen=True, slots=True)
class KeyInChat:
    """One key over a whole chat."""

    key: str
    """As it stands in the book. Foreign text."""
    kind: str
    """plain, pattern, macro, blank, empty or invalid; stable names."""
    messages: tuple[int, ...] = ()
    """Transcript indices of the visible messages that hold it, ascending."""
    note: str = ""
    """Why it is no pattern, or that it ran into the time limit."""


def keys_in_chat(plan: Plan, chat: ChatView, entry: Entry, name: str = "key") -> tuple[KeyInChat, ...]:
    """The keys of an entry over a whole chat; the entry need not be one of the plan's.

    Args:
        plan: gives the settings, and what names macros stand for.
        chat: the lines.
        entry: has the keys, and its own options for case and whole words.
        name: `key` or `keysecondary`.
    """
    stored = entry.fields.get(name)
    if not isinstance(stored, list):
        return ()
    reader = KeyReader(HitIndex(), plan.keys.resolve, dynamic=plan.keys.dynamic)
    sensitive, whole = plan.case_sensitive(entry), plan.whole_words(entry)
    lines = _Lines(chat.lines, chat.numbers)
    return tuple(
        _in_chat(reader.read(key, case_sensitive=sensitive, whole_words=whole), lines)
        for key in stored
        if isinstance(key, str)
    )


class _Lines:
    """Lines as they stand and, once somebody asks, in lower case."""

    def __init__(self, lines: Sequence[str], numbers: Sequence[int]) -> None:
        self.lines = lines
        self.numbers = numbers
        self._lowered: list[str] | None = None

    def cased(self, *, sensitive: bool) -> Sequence[str]:
        if sensitive:
            return self.lines
        if self._lowered is None:
            self._lowered = [lower(line) for line in self.lines]
        return self._lowered


def _in_chat(key: Key, lines: _Lines) -> KeyInChat:
    if isinstance(key, EmptyKey):
        return KeyInChat(key.raw, EMPTY)
    if isinstance(key, BlankKey):
        return KeyInChat(key.raw, BLANK, tuple(lines.numbers))
    if isinstance(key, DynamicKey):
        return KeyInChat(key.raw, MACRO, note="Its macros can give something else at every turn.")
    if isinstance(key, PatternKey):
        return _pattern_in_chat(key, lines)
    broken = ecma.why_not_regex(trim(key.raw)) if trim(key.raw).startswith("/") else None
    return KeyInChat(key.raw, INVALID if broken else PLAIN, _plain_in_chat(key, lines), broken or "")


def _plain_in_chat(key: PlainKey, lines: _Lines) -> tuple[int, ...]:
    cased = lines.cased(sensitive=key.case_sensitive)
    return tuple(
        number
        for number, line in zip(lines.numbers, cased, strict=True)
        if match_plain(line, key.literal, whole_words=key.whole_word)
    )


def _pattern_in_chat(key: PatternKey, lines: _Lines) -> KeyInChat:
    pattern = ecma.compile(key.source, key.flags)
    found: list[int] = []
    try:
        for number, line in zip(lines.numbers, lines.lines, strict=True):
            if pattern.test(MARK + line):
                found.append(number)
    except ecma.PatternTimeout:
        return KeyInChat(key.raw, PATTERN, tuple(found), "It ran into the time limit for patterns.")
    return KeyInChat(key.raw, PATTERN, tuple(found))
