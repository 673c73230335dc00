"""Unsaved work lies in the journal, and comes back from it."""

from __future__ import annotations

import errno
import json
import os
import time
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats import detect
from lorebook_tui.formats.chat_edits import with_messages
from lorebook_tui.formats.entry_edits import with_entries, with_fields
from lorebook_tui.formats.new_book import new_book
from lorebook_tui.model.transcript import Message
from lorebook_tui.workspace import journal_log, journal_writing, process_lock
from lorebook_tui.workspace.journal import Journal, Unsaved
from lorebook_tui.workspace.journal_log import LogFile, Record
from lorebook_tui.workspace.recovery import LOCK, LOG, RecoveredFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lorebook_tui.formats.base import Loaded


def world(count: int = 3) -> bytes:
    entries = {str(n): {"uid": n, "key": [f"k{n}"], "content": f"text {n}", "comment": f"E{n}"} for n in range(count)}
    return json.dumps({"entries": entries}, indent=4).encode()


def edited(loaded: Loaded, text: str, entry: int = 0) -> Loaded:
    return with_fields(loaded, [(loaded.books[0].entries[entry], "content", text)])


class Session:
    """A journal with one file in it, and what the next session makes of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "journal"
        self.path = folder / "a.json"
        self.path.write_bytes(world())
        self.clean = detect.load(world(), "a.json")
        self.journal = Journal(self.folder, title="books", each=0.01, opened=[self.path])

    def keep(self, *files: Unsaved, values: Any = None, told: str = "") -> None:
        self.journal.record(files, values, told)
        assert self.journal.flush()

    def unsaved(self, loaded: Loaded, **more: Any) -> Unsaved:
        return Unsaved("1", self.path, loaded, **{"clean": self.clean, **more})

    @property
    def log(self) -> Path:
        return next(self.folder.glob(f"*/{LOG}"))

    def recovered(self) -> RecoveredFile:
        """The only file, as the next session finds it."""
        self.journal.close()
        with_next = Journal(self.folder)
        try:
            (session,) = with_next.pending()
            recovery = with_next.recover(session)
            assert recovery.lost == ()
            (file,) = recovery.files
            return file
        finally:
            with_next.close()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = Session(tmp_path)
    yield made
    made.journal.close()


def test_an_edit_comes_back(session: Session) -> None:
    mine = edited(session.clean, "новый текст \ud83d\ude00 \ud800")
    session.keep(session.unsaved(mine), told="set content")
    file = session.recovered()
    assert detect.dump(file.loaded) == detect.dump(mine)
    assert file.base is not None
    assert detect.dump(file.base) == world()
    assert (file.path, file.is_changed_on_disk, file.three_way()) == (session.path, False, None)


def test_the_list_of_sessions_says_what_they_hold(session: Session) -> None:
    first = edited(session.clean, "one")
    session.keep(session.unsaved(first))
    new = Unsaved("2", session.path.with_name("new.json"), new_book("sillytavern", "new"))
    session.keep(session.unsaved(edited(first, "two")), new, values={"options": {"seed": 3}}, told="set seed")
    session.journal.close()
    (pending,) = Journal(session.folder).pending()
    assert (pending.title, pending.changes, pending.told) == ("books", 2, "set seed")
    assert [(file.path.name, file.is_new) for file in pending.files] == [("a.json", False), ("new.json", True)]
    assert pending.values == ("options",)
    assert pending.started <= pending.last
    assert pending.opened == (session.path.resolve(),)
    assert pending.is_about([session.path])
    assert pending.is_about([session.path.with_name("new.json")])
    assert not pending.is_about([session.path.with_name("other.json")])


def test_a_running_session_is_nobody_s(session: Session) -> None:
    session.keep(session.unsaved(edited(session.clean, "one")))
    other = Journal(session.folder)
    assert other.pending() == ()
    assert session.journal.pending() == ()


def test_two_sessions_do_not_disturb_each_other(session: Session) -> None:
    other = Journal(session.folder, each=0.01)
    session.keep(session.unsaved(edited(session.clean, "one")))
    other.record([session.unsaved(edited(session.clean, "two"))])
    assert other.flush()
    session.journal.clear()
    assert session.journal.flush()
    other.close()
    assert detect.dump(session.recovered().loaded) == detect.dump(edited(session.clean, "two"))


def test_a_recovery_is_taken_by_one(session: Session) -> None:
    session.keep(session.unsaved(edited(session.clean, "one")))
    session.journal.close()
    first, second = Journal(session.folder), Journal(session.folder)
    (pending,) = first.pending()
    first.recover(pending)
    assert first.recover(pending).files
    with pytest.raises(LorebookError, match="Another window"):
        second.recover(pending)
    second.discard(pending)
    assert second.pending() == ()
    first.discard(pending)
    assert list(session.folder.iterdir()) == []
    with pytest.raises(LorebookError, match="gone"):
        second.recover(pending)
    first.close()


def test_saved_and_undone_work_is_forgotten(session: Session) -> None:
    session.keep(session.unsaved(edited(session.clean, "one")), values={"options": {"seed": 2}, "other": 1})
    session.keep(session.unsaved(edited(session.clean, "one")), values={"other": 1})
    session.keep(values={"other": 1})
    session.journal.close()
    with_next = Journal(session.folder)
    (pending,) = with_next.pending()
    recovery = with_next.recover(pending)
    assert (recovery.files, dict(recovery.values)) == ((), {"other": 1})
    with_next.close()


def test_nothing_unsaved_leaves_nothing(session: Session) -> None:
    session.keep(session.unsaved(edited(session.clean, "one")))
    session.keep()
    assert list(session.folder.iterdir()) == []
    session.keep(session.unsaved(edited(session.clean, "two")))
    assert detect.dump(session.recovered().loaded) == detect.dump(edited(session.clean, "two"))


def test_a_session_without_edits_makes_no_folder(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    journal.clear()
    assert journal.flush()
    journal.close()
    assert not (tmp_path / "journal").exists()


def test_a_small_edit_of_a_big_file_writes_little(tmp_path: Path) -> None:
    data = world(3000)
    clean = detect.load(data, "a.json")
    journal = Journal(tmp_path / "journal", each=0.0)
    current = clean
    sizes = []
    for number in range(12):
        current = edited(current, f"text {number}", number * 200)
        journal.record([Unsaved("1", tmp_path / "a.json", current, clean)])
        assert journal.flush()
        sizes.append(next((tmp_path / "journal").glob("*/log")).stat().st_size)
    journal.close()
    assert len(data) < sizes[0] < len(data) + 2000
    assert sizes[-1] - sizes[0] < 11 * 1000


def test_the_caller_never_waits(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    real = LogFile.append

    def slow(self: LogFile, records: Any) -> None:
        time.sleep(0.2)
        real(self, records)

    monkeypatch.setattr(LogFile, "append", slow)
    begun = time.monotonic()
    mine = session.clean
    for number in range(20):
        mine = edited(mine, f"text {number}")
        session.journal.record([session.unsaved(mine)])
    assert time.monotonic() - begun < 0.2
    assert session.journal.flush()
    assert detect.dump(session.recovered().loaded) == detect.dump(mine)


def test_hundreds_of_edits_are_told_from_the_base_now_and_then(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_writing, "_FROM_BASE_EACH", 4)
    mine = session.clean
    for number in range(11):
        mine = edited(mine, f"text {'x' * number}", number % 3)
        session.keep(session.unsaved(mine))
    how = [record.about["from"] for record in journal_log.read(session.log) if record.about["kind"] == "edit"]
    assert how == ["last", "last", "last", "base"] * 2 + ["last"] * 3
    assert detect.dump(session.recovered().loaded) == detect.dump(mine)


def test_a_save_in_between_begins_anew(session: Session) -> None:
    saved = edited(session.clean, "saved")
    session.keep(session.unsaved(saved))
    session.path.write_bytes(detect.dump(saved))
    mine = edited(saved, "more")
    session.keep(session.unsaved(mine, clean=saved))
    file = session.recovered()
    assert file.base is not None
    assert detect.dump(file.base) == detect.dump(saved)
    assert detect.dump(file.loaded) == detect.dump(mine)
    assert not file.is_changed_on_disk


def test_a_file_under_another_name(session: Session) -> None:
    session.keep(Unsaved("1", session.path.with_name("b.json"), session.clean, session.clean, session.path))
    file = session.recovered()
    assert (file.path.name, file.disk_path, file.is_changed_on_disk) == ("b.json", session.path, False)


def test_a_new_book_that_was_never_saved(session: Session) -> None:
    path = session.path.with_name("new.json")
    book = new_book("sillytavern", "new")
    session.keep(Unsaved("9", path, book))
    grown = with_entries(book, [{"key": ["bell"], "content": "A bell."}])[0]
    session.keep(Unsaved("9", path, grown))
    file = session.recovered()
    assert (file.base, file.is_changed_on_disk) == (None, False)
    assert detect.dump(file.loaded) == detect.dump(grown)


def test_a_card_in_an_image_is_told_by_its_text(session: Session, tmp_path: Path) -> None:
    from lorebook_tui.workspace.sample import samples_folder

    data = (samples_folder() / "harrowmere" / "mira.png").read_bytes()
    clean = detect.load(data, "mira.png")
    mine = edited(clean, "A new secret.")
    (tmp_path / "mira.png").write_bytes(data)
    session.keep(Unsaved("1", tmp_path / "mira.png", mine, clean))
    assert session.log.stat().st_size < len(data) + 2000
    assert detect.dump(session.recovered().loaded) == detect.dump(mine)


def test_a_chat_that_grew_and_was_edited(session: Session, tmp_path: Path) -> None:
    lines = [
        '{"user_name": "U", "character_name": "C", "chat_metadata": {}}',
        '{"name": "U", "is_user": true, "mes": "Hi"}',
    ]
    data = "\n".join(lines).encode()
    clean = detect.load(data, "c.jsonl")
    (tmp_path / "c.jsonl").write_bytes(data)
    spoken = with_messages(clean, 1, [Message("Hello\nyou", "C")])
    session.keep(Unsaved("1", tmp_path / "c.jsonl", spoken, clean))
    more = with_messages(spoken, 2, [Message("Bye", "U", is_user=True)])
    session.keep(Unsaved("1", tmp_path / "c.jsonl", more, clean))
    session.keep(Unsaved("1", tmp_path / "c.jsonl", more, clean), values={"x": 1})
    file = session.recovered()
    assert detect.dump(file.loaded) == detect.dump(more)
    assert file.onto(detect.load(data, "c.jsonl")) is file.loaded


def test_a_line_of_a_chat(session: Session, tmp_path: Path) -> None:
    lines = [json.dumps({"name": "A", "mes": f"text {number}", "is_user": False}) for number in range(5)]
    clean = detect.load("\n".join(lines).encode(), "c.jsonl")
    (tmp_path / "c.jsonl").write_text("\n".join(lines), "utf-8")
    mine = clean.edited(clean.documents[2].set(("mes",), "other"), 2)
    session.keep(Unsaved("1", tmp_path / "c.jsonl", mine, clean))
    assert [r.about["how"] for r in journal_log.read(session.log) if r.about["kind"] == "edit"] == ["documents"]
    assert detect.dump(session.recovered().loaded) == detect.dump(mine)


def test_a_file_that_somebody_changed_meanwhile(session: Session) -> None:
    session.keep(session.unsaved(edited(session.clean, "mine", 0)))
    theirs = edited(session.clean, "theirs", 1)
    session.path.write_bytes(detect.dump(theirs))
    file = session.recovered()
    assert file.is_changed_on_disk
    ways = file.three_way()
    assert ways is not None
    assert ways.conflicts == ()
    assert [way.title for way in ways.entries] == ["E0", "E1"]


@pytest.mark.parametrize("then", ["gone", "broken"])
def test_a_file_that_is_gone_or_broken(session: Session, then: str) -> None:
    session.keep(session.unsaved(edited(session.clean, "mine")))
    session.path.unlink()
    if then == "broken":
        session.path.write_bytes(b"{")
    file = session.recovered()
    assert file.is_changed_on_disk
    assert (file.theirs, file.three_way()) == (None, None)
    assert file.disk.is_missing is (then == "gone")


def test_edits_go_onto_the_file_as_it_is_open(session: Session) -> None:
    mine = edited(session.clean, "mine", 1)
    session.keep(session.unsaved(mine))
    opened = detect.load(world(), "a.json")
    made = session.recovered().onto(opened)
    assert detect.dump(made) == detect.dump(mine)
    assert made.container is opened.container


def test_values_are_told_by_what_changed(session: Session) -> None:
    long = {"text": "word " * 2000, "seed": 1}
    session.keep(values={"options": long})
    size = session.log.stat().st_size
    session.keep(values={"options": {**long, "seed": 2}})
    assert session.log.stat().st_size < size + 500
    session.journal.close()
    with_next = Journal(session.folder)
    assert with_next.recover(with_next.pending()[0]).values == {"options": {**long, "seed": 2}}
    with_next.close()


def test_a_full_disk_is_told_and_tried_again(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.keep(session.unsaved(edited(session.clean, "one")))
    real = LogFile.append

    def full(self: LogFile, _: Any) -> None:
        self._file.seek(self._good)
        self._file.write(b"LBj1 half a record")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(LogFile, "append", full)
    session.journal.record([session.unsaved(edited(session.clean, "two"))])
    assert not session.journal.flush()
    assert session.journal.trouble is not None
    assert "full" in session.journal.trouble.message
    monkeypatch.setattr(LogFile, "append", real)
    time.sleep(0.1)
    assert session.journal.flush()
    assert session.journal.trouble is None
    assert detect.dump(session.recovered().loaded) == detect.dump(edited(session.clean, "two"))


def test_a_folder_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path / "journal", each=0.01)

    def refuse(*_: Any) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with monkeypatch.context() as patch:
        patch.setattr(LogFile, "__init__", refuse)
        journal.record((), {"x": 1})
        assert not journal.flush()
        assert list((tmp_path / "journal").iterdir()) == []
    assert journal.flush()
    journal.close()
    (tmp_path / "file").write_bytes(b"")
    nowhere = Journal(tmp_path / "file" / "journal", each=0.01)
    nowhere.record((), {"x": 1})
    assert not nowhere.flush()
    assert isinstance(nowhere.trouble, LorebookError)
    nowhere.close()


def test_whatever_goes_wrong_the_thread_lives_on(session: Session) -> None:
    session.journal.record((), {"x": object()})
    assert not session.journal.flush()
    assert session.journal.trouble is not None
    assert "TypeError" in session.journal.trouble.found
    session.keep(session.unsaved(edited(session.clean, "one")))


def test_a_folder_that_somebody_took_away_is_made_again(session: Session) -> None:
    session.keep(session.unsaved(edited(session.clean, "one")))
    session.log.unlink()
    session.keep(session.unsaved(edited(session.clean, "two")))
    assert detect.dump(session.recovered().loaded) == detect.dump(edited(session.clean, "two"))


def test_what_is_damaged_is_told_and_the_rest_comes_back(session: Session) -> None:
    session.keep(session.unsaved(edited(session.clean, "one")))
    session.journal.close()
    records = journal_log.read(session.log)
    assert [record.about["kind"] for record in records] == ["session", "file", "edit", "moment"]
    broken = Record({**records[2].about, "lengths": {"0": 5}}, records[2].body)
    other = Record({**records[1].about, "key": "2", "path": "b.json"}, records[1].body)
    session.log.write_bytes(b"".join(r.packed() for r in [*records[:2], broken, other, records[3]]))
    with_next = Journal(session.folder)
    recovery = with_next.recover(with_next.pending()[0])
    assert [error.where for error in recovery.lost] == [str(session.path)]
    assert [file.path.name for file in recovery.files] == ["b.json"]
    with_next.close()


def test_an_old_session_that_holds_nothing_is_swept_away(session: Session) -> None:
    young, old = session.folder / "young", session.folder / "old"
    for home in (young, old):
        home.mkdir(parents=True)
        (home / LOCK).write_bytes(b"")
    os.utime(old, (1, 1))
    assert Journal(session.folder).pending() == ()
    assert young.exists() or not old.exists()
    assert sorted(home.name for home in session.folder.iterdir()) == ["young"]


def test_an_unreadable_log_is_no_record(tmp_path: Path) -> None:
    assert journal_log.read(tmp_path / "none") == []


def test_where_there_are_no_locks_the_process_number_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_lock, "_lock", lambda _: False)
    monkeypatch.setattr(process_lock, "_knows_no_locks", lambda _: True)
    path = tmp_path / "lock"
    first = process_lock.acquire(path)
    assert first is not None
    assert process_lock.acquire(path) is None
    first.release()
    first.release()
    path.write_bytes(b"\0" + b"999999999")
    gone = process_lock.acquire(path)
    assert gone is not None
    gone.release()


def test_a_lock_is_held_until_it_is_released(tmp_path: Path) -> None:
    first = process_lock.acquire(tmp_path / "lock")
    assert first is not None
    assert process_lock.acquire(tmp_path / "lock") is None
    first.release()
    second = process_lock.acquire(tmp_path / "lock")
    assert second is not None
    second.release()
