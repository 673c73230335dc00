"""The timeline: a column for every turn with the number of entries in and cut, and what became of the chosen entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.glyphs import Mark
from lorebook_tui.tui.ink import Span
from lorebook_tui.tui.targets import ToTurn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.ink import Line
    from lorebook_tui.tui.replay import Turn

HEIGHT: Final = 3
EDGES: Final = 2
"""Lines of the unfolded timeline that are no rows: the turns above, the cell under the cursor below."""
_LABEL: Final = 6
_VALUE: Final = 6
_WIDEST_COLUMN: Final = 4


@dataclass(frozen=True, slots=True)
class Timeline:
    """The turns of a chat as a strip."""

    turns: Sequence[Turn]
    """What has been replayed so far."""
    count: int
    """Turns of the chat."""
    chosen: int
    """The chosen turn, counted from 0."""
    entry: int | None
    """Load index of the chosen entry."""
    glyphs: Glyphs

    def lines(self, width: int) -> list[Line]:
        """Three lines: entries in, entries cut, the chosen entry."""
        room = max(1, width - _LABEL - _VALUE)
        column = max(1, min(_WIDEST_COLUMN, room // max(1, self.count)))
        first, last = window(self.count, self.chosen, room // column)
        shown = [self.turns[number] if number < len(self.turns) else None for number in range(first, last)]
        now = self.turns[self.chosen] if self.chosen < len(self.turns) else None
        most_in = max((turn.active for turn in self.turns), default=0)
        most_cut = max((turn.cut for turn in self.turns), default=0)

        def line(label: str, value: str, cells: Iterable[Span]) -> Line:
            drawn = (self._cell(number, cell, column) for number, cell in enumerate(cells, first))
            return (Span(f"{label:<{_LABEL}}", "faint"), *drawn, Span(f"{value:>{_VALUE}}", "number"))

        return [
            line(
                "in", f"{now.active}" if now else "", (self._bar(t.active if t else None, most_in, "in") for t in shown)
            ),
            line("cut", f"{now.cut}" if now else "", (self._bar(t.cut if t else None, most_cut, "cut") for t in shown)),
            line("entry", "", (self._mark(turn) for turn in shown)),
        ]

    def _cell(self, number: int, cell: Span, column: int) -> Span:
        """One column of a line: bars and held entries fill it, marks stand at its left."""
        fills = cell.text in self.glyphs.bars or cell.text == self.glyphs.mark(Mark.STICKY)
        text = (cell.text * max(1, column - 1) if fills else cell.text).ljust(column)
        return Span(text, "tab-chosen" if number == self.chosen else cell.ink, ToTurn(number))

    def _bar(self, value: int | None, most: int, ink: str) -> Span:
        """A block as high as the value; a dot for a turn that is not replayed yet."""
        if value is None:
            return Span(self.glyphs.free, "faint")
        steps = len(self.glyphs.bars) - 1
        return Span(self.glyphs.bars[max(1, round(value * steps / most)) if value else 0], ink)

    def _mark(self, turn: Turn | None) -> Span:
        """What became of the chosen entry at a turn."""
        mark = turn.marks.get(self.entry) if turn is not None and self.entry is not None else None
        return Span(self.glyphs.mark(mark), mark.ink) if mark else Span(self.glyphs.free, "faint")


def window(count: int, chosen: int, columns: int) -> tuple[int, int]:
    """The first turn that is shown and the one behind the last, the chosen one about in the middle."""
    if count <= columns:
        return 0, count
    first = min(max(0, chosen - columns // 2), count - columns)
    return first, first + columns
