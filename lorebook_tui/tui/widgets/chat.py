"""The chat pane: a bar to scrub through the turns, the transcript, the line of a search, and the message line."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal, Vertical
from textual.message import Message

from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.ink import Drawn
from lorebook_tui.tui.targets import ToMessage, ToSwipe, ToTurn
from lorebook_tui.tui.views.chat import chat_blocks, scrub_line, turn_at
from lorebook_tui.tui.widgets.edges import OneLine, PlainInput
from lorebook_tui.tui.widgets.line_view import LineView
from lorebook_tui.tui.widgets.message_line import MessageArea

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.views.chat import Look


class Chat(LineView):
    """The transcript with the turn cursor."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.CHAT))
    look: Look | None = None
    place: int = 0
    """Of the turn cursor among the blocks."""
    sticks: bool = False
    """Whether the turn cursor stays in sight when the pane is resized: until somebody scrolls."""

    class Wanted(Message):
        """Something shall be done, mostly to the message under the cursor."""

        def __init__(self, name: str, number: int | None) -> None:
            super().__init__()
            self.name = name
            """Of the action."""
            self.number = number
            """Of the message; None: there is none."""

    class Pasted(Message):
        """A text was pasted onto the chat."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    @property
    def number(self) -> int | None:
        """The message under the cursor, else the newest one of the turn; None: there is none."""
        if self.cursor is not None and self.cursor < len(self.blocks):
            target = self.blocks[self.cursor].target
            if isinstance(target, ToMessage):
                return target.message
        return self.look.upto - 1 if self.look is not None and self.look.upto else None

    def show_turn(self, look: Look, *, follow: bool) -> None:
        """Draw the chat as it is at a turn.

        Args:
            look: scene, picture and chosen entry.
            follow: bring the turn cursor into sight, at the lower edge, so that what was scanned stands above it.
        """
        self.look = look
        blocks, self.place = chat_blocks(look)
        self.show(blocks)
        if follow:
            self.cursor = self.place - 1 if self.has_focus and self.place else None
            self.bring_turn()

    def highlight(self, entry: int | None, own: Mapping[int, Sequence[tuple[int, int]]]) -> None:
        """Show the hits of another entry as the chosen ones.

        Args:
            entry: its load index.
            own: where its keys stand, by message.
        """
        if self.look is not None:
            self.look.chosen = entry
            self.look.own = own
            self.forget_layouts()

    def bring_turn(self) -> None:
        """Scroll so that the turn cursor is the last line."""
        height = self.scrollable_content_region.height
        if height:
            self.bring(self.place)
            self.jump(self.flow.top(self.place + 1) - height)
        self.sticks = True

    def on_resize(self) -> None:
        """Another height, or the first one of a pane that was hidden, shows the turn."""
        super().on_resize()
        if self.sticks:
            self.bring_turn()

    def on_mouse_scroll_up(self) -> None:
        """The user looks elsewhere."""
        self.sticks = False

    def on_mouse_scroll_down(self) -> None:
        """The user looks elsewhere."""
        self.sticks = False

    def bring(self, number: int, *, center: bool = False) -> None:
        """Scroll a block into sight; the turn cursor has to stay there no longer."""
        self.sticks = False
        super().bring(number, center=center)

    def on_focus(self) -> None:
        """The cursor starts at the newest message of the turn."""
        if self.cursor is None and self.place:
            self.cursor = self.place - 1
        super().on_focus()

    def on_click(self, event: events.Click) -> None:
        """A click on the arrows of a swipe takes the next one."""
        offset = event.get_content_offset(self)
        target = self.target_at(offset.x, offset.y) if offset is not None else None
        if isinstance(target, ToSwipe):
            event.stop()
            event.prevent_default()
            self.post_message(self.Wanted("next_swipe" if target.step > 0 else "previous_swipe", target.message))

    def on_paste(self, event: events.Paste) -> None:
        """A pasted transcript becomes a chat."""
        event.stop()
        self.post_message(self.Pasted(event.text))

    def _want(self, name: str) -> None:
        self.post_message(self.Wanted(name, self.number))

    def action_type_message(self) -> None:
        """Type a message that was never sent."""
        self._want("type_message")

    def action_edit_message(self) -> None:
        """Another text for the message."""
        self._want("edit_message")

    def action_say_who(self) -> None:
        """Who said the message."""
        self._want("say_who")

    def action_hide_message(self) -> None:
        """Hide the message from scans, or show it."""
        self._want("hide_message")

    def action_insert_after(self) -> None:
        """A message behind this one."""
        self._want("insert_after")

    def action_insert_before(self) -> None:
        """A message in front of this one."""
        self._want("insert_before")

    def action_delete_message(self) -> None:
        """The message goes."""
        self._want("delete_message")

    def action_previous_swipe(self) -> None:
        """The swipe before."""
        self._want("previous_swipe")

    def action_next_swipe(self) -> None:
        """The next swipe."""
        self._want("next_swipe")

    def action_fork_chat(self) -> None:
        """Branch behind the message."""
        self._want("fork_chat")

    def action_find_message(self) -> None:
        """Search in the chat."""
        self._want("find_message")

    def action_find_next(self) -> None:
        """The next message that holds the words."""
        self._want("find_next")

    def action_find_previous(self) -> None:
        """The message before that holds the words."""
        self._want("find_previous")

    def action_choose_chat(self) -> None:
        """Another chat."""
        self._want("choose_chat")

    def action_paste_chat(self) -> None:
        """A box to paste or type a transcript into."""
        self._want("paste_chat")

    def action_choose_character(self) -> None:
        """Who answers."""
        self._want("choose_character")

    def action_choose_persona(self) -> None:
        """Who the user is."""
        self._want("choose_persona")

    def action_choose_trigger(self) -> None:
        """The kind of generation."""
        self._want("choose_trigger")


class ScrubBar(OneLine):
    """The turns as a bar: clicked, dragged or wheeled along."""

    count: int = 0
    chosen: int = 0
    is_dragged: bool = False

    def show_turns(self, chosen: int, count: int, glyphs: Glyphs) -> None:
        """Draw the bar."""
        self.chosen, self.count = chosen, count
        self.show([Drawn(lambda width: [scrub_line(chosen, count, glyphs, width)], 1)])

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold."""
        event.stop()
        self.is_dragged = True
        self.capture_mouse()
        self._go_to_cell(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag."""
        if self.is_dragged:
            event.stop()
            self._go_to_cell(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go."""
        event.stop()
        self.is_dragged = False
        self.release_mouse()

    def on_click(self, event: events.Click) -> None:
        """Pressing has done it."""
        event.stop()
        event.prevent_default()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """One turn back."""
        event.stop()
        event.prevent_default()
        self._go(self.chosen - 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """One turn on."""
        event.stop()
        event.prevent_default()
        self._go(self.chosen + 1)

    def _go_to_cell(self, event: events.MouseEvent) -> None:
        offset = event.screen_x - self.content_region.x
        self._go(turn_at(int(offset), self.count, self.flow.width))

    def _go(self, number: int) -> None:
        if 0 <= number < self.count and number != self.chosen:
            self.chosen = number
            self.post_message(self.Chosen(self, ToTurn(number)))


class SearchLine(PlainInput):
    """The words of a search in the chat."""

    class Left(Message):
        """Nothing shall be searched any more."""

    async def _on_key(self, event: events.Key) -> None:
        """Escape ends the search."""
        if event.key == "escape":
            event.stop()
            event.prevent_default()
            self.post_message(self.Left())


class MessageRow(Horizontal):
    """Who speaks, what is typed, and what it would trigger."""

    def compose(self) -> ComposeResult:
        """The three."""
        yield OneLine(id="message-who")
        yield MessageArea(id="message", placeholder="a message that was never sent")
        yield OneLine(id="message-fate")


class ChatPane(Vertical):
    """Everything about the chat."""

    def compose(self) -> ComposeResult:
        """The transcript between its bar and the lines to type in."""
        yield ScrubBar(id="chat-scrub")
        yield Chat(id="chat-lines")
        yield SearchLine(id="chat-find", placeholder="words in the chat", compact=True)
        yield MessageRow(id="message-row")
