"""Every action by each of its keys, in the running program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.model.layers import Layer
from lorebook_tui.tui.actions import ACTIONS, Scope
from lorebook_tui.tui.screens.chooser import Chooser
from lorebook_tui.tui.targets import ToBranch, ToEntry

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.actions import Action
    from lorebook_tui.tui.scene import Scene

Check = "Callable[[Any], object]"


@dataclass(frozen=True)
class Case:
    """What an action does."""

    check: Callable[[Any], object]
    """True of the bench afterwards."""
    before: tuple[str, ...] = ()
    """Keys that lead there."""
    size: tuple[int, int] = (120, 40)


def dialog(bench: Any) -> Chooser:
    assert isinstance(bench.app.screen, Chooser)
    return bench.app.screen


def target(bench: Any) -> object:
    tree = bench.screen.layer_tree
    return tree.blocks[tree.cursor].target


def in_pane(name: str) -> Case:
    return Case(lambda bench: bench.screen.pane == name and bench.screen.widget_of(name).has_focus)


def on_layer(layer: Layer) -> Case:
    return Case(lambda bench: target(bench) == ToBranch(layer), ("w",))


def on_phase(number: int) -> Case:
    before = ("p", "1") if number != 1 else ("p", "2")
    return Case(lambda bench: bench.screen.phase_rows.phase == number, before)


def at_turn(number: int, *before: str) -> Case:
    return Case(lambda bench: bench.screen.turn == number and bench.screen.picture.number == number, before)


CASES: dict[str, Case] = {
    "global.help": Case(
        lambda bench: dialog(bench).heading == "Help: Chat" and "answers here" not in bench.text(), ("c",)
    ),
    "global.palette": Case(lambda bench: dialog(bench).heading == "Find"),
    "global.filter": Case(lambda bench: bench.screen.filter_input.has_focus, ("p",)),
    "global.previous_turn": at_turn(2),
    "global.next_turn": at_turn(3, "comma"),
    "global.first_turn": at_turn(0),
    "global.last_turn": at_turn(3, "ctrl+home"),
    "global.go_to_turn": Case(lambda bench: dialog(bench).heading == "Go to turn"),
    "global.turn_mode": Case(lambda bench: len(bench.screen.replay.steps) == 8 and "turn 8 of 8" in bench.text()),
    "global.layer_1": on_layer(Layer.GLOBAL),
    "global.layer_2": on_layer(Layer.CHARACTER),
    "global.layer_3": on_layer(Layer.PERSONA),
    "global.layer_4": on_layer(Layer.CHAT),
    "global.to_layers": Case(lambda bench: bench.screen.layer_tree.has_focus, ("w",)),
    "global.to_entry": in_pane("entry"),
    "global.to_chat": in_pane("chat"),
    "global.to_phases": in_pane("phases"),
    "global.to_timeline": in_pane("timeline"),
    "global.to_why": in_pane("why"),
    "global.next_pane": Case(lambda bench: bench.screen.pane == "phases", ("c",)),
    "global.previous_pane": Case(lambda bench: bench.screen.pane == "entry", ("c",)),
    "global.flip": Case(lambda bench: bench.screen.in_sight() == {"layers", "entry"}),
    "global.grow": Case(
        lambda bench: bench.screen.has_class("-full") and bench.screen.in_sight() == {"layers"}, ("z",)
    ),
    "global.shrink": Case(lambda bench: bench.screen.has_class("-full") and bench.screen.in_sight() == {"layers"}),
    "global.theme": Case(lambda bench: bench.app.theme == "lorebook-light"),
    "global.letters": Case(lambda bench: "C OUT" in bench.text() and "✂" not in bench.text()),
    "global.back": Case(lambda bench: bench.screen.layer_tree.has_focus, ("w",)),
    "global.quit": Case(lambda bench: bench.app._exit, ("w",)),
    "list.up": Case(lambda bench: bench.title == "World rules", ("home", "down", "down", "down")),
    "list.down": Case(lambda bench: bench.title == "World rules", ("home", "down")),
    "list.page_up": Case(lambda bench: target(bench) == ToBranch(Layer.GLOBAL), ("end",)),
    "list.page_down": Case(lambda bench: target(bench) == ToBranch(Layer.CHAT), ("home",)),
    "list.first": Case(lambda bench: target(bench) == ToBranch(Layer.GLOBAL), ("down",)),
    "list.last": Case(lambda bench: target(bench) == ToBranch(Layer.CHAT)),
    "list.choose": Case(
        lambda bench: bench.screen.why.has_focus and bench.title == "World rules", ("home", "down", "down")
    ),
    "layers.expand": Case(lambda bench: bench.title == "The guild"),
    "layers.collapse": Case(lambda bench: target(bench) == ToBranch(Layer.GLOBAL, 0)),
    "phases.previous_phase": Case(lambda bench: bench.screen.phase_rows.phase == 4, ("p",)),
    "phases.next_phase": Case(lambda bench: bench.screen.phase_rows.phase == 1, ("p", "7")),
    **{f"phases.phase_{number}": on_phase(number) for number in range(1, 8)},
    "timeline.earlier": at_turn(2, "t"),
    "timeline.later": at_turn(1, "t", "home"),
    "timeline.earliest": at_turn(0, "t"),
    "timeline.latest": at_turn(3, "t", "home"),
    "dialog.close": Case(lambda bench: bench.app.screen is bench.screen and bench.screen.turn == 3, ("g",)),
    "dialog.accept": at_turn(0, "g", "home", *"bell"),
    "dialog.cursor_up": Case(lambda bench: dialog(bench).choices.cursor == 3, ("g",)),
    "dialog.cursor_down": Case(lambda bench: dialog(bench).choices.cursor == 4, ("g", "up")),
    "dialog.cursor_page_up": Case(lambda bench: dialog(bench).choices.cursor == 1, ("g",)),
    "dialog.cursor_page_down": Case(lambda bench: dialog(bench).choices.cursor == 4, ("g", "pageup")),
}
KEYS = [(action, key) for action in ACTIONS for key in action.keys]


def test_no_action_is_forgotten() -> None:
    assert set(CASES) == {action.id for action in ACTIONS}


@pytest.mark.parametrize(("action", "key"), KEYS, ids=lambda item: getattr(item, "id", item))
async def test_action(action: Action, key: str, open_bench: Callable[..., Any], scene: Scene) -> None:
    case = CASES[action.id]
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
        await bench.press("g", *"turn 4", "enter")
        assert bench.screen.turn == 1
        await bench.press("g", *"mill", "enter")
        assert bench.screen.turn == 2
        await bench.press("g", *"2", "enter")
        assert bench.screen.turn == 0


def test_every_scope_has_an_action_of_its_own_or_shares_all() -> None:
    used = {action.scope for action in ACTIONS}
    assert used == set(Scope) - {Scope.ENTRY, Scope.CHAT, Scope.WHY}
