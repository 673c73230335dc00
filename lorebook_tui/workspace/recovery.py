"""What sessions that ended without saving left in the journal, put together again."""

from __future__ import annotations

import contextlib
import json
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import LorebookError, UnreadableError
from lorebook_tui.formats import detect, text_delta
from lorebook_tui.formats.chat_edits import text_again
from lorebook_tui.formats.text import decode
from lorebook_tui.workspace import conflict, process_lock, store
from lorebook_tui.workspace.journal_log import pieces_unpacked, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.js import Json
    from lorebook_tui.workspace.conflict import ThreeWay
    from lorebook_tui.workspace.journal_log import Record
    from lorebook_tui.workspace.store import Stamp

LOG: Final = "log"
LOCK: Final = "lock"
VERSION: Final = 1
_YOUNG: Final = 60.0
"""Seconds: an empty session of this age may be one that is just beginning."""


@dataclass(frozen=True, slots=True)
class PendingFile:
    """A file that a session left unsaved."""

    path: Path
    is_new: bool
    """It never was on the disk."""


@dataclass(frozen=True, slots=True)
class PendingSession:
    """A session that ended without saving."""

    folder: Path
    title: str
    """What it worked on; may hold foreign text."""
    started: str
    """UTC, as ISO 8601."""
    last: str
    """Of the last change that is kept: UTC, as ISO 8601."""
    changes: int
    """How many there were."""
    told: str
    """The last thing done, in words; may quote foreign text."""
    files: tuple[PendingFile, ...] = ()
    values: tuple[str, ...] = ()
    """Names of other unsaved work, such as options."""
    opened: tuple[Path, ...] = ()
    """What it had opened: the workspace file, or the files; absolute."""

    def is_about(self, paths: Iterable[Path]) -> bool:
        """Whether it worked on one of these files."""
        mine = {*self.opened, *(file.path.resolve() for file in self.files)}
        return any(path.resolve() in mine for path in paths)


@dataclass(frozen=True, slots=True)
class RecoveredFile:
    """A file as a session left it."""

    path: Path
    """Where it was to be saved."""
    disk_path: Path
    """Where it was read from."""
    loaded: Loaded
    """With all edits."""
    base: Loaded | None
    """As it was read or last saved; None: it never was on the disk."""
    disk: Stamp
    """What is at `disk_path` now."""
    theirs: Loaded | None = None
    """What somebody else made of the file since; None if nobody did, or it is gone or cannot be read."""

    @property
    def is_changed_on_disk(self) -> bool:
        """Whether the disk holds something else than what the edits began from."""
        return self.disk != (store.MISSING_FILE if self.base is None else store.stamp_of(detect.dump(self.base)))

    def three_way(self) -> ThreeWay | None:
        """Whose change is whose, if somebody else changed the file; None if nobody did."""
        if self.theirs is None or self.base is None:
            return None
        return conflict.three_way(self.base, self.theirs, self.loaded)

    def onto(self, opened: Loaded) -> Loaded:
        """The edits on the file as it was opened now from the same bytes; what did not change stays what it is there.

        Returns:
            `loaded` if the file does not have the same parts, as a chat that grew has not.
        """
        new = self.loaded.documents
        if len(new) != len(opened.documents) or opened.container.kind != self.loaded.container.kind:
            return self.loaded
        documents = tuple(
            was if was.text == now.text else was.rewritten(now.text)
            for was, now in zip(opened.documents, new, strict=True)
        )
        made = opened.with_documents(documents)
        return made if documents and detect.dump(made) == detect.dump(self.loaded) else self.loaded


@dataclass(frozen=True, slots=True)
class Recovery:
    """All that a session left."""

    session: PendingSession
    files: tuple[RecoveredFile, ...] = ()
    values: Mapping[str, Json] = field(default_factory=dict)
    lost: tuple[LorebookError, ...] = ()
    """Files that cannot be put together, and why. Their journal is not to be discarded unasked."""


def pending_in(folder: Path) -> tuple[PendingSession, ...]:
    """Sessions whose process is gone, the newest first. Those that hold nothing are swept away.

    Args:
        folder: of the journals.
    """
    found = []
    for home in sorted(folder.iterdir(), reverse=True) if folder.is_dir() else ():
        with contextlib.suppress(OSError):
            lock = process_lock.acquire(home / LOCK) if home.is_dir() else None
            if lock is None:
                continue
            session = _session(home)
            lock.release()
            if session.files or session.values:
                found.append(session)
            elif time.time() - home.stat().st_mtime > _YOUNG:
                shutil.rmtree(home, ignore_errors=True)
    return tuple(found)


def recover(session: PendingSession) -> Recovery:
    """Put together what a session left."""
    left = _replayed(_whole(read(session.folder / LOG)))
    files = []
    lost = []
    for kept in left.files.values():
        try:
            files.append(_recovered(kept))
        except (LorebookError, ValueError, LookupError) as error:
            lost.append(_lost(kept, error))
    values = {name: json.loads(text) for name, text in left.values.items()}
    return Recovery(session, tuple(files), values, tuple(lost))


@dataclass(slots=True)
class _Kept:
    """A file's records."""

    about: Mapping[str, Any]
    body: bytes
    edits: list[Record] = field(default_factory=list)
    """Since the base, or since the last one that is told from it."""


@dataclass(slots=True)
class _Left:
    """What the records of a session say."""

    files: dict[str, _Kept] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    moment: Mapping[str, Any] = field(default_factory=dict)


def _whole(records: Sequence[Record]) -> Sequence[Record]:
    """Without the changes of a moment that is not there as a whole: what moved between files would be half there."""
    last = max((place for place, each in enumerate(records) if each.about.get("kind") == "moment"), default=-1)
    return records[: last + 1]


def _replayed(records: Iterable[Record]) -> _Left:
    left = _Left()
    for record in records:
        about = record.about
        kind = about.get("kind")
        if kind == "session":
            left.about = about
        elif kind == "moment":
            left.moment = about
        elif kind == "file":
            left.files[about["key"]] = _Kept(about, record.body)
        elif kind == "edit":
            kept = left.files[about["key"]]
            if about["from"] == "base":
                kept.edits.clear()
            kept.edits.append(record)
        elif kind == "drop":
            left.files.pop(about["key"], None)
        elif kind == "value":
            before = left.values.get(about["name"], "")
            left.values[about["name"]] = text_delta.applied(before, pieces_unpacked(json.loads(record.body)))
        elif kind == "forget":
            left.values.pop(about["name"], None)
    return left


def _session(home: Path) -> PendingSession:
    left = _replayed(_whole(read(home / LOG)))
    return PendingSession(
        folder=home,
        title=str(left.about.get("title", "")),
        started=str(left.about.get("started", "")),
        last=str(left.moment.get("at", "")),
        changes=int(left.moment.get("changes", 0)),
        told=str(left.moment.get("told", "")),
        files=tuple(PendingFile(Path(kept.about["path"]), bool(kept.about["new"])) for kept in left.files.values()),
        values=tuple(left.values),
        opened=tuple(Path(path) for path in left.about.get("opened", ())),
    )


def _recovered(kept: _Kept) -> RecoveredFile:
    about = kept.about
    base = _loaded(kept.body, about)
    disk_path = Path(about["disk"])
    disk = store.stamp(disk_path)
    is_new = bool(about["new"])
    theirs = None
    if not is_new and disk != store.Stamp(about["size"], about["sha256"]) and not disk.is_missing:
        with contextlib.suppress(LorebookError, OSError):
            theirs = _loaded(disk_path.read_bytes(), about)
    return RecoveredFile(
        Path(about["path"]), disk_path, _with_edits(base, kept), None if is_new else base, disk, theirs
    )


def _loaded(data: bytes, about: Mapping[str, Any]) -> Loaded:
    return detect.load(data, about["name"], user=about["user"], strict=about["strict"])


def _loaded_as(base: Loaded, data: bytes, about: Mapping[str, Any]) -> Loaded:
    """The bytes as a file like the base, also where nobody would know them for one, as a transcript of one line."""
    try:
        return _loaded(data, about)
    except UnreadableError:
        if base.documents:
            raise
        return text_again(base, decode(data)[0])


def _with_edits(base: Loaded, kept: _Kept) -> Loaded:
    """The file with the edits that the records tell of."""
    texts = [document.text for document in base.documents]
    data = ""
    for record in kept.edits:
        is_bytes = record.about["how"] == "bytes"
        if is_bytes and not data:
            data = kept.body.decode("latin-1")
        for name, packed in json.loads(record.body).items():
            place = int(name)
            made = text_delta.applied(data if is_bytes else texts[place], pieces_unpacked(packed))
            if len(made) != record.about["lengths"][name]:
                raise ValueError("an edit has another length than was told")
            if is_bytes:
                data = made
            else:
                texts[place] = made
    if data:
        return _loaded_as(base, data.encode("latin-1"), kept.about)
    if not kept.edits:
        return base
    return base.with_documents(
        tuple(
            document if document.text == text else document.rewritten(text)
            for document, text in zip(base.documents, texts, strict=True)
        )
    )


def _lost(kept: _Kept, error: Exception) -> LorebookError:
    return UnreadableError(
        "A file in the journal cannot be put together again.",
        where=str(kept.about.get("path", "")),
        found=str(error),
        hint="The journal is kept; the file as it was read is in it.",
    )
