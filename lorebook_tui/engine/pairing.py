"""Which entry of one set of books is which of another: by book and uid, whatever the books are called now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lorebook_tui.engine.assemble import Simulation
    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import Layer, Layers
    from lorebook_tui.model.scenario import Scenario

    BookName = tuple[Layer, str]

_ONE_IN: Final = 3
"""One entry in so many has to have something in common, for two books to be versions of one."""


@dataclass(frozen=True)
class Pairing:
    """Pairs of load indices, left and right; who has no partner is in neither map."""

    pairs: tuple[tuple[int, int], ...]
    books: tuple[tuple[BookName, BookName], ...]
    """Books that count as the same."""

    @cached_property
    def to_right(self) -> dict[int, int]:
        """Load index on the right by that on the left."""
        return dict(self.pairs)

    @cached_property
    def to_left(self) -> dict[int, int]:
        """Load index on the left by that on the right."""
        return {right: left for left, right in self.pairs}

    def flipped(self) -> Pairing:
        """The same seen from the other side."""
        return Pairing(
            tuple(sorted((right, left) for left, right in self.pairs)),
            tuple((right, left) for left, right in self.books),
        )


def pair_up(left: Plan, right: Plan, books: Iterable[tuple[BookName, BookName]]) -> Pairing:
    """Pair the entries of paired books by uid.

    Where several entries of a book have one uid, those under the same property name of the file belong together, then
    those of the same rank in load order.
    """
    listed = tuple(books)
    ours, theirs = _by_book(left), _by_book(right)
    found: list[tuple[int, int]] = []
    for mine, other in listed:
        for uid, entries in ours.get(mine, {}).items():
            found += _matched(entries, theirs.get(other, {}).get(uid, []))
    return Pairing(tuple(sorted(found)), listed)


def _by_book(plan: Plan) -> dict[BookName, dict[str, list[CompiledEntry]]]:
    found: dict[BookName, dict[str, list[CompiledEntry]]] = {}
    for entry in plan.entries:
        found.setdefault((entry.layer, entry.book), {}).setdefault(entry.entry.uid_text, []).append(entry)
    return found


def _matched(ours: Sequence[CompiledEntry], theirs: Sequence[CompiledEntry]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    free = list(theirs)
    rest = []
    for entry in ours:
        partner = next((other for other in free if other.entry.key == entry.entry.key), None)
        if partner is None:
            rest.append(entry)
        else:
            free.remove(partner)
            found.append((entry.index, partner.index))
    return found + [(entry.index, other.index) for entry, other in zip(rest, free, strict=False)]


def pair_books(
    left: Layers, right: Layers, named: Mapping[str, str] | None = None
) -> tuple[tuple[BookName, BookName], ...]:
    """Which book is which.

    By what the user says; then the same name in the same layer, the same name anywhere, and among those left over, rank
    by rank, what looks like the same book under another name in its layer, or in another one.

    Args:
        left: the books of one side.
        right: those of the other.
        named: names of books on the left and what they are called on the right.
    """
    given = dict(named or {})
    ours, theirs = _books(left), _books(right)
    found: list[tuple[BookName, BookName]] = []

    def take(is_same: Callable[[BookName, BookName], bool]) -> None:
        for mine in list(ours):
            partner = next((other for other in theirs if is_same(mine, other)), None)
            if partner is not None:
                found.append((mine, partner))
                alike.pop(mine, None)
                del ours[mine], theirs[partner]

    alike = {mine: {other for other in theirs if _resemble(ours[mine], theirs[other])} for mine in ours}
    take(lambda mine, other: mine[0] is other[0] and given.get(mine[1]) == other[1])
    take(lambda mine, other: given.get(mine[1]) == other[1])
    take(lambda mine, other: mine == other)
    take(lambda mine, other: mine[1] == other[1])
    take(lambda mine, other: mine[0] is other[0] and other in alike[mine])
    take(lambda mine, other: other in alike[mine])
    return tuple(found)


def _resemble(left: Book, right: Book) -> bool:
    """Whether two books could be versions of one: of the entries with one uid, every third has something in common."""
    others: dict[str, list[Entry]] = {}
    for entry in right.entries:
        others.setdefault(entry.uid_text, []).append(entry)
    shared = [(entry, others[entry.uid_text]) for entry in left.entries if entry.uid_text in others]
    akin = sum(any(_akin(entry, other) for other in same) for entry, same in shared)
    return bool(akin) and akin * _ONE_IN >= len(shared)


def _akin(left: Entry, right: Entry) -> bool:
    """Whether two entries have anything of their own in common."""
    if left.content.strip() and left.content == right.content:
        return True
    return left.title == right.title or not set(left.keys).isdisjoint(right.keys)


def pairing_of(left: Simulation, right: Simulation, named: Mapping[str, str] | None = None) -> Pairing:
    """The pairs of two simulations, with books and settings as they begin.

    Args:
        left: one side.
        right: the other.
        named: names of books on the left and what they are called on the right.
    """
    books = pair_books(_used(left.scenario), _used(right.scenario), named)
    return pair_up(left.plan(), right.plan(), books)


def _used(scenario: Scenario) -> Layers:
    """The books as a scan reads them: a speaker with books of its own brings these."""
    speaker = scenario.cast.speaker
    return replace(scenario.layers, character=speaker.books) if speaker and speaker.books else scenario.layers


def _books(layers: Layers) -> dict[BookName, Book]:
    return {(layer, book.name): book for layer, book in layers}
