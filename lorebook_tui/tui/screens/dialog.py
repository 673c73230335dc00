"""What all dialogs are: screens over the workbench that give one answer, once."""

from __future__ import annotations

from typing import Generic, TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer], Generic[Answer]):
    """A dialog. Keys that were pressed before it was gone answer nothing any more."""

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Give the answer and close; nothing at all if another screen is on top, or this one is closed already.

        Textual takes away whatever screen is on top, so that a second key in quick succession closed the dialog below,
        or ended the program.
        """
        return super().dismiss(result) if self.is_active else AwaitComplete()
