"""Keys of the user: understood as people write them, free of clashes, in force everywhere on the screen."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from textual.keys import _character_to_key

from lorebook_tui.tui.action_types import Action, Scope
from lorebook_tui.tui.actions import ACTIONS, effective, footer, named, use_keys
from lorebook_tui.tui.keymap import NOWHERE, key_name, settled
from lorebook_tui.workspace.config import KeyWish, Preferences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.tui.scene import Scene

SMALL = (
    Action("save", ("f2",), "save", "Save."),
    Action("load", ("f3", "o"), "load", "Load."),
    Action("open", ("right",), "open", "Open.", Scope.LAYERS),
    Action("close", ("escape",), "close", "Close.", Scope.DIALOG),
    Action("open", ("right",), "open", "Open.", Scope.PHASES),
)


@pytest.fixture(autouse=True)
def keys_of_the_registry() -> Iterator[None]:
    yield
    use_keys({})


def wish(action: str, *keys: str) -> KeyWish:
    return KeyWish(action, keys, "line 3")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("?", "question_mark"), ("esc", "escape"), ("ctrl+P", "ctrl+p"), ("+", "plus"), ("ctrl++", "ctrl+plus"),
        ("pgup", "pageup"), ("G", "G"), ("shift+tab", "shift+tab"), ("f24", "f24"), ("f25", None), ("ctrl+", None),
        ("", None), ("hold+x", None), ("spacebar", None), ("↑", "up"), ("alt+ctrl+x", "ctrl+alt+x"), ("é", "é"),
        ("😍", "smiling_face_with_heart_shaped_eyes"), ("_".join("abcdefghijklmnopqr"), None),
        ("full_stop", "full_stop"), ("left square bracket", "left_square_bracket"), ("\t", None),
    ],
)  # fmt: skip
def test_keys_as_people_write_them(written: str, name: str | None) -> None:
    assert key_name(written) == name


@pytest.mark.parametrize("character", "!\"#$%&'()*,-./:;<=>?@[\\]^_`{|}~")
def test_signs_are_called_as_textual_calls_them(character: str) -> None:
    assert key_name(character) == _character_to_key(character)
    assert key_name(_character_to_key(character)) == _character_to_key(character)


def test_the_name_of_every_character_is_a_key_too() -> None:
    names = {name for name in map(key_name, map(chr, range(sys.maxunicode + 1))) if name is not None}
    assert [name for name in sorted(names) if key_name(name) != name] == []
    assert len(names) > 100_000


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_key_of_the_registry_can_be_written(action: Action) -> None:
    assert [key_name(key) for key in action.keys] == list(action.keys)


def test_a_wish_wins_over_the_registry() -> None:
    keymap = settled([wish("save", "o", "ctrl+d")], SMALL)
    assert keymap.keys == {"global.save": ("o", "ctrl+d"), "global.load": ("f3",)}
    assert keymap.notices == ("o is global.save now; global.load still has f3.",)
    assert keymap.for_textual() == {"global.save": "o,ctrl+d", "global.load": "f3"}


def test_the_earlier_wish_wins_over_the_later() -> None:
    keymap = settled([wish("save", "x"), wish("load", "x"), wish("save", "y")], SMALL)
    assert keymap.keys == {"global.save": ("x",), "global.load": ()}
    assert keymap.notices == ("x is global.save now; global.load has no key now.",)
    assert keymap.for_textual()["global.load"] == NOWHERE


def test_keys_can_be_exchanged_and_taken_away() -> None:
    keymap = settled([wish("save", "f3"), wish("load", "f2")], SMALL)
    assert keymap.keys == {"global.save": ("f3",), "global.load": ("f2",)}
    assert settled([wish("save")], SMALL).keys == {"global.save": ()}


def test_what_a_pane_hides_is_told() -> None:
    keymap = settled([wish("save", "right"), wish("layers.open", "f3")], SMALL)
    assert keymap.keys == {"global.save": ("right",), "layers.open": ("f3",)}
    assert keymap.notices == (
        "In the pane Phases → is phases.open, not global.save.",
        "In the pane Layers f3 is layers.open, not global.load.",
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (wish("fly", "x"), "There is no action fly"),
        (wish("open", "x"), "open is the name of several actions: layers.open, phases.open."),
        (wish("save", "hold+x"), "There is no key hold+x. (line 3)"),
        (wish("close"), "dialog.close keeps its keys"),
        (wish("save", "ctrl+i"), "Plain terminals send the same for ctrl+i as for tab. (line 3)"),
    ],
)
def test_doubts_are_told(given: KeyWish, told: str) -> None:
    assert settled([given], SMALL).notices[0].startswith(told)


async def test_own_keys_work_and_are_shown(open_bench: Callable[..., Any], scene: Scene) -> None:
    wanted = Preferences(keys=(wish("to_why", "alt+w"), wish("global.filter", "f6"), wish("quit")))
    async with open_bench(scene, preferences=wanted) as bench:
        assert "alt+w why" in bench.text()
        assert "f6 filter" in bench.text()
        assert " quit" not in bench.text().splitlines()[-1]
        await bench.press("alt+w")
        assert bench.screen.why.has_focus
        await bench.press("c", "w")
        assert bench.screen.chat.has_focus
        await bench.press("f6")
        assert bench.screen.filter_input.has_focus
        await bench.press("escape", "q", "question_mark", *"reason why the chosen")
        assert " alt+w " in bench.text()
        assert bench.app.is_running


async def test_what_is_odd_about_keys_is_told_at_the_start(open_bench: Callable[..., Any], scene: Scene) -> None:
    wanted = Preferences(keys=(wish("fly", "x"), wish("to_why", "c"), wish("to_chat", "hold+x"), wish("jump", "f1")))
    async with open_bench(scene, preferences=wanted) as bench:
        told = [notice.message for notice in bench.app._notifications]
        assert told[0].startswith("There is no action fly")
        assert told[-1] == "1 more: `lorebook config --check` lists them."
        assert len(told) == 4


async def test_the_next_program_has_the_keys_of_the_registry(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, preferences=Preferences(keys=(wish("to_why", "v"),))):
        assert effective(named("to_why")).keys == ("v",)
    async with open_bench(scene) as bench:
        assert effective(named("to_why")).keys == ("w",)
        assert any(action.key_text == "w" for action in footer(Scope.LAYERS))
        await bench.press("w")
        assert bench.screen.why.has_focus


async def test_the_line_of_panes_shows_own_keys(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (80, 24), preferences=Preferences(keys=(wish("to_why", "alt+w"),))) as bench:
        assert "alt+w Why" in bench.text().splitlines()[1]
        await bench.press("alt+w")
        assert bench.screen.why.has_focus
