"""The one pane that draws blocks of inked lines: scrolled, lazily laid out, with a cursor, for mouse and keys alike.

Nothing it draws can hold a control character: every piece of text goes through `display.plain` on its way.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from lorebook_tui.display import plain
from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.inks import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.style import Style
    from textual import events
    from textual.binding import BindingType

    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.targets import Target

_KEPT_LAYOUTS = 512


class LineView(ScrollView, can_focus=True):
    """Blocks, one under the other.

    The heights of blocks that nobody has seen are estimates; they become exact when they come near the window, and what
    is in sight stays where it is.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.LIST))
    ALLOW_SELECT = False
    MOVES_CURSOR: ClassVar[bool] = True
    """Whether up and down move a cursor over blocks with a target; otherwise they scroll."""

    class Chosen(Message):
        """Somebody clicked a place or pressed Enter on it."""

        def __init__(self, view: LineView, target: Target) -> None:
            super().__init__()
            self.view = view
            self.target = target

    class Pointed(Message):
        """The cursor came to a block."""

        def __init__(self, view: LineView, target: Target) -> None:
            super().__init__()
            self.view = view
            self.target = target

        def can_replace(self, message: Message) -> bool:
            """A flood of moves collapses to the last."""
            return isinstance(message, LineView.Pointed) and message.view is self.view

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes=classes)
        self.blocks: Sequence[Block] = ()
        self.cursor: int | None = None
        self._heights: list[int] = []
        self._exact: set[int] = set()
        self._tops: list[int] = [0]
        self._layouts: dict[int, Sequence[Line]] = {}
        self._width = 0
        self._styles: dict[tuple[str, str], Style] = {}

    # What is shown

    def show(self, blocks: Sequence[Block], *, keep_place: bool = True, cursor: Target | None = None) -> None:
        """Take other blocks.

        Args:
            blocks: what to draw from now on.
            keep_place: stay where the pane was scrolled to; otherwise go to the top.
            cursor: put the cursor on the block with this target; None: where it was, if it can stand there.
        """
        anchor = self._anchor() if keep_place else (0, 0)
        self.blocks = blocks
        if cursor is not None:
            self.cursor = self.find(cursor)
        elif self.cursor is not None and (self.cursor >= len(blocks) or blocks[self.cursor].target is None):
            self.cursor = None
        self._lay_out()
        self._return_to(anchor)
        self.refresh()

    def find(self, target: Target) -> int | None:
        """The place of the block with this target."""
        return next((number for number, block in enumerate(self.blocks) if block.target == target), None)

    def point_at(self, target: Target, *, center: bool = False) -> bool:
        """Put the cursor on the block with this target and bring it into sight; whether there is one."""
        number = self.find(target)
        if number is None:
            return False
        self.cursor = number
        self.bring(number, center=center)
        self.refresh()
        return True

    def bring(self, number: int, *, center: bool = False) -> None:
        """Scroll a block into sight."""
        height = self.scrollable_content_region.height
        if not height or not 0 <= number < len(self.blocks):
            return
        self._measure(max(0, number - height), number + height)
        top, bottom = self._tops[number], self._tops[number + 1]
        first = self.scroll_offset.y
        if center:
            first = top - max(0, (height - (bottom - top)) // 2)
        elif top < first:
            first = top
        elif bottom > first + height:
            first = min(top, bottom - height)
        self.jump(first)

    def jump(self, line: int) -> None:
        """Scroll to a line at once, even while Textual has not yet noticed that there is something to scroll."""
        self.scroll_to(y=max(0, line), animate=False, force=True, immediate=True)

    # Layout

    def _lay_out(self) -> None:
        """All heights anew, from estimates."""
        self._width = max(1, self.scrollable_content_region.width)
        self._layouts.clear()
        self._exact.clear()
        self._heights = [block.estimate(self._width) for block in self.blocks]
        self._sum_up()

    def _sum_up(self) -> None:
        self._tops = [0, *accumulate(self._heights)]
        size = Size(self._width, self._tops[-1])
        if size != self.virtual_size:
            self.virtual_size = size

    def _layout_of(self, number: int) -> Sequence[Line]:
        lines = self._layouts.get(number)
        if lines is None:
            if len(self._layouts) >= _KEPT_LAYOUTS:
                self._layouts.clear()
            lines = self._layouts[number] = self.blocks[number].lines(self._width) or ((),)
        return lines

    def _measure(self, first: int, last: int) -> int:
        """Make the heights of these blocks exact; returns by how much what is above the window has grown."""
        grown = 0
        changed = False
        for number in range(max(0, first), min(last, len(self.blocks))):
            if number in self._exact:
                continue
            self._exact.add(number)
            height = len(self._layout_of(number))
            if height != self._heights[number]:
                if self._tops[number] < self.scroll_offset.y:
                    grown += height - self._heights[number]
                self._heights[number] = height
                changed = True
        if changed:
            self._sum_up()
        return grown

    def _anchor(self) -> tuple[int, int]:
        """The block at the top of the window, and how many of its lines are above it."""
        top = self.scroll_offset.y
        number = self._block_at(top) if self.blocks else 0
        return number, top - self._tops[number] if self.blocks else 0

    def _return_to(self, anchor: tuple[int, int]) -> None:
        """After all heights became estimates again: make exact what is in sight around a block, and show it."""
        number, above = anchor
        height = self.scrollable_content_region.height
        self._measure(number - height, number + 2 * height)
        place = min(number, len(self.blocks))
        if self.scroll_offset.y != self._tops[place] + above:
            self.jump(self._tops[place] + above)

    def _settle(self) -> None:
        """Make exact what is in sight, and keep it in its place."""
        height = self.scrollable_content_region.height
        if not height or not self.blocks:
            return
        top = self.scroll_offset.y
        first = self._block_at(max(0, top - height))
        last = self._block_at(top + 2 * height)
        grown = self._measure(first, last + 1)
        if grown:
            self.jump(top + grown)

    def bottom_of(self, number: int) -> int:
        """The line behind a block."""
        return self._tops[min(number + 1, len(self._tops) - 1)]

    def _block_at(self, line: int) -> int:
        """The block that a line belongs to."""
        return max(0, min(bisect_right(self._tops, line) - 1, len(self.blocks) - 1))

    def on_resize(self) -> None:
        """Another width wraps everything anew; the block at the top stays at the top."""
        if self.scrollable_content_region.width == self._width:
            self._settle()
            return
        anchor = self._anchor()
        self._lay_out()
        self._return_to((anchor[0], 0))
        if self.cursor is not None:
            self.bring(self.cursor)
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Lay out what comes into sight."""
        super().watch_scroll_y(old_value, new_value)
        self._settle()

    # Drawing

    def notify_style_update(self) -> None:
        """Another theme: forget the styles."""
        self._styles.clear()
        super().notify_style_update()

    def set_stale(self, *, stale: bool) -> None:
        """Dim what is shown, because something newer is on its way."""
        self.set_class(stale, "-stale")
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        width = self._width
        line = y + self.scroll_offset.y
        if not self.blocks or line >= self._tops[-1]:
            return Strip.blank(self.size.width, self._style("text", ""))
        number = self._block_at(line)
        lines = self._layout_of(number)
        place = line - self._tops[number]
        spans = lines[place] if place < len(lines) else ()
        state = ("focus" if self.has_focus else "blurred") if number == self.cursor and self.MOVES_CURSOR else ""
        segments = [Segment(plain(span.text), self._style(span.ink, state)) for span in spans if span.text]
        blank = self._style("text", state)
        strip = Strip(segments).adjust_cell_length(width, blank)
        return strip.extend_cell_length(self.size.width, self._style("text", ""))

    @property
    def inks(self) -> dict[str, Style]:
        """The program's inks; those of the theme in force for a view in another program."""
        shared = getattr(self.app, "inks", None)
        return shared if isinstance(shared, dict) else resolve(self.app.theme_variables)

    def _style(self, ink: str, state: str) -> Style:
        """The Rich style of an ink, on the cursor or not."""
        if self.has_class("-stale"):
            state += "-stale"
        style = self._styles.get((ink, state))
        if style is None:
            inks = self.inks
            style = self.rich_style
            if state.startswith("focus"):
                style += inks["cursor"]
            elif state.startswith("blurred"):
                style += inks["cursor-blurred"]
            style += inks[ink]
            if state.endswith("-stale"):
                style += inks["stale"]
            self._styles[ink, state] = style
        return style

    def target_at(self, x: int, y: int) -> Target | None:
        """What stands at a cell of the content."""
        line = y + self.scroll_offset.y
        if not self.blocks or not 0 <= line < self._tops[-1]:
            return None
        number = self._block_at(line)
        lines = self._layout_of(number)
        place = line - self._tops[number]
        if place < len(lines):
            position = 0
            for span in lines[place]:
                position += cell_len(plain(span.text))
                if x < position:
                    return span.target or self.blocks[number].target
        return self.blocks[number].target

    # Mouse and keys

    def on_click(self, event: events.Click) -> None:
        """A click is what Enter is: choose the place."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        event.stop()
        target = self.target_at(offset.x, offset.y)
        if target is None:
            return
        line = offset.y + self.scroll_offset.y
        number = self._block_at(line)
        if self.blocks[number].target is not None:
            self.cursor = number
            self.refresh()
        self.post_message(self.Chosen(self, target))

    def on_focus(self) -> None:
        """A pane that has a cursor shows it."""
        if self.MOVES_CURSOR and self.cursor is None:
            self.cursor = next((n for n, block in enumerate(self.blocks) if block.target is not None), None)
        self.refresh()

    def on_blur(self) -> None:
        """The cursor grows quiet."""
        self.refresh()

    def action_up(self) -> None:
        """One place or line up."""
        self._move(-1)

    def action_down(self) -> None:
        """One place or line down."""
        self._move(1)

    def action_page_up(self) -> None:
        """One window up."""
        self._page(-1)

    def action_page_down(self) -> None:
        """One window down."""
        self._page(1)

    def action_first(self) -> None:
        """To the top."""
        self.jump(0)
        self._stand(0, 1)

    def action_last(self) -> None:
        """To the bottom."""
        self._measure(max(0, len(self.blocks) - self.size.height), len(self.blocks))
        self.jump(self._tops[-1])
        self._stand(len(self.blocks) - 1, -1)

    def action_choose(self) -> None:
        """Choose what the cursor stands on."""
        if self.cursor is not None and self.cursor < len(self.blocks):
            target = self.blocks[self.cursor].target
            if target is not None:
                self.post_message(self.Chosen(self, target))

    def _move(self, step: int) -> None:
        if not self.MOVES_CURSOR or all(block.target is None for block in self.blocks):
            self.jump(self.scroll_offset.y + step)
            return
        start = self.cursor + step if self.cursor is not None else self._block_at(self.scroll_offset.y)
        if not self._stand(start, step):
            self.jump(self.scroll_offset.y + step)

    def _page(self, step: int) -> None:
        height = max(1, self.scrollable_content_region.height - 1)
        if not self.MOVES_CURSOR or self.cursor is None:
            self.jump(self.scroll_offset.y + step * height)
            return
        line = min(max(0, self._tops[self.cursor] + step * height), max(0, self._tops[-1] - 1))
        start = self._block_at(line)
        if start == self.cursor:
            start += step
        if not self._stand(start, step):
            self._stand(len(self.blocks) - 1 if step > 0 else 0, -step)

    def _stand(self, start: int, step: int) -> bool:
        """Put the cursor on the first block from here on that can hold it; whether there is one."""
        if not self.MOVES_CURSOR:
            return False
        number = start
        while 0 <= number < len(self.blocks):
            target = self.blocks[number].target
            if target is not None:
                self.cursor = number
                self.bring(number)
                self.refresh()
                self.post_message(self.Pointed(self, target))
                return True
            number += step
        return False
