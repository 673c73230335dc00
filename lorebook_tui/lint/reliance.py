"""Entries that can only come in through others, and the disabled entries that would have brought them in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lorebook_tui.lint.recursion_graph import RecursionGraph
    from lorebook_tui.lint.subjects import BookView, World

_MOST_OTHERS: Final = 20_000
"""Entries of other open books that are searched for somebody who wakes one of a book."""


def forsaken(graph: RecursionGraph) -> frozenset[int]:
    """Entries that wait for the text of another entry, while no enabled entry of the book says their keys."""
    return frozenset(
        number
        for number in range(graph.size)
        if not graph.into[number]
        and graph.listens(number)
        and (graph.is_delayed(number) or number not in graph.roots)
        and (compiled := graph.compiled[number]) is not None
        and compiled.keys
    )


def lost_wakers(book: BookView, graph: RecursionGraph) -> dict[int, list[int]]:
    """For each forsaken entry the disabled entries whose texts hold its keys; only those that have some."""
    waiting = forsaken(graph)
    found: dict[int, list[int]] = {}
    if waiting:
        for view in book.entries:
            if not view.is_enabled and not view.is_on("preventRecursion"):
                for target in graph.woken_by(view.text, view.number):
                    if target in waiting:
                        found.setdefault(target, []).append(view.number)
    return found


def woken_from_outside(book: BookView, graph: RecursionGraph, world: World) -> frozenset[int]:
    """Entries that the texts of other open books wake."""
    others = [each for each in world.books if each is not book and each.book is not book.book]
    if not others or sum(len(each.book.entries) for each in others) > _MOST_OTHERS:
        return frozenset()
    return frozenset(
        target
        for other in others
        for view in other.entries
        if view.is_enabled and not view.is_on("preventRecursion")
        for target in graph.woken_by(view.text)
    )
