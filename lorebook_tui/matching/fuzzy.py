"""What almost matched: a plain key that is there but for its case, a boundary, a look-alike or a typing error.

Evidence for people, never a match. One thing may be wrong at a time; the text is compared as SillyTavern compares it
(lower-cased unless the entry is case-sensitive), with just that one thing overlooked.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.words import find_plain, is_whole_word_key
from lorebook_tui.model.js import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MOST_MISSES: Final = 5
"""Near misses shown for one key and text."""
SHORTEST_TYPO: Final = 4
"""Keys below this length have too many neighbours ("king", "ring") for a typing error to mean anything."""
TWO_ERRORS_FROM: Final = 9


class NearKind(StrEnum):
    """What alone kept a key from matching."""

    CASE = "case"
    WORD_BOUNDARY = "word_boundary"
    APOSTROPHE = "apostrophe"
    SPACE = "space"
    DASH = "dash"
    YO = "yo"
    UNICODE_FORM = "unicode_form"
    TYPO = "typo"


NOTES: Final = {
    NearKind.CASE: "It is there in another case, and the key is case-sensitive.",
    NearKind.WORD_BOUNDARY: "It is there inside a longer word, and the key matches whole words only.",
    NearKind.APOSTROPHE: "It is there with another kind of apostrophe or quotation mark.",
    NearKind.SPACE: "It is there with other white space inside, such as a non-breaking space or a line end.",
    NearKind.DASH: "It is there with another kind of hyphen or dash.",
    NearKind.YO: "It is there with е in place of ё, or ё in place of е.",
    NearKind.UNICODE_FORM: "It is there in another Unicode form: one has accents as characters of their own.",
    NearKind.TYPO: "Something very like it is there.",
}


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A place where the key almost stands. Offsets are code points of the text as it was given."""

    kind: NearKind
    start: int
    end: int
    found: str
    """The text that is there."""
    errors: int = 0
    """Typing errors: letters missing, added, changed or swapped with the next one."""

    @property
    def note(self) -> str:
        """One sentence for people."""
        if self.kind is not NearKind.TYPO:
            return NOTES[self.kind]
        return "It differs by one typing error." if self.errors == 1 else f"It differs by {self.errors} typing errors."


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text with some differences overlooked, and the way back to the original."""

    text: str
    offsets: tuple[int, ...] | None
    """For each character, and for the end, its offset in the original; None if nothing moved."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span in the original; a character that became several is taken whole."""
        if self.offsets is None:
            return start, end
        last = end
        while last < len(self.offsets) - 1 and self.offsets[last] == self.offsets[end - 1]:
            last += 1
        return self.offsets[start], self.offsets[last]


_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘‛ʼʹ′`´＇", "'") | dict.fromkeys("“”„‟«»″＂", '"'))
_DASHES: Final = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-"))
_YO: Final = str.maketrans("ёЁ", "еЕ")
_CLUSTER: Final = re.compile(
    "[^\u0300-\u036f\u1160-\u11ff\u3099\u309a][\u0300-\u036f\u1160-\u11ff\u3099\u309a]+", re.DOTALL
)
_WHITE_SPACE_RUN: Final = re.compile(f"[{WHITE_SPACE}]+")
_LETTER: Final = r"[^\s\x00-,./:-@\[-^`{-\xbf\u2000-\u206f\u3000-\u303f\uff01-\uff0f-]"
_WORD: Final = re.compile(f"{_LETTER}+(?:['’ʼ\u2010\u2011-]{_LETTER}+)*")
_IDEOGRAPHIC: Final = re.compile("[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_DIGITS: Final = re.compile(r"\d")


def near_misses(
    text: str, key: str, *, case_sensitive: bool = False, whole_words: bool = True, limit: int = MOST_MISSES
) -> tuple[NearMiss, ...]:
    """Places in the text where a plain key almost matches, the likeliest reason first; real matches are no misses.

    Args:
        text: the text that was searched, as it is.
        key: the trimmed key, lower-cased or not.
        case_sensitive: whether the key was compared with its case.
        whole_words: whether the key was compared as a whole word.
        limit: how many misses at most.
    """
    if not key or not text:
        return ()
    base = _Folded(text, None) if case_sensitive else _replaced(text, re.compile("İ"), lower, lower)
    wanted = key if case_sensitive else lower(key)
    taken = {base.original(*span) for span in find_plain(base.text, wanted, whole_words=whole_words)}
    found: list[NearMiss] = []
    for kind, span in _single_faults(base, wanted, case_sensitive=case_sensitive, whole_words=whole_words):
        place = base.original(*span)
        if place not in taken:
            taken.add(place)
            found.append(NearMiss(kind, *place, text[place[0] : place[1]]))
            if len(found) == limit:
                return tuple(found)
    for errors, span in _typing_errors(base.text, wanted):
        place = base.original(*span)
        if not any(start < place[1] and place[0] < end for start, end in taken):
            found.append(NearMiss(NearKind.TYPO, *place, text[place[0] : place[1]], errors))
    return tuple(found[:limit])


def _single_faults(
    base: _Folded, key: str, *, case_sensitive: bool, whole_words: bool
) -> Iterator[tuple[NearKind, tuple[int, int]]]:
    """Spans in the base text where the key matches once one difference is overlooked."""
    text = base.text
    if case_sensitive:
        folded = _replaced(text, re.compile("İ"), lower, lower)
        yield from _spans(NearKind.CASE, folded, lower(key), whole_words=whole_words)
    if whole_words and is_whole_word_key(key):
        yield from _spans(NearKind.WORD_BOUNDARY, _Folded(text, None), key, whole_words=False)
    for kind, table in ((NearKind.APOSTROPHE, _APOSTROPHES), (NearKind.DASH, _DASHES), (NearKind.YO, _YO)):
        plain = key.translate(table)
        other = text.translate(table)
        if plain != key or other != text:
            yield from _spans(kind, _Folded(other, None), plain, whole_words=whole_words)
    if not is_whole_word_key(key):
        folded = _replaced(text, _WHITE_SPACE_RUN, lambda _run: " ", str)
        yield from _spans(NearKind.SPACE, folded, _WHITE_SPACE_RUN.sub(" ", key), whole_words=whole_words)
    if not (unicodedata.is_normalized("NFC", key) and unicodedata.is_normalized("NFC", text)):
        folded = _replaced(text, _CLUSTER, _composed, str)
        yield from _spans(
            NearKind.UNICODE_FORM, folded, _CLUSTER.sub(lambda m: _composed(m[0]), key), whole_words=whole_words
        )


def _spans(
    kind: NearKind, folded: _Folded, key: str, *, whole_words: bool
) -> Iterable[tuple[NearKind, tuple[int, int]]]:
    return ((kind, folded.original(*span)) for span in find_plain(folded.text, key, whole_words=whole_words))


def _composed(cluster: str) -> str:
    return unicodedata.normalize("NFC", cluster)


def _replaced(text: str, run: re.Pattern[str], change: Callable[[str], str], rest: Callable[[str], str]) -> _Folded:
    """The text with every run changed, and the rest changed by a function that keeps its length."""
    parts: list[str] = []
    offsets: list[int] = []
    end = 0
    for match in run.finditer(text):
        changed = change(match[0])
        parts += [rest(text[end : match.start()]), changed]
        offsets += [*range(end, match.start()), *[match.start()] * len(changed)]
        end = match.end()
    if not parts:
        return _Folded(rest(text), None)
    parts.append(rest(text[end:]))
    offsets += range(end, len(text) + 1)
    return _Folded("".join(parts), tuple(offsets))


def _typing_errors(text: str, key: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """Words, or as many words as the key has, within the allowed distance of the key; nearest first."""
    wanted = _plain(key)
    if len(wanted) < SHORTEST_TYPO or _IDEOGRAPHIC.search(wanted):
        return
    from rapidfuzz import process  # noqa: PLC0415 - evidence only, not worth start-up time
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - same

    phrases = _phrases(text, wanted.count(" ") + 1)
    limit = 1 if len(wanted) < TWO_ERRORS_FROM else 2
    close = process.extract(wanted, phrases.keys(), scorer=OSA.distance, score_cutoff=limit, limit=None)
    digits = _DIGITS.findall(wanted)
    misses = (
        (int(errors), phrases[phrase])
        for phrase, errors, _ in close
        if errors and wanted not in phrase and _DIGITS.findall(phrase) == digits
    )
    yield from sorted(misses)


@lru_cache(maxsize=256)
def _phrases(text: str, length: int) -> dict[str, tuple[int, int]]:
    """Every run of so many words, made plain, with the span of its first occurrence."""
    words = [(match.start(), match.end(), _plain(match[0])) for match in _WORD.finditer(text)]
    phrases: dict[str, tuple[int, int]] = {}
    for first in range(len(words) - length + 1):
        run = words[first : first + length]
        phrases.setdefault(" ".join(word for _, _, word in run), (run[0][0], run[-1][1]))
    return phrases


def _plain(text: str) -> str:
    """The text without the differences that have kinds of their own."""
    folded = text.translate(_APOSTROPHES).translate(_DASHES).translate(_YO)
    return unicodedata.normalize("NFC", _WHITE_SPACE_RUN.sub(" ", folded))
