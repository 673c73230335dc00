"""Work on the chat: messages edited and branched, swipes, search, other chats, who speaks to whom."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.widgets import Input

from lorebook_tui.display import quote
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.tui.screens.chat_people import ChatPeople, dialogs, offers
from lorebook_tui.tui.targets import ToChoice, ToMessage
from lorebook_tui.tui.views.chat import Look, name_of, places_in
from lorebook_tui.tui.widgets.chat import Chat, ChatPane, ScrubBar, SearchLine
from lorebook_tui.workspace import chat_choices, chat_edits

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.screens.chat_dialogs import Written
    from lorebook_tui.tui.targets import Target

Said = tuple[str, str | None, bool, bool, int]
"""What tells one message from another."""


class ChatWork(ChatPeople):
    """The part of the workbench."""

    words: str = ""
    """What is searched in the chat, in lower case."""

    def on_mount(self) -> None:
        """Nothing is typed or searched yet."""
        super().on_mount()
        self.saved_messages: dict[int, tuple[Transcript, frozenset[Said]]] = {}
        self._edited: tuple[Transcript, frozenset[int]] = (Transcript(), frozenset())

    # Drawing

    def show_chat(self) -> None:
        """The transcript with the hits of this turn, its bar, and the message line."""
        scene, replay = self.scene, self.replay
        if scene is None or replay is None:
            return
        transcript = scene.scenario.transcript
        is_current = replay.scene.scenario.transcript is transcript
        upto = replay.steps[self.turn].upto if replay.steps and is_current else len(transcript)
        picture = self.picture if self.is_fresh and is_current else None
        look = Look(
            scene, picture, upto, self.index_of(self.chosen), self.glyphs, edited=self._edited_messages(transcript),
            unsent=len(transcript) - 1 if self.is_unsent else None, found=self.words,
        )  # fmt: skip
        self.chat.show_turn(look, follow=self.follow)
        if picture is not None:
            self.follow = False
        self.query_one(ScrubBar).show_turns(self.turn, len(replay.steps), self.glyphs)
        self.show_message_line()

    def _edited_messages(self, transcript: Transcript) -> frozenset[int]:
        """Messages that are in no chat as it was saved."""
        desk = self.desk
        if desk is None:
            return frozenset()
        for source in chat_choices.chats(desk.workspace):
            kept = self.saved_messages.get(source.ident)
            found = source.loaded.transcript
            if found is not None and not desk.is_dirty(source) and (kept is None or kept[0] is not found):
                self.saved_messages[source.ident] = (found, frozenset(map(_said, found.messages)))
                self._edited = (Transcript(), frozenset())
        if not self.saved_messages or desk.workspace.chat is None:
            return frozenset()
        if self._edited[0] is not transcript:
            sets = [messages for _, messages in self.saved_messages.values()]
            edited = (
                number
                for number, message in enumerate(transcript.messages)
                if not any(_said(message) in messages for messages in sets)
            )
            self._edited = (transcript, frozenset(edited))
        return self._edited[1]

    # Doing

    @on(Chat.Wanted)
    async def _wanted(self, event: Chat.Wanted) -> None:
        event.stop()
        act: dict[str, Callable[[int], object]] = {
            "edit_message": self._edit_message,
            "say_who": self._say_who,
            "hide_message": self._hide_message,
            "insert_after": lambda number: self._insert(number + 1),
            "insert_before": self._insert,
            "delete_message": self._delete_message,
            "previous_swipe": lambda number: self._swipe(number, -1),
            "next_swipe": lambda number: self._swipe(number, 1),
            "fork_chat": self._fork,
            "find_next": lambda number: self._find(number, 1),
            "find_previous": lambda number: self._find(number, -1),
        }
        free: dict[str, Callable[[], object]] = {
            "type_message": self.action_to_message,
            "find_message": self._open_search,
            "choose_chat": self._choose_chat,
            "paste_chat": self._paste_chat,
            "choose_character": self._choose_character,
            "choose_persona": self._choose_persona,
            "choose_trigger": self._choose_trigger,
        }
        if event.name in free:
            free[event.name]()
        elif event.number is None:
            self.tell("There is no message yet.")
        elif self.is_unsent and self.scene is not None and event.number == len(self.scene.scenario.transcript) - 1:
            self.action_to_message()
        else:
            act[event.name](event.number)

    def _message_at(self, number: int) -> Message:
        assert self.scene is not None  # noqa: S101 - a message is under the cursor
        return self.scene.scenario.transcript.messages[number]

    def _edit_message(self, number: int) -> None:
        message = self._message_at(number)
        assert self.scene is not None  # noqa: S101 - a message is under the cursor
        draft = self.drafts.pop(("edit", number), None)
        title = f"Message {number + 1}, {name_of(self.scene, message)}" + (" (your draft)" if draft else "")

        def written(result: Written | None) -> None:
            if result is None or result.text == message.text:
                return
            if result.kept:
                self.edit_chat(partial(chat_edits.set_text, number=number, text=result.text), at=number)
            else:
                self._keep_draft("edit", number, result.text)

        self.app.push_screen(dialogs().TextBox(title, message.text if draft is None else draft, self.glyphs), written)

    def _insert(self, before: int) -> None:
        names = self._names()
        draft = self.drafts.pop(("insert", before), "")
        messages = self.scene.scenario.transcript.messages if self.scene else ()
        is_user = not messages[before - 1].is_user if 0 < before <= len(messages) else True

        def written(result: Written | None) -> None:
            if result is None or not result.text.strip():
                return
            if not result.kept:
                self._keep_draft("insert", before, result.text)
                return
            message = Message(result.text, names[0 if result.is_user else 1], is_user=result.is_user)
            self.edit_chat(partial(chat_edits.insert_message, before=before, message=message), at=before)

        box = dialogs().TextBox(f"New message {before + 1}", draft, self.glyphs, names=names, is_user=is_user)
        self.app.push_screen(box, written)

    def _hide_message(self, number: int) -> None:
        hidden = not self._message_at(number).is_hidden
        self.edit_chat(partial(chat_edits.set_hidden, number=number, hidden=hidden), at=number)

    def _delete_message(self, number: int) -> None:
        if self.edit_chat(partial(chat_edits.delete_messages, numbers=[number])):
            self.tell(f"Deleted message {number + 1}; u brings it back.")

    def _swipe(self, number: int, step: int) -> None:
        message = self._message_at(number)
        wanted = message.swipe + step
        if 0 <= wanted < len(message.swipes):
            self.edit_chat(partial(chat_edits.select_swipe, number=number, swipe=wanted), at=number)
        elif len(message.swipes) > 1:
            self.tell(f"That is the {'last' if step > 0 else 'first'} of {len(message.swipes)} swipes.")
        else:
            self.tell("The message has only one version.")

    def _fork(self, number: int) -> None:
        if self.edit_chat(partial(chat_edits.branch, length=number + 1), follow=True):
            name = self.desk.workspace.chat.name if self.desk and self.desk.workspace.chat else ""
            self.tell(f"{name}: the chat up to message {number + 1}. The other one is open too.", title="Branch")

    def _say_who(self, number: int) -> None:
        if self.desk is None:
            return
        message = self._message_at(number)
        offered = offers().speaker_offers(self.desk.workspace, (message.name, message.is_user))
        listed = dialogs().named_offers(offered, lambda name: offers().new_speaker(name, is_user=message.is_user))

        def chosen(target: Target | None) -> None:
            if isinstance(target, ToChoice):
                name, is_user = str(target.value), target.kind == "user"
                self.edit_chat(partial(chat_edits.set_speaker, number=number, name=name, is_user=is_user), at=number)

        dialog = dialogs().OpenChooser(f"Who said message {number + 1}", listed, self.glyphs, placeholder="a name")
        self.app.push_screen(dialog, chosen)

    # Searching

    @property
    def search_line(self) -> SearchLine:
        """Where the words of a search are typed."""
        return self.query_one(SearchLine)

    def _open_search(self) -> None:
        self.search_line.add_class("-open")
        self.give_focus(self.search_line)

    @on(Input.Changed, "#chat-find")
    def _words_typed(self, event: Input.Changed) -> None:
        event.stop()
        self.words = event.value.lower()
        if self.chat.look is not None:
            self.chat.look.found = self.words
            self.chat.forget_layouts()

    @on(Input.Submitted, "#chat-find")
    def _words_taken(self, event: Input.Submitted) -> None:
        event.stop()
        self.chat.focus(scroll_visible=False)
        number = self.chat.number
        if number is not None:
            self._find(number, 1, stay=True)

    def _find(self, number: int, step: int, *, stay: bool = False) -> None:
        """To the next message that holds the words, around the end of the chat."""
        if not self.words:
            self._open_search()
            return
        messages = self.scene.scenario.transcript.messages if self.scene else ()
        holding = [place for place, message in enumerate(messages) if places_in(message.text, self.words)]
        if not holding:
            self.tell(f"Nobody says {quote(self.words)} here.")
            return
        if step > 0:
            found = next((place for place in holding if place > number or (stay and place == number)), holding[0])
        else:
            found = next((place for place in reversed(holding) if place < number), holding[-1])
        self.chat.point_at(ToMessage(found), center=True)
        self.query_one(ChatPane).border_subtitle = f"{holding.index(found) + 1} of {len(holding)} messages"

    @on(SearchLine.Left)
    def _search_left(self, event: SearchLine.Left) -> None:
        event.stop()
        self.search_line.value = ""
        self.search_line.remove_class("-open")
        self.query_one(ChatPane).border_subtitle = ""
        self.chat.focus(scroll_visible=False)


def _said(message: Message) -> Said:
    return message.text, message.name, message.is_user, message.is_hidden, message.swipe
