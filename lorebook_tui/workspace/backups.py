"""Copies of files from before they were overwritten. They lie in the user's state folder, never beside the file.

A folder of worlds is a list of books to SillyTavern: whatever else ends with `.json` in it would appear as one.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from lorebook_tui.workspace.file_names import suggested_name
from lorebook_tui.workspace.places import backup_folder
from lorebook_tui.workspace.store_errors import not_written

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_ORIGIN: Final = "path.txt"
_STAMP: Final = "%Y%m%d-%H%M%S-%f"
_LONGEST_STEM: Final = 60
KEPT: Final = 20


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of a file from before it was overwritten."""

    path: Path
    time: datetime
    """UTC."""
    size: int
    """Bytes."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class BackupPolicy:
    """When copies are made, and how many stay.

    A session of the screen makes one before its first write of each file; a command makes one before every write.
    """

    folder: Path = field(default_factory=backup_folder)
    keep: int = KEPT
    """Copies per file; the oldest ones go. At least 1."""
    every: bool = False
    """Before each write, not only before the first one."""
    now: Callable[[], datetime] = _now
    _done: set[Path] = field(default_factory=set)

    def before(self, path: Path, data: bytes) -> Path | None:
        """Keep what a file holds before it is overwritten.

        Args:
            path: the file, links resolved.
            data: its bytes.

        Returns:
            The copy (an older one if it holds the same bytes); None if none is due.

        Raises:
            NotWrittenError: it cannot be kept; then nothing may be overwritten either.
        """
        if not self.every and path in self._done:
            return None
        home = self.home(path)
        try:
            kept = self._kept(home, path, data)
            self._prune(home, kept)
        except OSError as error:
            raise not_written(home, error) from error
        self._done.add(path)
        return kept

    def of(self, path: Path) -> tuple[Backup, ...]:
        """The copies of a file, the newest first."""
        found = [Backup(copy, _time_of(copy), copy.stat().st_size) for copy in _copies(self.home(path.resolve()))]
        return tuple(reversed(found))

    def home(self, path: Path) -> Path:
        """The folder of a file's copies."""
        digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
        return self.folder / f"{suggested_name(path.stem)[:_LONGEST_STEM].rstrip('. ')}-{digest}"

    def _kept(self, home: Path, path: Path, data: bytes) -> Path:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        copies = _copies(home)
        if copies and copies[-1].stat().st_size == len(data) and copies[-1].read_bytes() == data:
            return copies[-1]
        (home / _ORIGIN).write_bytes(os.fsencode(path) + b"\n")
        moment = self.now()
        number = 0
        while True:
            again = f"-{number:03}" if number else ""
            copy = home / f"{moment.strftime(_STAMP)}{again}{path.suffix}"
            try:
                with copy.open("xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            except FileExistsError:
                number += 1
            else:
                return copy

    def _prune(self, home: Path, kept: Path) -> None:
        for copy in _copies(home)[: -max(self.keep, 1)]:
            if copy != kept:
                copy.unlink(missing_ok=True)


def _copies(home: Path) -> list[Path]:
    """The copies in a folder, the oldest first; their names are their times."""
    if not home.is_dir():
        return []
    return sorted(path for path in home.iterdir() if path.name[:8].isdigit())


def _time_of(copy: Path) -> datetime:
    stamp = copy.stem[: len("20260101-000000-000000")]
    try:
        return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return datetime.fromtimestamp(copy.stat().st_mtime, UTC)
