"""What the dialogs of the chat offer: chats, characters, personas, speakers and kinds of generation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.model.scenario import TRIGGERS
from lorebook_tui.tui.search import Candidate
from lorebook_tui.tui.targets import ToChoice
from lorebook_tui.workspace import chat_choices, chat_edits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.model.transcript import Transcript
    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.workspace import Workspace

_WHAT_FOR: Final = {
    "normal": "the reply to the newest message",
    "continue": "more of the newest message",
    "swipe": "another version of the newest reply, which the scan does not see",
    "regenerate": "the newest reply anew: it is taken away first",
    "impersonate": "a message in the name of the user",
    "quiet": "a prompt of an extension; it leaves no message",
}
_NOW: Final = "now"


def chat_offers(workspace: Workspace, unsaved: frozenset[int]) -> list[Candidate]:
    """The open chats, then the ways to get another one."""
    found = []
    for source in chat_choices.chats(workspace):
        transcript = source.loaded.transcript
        is_now = workspace.chat is not None and workspace.chat.ident == source.ident
        told = [f"{len(transcript or ())} messages", "not saved" if source.ident in unsaved else ""]
        told.append(str(source.path.parent))
        found.append(
            Candidate(
                source.name, ToChoice("chat", source.ident), ", ".join(filter(None, told)), _NOW if is_now else "",
                "Open chats",
            )
        )  # fmt: skip
    return [
        *found,
        Candidate("Open a file", ToChoice("open"), "a chat, or a card", "", "Another"),
        Candidate("Paste or type a transcript", ToChoice("paste"), "Name: text, JSON or JSON lines", "", "Another"),
        Candidate("Begin a new chat", ToChoice("new"), "nobody has said anything yet", "", "Another"),
    ]


def character_offers(workspace: Workspace) -> list[Candidate]:
    """Who can answer: members of the group, open cards, those who speak in the chat."""
    cast = workspace.cast
    now = cast.speaker.name if cast.speaker else ""
    found = []
    if cast.group is not None:
        for number, member in enumerate(cast.group.members):
            is_now = number == cast.group.speaker
            target = ToChoice("member", number)
            found.append(Candidate(member.name, target, "member of the group", _NOW if is_now else "", "Group"))
    cards = chat_choices.cards(workspace)
    for source in cards:
        info = source.loaded.card
        name = info.character.name if info else source.name
        is_now = cast.group is None and workspace.card is not None and workspace.card.ident == source.ident
        books = ", ".join(book.name for book in source.loaded.books) or (info.world if info else "")
        detail = f"{source.name}  {f'lore: {books}' if books else 'no lore'}"
        found.append(Candidate(name, ToChoice("card", source.ident), detail, _NOW if is_now else "", "Cards"))
    named = {candidate.title for candidate in found}
    for name, is_user in chat_speakers(workspace.transcript):
        if not is_user and name not in named:
            key = _NOW if name == now and workspace.card is None else ""
            found.append(Candidate(name, ToChoice("name", name), "speaks in the chat, without a card", key, "Names"))
    if len(cards) > 1 and cast.group is None:
        everybody = ", ".join(source.loaded.card.character.name for source in cards if source.loaded.card)
        found.append(Candidate("A group of all open cards", ToChoice("group"), everybody, "", "Another"))
    return [
        *found,
        Candidate("Open a card", ToChoice("open"), "from a file", "", "Another"),
        Candidate("Nobody", ToChoice("nobody"), "no card is in force", "", "Another"),
    ]


def persona_offers(workspace: Workspace) -> list[Candidate]:
    """Who the user can be."""
    now = workspace.cast.persona
    found = []
    for persona in chat_choices.personas(workspace):
        text = " ".join(persona.description.split()) or "without a description"
        key = _NOW if persona.name == now.name else ""
        found.append(Candidate(persona.name, ToChoice("persona", persona.name), text, key, "Personas"))
    return [*found, Candidate(f"Describe {now.name}", ToChoice("describe"), "the text of the persona", "", "Another")]


def new_persona(name: str) -> Candidate:
    """Somebody who was not here before."""
    return Candidate(f"Be {name}", ToChoice("persona", name), "a new persona without lore", "", "Another")


def new_name(name: str) -> Candidate:
    """Somebody without a card answers."""
    return Candidate(f"Let {name} answer", ToChoice("name", name), "without a card", "", "Another")


def trigger_offers(now: str) -> list[Candidate]:
    """The kinds of generation."""
    return [
        Candidate(kind, ToChoice("trigger", kind), _WHAT_FOR[kind], _NOW if kind == now else "") for kind in TRIGGERS
    ]


def speaker_offers(workspace: Workspace, now: tuple[str | None, bool]) -> list[Candidate]:
    """Who can have said a message."""
    user, other = chat_edits.speakers(workspace)
    known = dict.fromkeys([(user, True), (other, False), *chat_speakers(workspace.transcript)])
    return [
        Candidate(
            name, ToChoice("user" if is_user else "other", name), "the user" if is_user else "a character",
            _NOW if (name, is_user) == now else "",
        )
        for name, is_user in known
    ]  # fmt: skip


def new_speaker(name: str, *, is_user: bool) -> Candidate:
    """Somebody who did not speak yet."""
    return Candidate(name, ToChoice("user" if is_user else "other", name), "a new name")


def chat_speakers(transcript: Transcript) -> Iterator[tuple[str, bool]]:
    """Everybody who speaks in a chat, and whether as the user, in order of appearance."""
    return iter(
        dict.fromkeys((message.name, message.is_user) for message in transcript.messages if message.name).keys()
    )


def source_with(workspace: Workspace, ident: int) -> Source | None:
    """An open file."""
    return next((source for source in workspace.sources if source.ident == ident), None)
