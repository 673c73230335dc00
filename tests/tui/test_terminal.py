"""What the environment says about the terminal, and the themes that follow from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.tui.app import LorebookApp
from lorebook_tui.tui.inks import INKS, resolve
from lorebook_tui.tui.terminal import can_run, has_few_colours, wanted_theme, wants_letters
from lorebook_tui.tui.themes import ANSI_DARK, CONTRAST, CYCLE, DARK, HOUSE, LIGHT, MONO, contrast, users_theme
from lorebook_tui.workspace.config import Preferences, ThemeWish

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.theme import Theme

    from lorebook_tui.tui.scene import Scene

READABLE, LEGIBLE, STRONG = 4.5, 3.0, 7.0
"""Contrast for text, for what may be read past, and for high contrast (WCAG 2, levels AA, AA large and AAA)."""
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


TERMINALS: list[tuple[dict[str, str], str]] = [
    ({}, DARK.name),
    ({"TERM": "xterm-256color"}, DARK.name),
    ({"TERM": "xterm", "COLORTERM": "truecolor"}, DARK.name),
    ({"TERM": "xterm-kitty"}, DARK.name),
    ({"TERM": "xterm"}, ANSI_DARK.name),
    ({"TERM": "linux"}, ANSI_DARK.name),
    ({"TERM": "xterm-16color"}, ANSI_DARK.name),
    ({"TERM": "xterm-256color", "TEXTUAL_COLOR_SYSTEM": "standard"}, ANSI_DARK.name),
    ({"TERM": "rxvt", "COLORFGBG": "0;15"}, "lorebook-ansi-light"),
    ({"TERM": "rxvt", "COLORFGBG": "15;default;0"}, ANSI_DARK.name),
    ({"TERM": "vt220"}, MONO.name),
    ({"TERM": "linux", "NO_COLOR": ""}, MONO.name),
]


@pytest.mark.parametrize(("environ", "theme"), TERMINALS, ids=str)
def test_the_theme_follows_the_terminal(environ: dict[str, str], theme: str) -> None:
    assert wanted_theme(environ) == theme


@pytest.mark.parametrize("environ", [environ for environ, _ in TERMINALS if environ.get("TERM")], ids=str)
def test_few_colours_are_what_the_screen_will_send(environ: dict[str, str]) -> None:
    """The rule is Rich's own, which decides in the end."""
    from io import StringIO

    from rich.console import Console

    wanted = environ.get("TEXTUAL_COLOR_SYSTEM", "auto")
    seen = {name: value for name, value in environ.items() if name != "NO_COLOR"}
    console = Console(
        color_system=wanted, file=StringIO(), force_terminal=True, legacy_windows=False, _environ=seen,  # type: ignore[arg-type]
    )  # fmt: skip
    assert has_few_colours(environ) == (console.color_system in {"standard", None})


def test_wishes_come_in_order() -> None:
    assert wanted_theme({}, "", "b", "c") == "b"
    assert wanted_theme({"LOREBOOK_THEME": "a"}, "b") == "a"
    assert wanted_theme({"TERM": "linux"}, "b") == "b"


def test_no_colour_wins_over_a_wish() -> None:
    assert wanted_theme({}) == DARK.name
    assert wanted_theme({"LOREBOOK_THEME": LIGHT.name}) == LIGHT.name
    assert wanted_theme({"NO_COLOR": "1", "LOREBOOK_THEME": "lorebook-ansi-dark"}) == MONO.name


async def test_unknown_theme_is_no_obstacle(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, theme="no such theme") as bench:
        assert bench.app.theme == DARK.name


def variables(theme: Theme) -> dict[str, str]:
    return theme.to_color_system().generate() | theme.variables


@pytest.mark.parametrize("theme", [DARK, LIGHT, CONTRAST, MONO], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", [name for name, ink in INKS.items() if ink.colour])
def test_every_ink_can_be_read_on_what_lies_under_it(name: str, theme: Theme) -> None:
    found = variables(theme)
    ink = INKS[name]
    grounds = [ink.background] if ink.background else ["background", "surface", "row-cursor", "row-blurred"]
    if name in QUIET:
        grounds = ["background", "surface"]
    least = LEGIBLE if name in QUIET else READABLE
    for ground in grounds:
        assert contrast(found[ink.colour], found[ground]) >= (STRONG if theme is CONTRAST else least), ground


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


DUSK = ThemeWish("dusk", {"background": "#1d1a26", "foreground": "#ddd6e8", "primary": "#c99bd6"}, "dark", "line 3")
PAPER = ThemeWish("paper", {"background": "#ffffff", "foreground": "#111111"}, "light", "line 9")


@pytest.mark.parametrize("wish", [DUSK, PAPER], ids=lambda wish: wish.name)
def test_a_users_theme_of_a_few_colours_can_be_read(wish: ThemeWish) -> None:
    theme, doubt = users_theme(wish)
    assert doubt == ""
    assert theme.dark == (wish is DUSK)
    found = variables(theme)
    assert set(found) == set(variables(DARK))
    for name, ink in INKS.items():
        if ink.colour and ink.colour not in {"ink-purple", "ink-cyan"} and name not in QUIET:
            assert contrast(found[ink.colour], found[ink.background or "background"]) >= LEGIBLE, name


def test_a_theme_that_cannot_be_read_is_doubted() -> None:
    grey = ThemeWish("grey", {"background": "#777777", "foreground": "#888888"}, "dark", "line 4")
    assert users_theme(grey)[1].startswith("Theme grey: hard to read on its background: foreground")


async def test_users_themes_join_the_round(open_bench: Callable[..., Any], scene: Scene) -> None:
    wanted = Preferences(themes=(DUSK, ThemeWish(DARK.name, {"primary": "#fff"}, "dark", "line 5")))
    async with open_bench(scene, (60, 16), theme="dusk", preferences=wanted) as bench:
        assert bench.app.theme == "dusk"
        assert bench.app.offered_themes == (*CYCLE, "dusk")
        told = [notice.message for notice in bench.app._notifications]
        assert told == [f"There is a theme {DARK.name} already. (line 5)"]
        await bench.press("f4")
        assert bench.app.theme == DARK.name
        assert bench.app.memory.theme == DARK.name


async def test_without_colour_there_is_one_theme(
    open_bench: Callable[..., Any], scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_bench(scene, (60, 16), theme=MONO.name) as bench:
        await bench.press("f4")
        assert bench.app.theme == MONO.name
        assert bench.app.memory.theme == ""
        assert "NO_COLOR" in bench.screen.why_not_theme()


async def test_sizes_of_panes_are_the_users(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (200, 50)) as bench:
        usual = bench.screen.query_one("#layers").size.width
    async with open_bench(scene, (200, 50), preferences=Preferences(layers_width=30, entry_share=30)) as bench:
        assert bench.screen.query_one("#layers").size.width < usual
        assert bench.screen.query_one("#entry").size.width > bench.screen.query_one("#simulate").size.width
