"""What files held before they were last written, from their backups: for rules that look for losses."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats import detect
from lorebook_tui.workspace.backups import BackupPolicy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.lint.subjects import FileView
    from lorebook_tui.model.book import Book

_KEPT: Final = 8


def earlier_versions(files: Iterable[FileView]) -> dict[str, tuple[Book, ...]]:
    """The books of the newest backup of each file, by the file's name; files without one are left out."""
    policy = BackupPolicy()
    found = {}
    for file in files:
        path = Path(file.name)
        try:
            copies = policy.of(path)
            books = _books(copies[0].path, path.name) if copies else ()
        except (LorebookError, OSError):
            continue
        if books:
            found[file.name] = books
    return found


@lru_cache(_KEPT)
def _books(copy: Path, name: str) -> tuple[Book, ...]:
    """The books in a backup, which is never written again."""
    return detect.load(copy.read_bytes(), name).books
