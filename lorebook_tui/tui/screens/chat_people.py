"""Which chat is open, who answers and who the user is: dialogs, files that are read, and what comes into force."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import on
from textual.message import Message as Event

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError
from lorebook_tui.model.cast import Persona
from lorebook_tui.tui.scene import USER_TURNS
from lorebook_tui.tui.screens.chat_scratch import ChatScratch
from lorebook_tui.tui.targets import ToChoice
from lorebook_tui.tui.widgets.chat import Chat
from lorebook_tui.workspace import chat_choices, chat_edits

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from lorebook_tui.tui.screens.chat_dialogs import Written
    from lorebook_tui.tui.targets import Target
    from lorebook_tui.workspace.chat_files import Arrival
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.workspace import Workspace


_AFTER_A_REPLY: Final = frozenset({"swipe", "regenerate", "continue"})
"""Kinds of generation that work on the newest reply."""


class ChatRead(Event):
    """A file was read for the chat, or cannot be."""

    def __init__(self, arrival: Arrival | None, error: LorebookError | None = None) -> None:
        super().__init__()
        self.arrival = arrival
        self.error = error


class ChatPeople(ChatScratch):
    """The part of the workbench."""

    def on_mount(self) -> None:
        """Nothing is written yet."""
        super().on_mount()
        self.drafts: dict[tuple[str, int], str] = {}
        """Texts that were written and not kept, by what for and the message."""

    def _keep_draft(self, what: str, number: int, text: str) -> None:
        self.drafts[what, number] = text
        self.tell("Not kept. What you wrote is there again when you come back to this message.")

    @on(Chat.Pasted)
    def _pasted(self, event: Chat.Pasted) -> None:
        event.stop()
        self._take_pasted(event.text)

    def _take_pasted(self, text: str) -> None:
        """A transcript becomes a chat of its own; any other text goes into the message line."""
        if self.desk is None or not text.strip():
            return
        workspace = self.desk.workspace
        try:
            source = chat_edits.pasted_chat(workspace, text)
        except LorebookError as error:
            self.message_area.set_lines(many="\n" in text.strip())
            self.message_area.load_text(text)
            self.action_to_message()
            self.tell(f"This is no transcript ({error.message.rstrip('.')}), so it stands in the message line.")
            return
        self._read(lambda: files().arrival(workspace, source))

    def _read(self, job: Callable[[], Arrival]) -> None:
        """Read files in a thread; then they come into force."""

        def guarded() -> None:
            try:
                self.post_message(ChatRead(job()))
            except LorebookError as error:
                self.post_message(ChatRead(None, error))

        self.work("chat-file", guarded)

    @on(ChatRead)
    def _chat_read(self, event: ChatRead) -> None:
        event.stop()
        arrival = event.arrival
        if arrival is None:
            if event.error is not None:
                self.tell_error(event.error)
            return
        self._drop_message()
        for source in arrival.fresh:
            if self.desk is not None:
                self.desk.know(source)
        if self.edit_chat(arrival.edited, follow=True) and arrival.missing:
            self.tell(
                f"{arrival.source.name} is bound to the world {quote(arrival.missing)}, which is not open and not "
                "near it.",
                severity="warning",
            )

    def _drop_message(self) -> None:
        """What is typed was meant for the chat that goes; the up key brings it back."""
        if self.is_unsent:
            self._take_back()
            self.message_area.empty()

    def _choose_chat(self) -> None:
        desk = self.desk
        if desk is None:
            return
        unsaved = frozenset(source.ident for source in desk.dirty)
        offered = offers().chat_offers(desk.workspace, unsaved)
        self._choose("Chats", dialogs().named_offers(offered, None))

    def _paste_chat(self) -> None:
        draft = self.drafts.pop(("paste", 0), "")

        def written(result: Written | None) -> None:
            if result is not None and result.text.strip():
                if result.kept:
                    self._take_pasted(result.text)
                else:
                    self._keep_draft("paste", 0, result.text)

        self.app.push_screen(dialogs().TextBox("Paste or type a transcript", draft, self.glyphs), written)

    def _choose_character(self) -> None:
        if self.desk is not None:
            offered = offers().character_offers(self.desk.workspace)
            self._choose("Who answers", dialogs().named_offers(offered, offers().new_name))

    def _choose_persona(self) -> None:
        if self.desk is not None:
            offered = offers().persona_offers(self.desk.workspace)
            self._choose("Who you are", dialogs().named_offers(offered, offers().new_persona))

    def _choose_trigger(self) -> None:
        if self.desk is not None:
            offered = offers().trigger_offers(self.desk.workspace.trigger)
            self._choose("Kind of generation", dialogs().named_offers(offered, None))

    def _choose(self, title: str, offered: Callable[[str], object]) -> None:
        self.app.push_screen(dialogs().OpenChooser(title, offered, self.glyphs), self._chosen)

    def _choose_file(self) -> None:
        """A chat or a card from the disk."""
        desk = self.desk
        if desk is None:
            return
        workspace = desk.workspace
        near = workspace.chat.path if workspace.chat else workspace.file

        def picked(path: Path | None) -> None:
            if path is not None:
                self._read(lambda: files().read(workspace, path))

        from lorebook_tui.tui.screens.file_picker import FilePicker  # noqa: PLC0415 - late, as the dialogs below

        folder = near.resolve().parent if near else Path.cwd()
        self.app.push_screen(FilePicker("Open a chat or a card", folder, self.glyphs), picked)

    def _chosen(self, target: Target | None) -> None:
        """Do what was chosen in a dialog about the chat."""
        if not isinstance(target, ToChoice) or self.desk is None:
            return
        workspace, value = self.desk.workspace, target.value
        source = offers().source_with(workspace, value) if target.kind in {"chat", "card"} else None
        match target.kind:
            case "chat" | "card" if source is not None:
                self._read(lambda: files().arrival(workspace, source))
            case "open":
                self._choose_file()
            case "paste":
                self._paste_chat()
            case "describe":
                self._describe()
            case _:
                self._take_choice(target)

    def _take_choice(self, target: ToChoice) -> None:
        """What needs no file."""
        text = str(target.value)
        number = target.value if isinstance(target.value, int) else 0
        make: Callable[[Workspace], Edited] | None = {
            "new": chat_choices.begin_chat,
            "member": lambda workspace: chat_choices.set_member(workspace, number),
            "name": lambda workspace: chat_choices.take_name(workspace, text),
            "nobody": lambda workspace: chat_choices.take_card(workspace, None),
            "group": lambda workspace: chat_choices.make_group(workspace, chat_choices.cards(workspace)),
            "persona": lambda workspace: chat_choices.take_persona(workspace, _persona(workspace, text)),
            "trigger": lambda workspace: chat_choices.take_trigger(workspace, text),
        }.get(target.kind)
        if make is None:
            return
        if target.kind == "new":
            self._drop_message()
        self.edit_chat(make, follow=target.kind == "new")
        if target.kind == "trigger" and text in _AFTER_A_REPLY and self.mode == USER_TURNS:
            self.tell(f"{text.capitalize()} comes after a reply: turn mode (m) shows turns after every message.")

    def _describe(self) -> None:
        if self.desk is None:
            return
        persona = self.desk.workspace.cast.persona

        def written(result: Written | None) -> None:
            if result is not None and result.kept and result.text != persona.description:
                described = replace(persona, description=result.text)
                self.edit_chat(partial(chat_choices.take_persona, persona=described))

        self.app.push_screen(dialogs().TextBox(f"About {persona.name}", persona.description, self.glyphs), written)


def _persona(workspace: Workspace, name: str) -> Persona:
    """Somebody the user was before, or somebody new."""
    return next((each for each in chat_choices.personas(workspace) if each.name == name), Persona(name))


def dialogs() -> ModuleType:
    """The dialogs, loaded when the first one is asked for."""
    from lorebook_tui.tui.screens import chat_dialogs  # noqa: PLC0415 - late, so that the screen stands sooner

    return chat_dialogs


def offers() -> ModuleType:
    """What the dialogs offer."""
    from lorebook_tui.tui.screens import chat_offers  # noqa: PLC0415 - as above

    return chat_offers


def files() -> ModuleType:
    """What reads files."""
    from lorebook_tui.workspace import chat_files  # noqa: PLC0415 - as above

    return chat_files
