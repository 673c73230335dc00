"""The panes of the simulation and the sheet: line views that know which blocks are theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical

from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.ink import Drawn
from lorebook_tui.tui.targets import ToPhase, ToTurn
from lorebook_tui.tui.views.phases import tab_lines
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.tui.ink import Block


class Why(LineView):
    """Why the chosen entry is in or out; places in it can be followed."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.WHY))


class PhaseTabs(LineView, can_focus=False):
    """The seven tabs."""

    MOVES_CURSOR = False

    def set_counts(self, counts: Sequence[str], chosen: int) -> None:
        """Draw the tabs; the pane grows to as many lines as they need."""
        self.show([Drawn(lambda width: tab_lines(counts, chosen, width), 1)])
        self.styles.height = max(1, len(tab_lines(counts, chosen, self.size.width or 80)))
        self.counts = counts
        self.chosen = chosen

    counts: Sequence[str] = ("",) * 7
    chosen: int = 1

    def on_resize(self) -> None:
        """Another width may need another number of lines."""
        super().on_resize()
        self.set_counts(self.counts, self.chosen)


class PhaseRows(LineView):
    """The rows of the phase that is shown."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.PHASES))
    phase: int = 5
    """1 to 7, the budget at first; the workbench sets it."""

    def action_previous_phase(self) -> None:
        """The tab at the left."""
        self.action_phase((self.phase - 2) % 7 + 1)

    def action_next_phase(self) -> None:
        """The tab at the right."""
        self.action_phase(self.phase % 7 + 1)

    def action_phase(self, number: int) -> None:
        """One tab."""
        self.post_message(self.Chosen(self, ToPhase(number)))


class Phases(Vertical):
    """Tabs over rows."""

    def compose(self) -> ComposeResult:
        """Both."""
        yield PhaseTabs(id="phase-tabs")
        yield PhaseRows(id="phase-rows")


class Timeline(LineView):
    """The strip of turns."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.TIMELINE))
    MOVES_CURSOR = False
    chosen: int = 0
    count: int = 0

    def show_turns(self, block: Block, chosen: int, count: int) -> None:
        """Draw the strip."""
        self.chosen = chosen
        self.count = count
        self.show([block])

    def action_earlier(self) -> None:
        """One turn back."""
        self._go(self.chosen - 1)

    def action_later(self) -> None:
        """One turn on."""
        self._go(self.chosen + 1)

    def action_earliest(self) -> None:
        """The first turn."""
        self._go(0)

    def action_latest(self) -> None:
        """The last turn."""
        self._go(self.count - 1)

    def _go(self, number: int) -> None:
        if 0 <= number < self.count:
            self.post_message(self.Chosen(self, ToTurn(number)))
