"""Phase 6, order: the layers become one list, and activated entries are sorted for their places."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cmp_to_key
from typing import TYPE_CHECKING, TypeVar

from lorebook_tui.model.js import MISSING, to_number
from lorebook_tui.model.layers import Layer
from lorebook_tui.model.settings import STRATEGY_CHARACTER_FIRST, STRATEGY_GLOBAL_FIRST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import Layers

T = TypeVar("T")
Loaded = tuple[Layer, str, "Entry"]


@dataclass(frozen=True, slots=True)
class SkippedBook:
    """A book that another layer holds already, so that it is used once."""

    layer: Layer
    name: str
    held_by: Layer


def sort_descending(items: Iterable[T], order: Callable[[T], float]) -> list[T]:
    """Stable sort by order, highest first; a missing order compares as equal, as a NaN does in JavaScript's sort."""
    return sorted_as_numbers(items, lambda item: -order(item))


def sorted_as_numbers(items: Iterable[T], number: Callable[[T], float]) -> list[T]:
    """Stable sort, lowest first; what is no number compares as equal to everything."""
    listed = list(items)
    if any(math.isnan(number(item)) for item in listed):

        def compare(left: T, right: T) -> int:
            difference = number(left) - number(right)
            return 0 if math.isnan(difference) else (difference > 0) - (difference < 0)

        return sorted(listed, key=cmp_to_key(compare))
    return sorted(listed, key=number)


def _entry_order(loaded: Loaded) -> float:
    return to_number(loaded[2].get("order", MISSING))


def load_order(layers: Layers, strategy: int) -> tuple[list[Loaded], tuple[SkippedBook, ...]]:
    """All entries in the order of a scan, and the books left out because another layer has them.

    SillyTavern 1.19: chat lore, persona lore, then global and character lore by strategy; each part by order, highest
    first. A book in several layers is used once: global before chat before persona before character.
    """
    skipped: list[SkippedBook] = []
    taken: dict[str, Layer] = {book.name: Layer.GLOBAL for book in layers.global_}
    parts: dict[Layer, list[Loaded]] = {Layer.GLOBAL: _load(Layer.GLOBAL, layers.global_)}
    for layer in (Layer.CHAT, Layer.PERSONA, Layer.CHARACTER):
        fresh: list[Book] = []
        seen: set[str] = set()
        for book in layers.of(layer):
            if book.name in taken:
                skipped.append(SkippedBook(layer, book.name, taken[book.name]))
            elif book.name not in seen:
                fresh.append(book)
                seen.add(book.name)
        taken.update(dict.fromkeys(seen, layer))
        parts[layer] = _load(layer, fresh)
    rest = (parts[Layer.GLOBAL], parts[Layer.CHARACTER])
    if strategy == STRATEGY_CHARACTER_FIRST:
        tail = [*_descending(rest[1]), *_descending(rest[0])]
    elif strategy == STRATEGY_GLOBAL_FIRST:
        tail = [*_descending(rest[0]), *_descending(rest[1])]
    else:
        tail = _descending([*rest[0], *rest[1]])
    return [*_descending(parts[Layer.CHAT]), *_descending(parts[Layer.PERSONA]), *tail], tuple(skipped)


def _descending(loaded: list[Loaded]) -> list[Loaded]:
    return sort_descending(loaded, _entry_order)


def _load(layer: Layer, books: Iterable[Book]) -> list[Loaded]:
    return [(layer, book.name, entry) for book in books for entry in book.walked]
