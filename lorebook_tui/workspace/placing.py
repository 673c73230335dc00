"""Entries put at a place: a book, a folder of it, an entry to stand before. One edit, told as one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.model.folders import folders_of
from lorebook_tui.workspace.edits import (
    Edited,
    add_entries,
    copy_entries,
    counted,
    delete_entries,
    entry_at,
    move_entries,
    opened_at,
)
from lorebook_tui.workspace.folder_edits import put_into_folder
from lorebook_tui.workspace.order_edits import at_place, place_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lorebook_tui.model.js import Json
    from lorebook_tui.model.layers import EntryRef, Layer
    from lorebook_tui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Place:
    """Where entries go."""

    layer: Layer
    book: int
    before: int | None = None
    """Place in the file of the entry to stand before; None: at the end."""
    folder: str | None = None
    """The folder, "" for outside of all; None: as the entries themselves say."""
    keeps_order: bool = False
    """Entries that are in the book already stay where they are among the others."""


def insert(workspace: Workspace, place: Place, entries: Sequence[Mapping[str, Json]], told: str = "") -> Edited:
    """New entries at a place.

    Raises:
        UsageError: there is no such book, or it cannot take entries.
    """
    made = add_entries(workspace, place.layer, place.book, entries, told=told)
    return _settled(made, place)


def move(workspace: Workspace, refs: Sequence[EntryRef], place: Place) -> Edited:
    """Entries, of however many books, at a place.

    Raises:
        UsageError: an entry or the book is not there, or it cannot take entries.
    """
    listed = tuple(dict.fromkeys(refs))
    target = opened_at(workspace, place.layer, place.book)
    sources = [opened_at(workspace, ref.layer, ref.book).source for ref in listed]
    if all((ref.layer, ref.book) == (place.layer, place.book) for ref in listed):
        where = f"to the folder {quote(place.folder)}" if place.folder else "out of its folder"
        told = f"move {_named(workspace, listed)} {where if place.keeps_order else 'in the order'}"
        made = Edited(workspace, told, listed)
        return (
            _settled(made, place)
            if place.keeps_order
            else _foldered(place_entries(workspace, listed, place.before, told), place)
        )
    if not any(source.ident == target.source.ident for source in sources):
        return _settled(move_entries(workspace, listed, place.layer, place.book), place)
    if any(
        source.ident == target.source.ident and (ref.layer, ref.book) != (place.layer, place.book)
        for source, ref in zip(sources, listed, strict=True)
    ):
        raise UsageError("The entries are in this file already; it stands in two layers.")
    return _gathered(workspace, listed, place)


def copy(workspace: Workspace, refs: Sequence[EntryRef], place: Place) -> Edited:
    """Copies of entries at a place.

    Raises:
        UsageError: an entry or the book is not there, or it cannot take entries.
    """
    return _settled(copy_entries(workspace, refs, place.layer, place.book), place)


def _gathered(workspace: Workspace, refs: Sequence[EntryRef], place: Place) -> Edited:
    """Entries some of which are in the book already: the others come to them."""
    told = f"move {_named(workspace, refs)} to {opened_at(workspace, place.layer, place.book).book.name}"
    own = [ref for ref in refs if (ref.layer, ref.book) == (place.layer, place.book)]
    others = [ref for ref in refs if ref not in own]
    copied = copy_entries(workspace, others, place.layer, place.book)
    removed = delete_entries(copied.workspace, others)
    focus = dict(zip(others, copied.focus, strict=True)) | {ref: ref for ref in own}
    placed = place_entries(removed.workspace, [focus[ref] for ref in refs], place.before, told)
    return _foldered(placed, place)


def _settled(made: Edited, place: Place) -> Edited:
    """An edit that brought entries to the end of a book, with these where they belong."""
    return _foldered(at_place(made, place.before), place)


def _foldered(made: Edited, place: Place) -> Edited:
    if place.folder is None or not made.focus:
        return made
    folders = folders_of(opened_at(made.workspace, place.layer, place.book).book)
    if all(folders[ref.entry] == place.folder for ref in made.focus):
        return made
    put = put_into_folder(made.workspace, made.focus, place.folder)
    return replace(put, told=made.told, note=made.note, focus=made.focus)


def chained(first: Edited, *steps: Callable[[Edited], Edited], told: str) -> Edited:
    """Several edits as one."""
    made, note = first, first.note
    for step in steps:
        made = step(made)
        note = note or made.note
    return Edited(made.workspace, told, made.focus, note)


def _named(workspace: Workspace, refs: Sequence[EntryRef]) -> str:
    return quote(entry_at(workspace, refs[0]).title) if len(refs) == 1 else counted(len(refs))
