"""The line that edits a value in the place of its row."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.message import Message
from textual.widgets import Input

from lorebook_tui.display import plain
from lorebook_tui.tui.actions import Scope, bindings

if TYPE_CHECKING:
    from textual import events
    from textual.binding import BindingType


class FieldLine(Input):
    """One value; what is typed or pasted stays as it is, and is drawn without harm."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.FIELD))
    name_of_field = ""

    class Asked(Message):
        """The value is taken, put aside, or left."""

        def __init__(self, what: str, text: str = "") -> None:
            super().__init__()
            self.what = what
            """take, give_up, up, down, left, or paste (of several lines)."""
            self.text = text

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, compact=True, select_on_focus=False)
        self.cursor_blink = False
        self.display = False

    @property
    def field_name(self) -> str:
        """The field that is edited, for whoever explains it."""
        return self.name_of_field.partition(".")[0] if self.display else ""

    def open(self, name: str, text: str, *, select: bool) -> None:
        """Begin to edit.

        Args:
            name: of the field.
            text: what stands in the line at first.
            select: the first letter typed replaces it.
        """
        self.name_of_field = name
        self.value = text
        self.remove_class("-refused")
        self.display = True
        self.focus(scroll_visible=False)
        if select:
            self.select_all()
        else:
            self.cursor_position = len(text)

    @property
    def _value(self) -> Text:
        """What is drawn: of the same length as the value."""
        return Text(plain(self.value), no_wrap=True, overflow="ignore", end="")

    def _on_paste(self, event: events.Paste) -> None:
        """One line is pasted into the value; more of them go to whoever takes lists."""
        event.stop()
        event.prevent_default()
        lines = event.text.split("\n")
        if len([line for line in lines if line.strip()]) > 1:
            self.post_message(self.Asked("paste", event.text))
        else:
            self.insert_text_at_cursor(event.text.strip("\r\n"))

    def _on_blur(self, event: events.Blur) -> None:
        """Whoever goes elsewhere leaves the value; the terminal's own loss of focus is no going."""
        del event
        if self.app.app_focus:
            self.post_message(self.Asked("left"))

    def action_take_value(self) -> None:
        """Take it."""
        self.post_message(self.Asked("take"))

    def action_give_up(self) -> None:
        """Put it aside."""
        self.post_message(self.Asked("give_up"))

    def action_take_and_up(self) -> None:
        """Take it and go on above."""
        self.post_message(self.Asked("up"))

    def action_take_and_down(self) -> None:
        """Take it and go on below."""
        self.post_message(self.Asked("down"))
