"""What the terminal can do, read from the environment, before Textual is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_WITHOUT_SIGNS = ("linux", "vt100", "vt220", "ansi", "cygwin")
_WITHOUT_COLOUR = ("vt100", "vt102", "vt220", "vt320")
_THEME_VARIABLE = "LOREBOOK_THEME"
_LETTERS_VARIABLE = "LOREBOOK_LETTERS"


def can_run(environ: Mapping[str, str]) -> str | None:
    """Why the screen cannot be shown in this terminal, as a sentence for people; None if it can."""
    if environ.get("TERM") == "dumb":
        return "TERM=dumb: this terminal cannot move its cursor. Every capability is also a command: lorebook --help."
    return None


def wants_letters(environ: Mapping[str, str], encoding: str | None) -> bool:
    """Whether signs are replaced by letters: the user says so, no UTF-8, or a console font that lacks them."""
    if environ.get(_LETTERS_VARIABLE):
        return True
    if encoding is not None and encoding.lower().replace("-", "") not in {"utf8", "utf16", "cp65001"}:
        return True
    return environ.get("TERM", "").partition("-")[0] in _WITHOUT_SIGNS


def has_no_colour(environ: Mapping[str, str]) -> bool:
    """Whether nothing shall have a colour: `NO_COLOR` is set, or the terminal never had any."""
    # Textual too looks only whether it is there.
    return "NO_COLOR" in environ or environ.get("TERM", "").partition("-")[0] in _WITHOUT_COLOUR


def has_few_colours(environ: Mapping[str, str]) -> bool:
    """Whether there are sixteen colours only, among which the shades of a house theme fall together."""
    system = environ.get("TEXTUAL_COLOR_SYSTEM", "auto").strip().lower()
    if system in {"standard", "windows"}:
        return True
    if system in {"truecolor", "256"} or environ.get("COLORTERM", "").strip().lower() in {"truecolor", "24bit"}:
        return False
    term = environ.get("TERM", "").strip().lower()
    if not term:
        return False  # Windows: its console has them all, and says nothing
    return term.rpartition("-")[2] not in {"256color", "kitty", "direct"}


def wanted_theme(environ: Mapping[str, str], *wishes: str) -> str:
    """The name of the theme to start with.

    `NO_COLOR` wins over everything, as its convention asks; then `LOREBOOK_THEME`, then what is wished.

    Args:
        environ: of the process.
        wishes: names of themes, the strongest wish first; "" is none.
    """
    if has_no_colour(environ):
        return "lorebook-mono"
    wish = next((name for name in (environ.get(_THEME_VARIABLE, ""), *wishes) if name), "")
    if wish:
        return wish
    if not has_few_colours(environ):
        return "lorebook-dark"
    # rxvt and its kin tell their colours as `foreground;background`, 7 and 15 being white.
    is_light = environ.get("COLORFGBG", "").rpartition(";")[2] in {"7", "15"}
    return "lorebook-ansi-light" if is_light else "lorebook-ansi-dark"
