"""Layers that belong to somebody: a chat, a card or a persona takes its books with it when another one comes.

What a layer held is put aside by its owner, and stands there again when the owner comes back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.model.layers import Layer
from lorebook_tui.workspace.workspace import OpenedBook

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from lorebook_tui.model.cast import AuthorsNote, Persona
    from lorebook_tui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Aside:
    """What belongs to somebody who is not in force now."""

    books: tuple[tuple[int, int], ...] = ()
    """By `Source.ident` and place in the file, so that edits of the file meanwhile are not lost."""
    persona: Persona | None = None
    """The persona itself."""
    note: AuthorsNote | None = None
    """The author's note of a chat."""
    variables: Mapping[str, Any] | None = None
    """The variables of a chat."""


def aside_of(workspace: Workspace, layer: Layer) -> Aside:
    """What stands in a layer now, and what else belongs to its owner."""
    books = tuple((opened.source.ident, opened.position) for opened in workspace.of(layer))
    if layer is Layer.PERSONA:
        return Aside(books, persona=workspace.cast.persona)
    if layer is Layer.CHAT:
        return Aside(books, note=workspace.note, variables=workspace.variables)
    return Aside(books)


def swapped(
    workspace: Workspace, layer: Layer, leaving: Hashable, coming: Hashable, fresh: Sequence[OpenedBook]
) -> tuple[Workspace, Aside | None]:
    """The workspace with a layer given from one owner to another.

    Args:
        workspace: as it is.
        layer: whose owner changes.
        leaving: who owns it now.
        coming: who gets it.
        fresh: the newcomer's books if it was never here before.

    Returns:
        The workspace, and what was put aside for the newcomer; None if it was never here.
    """
    parked = {**workspace.parked, (layer, leaving): aside_of(workspace, layer)}
    kept = parked.pop((layer, coming), None)
    books = tuple(fresh) if kept is None else _found(workspace, layer, kept)
    made = replace(with_layer(workspace, layer, books), parked=parked)
    return made, kept


def with_layer(workspace: Workspace, layer: Layer, books: Sequence[OpenedBook]) -> Workspace:
    """The workspace with other books in one layer."""
    by_layer = {each: tuple(books) if each is layer else workspace.of(each) for each in Layer}
    return replace(workspace, books=tuple(opened for each in Layer for opened in by_layer[each]))


def _found(workspace: Workspace, layer: Layer, kept: Aside) -> tuple[OpenedBook, ...]:
    """The books that were put aside, as their files are now; those of files that were closed are gone."""
    by_ident = {source.ident: source for source in workspace.sources}
    return tuple(
        OpenedBook(layer, by_ident[ident].loaded.books[position], by_ident[ident], position)
        for ident, position in kept.books
        if ident in by_ident and position < len(by_ident[ident].loaded.books)
    )
