"""Entries that can only come in through others, and the disabled entries that would have brought them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lorebook_tui.lint.recursion_graph import RecursionGraph
    from lorebook_tui.lint.subjects import BookView


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
