"""The tour: six steps that wait for what they teach, shown once, left with escape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.glyphs import Glyphs
from lorebook_tui.tui.actions import named
from lorebook_tui.tui.screens.touring import TourCard
from lorebook_tui.tui.tour_steps import EDITED, STEPS, step_blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.workspace.memory import Memory

SIZES = {"80x24": (80, 24), "120x40": (120, 40)}


def step(bench: Any) -> int | None:
    number = bench.screen.tour_step
    assert (number is not None) == bool(bench.screen.query(TourCard))
    return None if number is None else int(number)


def test_it_has_six_steps_that_teach_what_exists() -> None:
    assert len(STEPS) == 6
    for taught in STEPS:
        assert all(name == EDITED or named(name).id == name for name in taught.waits_for)


@pytest.mark.parametrize("letters", [False, True])
@pytest.mark.parametrize("number", range(6))
def test_every_name_in_the_texts_is_filled(number: int, letters: bool) -> None:
    asked: list[str] = []

    def key_of(name: str) -> str:
        asked.append(name)
        return "KEY"

    text = "\n".join(
        "".join(span.text for span in line)
        for block in step_blocks(number, Glyphs(letters), key_of)
        for line in block.lines(70)
    )
    assert "{" not in text
    assert f"step {number + 1} of 6" in text
    if letters:
        assert text.isascii()
    for name in asked:
        assert named(name).id == name


@pytest.mark.parametrize("size", SIZES)
async def test_the_steps_as_screens(
    size: str, open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene
) -> None:
    async with open_bench(scene, SIZES[size]) as bench:
        await bench.press("f7")
        for number in range(6):
            assert step(bench) == number
            if size == "80x24" or number in {0, 3}:
                golden(f"tour-{number + 1}-{size}", bench.text())
            await bench.press("enter")
        assert step(bench) is None


async def test_each_step_waits_for_what_it_teaches(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f7", "f3", "f3")
        assert step(bench) == 0
        await bench.press("down")
        assert step(bench) == 1
        await bench.press("left_square_bracket")
        assert step(bench) == 2
        await bench.press("w")
        assert step(bench) == 3
        assert bench.title == "The mill"
        await bench.press("p")
        assert step(bench) == 4
        await bench.press("space")
        assert step(bench) == 5
        await bench.press("ctrl+p")
        assert step(bench) is None
        assert bench.app.screen is not bench.screen


async def test_escape_leaves_it_and_works_as_ever_afterwards(open_bench: Callable[..., Any], scene: Scene) -> None:
    kept: list[Memory] = []
    async with open_bench(scene, keep=kept.append) as bench:
        await bench.press("f7", "enter", "escape")
        assert step(bench) is None
        assert not bench.screen.query(".-taught")
        assert [memory.tour_seen for memory in kept] == [True]
        assert bench.screen.chat.has_focus
        await bench.press("escape")
        assert bench.screen.layer_tree.has_focus
        await bench.press("enter")
        assert bench.screen.why.has_focus


async def test_it_comes_by_itself_where_it_is_due(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, tour=True) as bench:
        assert step(bench) == 0
        await bench.pilot.click(TourCard)
        await bench.settle()
        assert step(bench) == 1
    async with open_bench(scene) as bench:
        assert step(bench) is None


async def test_letters_typed_into_a_line_stay_there(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("f7", "slash", *"bell", "enter")
        assert step(bench) == 0
        assert bench.screen.layer_tree.has_focus


@pytest.mark.parametrize("size", [(1, 1), (20, 6), (60, 16), (200, 60)])
async def test_any_size(size: tuple[int, int], open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, size) as bench:
        await bench.press("f7", "enter", "enter", "enter", "enter", "enter", "enter")
        assert step(bench) is None
