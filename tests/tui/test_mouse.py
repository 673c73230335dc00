"""The mouse is an equal: whatever a key reaches can be clicked, and the wheel scrolls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.tui.targets import ToMessage

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene

WIDE = (180, 50)


async def test_click_on_an_entry_of_the_tree(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.click_text("The ferry", within="#tree")
        assert bench.title == "The ferry"
        assert "The ferry carries salt and letters." in bench.text()


async def test_click_on_a_branch_closes_and_opens_it(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.click_text("harbour", within="#tree")
        assert "The bell" not in bench.text()
        await bench.click_text("harbour", within="#tree")
        assert "The bell" in bench.text()


async def test_click_on_a_tab_and_on_a_row_of_a_phase(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("left_square_bracket")
        await bench.click_text("6 Order", within="#phases")
        assert bench.screen.phase_rows.phase == 6
        await bench.click_text("The ferry", within="#phase-rows")
        assert bench.title == "The ferry"
        assert "✓ IN" in bench.text()


async def test_click_on_a_segment_of_the_budget(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.click_text("███", within="#phase-rows")
        assert bench.title == "World rules"
        await bench.click_text("░░░", within="#phase-rows")
        assert bench.title == "The mill"


async def test_click_on_a_column_of_the_timeline(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.click_text("▅▅▅", within="#timeline")
        assert bench.screen.turn == 0


async def test_click_on_a_message_goes_to_its_turn(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.click_text("Tell me of the mill", within="#chat")
        assert bench.screen.turn == 2, "the turn that answers it"
        await bench.click_text("An oath is an oath", within="#chat")
        assert bench.screen.turn == 0, "the turn that gave it"


async def test_click_on_evidence_shows_its_message(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.click_text("message 7", within="#why")
        chat = bench.screen.chat
        assert chat.blocks[chat.cursor].target == ToMessage(6)
        assert bench.screen.turn == 3


async def test_evidence_leads_to_the_chat_where_that_is_not_in_sight(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene, (80, 24)) as bench:
        await bench.press("w", "enter")
        assert bench.screen.chat.has_focus
        assert "The mill is gone." in bench.text()


async def test_click_on_the_breadcrumb_the_pane_bar_and_the_footer(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene, (100, 24)) as bench:
        await bench.click_text("turn 8 of 8")
        assert len(bench.app.screen_stack) == 2
        await bench.click_text("close", within="#dialog-keys")
        assert len(bench.app.screen_stack) == 1
        await bench.click_text("Phases", within="#pane-bar")
        assert bench.screen.phase_rows.has_focus
        await bench.click_text("phase", within="#keys")
        assert bench.screen.phase_rows.phase == 4
        await bench.click_text("[", within="#keys")
        assert bench.screen.turn == 2


async def test_click_in_a_dialog_takes_what_was_clicked(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("ctrl+t")
        await bench.click_text("I ring the bell", within="#choices")
        assert bench.screen.turn == 0


async def test_wheel_scrolls_without_moving_the_cursor(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (80, 16)) as bench:
        tree = bench.screen.layer_tree
        cursor = tree.cursor
        tree.jump(0)
        await bench.pilot._post_mouse_events([_scroll_down()], tree)
        await bench.settle()
        assert tree.scroll_offset.y > 0
        assert tree.cursor == cursor


def _scroll_down() -> Any:
    from textual.events import MouseScrollDown

    return MouseScrollDown
