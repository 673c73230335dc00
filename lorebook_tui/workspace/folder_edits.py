"""Edits of folders in an open book: what `model.folder_edits` works out, written into the file and told as one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.errors import UsageError
from lorebook_tui.formats.book_edits import member_of, with_member
from lorebook_tui.formats.entry_edits import with_fields, without_entries
from lorebook_tui.model import folder_edits
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import EntryRef
from lorebook_tui.workspace.edits import Edited, opened_at, with_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.model.folder_edits import FolderEdit
    from lorebook_tui.model.layers import Layer
    from lorebook_tui.workspace.workspace import Workspace


def put_into_folder(workspace: Workspace, refs: Sequence[EntryRef], folder: str) -> Edited:
    """Entries of one book put into a folder of it; "" takes them out of all.

    Raises:
        UsageError: no entry, entries of several books, one that is not there, or one without a place for a folder.
    """
    first = next(iter(refs), None)
    if first is None or any((ref.layer, ref.book) != (first.layer, first.book) for ref in refs):
        raise UsageError("Choose entries of one book.", expected="at least one entry, all of the same book")
    places = [ref.entry for ref in refs]
    book = opened_at(workspace, first.layer, first.book).book
    return applied(workspace, first.layer, first.book, folder_edits.move_entries(book, places, folder), places)


def new_folder(workspace: Workspace, layer: Layer, book: int, path: str) -> Edited:
    """An empty folder.

    Raises:
        UsageError: no name, a name that is taken, or a file that has no place for it.
    """
    return applied(workspace, layer, book, folder_edits.create(opened_at(workspace, layer, book).book, path))


def rename_folder(workspace: Workspace, layer: Layer, book: int, path: str, name: str) -> Edited:
    """A folder under another name; separators that head it are retitled.

    Raises:
        UsageError: no such folder, or no name.
    """
    return applied(workspace, layer, book, folder_edits.rename(opened_at(workspace, layer, book).book, path, name))


def move_folder(workspace: Workspace, layer: Layer, book: int, path: str, parent: str) -> Edited:
    """A folder inside another one, "" for the top.

    Raises:
        UsageError: no such folder, or it would be inside itself.
    """
    edit = folder_edits.move_folder(opened_at(workspace, layer, book).book, path, parent)
    return applied(workspace, layer, book, edit)


def delete_folder(workspace: Workspace, layer: Layer, book: int, path: str) -> Edited:
    """The book without a folder; its entries stay, in the folder around it.

    Raises:
        UsageError: no such folder.
    """
    return applied(workspace, layer, book, folder_edits.delete(opened_at(workspace, layer, book).book, path))


def applied(
    workspace: Workspace, layer: Layer, book: int, edit: FolderEdit, places: Sequence[int] | None = None
) -> Edited:
    """The workspace after an edit of folders.

    Args:
        workspace: has the book.
        layer: of the book.
        book: its place in the layer.
        edit: what changes.
        places: entries to choose afterwards; None: those that changed.

    Raises:
        UsageError: the file has no place for a list of folders.
    """
    opened = opened_at(workspace, layer, book)
    loaded, position = opened.source.loaded, opened.position
    before = loaded.books[position].entries
    if edit.fields:
        loaded = with_fields(loaded, [(before[place], name, value) for place, name, value in edit.fields])
    if edit.removed:
        entries = loaded.books[position].entries
        loaded = without_entries(loaded, [entries[place] for place in edit.removed])
    if edit.listed is not None:
        extensions = member_of(loaded, loaded.books[position], "extensions")
        value = folder_edits.book_extensions(extensions, edit.listed)
        if value is MISSING and opened.book.format != "sillytavern":
            value = {}  # a card's book must have some
        loaded = with_member(loaded, loaded.books[position], "extensions", value)
    chosen = sorted({place for place, _, _ in edit.fields}) if places is None else places
    gone = sorted(edit.removed)
    focus = tuple(
        EntryRef(layer, book, place - sum(1 for each in gone if each < place)) for place in chosen if place not in gone
    )
    return Edited(with_files(workspace, {opened.source.ident: loaded}), edit.told, focus)
