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


class Ways(LineView):
    """The ways out, one under the other. The cursor stands on none until it is moved: a habit must not decide."""

    STANDS_ON_FIRST = False


class Decision(Telling[str | None]):
    """Several ways to go on; the answer is the key of one, None if the user steps back.

    Where all that is told is in sight, the cursor keys move along the ways, and Enter takes the one under the cursor.

    Args:
        title: of the dialog, in our own words.
        told: what stands to decide; foreign text is harmless.
        ways: letters and what they do.
        back: what stepping back does.
        usual: key of the way on which the cursor stands at first; "": none, as the ways are too different for a habit.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.DIALOG))
    KEYS: ClassVar[type[LineView]] = Ways

    def __init__(
        self, title: str, told: Sequence[Block], ways: Sequence[Way], *, back: str = "leave it", usual: str = ""
    ) -> None:
        super().__init__(title, told)
        self.ways = tuple(ways)
        self.back = back
        self.usual = usual

    def on_mount(self) -> None:
        """The cursor keys belong to what needs them: a long text, else the ways."""
        # Textual calls the handler of each class by itself, that of this one first.
        self.call_after_refresh(self._settle_focus)

    def _settle_focus(self) -> None:
        told, ways = self.query_one("#told", LineView), self.query_one(Ways)
        if self.usual:
            ways.point_at(ToAction(self.usual))
        if told.flow.height - 1 <= told.scrollable_content_region.height:
            told.can_focus = False
            ways.focus()

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
        """Enter takes the way under the cursor, if somebody has put it there."""
        self.query_one(Ways).action_choose()


def _way(key: str, words: str) -> Row:
    target = ToAction(key)
    return Row((Span(f" {key} ", "key-name", target), Span(f" {words}", "muted", target)), target=target)
