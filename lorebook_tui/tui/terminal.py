"""What the terminal can do, read from the environment, before Textual is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_WITHOUT_SIGNS = ("linux", "vt100", "vt220", "ansi", "cygwin")
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


def wanted_theme(environ: Mapping[str, str]) -> str:
    """The name of the theme to start with; `NO_COLOR` wins over everything, as its convention asks."""
    if "NO_COLOR" in environ:  # Textual too looks only whether it is there
        return "lorebook-mono"
    return environ.get(_THEME_VARIABLE, "") or "lorebook-dark"
