"""Characters without a shape of their own that scripts and emoji need: what joins, parts and turns around letters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from lorebook_tui.lint.scripts import script_of

_JOINERS: Final = frozenset("\u200c\u200d")
_BLANK: Final = "\u200b"
_VOWEL_SEPARATOR: Final = "\u180e"
_DIRECTIONS: Final = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_SYMBOLS_FROM: Final = "\u2600"
_SYMBOLS: Final = frozenset({"So", "Sk", "Sm"})
_CURSIVE: Final = frozenset({
    "ARABIC", "SYRIAC", "NKO", "MANDAIC", "MONGOLIAN", "PHAGS-PA", "MANICHAEAN", "PSALTER", "ADLAM", "HANIFI",
    "SOGDIAN", "CHORASMIAN",
})  # fmt: skip
"""Scripts, by the first word of the names of their letters, whose letters change their shape when they touch."""
_PARTED_UNSEEN: Final = frozenset({"THAI", "LAO", "KHMER", "MYANMAR", "TAI", "TIBETAN", "BALINESE", "JAVANESE"})
"""Scripts without blanks between words, where one that nobody sees tells where a line may end."""
_VIRAMA: Final = 9
"""The combining class of the sign that takes a consonant its vowel."""
_WHERE_VIRAMAS_ARE: Final = (
    range(0x0900, 0x1D00),
    range(0x2D00, 0x2E00),
    range(0xA800, 0xAC00),
    range(0x10A00, 0x12000),
)
_JOINED_BOTH: Final = frozenset({"HEBREW", "OTHER"})


def is_needed(text: str, place: int) -> bool:
    """Whether what nobody sees does something where it stands."""
    char = text[place]
    before, after = text[max(0, place - 1) : place], text[place + 1 : place + 2]
    if char in _JOINERS:
        return _shapes(before) or _shapes(after) or (_may_join(before) and _may_join(after))
    if char == _BLANK:
        return _written_in(before) in _PARTED_UNSEEN and _written_in(after) in _PARTED_UNSEEN
    if char == _VOWEL_SEPARATOR:
        return _written_in(before) == "MONGOLIAN"
    return char in _DIRECTIONS and _RIGHT_TO_LEFT.search(text) is not None


@lru_cache(4096)
def _written_in(char: str) -> str:
    """The script of a letter or of a mark, by the first word of its name; "" for anything else."""
    if not char or unicodedata.category(char)[0] not in "LM":
        return ""
    return unicodedata.name(char, "").partition(" ")[0]


def _shapes(char: str) -> bool:
    """Whether a joiner beside it changes how it looks."""
    script = _written_in(char)
    return bool(script) and (script in _CURSIVE or script in _scripts_with_virama())


def _may_join(char: str) -> bool:
    """Whether something of which both sides must be so is joined: emoji, and letters of scripts nobody knows here."""
    if not char:
        return False
    return char >= _SYMBOLS_FROM or unicodedata.category(char) in _SYMBOLS or script_of(char) in _JOINED_BOTH


@lru_cache(1)
def _scripts_with_virama() -> frozenset[str]:
    places = (chr(number) for numbers in _WHERE_VIRAMAS_ARE for number in numbers)
    return frozenset(_written_in(char) for char in places if unicodedata.combining(char) == _VIRAMA)
