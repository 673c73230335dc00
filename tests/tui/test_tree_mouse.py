"""The mouse in the tree: clicks, marks and dragging, where the line shows what would happen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.model.layers import Layer
from lorebook_tui.tui.scene import scene_of
from lorebook_tui.tui.targets import ToBranch
from tests.tui.conftest import small_workspace
from tests.tui.test_tree import WIDE, titles, tree_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lorebook_tui.tui.scene import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return scene_of(small_workspace(tmp_path))


def row_of(bench: Any, words: str) -> int:
    """The line of the tree that holds some words."""
    return next(number for number, line in enumerate(tree_text(bench).splitlines()) if words in line)


async def drag(bench: Any, start: str, end: str, *, release: bool = True, **modifiers: bool) -> None:
    first, last = row_of(bench, start), row_of(bench, end)
    await bench.pilot.mouse_down("#tree", offset=(12, first))
    step = 1 if last > first else -1
    for row in range(first, last + step, step):
        await move(bench, row)
    if release:
        await bench.pilot.mouse_up("#tree", offset=(12, last), **modifiers)
    await bench.settle()


async def move(bench: Any, row: int) -> None:
    """Move the mouse with its button held, as a terminal reports it."""
    from textual.events import MouseMove

    tree = bench.screen.layer_tree
    x, y = tree.region.x + 12, tree.region.y + row
    event = MouseMove(tree, x, y, 0, 0, 1, False, False, False, x, y)
    bench.app.screen._forward_event(event)
    await bench.pilot.pause()


def underlined(bench: Any) -> list[int]:
    """Lines of the tree with the line where something would fall."""
    tree = bench.screen.layer_tree
    lines = (tree.render_line(y) for y in range(tree.size.height))
    return [
        y
        for y, strip in enumerate(lines)
        if all(segment.style and segment.style.underline for segment in strip if segment.text)
    ]


async def test_a_click_chooses_and_a_double_click_opens(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.click_text("The bell", within="#tree")
        assert bench.title == "The bell"
        assert bench.screen.layer_tree.has_focus
        row = row_of(bench, "The ferry")
        await bench.pilot.click("#tree", offset=(12, row), times=2)
        await bench.settle()
        assert bench.title == "The ferry"
        assert not bench.screen.layer_tree.has_focus


async def test_clicks_with_ctrl_and_shift_mark(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.pilot.click("#tree", offset=(12, row_of(bench, "The bell")), control=True)
        await bench.pilot.click("#tree", offset=(12, row_of(bench, "The guild")), shift=True)
        await bench.settle()
        marked = [bench.screen.scene.entry(ref).title for ref in bench.screen.layer_tree.marked]
        assert marked == ["The bell", "The ferry", "The mill", "The guild"]
        await bench.pilot.click("#tree", offset=(12, row_of(bench, "The ferry")), control=True)
        await bench.settle()
        assert len(bench.screen.layer_tree.marked) == 3


async def test_dragging_up_and_down_changes_the_order(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await drag(bench, "The guild", "The bell", release=False)
        assert underlined(bench) == [row_of(bench, "World rules")], "the line under the row above"
        await bench.pilot.mouse_up("#tree", offset=(12, row_of(bench, "The bell")))
        await bench.settle()
        assert underlined(bench) == []
        assert titles(bench)[:3] == ["World rules", "The guild", "The bell"]
        await drag(bench, "World rules", "The ferry")
        assert titles(bench)[:4] == ["The guild", "The bell", "The ferry", "World rules"]
        assert bench.screen.desk.undo_told == "move 'World rules' in the order"


async def test_dragging_to_another_book_moves_and_with_ctrl_copies(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene, WIDE) as bench:
        await drag(bench, "The guild", "Mira's oath")
        assert titles(bench, Layer.CHARACTER) == ["Mira's oath", "The guild"]
        await drag(bench, "The bell", "▾ you", control=True)
        assert titles(bench, Layer.PERSONA) == ["Your coat", "The bell"]
        assert "The bell" in titles(bench)


async def test_what_is_marked_is_dragged_together(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("v", "v")
        await drag(bench, "The guild", "World rules")
        assert titles(bench)[:3] == ["The mill", "The guild", "World rules"]
        assert bench.screen.desk.undo_told == "move 2 entries in the order"


async def test_a_book_is_dragged_to_another_layer(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await drag(bench, "▾ mira", "4 Chat")
        assert [opened.book.name for opened in bench.screen.desk.workspace.of(Layer.CHAT)] == ["mira"]


async def test_entries_and_folders_are_dragged_into_folders(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("f", "enter", *"Mills", "enter", "n", *"Axle", "enter")
        bench.screen.layer_tree.point_at(ToBranch(Layer.GLOBAL, 0))
        await bench.press("f", *"Places", "enter")
        await drag(bench, "The ferry", "▾ Places")
        ferry = next(
            ref for ref in bench.screen.layer_tree.listed() if bench.screen.scene.entry(ref).title == "The ferry"
        )
        assert bench.screen.layer_tree.folder_of(ferry) == "Places"
        await drag(bench, "▾ Mills", "▾ Places")
        assert "      ▾ Mills" in tree_text(bench)
        await drag(bench, "The ferry", "The guild")
        ferry = next(
            ref for ref in bench.screen.layer_tree.listed() if bench.screen.scene.entry(ref).title == "The ferry"
        )
        assert bench.screen.layer_tree.folder_of(ferry) == "", "beside an entry outside of all folders"


async def test_escape_ends_a_drag(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await drag(bench, "The guild", "The bell", release=False)
        await bench.press("escape")
        assert underlined(bench) == []
        await bench.pilot.mouse_up("#tree", offset=(12, row_of(bench, "The bell")))
        await bench.settle()
        assert not bench.screen.desk.undo_told
