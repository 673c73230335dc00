"""Files that books come from and go to: what may be written where, and which open file is which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LorebookError, UnsupportedError, UsageError
from lorebook_tui.formats.losses import Converted
from lorebook_tui.workspace import store
from lorebook_tui.workspace.file_names import suggested_name
from lorebook_tui.workspace.files import Opener, Source

if TYPE_CHECKING:
    from pathlib import Path

    from lorebook_tui.workspace.workspace import Workspace

__all__ = [
    "SHAPES",
    "Converted",
    "free_name",
    "imported",
    "is_same_file",
    "known_source",
    "new_source",
    "opened_or_imported",
    "write_export",
]

SHAPES: Final = (
    ("sillytavern", "SillyTavern world", "to import in SillyTavern, World Info"),
    ("v2_book", "V2 book", "for Chub, RisuAI, Agnai and other programs"),
    ("lorebook_v3", "V3 lorebook", "a file of its own in the card specification V3"),
)
"""(name of the format, what it is called, what for): of `shapes.SHAPES`, for choosing an export or a new book."""
_MOST_NUMBERED = 1000


def write_export(workspace: Workspace, converted: Converted, path: Path, *, force: bool = False) -> Path:
    """Write an exported book.

    Args:
        workspace: whose files must not be written over.
        converted: the book.
        path: where; without an extension it gets `.json`.
        force: another file there gives way; a backup of it is kept.

    Raises:
        FileThereError: there is a file already.
        UsageError: it is one that is open.
        NotWrittenError: it cannot be written.
    """
    from lorebook_tui.formats import detect  # noqa: PLC0415 - only where something is exported

    target = path if path.suffix else path.with_suffix(".json")
    if any(is_same_file(source, target) for source in workspace.sources):
        raise UsageError(f"{target.name} is open here.", where=str(target), hint="Choose another name.")
    loaded = converted.loaded
    expected = None if force else store.MISSING_FILE
    store.write(target, detect.dump(loaded), expected, store.check_for(loaded), store.BackupPolicy())
    return target


def opened_or_imported(path: Path) -> Source | Converted:
    """A file with a book, or another product's lorebook made into a world. For a thread: it reads.

    Raises:
        LorebookError: it is neither.
    """
    try:
        source = Opener().open(path)
    except UnsupportedError as error:
        try:
            return imported(path)
        except LorebookError:
            raise error from None
    source.loaded.require_book()
    return source


def imported(path: Path) -> Converted:
    """Another product's lorebook as a world.

    Raises:
        LorebookError: it is none, or broken.
    """
    from lorebook_tui.workspace.shapes import import_file  # noqa: PLC0415 - only for other products' files

    found = import_file(path)
    return Converted(found.source.loaded, found.losses)


def new_source(converted: Converted, folder: Path) -> Source:
    """A converted book as a file that is not written yet, under a name that no file of the folder has."""
    name = free_name(folder, converted.loaded.name)
    return Source(folder / name, converted.loaded.renamed(name))


def free_name(folder: Path, wanted: str) -> str:
    """The wanted file name, or the next one with a number that no file of the folder has."""
    path = folder / suggested_name(wanted or "lorebook.json")
    names = (path.with_stem(f"{path.stem}-{number}") for number in range(2, _MOST_NUMBERED))
    return next((each.name for each in (path, *names) if not each.exists()), path.name)


def known_source(workspace: Workspace, source: Source) -> Source:
    """The file as it is open already, with what was changed in it; else as it was just read."""
    return next((each for each in workspace.sources if is_same_file(each, source.path)), source)


def is_same_file(source: Source, path: Path) -> bool:
    """Whether an open file is the one at a path."""
    try:
        return source.path.resolve() == path.resolve()
    except OSError:
        return source.path == path
