"""What each ink looks like: colours by the theme's variables, and a text style, since no meaning rests on colour alone.

They are resolved once per theme and shared by all panes: as component classes of the style sheet they would be matched
anew for every pane whenever a class changes, which costs more than everything else on the screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.style import Style
from textual.color import Color, ColorParseError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Ink:
    """One ink."""

    colour: str = ""
    """Theme variable; "": as the text around it."""
    background: str = ""
    """Theme variable; "": as the pane."""
    style: str = ""
    """Rich's words for it, or the name of one of `VARIABLE_STYLES`."""


INKS: Final = {
    "text": Ink("foreground"),
    "muted": Ink("ink-muted"),
    "faint": Ink("ink-faint"),
    "strong": Ink("ink-strong", style="bold"),
    "title": Ink("primary", style="bold"),
    "heading": Ink("primary"),
    "label": Ink("secondary"),
    "number": Ink("ink-muted"),
    "link": Ink("secondary", style="underline"),
    "key": Ink("ink-strong", "panel"),
    "key-missed": Ink("ink-muted", "panel"),
    "key-name": Ink("primary", style="bold"),
    "macro": Ink("ink-cyan"),
    "hit": Ink("ink-strong", "hit-background", "underline"),
    "hit-chosen": Ink("hit-foreground", "hit-chosen", "bold underline"),
    "found": Ink("warning", style="bold reverse"),
    "in": Ink("success"),
    "cut": Ink("error", style="bold"),
    "rolled": Ink("ink-purple"),
    "waiting": Ink("secondary"),
    "sticky": Ink("primary", style="bold"),
    "near": Ink("warning"),
    "closed": Ink("error"),
    "off": Ink("ink-faint"),
    "bar": Ink("success"),
    "bar-other": Ink("secondary"),
    "bar-cut": Ink("error"),
    "bar-chosen": Ink("primary"),
    "bar-free": Ink("ink-faint"),
    "tab": Ink("ink-muted"),
    "tab-chosen": Ink("ink-strong", "row-cursor", "tab-style"),
    "cursor-turn": Ink("primary", style="bold"),
    "window": Ink("primary"),
    "source-entry": Ink("success"),
    "source-card": Ink("ink-purple"),
    "source-persona": Ink("secondary"),
    "source-message": Ink("foreground"),
    "source-note": Ink("warning"),
    "source-prompt": Ink("ink-cyan"),
    "source-extension": Ink("accent"),
    "source-marker": Ink("ink-muted", style="italic"),
    "cursor": Ink("", "row-cursor", "cursor-style"),
    "cursor-blurred": Ink("", "row-blurred"),
    "stale": Ink(style="dim"),
}
"""By name; `cursor` and the two behind it lie under or over the others."""

VARIABLE_STYLES: Final = {"tab-style": "bold reverse", "cursor-style": "reverse"}
"""Text styles that a theme may set by a variable of this name, and what they are in other themes."""


def resolve(variables: Mapping[str, str]) -> dict[str, Style]:
    """The inks as Rich styles without a background of their own unless they have one.

    Args:
        variables: of the theme, its colours and our own.
    """
    return {name: _style(ink, variables) for name, ink in INKS.items()}


def _style(ink: Ink, variables: Mapping[str, str]) -> Style:
    words = variables.get(ink.style, VARIABLE_STYLES[ink.style]) if ink.style in VARIABLE_STYLES else ink.style
    style = Style.null() if words in {"", "none"} else Style.parse(words)
    return style + Style(color=_colour(ink.colour, variables), bgcolor=_colour(ink.background, variables))


def _colour(name: str, variables: Mapping[str, str]) -> str | None:
    """A variable's colour in Rich's words; None for none, or for what is no plain colour."""
    try:
        return Color.parse(variables[name]).rich_color.name if name else None
    except (KeyError, ColorParseError):
        return None
