"""Where messages are typed: one line or many, foreign text drawn harmless, hits highlighted while one types."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.message import Message
from textual.widgets import TextArea

from lorebook_tui.display import plain
from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.inks import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.style import Style
    from textual import events
    from textual.binding import BindingType

_MOST_KEPT = 50


class MessageArea(TextArea):
    """A text area for one message. The terminal never sees a control character of its text; the text keeps it.

    Args:
        text: what stands in it at first.
        many_lines: Enter begins a line; otherwise it keeps the message.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.MESSAGE))

    class Told(Message):
        """Something about the area."""

        def __init__(self, area: MessageArea) -> None:
            super().__init__()
            self.area = area

        @property
        def control(self) -> MessageArea:
            """For selectors."""
            return self.area

    class Kept(Told):
        """Somebody is done with the message."""

    class Left(Told):
        """Somebody does not want it."""

    class SpeakerWanted(Told):
        """The other one shall say it."""

    class LinesChanged(Told):
        """One line or many."""

    def __init__(
        self,
        text: str = "",
        *,
        many_lines: bool = False,
        placeholder: str = "",
        id: str | None = None,  # noqa: A002 - Textual's name
    ) -> None:
        super().__init__(
            text, soft_wrap=many_lines, compact=True, highlight_cursor_line=False, placeholder=placeholder, id=id
        )
        self.cursor_blink = False
        self.many_lines = many_lines
        self.marks: Sequence[tuple[int, int, str]] = ()
        """(start, end, ink) in the text."""
        self.earlier: list[str] = []
        """What was typed before, the newest last."""
        self._recalled = 0

    def _recompute_cursor_offset(self) -> None:
        """Undo may take the cursor's line away before it moves the cursor, and a scrollbar may appear in between."""
        with suppress(ValueError, IndexError):
            super()._recompute_cursor_offset()  # type: ignore[no-untyped-call]

    def on_resize(self) -> None:
        """The caret stays in sight in less room, also where what the message does begins to stand beside it."""
        self.call_after_refresh(self.scroll_cursor_visible)

    def set_lines(self, *, many: bool) -> None:
        """One line, or many."""
        if many != self.many_lines:
            self.many_lines = self.soft_wrap = many
            self.post_message(self.LinesChanged(self))

    def set_marks(self, marks: Sequence[tuple[int, int, str]]) -> None:
        """Highlight parts of the text."""
        if tuple(marks) != tuple(self.marks):
            self.marks = tuple(marks)
            self._line_cache.clear()
            self.refresh()

    def get_line(self, line_index: int) -> Text:
        """A line as it may be drawn."""
        line = self.document.get_line(line_index)
        made = Text(plain(line), end="", no_wrap=True)
        if self.marks:
            before = sum(len(self.document.get_line(number)) + 1 for number in range(line_index))
            inks = self._inks()
            for start, end, ink in self.marks:
                if end > before and start < before + len(line):
                    made.stylize(inks[ink], max(0, start - before), end - before)
        return made

    def _inks(self) -> dict[str, Style]:
        shared = getattr(self.app, "inks", None)
        return shared if isinstance(shared, dict) else resolve(self.app.theme_variables)

    async def _on_key(self, event: events.Key) -> None:
        """Enter keeps a single line; up and down in it bring back what was typed before."""
        if self.many_lines or event.key not in {"enter", "up", "down"}:
            return
        event.stop()
        event.prevent_default()
        if event.key == "enter":
            self.action_keep_message()
        else:
            self._recall(1 if event.key == "up" else -1)

    async def _on_paste(self, event: events.Paste) -> None:
        """Many pasted lines need many lines."""
        if "\n" in event.text.rstrip("\n"):
            self.set_lines(many=True)

    def _recall(self, step: int) -> None:
        if not self.earlier:
            return
        self._recalled = max(0, min(len(self.earlier), self._recalled + step))
        self.load_text(self.earlier[-self._recalled] if self._recalled else "")
        self.move_cursor(self.document.end)

    def remember(self) -> None:
        """Keep what stands here for the key that brings it back."""
        text = self.text
        if text.strip():
            self.earlier = [*(each for each in self.earlier if each != text), text][-_MOST_KEPT:]
        self._recalled = 0

    def empty(self) -> None:
        """Nothing stands here any more; what stood here can be brought back."""
        self.remember()
        self.load_text("")

    def action_keep_message(self) -> None:
        """Done."""
        self.post_message(self.Kept(self))

    def action_leave_message(self) -> None:
        """Not wanted."""
        self.post_message(self.Left(self))

    def action_change_speaker(self) -> None:
        """The other one says it."""
        self.post_message(self.SpeakerWanted(self))

    def action_change_lines(self) -> None:
        """One line or many."""
        self.set_lines(many=not self.many_lines)
