"""The mouse in the tree: a click chooses, a double click opens, ctrl and shift mark, dragging moves or copies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.style import Style
from textual.message import Message

from lorebook_tui.tui.targets import ToBranch, ToEntry
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from textual import events
    from textual.geometry import Offset
    from textual.strip import Strip

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.targets import Target


@dataclass(frozen=True, slots=True)
class Drop:
    """Where something is let go."""

    onto: ToBranch | ToEntry
    is_after: bool = False
    """Behind the entry or book rather than before it."""


class TreeMouse(LineView):
    """What the mouse does with rows; `LayerTree` knows what they are."""

    class Dropped(Message):
        """Something was dragged to another place."""

        def __init__(self, dragged: ToBranch | ToEntry, drop: Drop, *, is_copy: bool) -> None:
            super().__init__()
            self.dragged = dragged
            self.drop = drop
            self.is_copy = is_copy
            """ctrl was held."""

    class MarkAsked(Message):
        """An entry was clicked with ctrl, or with shift for all up to it."""

        def __init__(self, ref: EntryRef, *, is_range: bool) -> None:
            super().__init__()
            self.ref = ref
            self.is_range = is_range

    _pressed: tuple[int, ToBranch | ToEntry] | None = None
    """Row and place where the button went down."""
    _drop: Drop | None = None
    _is_dragging: bool = False
    _swallows_click: bool = False

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Perhaps the beginning of a drag."""
        self._swallows_click = False
        offset = event.get_content_offset(self)
        if offset is None or event.button != 1:
            return
        target = self._row_target(offset)
        if isinstance(target, ToEntry) or (isinstance(target, ToBranch) and target.book is not None):
            self._pressed = (offset.y + self.scroll_offset.y, target)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show where it would fall."""
        if self._pressed is None:
            return
        if not event.button:
            self._end_drag()
            return
        y = event.y - self.gutter.top
        if not self._is_dragging:
            if y + self.scroll_offset.y == self._pressed[0]:
                return
            self._is_dragging = True
            self.capture_mouse()
        event.stop()
        height = self.scrollable_content_region.height
        if y < 0 or y >= height:
            self.jump(self.scroll_offset.y + (1 if y > 0 else -1))
        drop = self._drop_at(max(0, min(y, height - 1)) + self.scroll_offset.y)
        if drop != self._drop:
            self._drop = drop
            self.refresh()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go."""
        pressed, drop, dragging = self._pressed, self._drop, self._is_dragging
        self._end_drag()
        if not dragging or pressed is None:
            return
        event.stop()
        self._swallows_click = True
        if drop is not None:
            self.post_message(self.Dropped(pressed[1], drop, is_copy=event.ctrl))

    def cancel_drag(self) -> bool:
        """Whether there was one to end."""
        was_dragging = self._is_dragging
        self._end_drag()
        return was_dragging

    def _end_drag(self) -> None:
        if self._is_dragging:
            self.release_mouse()
            self.refresh()
        self._pressed, self._drop, self._is_dragging = None, None, False

    def _row_target(self, offset: Offset) -> Target | None:
        line = offset.y + self.scroll_offset.y
        return self.blocks[line].target if 0 <= line < len(self.blocks) else None

    def _drop_at(self, line: int) -> Drop | None:
        """What letting go at a row would mean; None: nothing."""
        assert self._pressed is not None  # noqa: S101 - only asked while something is dragged
        start, dragged = self._pressed
        line = min(line, len(self.blocks) - 1)
        target = self.blocks[line].target
        if line == start or not isinstance(target, (ToBranch, ToEntry)):
            return None
        is_down = line > start
        if isinstance(dragged, ToBranch) and not dragged.folder:
            if isinstance(target, ToEntry):
                target = ToBranch(target.ref.layer, target.ref.book)
            target = ToBranch(target.layer, target.book)
            return Drop(target, is_down) if target != dragged else None
        if isinstance(target, ToBranch) and target.book is None:
            return None
        if isinstance(dragged, ToBranch) and isinstance(target, ToEntry):
            return None
        return Drop(target, is_down and isinstance(target, ToEntry))

    def render_line(self, y: int) -> Strip:
        """One line of the window, with the line where what is dragged would fall."""
        strip = super().render_line(y)
        drop = self._drop
        if drop is None:
            return strip
        row = self.find(drop.onto)
        if row is None:
            return strip
        if isinstance(drop.onto, ToBranch):
            is_shown, style = y + self.scroll_offset.y == row, Style(reverse=True)
        else:
            edge = row if drop.is_after else row - 1
            is_shown, style = y + self.scroll_offset.y == edge, Style(underline=True, bold=True)
        return strip.apply_style(style) if is_shown else strip

    def on_click(self, event: events.Click) -> None:
        """A click chooses an entry or opens a branch, a double click is what Enter is; ctrl and shift mark."""
        offset = event.get_content_offset(self)
        target = self._row_target(offset) if offset is not None else None
        is_free = not self._swallows_click
        self._swallows_click = False
        if is_free and not isinstance(target, ToEntry):
            return  # the view does what a click means anywhere
        event.stop()
        event.prevent_default()
        if not is_free or offset is None or not isinstance(target, ToEntry):
            return
        self.cursor = offset.y + self.scroll_offset.y
        self.refresh()
        if event.ctrl or event.shift:
            self.post_message(self.MarkAsked(target.ref, is_range=event.shift))
        elif event.chain > 1:
            self.post_message(self.Chosen(self, target))
        else:
            self.post_message(self.Pointed(self, target))
