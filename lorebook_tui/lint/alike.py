"""Texts that are nearly the same, found through a few of their pieces instead of by comparing all with all."""

from __future__ import annotations

from operator import xor
from typing import TYPE_CHECKING, Final
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ANCHORS: Final = ("e ", "а ", "о ", "的", "の", "n ", "a ", "。", "، ")
"""Where texts are cut into pieces of a few words: at ends of words that are frequent in some language."""
_PIECE: Final = 60
"""Characters that a piece may have on average."""
_PHRASE: Final = 14
"""Bytes up to which a piece is a word or two, which many texts have in common."""
_ENOUGH: Final = 12
"""Pieces that are enough; texts with fewer are cut into words, or into groups of letters."""
_SAMPLE: Final = 6
"""Pieces of a text that are looked up. Of two texts that share 6 of 10 pieces, one in 200 goes unseen."""
_GROUP: Final = 4
_MOST_GROUPS: Final = 400
_MOST_HEADS: Final = 12
"""Different texts with a piece in common that another is compared with; it is a common phrase then."""
_MOST_TRIED: Final = 3
"""Texts with most pieces in common that another is compared with."""
_KEPT: Final = 40_000


class Sketches:
    """Samples of texts, kept as long as there is room. The same in every process."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[int, ...]] = {}

    def of(self, text: str) -> tuple[int, ...]:
        """The sample of a text."""
        found = self._kept.get(text)
        if found is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            found = self._kept[text] = sketch(text)
        return found


def sketch(text: str) -> tuple[int, ...]:
    """The numbers of a few pieces, chosen so that texts with most pieces in common choose the same ones."""
    enough = max(_ENOUGH, len(text) // _PIECE)
    data = text.encode("utf-8", "surrogatepass")
    for anchor in _ANCHORS:
        if text.count(anchor) >= enough:
            pieces = [piece for piece in data.split(anchor.encode()) if len(piece) > _PHRASE]
            return tuple(sorted(map(crc32, pieces))[:_SAMPLE])
    words = list(map(crc32, data.split()))
    if len(words) >= _ENOUGH:
        return tuple(sorted(map(xor, words, words[1:]))[:_SAMPLE])
    groups = (data[place : place + _GROUP] for place in range(min(len(data), _MOST_GROUPS)))
    return tuple(sorted(set(map(crc32, groups)))[:_SAMPLE])


def alike(texts: Sequence[str], least: float, sketches: Sketches) -> Iterator[tuple[int, int, float]]:
    """Pairs of places whose texts are nearly the same, each later text with the first one that it is like.

    Args:
        texts: in order.
        least: percent of letters that two texts have in common.
        sketches: what is known already.
    """
    first_with: dict[int, int] = {}
    more_with: dict[int, list[int]] = {}
    same: dict[str, int] = {}
    for place, text in enumerate(texts):
        first = same.setdefault(text, place)
        if first != place:
            yield first, place, 100.0
            continue
        met: dict[int, int] = {}
        for number in sketches.of(text):
            head = first_with.setdefault(number, place)
            if head == place:
                continue
            met[head] = met.get(head, 0) + 1
            others = more_with.setdefault(number, [])
            for other in others:
                met[other] = met.get(other, 0) + 1
            if len(others) < _MOST_HEADS:
                others.append(place)
        met.pop(place, None)
        found = _best(texts, place, sorted(met, key=lambda other: -met[other])[:_MOST_TRIED], least) if met else None
        if found is not None:
            yield found


def _best(texts: Sequence[str], place: int, candidates: Sequence[int], least: float) -> tuple[int, int, float] | None:
    """The first of some texts that another is like."""
    from rapidfuzz import fuzz  # noqa: PLC0415 - only where texts are compared

    text = texts[place]
    for other in candidates:
        shorter, longer = sorted((len(text), len(texts[other])))
        if 200 * shorter >= least * (shorter + longer):
            share = fuzz.ratio(texts[other], text, score_cutoff=least)
            if share:
                return other, place, share
    return None
