"""The desk: undo across books, what is dirty, saving, renaming, other people's changes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.formats import detect
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace import edits
from lorebook_tui.workspace.backups import BackupPolicy
from lorebook_tui.workspace.desk import Desk
from lorebook_tui.workspace.edits import Edited, FieldChange
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.store import ChangedOnDiskError, FileThereError

if TYPE_CHECKING:
    from pathlib import Path

    from lorebook_tui.workspace.workspace import Workspace

FIRST = EntryRef(Layer.GLOBAL, 0, 0)
OTHER = EntryRef(Layer.GLOBAL, 1, 0)


def world(*titles: str) -> str:
    entries = {
        str(uid): {"uid": uid, "key": [title], "comment": title, "content": title, "order": 100}
        for uid, title in enumerate(titles)
    }
    return json.dumps({"entries": entries}, indent=4)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "worlds"
    home.mkdir()
    (home / "harbour.json").write_text(world("bell", "ferry"), "utf-8")
    (home / "mill.json").write_text(world("mill"), "utf-8")
    return home


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(folder: Path, tmp_path: Path, clock: Clock) -> Desk:
    opened = open_workspace([folder / "harbour.json", folder / "mill.json"])
    return Desk(opened, clock, BackupPolicy(tmp_path / "backups"))


def set_order(desk: Desk, ref: EntryRef, value: int, group: str | None = None) -> None:
    desk.do(edits.set_fields(desk.workspace, [FieldChange(ref, "order", value)]), group)


def order(workspace: Workspace, ref: EntryRef) -> object:
    return edits.entry_at(workspace, ref).get("order")


def test_undo_and_redo_go_across_books(desk: Desk) -> None:
    set_order(desk, FIRST, 1)
    set_order(desk, OTHER, 2)
    assert [source.name for source in desk.dirty] == ["harbour.json", "mill.json"]
    assert desk.undo_told == "set order of 'mill'"
    step = desk.undo()
    assert step
    assert (order(desk.workspace, FIRST), order(desk.workspace, OTHER)) == (1, 100)
    desk.undo()
    assert desk.dirty == ()
    assert desk.undo() is None
    desk.redo()
    desk.redo()
    assert (order(desk.workspace, FIRST), order(desk.workspace, OTHER)) == (1, 2)
    assert desk.redo() is None


def test_an_edit_after_undo_forgets_what_was_undone(desk: Desk) -> None:
    set_order(desk, FIRST, 1)
    desk.undo()
    set_order(desk, FIRST, 3)
    assert desk.redo_told == ""
    assert order(desk.workspace, FIRST) == 3


def test_typing_is_one_step_until_one_pauses(desk: Desk, clock: Clock) -> None:
    for value in (1, 2, 3):
        clock.now += 1
        set_order(desk, FIRST, value, "typing")
    clock.now += 2
    set_order(desk, FIRST, 4, "typing")
    desk.undo()
    assert order(desk.workspace, FIRST) == 3
    desk.undo()
    assert order(desk.workspace, FIRST) == 100


def test_other_groups_stand_on_their_own(desk: Desk) -> None:
    set_order(desk, FIRST, 1, "typing")
    set_order(desk, FIRST, 2, "other")
    desk.close_group()
    set_order(desk, FIRST, 3, "other")
    assert [desk.undo() is not None for _ in range(4)] == [True, True, True, False]


def test_save_changes_exactly_the_edited_line(desk: Desk, folder: Path) -> None:
    before = (folder / "harbour.json").read_text("utf-8").splitlines()
    set_order(desk, FIRST, 250)
    (source,) = desk.dirty
    saved = desk.save(source)
    after = (folder / "harbour.json").read_text("utf-8").splitlines()
    assert [line for line in after if line not in before] == ['            "order": 250']
    assert len(after) == len(before)
    assert desk.dirty == ()
    assert saved.backup
    assert saved.backup.read_text("utf-8").splitlines() == before
    assert sorted(path.name for path in folder.iterdir()) == ["harbour.json", "mill.json"]


def test_undo_after_save_is_dirty_again(desk: Desk) -> None:
    set_order(desk, FIRST, 250)
    desk.save(desk.dirty[0])
    desk.undo()
    assert [source.name for source in desk.dirty] == ["harbour.json"]
    desk.save(desk.dirty[0])
    desk.redo()
    assert [source.name for source in desk.dirty] == ["harbour.json"]


def test_a_file_that_somebody_else_changed_is_not_overwritten(desk: Desk, folder: Path) -> None:
    set_order(desk, FIRST, 250)
    path = folder / "harbour.json"
    path.write_text(world("bell", "ferry", "storm"), "utf-8")
    source = desk.dirty[0]
    with pytest.raises(ChangedOnDiskError):
        desk.save(source)
    assert "storm" in path.read_text("utf-8")
    theirs = desk.read_again(source)
    desk.take_over(source, theirs, theirs, "take what is on the disk")
    assert list(desk.dirty) == []
    assert len(desk.workspace.books[0].book.entries) == 3
    desk.undo()
    desk.save(desk.dirty[0])
    assert "storm" not in path.read_text("utf-8")


def test_save_by_force_keeps_a_backup_of_what_was_there(desk: Desk, folder: Path) -> None:
    set_order(desk, FIRST, 250)
    (folder / "harbour.json").write_text(world("storm"), "utf-8")
    saved = desk.save(desk.dirty[0], force=True)
    assert saved.backup
    assert "storm" in saved.backup.read_text("utf-8")


def test_save_as_leaves_the_old_file_and_goes_on_with_the_new_one(desk: Desk, folder: Path) -> None:
    before = (folder / "harbour.json").read_bytes()
    set_order(desk, FIRST, 250)
    with pytest.raises(FileThereError):
        desk.save_as(desk.dirty[0], folder / "mill.json")
    desk.save_as(desk.dirty[0], folder / "port.json")
    assert (folder / "harbour.json").read_bytes() == before
    assert desk.workspace.books[0].book.name == "port"
    assert not any(desk.dirty)
    set_order(desk, FIRST, 251)
    desk.save(desk.dirty[0])
    assert "251" in (folder / "port.json").read_text("utf-8")


def test_a_renamed_file_leaves_its_old_place_when_it_is_saved(desk: Desk, folder: Path) -> None:
    source = desk.workspace.sources[0]
    moved = replace(source, path=folder / "port.json", loaded=source.loaded.renamed("port.json"))
    desk.do(Edited(edits.with_source(desk.workspace, source.ident, moved), "rename harbour to port"))
    assert [each.name for each in desk.dirty] == ["port.json"]
    desk.save(desk.dirty[0])
    assert sorted(path.name for path in folder.iterdir()) == ["mill.json", "port.json"]
    desk.undo()
    desk.save(desk.dirty[0])
    assert sorted(path.name for path in folder.iterdir()) == ["harbour.json", "mill.json"]


def test_a_new_file_does_not_take_the_place_of_another_one(desk: Desk, folder: Path) -> None:
    loaded = detect.load(world("x").encode(), "mill.json")
    from lorebook_tui.workspace.files import Source

    source = Source(folder / "mill.json", loaded)
    desk.do(edits.attach(desk.workspace, source, Layer.PERSONA))
    assert desk.is_new(source)
    assert desk.base(source) is None
    with pytest.raises(FileThereError):
        desk.save(source)


def test_options_are_dirty_until_they_are_saved(desk: Desk) -> None:
    assert not desk.are_options_dirty
    desk.do(edits.set_options(desk.workspace, "set the seed to 7", seed=7))
    assert desk.are_options_dirty
    assert desk.dirty == ()
    desk.mark_options_saved()
    assert not desk.are_options_dirty
    desk.undo()
    assert desk.are_options_dirty


def test_watchers_hear_of_every_change(desk: Desk) -> None:
    seen: list[int] = []
    desk.watchers.append(lambda workspace: seen.append(len(workspace.books)))
    set_order(desk, FIRST, 1)
    desk.undo()
    desk.do(edits.set_fields(desk.workspace, []))
    assert seen == [2, 2]
    assert desk.revision == 2
