"""The timeline unfolded: a row for every entry that had something, a column for every turn, what became of it in cells.

Only what is in sight is drawn, so that the number of entries and turns does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from lorebook_tui.engine.fates import Fate
from lorebook_tui.tui.ink import Span, fit, padded
from lorebook_tui.tui.targets import ToCell, ToEntry, ToTurn
from lorebook_tui.tui.views.timeline import EDGES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.model.scenario import Step
    from lorebook_tui.tui.chronicle import Chronicle
    from lorebook_tui.tui.ink import Line

_COUNT: Final = 5
_WIDEST_COLUMN: Final = 3
_LEAST_CELLS: Final = 8
_WIDEST_TITLE: Final = 30


class CellSign(NamedTuple):
    """How a fate is drawn and told."""

    sign: str
    letter: str
    ink: str
    word: str
    fills: bool = False
    """Whether it fills a wide column."""


CELLS: Final = {
    Fate.IN: CellSign("█", "I", "in", "in the prompt", fills=True),
    Fate.STICKY: CellSign("━", "S", "sticky", "in, held by sticky", fills=True),
    Fate.CLOSED: CellSign("⊘", "X", "closed", "activated, but its exit is closed"),
    Fate.CUT: CellSign("✂", "C", "cut", "cut by the budget"),
    Fate.BEHIND: CellSign("░", "B", "cut", "behind the cut", fills=True),
    Fate.ROLLED: CellSign("⚄", "R", "rolled", "lost its roll"),
    Fate.GROUP: CellSign("⚑", "G", "rolled", "lost its group"),
    Fate.COOLDOWN: CellSign("◷", "O", "waiting", "on cooldown"),
    Fate.DELAY: CellSign("◔", "D", "waiting", "waits for its delay"),
    Fate.LEVEL: CellSign("◌", "L", "waiting", "waits for recursion"),
    Fate.SECONDARY: CellSign("∅", "2", "muted", "stopped by its secondary keys"),
    Fate.NEAR: CellSign("≈", "N", "near", "a key almost matched"),
}
"""By fate; blocks and lines for what lasts, a sign for each thing that happens."""


@dataclass(frozen=True, slots=True)
class Grid:
    """What the grid shows."""

    chronicle: Chronicle
    steps: Sequence[Step]
    chosen: int
    """The chosen turn, counted from 0."""
    entry: int | None
    """Load index of the chosen entry."""
    rows: Sequence[int]
    """Load indices, from top to bottom."""
    title_of: Callable[[int], str]
    ref_of: Callable[[int], EntryRef | None]
    glyphs: Glyphs
    near: Collection[tuple[int, int]]
    """Cells at which a key nearly matched, turn and load index, as far as somebody looked."""

    def fate(self, index: int, turn: int) -> Fate | None:
        """What became of an entry at a turn."""
        found = self.chronicle.facts(index).fates.get(turn)
        return found or (Fate.NEAR if (turn, index) in self.near else None)


@dataclass(frozen=True, slots=True)
class GridView:
    """A part of the grid that fits into a pane."""

    grid: Grid
    top: int
    """The first row in sight."""
    first: int
    """The first turn in sight."""
    cursor: tuple[int, int] | None
    """Row and turn; None: there is none."""
    height: int

    def lines(self, width: int) -> list[Line]:
        """Numbers of turns, rows, and what the cell under the cursor means; exactly `height` of them."""
        grid = self.grid
        column, count = columns(width, len(grid.steps))
        turns = range(self.first, min(self.first + count, len(grid.steps)))
        shown = range(self.top, min(self.top + self.height - EDGES, len(grid.rows)))
        lines = [self._head(width, column, turns)]
        lines += [self._row(row, width, column, turns) for row in shown]
        lines += [()] * (self.height - EDGES - len(shown))
        return [*lines, fit(self._told(), width)]

    def _head(self, width: int, column: int, turns: range) -> Line:
        """The turns, by the number of messages that exist; the chosen one always."""
        grid = self.grid
        line = [" "] * (len(turns) * column + _COUNT)
        widest = len(str(grid.steps[-1].upto)) + 1 if grid.steps else 1
        every = next(step for step in (1, 5, 10, 20, 50, 100, 10**9) if step * column > widest)
        numbers = [turn for turn in turns if turn % every == 0 and turn != grid.chosen]
        chosen = range(0)
        for turn in ([grid.chosen] if grid.chosen in turns else []) + numbers:
            at, text = (turn - turns.start) * column, str(grid.steps[turn].upto)
            if all(cell == " " for cell in line[max(0, at - 1) : at + len(text) + 1]):
                line[at : at + len(text)] = text
                chosen = range(at, at + len(text)) if turn == grid.chosen else chosen
        name = padded((Span(f"turn {self._counted()}", "faint"),), title_cells(width))
        text = "".join(line)
        before, marked, behind = text[: chosen.start], text[chosen.start : chosen.stop], text[chosen.stop :]
        return (*name, Span(before, "faint"), Span(marked, "tab-chosen"), Span(behind, "faint"))

    def _counted(self) -> str:
        """Where in a long list the rows are."""
        total, last = len(self.grid.rows), min(self.top + self.height - EDGES, len(self.grid.rows))
        return f"{self.grid.glyphs.dot} {self.top + 1}-{last}/{total}" if total > self.height - EDGES else ""

    def _row(self, row: int, width: int, column: int, turns: range) -> Line:
        grid = self.grid
        index = grid.rows[row]
        ref = grid.ref_of(index)
        under = self.cursor is not None and self.cursor[0] == row
        mark = grid.glyphs.step if under else " "
        ink = "title" if index == grid.entry else "strong" if under else "text"
        target = ToEntry(ref) if ref else None
        title = padded((Span(f"{mark} ", "title"), Span(grid.title_of(index), ink, target)), title_cells(width) - 1)
        cells = [self._cell(index, turn, column, ref, is_cursor=(row, turn) == self.cursor) for turn in turns]
        fired = grid.chronicle.facts(index).fired_count
        return (*title, Span(" "), *cells, Span(f"{fired:>{_COUNT}}", "number"))

    def _cell(self, index: int, turn: int, column: int, ref: EntryRef | None, *, is_cursor: bool) -> Span:
        """What became of an entry at a turn."""
        grid = self.grid
        fate = grid.fate(index, turn)
        target = ToCell(turn, ref) if ref else ToTurn(turn)
        if fate is None:
            sign, ink = (grid.glyphs.free, "faint") if turn < grid.chronicle.count else (" ", "faint")
            text = sign.ljust(column)
        else:
            drawn = CELLS[fate]
            sign, ink = drawn.letter if grid.glyphs.letters else drawn.sign, drawn.ink
            text = (sign * max(1, column - 1)).ljust(column) if drawn.fills else sign.ljust(column)
        return Span(text, "tab-chosen" if is_cursor else ink, target)

    def _told(self) -> Line:
        """The cell under the cursor in words; the signs while there is no cursor."""
        grid = self.grid
        if not grid.rows:
            return (Span("No entry had anything yet.", "muted"),)
        if self.cursor is None:
            return legend(grid.glyphs)
        row, turn = self.cursor
        index = grid.rows[row]
        fate = grid.fate(index, turn)
        if fate is not None:
            word, ink = CELLS[fate].word, CELLS[fate].ink
        elif turn < grid.chronicle.count:
            word, ink = "nothing woke it", "muted"
        else:
            word, ink = "not replayed yet", "muted"
        return (
            Span(f"turn {grid.steps[turn].upto}: ", "label"),
            Span(word, ink),
            Span(f" {grid.glyphs.dot} ", "faint"),
            Span(grid.title_of(index), "strong"),
        )


def legend(glyphs: Glyphs) -> Line:
    """What the signs mean, the common ones first."""
    spans: list[Span] = []
    for sign in CELLS.values():
        spans += [Span(f"{sign.letter if glyphs.letters else sign.sign} ", sign.ink), Span(f"{sign.word}  ", "faint")]
    return tuple(spans)


def title_cells(width: int) -> int:
    """Room for the titles."""
    return max(1, min(_WIDEST_TITLE, max(12, width * 2 // 7), width - _COUNT - _LEAST_CELLS))


def columns(width: int, count: int) -> tuple[int, int]:
    """Cells of a column, and how many columns there is room for.

    Args:
        width: of the pane.
        count: turns of the chat.
    """
    room = max(1, width - title_cells(width) - _COUNT)
    column = max(1, min(_WIDEST_COLUMN, room // max(1, count)))
    return column, max(1, room // column)
