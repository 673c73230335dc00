"""The house themes: dark, light, and one without colour. Few colours each; everything else follows from them."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

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
HOUSE: Final = (DARK, LIGHT, ANSI_DARK, ANSI_LIGHT, MONO)
CYCLE: Final = tuple(theme.name for theme in HOUSE)
"""The order of the key that changes the theme."""


def own_variables(*, dark: bool) -> dict[str, str]:
    """What our styles ask for beyond Textual's variables, for themes that are not of this house."""
    return dict((DARK if dark else LIGHT).variables)
