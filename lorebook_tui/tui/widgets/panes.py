"""The panes of the simulation and the sheet: line views that know which blocks are theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical

from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.ink import Drawn
from lorebook_tui.tui.targets import ToPhase, ToTurn
from lorebook_tui.tui.views.chat import chat_blocks
from lorebook_tui.tui.views.phases import tab_lines
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.tui.ink import Block
    from lorebook_tui.tui.views.chat import Look


class Sheet(LineView):
    """The chosen entry, to read."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.ENTRY))
    MOVES_CURSOR = False


class Why(LineView):
    """Why the chosen entry is in or out; places in it can be followed."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.WHY))


class Chat(LineView):
    """The transcript with the turn cursor."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.CHAT))
    look: Look | None = None
    place: int = 0
    """Of the turn cursor among the blocks."""
    sticks: bool = False
    """Whether the turn cursor stays in sight when the pane is resized: until somebody scrolls."""

    def show_turn(self, look: Look, *, follow: bool) -> None:
        """Draw the chat as it is at a turn.

        Args:
            look: scene, picture and chosen entry.
            follow: bring the turn cursor into sight, at the lower edge, so that what was scanned stands above it.
        """
        self.look = look
        blocks, self.place = chat_blocks(look)
        self.show(blocks)
        if follow:
            self.cursor = self.place - 1 if self.has_focus and self.place else None
            self.bring_turn()

    def highlight(self, entry: int | None, own: Mapping[int, Sequence[tuple[int, int]]]) -> None:
        """Show the hits of another entry as the chosen ones.

        Args:
            entry: its load index.
            own: where its keys stand, by message.
        """
        if self.look is not None:
            self.look.chosen = entry
            self.look.own = own
            self.forget_layouts()

    def bring_turn(self) -> None:
        """Scroll so that the turn cursor is the last line."""
        height = self.scrollable_content_region.height
        if height:
            self.bring(self.place)
            self.jump(self.flow.top(self.place + 1) - height)
        self.sticks = True

    def on_resize(self) -> None:
        """Another height, or the first one of a pane that was hidden, shows the turn."""
        super().on_resize()
        if self.sticks:
            self.bring_turn()

    def on_mouse_scroll_up(self) -> None:
        """The user looks elsewhere."""
        self.sticks = False

    def on_mouse_scroll_down(self) -> None:
        """The user looks elsewhere."""
        self.sticks = False

    def bring(self, number: int, *, center: bool = False) -> None:
        """Scroll a block into sight; the turn cursor has to stay there no longer."""
        self.sticks = False
        super().bring(number, center=center)

    def on_focus(self) -> None:
        """The cursor starts at the newest message of the turn."""
        if self.cursor is None and self.place:
            self.cursor = self.place - 1
        super().on_focus()


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
