"""How an older JSON value is made from a newer one that shares most of it: only what differs is held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from lorebook_tui.formats import text_delta

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.formats.text_delta import Piece
    from lorebook_tui.model.js import Json

_LONG: Final = 120
"""Texts up to this length are held as they are."""


@dataclass(frozen=True, slots=True)
class _Whole:
    """Another value."""

    value: Json


@dataclass(frozen=True, slots=True)
class _Text:
    """A long text, a little different."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class _Below:
    """The same members or items, some of them different; by their place."""

    children: Mapping[int, Delta]


@dataclass(frozen=True, slots=True)
class _Spliced:
    """Members or items added, removed or moved between two ends that are the same but for `children`."""

    head: int
    """How many at the start are those of the newer value."""
    tail: int
    """How many at the end are."""
    middle: tuple[Json, ...]
    """What stands between: items, or names and values of members."""
    children: Mapping[int, Delta]
    """Changes in head and tail, by place in the newer value."""


Delta: TypeAlias = "_Whole | _Text | _Below | _Spliced"


def delta(newer: Json, older: Json) -> Delta | None:
    """How to make `older` from `newer`; None if they are the same object."""
    if newer is older:
        return None
    if isinstance(newer, dict) and isinstance(older, dict):
        return _between(list(newer.items()), list(older.items()), list(newer) == list(older))
    if isinstance(newer, list) and isinstance(older, list):
        return _between(list(enumerate(newer)), list(enumerate(older)), len(newer) == len(older), is_list=True)
    if isinstance(newer, str) and isinstance(older, str) and len(older) > _LONG:
        pieces = text_delta.delta(newer, older)
        return _Text(pieces) if text_delta.weight(pieces) < len(older) // 2 else _Whole(older)
    return _Whole(older)


def restored(newer: Json, difference: Delta | None) -> Json:
    """The older value. Unchanged parts are those of the newer one."""
    if difference is None:
        return newer
    if isinstance(difference, _Whole):
        return difference.value
    if isinstance(difference, _Text):
        return text_delta.applied(newer, difference.pieces)
    if isinstance(newer, dict):
        items = list(newer.items())
        for place, below in difference.children.items():
            items[place] = (items[place][0], restored(items[place][1], below))
        return dict(_joined(items, difference))
    values = list(newer)
    for place, below in difference.children.items():
        values[place] = restored(values[place], below)
    return _joined(values, difference)


def _joined(items: list[Json], difference: _Below | _Spliced) -> list[Json]:
    if isinstance(difference, _Below):
        return items
    return [*items[: difference.head], *difference.middle, *items[len(items) - difference.tail :]]


_Pairs: TypeAlias = "list[tuple[str | int, Json]]"


def _between(newer: _Pairs, older: _Pairs, is_aligned: bool, *, is_list: bool = False) -> Delta:
    """The difference of two containers."""
    if is_aligned:
        return _Below(
            {
                place: below
                for place, ((_, new), (_, old)) in enumerate(zip(newer, older, strict=True))
                if new is not old and (below := delta(new, old)) is not None
            }
        )
    shorter = min(len(newer), len(older))
    head = 0
    while head < shorter and _meets(newer[head], older[head], is_list=is_list):
        head += 1
    tail = 0
    while tail < shorter - head and _meets(newer[-1 - tail], older[-1 - tail], is_list=is_list):
        tail += 1
    middle = older[head : len(older) - tail]
    children: dict[int, Delta] = {}
    for place in [*range(head), *range(len(newer) - tail, len(newer))]:
        old = older[place if place < head else place - len(newer) + len(older)][1]
        below = delta(newer[place][1], old)
        if below is not None:
            children[place] = below
    return _Spliced(head, tail, tuple(item for _, item in middle) if is_list else tuple(middle), children)


def _meets(newer: tuple[str | int, Json], older: tuple[str | int, Json], *, is_list: bool) -> bool:
    """Whether two members have one name, or two items are one object."""
    return newer[1] is older[1] if is_list else newer[0] == older[0]
