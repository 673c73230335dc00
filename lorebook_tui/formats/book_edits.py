"""Edits of a book itself, beside its entries: its name, its extension data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.formats.json_edit import has_step
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.js import Json, JsonPath

_ROOTS: Final[tuple[JsonPath, ...]] = (
    ("data", "character_book"),
    ("data", "extensions", "character_book"),
    ("character_book",),
    ("data",),
    (),
)


def root_of(loaded: Loaded, book: Book) -> JsonPath:
    """Where the object of a book stands in its file.

    Raises:
        UsageError: the file is only a list of entries.
    """
    if book.entries:
        path = book.entries[0].path[:-1]
        if path:
            return path[:-1]
    else:
        for root in _ROOTS:
            if loaded.document.has((*root, "entries")):
                return root
    raise UsageError(
        "The file is only a list of entries; there is no place for anything about the book itself.",
        expected="an object with `entries`",
        found="an array",
        hint="Export it as a SillyTavern world first.",
    )


def member_of(loaded: Loaded, book: Book, name: str) -> Json:
    """A member of the book's object as it stands; `MISSING` if there is none, or no place for any."""
    if book.entries and not book.entries[0].path[:-1]:
        return MISSING
    root = loaded.document.at(root_of(loaded, book))
    return root[name] if has_step(root, name) else MISSING


def with_member(loaded: Loaded, book: Book, name: str, value: Json) -> Loaded:
    """The file with another member of the book's object; `MISSING` removes it.

    Raises:
        UsageError: the file is only a list of entries, or the value cannot be written as JSON.
    """
    path = (*root_of(loaded, book), name)
    if value is MISSING and not loaded.document.has(path):
        return loaded
    return loaded.edited(loaded.document.changed([(path, value)]))
