"""Shapes of books for screens and commands: new ones, books written in another shape, other products' lorebooks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats import convert as conversion
from lorebook_tui.formats.convert import convert
from lorebook_tui.formats.detect import dump
from lorebook_tui.formats.entry_edits import with_fields, without_entries
from lorebook_tui.formats.losses import Converted, Fate, Loss, summary
from lorebook_tui.formats.new_book import FORMATS, new_book
from lorebook_tui.formats.product_import import imported
from lorebook_tui.model.folder_edits import entry_extensions
from lorebook_tui.model.folders import folder_of, folders_of, separators_of
from lorebook_tui.workspace.edits import entry_at, opened_at
from lorebook_tui.workspace.files import Source, located, read_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lorebook_tui.model.layers import EntryRef, Layer
    from lorebook_tui.workspace.workspace import Workspace

__all__ = [
    "SHAPES",
    "Converted",
    "Fate",
    "Imported",
    "Loss",
    "bytes_of",
    "embedded",
    "exported",
    "import_file",
    "new_book",
    "summary",
]

SHAPES: Final = {name: form.title for name, form in FORMATS.items()}
"""Formats that a book can be made or written in, and what people call them; the usual one first."""


@dataclass(frozen=True, slots=True)
class Imported:
    """Another product's lorebook as a world that is not saved yet."""

    source: Source
    """Its path is that of a file beside the other one, which does not exist yet."""
    losses: tuple[Loss, ...]


def exported(workspace: Workspace, layer: Layer, book: int, to: str, refs: Sequence[EntryRef] = ()) -> Converted:
    """A book, or some of its entries, in another shape; entries keep the folder that separators give them.

    Args:
        workspace: has the book.
        layer: of the book.
        book: its place in the layer.
        to: one of `SHAPES`.
        refs: only these entries; none: all.

    Raises:
        UsageError: no such book or entry.
        UnsupportedError: no such shape.
    """
    opened = opened_at(workspace, layer, book)
    if not refs:
        return convert(opened.source.loaded, to, position=opened.position)
    chosen = {id(entry_at(workspace, ref)) for ref in refs}
    entries = opened.book.entries
    separators, paths = separators_of(opened.book), folders_of(opened.book)
    changes = [
        (entry, "extensions", entry_extensions(entry.get("extensions"), paths[place]))
        for place, entry in enumerate(entries)
        if id(entry) in chosen and place not in separators and paths[place] and folder_of(entry) is None
    ]
    left = [place for place, entry in enumerate(entries) if id(entry) not in chosen]
    loaded = with_fields(opened.source.loaded, changes) if changes else opened.source.loaded
    now = loaded.books[opened.position].entries
    return convert(without_entries(loaded, [now[place] for place in left]), to, position=opened.position)


def embedded(workspace: Workspace, layer: Layer, book: int, card: Source) -> Converted:
    """A card's file with a book of the workspace inside it.

    Raises:
        UsageError: no such book.
        UnsupportedError: the file is no card that can hold one.
    """
    opened = opened_at(workspace, layer, book)
    return conversion.embedded(card.loaded, opened.source.loaded, opened.position)


def bytes_of(converted: Converted) -> bytes:
    """What is to be written into the new file."""
    return dump(converted.loaded)


def import_file(path: Path) -> Imported:
    """Another product's lorebook (NovelAI, Agnai, RisuAI, KoboldAI) as a new world.

    Raises:
        UnreadableError: the file cannot be read, is broken, or holds no entry.
        UnsupportedError: it is no such lorebook.
    """
    data = read_bytes(path)
    try:
        made = imported(data, path.name)
    except LorebookError as error:
        raise located(error, str(path)) from error
    beside = path.with_name(made.loaded.name)
    number = 2
    while beside.exists():
        beside = path.with_name(f"{path.stem} ({number}).json")
        number += 1
    return Imported(Source(beside, made.loaded), made.losses)
