"""The journal of unsaved work: what is not saved yet lies on the disk within a second, whatever happens to the program.

Each session has a folder with a lock that ends with its process, and a log that is only appended to: of a file the
bytes it was read from, once, and then what changed. The caller hands over frozen values and never waits; one thread
compares, writes and flushes.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import LorebookError
from lorebook_tui.workspace import process_lock
from lorebook_tui.workspace.journal_log import LogFile, Record
from lorebook_tui.workspace.journal_writing import Writing
from lorebook_tui.workspace.places import journal_folder, made
from lorebook_tui.workspace.recovery import LOCK, LOG, VERSION, PendingSession, Recovery, pending_in, recover
from lorebook_tui.workspace.store_errors import not_written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.js import Json
    from lorebook_tui.workspace.process_lock import ProcessLock

__all__ = ["Journal", "PendingSession", "Recovery", "Unsaved"]

WRITTEN_EACH: Final = 0.5
"""Seconds between two writes: the most that a killed process loses, but for the time a write takes."""
_SYNCED_EACH: Final = 1.0
_TRIES: Final = 50
_BETWEEN_TRIES: Final = 0.01


@dataclass(frozen=True, slots=True)
class Unsaved:
    """A file with work in it that is not saved."""

    key: str
    """Tells it from the session's other files as long as the session runs."""
    path: Path
    """Where it is to be saved."""
    loaded: Loaded
    """As it is now."""
    clean: Loaded | None = None
    """As it was read or last saved; None: it never was on the disk."""
    disk_path: Path | None = None
    """Where `clean` lies, if the file was renamed since."""


@dataclass(frozen=True, slots=True)
class _State:
    """All that is unsaved at one moment."""

    files: tuple[Unsaved, ...] = ()
    values: Mapping[str, Json] = field(default_factory=dict)
    told: str = ""
    changes: int = 0
    at: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not self.files and not self.values


class Journal:
    """The journal of this session. `record`, `clear` and `flush` are for any thread.

    Args:
        folder: of the journals of all sessions; None: the user's state folder.
        title: what the session works on, for the list of sessions; may hold foreign text.
        each: seconds between two writes.
        opened: what was opened, to know the work again that belongs to it.
    """

    def __init__(
        self,
        folder: Path | None = None,
        title: str = "",
        each: float = WRITTEN_EACH,
        opened: Sequence[Path] = (),
    ) -> None:
        self.folder = journal_folder() if folder is None else folder
        self.title = title
        self.opened = tuple(str(path.resolve()) for path in opened)
        self.trouble: LorebookError | None = None
        """Why the last write failed, if it did; the next one tries again."""
        self._each = each
        self._waiting: _State | None = None
        self._changes = 0
        self._wake = threading.Condition()
        self._is_busy = False
        self._is_closing = False
        self._hurried = 0
        """How many wait for the disk."""
        self._thread: threading.Thread | None = None
        self._home: Path | None = None
        self._lock: ProcessLock | None = None
        self._log: LogFile | None = None
        self._synced_at = 0.0
        self._writing = Writing()
        self._recovered: dict[Path, ProcessLock] = {}

    def record(self, files: Sequence[Unsaved], values: Mapping[str, Json] | None = None, told: str = "") -> None:
        """Keep what is unsaved now: all of it, at each change. Returns at once.

        What was there before and is no longer (saved, undone, discarded) is forgotten; nothing at all clears the
        journal.

        Args:
            files: files with unsaved work.
            values: other unsaved work as JSON by name, such as changed options.
            told: the last thing that was done, in words.
        """
        with self._wake:
            self._changes += 1
            moment = datetime.now(UTC).isoformat(timespec="seconds")
            self._waiting = _State(tuple(files), dict(values or {}), told, self._changes, moment)
            if self._thread is None and not self._waiting.is_empty:
                self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def clear(self) -> None:
        """Forget everything: it is saved, or is not wanted."""
        self.record(())

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until all that was recorded is on the disk.

        Returns:
            Whether it is; False after the timeout in seconds, or if it cannot be written (see `trouble`).
        """
        with self._wake:
            if self._thread is None:
                return True
            self.trouble = None
            self._hurried += 1
            self._wake.notify_all()
            done = self._wake.wait_for(lambda: self._is_settled or self.trouble is not None, timeout)
            self._hurried -= 1
            return done and self.trouble is None

    def close(self, timeout: float = 10.0) -> None:
        """End the session: what is unsaved stays in the journal, and can be recovered by the next one."""
        with self._wake:
            self._is_closing = True
            thread = self._thread
            self._wake.notify_all()
        if thread is not None:
            thread.join(timeout)
        for lock in (self._lock, *self._recovered.values()):
            if lock is not None:
                lock.release()
        self._lock = None
        self._recovered.clear()

    def pending(self) -> tuple[PendingSession, ...]:
        """Sessions that ended without saving, the newest first. Those that hold nothing are swept away."""
        own = self._home
        return tuple(
            each for each in pending_in(self.folder) if each.folder != own and each.folder not in self._recovered
        )

    def recover(self, session: PendingSession) -> Recovery:
        """What a session left. It stays in the journal until it is discarded, and no other process can take it.

        Raises:
            LorebookError: another process has taken it, or it is gone.
        """
        if session.folder not in self._recovered:
            lock = _lock_of(session.folder)
            if lock is None:
                raise LorebookError(
                    "Another window has taken up this work.", where=str(session.folder), hint="Look for it there."
                )
            self._recovered[session.folder] = lock
        return recover(session)

    def discard(self, session: PendingSession) -> None:
        """Forget what a session left: it is recovered and noted anew, or not wanted."""
        lock = self._recovered.pop(session.folder, None) or _lock_of(session.folder)
        if lock is not None:
            _remove(session.folder, lock)

    @property
    def _is_settled(self) -> bool:
        return self._waiting is None and not self._is_busy and (self._log is None or self._log.is_synced)

    @property
    def _is_wanted(self) -> bool:
        """Whether there is something to do at once."""
        return self._waiting is not None or self._is_closing or (self._hurried > 0 and not self._is_settled)

    def _run(self) -> None:
        """The thread: writes the newest state, then rests."""
        is_last = False
        while not is_last:
            with self._wake:
                self._wake.wait_for(lambda: self._is_wanted, self._rest())
                state, self._waiting = self._waiting, None
                is_last = state is None and self._is_closing
                self._is_busy = True
            self._settle(state, self._turn(state))
        if self._log is not None:
            self._log.close()

    def _settle(self, state: _State | None, trouble: LorebookError | None) -> None:
        """Tell those who wait, and rest; what could not be written is tried again unless there is something newer."""
        with self._wake:
            self._is_busy = False
            self.trouble = trouble
            if trouble is not None and self._waiting is None and not self._is_closing:
                self._waiting = state
            self._wake.notify_all()
            if state is not None:
                self._wake.wait_for(lambda: self._is_closing or (self._hurried and not self.trouble), self._each)

    def _rest(self) -> float | None:
        """Seconds until the disk has to be asked again; None: until something happens."""
        if self._log is None or self._log.is_synced:
            return None
        return max(0.0, self._synced_at + _SYNCED_EACH - time.monotonic())

    def _turn(self, state: _State | None) -> LorebookError | None:
        """Write, and flush if it is time; what went wrong, if something did."""
        try:
            if state is not None:
                self._write(state)
            is_due = self._is_closing or self._hurried or time.monotonic() - self._synced_at >= _SYNCED_EACH
            if self._log is not None and not self._log.is_synced and is_due:
                self._log.sync()
                self._synced_at = time.monotonic()
        except OSError as error:
            return not_written(self._home or self.folder, error)
        except LorebookError as error:
            return error
        except Exception as error:  # noqa: BLE001 - whatever it is, the thread has to live on and try the next state
            return LorebookError("The journal cannot take this.", found=f"{type(error).__name__}: {error}")
        return None

    def _write(self, state: _State) -> None:
        if state.is_empty:
            self._forget()
            return
        log = self._open_log()
        plan = self._writing.planned(state.files, state.values)
        if not plan.records:
            return
        common: dict[str, Any] = {"kind": "moment", "told": state.told, "changes": state.changes, "at": state.at}
        log.append([*plan.records, Record(common)])
        self._writing = plan.after

    def _open_log(self) -> LogFile:
        if self._log is not None:
            if self._home is not None and (self._home / LOG).exists():
                return self._log
            self._forget()  # somebody took the folder away
        name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}-{secrets.token_hex(3)}"
        home = made(self.folder) / name
        try:
            home.mkdir(mode=0o700)
            lock = _own_lock(home)
            log = LogFile(home / LOG)
            about = {
                "kind": "session",
                "version": VERSION,
                "pid": os.getpid(),
                "title": self.title,
                "opened": self.opened,
            }
            log.append([Record({**about, "started": datetime.now(UTC).isoformat(timespec="seconds")})])
        except OSError:
            shutil.rmtree(home, ignore_errors=True)
            raise
        self._home, self._lock, self._log = home, lock, log
        return log

    def _forget(self) -> None:
        """Take the session's folder away; the next change makes another one."""
        self._writing = Writing()
        if self._log is not None:
            self._log.close()
        if self._home is not None and self._lock is not None:
            _remove(self._home, self._lock)
        self._log = self._home = self._lock = None


def _own_lock(home: Path) -> ProcessLock | None:
    """The lock of a new session; another process may be looking at it this very moment."""
    for _ in range(_TRIES):
        lock = process_lock.acquire(home / LOCK)
        if lock is not None:
            return lock
        time.sleep(_BETWEEN_TRIES)
    return None


def _lock_of(folder: Path) -> ProcessLock | None:
    if not folder.is_dir():
        raise LorebookError("The work is gone from the journal.", where=str(folder))
    try:
        return process_lock.acquire(folder / LOCK)
    except OSError as error:
        raise not_written(folder, error) from error


def _remove(folder: Path, lock: ProcessLock) -> None:
    """Take a folder away; the log first, so that a half-removed session holds nothing."""
    with contextlib.suppress(OSError):
        (folder / LOG).unlink(missing_ok=True)
    lock.release()
    shutil.rmtree(folder, ignore_errors=True)
