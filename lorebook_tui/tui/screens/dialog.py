"""What all dialogs are: screens over the workbench that give one answer, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

if TYPE_CHECKING:
    from lorebook_tui.tui.widgets.line_view import LineView

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer], Generic[Answer]):
    """A dialog. Keys that were pressed before it was gone answer nothing any more."""

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Give the answer and close; nothing at all if another screen is on top, or this one is closed already.

        Textual takes away whatever screen is on top, so that a second key in quick succession closed the dialog below,
        or ended the program.
        """
        return super().dismiss(result) if self.is_active else AwaitComplete()

    @property
    def moved(self) -> LineView | None:
        """What the cursor keys move; None: nothing."""
        return None

    def action_close(self) -> None:
        """Step back without an answer."""
        self.dismiss(None)

    def action_cursor_up(self) -> None:
        """One line up."""
        if self.moved is not None:
            self.moved.action_up()

    def action_cursor_down(self) -> None:
        """One line down."""
        if self.moved is not None:
            self.moved.action_down()

    def action_cursor_page_up(self) -> None:
        """One window up."""
        if self.moved is not None:
            self.moved.action_page_up()

    def action_cursor_page_down(self) -> None:
        """One window down."""
        if self.moved is not None:
            self.moved.action_page_down()
