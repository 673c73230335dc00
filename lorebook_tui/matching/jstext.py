"""Text as JavaScript sees it: lower case, UTF-16 offsets, white space. Offsets are code points if nothing is said."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final

from lorebook_tui.model.js import WHITE_SPACE

_WHITE_SPACE_RUN: Final = re.compile(f"[{WHITE_SPACE}]+")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_GROWS: Final = "\u0130"
"""The only character whose lower case is longer than itself: "İ" becomes "i" and a combining dot."""

_LATER_PAIRS: Final = {0xA7CB: 0x264, 0xA7DC: 0x19B}
"""Capitals of Unicode 16, which browsers know and Python may not."""


def lower(text: str) -> str:
    """JavaScript's `toLowerCase()`: not locale dependent, final sigma handled, "ß" kept."""
    lowered = text.lower()
    if lowered.isascii() or not ("\ua7cb" in lowered or "\ua7dc" in lowered):
        return lowered
    return lowered.translate(_LATER_PAIRS)


def original_span(text: str, start: int, end: int) -> tuple[int, int]:
    """The span in the text for a span in `lower(text)`; a half-covered "İ" is taken whole."""
    if _GROWS not in text:
        return start, end
    ends = list(accumulate(2 if char == _GROWS else 1 for char in text))
    first = bisect_right(ends, start)
    return first, first if start == end else bisect_right(ends, end - 1) + 1


def split_white_space(text: str) -> list[str]:
    r"""JavaScript's `text.split(/\s+/)`: white space at an edge leaves an empty piece there."""
    return _WHITE_SPACE_RUN.split(text)


def has_surrogates(text: str) -> bool:
    """Whether the text holds a surrogate as a character of its own, as text cut in the middle of a pair does."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def utf16_units(text: str) -> str:
    """The text with every character beyond U+FFFF as two characters, its surrogates, so that offsets are UTF-16."""
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(unit) for unit in memoryview(data).cast("H"))


def code_point_offset(text: str, units: int) -> int:
    """The code point offset for an offset in UTF-16 units; one inside a pair is that of its character."""
    if text.isascii():
        return min(units, len(text))
    ends = accumulate(2 if char > "\uffff" else 1 for char in text)
    return sum(1 for end in ends if end <= units)
