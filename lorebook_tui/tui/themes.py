"""The house themes: dark, light, high contrast, the terminal's own, and one without colour; and those of users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

if TYPE_CHECKING:
    from lorebook_tui.workspace.config import ThemeWish

DARK: Final = Theme(
    name="lorebook-dark",
    primary="#e3b05f",
    secondary="#7fa9c9",
    accent="#d9906a",
    success="#93b97a",
    warning="#e0c15c",
    error="#e58a7e",
    foreground="#d6d2c6",
    background="#14171c",
    surface="#181c22",
    panel="#232932",
    dark=True,
    variables={
        "ink-muted": "#a3a39b",
        "ink-faint": "#6d7076",
        "ink-strong": "#f4efe2",
        "ink-purple": "#b99ad6",
        "ink-cyan": "#7fc4bd",
        "row-cursor": "#29313b",
        "row-blurred": "#20262e",
        "hit-background": "#3a3322",
        "hit-chosen": "#e3b05f",
        "hit-foreground": "#14171c",
        "edge": "#39414d",
        "cursor-style": "none",
        "tab-style": "bold",
        "scrollbar": "#39414d",
        "scrollbar-background": "#181c22",
    },
)
LIGHT: Final = Theme(
    name="lorebook-light",
    primary="#834d06",
    secondary="#2c5f86",
    accent="#a3432a",
    success="#38611f",
    warning="#6e5300",
    error="#a8322a",
    foreground="#2e2c28",
    background="#f4efe4",
    surface="#fbf8f1",
    panel="#e9e2d3",
    dark=False,
    variables={
        "ink-muted": "#5c574d",
        "ink-faint": "#7f796d",
        "ink-strong": "#0f0e0c",
        "ink-purple": "#6c4591",
        "ink-cyan": "#195f5a",
        "row-cursor": "#ece2cb",
        "row-blurred": "#f2ecdf",
        "hit-background": "#f1e2b8",
        "hit-chosen": "#834d06",
        "hit-foreground": "#fbf8f1",
        "edge": "#c9bfab",
        "cursor-style": "none",
        "tab-style": "bold",
        "scrollbar": "#c9bfab",
        "scrollbar-background": "#fbf8f1",
    },
)
CONTRAST: Final = Theme(
    name="lorebook-contrast",
    primary="#ffd75f",
    secondary="#8fd7ff",
    accent="#ffaf5f",
    success="#87ff87",
    warning="#ffff5f",
    error="#ff9c9c",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
    variables={
        "ink-muted": "#e0e0e0",
        "ink-faint": "#b8b8b8",
        "ink-strong": "#ffffff",
        "ink-purple": "#e0b8ff",
        "ink-cyan": "#7fffff",
        "row-cursor": "#002657",
        "row-blurred": "#262626",
        "hit-background": "#3a2e00",
        "hit-chosen": "#ffd75f",
        "hit-foreground": "#000000",
        "edge": "#b8b8b8",
        "cursor-style": "bold",
        "tab-style": "bold underline",
        "scrollbar": "#b8b8b8",
        "scrollbar-background": "#000000",
    },
)
MONO: Final = Theme(
    name="lorebook-mono",
    primary="#ffffff",
    secondary="#d0d0d0",
    accent="#ffffff",
    success="#e8e8e8",
    warning="#e8e8e8",
    error="#ffffff",
    foreground="#d8d8d8",
    background="#101010",
    surface="#101010",
    panel="#262626",
    dark=True,
    variables={
        "ink-muted": "#b4b4b4",
        "ink-faint": "#8c8c8c",
        "ink-strong": "#ffffff",
        "ink-purple": "#d8d8d8",
        "ink-cyan": "#d8d8d8",
        "row-cursor": "#3a3a3a",
        "row-blurred": "#262626",
        "hit-background": "#303030",
        "hit-chosen": "#f0f0f0",
        "hit-foreground": "#101010",
        "edge": "#5a5a5a",
        "cursor-style": "reverse",
        "tab-style": "bold reverse",
        "scrollbar": "#5a5a5a",
        "scrollbar-background": "#101010",
    },
)


def _terminal_theme(name: str, *, dark: bool) -> Theme:
    """The sixteen colours of the terminal on its own background; the cursor is reversed."""
    strong, muted = ("ansi_bright_white", "ansi_white") if dark else ("ansi_black", "ansi_black")
    return Theme(
        name=name,
        ansi=True,
        primary="ansi_yellow",
        secondary="ansi_blue" if not dark else "ansi_bright_blue",
        accent="ansi_red",
        success="ansi_green",
        warning="ansi_yellow",
        error="ansi_red",
        foreground="ansi_default",
        background="ansi_default",
        surface="ansi_default",
        panel="ansi_default",
        boost="ansi_default",
        dark=dark,
        variables={
            "ansi-background": "ansi_black" if dark else "ansi_white",
            "ansi-foreground": "ansi_white" if dark else "ansi_black",
            "ink-muted": muted,
            "ink-faint": "ansi_bright_black",
            "ink-strong": strong,
            "ink-purple": "ansi_magenta",
            "ink-cyan": "ansi_cyan",
            "row-cursor": "ansi_default",
            "row-blurred": "ansi_default",
            "hit-background": "ansi_default",
            "hit-chosen": "ansi_yellow",
            "hit-foreground": "ansi_black",
            "edge": "ansi_bright_black",
            "cursor-style": "reverse",
            "tab-style": "bold reverse",
            "border-blurred": "ansi_bright_black",
            "input-cursor-background": "ansi_default",
            "input-cursor-foreground": "ansi_default",
            "input-cursor-text-style": "reverse",
        },
    )


ANSI_DARK: Final = _terminal_theme("lorebook-ansi-dark", dark=True)
ANSI_LIGHT: Final = _terminal_theme("lorebook-ansi-light", dark=False)
HOUSE: Final = (DARK, LIGHT, CONTRAST, ANSI_DARK, ANSI_LIGHT, MONO)
CYCLE: Final = tuple(theme.name for theme in HOUSE)
"""The order of the key that changes the theme."""
OTHERS: Final = frozenset(BUILTIN_THEMES)
"""Textual's own, for those who ask for them by name."""


def own_variables(*, dark: bool) -> dict[str, str]:
    """What our styles ask for beyond Textual's variables, for themes that are not of this house."""
    return dict((DARK if dark else LIGHT).variables)


READABLE: Final = 4.5
"""Least contrast of text (WCAG 2, level AA)."""


def contrast(front: str, back: str) -> float:
    """How far two colours stand apart, 1 to 21 (WCAG 2)."""
    lighter, darker = sorted((_luminance(Color.parse(front)), _luminance(Color.parse(back))), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    red, green, blue = (
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - sRGB's own numbers
        for value in (colour.r / 255, colour.g / 255, colour.b / 255)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def users_theme(wish: ThemeWish) -> tuple[Theme, str]:
    """A theme from a few colours, the rest mixed from background and foreground; and what is doubtful about it, or "".

    What can be read on the background can be read on all that is mixed from it only if the two stand far apart.
    """
    base = LIGHT if wish.base == "light" else DARK
    colours = {name: wish.colours.get(name, getattr(base, name)) for name in _NAMED}
    back, front = Color.parse(colours["background"]), Color.parse(colours["foreground"])
    mixed = {name: back.blend(front, share).hex for name, share in _MIXED.items()}
    primary = Color.parse(colours["primary"])
    theme = Theme(
        name=wish.name,
        surface=mixed.pop("surface"),
        panel=mixed.pop("panel"),
        dark=back.brightness < 0.5,  # noqa: PLR2004 - the middle
        variables=base.variables
        | mixed
        | {
            "ink-strong": front.hex,
            "hit-background": back.blend(primary, 0.2).hex,
            "hit-chosen": primary.hex,
            "hit-foreground": back.hex,
            "scrollbar": mixed["edge"],
            "scrollbar-background": back.hex,
        },
        **colours,
    )
    poor = [name for name in _NAMED if name != "background" and contrast(colours[name], back.hex) < READABLE]
    told = f"Theme {wish.name}: hard to read on its background: {', '.join(poor)}. ({wish.where})" if poor else ""
    return theme, told


_NAMED: Final = ("background", "foreground", "primary", "secondary", "accent", "success", "warning", "error")
_MIXED: Final = {
    "surface": 0.03,
    "panel": 0.09,
    "row-cursor": 0.13,
    "row-blurred": 0.07,
    "edge": 0.25,
    "ink-muted": 0.75,
    "ink-faint": 0.5,
}
"""Share of the foreground in what lies between it and the background."""
