"""Letters to jump by: on everything in sight, each leading where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook_tui.tui.jump_labels import ALPHABET, assigned, labels
from lorebook_tui.tui.screens.jumping import Jumping, JumpLabel
from lorebook_tui.tui.targets import ToEntry, ToMessage, ToPhase

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene

SIZES = {"80x24": (80, 24), "120x40": (120, 40)}


@given(st.integers(0, 400), st.sets(st.sampled_from(ALPHABET), max_size=8))
def test_no_label_begins_another(count: int, taken: set[str]) -> None:
    found = labels(count, taken)
    assert len(found) == count
    assert len(set(found)) == count
    assert all(label[0] not in taken for label in found)
    shorter = {label for label in found if len(label) == 1}
    assert not [label for label in found if len(label) == 2 and label[0] in shorter]
    assert found == sorted(found, key=len)


@given(st.lists(st.sampled_from(["", "l", "c", "w"]), max_size=60))
def test_wishes_are_granted_once(wishes: list[str]) -> None:
    found = assigned(wishes)
    assert len(found) == len(wishes)
    assert len(set(found)) == len(found)
    for wish in set(wishes) - {""}:
        assert found[wishes.index(wish)] == wish


def test_letters_may_run_out() -> None:
    assert "" in assigned([""] * 1000)


def label_of(bench: Any, target: object) -> str:
    return next(str(label.text) for label in bench.app.screen.query(JumpLabel) if label.spot.target == target)


def label_at(bench: Any, pane: str) -> str:
    return next(str(label.text) for label in bench.app.screen.query(JumpLabel) if label.spot.pane == pane)


@pytest.mark.parametrize("size", SIZES)
async def test_letters_as_a_screen(
    size: str, open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene
) -> None:
    async with open_bench(scene, SIZES[size]) as bench:
        await bench.press("p", "g")
        golden(f"jump-{size}", bench.text())


async def test_a_pane_has_the_letter_of_its_key(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        for pane in ("chat", "phases", "timeline", "why", "layers"):
            await bench.press("g")
            letter = label_at(bench, pane)
            assert letter == {"layers": "l"}.get(pane, pane[0])
            await bench.press(letter)
            assert bench.screen.pane == pane


async def test_a_row_gets_the_cursor_and_its_entry_is_chosen(open_bench: Callable[..., Any], scene: Scene) -> None:
    wanted = next(ref for ref in scene.refs() if scene.entry(ref).title == "Mira's oath")
    async with open_bench(scene) as bench:
        await bench.press("w", "g")
        await bench.press(*label_of(bench, ToEntry(wanted)))
        assert bench.title == "Mira's oath"
        assert bench.screen.layer_tree.has_focus
        await bench.press("g")
        await bench.press(*label_of(bench, ToMessage(6)))
        assert bench.screen.chat.has_focus
        assert bench.screen.turn == 3


async def test_a_tab_is_chosen(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("g")
        await bench.press(*label_of(bench, ToPhase(2)))
        assert bench.screen.phase_rows.phase == 2


async def test_a_pane_out_of_sight_is_reached_by_its_name(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (80, 24)) as bench:
        await bench.press("g", "w")
        assert bench.screen.why.has_focus


async def test_the_first_of_two_letters_narrows(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("g")
        long = next(label for label in bench.app.screen.query(JumpLabel) if len(label.text) == 2)
        everything = len(bench.app.screen.query(JumpLabel))
        await bench.press(long.text[0])
        seen = [label for label in bench.app.screen.query(JumpLabel) if label.visible]
        assert 0 < len(seen) < everything
        assert all(label.text[0] == long.text[0] for label in seen)
        await bench.press("backspace")
        assert all(label.visible for label in bench.app.screen.query(JumpLabel))
        await bench.press(*long.text)
        assert bench.app.screen is bench.screen


@pytest.mark.parametrize("key", ["escape", "f5", "exclamation_mark", "1"])
async def test_anything_else_ends_it(key: str, open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        before = bench.text()
        await bench.press("g")
        assert isinstance(bench.app.screen, Jumping)
        await bench.press(key)
        assert bench.app.screen is bench.screen
        assert bench.text() == before


async def test_a_click_on_a_letter_goes_there(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("g")
        spot = next(label.spot for label in bench.app.screen.query(JumpLabel) if label.spot.pane == "why")
        await bench.pilot.click(offset=(spot.x, spot.y))
        await bench.settle()
        assert bench.screen.why.has_focus


async def test_the_line_of_the_filter_is_a_field(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("slash", "enter", "g")
        label = next(
            item for item in bench.app.screen.query(JumpLabel) if item.spot.widget is bench.screen.filter_input
        )
        await bench.press(*label.text)
        assert bench.screen.filter_input.has_focus
