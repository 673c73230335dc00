"""One key against one text in every way an entry can ask for: whole words or not, case or not, as a pattern.

SillyTavern 1.19: a key of the form `/…/flags` is a pattern, and neither option applies to it; any other is plain text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lorebook_tui.engine.findings import literal_spans
from lorebook_tui.engine.phases.buffer import MARK
from lorebook_tui.matching import ecma
from lorebook_tui.matching.fuzzy import near_misses
from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.words import is_whole_word_key
from lorebook_tui.model.js import trim

MOST_SPANS: Final = 200
PATTERN: Final = "pattern"
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class KeyMode:
    """One way of looking for a key, and what came of it."""

    name: str
    """Stable name: pattern, word, word_case, anywhere or anywhere_case."""
    label: str
    decides: bool
    """This is what SillyTavern does with a fresh installation's settings."""
    spans: Spans
    """Hits as offsets into the text, in code points."""
    note: str = ""
    """Why there is no hit, or what is special about the ones there are."""
    timed_out: bool = False

    @property
    def matched(self) -> bool:
        """Whether the key occurs."""
        return bool(self.spans)


_PLAIN: Final = (
    ("word", "whole words, any case", True, False),
    ("word_case", "whole words, same case", True, True),
    ("anywhere", "anywhere, any case", False, False),
    ("anywhere_case", "anywhere, same case", False, True),
)
"""Name, label, whole words, case-sensitive; the first is a fresh installation's."""


def key_modes(key: str, text: str) -> tuple[KeyMode, ...]:
    """All modes, the deciding one first.

    Args:
        key: macros replaced; blanks around it do not count.
        text: one message or several lines, as the chat holds it.
    """
    wanted = trim(key)
    if not wanted:
        return ()
    pattern = ecma.parse_key(wanted)
    plain = tuple(_plain_mode(row, wanted, text, decides=pattern is None and row is _PLAIN[0]) for row in _PLAIN)
    if pattern is not None:
        note = "A pattern: the options for case and whole words do not apply to it."
        return (_pattern_mode(pattern.source, pattern.flags, text, note, decides=True), *plain)
    return (*plain, _as_pattern(wanted, text))


def _plain_mode(row: tuple[str, str, bool, bool], key: str, text: str, *, decides: bool) -> KeyMode:
    name, label, whole_words, case_sensitive = row
    literal = key if case_sensitive else lower(key)
    spans = tuple(literal_spans(text, literal, case_sensitive=case_sensitive, whole_words=whole_words)[:MOST_SPANS])
    note = ""
    if not spans:
        note = _why_not(key, text, whole_words=whole_words, case_sensitive=case_sensitive)
    elif whole_words:
        note = _border_note(key, text, spans)
    return KeyMode(name, label, decides, spans, note)


def _border_note(key: str, text: str, spans: Spans) -> str:
    """What is special about hits as whole words: a key of several words, or a letter that counts as a border."""
    if not is_whole_word_key(key):
        return "A key of several words is looked for anywhere, also inside longer words."
    for start, end in spans:
        beside = text[max(0, start - 1) : start] + text[end : end + 1]
        letter = next((char for char in beside if char.isalnum()), "")
        if letter:
            return f"Beside “{letter}”: only A-Z, a-z, 0-9 and _ make a word longer, every other letter is a border."
    return ""


def _why_not(key: str, text: str, *, whole_words: bool, case_sensitive: bool) -> str:
    """What kept a plain key from matching."""
    broken = ecma.why_not_regex(key)
    if broken:
        return f"Taken as plain text, slashes included, because it is no pattern: {broken}."
    near = near_misses(text, key, case_sensitive=case_sensitive, whole_words=whole_words, limit=1)
    return f"“{near[0].found}”: {near[0].note}" if near else "Nothing like it is in the text."


def _as_pattern(key: str, text: str) -> KeyMode:
    """A plain key written as a pattern that ignores case."""
    source = key.replace("/", "\\/")
    try:
        ecma.compile(source, "i")
    except ecma.PatternError as error:
        place = "" if error.offset is None else f" at offset {error.offset}"
        return KeyMode(
            PATTERN, f"as a pattern /{source}/i", False, (), f"It would be no pattern: {error.reason}{place}."
        )
    return _pattern_mode(source, "i", text, "", decides=False)


def _pattern_mode(source: str, flags: str, text: str, note: str, *, decides: bool) -> KeyMode:
    """A pattern as the scan runs it: a mark stands in front of the message."""
    label = f"as a pattern /{source}/{flags}"
    compiled = ecma.compile(source, flags)
    try:
        found = compiled.find_all(MARK + text, MOST_SPANS)
        spans = tuple(sorted({(max(0, start - 1), max(0, end - 1)) for start, end in found}))
        if spans:
            return KeyMode(PATTERN, label, decides, spans, note)
        bare = compiled.search(text) is not None
        relaxed = "i" not in flags and ecma.compile(source, flags + "i").search(MARK + text) is not None
    except ecma.PatternTimeout:
        slow = "It ran into the time limit: nested repetitions such as (a+)+ make it slow."
        return KeyMode(PATTERN, label, decides, (), slow, timed_out=True)
    missed = "The pattern matches nowhere in the text."
    if bare:
        missed = "The scan puts a mark in front of every message, so ^ stands before the mark: write (^|\\x01) instead."
    elif relaxed:
        missed = "It would match with the flag i: patterns ignore the case setting."
    return KeyMode(PATTERN, label, decides, (), missed)
