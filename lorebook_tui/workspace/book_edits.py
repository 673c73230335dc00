"""Edits of whole books: their names, their places in and between layers. Files move when they are saved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.formats.book_edits import with_member
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace.edits import Edited, attach, opened_at, with_files
from lorebook_tui.workspace.file_names import safe_name
from lorebook_tui.workspace.files import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from lorebook_tui.workspace.workspace import OpenedBook, Workspace

NAMED_INSIDE: Final = frozenset({"card"})
"""Formats whose book carries its name in the file; the others are called by the name of the file."""


def is_named_by_file(source: Source) -> bool:
    """Whether renaming the book means renaming its file."""
    return source.loaded.format.name not in NAMED_INSIDE


def rename_book(workspace: Workspace, layer: Layer, book: int, name: str) -> Edited:
    """A book under another name: inside a card its own, else the name of its file, which moves when it is saved.

    Raises:
        UsageError: no name, a name no file may have, one that another open file has, or a book without a place for it.
    """
    opened = opened_at(workspace, layer, book)
    told = f"rename {quote(opened.book.name)} to {quote(name.strip())}"
    if not name.strip():
        raise UsageError("A book needs a name.", expected="a name", found=name)
    if name.strip() == opened.book.name:
        return Edited(workspace, told)
    source = opened.source
    if not is_named_by_file(source):
        made = with_member(source.loaded, opened.book, "name", name.strip())
        return Edited(with_files(workspace, {source.ident: made}), told)
    path = source.path.with_name(safe_name(name.strip()) + source.path.suffix)
    if any(other.ident != source.ident and other.path == path for other in workspace.sources):
        raise UsageError(f"Another open file is called {quote(path.name)} already.", where=str(path))
    renamed = source.loaded.renamed(path.name)
    moved = with_path(workspace, source, path)
    note = f"{source.name} becomes {path.name} when it is saved. Links to it in cards and chats are not followed."
    return Edited(with_files(moved, {source.ident: renamed}), told, (), note)


def new_path(workspace: Workspace, folder: Path, name: str) -> Path:
    """The file of a new book.

    Raises:
        UsageError: a name that no file may have, or that a file has already.
    """
    stem = name.strip()
    if not stem.removesuffix(".json"):
        raise UsageError("A book needs a name.", expected="a name", found=name)
    path = folder / safe_name(stem if stem.lower().endswith(".json") else f"{stem}.json")
    if path.exists() or any(source.path == path for source in workspace.sources):
        raise UsageError(f"There is a file {path.name} already.", where=str(path), hint="Choose another name.")
    return path


def new_book(workspace: Workspace, layer: Layer, format_name: str, folder: Path, name: str) -> Edited:
    """An empty book in a layer, in memory until it is saved.

    Raises:
        UsageError: a name that no file may have, or that a file has already.
    """
    from lorebook_tui.formats.new_book import new_book as empty_book  # noqa: PLC0415 - only where one is made

    path = new_path(workspace, folder, name)
    loaded = empty_book(format_name, path.name)
    told = f"add the book {quote(path.stem)} to the layer {layer.value}"
    return attach(workspace, Source(path, loaded), layer, told)


def with_path(workspace: Workspace, source: Source, path: Path) -> Workspace:
    """The workspace with a file at another path; nothing on the disk changes."""

    def moved(each: Source) -> Source:
        return replace(each, path=path) if each.ident == source.ident else each

    card, chat = (moved(each) if each else None for each in (workspace.card, workspace.chat))
    sources = tuple(map(moved, workspace.sources))
    books = tuple(replace(opened, source=moved(opened.source)) for opened in workspace.books)
    return replace(workspace, sources=sources, books=books, card=card, chat=chat)


def move_book(workspace: Workspace, layer: Layer, book: int, target: Layer, before: int | None = None) -> Edited:
    """A book in another layer, or at another place in its own. Its file stays where it is.

    Args:
        workspace: has the book.
        layer: of the book.
        book: its place there.
        target: the layer it goes to.
        before: place, in that layer as it is, of the book that it shall stand before; None: at the end.

    Raises:
        UsageError: there is no such book, or the layer has its file already.
    """
    moved = opened_at(workspace, layer, book)
    if target is not layer:
        _refuse_twice(workspace, target, moved.source)
    listed = {each: list(workspace.of(each)) for each in Layer}
    following = listed[target][before] if before is not None and before < len(listed[target]) else None
    if following is moved:
        return Edited(workspace, "")
    listed[layer].remove(moved)
    there = listed[target]
    place = there.index(following) if following is not None else len(there)
    there.insert(place, replace(moved, layer=target))
    made = replace(workspace, books=_all(listed.values()))
    where = f"to the layer {target.value}" if target is not layer else f"to place {place + 1} of its layer"
    told = f"move the book {quote(moved.book.name)} {where}"
    return Edited(made, told, (EntryRef(target, place, 0),) if moved.book.entries else ())


def copy_book(workspace: Workspace, layer: Layer, book: int, target: Layer) -> Edited:
    """The same file in one more layer: an edit of it shows in both.

    Raises:
        UsageError: there is no such book, or the layer has its file already.
    """
    opened = opened_at(workspace, layer, book)
    _refuse_twice(workspace, target, opened.source)
    listed = {each: list(workspace.of(each)) for each in Layer}
    listed[target].append(replace(opened, layer=target))
    made = replace(workspace, books=_all(listed.values()))
    return Edited(made, f"attach the book {quote(opened.book.name)} to the layer {target.value} too")


def _refuse_twice(workspace: Workspace, target: Layer, source: Source) -> None:
    if any(opened.source.ident == source.ident for opened in workspace.of(target)):
        raise UsageError(f"{source.name} is in the layer {target.value} already.")


def _all(layers: Iterable[Sequence[OpenedBook]]) -> tuple[OpenedBook, ...]:
    return tuple(opened for listed in layers for opened in listed)
