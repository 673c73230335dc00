"""The simulation follows: after edits, proposals and sliders, in the grid of turns, and in every size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tui.proposals import Offer
from lorebook_tui.tui.replay import Remedies
from lorebook_tui.tui.screens import simulating, whatif_live
from lorebook_tui.tui.targets import ToCell, ToEntry, ToSetting, ToValue
from lorebook_tui.workspace import history
from lorebook_tui.workspace.edits import FieldChange, set_fields, set_options
from tests.tui.conftest import small_scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.workspace import Workspace

SIZES = {"60x16": (60, 16), "80x24": (80, 24), "120x40": (120, 40), "180x50": (180, 50)}
STATES: dict[str, tuple[str, ...]] = {
    "grid": ("t", "v", "down", "left"),
    "bar": ("[", "p", "5", "down"),
    "sliders": ("0", "right", "down"),
    "diff": ("0", "left", "escape", "p", "8"),
}
MILL, BELL, RULES = (EntryRef(Layer.GLOBAL, 0, number) for number in (3, 1, 0))


@pytest.fixture(autouse=True)
def news_are_told(no_news_by_themselves: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line at the top tells what an edit changed."""
    del no_news_by_themselves
    monkeypatch.setattr(whatif_live.WhatIfLive, "tells_news", True)


@pytest.fixture
def soon(no_remedies_by_themselves: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Odds and proposals come at once."""
    del no_remedies_by_themselves
    monkeypatch.setattr(simulating, "REMEDIES_AFTER", 0.001)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits of a group are one step however slow the machine is."""
    for module in (history, whatif_live):
        monkeypatch.setattr(module, "GROUPED_WITHIN", 3600)


async def later(bench: Any, is_so: Callable[[], object]) -> None:
    """Wait for what comes a moment later."""
    for _ in range(100):
        await bench.pilot.pause(0.02)
        await bench.settle()
        if is_so():
            return
    raise AssertionError("it does not come")


def is_current(bench: Any) -> bool:
    screen = bench.screen
    return bool(screen.is_fresh and screen.picture.settled and screen.replay.scene is screen.scene)


async def edit(bench: Any, make: Callable[[Workspace], Edited], group: str | None = None) -> None:
    assert bench.screen.edit(make, group=group)
    await later(bench, lambda: is_current(bench) and bench.screen.diffs is not None)


def fields(ref: EntryRef, **values: Any) -> Callable[[Workspace], Edited]:
    changes = [FieldChange(ref, name, value) for name, value in values.items()]
    return lambda workspace: set_fields(workspace, changes)


def news(bench: Any) -> str:
    return "".join(span.text for span in bench.screen.news)


def told(bench: Any, words: str) -> bool:
    return any(words in notice.message for notice in bench.app._notifications)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
async def test_state(
    state: str, size: str, open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene
) -> None:
    async with open_bench(scene, SIZES[size]) as bench:
        await bench.press(*STATES[state])
        if state in {"sliders", "diff"}:
            await later(bench, lambda: bench.screen.news and bench.screen.diffs.elsewhere is not None)
        golden(f"what-if-{state}-{size}", bench.text())


@pytest.mark.parametrize("state", STATES)
async def test_state_in_letters(
    state: str, open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene
) -> None:
    async with open_bench(scene, letters=True) as bench:
        await bench.press(*STATES[state])
        if state in {"sliders", "diff"}:
            await later(bench, lambda: bench.screen.news and bench.screen.diffs.elsewhere is not None)
        golden(f"what-if-{state}-letters", bench.text())


async def test_tree_of_wakings(
    open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene
) -> None:
    """The oath names the bell, and the bell names the ferry."""
    async with open_bench(scene, (120, 40)) as bench:
        await edit(bench, lambda workspace: set_options(workspace, "more context", context=4000))
        await bench.press("[", "[", "p", "4", "z")
        golden("what-if-tree", bench.text())
        place = bench.screen.phase_rows.find(ToEntry(BELL))
        assert place is not None


class TestAfterAnEdit:
    async def test_the_next_replay_is_made_from_the_one_before(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            first = bench.screen.replay
            await edit(bench, fields(MILL, content="Short."))
            assert bench.screen.replay is not first
            assert bench.screen.earlier is first
            assert bench.screen.replay.taken_over == 2
            assert bench.screen.replay.complete

    async def test_one_line_tells_what_changed(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await edit(bench, fields(MILL, content="Short."))
            assert news(bench).startswith("+ The mill, ")
            assert "+ The mill" in bench.text().splitlines()[0]
            await edit(bench, fields(MILL, comment="Another name"))
            assert news(bench) == "no change at this turn"
            bench.screen._forget_news()
            await bench.settle()
            assert "night-boat" in bench.text().splitlines()[0]

    async def test_undo_is_compared_too(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await edit(bench, fields(MILL, content="Short."))
            before = bench.screen.replay
            await bench.press("u")
            await later(bench, lambda: is_current(bench) and bench.screen.diffs)
            assert bench.screen.earlier is before
            assert news(bench).startswith("− The mill")
            assert bench.screen.diffs.told.startswith("undo: ")

    @pytest.mark.usefixtures("patient")
    async def test_edits_that_are_undone_together_are_compared_as_one(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            first = bench.screen.replay
            await edit(bench, fields(MILL, content="Short."), group="typing")
            await edit(bench, fields(MILL, content="Shorter."), group="typing")
            assert bench.screen.earlier is first
            await edit(bench, fields(MILL, content="Shortest."), group="other")
            assert bench.screen.earlier is not first

    async def test_another_turn_is_compared_with_itself(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await edit(bench, fields(BELL, disable=True))
            await bench.press("home", "t", "home", "right", "p", "8")
            assert bench.screen.turn == 1
            text = bench.text()
            assert "Since the last edit" in text
            assert "− The bell" in text

    async def test_other_turns_that_are_different_are_told(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene, (120, 60)) as bench:
            await edit(bench, fields(BELL, content="Another text."))
            await later(bench, lambda: news(bench) == "no change at this turn, but at 2 other turns")
            await bench.press("p", "8")
            assert "2 other turns are different too:" in bench.text()
            await bench.press("home", "enter")
            assert bench.screen.turn == 0
            assert "≠ The bell" in bench.text()

    async def test_an_edit_of_the_chat_does_not_move_the_turns_apart(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            shorter = replace(scene.scenario.transcript, messages=scene.scenario.transcript.messages[:6])
            await edit(bench, lambda workspace: set_options(workspace, "cut", transcript=shorter))
            assert bench.screen.turn == 2
            assert bench.screen.diffs.edit is not None
            assert bench.screen.diffs.edit.is_same


class TestProposals:
    @pytest.mark.usefixtures("soon")
    async def test_enter_applies_the_proposal_under_the_cursor(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene, (180, 50)) as bench:
            await bench.press("[", "w")
            await later(bench, lambda: bench.screen.remedies)
            await bench.press("home", "enter")
            await later(bench, lambda: is_current(bench) and news(bench))
            assert bench.title == "The mill"
            assert bench.screen.scene.entry(MILL).is_on("ignoreBudget")
            assert news(bench) == "+ The mill, 96 tokens more"
            assert told(bench, "takes it back")
            await bench.press("u")
            assert not bench.screen.scene.entry(MILL).is_on("ignoreBudget")

    @pytest.mark.usefixtures("soon")
    async def test_a_proposal_of_a_setting_touches_no_file(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("[", "w")
            await later(bench, lambda: bench.screen.remedies)
            await bench.press("2")
            assert bench.screen.desk.workspace.context == 138
            assert bench.screen.desk.dirty == ()
            assert bench.screen.desk.are_options_dirty

    @pytest.mark.usefixtures("soon")
    async def test_an_entry_that_is_in_has_nothing_to_apply(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            bench.screen.choose_entry(RULES)
            await later(bench, lambda: bench.screen.remedies)
            await bench.press("w", "1")
            assert told(bench, "nothing to apply")

    async def test_proposals_of_an_older_picture_are_not_applied(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            screen = bench.screen
            screen.remedies = Remedies("What would change it", ("x",), (Offer("x"),))
            screen.simulate_after = 3600
            assert screen.edit(fields(MILL, content="Short."))
            screen.apply_offer(1)
            await bench.settle()
            assert told(bench, "have changed since")

    async def test_why_a_proposal_cannot_be_applied_is_told(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            hostile = "[bold]\x1b]0;x\x07 is for its author"
            bench.screen.remedies = Remedies("What would change it", ("x",), (Offer("x", why_not=hostile),))
            with pytest.raises(UsageError):
                bench.screen.remedies.offers[0].make(bench.screen.desk.workspace)
            await bench.press("w", "1")
            assert told(bench, "is for its author")
            bench.screen.show_reason()
            await bench.settle()
            assert "\x1b" not in bench.text()


@pytest.mark.usefixtures("soon")
class TestOdds:
    async def test_odds_and_room_stand_beside_the_entries(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene, (180, 50)) as bench:
            await bench.press("p", "6")
            await later(bench, lambda: any(each.margin for each in bench.screen.prospects.values()))
            rows = [line for line in bench.text().splitlines() if "order 200" in line]
            assert "100%" in rows[0]
            bench.screen.choose_entry(RULES)
            await later(bench, lambda: "Odds 100%, however" in bench.text())

    async def test_a_roll_is_told_as_a_chance(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene, (120, 40)) as bench:
            await edit(bench, fields(RULES, useProbability=True, probability=25))
            bench.screen.choose_entry(RULES)
            await bench.press("w")
            await later(bench, lambda: "Odds 25 %, worked out exactly" in bench.text())

    async def test_odds_of_an_older_picture_are_dropped(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("p", "6")
            await later(bench, lambda: bench.screen.prospects)
            old = bench.screen.picture
            await edit(bench, fields(RULES, disable=True))
            assert bench.screen.picture is not old
            await later(bench, lambda: bench.screen.prospects)
            index = bench.screen.index_of(RULES)
            assert index not in bench.screen.prospects or bench.screen.prospects[index].odds.odds.chance == 0


class TestGrid:
    async def test_enter_goes_to_the_turn_and_the_entry_of_the_cell(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("t", "v", "down", "left", "left", "enter")
            assert bench.screen.turn == 1
            assert bench.title == "World rules"
            assert bench.screen.timeline.has_focus

    async def test_a_click_goes_there_too(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("t", "v")
            lines = bench.text().splitlines()
            y = next(number for number, line in enumerate(lines) if "Mira's oath" in line[40:])
            await bench.pilot.click(offset=(lines[y].index("█"), y))
            await bench.settle()
            assert bench.title == "Mira's oath"
            assert bench.screen.turn == 1
            assert bench.screen.picture.turn.marks[bench.screen.index_of(bench.screen.chosen)].in_prompt

    async def test_the_filter_of_the_tree_filters_the_rows(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("slash", *"bell", "enter", "t", "v")
            titles = [bench.screen.timeline.grid.title_of(row) for row in bench.screen.timeline.grid.rows]
            assert titles == ["The bell", "Later"]

    async def test_it_moves_in_two_directions_and_stops_at_the_edges(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("t", "v", "home", "left", "up", "pageup")
            rows = bench.screen.timeline.grid.rows
            assert bench.screen.timeline.cell == (rows[0], 0)
            await bench.press("end", "right", "pagedown", "pagedown", "down")
            assert bench.screen.timeline.cell == (rows[-1], 3)
            assert bench.screen.turn == 3

    async def test_another_turn_takes_the_cursor_along(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("t", "v", "[", "[")
            assert bench.screen.timeline.cell[1] == bench.screen.turn == 1

    async def test_folded_again_it_is_the_strip(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("t")
            strip = bench.text()
            await bench.press("v")
            assert bench.screen.timeline.grid is not None
            await bench.press("v")
            assert bench.text() == strip

    async def test_growing_the_pane_unfolds_it(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene, (80, 24)) as bench:
            await bench.press("t", "z", "z")
            assert bench.screen.timeline.grid is not None
            assert bench.screen.in_sight() == {"timeline"}

    async def test_near_misses_of_all_turns_in_sight_are_cells(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("t", "v")
            grid, replay = bench.screen.timeline.grid, bench.screen.replay
            rows, turns = bench.screen.timeline.part
            expected = {
                (turn, index)
                for turn in turns
                for index in rows
                if index not in replay.turns[turn].fates and replay.is_near(replay.picture(turn), index)
            }
            assert grid.near == expected
            assert (2, bench.screen.index_of(BELL)) in grid.near
            assert {turn for turn, _ in grid.near} != {bench.screen.turn}, "turns that nobody went to are known as well"
            assert "≈" in bench.text().split("Timeline")[1]

    async def test_the_wheel_goes_through_turns_or_rows(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("t")
            bench.screen.timeline._wheel(-1)
            await bench.settle()
            assert bench.screen.turn == 2
            await bench.press("v")
            bench.screen.timeline._wheel(1)
            assert bench.screen.timeline.cell[0] == bench.screen.timeline.grid.rows[3]


class TestBar:
    async def test_the_mouse_shows_the_entry_it_points_at(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("p")
            line = next(line for line in bench.text().splitlines() if "┃" in line)
            y = bench.text().splitlines().index(line)
            await bench.pilot.hover(offset=(line.index("█") + 1, y))
            await bench.settle()
            assert "↑ World rules 30, constant" in bench.text()
            await bench.pilot.hover(offset=(5, 5))
            await bench.settle()
            assert "↑ World rules" not in bench.text()

    async def test_a_click_on_a_segment_chooses_it(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("p")
            line = next(line for line in bench.text().splitlines() if "┃" in line)
            await bench.pilot.click(offset=(line.index("█") + 1, bench.text().splitlines().index(line)))
            await bench.settle()
            assert bench.title == "World rules"


class TestSliders:
    async def test_the_bar_is_seen_to_change_and_no_file_is_touched(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene, (60, 16)) as bench:
            await bench.press("0", "down", "down", "down")
            before = next(line for line in bench.text().splitlines() if "┃" in line)
            await bench.press("right")
            await later(bench, lambda: is_current(bench))
            assert bench.screen.desk.workspace.context == 100
            assert next(line for line in bench.text().splitlines() if "┃" in line) != before
            assert bench.screen.desk.dirty == ()
            assert bench.screen.desk.are_options_dirty
            assert "● Context" in bench.text()
            assert "file: 90" in bench.text()

    @pytest.mark.usefixtures("patient")
    async def test_steps_in_quick_succession_are_undone_together(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("0", "right", "right", "right")
            assert bench.screen.desk.undo_told == "set scan depth to 5"
            await bench.press("u")
            assert bench.screen.desk.workspace.settings.world_info_depth == 2
            assert bench.screen.desk.undo_told == ""

    async def test_wrong_numbers_are_refused_in_place(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("0", *"5000", "enter")
            assert "Scan depth goes from 0 to 1,000." in bench.text()
            assert "5000_" in bench.text()
            assert bench.screen.desk.undo_told == ""
            await bench.press("backspace", "backspace", "enter")
            assert bench.screen.desk.workspace.settings.world_info_depth == 50

    async def test_escape_drops_what_is_typed_and_then_closes(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("0", "9", "escape")
            rows = bench.screen.settings.slider_rows
            assert rows.typed == ""
            assert rows.has_focus
            await bench.press("7", "down")
            assert rows.typed == ""
            await bench.press("escape")
            assert not bench.screen.settings.display
            assert bench.screen.chat.display

    async def test_a_click_on_a_track_slides(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.press("0")
            await bench.click_text("›", within="#settings-rows")
            assert bench.screen.desk.workspace.settings.world_info_depth == 3
            bench.screen.settings.slider_rows.post_message(
                bench.screen.settings.slider_rows.Chosen(
                    bench.screen.settings.slider_rows, ToValue("world_info_recursive", value=False)
                )
            )
            await bench.settle()
            assert bench.screen.desk.workspace.settings.world_info_recursive is False

    async def test_settings_are_saved_by_their_own_key(self, open_bench: Any, scene: Scene, tmp_path: Any) -> None:
        async with open_bench(scene) as bench:
            await bench.press("0", "right", "ctrl+w")
            assert "world_info_depth = 3" in (tmp_path / "lorebook.toml").read_text("utf-8")
            assert "file: 2" not in bench.text()

    async def test_another_tokenizer_counts_anew(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await edit(bench, lambda workspace: set_options(workspace, "count", tokenizer="none"))
            assert bench.screen.replay.counter.name == "none"
            assert not bench.screen.replay.is_provisional

    async def test_the_palette_leads_to_a_setting(self, open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene) as bench:
            await bench.screen.follow_target(ToSetting("world_info_case_sensitive"))
            await bench.settle()
            assert bench.screen.settings.slider_rows.row.slider.name == "world_info_case_sensitive"
            assert bench.screen.settings.slider_rows.has_focus

    @pytest.mark.parametrize("size", [(60, 16), (120, 40), (150, 24), (180, 50)])
    async def test_other_panes_come_back(self, size: tuple[int, int], open_bench: Any, scene: Scene) -> None:
        async with open_bench(scene, size) as bench:
            for pane, key in (("chat", "c"), ("why", "w"), ("phases", "p"), ("timeline", "t"), ("layers", "l")):
                await bench.press("0")
                assert bench.screen.settings.slider_rows.has_focus
                await bench.press(key)
                assert pane in bench.screen.in_sight()
                assert bench.screen.widget_of(pane).has_focus

    async def test_without_files_there_is_nothing_to_set(self, open_bench: Any) -> None:
        async with open_bench(small_scene(workspace=None)) as bench:
            await bench.press("0")
            assert told(bench, "no settings to change")


async def test_a_cell_is_a_place_like_others(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.screen.follow_target(ToCell(1, BELL))
        await bench.settle()
        assert (bench.screen.turn, bench.title) == (1, "The bell")


async def test_text_of_strangers_stays_text_in_every_view(open_bench: Callable[..., Any], scene: Scene) -> None:
    hostile = "\x1b]52;c;x\x07[@click=app.quit]\u202e\x9b[/] 漢字 \ud83d"
    async with open_bench(scene, (180, 50)) as bench:
        await edit(bench, fields(BELL, comment=hostile, content=hostile + " ferry", key=["bell", hostile]))
        await edit(bench, fields(BELL, comment=hostile * 3, order=1))
        for keys in (("[", "[", "p", "4"), ("5",), ("6",), ("8",), ("t", "v", "down"), ("0",)):
            await bench.press(*keys)
            assert not {"\x1b", "\x07", "\u202e", "\x9b", "\ud83d"} & set(bench.text()), keys
        assert "[@click=app.quit]" in bench.text()
