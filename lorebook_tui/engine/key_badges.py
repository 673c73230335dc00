"""What one key is, told at a glance: plain, a pattern, a broken pattern, one with macros, or one that is a mistake.

SillyTavern 1.19: a key is the whole text between two separators of its editor, so that a comma inside it is part of the
word; a key in slashes that JavaScript rejects is plain text, slashes included; a key of blanks matches every text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from lorebook_tui.engine.common_words import COMMON_WORDS
from lorebook_tui.engine.macros import is_plain
from lorebook_tui.matching import ecma
from lorebook_tui.matching.words import is_whole_word_key
from lorebook_tui.model.js import trim


class KeyKind(Enum):
    """The kinds of keys: (word for the badge, whether it is a mistake most of the time)."""

    PLAIN = ("plain", False)
    PATTERN = ("regex", False)
    MACROS = ("macros", False)
    BROKEN = ("invalid regex", True)
    UNMARKED = ("regex without slashes?", True)
    JOINED = ("several keys in one", True)
    EMPTY = ("empty", True)
    BLANK = ("blank", True)
    SHORT = ("too short", True)
    COMMON = ("common word", True)

    def __init__(self, word: str, doubtful: bool) -> None:
        self.word = word
        self.doubtful = doubtful


@dataclass(frozen=True, slots=True)
class KeyBadge:
    """What a key is, and what is wrong with it."""

    kind: KeyKind
    note: str = ""
    """One sentence, "" for a plain key that is fine; may quote the key."""
    offset: int | None = None
    """Where in the key it is broken, in characters."""
    parts: tuple[str, ...] = ()
    """The keys that it should probably be instead."""


PLAIN: Final = KeyBadge(KeyKind.PLAIN)
COMMAS: Final = ",，、;；"
"""Separators that people type between keys; SillyTavern's editor knows the first alone."""
_FULL_WIDTH: Final = "，、；"
_SPLIT: Final = re.compile(f"[{COMMAS}]")
_OFFSET: Final = re.compile(r" at offset (\d+)")
_UNMARKED: Final = re.compile(r"\\[bBdDwWsS]|\.[*+]|\(\?[:=!<]|\([^()]*\|[^()]*\)|\[[^\]]+-[^\]]+\]|\w\|\w")
_IDEOGRAPHIC: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LOOKED_AT: Final = 500
"""Characters of a key that are searched for signs of a pattern; keys come from strangers."""
_SHORT_LATIN: Final = 2
_SHORT_ANYWHERE: Final = 3
_SHORT_IDEOGRAPHIC: Final = 1


def key_badge(key: str, *, whole_words: bool = True) -> KeyBadge:
    """What a key is.

    Args:
        key: as it is written.
        whole_words: the option in force for its entry, which decides how short is too short.
    """
    if not key:
        return KeyBadge(KeyKind.EMPTY, "An empty key never matches; group scoring counts it as a match all the same.")
    wanted = trim(key)
    if not wanted:
        return KeyBadge(KeyKind.BLANK, "A key of blanks matches every text.")
    if not is_plain(key):
        note = "Macros are replaced first, at every test; what comes out is read as a pattern or as plain text."
        return KeyBadge(KeyKind.MACROS, note)
    if wanted[0] == "/":
        return _in_slashes(wanted, shift=len(key) - len(key.lstrip()))
    return _joined(wanted) or _unmarked(wanted) or _too_wide(wanted, whole_words=whole_words) or PLAIN


def _in_slashes(key: str, shift: int) -> KeyBadge:
    reason = ecma.why_not_regex(key)
    if reason is None:
        return KeyBadge(KeyKind.PATTERN, "Case and whole words do not apply to a pattern; its flags do.")
    place = _OFFSET.search(reason)
    note = f"Taken as plain text, slashes included: {_OFFSET.sub('', reason)}."
    return KeyBadge(KeyKind.BROKEN, note, shift + int(place[1]) if place else None)


def _joined(key: str) -> KeyBadge | None:
    parts = tuple(part for piece in _SPLIT.split(key) if (part := trim(piece)))
    if len(parts) == 1 and parts[0] != key:
        place = next(place for place, char in enumerate(key) if char in COMMAS)
        return KeyBadge(KeyKind.JOINED, f"“{key[place]}” is part of the key and has to be said too.", place, parts)
    if len(parts) <= 1:
        return None
    place = next(place for place, char in enumerate(key) if char in COMMAS)
    why = "a full-width comma parts no keys in SillyTavern" if key[place] in _FULL_WIDTH else "it is part of the key"
    return KeyBadge(
        KeyKind.JOINED, f"“{key[place]}” stands inside the key: {why}. All of it has to be said as it is.", place, parts
    )


def _unmarked(key: str) -> KeyBadge | None:
    found = _UNMARKED.search(key[:_LOOKED_AT])
    if found is None or ecma.parse_key(pattern := f"/{key.replace('/', chr(92) + '/')}/i") is None:
        return None
    note = "It looks like a pattern, but without slashes around it, it is plain text."
    return KeyBadge(KeyKind.UNMARKED, note, found.start(), (pattern,))


def _too_wide(key: str, *, whole_words: bool) -> KeyBadge | None:
    """A key that fires far too often: a common word, or one so short that it is inside of others."""
    if key.lower() in COMMON_WORDS:
        return KeyBadge(KeyKind.COMMON, "Nearly every chat says this word, so the entry fires at almost every turn.")
    if not key.isalpha():
        return None
    if _IDEOGRAPHIC.search(key):
        return _short("One character is inside of many words.") if len(key) <= _SHORT_IDEOGRAPHIC else None
    bounded = whole_words and is_whole_word_key(key) and key.isascii()
    if bounded:
        note = "So short a word is said in passing; add what makes it certain, or secondary keys."
        return _short(note) if len(key) <= _SHORT_LATIN else None
    if len(key) > _SHORT_ANYWHERE:
        return None
    if key.isascii():
        return _short("Without whole words, so few letters are inside of many other words.")
    return _short("Whole words know only A-Z, so these few letters are found inside of longer words too.")


def _short(note: str) -> KeyBadge:
    return KeyBadge(KeyKind.SHORT, note)
