"""Work on the tree in the running program: entries, marks, order, books and folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tui.scene import scene_of
from lorebook_tui.tui.screens.asking import Confirmation, Question
from lorebook_tui.tui.screens.tree_targets import InPlace
from lorebook_tui.tui.targets import ToBranch, ToEntry
from lorebook_tui.workspace.edits import delete_entries
from lorebook_tui.workspace.workspace import Workspace
from tests.tui.conftest import small_workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lorebook_tui.tui.scene import Scene

WIDE = (180, 50)
GLOBAL = Layer.GLOBAL


def titles(bench: Any, layer: Layer = GLOBAL, book: int = 0) -> list[str]:
    """As the tree shows them."""
    tree, scene = bench.screen.layer_tree, bench.screen.scene
    return [scene.entry(ref).title for ref in tree.inside(ToBranch(layer, book))]


def text(bench: Any, layer: Layer = GLOBAL, book: int = 0) -> str:
    return str(bench.screen.desk.workspace.of(layer)[book].source.loaded.document.text)


def tree_text(bench: Any) -> str:
    region = bench.screen.layer_tree.region
    lines = bench.text().splitlines()[region.y : region.bottom]
    return "\n".join(line[region.x : region.right].rstrip() for line in lines)


def told(bench: Any) -> list[str]:
    return [notice.message for notice in bench.app._notifications]


def below_the_breadcrumb(bench: Any) -> str:
    return str(bench.text().partition("\n")[2])


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return scene_of(small_workspace(tmp_path))


async def test_a_new_entry_gets_its_title_at_once(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        before = text(bench)
        await bench.press("n", *"The lamp", "enter")
        assert bench.title == "The lamp"
        assert bench.screen.layer_tree.has_focus
        assert bench.screen.layer_tree.cursor_target == ToEntry(EntryRef(GLOBAL, 0, 10))
        assert "harbour ●" in tree_text(bench)
        await bench.press("u", "u")
        assert text(bench) == before
        assert "harbour ●" not in tree_text(bench)
        await bench.press("ctrl+y", "ctrl+y")
        assert bench.title == "The lamp"


async def test_renaming_in_place_keeps_what_is_typed_until_it_can_be_taken(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("home", "down", "r")
        line = bench.screen.query_one(InPlace)
        line.value = "a/b"
        await bench.press("enter")
        assert bench.screen.query_one(InPlace).value == "a/b", "a refused name stays in the line"
        line.value = "haven"
        await bench.press("enter")
        assert not bench.screen.query(InPlace)
        assert "▾ haven" in tree_text(bench)
        assert bench.screen.desk.workspace.of(GLOBAL)[0].source.path.name == "haven.json"
        await bench.press("r", *"x", "escape")
        assert "▾ haven" in tree_text(bench)
        await bench.press("down", "r", *"Rules", "tab")
        assert "Rules" in titles(bench), "leaving the line takes it"


@pytest.mark.parametrize("keys", [("ctrl+d", "u"), ("ctrl+c", "ctrl+v", "u")], ids=["duplicated", "pasted"])
async def test_marks_on_entries_that_are_gone_again_go_too(
    open_bench: Callable[..., Any], scene: Scene, keys: tuple[str, ...]
) -> None:
    async with open_bench(scene, WIDE) as bench:
        tree = bench.screen.layer_tree
        last = len(bench.screen.scene.book(Layer.GLOBAL, 0).entries) - 1
        bench.screen.choose_entry(EntryRef(Layer.GLOBAL, 0, last))
        tree.mark([EntryRef(Layer.GLOBAL, 0, last - 1), EntryRef(Layer.GLOBAL, 0, last)])
        await bench.press(*keys)
        assert len(bench.screen.scene.book(Layer.GLOBAL, 0).entries) == last + 1
        assert all(bench.screen.scene.has(ref) for ref in tree.marked)


async def test_marks_go_when_somebody_else_takes_the_entries_away(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        tree, desk = bench.screen.layer_tree, bench.screen.desk
        last = len(bench.screen.scene.book(Layer.GLOBAL, 0).entries) - 1
        refs = [EntryRef(Layer.GLOBAL, 0, last - 1), EntryRef(Layer.GLOBAL, 0, last)]
        bench.screen.choose_entry(refs[1])
        tree.mark(refs)
        desk.do(delete_entries(desk.workspace, refs))
        bench.screen.take_workspace()
        await bench.settle()
        assert tree.marked == []
        assert bench.screen.scene.has(bench.screen.chosen)


async def test_space_switches_all_that_is_marked_as_one_step(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("v", "v", "space")
        assert [bench.screen.scene.entry(ref).is_on("disable") for ref in bench.screen.layer_tree.marked] == [
            True,
            True,
        ]
        assert "Layers: 2 marked" in bench.text()
        assert bench.screen.desk.undo_told == "disable 2 entries"
        await bench.press("space")
        assert bench.screen.desk.undo_told == "enable 2 entries"
        await bench.press("u", "u")
        assert not bench.screen.desk.dirty
        assert len(bench.screen.layer_tree.marked) == 2
        await bench.press("escape")
        assert bench.screen.layer_tree.marked == []
        assert "marked" not in bench.text()


async def test_deleting_asks_and_tells(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        before = text(bench)
        await bench.press("v", "v", "d")
        assert isinstance(bench.app.screen, Confirmation)
        assert "Delete 2 entries?" in bench.text()
        await bench.press("n")
        assert text(bench) == before
        await bench.press("d", "y")
        assert titles(bench)[3] == "The crowd"
        assert bench.title == "The crowd"
        assert any("delete 2 entries" in message for message in told(bench))
        await bench.press("u")
        assert text(bench) == before


async def test_moving_to_another_book_speaks_its_names(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("b", *"mira", "enter")
        assert titles(bench, Layer.CHARACTER) == ["Mira's oath", "The mill"]
        assert "The mill" not in titles(bench)
        assert bench.screen.chosen == EntryRef(Layer.CHARACTER, 0, 1)
        assert bench.screen.desk.undo_told == "move 'The mill' to mira"
        await bench.press("o", *"harbour", "enter")
        assert titles(bench)[-1] == "The mill"
        await bench.press("u", "u")
        assert not bench.screen.desk.dirty


async def test_moving_into_a_new_book_makes_it_first(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("b", *"chat", "enter", "enter")
        assert isinstance(bench.app.screen, Question)
        await bench.press(*"harbour", "enter")
        assert isinstance(bench.app.screen, Question), "there is a file of that name"
        assert "already" in bench.text()
        await bench.press(*"-chat", "enter")
        assert titles(bench, Layer.CHAT) == ["The mill"]
        assert "▾ harbour-chat ●" in tree_text(bench)
        assert text(bench, Layer.CHAT).startswith('{\n    "entries": {\n        "0": {')


async def test_a_new_book_is_saved_from_its_row(
    open_bench: Callable[..., Any], scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOREBOOK_STATE_DIR", str(tmp_path / "state"))
    async with open_bench(scene, WIDE) as bench:
        await bench.press("4", "ctrl+n", "enter", *"isles", "enter")
        assert "▾ isles ●" in tree_text(bench)
        await bench.press("f2")
        assert (tmp_path / "isles.json").read_text("utf-8").startswith("{")
        assert "▾ isles ●" not in tree_text(bench)


async def test_order_by_keys_changes_what_the_tree_shows_only(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("K", "ctrl+up", "alt+up")
        assert titles(bench)[:2] == ["The mill", "World rules"]
        await bench.press("ctrl+up")
        assert any("first one already" in message for message in told(bench))
        await bench.press("v", "v", "J")
        assert titles(bench)[:3] == ["The bell", "The mill", "World rules"], "two that are marked move together"
        assert bench.screen.scene.book(GLOBAL, 0).entries[0].title == "World rules"


async def test_a_folder_is_made_of_the_name_that_was_typed(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (80, 24)) as bench:
        tree = bench.screen.layer_tree
        await bench.press("down", "down", "down", "f", *"NPCs")
        assert "new folder 'NPCs'" in bench.text()
        await bench.press("enter")
        assert tree.folder_of(bench.screen.chosen) == "NPCs"
        # A part of a name means the folder that is there; what is only similar to one does not.
        await bench.press("down", "f", *"npc", "enter")
        assert tree.folder_of(bench.screen.chosen) == "NPCs"
        await bench.press("down", "f", *"NPCX", "enter")
        assert tree.folder_of(bench.screen.chosen) == "NPCX"
        await bench.press("down", "f", *"NPCs")
        assert "new folder 'NPCs'" not in bench.text()


async def test_folders(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        before = text(bench)
        await bench.press("v", "v", "f", "enter", *"Places/Mills", "enter")
        assert "    ▾ Places" in tree_text(bench)
        assert "      ▾ Mills " in tree_text(bench)
        assert bench.screen.layer_tree.folder_of(bench.screen.chosen) == "Places/Mills"
        await bench.press("escape", "left")
        assert bench.screen.layer_tree.cursor_target == ToBranch(GLOBAL, 0, "Places/Mills")
        await bench.press("r", *"Wheels", "enter")
        assert "▾ Wheels" in tree_text(bench)
        await bench.press("n", *"Axle", "enter")
        assert bench.screen.layer_tree.folder_of(bench.screen.chosen) == "Places/Wheels"
        await bench.press("left", "left")
        assert "▸ Wheels" in tree_text(bench)
        assert "Axle" not in tree_text(bench)
        await bench.press("d")
        assert "Wheels" not in tree_text(bench)
        assert "Axle" in tree_text(bench)
        while bench.screen.desk.undo_told:
            await bench.press("u")
        assert text(bench) == before


async def test_books_in_their_layers(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("home", "down", "b", *"persona", "enter")
        assert [opened.book.name for opened in bench.screen.desk.workspace.of(Layer.PERSONA)] == ["you", "harbour"]
        assert bench.screen.layer_tree.branches.is_open(ToBranch(Layer.PERSONA, 1))
        bench.screen.layer_tree.point_at(ToBranch(Layer.PERSONA, 1))
        await bench.press("K")
        assert [opened.book.name for opened in bench.screen.desk.workspace.of(Layer.PERSONA)] == ["harbour", "you"]
        await bench.press("o", *"chat", "enter")
        assert [opened.book.name for opened in bench.screen.desk.workspace.of(Layer.CHAT)] == ["harbour"]
        bench.screen.layer_tree.point_at(ToBranch(Layer.CHAT, 0))
        await bench.press("d")
        assert "stays on the disk" in bench.text()
        await bench.press("y")
        assert bench.screen.desk.workspace.of(Layer.CHAT) == ()
        assert not bench.screen.desk.dirty, "no file changed"


async def test_marks_of_a_filter(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("slash", *"order:>=100", "enter", "a")
        marked = [bench.screen.scene.entry(ref).title for ref in bench.screen.layer_tree.marked]
        assert marked == ["World rules", "The bell", "Old map", "Meaning", "Nowhere", "Your coat"]
        await bench.press("space")
        assert "6 of 12" in bench.text(), "the filter stays"
        await bench.press("a")
        assert bench.screen.layer_tree.marked == []


async def test_what_cannot_be_meant_says_so(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("home", "space", "ctrl+d", "d", "r", "K", "f")
        assert len(bench.app.screen_stack) == 1
        assert len(told(bench)) == 6
        assert not bench.screen.desk.dirty


async def test_nothing_open_tells_what_to_do(
    open_bench: Callable[..., Any], golden: Callable[[str, str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with open_bench(scene_of(Workspace(tokenizer="estimate")), (80, 24)) as bench:
        golden("tree-empty", below_the_breadcrumb(bench))
        await bench.press("n", "enter", *"first", "enter", *"Hello", "enter")
        assert titles(bench) == ["Hello"]
        assert bench.screen.desk.workspace.of(GLOBAL)[0].source.path.name == "first.json"
        await bench.press("u", "u", "u")
        assert "Nothing is open yet." in bench.text()
        await bench.click_text("a new book")
        assert bench.app.screen.heading == "New book in the layer global"


STATES: dict[str, tuple[str, ...]] = {
    "tree-marked": ("v", "v", "K"),
    "tree-rename": ("r",),
    "tree-folders": ("v", "v", "f", "enter", *"Places/Mills", "enter", "escape"),
    "tree-delete": ("v", "v", "v", "d"),
    "tree-move": ("b",),
    "tree-question": ("ctrl+n", "enter", *"nul"),
    "tree-query": ("slash", *"order:x"),
    "tree-sticky": ("left_curly_bracket",),
}


@pytest.mark.parametrize("size", ["60x16", "80x24"])
@pytest.mark.parametrize("state", STATES)
async def test_state(
    state: str,
    size: str,
    open_bench: Callable[..., Any],
    golden: Callable[[str, str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lorebook_tui.tui.screens.editing.Editing.tell", lambda *_, **__: None)
    monkeypatch.chdir("/")
    width, height = map(int, size.split("x"))
    async with open_bench(scene_of(small_workspace()), (width, height)) as bench:
        await bench.press(*STATES[state])
        golden(f"{state}-{size}", below_the_breadcrumb(bench))
