"""The letters of findings: E, W and i, beside fields and entries, and counted for books."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.lint.findings import Severity
from lorebook_tui.tui.ink import Span

if TYPE_CHECKING:
    from lorebook_tui.tui.ink import Line

_LETTERS: Final = {Severity.ERROR: "E", Severity.WARNING: "W", Severity.INFO: "i", Severity.OFF: " "}
_INKS: Final = {Severity.ERROR: "cut", Severity.WARNING: "near", Severity.INFO: "muted", Severity.OFF: "faint"}


def letter(severity: Severity | None) -> Span:
    """One letter: E, W or i; a blank for nothing."""
    return Span(_LETTERS[severity], _INKS[severity]) if severity is not None else Span(" ")


def badge(counts: tuple[int, int] | None) -> Line:
    """`E2 W5 ` for a book: errors and warnings."""
    if counts is None:
        return ()
    pairs = zip((Severity.ERROR, Severity.WARNING), counts, strict=True)
    return tuple(Span(f"{_LETTERS[severity]}{count} ", _INKS[severity]) for severity, count in pairs if count)
