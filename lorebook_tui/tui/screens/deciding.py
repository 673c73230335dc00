"""The dialog that asks for a decision: what stands to decide, and a key for each way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Vertical
from textual.screen import ModalScreen

from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.ink import BLANK, Row, Span
from lorebook_tui.tui.screens.asking import Told, height_of
from lorebook_tui.tui.targets import ToAction
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.tui.ink import Block

Way = tuple[str, str]
"""(key, what it does in a few words); the key is the answer."""


class Decision(ModalScreen[str | None]):
    """Several ways to go on; the answer is the key of one, None if the user steps back.

    Args:
        title: of the dialog, in our own words.
        told: what stands to decide; foreign text is harmless.
        ways: letters and what they do.
        back: what stepping back does.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.DIALOG))
    AUTO_FOCUS = "#told"

    def __init__(self, title: str, told: Sequence[Block], ways: Sequence[Way], *, back: str = "leave it") -> None:
        super().__init__()
        self.heading = title
        self.told = told
        self.ways = tuple(ways)
        self.back = back

    def compose(self) -> ComposeResult:
        """What stands to decide, and the ways."""
        with Vertical(id="asking"):
            yield Told(id="told")
            yield Told(id="asking-keys")

    def on_mount(self) -> None:
        """Everything stands."""
        self.query_one("#asking").border_title = self.heading
        told = self.query_one("#told", Told)
        told.can_focus = True
        told.show([*self.told, BLANK])
        told.styles.height = height_of([*self.told, BLANK], self.app.size.width)
        told.focus()
        keys = self.query_one("#asking-keys", Told)
        rows = [_way(key, words) for key, words in (*self.ways, ("esc", self.back))]
        keys.show(rows)
        keys.styles.height = len(rows)

    def on_key(self, event: events.Key) -> None:
        """A letter decides."""
        if self.is_current and any(event.key == key for key, _ in self.ways):  # once, though two letters wait
            event.stop()
            self.dismiss(event.key)

    @on(LineView.Chosen)
    def _clicked(self, event: LineView.Chosen) -> None:
        event.stop()
        if isinstance(event.target, ToAction):
            self.dismiss(event.target.name if event.target.name != "esc" else None)

    def action_close(self) -> None:
        """Step back."""
        self.dismiss(None)

    def action_accept(self) -> None:
        """Enter decides nothing: the ways are too different for a habit."""

    def action_cursor_up(self) -> None:
        """One line up."""
        self.query_one("#told", Told).action_up()

    def action_cursor_down(self) -> None:
        """One line down."""
        self.query_one("#told", Told).action_down()

    def action_cursor_page_up(self) -> None:
        """One window up."""
        self.query_one("#told", Told).action_page_up()

    def action_cursor_page_down(self) -> None:
        """One window down."""
        self.query_one("#told", Told).action_page_down()


def _way(key: str, words: str) -> Row:
    target = ToAction(key)
    return Row((Span(f" {key} ", "key-name", target), Span(f" {words}", "muted", target)), target=target)
