"""Workspaces as they were before an edit, held as what differs from the workspace after it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from lorebook_tui.formats.slim import SlimFile, slim_file

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.book import Book
    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.workspace import OpenedBook, Workspace


@dataclass(frozen=True, slots=True)
class _SlimSource:
    """A file that is open in the newer workspace too, with other content."""

    shell: Source
    """Without content."""
    loaded: SlimFile | Loaded


@dataclass(frozen=True, slots=True)
class _SlimBook:
    """A book that its file's content gives."""

    shell: OpenedBook
    """Without book and file."""
    source: int


@dataclass(frozen=True, slots=True)
class SlimWorkspace:
    """A workspace as the way back to it from a newer one. Whole numbers are places in the newer one."""

    shell: Workspace
    """Without files and books."""
    sources: tuple[int | _SlimSource | Source, ...]
    books: tuple[int | _SlimBook | OpenedBook, ...]
    card: int | Source | None
    """A whole number: place among `sources`."""
    chat: int | Source | None

    def restored(self, newer: Workspace) -> Workspace:
        """The workspace as it was; `newer` is the one it was slimmed against, or was itself restored as that."""
        by_ident = {source.ident: source for source in newer.sources}
        sources = tuple(_restored_source(kept, newer, by_ident) for kept in self.sources)
        books = tuple(_restored_book(kept, newer, sources) for kept in self.books)
        card, chat = (sources[kept] if isinstance(kept, int) else kept for kept in (self.card, self.chat))
        return replace(self.shell, sources=sources, books=books, card=card, chat=chat)


def slim(older: Workspace, newer: Workspace) -> SlimWorkspace:
    """An older workspace against the one that an edit made of it."""
    same = {id(source): place for place, source in enumerate(newer.sources)}
    by_ident = {source.ident: source for source in newer.sources}
    sources: list[int | _SlimSource | Source] = []
    for source in older.sources:
        later = by_ident.get(source.ident)
        if id(source) in same:
            sources.append(same[id(source)])
        elif later is None:
            sources.append(source)
        else:
            shell = replace(source, loaded=cast("Loaded", None))
            sources.append(_SlimSource(shell, slim_file(source.loaded, later.loaded)))
    places = {id(source): place for place, source in enumerate(older.sources)}
    same_books = {id(opened): place for place, opened in enumerate(newer.books)}
    books = tuple(
        same_books[id(opened)] if id(opened) in same_books else _slim_book(opened, places) for opened in older.books
    )
    card, chat = (places.get(id(source), source) if source is not None else None for source in (older.card, older.chat))
    return SlimWorkspace(replace(older, sources=(), books=(), card=None, chat=None), tuple(sources), books, card, chat)


def _slim_book(opened: OpenedBook, places: dict[int, int]) -> _SlimBook | OpenedBook:
    place = places.get(id(opened.source))
    books = opened.source.loaded.books
    if place is None or opened.position >= len(books) or books[opened.position] is not opened.book:
        return opened
    return _SlimBook(replace(opened, book=cast("Book", None), source=cast("Source", None)), place)


def _restored_source(kept: int | _SlimSource | Source, newer: Workspace, by_ident: dict[int, Source]) -> Source:
    if isinstance(kept, int):
        return newer.sources[kept]
    if not isinstance(kept, _SlimSource):
        return kept
    loaded = kept.loaded
    if isinstance(loaded, SlimFile):
        loaded = loaded.restored(by_ident[kept.shell.ident].loaded)
    return replace(kept.shell, loaded=loaded)


def _restored_book(kept: int | _SlimBook | OpenedBook, newer: Workspace, sources: tuple[Source, ...]) -> OpenedBook:
    if isinstance(kept, int):
        return newer.books[kept]
    if not isinstance(kept, _SlimBook):
        return kept
    source = sources[kept.source]
    return replace(kept.shell, source=source, book=source.loaded.books[kept.shell.position])
