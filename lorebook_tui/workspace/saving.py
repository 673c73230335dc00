"""Saving of one opened file: what the disk is expected to hold, renamed files, and reading it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.formats import detect
from lorebook_tui.workspace import store
from lorebook_tui.workspace.files import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.workspace.backups import BackupPolicy
    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.store import Saved


@dataclass(frozen=True, slots=True)
class OnDisk:
    """What a file was when it was opened or last saved."""

    path: Path
    loaded: Loaded


def is_same(one: Loaded, other: Loaded) -> bool:
    """Whether two states of a file have the same documents, without looking at their text."""
    if not one.documents:  # a plain transcript
        return one.container is other.container
    return [document.ident for document in one.documents] == [document.ident for document in other.documents]


def write(source: Source, known: OnDisk | None, backup: BackupPolicy, *, force: bool = False) -> Saved:
    """Write a file; one that was renamed leaves its old place when it stands at its new one.

    Args:
        source: the file.
        known: what is expected on the disk; None: it was never saved.
        backup: keeps what was there.
        force: whatever is there gives way.

    Raises:
        ChangedOnDiskError: something else is there.
        FileThereError: a new name is taken.
        NotWrittenError: it cannot be written; in all cases what is on the disk stands.
    """
    is_moved = known is not None and known.path != source.path
    expected = store.MISSING_FILE
    if known is not None and not is_moved:
        expected = store.stamp_of(detect.dump(known.loaded))
    saved = store.write(
        source.path, detect.dump(source.loaded), None if force else expected, store.check_for(source.loaded), backup
    )
    if known is not None and is_moved and not _is_same_file(known.path, source.path):
        _remove(known.path, detect.dump(known.loaded), backup)
    return saved


def read(source: Source) -> Loaded:
    """The file as the disk holds it now.

    Raises:
        UnreadableError: it is gone, or no lore any more.
    """
    return detect.load(read_bytes(source.path), source.name, user=source.loaded.user, strict=source.loaded.strict)


def _is_same_file(old: Path, new: Path) -> bool:
    """Whether only the spelling of the name changed, on a disk that does not tell upper from lower case."""
    return old.exists() and old.samefile(new)


def _remove(old: Path, data: bytes, backup: BackupPolicy) -> None:
    """Take away a file that stands at its new place now; one that somebody changed meanwhile is left alone."""
    if store.stamp(old) == store.stamp_of(data):
        backup.before(old, data)
        old.unlink(missing_ok=True)
