"""Why a file was not written: every way of it as a typed error with what to do next."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LorebookError

if TYPE_CHECKING:
    from pathlib import Path


class NotWrittenError(LorebookError):
    """A file that could not be written; what was on the disk is untouched."""

    code = "NOT_WRITTEN"


class ReadOnlyError(NotWrittenError):
    """A file or folder that may not be changed."""

    code = "READ_ONLY"


class FileThereError(NotWrittenError):
    """A new file would have taken the place of another one."""

    code = "FILE_THERE"


class ChangedOnDiskError(NotWrittenError):
    """Somebody else changed the file since it was read."""

    code = "CHANGED_ON_DISK"


class NotTheSameError(NotWrittenError):
    """What was read back is not what was to be written, or would not load; the old file stands."""

    code = "NOT_THE_SAME"


_ELSEWHERE: Final = "Save it elsewhere."
_KNOWN: Final = {
    errno.ENOSPC: ("The disk is full.", "Free some space; the work is still open and in the journal."),
    getattr(errno, "EDQUOT", -1): (
        "Your share of the disk is used up.",
        "Free some space; the work is still open and in the journal.",
    ),
    errno.ENAMETOOLONG: ("The file name is too long for this disk.", "Choose a shorter name."),
    errno.ENOENT: ("The folder does not exist.", "Make the folder, or save elsewhere."),
    errno.ENOTDIR: ("A part of the path is no folder.", _ELSEWHERE),
    errno.EISDIR: ("This is a folder, not a file.", "Name a file inside it."),
    errno.ELOOP: ("The links lead in a circle.", _ELSEWHERE),
}
_FORBIDDEN: Final = (errno.EACCES, errno.EPERM, errno.EROFS)


def not_written(path: Path, error: OSError) -> NotWrittenError:
    """The typed error for what the system said about a file."""
    if error.errno in _FORBIDDEN:
        return ReadOnlyError(
            "The folder or file may not be written.",
            where=str(path),
            found=error.strerror or str(error),
            hint="Allow it, close programs that hold the file, or save elsewhere.",
        )
    message, hint = _KNOWN.get(error.errno or 0, ("The file cannot be written.", _ELSEWHERE))
    return NotWrittenError(message, where=str(path), found=error.strerror or str(error), hint=hint)


def read_only(path: Path) -> ReadOnlyError:
    """The error for a file that is marked as one not to change."""
    return ReadOnlyError(
        "The file is marked read-only.",
        where=str(path),
        hint="Save a copy under another name, or take the mark away.",
    )


def file_there(path: Path) -> FileThereError:
    """The error for a name that is taken."""
    return FileThereError(
        "There is already a file of that name.",
        where=str(path),
        expected="a name that is free",
        hint="Choose another name, or say that it may be overwritten; a backup is kept then.",
    )


def changed_on_disk(path: Path, *, is_gone: bool) -> ChangedOnDiskError:
    """The error for a file that is not what was read."""
    return ChangedOnDiskError(
        "The file is no longer there." if is_gone else "The file changed on the disk since it was read.",
        where=str(path),
        expected="the file as it was read",
        found="no file" if is_gone else "other content",
        hint="Look at the differences: keep mine, take theirs, or merge by field.",
    )
