"""The files that a check is about."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.workspace.files import require

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUFFIXES: Final = frozenset({".json", ".png", ".charx", ".apng"})
"""Files that are looked at in a folder; a file that is named is looked at whatever it is called."""


def collected(paths: Iterable[Path]) -> list[Path]:
    """The files that paths mean: a file itself, of a folder all lore files in it and below, each once.

    Raises:
        UnreadableError: a path leads nowhere.
        UsageError: the folders hold nothing to look at.
    """
    found: dict[Path, Path] = {}
    folders = []
    for path in paths:
        require(path)
        if not path.is_dir():
            found.setdefault(path.resolve(), path)
            continue
        folders.append(path)
        for inner in sorted(_inside(path)):
            found.setdefault(inner.resolve(), inner)
    if not found:
        raise UsageError(
            "There is nothing to check.",
            where=", ".join(str(folder) for folder in folders),
            expected="files that end with " + ", ".join(sorted(SUFFIXES)),
            hint="Name a file to have it looked at whatever it is called.",
        )
    return list(found.values())


def _inside(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (
            Path(here, name)
            for name in names
            if not name.startswith(".") and os.path.splitext(name)[1].lower() in SUFFIXES  # noqa: PTH122 - a name, not a path
        )
