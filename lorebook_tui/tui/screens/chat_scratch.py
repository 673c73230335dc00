"""The message line: a message that was never sent, simulated as if it had been, beside the real chat and not in it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import on
from textual.widgets import TextArea

from lorebook_tui.display import cell_width
from lorebook_tui.model.scenario import Step
from lorebook_tui.model.transcript import Message
from lorebook_tui.tui.actions import Scope
from lorebook_tui.tui.ink import Drawn
from lorebook_tui.tui.scene import EVERY_TURN
from lorebook_tui.tui.screens.arranged import CHAT
from lorebook_tui.tui.screens.editing import Editing
from lorebook_tui.tui.targets import ToMessage
from lorebook_tui.tui.views.chat import fate_lines, name_of, who_line
from lorebook_tui.tui.widgets.chat import MessageRow
from lorebook_tui.tui.widgets.edges import OneLine
from lorebook_tui.tui.widgets.message_line import MessageArea
from lorebook_tui.workspace import chat_edits

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.timer import Timer

    from lorebook_tui.tui.replay import Picture, Replay
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.workspace import Workspace

_WIDEST_NAME: Final = 16
TYPED_AFTER: Final = 0.15
"""Seconds after the last letter until the message is simulated."""


class ChatScratch(Editing):
    """While something stands in the message line, the scene on the screen is the real one with that message in it."""

    real_scene: Scene | None = None
    """The scene without the message; None while nothing is typed."""
    _real_replay: Replay | None = None
    _real_number: int | None = None
    unsent_place: int | None = None
    """Where the message stands in the chat; None: at its end."""
    unsent_by_user: bool = True
    _typing: Timer | None = None
    _shown_chat: int | None = None
    """`Source.ident` of the chat that was shown last."""

    @property
    def message_area(self) -> MessageArea:
        """The message line."""
        return self.query_one("#message", MessageArea)

    @property
    def is_unsent(self) -> bool:
        """Whether the picture on the screen is of a chat with a message that was never sent."""
        return self.real_scene is not None

    @property
    def footer_scope(self) -> Scope:
        """The message line has keys of its own."""
        return Scope.MESSAGE if isinstance(self.focused, MessageArea) else super().footer_scope

    @property
    def scope_of_focus(self) -> Scope:
        """The scope of what has the focus."""
        return Scope.MESSAGE if isinstance(self.focused, MessageArea) else super().scope_of_focus

    # Typing

    def action_to_message(self) -> None:
        """To the message line, from anywhere."""
        if CHAT not in self.in_sight():
            self.go_to_pane(CHAT)
        self.give_focus(self.message_area)
        self.settle_panes()

    @on(TextArea.Changed, "#message")
    def _message_typed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self._typing is not None:
            self._typing.stop()
        if self.message_area.text.strip():
            self._typing = self.set_timer(TYPED_AFTER, self._simulate_message)
        else:
            self._typing = None
            self._simulate_message()
        self.show_message_line()

    @on(MessageArea.SpeakerWanted, "#message")
    def _other_speaker(self, event: MessageArea.SpeakerWanted) -> None:
        event.stop()
        self.unsent_by_user = not self.unsent_by_user
        if self.is_unsent:
            self._choose_place(self._real_replay, self._real_number)
        self._simulate_message()
        self.show_message_line()

    @on(MessageArea.LinesChanged, "#message")
    def _lines_changed(self, event: MessageArea.LinesChanged) -> None:
        event.stop()
        self.query_one(MessageRow).set_class(event.area.many_lines, "-many")
        self.show_message_line()

    @on(MessageArea.Left, "#message")
    def _message_left(self, event: MessageArea.Left) -> None:
        """The message goes, and so does what it did to the picture."""
        event.stop()
        event.area.empty()
        event.area.set_lines(many=False)
        self.go_to_pane(CHAT)

    @on(MessageArea.Kept, "#message")
    def _message_kept(self, event: MessageArea.Kept) -> None:
        """The message becomes real: at the end of the chat it is added, before it in a branch of the chat."""
        event.stop()
        if not event.area.text.strip():
            return
        if not self.is_unsent:
            self._choose_place(self.replay, self.number)
        place, message = self.unsent_place, self._message(event.area.text)
        taken_back = self._take_back()

        def make(workspace: Workspace) -> Edited:
            if place is None or place >= len(workspace.transcript):
                return chat_edits.append_message(workspace, message)
            return chat_edits.branch(workspace, place, message)

        self.number = None
        self.follow = True
        if self.edit(make):
            event.area.empty()
            self.simulate_soon(at_once=True)
            self.show_chat()
        elif taken_back:
            self._simulate_message()

    def edit_chat(self, make: Callable[[Workspace], Edited], *, at: int | None = None, follow: bool = False) -> bool:
        """Make an edit of the chat and show it at once.

        Args:
            make: as for `edit`.
            at: the message the cursor goes to.
            follow: go to the newest turn.
        """
        if follow:
            self.number = None
            self.follow = True
        if not self.edit(make):
            return False
        self.simulate_soon(at_once=True)
        self.show_chat()
        if at is not None:
            self.chat.point_at(ToMessage(at))
        return True

    # The scene with the message

    def scene_is_ready(self, scene: Scene) -> None:
        """Remember which chat is shown."""
        super().scene_is_ready(scene)
        chat = scene.workspace.chat if scene.workspace is not None else None
        self._shown_chat = chat.ident if chat else None

    def scene_for(self, workspace: Workspace) -> Scene:
        """The scene of an edited workspace, with the message that stands in the line."""
        scene = super().scene_for(workspace)
        ident = workspace.chat.ident if workspace.chat else None
        if self._shown_chat is not None and ident != self._shown_chat:
            self.follow = True
        self._shown_chat = ident
        if not self.is_unsent:
            return scene
        self.real_scene = scene
        return self._with_message(scene)

    def _message(self, text: str) -> Message:
        user, other = self._names()
        return Message(text, user if self.unsent_by_user else other, is_user=self.unsent_by_user)

    def _names(self) -> tuple[str, str]:
        """Names of the user and the other one."""
        scene = self.real_scene or self.scene
        if self.desk is not None:
            return chat_edits.speakers(self.desk.workspace)
        if scene is None:
            return "User", "Assistant"
        return name_of(scene, Message("", None, is_user=True)), name_of(scene, Message("", None)) or "Assistant"

    def _choose_place(self, replay: Replay | None, number: int | None) -> None:
        """Where the message would stand: at the end, or where the chat is looked at.

        The user's comes behind the replies of that turn, the character's in place of them.
        """
        scene = self.real_scene or self.scene
        self.unsent_place = None
        if replay is None or scene is None or number is None or number >= len(replay.steps) - 1:
            return
        messages = scene.scenario.transcript.messages
        place = replay.steps[number].upto
        if self.unsent_by_user and self.mode != EVERY_TURN:
            while place < len(messages) and not messages[place].is_user:
                place += 1
        self.unsent_place = place

    def _with_message(self, scene: Scene) -> Scene:
        transcript = scene.scenario.transcript
        kept = transcript.messages if self.unsent_place is None else transcript.messages[: self.unsent_place]
        made = replace(transcript, messages=(*kept, self._message(self.message_area.text)))
        return replace(scene, scenario=replace(scene.scenario, transcript=made))

    def _simulate_message(self) -> None:
        """Show the chat as if the message had been sent; the real chat again if there is none."""
        self._typing = None
        if not self.message_area.text.strip():
            if self._take_back():
                self._show_real()
            return
        if self.scene is None:
            return
        if not self.is_unsent:
            self.real_scene, self._real_replay, self._real_number = self.scene, self.replay, self.number
            self._choose_place(self.replay, self.number)
        scene = self.real_scene
        assert scene is not None  # noqa: S101 - it was just set
        self.scene = self._with_message(scene)
        self.number = None
        self.follow = True
        self.start_replay(self.new_replay(self.scene))

    def new_replay(self, scene: Scene) -> Replay:
        """With a message in the line: turns that were replayed without it are taken over, and one follows it."""
        if not self.is_unsent or scene is not self.scene:
            return super().new_replay(scene)
        real = self._real_replay
        is_counted = real is not None and (
            real.counter is self.counter or (self.counter is None and real.is_provisional)
        )
        made = real.after(scene, self.mode) if real is not None and is_counted else super().new_replay(scene)
        length = len(scene.scenario.transcript)
        if not made.steps or made.steps[-1].upto != length:
            made.steps.append(Step(length))
        return made

    def _take_back(self) -> bool:
        """The real scene again, without showing it yet; whether there was a message."""
        if self.real_scene is None:
            return False
        self.scene, self.real_scene = self.real_scene, None
        self.number = self._real_number
        self.unsent_place = None
        return True

    def _show_real(self) -> None:
        """Show the real chat; its replay goes on where it was, if nothing was edited meanwhile."""
        if self.scene is None:
            return
        kept, self._real_replay = self._real_replay, None
        is_same = kept is not None and kept.scene is self.scene and kept.counter is self.counter
        self.follow = True
        self.start_replay(kept if is_same and kept is not None else self.new_replay(self.scene))
        self.request_picture()
        self.show_message_line()

    # What the line shows

    def take_picture(self, picture: Picture, index: int | None, explanation: object) -> None:
        """A turn is known: also what the message in the line does."""
        super().take_picture(picture, index, explanation)  # type: ignore[arg-type]
        self.show_message_line()

    def show_message_line(self) -> None:
        """Who speaks, the hits in the text, and what they come to."""
        scene = self.scene
        area = self.message_area
        user, other = self._names()
        name = user if self.unsent_by_user else other
        count = len(scene.scenario.transcript) if scene is not None else 0
        number = count - 1 if self.is_unsent else count
        who = self.query_one("#message-who", OneLine)
        who.styles.width = min(_WIDEST_NAME, cell_width(f"{number + 1} {name} > "))
        who.show([Drawn(lambda width: [who_line(number, name, self.glyphs, width)], 1)])
        picture = self.picture if self.is_unsent and self.is_fresh and self.picture is not None else None
        if picture is not None and picture.turn.upto != count:
            picture = None
        hits = picture.hits.get(number, ()) if picture is not None else ()
        is_shown = picture is not None and bool(area.text.strip())
        area.set_marks([(start, end, "hit") for start, end, _ in hits] if is_shown else [])
        titles = self._titles(hits)
        shown, waiting = picture if is_shown else None, bool(area.text.strip())
        fate = self.query_one("#message-fate", OneLine)
        fate.display = waiting
        lines = partial(fate_lines, shown, titles, waiting=waiting)
        fate.show([Drawn(lambda width: lines(width=width), 1 + len(titles))], keep_place=False)

    def _titles(self, hits: tuple[tuple[int, int, int], ...]) -> list[str]:
        """Titles of the entries that were hit."""
        scene = self.scene
        refs = [self.ref_of(index) for index in dict.fromkeys(index for _, _, index in hits)]
        return [scene.entry(ref).title for ref in refs if ref is not None] if scene is not None else []
