"""A mark that a folder belongs to a running process, which the system takes away however the process ends."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_HELD: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


@dataclass(slots=True)
class ProcessLock:
    """A held lock."""

    descriptor: int

    def release(self) -> None:
        """Let go of it."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def acquire(path: Path) -> ProcessLock | None:
    """Take a lock, without waiting.

    Where the file system knows no locks, the process whose number is in the file counts as its holder while it runs.

    Args:
        path: the file of the lock; made if it is missing.

    Returns:
        None if another process has it, or this one took it before.

    Raises:
        OSError: the file cannot be opened.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        is_mine = _lock(descriptor) or (_knows_no_locks(descriptor) and not _holder_runs(descriptor))
        if not is_mine:
            os.close(descriptor)
            return None
        os.lseek(descriptor, _BEHIND_MARK, os.SEEK_SET)
        os.ftruncate(descriptor, _BEHIND_MARK)
        os.write(descriptor, str(os.getpid()).encode())
    except OSError:
        os.close(descriptor)
        raise
    return ProcessLock(descriptor)


_BEHIND_MARK: Final = 1
"""Windows locks the first byte against reading too."""

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            os.lseek(descriptor, 0, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _knows_no_locks(descriptor: int) -> bool:  # noqa: ARG001 - the other platforms ask the file
        return False

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _knows_no_locks(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno not in _HELD
        return False


def _holder_runs(descriptor: int) -> bool:
    """Whether the process whose number is in the file is there."""
    os.lseek(descriptor, _BEHIND_MARK, os.SEEK_SET)
    text = os.read(descriptor, 32).decode("ascii", "replace").strip("\0 ")
    if not text.isdecimal():
        return False
    try:
        os.kill(int(text), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
