"""The pane of the timeline: a strip of turns while it is low, a grid of entries and turns as soon as there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.message import Message

from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.ink import Drawn
from lorebook_tui.tui.targets import ToCell, ToTurn
from lorebook_tui.tui.views.timeline import EDGES, HEIGHT, window
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events
    from textual.binding import BindingType

    from lorebook_tui.tui.chronicle import Chronicle
    from lorebook_tui.tui.views.grid import Grid
    from lorebook_tui.tui.views.timeline import Timeline as Strip

LEAST_GRID: Final = HEIGHT + EDGES
"""Lines from which on the grid is shown."""
_WHEEL: Final = 3


class Timeline(LineView):
    """All turns: the strip, or the grid with a cursor in two directions."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.TIMELINE))
    MOVES_CURSOR = False
    chosen: int = 0
    count: int = 0
    strip: Strip | None = None
    make_grid: Callable[[], Grid] | None = None
    grid: Grid | None = None
    """What is drawn while there is room for it."""
    cell: tuple[int, int] | None = None
    """Load index and turn under the cursor of the grid."""
    part: tuple[Sequence[int], range] = ((), range(0))
    """Load indices and turns of the cells in sight."""
    _top: int = 0
    _told_of: Chronicle | None = None
    """The turns that the part in sight was told of last."""

    class PartShown(Message):
        """Other cells of the grid are in sight, or another grid is drawn."""

    @property
    def is_grid(self) -> bool:
        """Whether the pane is high enough for the grid."""
        return self.scrollable_content_region.height >= LEAST_GRID

    def show_turns(self, strip: Strip, make_grid: Callable[[], Grid], chosen: int, count: int) -> None:
        """Draw what there is room for.

        Args:
            strip: the folded form.
            make_grid: makes the other one; called when it is needed.
            chosen: the chosen turn, counted from 0.
            count: turns of the chat.
        """
        self.chosen, self.count = chosen, count
        self.strip, self.make_grid = strip, make_grid
        self._draw()

    def _draw(self) -> None:
        if self.strip is None or self.make_grid is None:
            return
        if not self.is_grid:
            self.grid = None
            self.show([Drawn(self.strip.lines, HEIGHT)])
            return
        before, self.grid = self.grid, self.make_grid()
        entry = self.grid.entry
        if self.cell is None or before is None or (before.chosen, before.entry) != (self.chosen, entry):
            rows = self.grid.rows
            index = entry if entry is not None and entry in rows else self.cell[0] if self.cell else None
            self.cell = (index if index is not None else rows[0], self.chosen) if rows else None
        self._draw_grid()

    def _draw_grid(self) -> None:
        grid, height = self.grid, self.scrollable_content_region.height
        if grid is None:
            return
        from lorebook_tui.tui.views.grid import GridView, columns  # noqa: PLC0415 - late, so that the screen stands sooner

        place = self._place()
        _, shown = columns(self.scrollable_content_region.width, len(grid.steps))
        first, _ = window(len(grid.steps), place[1] if place else self.chosen, shown)
        if place is not None:
            self._top = max(place[0] - (height - EDGES) + 1, min(self._top, place[0]))
        self._top = max(0, min(self._top, len(grid.rows) - (height - EDGES)))
        view = GridView(grid, self._top, first, place if self.has_focus else None, height)
        rows = tuple(grid.rows[self._top : self._top + height - EDGES])
        before, self.part = self.part, (rows, range(first, min(first + shown, len(grid.steps))))
        if self.part != before or grid.chronicle is not self._told_of:
            self._told_of = grid.chronicle
            self.post_message(self.PartShown())
        self.show([Drawn(view.lines, height)])

    def _place(self) -> tuple[int, int] | None:
        """Row and turn of the cursor."""
        if self.grid is None or self.cell is None:
            return None
        index, turn = self.cell
        try:
            return self.grid.rows.index(index), turn
        except ValueError:
            self.cell = (self.grid.rows[0], turn) if self.grid.rows else None
            return (0, turn) if self.grid.rows else None

    def _step(self, rows: int, turns: int) -> None:
        """Move the cursor of the grid."""
        place = self._place()
        if self.grid is None or place is None:
            return
        row = max(0, min(place[0] + rows, len(self.grid.rows) - 1))
        turn = max(0, min(place[1] + turns, self.count - 1))
        self.cell = (self.grid.rows[row], turn)
        self._draw_grid()

    # Events

    def on_resize(self) -> None:
        """Another height may show the other form."""
        super().on_resize()
        self._draw()

    def on_focus(self) -> None:
        """The grid shows its cursor."""
        super().on_focus()
        self._draw_grid()

    def on_blur(self) -> None:
        """And hides it."""
        super().on_blur()
        self._draw_grid()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel goes through the rows of the grid, and through the turns of the strip."""
        event.stop()
        self._wheel(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The other way."""
        event.stop()
        self._wheel(-1)

    def _wheel(self, step: int) -> None:
        if self.grid is not None:
            self._step(step * _WHEEL, 0)
        else:
            self._go(self.chosen + step)

    def on_click(self, event: events.Click) -> None:
        """A click goes to the turn and the entry of the cell."""
        offset = event.get_content_offset(self)
        target = self.target_at(offset.x, offset.y) if offset is not None else None
        if isinstance(target, ToCell) and self.grid is not None and offset is not None:
            row = self._top + offset.y - 1
            if 0 <= row < len(self.grid.rows):
                self.cell = (self.grid.rows[row], target.turn)
        super().on_click(event)

    # Actions

    def action_earlier(self) -> None:
        """One turn back."""
        if self.grid is not None:
            self._step(0, -1)
        else:
            self._go(self.chosen - 1)

    def action_later(self) -> None:
        """One turn on."""
        if self.grid is not None:
            self._step(0, 1)
        else:
            self._go(self.chosen + 1)

    def action_earliest(self) -> None:
        """The first turn."""
        if self.grid is not None:
            self._step(0, -self.count)
        else:
            self._go(0)

    def action_latest(self) -> None:
        """The last turn."""
        if self.grid is not None:
            self._step(0, self.count)
        else:
            self._go(self.count - 1)

    def action_up(self) -> None:
        """One entry up."""
        self._step(-1, 0)

    def action_down(self) -> None:
        """One entry down."""
        self._step(1, 0)

    def action_page_up(self) -> None:
        """A window of entries up."""
        self._step(EDGES - self.scrollable_content_region.height, 0)

    def action_page_down(self) -> None:
        """A window of entries down."""
        self._step(self.scrollable_content_region.height - EDGES, 0)

    def action_choose(self) -> None:
        """Go to the turn and the entry of the cell."""
        if self.grid is None or self.cell is None:
            return
        ref = self.grid.ref_of(self.cell[0])
        if ref is not None:
            self.post_message(self.Chosen(self, ToCell(self.cell[1], ref)))

    def _go(self, number: int) -> None:
        if 0 <= number < self.count:
            self.post_message(self.Chosen(self, ToTurn(number)))
