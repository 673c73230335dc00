"""Keys that so many texts hold and so many entries have that not every pair can be told.

Of each text about twice the square root of the entries are told, chosen so that whatever one of them brings in by any
number of steps, it brings in by three at most.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Item = TypeVar("Item")

MOST_PAIRS: Final = 65_536
"""Pairs of a text and an entry that one key may make before they are thinned out."""


class WideKey(NamedTuple):
    """One key, by the entries that have it."""

    ring: tuple[int, ...]
    """Those whose texts hold it too: each leads to all others."""
    silent: tuple[int, ...]
    """The others: each is woken by one of the ring, which all texts lead to; without a ring by one text."""
    speakers: dict[int, int]
    """Entries whose texts hold it, by their places: those in the ring first."""

    def woken_by(self, number: int) -> Iterator[int]:
        """The entries that a text is said to wake; its own may be among them."""
        place = self.speakers[number]
        if self.ring:
            yield from _spread(self.ring, place % len(self.ring))
        callers = len(self.ring) or len(self.speakers)
        if place < callers:
            yield from self.silent[place::callers]


def wide_key(having: Sequence[int], holding: Sequence[int]) -> WideKey | None:
    """A key if it makes too many pairs, else None.

    Args:
        having: entries with the key, in order.
        holding: entries whose texts hold it, in order.
    """
    if len(having) * len(holding) <= MOST_PAIRS:
        return None
    inside, listening = set(holding), set(having)
    ring = tuple(number for number in having if number in inside)
    silent = tuple(number for number in having if number not in inside)
    speakers = (*ring, *(number for number in holding if number not in listening))
    return WideKey(ring, silent, {number: place for place, number in enumerate(speakers)})


def _spread(ring: Sequence[Item], start: int) -> Iterator[Item]:
    """The next few of a ring, and from there on every so many-th: two such steps lead anywhere."""
    size = len(ring)
    stride = isqrt(size) + 1
    for distance in (*range(min(stride, size)), *range(stride, size, stride)):
        yield ring[(start + distance) % size]
