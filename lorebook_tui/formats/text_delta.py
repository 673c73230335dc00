"""How one long text is made from another that is nearly the same: stretches to copy, and what is new between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Piece: TypeAlias = tuple[int, int] | str
"""First and one-past-last place of a stretch of the base; or new text."""

_BLOCK: Final = 1 << 16
_SMALL: Final = 1 << 15
"""A middle up to this length is kept as it is, without a look for what is the same in it."""
_CHUNK: Final = re.compile(r"[^}]*\}|[^}]+")


def delta(base: str, target: str) -> tuple[Piece, ...]:
    """The pieces that make `target` from `base`.

    What is equal at both ends is found by comparing blocks of memory. In what is between, the objects of a JSON text
    (what ends with a brace) that are in both are copied, wherever they stand.
    """
    head = _common_head(base, target)
    tail = _common_tail(base, target, min(len(base), len(target)) - head)
    old, new = base[head : len(base) - tail], target[head : len(target) - tail]
    middle: list[Piece] = [new] if len(new) <= _SMALL or not old else _matched(old, new, head)
    return _tidy([(0, head), *middle, (len(base) - tail, len(base))])


def applied(base: str, pieces: Iterable[Piece]) -> str:
    """The target of a delta.

    Raises:
        ValueError: the base is not the one that the delta was made from, as far as its length tells.
    """
    made: list[str] = []
    for piece in pieces:
        if isinstance(piece, tuple):
            start, end = piece
            if not 0 <= start <= end <= len(base):
                raise ValueError("a stretch lies outside of the base")
            made.append(base[start:end])
        else:
            made.append(piece)
    return "".join(made)


def weight(pieces: Sequence[Piece]) -> int:
    """Characters that a delta keeps for itself."""
    return sum(0 if isinstance(piece, tuple) else len(piece) for piece in pieces)


def _common_head(left: str, right: str) -> int:
    """How many places from the start on are equal."""
    longest = min(len(left), len(right))
    place, step = 0, _BLOCK
    while step:
        while place + step <= longest and left[place : place + step] == right[place : place + step]:
            place += step
        step >>= 1
    return place


def _common_tail(left: str, right: str, most: int) -> int:
    """How many places from the end on are equal, up to a number."""
    a, b = len(left), len(right)
    count, step = 0, _BLOCK
    while step:
        while count + step <= most and left[a - count - step : a - count] == right[b - count - step : b - count]:
            count += step
        step >>= 1
    return count


def _matched(old: str, new: str, offset: int) -> list[Piece]:
    """Chunks of `new` that are in `old` as copies, the rest as it is; runs of chunks go together."""
    places: list[int] = []
    known: dict[str, int] = {}
    chunks: list[str] = _CHUNK.findall(old)
    place = 0
    for number, chunk in enumerate(chunks):
        known.setdefault(chunk, number)
        places.append(place)
        place += len(chunk)
    found: list[Piece] = []
    follows = -1
    for chunk in _CHUNK.findall(new):
        is_next = 0 <= follows < len(chunks) and chunks[follows] == chunk
        number = follows if is_next else known.get(chunk, -1)
        follows = number + 1 if number >= 0 else -1
        found.append(chunk if number < 0 else (offset + places[number], offset + places[number] + len(chunk)))
    return found


def _tidy(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Without empty pieces; neighbours joined."""
    tidy: list[Piece] = []
    for piece in pieces:
        before = tidy[-1] if tidy else None
        if isinstance(piece, tuple):
            if piece[0] == piece[1]:
                continue
            if isinstance(before, tuple) and before[1] == piece[0]:
                tidy[-1] = (before[0], piece[1])
                continue
        elif not piece:
            continue
        elif before is not None and not isinstance(before, tuple):
            tidy[-1] = before + piece
            continue
        tidy.append(piece)
    return tuple(tidy)
