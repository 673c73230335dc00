"""The sheet: sorted, marked, edited many at once with every change shown first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.tui.scene import scene_of
from lorebook_tui.tui.screens.asking import Confirmation
from lorebook_tui.tui.screens.sheet_work import _numbering, _parts
from lorebook_tui.tui.views.sheet_table import FIRST, column, offered, widths, with_column
from lorebook_tui.workspace import edits
from lorebook_tui.workspace.opening import open_workspace
from tests.tui.action_cases.sheet import marked, orders, titles

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lorebook_tui.tui.scene import Scene

    OpenBench = Callable[..., Any]

SIZES = {"60x16": (60, 16), "80x24": (80, 24), "120x40": (120, 40), "180x50": (180, 50)}


@pytest.mark.parametrize("size", SIZES)
async def test_screen(size: str, open_bench: OpenBench, scene: Scene, golden: Callable[[str, str], None]) -> None:
    async with open_bench(scene, SIZES[size]) as bench:
        await bench.press("f6", "right", "right", "o", "space", "space")
        golden(f"sheet-{size}", bench.text())


async def test_sort_goes_round(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f6")
        as_in_the_tree = titles(bench)
        await bench.press("right", "right", "o")
        upwards = titles(bench)
        assert upwards[0] == "Later"
        await bench.press("o")
        downwards = titles(bench)
        assert downwards[0] == "World rules"
        assert sorted(downwards) == sorted(upwards)
        await bench.press("o")
        assert titles(bench) == as_in_the_tree


async def test_what_is_marked_gets_the_value_after_a_look(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f6", "right", "right", "home", "space", "space", "e", *"+5", "enter")
        assert isinstance(bench.app.screen, Confirmation)
        assert "Order: 200 → 205" in bench.text()
        assert orders(bench)[:2] == [200, 150]
        await bench.press("y")
        assert orders(bench)[:3] == [205, 155, 90]
        await bench.press("u")
        assert orders(bench)[:2] == [200, 150]


async def test_every_change_is_counted_and_can_be_read(open_bench: OpenBench, tmp_path: Path) -> None:
    entries = {str(uid): {"uid": uid, "key": ["a"], "content": "x", "order": 100} for uid in range(1200)}
    path = tmp_path / "many.json"
    path.write_text(json.dumps({"entries": entries}), "utf-8")
    async with open_bench(scene_of(open_workspace([path]))) as bench:
        await bench.press("f6", "a", "f", *"order=7", "enter")
        assert "1,200 changes" in bench.text()
        await bench.press("end")
        assert "Order: 100 → 7" in bench.text()
        assert "more lines" not in bench.text()


async def test_a_look_at_what_is_no_longer_so_changes_nothing(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f6", "right", "right", "home", "space", "e", *"+5", "enter")
        bench.screen.edit(lambda workspace: edits.delete_entries(workspace, [list(scene.refs())[-1]]))
        await bench.settle()
        await bench.press("y")
        assert 205 not in orders(bench)


async def test_no_is_no(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f6", "right", "right", "e", *"7", "enter", "n")
        assert 7 not in orders(bench)
        assert bench.screen.desk.dirty == ()


async def test_set_several_fields(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f6", "home", "f")
        bench.app.screen.query_one("#answer").value = "order=1 key=+wave"
        await bench.press("enter", "y")
        chosen = bench.screen.scene.entry(bench.screen.chosen)
        assert (chosen.get("order"), chosen.keys) == (1, ("wave",))


async def test_what_cannot_be_set_is_said_with_what_is_wanted(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f6", "f", *"order=+10,")
        assert "found:" in bench.text().replace("\n", " "), bench.text()


async def test_find_and_replace_shows_every_place(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f6", "h")
        bench.app.screen.query_one("#answer").value = "bell"
        await bench.press("enter")
        bench.app.screen.query_one("#answer").value = "gong"
        await bench.press("enter", "k")
        assert isinstance(bench.app.screen, Confirmation)
        assert "2 changes" in bench.text()
        await bench.press("y")
        keys = [entry.keys for _, book in bench.screen.scene.layers for entry in book.entries]
        assert keys.count(("gong",)) == 2
        assert ("bell",) not in keys


async def replaced(bench: Any, find: str, put: str, *keys: str) -> None:
    """Find and replace from the sheet, up to the look at what would change."""
    await bench.press("f6", "h")
    bench.app.screen.query_one("#answer").value = find
    await bench.press("enter")
    bench.app.screen.query_one("#answer").value = put
    await bench.press("enter", *keys)


async def test_an_empty_replacement_deletes(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await replaced(bench, "salt and ", "")
        assert "'salt and ' is deleted." in bench.text()
        await bench.press("c", "y")
        contents = [entry.content for _, book in bench.screen.scene.layers for entry in book.entries]
        assert "The ferry carries letters." in contents
        await bench.press("u")
        assert any(note.message == "Undid: delete 'salt and '." for note in bench.app._notifications)


async def test_there_must_be_something_to_find(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f6", "h", "enter")
        assert "There is nothing to find." in bench.text()
        await bench.press("escape", "f", "enter")
        assert "Nothing stands in the line yet." in bench.text()


async def test_enter_replaces_everywhere_and_arrows_choose_where(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await replaced(bench, "bell", "gong", "enter")
        assert "5 changes" in bench.text(), bench.text()
        await bench.press("n")
        await replaced(bench, "bell", "gong", "down", "down", "enter")
        assert "2 changes" in bench.text()


async def test_a_pattern_is_shown_as_it_was_written(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        pattern = r"/(\w+) and (\w+)/"
        await replaced(bench, pattern, "$2 or $1")
        assert f"'{pattern}' becomes '$2 or $1'." in bench.text()
        await bench.press("enter", "y", "u")
        assert any(pattern in note.message for note in bench.app._notifications)


async def test_a_look_says_how_much_of_it_is_below(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene, (80, 24)) as bench:
        await replaced(bench, "mill", "mall", "enter")
        assert " more, ↓" in bench.text()
        await bench.press("end")
        assert " more, ↓" not in bench.text()


async def test_renumber_from_the_lowest(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f6", "a", "n", "enter", "y")
        assert sorted(orders(bench)) == [100 + 10 * number for number in range(12)]


@pytest.mark.parametrize(
    ("words", "asked"),
    [("renumber", "New orders for 12 entries"), ("find and replace", "Find in 12 entries"), ("set fields", "1 entry")],
)
async def test_the_palette_works_on_the_rows_of_a_sheet_that_was_closed(
    words: str, asked: str, open_bench: OpenBench, scene: Scene
) -> None:
    async with open_bench(scene) as bench:
        await bench.press("ctrl+p")
        bench.app.screen.query_one("#query").value = words
        await bench.press("enter")
        assert asked in bench.text()
        await bench.press("escape")
        assert len(titles(bench)) == 12
        assert "World rules" in bench.text()


async def test_the_filter_of_the_tree_narrows_the_sheet(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("slash", *"order:>100", "enter", "f6")
        assert titles(bench) == ["World rules", "The bell"]
        await bench.press("a")
        assert marked(bench) == 2


async def test_columns_can_be_chosen(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene, (180, 50)) as bench:
        await bench.press("f6", "z", "z", "i", *"sticky", "enter")
        assert "Sticky" in bench.text()
        await bench.press("i", *"sticky", "enter")
        assert "Sticky" not in bench.text()


def test_columns_are_those_of_the_table_and_some_facts() -> None:
    names = {each.name for each in offered()}
    assert {"title", "tokens", "order", "sticky", "probability"} <= names
    columns = tuple(map(column, FIRST))
    assert with_column(with_column(columns, "depth"), "depth") == columns
    assert with_column(columns, "title") == columns


@pytest.mark.parametrize("room", [5, 20, 40, 80, 200])
def test_columns_never_take_more_than_the_room(room: int) -> None:
    found = widths(tuple(map(column, FIRST)), room)
    assert sum(found) + len(found) <= max(room, 0)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("100 10", (100, 10, False)), ("5", (5, 10, False)), ("1 2 down tree", (1, 2, True))],
)
def test_numbering(text: str, shown: tuple[float, float, bool]) -> None:
    made = _numbering(text)
    assert (made.start, made.step, made.descending) == shown


@pytest.mark.parametrize("text", ["1 0", "sideways", "1 -2"])
def test_numbering_that_cannot_be_meant(text: str) -> None:
    with pytest.raises(UsageError):
        _numbering(text)


def test_parts_keep_what_is_in_quotes() -> None:
    assert _parts("order=1 'key=+old mill'") == ["order=1", "key=+old mill"]
    with pytest.raises(UsageError):
        _parts("key='old")
