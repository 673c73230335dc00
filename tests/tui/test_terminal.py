"""What the environment says about the terminal, and the themes that follow from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from textual.color import Color

from lorebook_tui.tui.app import LorebookApp
from lorebook_tui.tui.inks import INKS, resolve
from lorebook_tui.tui.terminal import can_run, wanted_theme, wants_letters
from lorebook_tui.tui.themes import CYCLE, DARK, HOUSE, LIGHT, MONO

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.theme import Theme

    from lorebook_tui.tui.scene import Scene

READABLE, LEGIBLE = 4.5, 3.0
"""Contrast for text, and for what may be read past (WCAG 2, levels AA and AA large)."""
QUIET = {"faint", "off", "bar-free", "bar", "bar-other", "bar-cut", "bar-chosen", "window"}


def test_only_a_dumb_terminal_is_refused() -> None:
    assert "lorebook --help" in (can_run({"TERM": "dumb"}) or "")
    assert can_run({"TERM": "xterm-256color"}) is None
    assert can_run({}) is None


@pytest.mark.parametrize(
    ("environ", "encoding", "letters"),
    [
        ({"TERM": "xterm-256color"}, "utf-8", False),
        ({"TERM": "linux"}, "UTF-8", True),
        ({"TERM": "vt220-old"}, "utf-8", True),
        ({}, "ascii", True),
        ({}, "cp1252", True),
        ({}, None, False),
        ({"LOREBOOK_LETTERS": "1", "TERM": "xterm"}, "utf-8", True),
    ],
)
def test_letters(environ: dict[str, str], encoding: str | None, letters: bool) -> None:
    assert wants_letters(environ, encoding) is letters


def test_no_colour_wins_over_a_wish() -> None:
    assert wanted_theme({}) == DARK.name
    assert wanted_theme({"LOREBOOK_THEME": LIGHT.name}) == LIGHT.name
    assert wanted_theme({"NO_COLOR": "1", "LOREBOOK_THEME": "lorebook-ansi-dark"}) == MONO.name


async def test_unknown_theme_is_no_obstacle(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, theme="no such theme") as bench:
        assert bench.app.theme == DARK.name


def contrast(front: str, back: str) -> float:
    lighter, darker = sorted((_luminance(Color.parse(front)), _luminance(Color.parse(back))), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    red, green, blue = (
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4
        for value in (colour.r / 255, colour.g / 255, colour.b / 255)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def variables(theme: Theme) -> dict[str, str]:
    return theme.to_color_system().generate() | theme.variables


@pytest.mark.parametrize("theme", [DARK, LIGHT, MONO], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", [name for name, ink in INKS.items() if ink.colour])
def test_every_ink_can_be_read_on_what_lies_under_it(name: str, theme: Theme) -> None:
    found = variables(theme)
    ink = INKS[name]
    grounds = [ink.background] if ink.background else ["background", "surface", "row-cursor", "row-blurred"]
    if name in QUIET:
        grounds = ["background", "surface"]
    for ground in grounds:
        assert contrast(found[ink.colour], found[ground]) >= (LEGIBLE if name in QUIET else READABLE), ground


def test_without_colour_everything_is_grey() -> None:
    own = [value for value in (*vars(MONO).values(), *MONO.variables.values()) if str(value).startswith("#")]
    assert len(own) > 15
    assert [value for value in own if len({value[1:3], value[3:5], value[5:7]}) > 1] == []


@pytest.mark.parametrize("theme", HOUSE, ids=lambda theme: theme.name)
def test_no_meaning_rests_on_colour_alone(theme: Theme) -> None:
    """What is chosen differs from its neighbours by more than a hue."""
    inks = resolve(variables(theme))
    for name, other in (("hit", "text"), ("hit-chosen", "hit"), ("tab-chosen", "tab"), ("link", "label")):
        assert (inks[name].underline, inks[name].bold, inks[name].reverse) != (
            inks[other].underline, inks[other].bold, inks[other].reverse,
        ), name  # fmt: skip


@pytest.mark.parametrize("name", [*CYCLE, "textual-light", "nord"])
async def test_every_theme_draws_the_same_text(name: str, open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        before = bench.text()
        bench.app.theme = name
        await bench.settle()
        assert bench.text() == before


async def test_the_theme_key_goes_round(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (60, 16)) as bench:
        seen = []
        for _ in CYCLE:
            await bench.press("f4")
            seen.append(bench.app.theme)
        assert seen == [*CYCLE[1:], CYCLE[0]]


def test_no_color_and_ansi_do_not_meet(monkeypatch: pytest.MonkeyPatch, scene: Scene) -> None:
    """Textual paints such a pair black on black."""
    monkeypatch.setenv("NO_COLOR", "1")
    app = LorebookApp(lambda: scene, theme=wanted_theme({"NO_COLOR": "1", "LOREBOOK_THEME": "lorebook-ansi-dark"}))
    assert app.no_color
    assert not app.current_theme.ansi
