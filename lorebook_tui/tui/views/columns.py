"""A line about an entry with columns of figures at its right: as many as there is room for, the first ones first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.tui.ink import Span, fit, padded, width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.tui.ink import Line
    from lorebook_tui.tui.targets import Target

LEAST_TITLE: Final = 14
"""Cells that the title keeps before a column is shown."""
_WIDEST_TITLE: Final = 34
_LEAST_DETAIL: Final = 8


@dataclass(frozen=True, slots=True)
class Column:
    """A kind of figure."""

    name: str
    cells: int
    """Width without the gap before it."""


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """Sign, title and detail at the left, figures under the names of their columns at the right.

    Where there is not room for all columns, those at the end of `columns` are left out; the first one stands at the
    edge of the pane.
    """

    columns: tuple[Column, ...]
    """The most important first."""
    left: Line
    """Signs and title."""
    figures: tuple[Span, ...]
    """One for each column."""
    detail: Line = ()
    target: Target | None = None

    def estimate(self, width: int) -> int:
        """Always one."""
        del width
        return 1

    def lines(self, width: int) -> Sequence[Line]:
        """The one line."""
        right: list[Span] = []
        used = 0
        for column, figure in zip(self.columns, self.figures, strict=True):
            if used + column.cells + 1 > width - LEAST_TITLE and used:
                break
            shown = fit((figure,), column.cells)
            right[:0] = [Span(" " * (column.cells + 1 - width_of(shown))), *shown]
            used += column.cells + 1
        room = max(0, width - used)
        title_room = min(_WIDEST_TITLE, max(LEAST_TITLE, room * 3 // 5)) if self.detail else room
        title = padded(self.left, min(title_room, room))
        left_over = room - width_of(title)
        detail = padded((Span("  "), *self.detail), left_over) if left_over >= _LEAST_DETAIL else padded((), left_over)
        return ((*title, *detail, *right),)


def column_names(columns: tuple[Column, ...], text: str) -> ColumnLine:
    """The line above: what the rows are, and the names of the columns.

    Args:
        columns: the most important first.
        text: what the rows are.
    """
    return ColumnLine(columns, (Span(text, "heading"),), tuple(Span(column.name, "faint") for column in columns))
