"""The dialog that asks for a decision: what stands to decide, and a key for each way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on

from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.ink import Row, Span
from lorebook_tui.tui.screens.asking import Telling
from lorebook_tui.tui.targets import ToAction
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.binding import BindingType

    from lorebook_tui.tui.ink import Block

Way = tuple[str, str]
"""(key, what it does in a few words); the key is the answer."""


class Decision(Telling[str | None]):
    """Several ways to go on; the answer is the key of one, None if the user steps back.

    Args:
        title: of the dialog, in our own words.
        told: what stands to decide; foreign text is harmless.
        ways: letters and what they do.
        back: what stepping back does.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.DIALOG))

    def __init__(self, title: str, told: Sequence[Block], ways: Sequence[Way], *, back: str = "leave it") -> None:
        super().__init__(title, told)
        self.ways = tuple(ways)
        self.back = back

    def ways_out(self) -> list[Block]:
        """One under the other."""
        return [_way(key, words) for key, words in (*self.ways, ("esc", self.back))]

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

    def action_accept(self) -> None:
        """Enter decides nothing: the ways are too different for a habit."""


def _way(key: str, words: str) -> Row:
    target = ToAction(key)
    return Row((Span(f" {key} ", "key-name", target), Span(f" {words}", "muted", target)), target=target)
