"""Whole screens as text files, in every arrangement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene

SIZES = {"60x16": (60, 16), "80x24": (80, 24), "120x40": (120, 40), "180x50": (180, 50)}
STATES: dict[str, tuple[str, ...]] = {
    "start": (),
    "entry": ("s",),
    "chat": ("left_square_bracket", "c"),
    "phases": ("left_square_bracket", "p"),
    "why": ("left_square_bracket", "w"),
    "help": ("question_mark",),
    "palette": ("ctrl+p", *"bell"),
}
MORE: dict[str, tuple[str, tuple[str, ...]]] = {
    **{f"phase-{number}": ("120x40", ("[", "[", "p", str(number))) for number in range(1, 8)},
    "letters": ("120x40", ("[", "f3")),
    "filter": ("120x40", ("slash", *"bell", "enter")),
    "turns": ("120x40", ("ctrl+t",)),
    "every-turn": ("120x40", ("m",)),
    "half": ("180x50", ("c", "z")),
    "full": ("180x50", ("p", "z", "z")),
    "beside": ("120x40", ("f5",)),
    "low": ("150x24", ("p",)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
async def test_state(
    state: str, size: str, open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene
) -> None:
    async with open_bench(scene, SIZES[size]) as bench:
        await bench.press(*STATES[state])
        golden(f"{state}-{size}", bench.text())


@pytest.mark.parametrize("name", MORE)
async def test_more(
    name: str, open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene
) -> None:
    size, keys = MORE[name]
    width, height = map(int, size.split("x"))
    async with open_bench(scene, (width, height)) as bench:
        await bench.press(*keys)
        golden(name, bench.text())


async def test_no_wall_for_small_terminals(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (30, 6)) as bench:
        assert "The mill" in bench.text()
        assert "turn 8" in bench.text().splitlines()[0]


@pytest.mark.parametrize("size", [(1, 1), (12, 3), (61, 17), (99, 33), (100, 34), (139, 20), (140, 34), (400, 120)])
async def test_any_size_can_be_walked(size: tuple[int, int], open_bench: Callable[..., Any], scene: Scene) -> None:
    """Nothing breaks at a border between arrangements, and Tab comes to every pane."""
    async with open_bench(scene, size) as bench:
        seen = []
        for _ in range(6):
            seen.append(bench.screen.pane)
            assert bench.screen.widget_of(bench.screen.pane).has_focus
            await bench.press("tab")
        assert sorted(seen) == sorted({"layers", "entry", "chat", "phases", "timeline", "why"})


async def test_another_width_keeps_the_pane_and_the_focus(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (180, 50)) as bench:
        await bench.press("w")
        for width in (110, 70, 180):
            await bench.pilot.resize_terminal(width, 24 if width < 180 else 50)
            await bench.settle()
            assert bench.screen.why.has_focus
            assert "OUT: cut by the budget" in bench.text()
