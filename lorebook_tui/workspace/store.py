"""The only way bytes of the user reach a disk: whole or not at all, read back, with what was there before kept.

A file is written beside its place, flushed to the disk, read back and loaded, and only then renamed into place.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LorebookError
from lorebook_tui.workspace.backups import Backup, BackupPolicy
from lorebook_tui.workspace.file_names import safe_name, suggested_name
from lorebook_tui.workspace.store_errors import (
    ChangedOnDiskError,
    FileThereError,
    NotTheSameError,
    NotWrittenError,
    ReadOnlyError,
    changed_on_disk,
    file_there,
    not_written,
    read_only,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.formats.base import Loaded

__all__ = [
    "MISSING_FILE",
    "Backup",
    "BackupPolicy",
    "ChangedOnDiskError",
    "FileThereError",
    "NotTheSameError",
    "NotWrittenError",
    "ReadOnlyError",
    "Saved",
    "Stamp",
    "check_for",
    "no_check",
    "safe_name",
    "stamp",
    "stamp_of",
    "suggested_name",
    "write",
]

_WAITS: Final = (0.01, 0.03, 0.08, 0.15, 0.3, 0.5) if os.name == "nt" else ()
"""Seconds between tries to rename: on Windows a virus scanner or a synchroniser may hold the file for a moment."""
_TEMPORARY: Final = ".lorebook-tmp"
"""Ends no name that SillyTavern would list."""
_OLD: Final = 3600.0
"""Seconds after which nobody writes a temporary file any more."""
_BINARY: Final = getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one state of a file from another. A file that was only touched is the same."""

    size: int
    """Bytes; -1 if there is no file."""
    sha256: str
    """In hexadecimal; "" if there is no file."""
    mtime_ns: int = field(default=0, compare=False)

    @property
    def is_missing(self) -> bool:
        """Whether it stands for no file."""
        return self.size < 0


MISSING_FILE: Final = Stamp(-1, "")
"""The stamp where nothing is yet: a file written for the first time must not take another one's place."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A file that is safely on the disk."""

    path: Path
    """As it was given."""
    stamp: Stamp
    backup: Path | None = None
    """What was there before, if a copy of it was due."""
    is_written: bool = True
    """False: the disk held these very bytes already."""


def stamp(path: Path) -> Stamp:
    """The state of a file on the disk; `MISSING_FILE` if there is none.

    Raises:
        NotWrittenError: it is there, but cannot be read.
    """
    found = _on_disk(path)
    return MISSING_FILE if found is None else stamp_of(found[0], found[1].st_mtime_ns)


def stamp_of(data: bytes, mtime_ns: int = 0) -> Stamp:
    """The stamp of a file that holds these bytes."""
    return Stamp(len(data), hashlib.sha256(data).hexdigest(), mtime_ns)


def no_check(data: bytes) -> None:
    """The check of files that are no lore."""


def check_for(loaded: Loaded) -> Callable[[bytes], None]:
    """A check that written bytes load as a file of lore with as many books, entries and messages."""

    def check(data: bytes) -> None:
        from lorebook_tui.formats import detect  # noqa: PLC0415 - all formats, only when something is written

        read = detect.load(data, loaded.name, user=loaded.user, strict=loaded.strict)
        if _census(read) != _census(loaded):
            raise NotTheSameError(
                "The file would not read as what was written.", expected=_census(loaded), found=_census(read)
            )

    return check


def _census(loaded: Loaded) -> str:
    entries = sum(len(book.entries) for book in loaded.books)
    messages = len(loaded.transcript.messages) if loaded.transcript else 0
    return f"{loaded.format.title}: {len(loaded.books)} books, {entries} entries, {messages} messages"


def write(
    path: Path,
    data: bytes,
    expected: Stamp | None,
    check: Callable[[bytes], None] = no_check,
    backup: BackupPolicy | None = None,
) -> Saved:
    """Put bytes into a file, so that at any moment it holds either the old or the new ones.

    Links are followed to the file they mean. Mode and, where it may be done, owner stay; another hard link to the file
    keeps the old bytes.

    Args:
        path: the file.
        data: all of it.
        expected: what must be on the disk now; `MISSING_FILE` for a new file; None: whatever there is gives way.
        check: is given the bytes read back, and raises if they are no good.
        backup: keeps what was there before; None: nobody does.

    Raises:
        ChangedOnDiskError: something else is on the disk.
        FileThereError: a new file would take another one's place.
        ReadOnlyError: the file or its folder may not be changed.
        NotTheSameError: what was read back is not what was written, or the check refused it.
        NotWrittenError: any other cause, such as a full disk. In all cases the old file stands.
    """
    try:
        real = Path(os.path.realpath(path))
        found = _on_disk(real)
        _refuse_unexpected(path, found, expected)
        if found is not None and found[0] == data:
            return Saved(path, stamp_of(data, found[1].st_mtime_ns), is_written=False)
        if found is not None and not found[1].st_mode & 0o222:
            raise read_only(path)
        kept = _replaced(real, data, found, check, backup)
        return Saved(path, stamp_of(data, real.stat().st_mtime_ns), kept)
    except OSError as error:
        raise not_written(path, error) from error


def _on_disk(path: Path) -> tuple[bytes, os.stat_result] | None:
    """What is there now; None if nothing is."""
    try:
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise NotWrittenError("This is no ordinary file.", where=str(path), expected="a file on a disk")
            return file.read(), about
    except FileNotFoundError:
        return None
    except OSError as error:
        raise not_written(path, error) from error


def _refuse_unexpected(path: Path, found: tuple[bytes, os.stat_result] | None, expected: Stamp | None) -> None:
    if expected is None:
        return
    now = MISSING_FILE if found is None else stamp_of(found[0])
    if now == expected:
        return
    raise file_there(path) if expected.is_missing else changed_on_disk(path, is_gone=now.is_missing)


def _replaced(
    real: Path,
    data: bytes,
    found: tuple[bytes, os.stat_result] | None,
    check: Callable[[bytes], None],
    backup: BackupPolicy | None,
) -> Path | None:
    """Write beside the place, verify, keep the old bytes, and rename."""
    beside = real.parent / f".{real.name[:40]}.{secrets.token_hex(6)}{_TEMPORARY}"
    _sweep(real)
    try:
        _written(beside, data, found[1] if found else None)
        _verify(beside, data, check)
        kept = backup.before(real, found[0]) if backup is not None and found is not None else None
        if found is not None and not _still_the_same(real, found[1]):
            raise changed_on_disk(real, is_gone=not real.exists())
        _rename(beside, real)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
    _flush_folder(real.parent)
    return kept


def _sweep(real: Path) -> None:
    """Take away what a process that died while it wrote this file left beside it."""
    with contextlib.suppress(OSError):
        for left in real.parent.iterdir():
            is_left = left.name.startswith(f".{real.name[:40]}.") and left.name.endswith(_TEMPORARY)
            if is_left and time.time() - left.stat().st_mtime > _OLD:
                left.unlink(missing_ok=True)


def _written(beside: Path, data: bytes, before: os.stat_result | None) -> None:
    """The new file, on the disk, with the mode of the old one (a new one gets what the user's mask allows)."""
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
    with open(descriptor, "wb") as file:  # noqa: PTH123 - the descriptor says that no other file is meant
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if before is not None:
        _keep_owner(beside, before)
        beside.chmod(stat.S_IMODE(before.st_mode))


def _keep_owner(beside: Path, before: os.stat_result) -> None:
    change = getattr(os, "chown", None)
    about = beside.stat()
    if change is not None and (about.st_uid, about.st_gid) != (before.st_uid, before.st_gid):
        with contextlib.suppress(OSError):  # only an administrator may give a file away
            change(beside, before.st_uid, before.st_gid)


def _verify(beside: Path, data: bytes, check: Callable[[bytes], None]) -> None:
    again = beside.read_bytes()
    if again != data:
        raise NotTheSameError(
            "The disk did not keep what was written.",
            where=str(beside),
            expected=f"{len(data):,} bytes",
            found=f"{len(again):,} bytes, or others",
            hint="Save to another disk, and have this one checked.",
        )
    try:
        check(again)
    except NotTheSameError:
        raise
    except LorebookError as error:
        raise NotTheSameError(
            f"The file would not load again: {error.message}",
            where=error.where,
            expected=error.expected,
            found=error.found,
            hint="The old file stands. Undo the last edit, or save a copy elsewhere.",
        ) from error


def _still_the_same(real: Path, before: os.stat_result) -> bool:
    """Whether nobody wrote between the first look and now."""
    try:
        now = real.stat()
    except FileNotFoundError:
        return False
    return (now.st_size, now.st_mtime_ns, now.st_ino) == (before.st_size, before.st_mtime_ns, before.st_ino)


def _rename(beside: Path, real: Path) -> None:
    for wait in _WAITS:
        try:
            beside.replace(real)
        except PermissionError:
            time.sleep(wait)
        else:
            return
    beside.replace(real)


def _flush_folder(folder: Path) -> None:
    """Make the rename itself last, where a folder can be flushed."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
