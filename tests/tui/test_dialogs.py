"""Dialogs under quick fingers: one answer each, and nothing falls over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.tui.screens.arranged import ENTRY, SHEET
from lorebook_tui.tui.screens.asking import said
from lorebook_tui.tui.screens.chooser import Chooser
from lorebook_tui.tui.screens.deciding import Decision
from lorebook_tui.tui.screens.dialog import Dialog
from lorebook_tui.tui.widgets.edges import PlainInput
from lorebook_tui.tui.widgets.message_line import MessageArea
from lorebook_tui.tui.widgets.sliders import SliderRows
from lorebook_tui.workspace import edits

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene

    OpenBench = Callable[..., Any]


@pytest.mark.parametrize("key", ["g", "d", "question_mark", "ctrl+p", "f12"])
async def test_a_dialog_gives_one_answer(key: str, open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("down", "down", "down", key)
        dialog = bench.app.screen
        assert isinstance(dialog, Dialog)
        dialog.dismiss(None)
        dialog.dismiss(None)
        await bench.settle()
        assert bench.app.screen is bench.screen


async def test_a_decision_stands_over_the_middle_of_the_work(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene, (80, 24)) as bench:
        bench.screen.edit(lambda workspace: edits.delete_entries(workspace, [next(scene.refs())]))
        await bench.press("q")
        box = bench.app.screen.query_one("#asking").region
        assert abs(box.x - (80 - box.right)) <= 1
        assert abs(box.y - (24 - box.bottom)) <= 1
        assert "night-boat" in bench.text()
        assert "The bell" in bench.text()


async def test_no_habit_decides_but_the_cursor_does(open_bench: OpenBench, scene: Scene) -> None:
    answers: list[str | None] = []
    async with open_bench(scene, (80, 24)) as bench:
        bench.app.push_screen(
            Decision("Which?", [said("Both differ.")], (("a", "one"), ("b", "other"))), answers.append
        )
        await bench.settle()
        await bench.press("enter")
        assert answers == []
        await bench.press("down", "down", "enter")
        assert answers == ["b"]
        bench.app.push_screen(
            Decision("Which?", [said("Both differ.")], (("a", "one"), ("b", "other"))), answers.append
        )
        await bench.settle()
        await bench.press("end", "enter")
        assert answers == ["b", None]


async def test_the_arrows_scroll_what_is_too_long_to_be_seen(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene, (80, 24)) as bench:
        told = [said(f"line {number}") for number in range(40)]
        bench.app.push_screen(Decision("Which?", told, (("a", "one"),)))
        await bench.settle()
        await bench.press("down", "down")
        assert "31 more, ↓" in bench.text()
        assert "line 0" not in bench.text()
        await bench.press("enter")
        assert isinstance(bench.app.screen, Decision)


async def test_the_palette_takes_what_was_typed_before_it_was_complete(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("ctrl+p", *["down"] * 9)
        palette = bench.app.screen
        assert isinstance(palette, Chooser)
        palette.later = list
        palette.query_one("#query", PlainInput).value = "no such thing"
        palette._complete()
        await bench.settle()
        assert "Nothing fits." in bench.text()


async def test_the_tab_key_goes_on_from_wherever_the_focus_is(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f6")
        bench.screen.middle = ENTRY
        assert SHEET in bench.screen.cycle
        assert ENTRY not in bench.screen.cycle
        bench.screen.action_next_pane()
        await bench.settle()
        assert bench.screen.pane_of_focus() != SHEET


async def test_typing_a_value_from_the_palette_types_nothing(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene, (180, 50)) as bench:
        await bench.press("0", "home", "7", "x")
        rows = bench.screen.query_one(SliderRows)
        rows.action_type_value()
        await bench.press("enter")
        assert bench.app.is_running
        assert bench.screen.desk.workspace.settings.world_info_depth == 7


async def test_undo_may_take_the_cursor_s_line_away(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "i", *"one")
        area = bench.screen.query_one("#message", MessageArea)
        area.wrapped_document.wrap(40)
        area.history.clear()
        area.cursor_location = (0, 3)
        area.text = "one\ntwo"
        area.move_cursor((1, 0))
        area.document.replace_range((0, 0), area.document.end, "one")
        area.wrapped_document.wrap(40)
        area.scroll_cursor_visible()
        assert bench.app.is_running
