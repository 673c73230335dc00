"""Saving from the screen, other people's changes, recovery, leaving."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from textual.widgets import Input

from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tui.scene import scene_of
from lorebook_tui.tui.screens.deciding import Decision
from lorebook_tui.tui.screens.file_picker import FilePicker
from lorebook_tui.tui.screens.merging import Merging
from lorebook_tui.tui.screens.tree_files import read_file
from lorebook_tui.workspace import edits
from lorebook_tui.workspace.desk import Desk
from lorebook_tui.workspace.edits import FieldChange
from lorebook_tui.workspace.journal import Journal
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.restoring import note_down

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lorebook_tui.tui.scene import Scene

    OpenBench = Callable[..., Any]

BELL = EntryRef(Layer.GLOBAL, 0, 0)
FERRY = EntryRef(Layer.GLOBAL, 0, 1)


def world(**orders: int) -> str:
    entries = {
        str(uid): {"uid": uid, "key": [name], "comment": name, "content": f"The {name}.", "order": order}
        for uid, (name, order) in enumerate(orders.items())
    }
    return json.dumps({"entries": entries}, indent=4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "harbour.json"
    place.write_text(world(bell=100, ferry=100), "utf-8")
    return place


@pytest.fixture
def saved_scene(path: Path) -> Scene:
    return scene_of(open_workspace([path]))


async def set_order(bench: Any, ref: EntryRef, value: int) -> None:
    bench.screen.edit(lambda workspace: edits.set_fields(workspace, [FieldChange(ref, "order", value)]))
    await bench.settle()


def orders(path: Path) -> list[int]:
    return [entry["order"] for entry in json.loads(path.read_text("utf-8"))["entries"].values()]


async def test_save_changes_the_line_and_nothing_else(open_bench: OpenBench, saved_scene: Scene, path: Path) -> None:
    before = path.read_text("utf-8").splitlines()
    async with open_bench(saved_scene) as bench:
        await set_order(bench, BELL, 250)
        await bench.press("f2")
        after = path.read_text("utf-8").splitlines()
        assert [line.strip() for line in after if line not in before] == ['"order": 250']
        assert bench.screen.desk.dirty == ()
        await bench.press("u", "f2")
        assert path.read_text("utf-8").splitlines() == before


async def test_save_says_when_there_is_nothing_to_save(open_bench: OpenBench, saved_scene: Scene, path: Path) -> None:
    async with open_bench(saved_scene) as bench:
        before = path.stat().st_mtime_ns
        await bench.press("f2", "f10")
        assert path.stat().st_mtime_ns == before


async def test_save_as_goes_on_with_the_new_file(open_bench: OpenBench, saved_scene: Scene, path: Path) -> None:
    async with open_bench(saved_scene) as bench:
        await set_order(bench, BELL, 250)
        bench.screen._save_as(bench.screen.chosen_source(), path.with_name("port.json"))
        await bench.settle()
        assert orders(path) == [100, 100]
        assert orders(path.with_name("port.json")) == [250, 100]
        assert bench.screen.desk.workspace.books[0].book.name == "port"


async def test_a_name_that_cannot_be_saved_under_can_be_mended(
    open_bench: OpenBench, saved_scene: Scene, path: Path
) -> None:
    wanted = path.parent / "nowhere" / "port.json"
    async with open_bench(saved_scene) as bench:
        bench.screen._save_as(bench.screen.chosen_source(), wanted)
        await bench.settle()
        assert isinstance(bench.app.screen, FilePicker)
        assert bench.app.screen.query_one("#query", Input).value == str(wanted)
        assert not wanted.exists()


async def changed_elsewhere(bench: Any, path: Path, text: str) -> Decision:
    """An edit here, another one there, then save: the question."""
    await set_order(bench, BELL, 250)
    path.write_text(text, "utf-8")
    await bench.press("f2")
    assert isinstance(bench.app.screen, Decision)
    return bench.app.screen


async def test_a_changed_file_is_not_overwritten_unasked(open_bench: OpenBench, saved_scene: Scene, path: Path) -> None:
    async with open_bench(saved_scene) as bench:
        await changed_elsewhere(bench, path, world(bell=100, ferry=7))
        assert "ferry" in bench.text()
        await bench.press("escape")
        assert orders(path) == [100, 7]
        assert bench.screen.desk.dirty


@pytest.mark.parametrize(("key", "there"), [("m", [250, 100]), ("t", [100, 7]), ("b", [250, 7])])
async def test_mine_theirs_or_both(
    key: str, there: list[int], open_bench: OpenBench, saved_scene: Scene, path: Path
) -> None:
    async with open_bench(saved_scene) as bench:
        await changed_elsewhere(bench, path, world(bell=100, ferry=7))
        await bench.press(key)
        await bench.settle()
        assert orders(path) == there
        assert bench.screen.desk.dirty == ()


@pytest.mark.parametrize(("keys", "there"), [(("s",), 250), (("t", "s"), 9), (("down", "space", "s"), 9)])
async def test_a_field_that_both_changed_is_asked_about(
    keys: tuple[str, ...], there: int, open_bench: OpenBench, saved_scene: Scene, path: Path
) -> None:
    async with open_bench(saved_scene) as bench:
        await changed_elsewhere(bench, path, world(bell=9, ferry=7))
        await bench.press("b")
        assert isinstance(bench.app.screen, Merging)
        await bench.press(*keys)
        await bench.settle()
        assert orders(path) == [there, 7]


async def test_an_unchanged_file_is_read_again_when_it_changes(
    open_bench: OpenBench, saved_scene: Scene, path: Path
) -> None:
    async with open_bench(saved_scene) as bench:
        bench.screen.look_at_disk()
        path.write_text(world(bell=100, ferry=7, storm=3), "utf-8")
        bench.screen.look_at_disk()
        await bench.settle()
        assert len(bench.screen.scene.book(Layer.GLOBAL, 0).entries) == 3
        assert bench.screen.desk.dirty == ()
        await bench.press("u")
        assert bench.screen.desk.dirty


async def test_leaving_with_changes_asks(open_bench: OpenBench, saved_scene: Scene, path: Path) -> None:
    async with open_bench(saved_scene) as bench:
        await set_order(bench, BELL, 250)
        await bench.press("q")
        assert isinstance(bench.app.screen, Decision)
        assert "harbour.json" in bench.text()
        await bench.press("escape")
        assert not bench.app._exit
        await bench.press("q")
        await bench.pilot.press("s")
        for _ in range(100):
            await bench.pilot.pause(0.02)
            if bench.app._exit:
                break
        assert bench.app._exit
        assert orders(path) == [250, 100]


async def test_what_was_left_unsaved_is_offered_at_the_next_start(
    open_bench: OpenBench, saved_scene: Scene, path: Path
) -> None:
    async with open_bench(saved_scene) as bench:
        await set_order(bench, BELL, 250)
        await bench.press("q")
        await bench.pilot.press("l")
    assert orders(path) == [100, 100]
    async with open_bench(scene_of(open_workspace([path]))) as bench:
        assert isinstance(bench.app.screen, Decision)
        assert "harbour.json" in bench.text()
        await bench.press("r")
        assert edits.entry_at(bench.screen.desk.workspace, BELL).get("order") == 250
        assert [source.name for source in bench.screen.desk.dirty] == ["harbour.json"]
        await bench.press("f2")
        assert orders(path) == [250, 100]
    async with open_bench(scene_of(open_workspace([path]))) as bench:
        assert not isinstance(bench.app.screen, Decision)


async def test_after_saving_a_new_chat_nothing_is_offered(
    open_bench: OpenBench, saved_scene: Scene, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    async with open_bench(saved_scene) as bench:
        await bench.press("c", "i", *"bell", "enter", "escape", "f2")
        assert (path.parent / "chat.jsonl").exists()
        await bench.pilot.press("q")
        assert bench.app._exit
    async with open_bench(scene_of(open_workspace([path]))) as bench:
        assert not isinstance(bench.app.screen, Decision)


async def test_leaving_asks_when_the_workspace_file_has_other_layers(open_bench: OpenBench, path: Path) -> None:
    file = path.with_name("lorebook.toml")
    file.write_text('[books]\nglobal = ["harbour.json"]\n', "utf-8")
    async with open_bench(scene_of(open_workspace([file]))) as bench:
        bench.screen.edit(lambda workspace: edits.detach(workspace, Layer.GLOBAL, 0))
        await bench.settle()
        await bench.press("q")
        assert isinstance(bench.app.screen, Decision)
        assert "the settings of the workspace" in bench.text()


async def test_a_file_that_was_attached_is_not_unsaved(
    open_bench: OpenBench, saved_scene: Scene, tmp_path: Path
) -> None:
    other = tmp_path / "other.json"
    other.write_text('{"entries": {"0": {"uid": 0, "key": ["a"], "content": "b"}}}', "utf-8")
    async with open_bench(saved_scene) as bench:
        bench.screen.post_message(read_file(other, Layer.GLOBAL))
        await bench.settle()
        desk = bench.screen.desk
        assert desk.workspace.of(Layer.GLOBAL)[-1].source.path == other
        assert desk.dirty == ()
        await bench.pilot.press("q")
        assert bench.app._exit


async def test_work_that_a_session_left_is_discarded_only_after_a_second_question(
    open_bench: OpenBench, saved_scene: Scene, path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LOREBOOK_STATE_DIR", str(tmp_path / "state"))
    desk = Desk(open_workspace([path]))
    desk.do(edits.set_fields(desk.workspace, [FieldChange(BELL, "content", "Lost?")]))
    journal = Journal(each=0.01, opened=(path,))
    note_down(journal, desk)
    assert journal.flush()
    journal.close()
    async with open_bench(saved_scene) as bench:
        assert isinstance(bench.app.screen, Decision)
        assert "Unsaved work" in bench.text()
        assert f"{datetime.now(tz=UTC).astimezone():%B %Y}" in bench.text()
        await bench.press("d")
        assert "nothing brings them back" in " ".join(bench.text().split())
        await bench.press("n")
        assert len(bench.screen.journal.pending()) == 1
        bench.screen._offer(bench.screen.journal.pending()[0])
        await bench.settle()
        await bench.press("d", "y")
        assert bench.screen.journal.pending() == ()


async def test_leaving_asks_when_something_is_half_typed(open_bench: OpenBench, saved_scene: Scene) -> None:
    async with open_bench(saved_scene) as bench:
        await bench.press("down", "down", "s", "a", *"half a key", "escape", "q")
        assert isinstance(bench.app.screen, Decision)
        assert "half a key" in bench.text()
        await bench.press("escape")
        assert not bench.app._exit
        await bench.press("q")
        await bench.pilot.press("l")
        assert bench.app._exit
