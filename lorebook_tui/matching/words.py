r"""Plain keys by the letter: SillyTavern 1.19's substring and whole-word rules, for one key and one text.

Text and key come as they are compared: lower-cased by `jstext.lower` unless the entry is case-sensitive. Whole words:
a key that holds white space is a plain substring; any other key is `(?:^|\W)(KEY)(?:$|\W)`, where only A-Z, a-z, 0-9
and _ are word characters and the anchors are the ends of the whole text. Everything counts in UTF-16 units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.matching.jstext import code_point_offset, has_surrogates, split_white_space, utf16_units
from lorebook_tui.matching.literals import WORD_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]


def is_whole_word_key(key: str) -> bool:
    """Whether the whole-word option changes anything for the key: it holds no white space."""
    return len(split_white_space(key)) == 1


def match_plain(text: str, key: str, *, whole_words: bool) -> bool:
    """Whether the key occurs in the text; an empty key occurs wherever the rule lets nothing stand."""
    return next(_occurrences(*_comparable(text, key), whole_words=whole_words), None) is not None


def find_plain(text: str, key: str, *, whole_words: bool) -> tuple[Span, ...]:
    """Spans of the key in the text, from left to right, not overlapping; code points. An empty key has none."""
    if not key:
        return ()
    where, what = _comparable(text, key)
    spans: list[Span] = []
    for start in _occurrences(where, what, whole_words=whole_words):
        if not spans or start >= spans[-1][1]:
            spans.append((start, start + len(what)))
    if where is text or where == text:
        return tuple(spans)
    return tuple((code_point_offset(text, start), code_point_offset(text, end - 1) + 1) for start, end in spans)


def _comparable(text: str, key: str) -> tuple[str, str]:
    """Text and key with one character per UTF-16 unit if a surrogate stands alone in either."""
    if has_surrogates(key) or has_surrogates(text):
        return utf16_units(text), utf16_units(key)
    return text, key


def _occurrences(text: str, key: str, *, whole_words: bool) -> Iterator[int]:
    """Starts of all occurrences, overlapping ones too, that satisfy the rule."""
    bounded = whole_words and is_whole_word_key(key)
    start = text.find(key)
    while start >= 0:
        if not bounded or (_boundary(text, start - 1) and _boundary(text, start + len(key))):
            yield start
        start = text.find(key, start + 1)


def _boundary(text: str, place: int) -> bool:
    """Whether a word can end next to this place: outside the text, or no word character."""
    return not 0 <= place < len(text) or text[place] not in WORD_CHARACTERS
