"""The panes of the simulation and the sheet: line views that know which blocks are theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.message import Message

from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.ink import Drawn
from lorebook_tui.tui.targets import ToEntry, ToOffer, ToPhase
from lorebook_tui.tui.views.phases import PHASE_NAMES, tab_lines
from lorebook_tui.tui.widgets.line_view import LineView
from lorebook_tui.tui.widgets.timeline import Timeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.model.layers import EntryRef

__all__ = ["PhaseRows", "PhaseTabs", "Phases", "Timeline", "Why"]


class Why(LineView):
    """Why the chosen entry is in or out; places in it can be followed."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.WHY))

    def action_apply_offer(self, number: int) -> None:
        """Apply a proposal by its number."""
        self.post_message(self.Chosen(self, ToOffer(number)))


class PhaseTabs(LineView, can_focus=False):
    """The tabs: seven phases, and the differences."""

    MOVES_CURSOR = False

    def set_counts(self, counts: Sequence[str], chosen: int) -> None:
        """Draw the tabs; the pane grows to as many lines as they need."""
        self.show([Drawn(lambda width: tab_lines(counts, chosen, width), 1)])
        self.styles.height = max(1, len(tab_lines(counts, chosen, self.size.width or 80)))
        self.counts = counts
        self.chosen = chosen

    counts: Sequence[str] = ("",) * len(PHASE_NAMES)
    chosen: int = 1

    def on_resize(self) -> None:
        """Another width may need another number of lines."""
        super().on_resize()
        self.set_counts(self.counts, self.chosen)


class PhaseRows(LineView):
    """The rows of the phase that is shown."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.PHASES))
    phase: int = 5
    """1 to 7, the budget at first, or 8 for the differences; the workbench sets it."""
    hovered: EntryRef | None = None
    """The entry under the mouse."""

    class Hovered(Message):
        """The mouse came to another entry, or left them."""

    class Scrolled(Message):
        """Other rows are in sight."""

        def can_replace(self, message: Message) -> bool:
            """Only the last place matters."""
            return isinstance(message, PhaseRows.Scrolled)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell which entry the mouse points at."""
        offset = event.get_content_offset(self)
        target = self.target_at(offset.x, offset.y) if offset is not None else None
        self._hover(target.ref if isinstance(target, ToEntry) else None)

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self._hover(None)

    def _hover(self, ref: EntryRef | None) -> None:
        if ref != self.hovered:
            self.hovered = ref
            self.post_message(self.Hovered())

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Other rows may want to know more."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Scrolled())

    def in_sight(self) -> list[EntryRef]:
        """The entries of the rows in the window, from top to bottom."""
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        first, last = self.flow.block_at(top), self.flow.block_at(top + max(0, height - 1))
        targets = [block.target for block in self.blocks[first : last + 1]]
        return [target.ref for target in targets if isinstance(target, ToEntry)]

    def action_previous_phase(self) -> None:
        """The tab at the left."""
        self.action_phase((self.phase - 2) % len(PHASE_NAMES) + 1)

    def action_next_phase(self) -> None:
        """The tab at the right."""
        self.action_phase(self.phase % len(PHASE_NAMES) + 1)

    def action_phase(self, number: int) -> None:
        """One tab."""
        self.post_message(self.Chosen(self, ToPhase(number)))


class Phases(Vertical):
    """Tabs over rows."""

    def compose(self) -> ComposeResult:
        """Both."""
        yield PhaseTabs(id="phase-tabs")
        yield PhaseRows(id="phase-rows")
