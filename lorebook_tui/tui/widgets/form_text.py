"""Text areas for foreign text: nothing in it reaches the terminal as a control, and what is stored stays as it is."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.message import Message
from textual.strip import Strip
from textual.widgets import TextArea

from lorebook_tui.tui.action_types import Scope
from lorebook_tui.tui.actions import bindings
from lorebook_tui.tui.views.form_text import StandIns, line_inks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.style import Style
    from textual import events
    from textual.binding import BindingType

    from lorebook_tui.tui.views.form_text import Waking

_LONG_LINE = 4000
"""Characters beyond which a line is not wrapped: wrapping it anew at every key would be felt."""


def _can_wrap(text: str) -> bool:
    return len(max(text.split("\n"), key=len)) <= _LONG_LINE


class PlainArea(TextArea):
    """A text area that draws pictures in place of what a terminal would obey, and keeps the text itself unchanged."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        self.stand_ins = StandIns()
        super().__init__("", id=id, compact=True, highlight_cursor_line=False, max_checkpoints=200)
        self.match_cursor_bracket = False
        self.cursor_blink = False

    @property
    def value(self) -> str:
        """The text as it is stored."""
        return self.stand_ins.decoded(self.text)

    def load(self, text: str, *, keep_cursor: bool = False) -> None:
        """Take another text; what could be undone is forgotten.

        Args:
            text: as it is stored.
            keep_cursor: stay where the cursor was, as far as there is such a place.
        """
        place = self.cursor_location
        encoded = self.stand_ins.encoded(text, is_whole=True)
        self.soft_wrap = _can_wrap(encoded)
        self.load_text(encoded)
        if keep_cursor:
            row = min(place[0], self.document.line_count - 1)
            self.move_cursor((row, min(place[1], len(self.document.get_line(row)))))

    def replace_all(self, text: str) -> None:
        """Take another text as one edit, which can be undone."""
        self.replace(self.stand_ins.encoded(text), (0, 0), self.document.end, maintain_selection_offset=False)

    def get_line(self, line_index: int) -> Text:
        """A line as it may be drawn."""
        line = self.document.get_line(line_index)
        text = Text(self.stand_ins.shown(line) if "\t" not in line else self._with_tabs(line), end="", no_wrap=True)
        styles = self.inks
        for start, end, ink in self.inks_of(self.stand_ins.decoded(line), line_index):
            text.stylize(styles[ink], start, end)
        return text

    def _with_tabs(self, line: str) -> str:
        """Tabs stay tabs: the area turns them into blanks itself."""
        return "\t".join(self.stand_ins.shown(part) for part in line.split("\t"))

    def inks_of(self, line: str, number: int) -> Sequence[tuple[int, int, str]]:
        """What is drawn into a line: (start, end, ink)."""
        del line, number
        return ()

    @property
    def inks(self) -> Mapping[str, Style]:
        """The program's inks."""
        inks: Mapping[str, Style] = getattr(self.app, "inks", {})
        return inks

    def find_matching_bracket(self, bracket: str, search_from: tuple[int, int]) -> None:
        """None: looking for it through a long text would be felt at every key."""
        del bracket, search_from

    def _recompute_cursor_offset(self) -> None:
        """Undo may take the cursor's line away before it moves the cursor, and a scrollbar may appear in between."""
        with suppress(ValueError, IndexError):
            super()._recompute_cursor_offset()  # type: ignore[no-untyped-call]

    def render_line(self, y: int) -> Strip:
        """A line of the window; nothing while the area has no width, where Textual could not wrap its placeholder."""
        return super().render_line(y) if self.content_size.width > 0 else Strip.blank(self.size.width)

    def redraw(self) -> None:
        """Draw every line anew."""
        self._line_cache.clear()
        self.refresh()

    async def _on_paste(self, event: events.Paste) -> None:
        """Take a paste as it is stored."""
        event.stop()
        event.prevent_default()
        self._insert(event.text)

    def action_paste(self) -> None:
        """Take what the program's own clipboard holds."""
        self._insert(self.app.clipboard)

    def _insert(self, text: str) -> None:
        if text and not self.read_only:
            encoded = self.stand_ins.encoded(text.replace("\r\n", "\n").replace("\r", "\n"))
            self.soft_wrap = self.soft_wrap and _can_wrap(encoded)
            result = self._replace_via_keyboard(encoded, *self.selection)
            if result is not None:
                self.move_cursor(result.end_location)

    def put(self, text: str, caret: int) -> None:
        """Put a piece of text where the caret stands or in place of what is selected.

        Args:
            text: as it is stored.
            caret: offset in the text at which the caret stands afterwards.
        """
        line, column = min(self.selection)
        self._insert(text)
        before = text[:caret].split("\n")
        self.move_cursor((line + len(before) - 1, len(before[-1]) + (column if len(before) == 1 else 0)))

    def action_copy(self) -> None:
        """Copy the selected text as it is stored; half characters cannot be copied."""
        if self.selected_text:
            text = self.stand_ins.decoded(self.selected_text)
            self.app.copy_to_clipboard(text.encode("utf-8", "replace").decode("utf-8"))

    def action_cut(self) -> None:
        """Copy the selected text and take it away; without a selection the line."""
        if self.selected_text:
            self.action_copy()
            self._delete_via_keyboard(*self.selection)
        else:
            super().action_cut()


class ContentArea(PlainArea):
    """The text of the entry: macros, decorators and the keys of other entries stand out in it."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.WRITING))
    field_name = "content"

    class Asked(Message):
        """The user asks for something that the area cannot do itself."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what
            """Name of an action of the workbench."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        self.waking: Mapping[int, Sequence[Waking]] = {}
        """By line: the keys of other entries in it."""
        super().__init__(id=id)
        self.placeholder = "Empty: nothing goes into the prompt."

    def inks_of(self, line: str, number: int) -> Sequence[tuple[int, int, str]]:
        """Macros, decorators, keys of other entries."""
        return line_inks(line, number, self.text if line.startswith("@@") else "", self.waking.get(number, ()))

    def set_waking(self, waking: Mapping[int, Sequence[Waking]]) -> None:
        """Show the keys of other entries."""
        if waking != self.waking:
            self.waking = waking
            self.redraw()

    def waking_at_cursor(self) -> Sequence[Waking]:
        """The keys of other entries that the cursor stands in."""
        row, column = self.cursor_location
        return [item for item in self.waking.get(row, ()) if item.start <= column <= item.end]

    def action_undo(self) -> None:
        """Take back what was typed here; then what was done before."""
        before = self.text
        super().action_undo()
        if self.text == before:
            self.post_message(self.Asked("undo"))

    def action_redo(self) -> None:
        """Make again what was taken back here; then what was taken back elsewhere."""
        before = self.text
        super().action_redo()
        if self.text == before:
            self.post_message(self.Asked("redo"))

    class Wrapped(Message):
        """Another width: the text may need another height."""

    def on_resize(self) -> None:
        """The form gives the text its height."""
        self.post_message(self.Wrapped())
