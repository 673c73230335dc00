"""The one pane that draws blocks of inked lines: scrolled, lazily laid out, with a cursor, for mouse and keys alike.

Nothing it draws can hold a control character: every piece of text goes through `display.plain` on its way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from lorebook_tui.display import plain
from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.flow import Flow
from lorebook_tui.tui.inks import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.style import Style
    from textual import events
    from textual.binding import BindingType

    from lorebook_tui.tui.ink import Block
    from lorebook_tui.tui.targets import Target

_MARGIN = 4
"""Lines beyond the window whose blocks are laid out too."""


class LineView(ScrollView, can_focus=True):
    """Blocks, one under the other.

    The heights of blocks that nobody has seen are estimates; they become exact when they come near the window, and what
    is in sight stays where it is.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.LIST))
    ALLOW_SELECT = False
    MOVES_CURSOR: ClassVar[bool] = True
    """Whether up and down move a cursor over blocks with a target; otherwise they scroll."""
    STANDS_ON_FIRST: ClassVar[bool] = True
    """Whether the cursor, if there is none yet, stands on the first place as soon as the pane has the focus."""

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
        self.flow = Flow()
        self.cursor: int | None = None
        """Place of the block it stands on."""
        self._styles: dict[tuple[str, str], Style] = {}

    @property
    def blocks(self) -> Sequence[Block]:
        """What is drawn."""
        return self.flow.blocks

    # What is shown

    def show(self, blocks: Sequence[Block], *, keep_place: bool = True, cursor: Target | None = None) -> None:
        """Take other blocks.

        Args:
            blocks: what to draw from now on.
            keep_place: stay where the pane was scrolled to; otherwise go to the top.
            cursor: put the cursor on the block with this target; None: where it was, if it can stand there.
        """
        anchor = self._anchor() if keep_place else (0, 0)
        self.flow = self.flow_of(blocks)
        if cursor is not None:
            self.cursor = self.find(cursor)
        elif self.cursor is not None and (self.cursor >= len(blocks) or blocks[self.cursor].target is None):
            self.cursor = None
        self._return_to(anchor)
        self.refresh()

    def flow_of(self, blocks: Sequence[Block]) -> Flow:
        """How blocks are laid out."""
        return Flow(blocks, self.scrollable_content_region.width)

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
        self._measure(number, height, height)
        top, bottom = self.flow.top(number), self.flow.top(number + 1)
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

    def forget_layouts(self) -> None:
        """The blocks look different now, but are as high as before."""
        self.flow.forget_layouts()
        self.refresh()

    # Layout

    def _measure(self, number: int, above: int, below: int) -> int:
        """Make heights exact around a block; returns by how much what is above the window has grown."""
        grown = self.flow.measure(number, above, below, self.scroll_offset.y)
        size = Size(self.flow.width, self.flow.height)
        if size != self.virtual_size:
            self.virtual_size = size
        return grown

    def _anchor(self) -> tuple[int, int]:
        """The block at the top of the window, and how many of its lines are above it."""
        top = self.scroll_offset.y
        number = self.flow.block_at(top)
        return number, top - self.flow.top(number)

    def _return_to(self, anchor: tuple[int, int]) -> None:
        """After all heights became estimates again: make exact what is in sight around a block, and show it."""
        number, above = anchor
        self._measure(number, 0, above + self.scrollable_content_region.height)
        self.jump(self.flow.top(number) + above)

    def _settle(self) -> None:
        """Make exact what is in sight, and keep it in its place."""
        height = self.scrollable_content_region.height
        if not height:
            return
        number, above = self._anchor()
        grown = self._measure(number, _MARGIN, above + height + _MARGIN)
        if grown:
            self.jump(self.scroll_offset.y + grown)

    def on_resize(self) -> None:
        """Another width wraps everything anew; the block at the top stays at the top."""
        if self.scrollable_content_region.width == self.flow.width:
            self._settle()
            return
        number, _ = self._anchor()
        self.flow = self.flow_of(self.blocks)
        self._return_to((number, 0))
        if self.cursor is not None:
            self.bring(self.cursor)
        self.refresh()

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        """A scrollbar that appears late stands where the pane already is."""
        if shown:
            self.vertical_scrollbar.position = self.scroll_y

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
        line = y + self.scroll_offset.y
        blank = self._style("text", "")
        is_early = self.flow.width == 1 < self.scrollable_content_region.width  # laid out before there was a size
        if is_early or line >= self.flow.height:
            return Strip.blank(self.size.width, blank)
        number, spans = self.flow.line(line)
        state = ("focus" if self.has_focus else "blurred") if number == self.cursor and self.MOVES_CURSOR else ""
        segments = [Segment(plain(span.text), self._style(span.ink, state)) for span in spans if span.text]
        strip = Strip(segments).adjust_cell_length(self.flow.width, self._style("text", state))
        return strip.extend_cell_length(self.size.width, blank)

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
        if not 0 <= line < self.flow.height:
            return None
        number, spans = self.flow.line(line)
        position = 0
        for span in spans:
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
        number = self.flow.block_at(offset.y + self.scroll_offset.y)
        if self.blocks[number].target is not None:
            self.cursor = number
            self.refresh()
        self.post_message(self.Chosen(self, target))

    def on_focus(self) -> None:
        """A pane that has a cursor shows it."""
        if self.MOVES_CURSOR and self.STANDS_ON_FIRST and self.cursor is None:
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
        self._measure(len(self.blocks), self.size.height, 0)
        self.jump(self.flow.height)
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
        start = self.cursor + step if self.cursor is not None else self.flow.block_at(self.scroll_offset.y)
        if not self._stand(start, step):
            self.jump(self.scroll_offset.y + step)

    def _page(self, step: int) -> None:
        height = max(1, self.scrollable_content_region.height - 1)
        if not self.MOVES_CURSOR or self.cursor is None:
            self.jump(self.scroll_offset.y + step * height)
            return
        line = min(max(0, self.flow.top(self.cursor) + step * height), max(0, self.flow.height - 1))
        start = self.flow.block_at(line)
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
