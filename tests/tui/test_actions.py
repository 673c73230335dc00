"""Every action by its first key, in the running program; its other keys are bound to the same, as the registry shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.tui.actions import ACTIONS, Scope, named
from lorebook_tui.tui.targets import ToEntry
from tests.tui.action_cases import books, chatting, files, form, helping, linting, moving, sheet, simulating
from tests.tui.action_cases.base import target

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.actions import Action
    from lorebook_tui.tui.scene import Scene

CASES = {
    name: case
    for module in (moving, files, books, form, sheet, simulating, chatting, linting, helping)
    for name, case in module.CASES.items()
}


def test_no_action_is_forgotten() -> None:
    assert set(CASES) == {action.id for action in ACTIONS}


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
async def test_action(action: Action, open_bench: Callable[..., Any], scene: Scene) -> None:
    case, key = CASES[action.id], action.keys[0]
    async with open_bench(scene, case.size) as bench:
        await bench.press(*case.before)
        if action.name != "quit":
            await bench.press(key)
        else:
            await bench.pilot.press(key)
        assert case.check(bench)


async def test_grow_and_shrink_are_each_others_way_back(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (180, 50)) as bench:
        await bench.press("p")
        whole = bench.text()
        await bench.press("z")
        assert bench.screen.has_class("-half")
        await bench.press("x")
        assert bench.text() == whole
        await bench.press("z", "z", "z")
        assert bench.text() == whole


async def test_back_goes_up_one_step_at_a_time(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("w", "z", "slash", *"bell")
        assert bench.screen.layer_tree.found
        await bench.press("escape")
        assert bench.screen.layer_tree.found is None
        assert bench.screen.has_class("-half")
        await bench.press("w", "escape")
        assert not bench.screen.has_class("-half")
        assert bench.screen.why.has_focus
        await bench.press("escape")
        assert bench.screen.layer_tree.has_focus


async def test_filter_keeps_tree_order_and_chooses_on_enter(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("slash", *"bell")
        titles = [scene.entry(ref).title for ref in bench.screen.layer_tree.listed()]
        assert titles == ["The bell", "Later"]
        await bench.press("enter")
        assert bench.title == "The bell"
        assert bench.screen.layer_tree.has_focus
        assert target(bench) == ToEntry(bench.screen.chosen)


async def test_filter_that_finds_nothing_is_no_dead_end(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("slash", *"zzzzzz", "enter", "down", "right", "left", "enter", "escape")
        assert "World rules" in bench.text()


async def test_letters_typed_into_the_filter_do_nothing_else(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("slash", *"qzwm[1")
        assert bench.screen.filter_input.value == "qzwm[1"
        assert bench.screen.turn == 3
        assert bench.screen.size_mode == 0


async def test_help_does_what_is_chosen(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("p", "question_mark", *"phase on", "enter")
        assert bench.screen.phase_rows.phase == 6
        assert bench.screen.phase_rows.has_focus


@pytest.mark.parametrize(("typed", "title"), [("oath", "Mira's oath"), ("gild", "The guild"), ("coat", "Your coat")])
async def test_palette_finds_entries(typed: str, title: str, open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("ctrl+p", *typed, "enter")
        assert bench.title == title
        assert target(bench) == ToEntry(bench.screen.chosen)


async def test_go_to_turn_by_number_and_by_words(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("ctrl+t", *"turn 4", "enter")
        assert bench.screen.turn == 1
        await bench.press("ctrl+t", *"mill", "enter")
        assert bench.screen.turn == 2
        await bench.press("ctrl+t", *"2", "enter")
        assert bench.screen.turn == 0


@pytest.mark.parametrize(
    ("there", "back", "turns"),
    [("global.previous_turn", "global.next_turn", (2, 3)), ("global.first_turn", "global.last_turn", (0, 3))],
)
async def test_every_key_of_a_binding_works(
    there: str, back: str, turns: tuple[int, int], open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene) as bench:
        for keys in zip(named(there).keys, named(back).keys, strict=True):
            for key, turn in zip(keys, turns, strict=True):
                await bench.press(key)
                assert bench.screen.turn == turn, key


def test_every_scope_has_an_action_of_its_own_or_shares_all() -> None:
    used = {action.scope for action in ACTIONS}
    assert used <= set(Scope)
