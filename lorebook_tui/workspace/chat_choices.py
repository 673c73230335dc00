"""Which chat, card, persona and kind of generation are in force. Each brings its own layer and takes it away again.

Lore of one chat never shows in another: SillyTavern 1.19 binds a book to a chat by its metadata, to a card by its
`extensions.world`, and to a persona by its own setting.
"""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.formats.chat_edits import new_chat
from lorebook_tui.model.cast import AuthorsNote, Character, Group, Persona
from lorebook_tui.model.layers import Layer
from lorebook_tui.model.scenario import TRIGGERS
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.workspace.asides import swapped
from lorebook_tui.workspace.chat_edits import new_chat_path, speakers, with_chat
from lorebook_tui.workspace.chat_metadata import linked_world, note_of, variables_of
from lorebook_tui.workspace.edits import Edited
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.workspace import OpenedBook

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from lorebook_tui.workspace.workspace import Workspace


def chats(workspace: Workspace) -> tuple[Source, ...]:
    """The open files that are chats."""
    return tuple(source for source in workspace.sources if source.loaded.transcript is not None)


def cards(workspace: Workspace) -> tuple[Source, ...]:
    """The open files that are cards."""
    return tuple(source for source in workspace.sources if source.loaded.card is not None)


def personas(workspace: Workspace) -> tuple[Persona, ...]:
    """Everybody the user has been here: the persona in force, those put aside, and the users of the open chats."""
    found = {workspace.cast.persona.name: workspace.cast.persona}
    for (layer, name), aside in workspace.parked.items():
        if layer is Layer.PERSONA and aside.persona is not None:
            found.setdefault(str(name), aside.persona)
    for source in chats(workspace):
        name = source.loaded.transcript.user_name if source.loaded.transcript is not None else ""
        if name:
            found.setdefault(name, Persona(name))
    return tuple(found.values())


def take_chat(workspace: Workspace, source: Source, worlds: Sequence[Source] = ()) -> Edited:
    """Another chat in force, with the book that its metadata names, its note and its variables.

    Args:
        workspace: as it is.
        source: an open chat, or one that was just read.
        worlds: worlds that were read for it.

    Raises:
        UsageError: the file is no chat.
    """
    if source.loaded.transcript is None:
        raise UsageError(f"{source.name} is {source.format_title}, no chat.")
    if workspace.chat is not None and workspace.chat.ident == source.ident:
        return Edited(workspace, "")
    made = taken_chat(_with_sources(workspace, (source, *worlds)), source)
    return Edited(made, f"open the chat {source.name}")


def begin_chat(workspace: Workspace) -> Edited:
    """A chat in which nobody has said anything yet, not saved."""
    user, other = speakers(workspace)
    path = new_chat_path(workspace, f"{other} chat" if workspace.cast.speaker else "chat", Path.exists)
    source = Source(path, new_chat(path.name, Transcript((), path.stem, user, other)))
    return Edited(taken_chat(_with_sources(workspace, (source,)), source), f"begin the chat {path.name}")


def taken_chat(workspace: Workspace, source: Source, like: Source | None = None) -> Workspace:
    """The workspace with an open file as its chat.

    Args:
        workspace: as it is.
        source: the chat.
        like: a branch starts with the lore, note and variables of this one.
    """
    old, new = workspace.transcript, source.loaded.transcript
    assert new is not None  # noqa: S101 - the callers have looked
    books = (
        [replace(opened) for opened in workspace.of(Layer.CHAT)]
        if like is not None
        else _books_named(workspace, Layer.CHAT, linked_world(new.metadata))
    )
    made, kept = swapped(workspace, Layer.CHAT, _chat_key(workspace), source.ident, books)
    if kept is not None:
        made = replace(made, note=kept.note or AuthorsNote(), variables=kept.variables or {})
    elif like is None:
        note = _note_for(workspace.note, note_of(old.metadata), note_of(new.metadata))
        made = replace(made, note=note, variables=variables_of(new.metadata))
    made = with_chat(made, source)
    return made if like is not None else _people_of_chat(made, old.user_name, old.character_name)


def _note_for(now: AuthorsNote, old: AuthorsNote, new: AuthorsNote) -> AuthorsNote:
    """The note of another chat; what the user set otherwise than the old chat stays set."""
    own: dict[str, Any] = {
        field.name: getattr(now, field.name)
        for field in fields(AuthorsNote)
        if getattr(now, field.name) != getattr(old, field.name)
    }
    return replace(new, **own)


def _people_of_chat(workspace: Workspace, old_user: str, old_character: str) -> Workspace:
    """The chat's card if exactly one open card has its character's name; names that only came from the old chat go."""
    transcript, cast = workspace.transcript, workspace.cast
    made = workspace
    name = transcript.character_name
    fitting = [source for source in cards(made) if source.loaded.card and source.loaded.card.character.name == name]
    if (
        len(fitting) == 1
        and cast.group is None
        and (workspace.card is None or fitting[0].ident != workspace.card.ident)
    ):
        made = take_card(made, fitting[0]).workspace
    elif (
        workspace.card is None
        and cast.group is None
        and (cast.character is None or cast.character.name == old_character)
    ):
        character = Character(name=name) if name else None
        made = replace(made, cast=replace(cast, character=character))
    persona = made.cast.persona
    if transcript.user_name and persona == Persona(old_user or Persona().name):
        made = take_persona(made, Persona(transcript.user_name)).workspace
    return made


def take_card(workspace: Workspace, source: Source | None, worlds: Sequence[Source] = ()) -> Edited:
    """Another character, with the books in its card, else the world it is bound to; None: nobody.

    Args:
        workspace: as it is.
        source: an open card, or one that was just read.
        worlds: worlds that were read for it.

    Raises:
        UsageError: the file is no card.
    """
    if source is not None and source.loaded.card is None:
        raise UsageError(f"{source.name} is {source.format_title}, no character card.")
    opened = _with_sources(workspace, (*((source,) if source else ()), *worlds))
    made = _with_character(opened, source)
    info = source.loaded.card if source else None
    cast = replace(made.cast, character=info.character if info else None, group=None)
    told = f"let {info.character.name or source.name} answer" if info and source else "let nobody answer"
    return Edited(replace(made, cast=cast), told)


def take_name(workspace: Workspace, name: str) -> Edited:
    """Somebody without a card answers.

    Raises:
        UsageError: no name.
    """
    if not name.strip():
        raise UsageError("Who answers needs a name.")
    fitting = [
        source for source in cards(workspace) if source.loaded.card and source.loaded.card.character.name == name
    ]
    if len(fitting) == 1:
        return take_card(workspace, fitting[0])
    made = _with_character(workspace, None, name)
    return Edited(
        replace(made, cast=replace(made.cast, character=Character(name=name), group=None)), f"let {name} answer"
    )


def make_group(workspace: Workspace, members: Sequence[Source], speaker: int = 0) -> Edited:
    """A group of open cards. Its layer of the character holds the books of the one who is about to speak.

    Raises:
        UsageError: fewer than two cards.
    """
    if len(members) < 2:  # noqa: PLR2004 - one is no group
        raise UsageError("A group needs two cards.", hint="Open another card first.")
    characters = tuple(source.loaded.card.character for source in members if source.loaded.card)
    made = _with_character(workspace, members[speaker])
    group = Group(tuple(replace(character, books=()) for character in characters), speaker)
    names = ", ".join(character.name for character in characters)
    return Edited(replace(made, cast=replace(made.cast, character=None, group=group)), f"make a group of {names}")


def set_member(workspace: Workspace, number: int) -> Edited:
    """Another member of the group is about to speak, with its own books.

    Raises:
        UsageError: there is no group, or no such member.
    """
    group = workspace.cast.group
    if group is None or not 0 <= number < len(group.members):
        raise UsageError("There is no such member of a group.")
    member = group.members[number]
    made = workspace
    fitting = [
        source for source in cards(workspace) if source.loaded.card and source.loaded.card.character.name == member.name
    ]
    if fitting:
        made = _with_character(workspace, fitting[0])
    cast = replace(made.cast, group=replace(group, speaker=number))
    return Edited(replace(made, cast=cast), f"let {member.name} answer")


def take_persona(workspace: Workspace, persona: Persona) -> Edited:
    """Another persona, with the lore it had here.

    Raises:
        UsageError: no name.
    """
    if not persona.name.strip():
        raise UsageError("A persona needs a name.")
    now = workspace.cast.persona
    if persona == now:
        return Edited(workspace, "")
    if persona.name == now.name:
        return Edited(
            replace(workspace, cast=replace(workspace.cast, persona=persona)), f"change the persona {now.name}"
        )
    made, kept = swapped(workspace, Layer.PERSONA, now.name, persona.name, ())
    same = kept is not None and kept.persona is not None and persona == Persona(persona.name)
    taken = kept.persona if same and kept is not None and kept.persona is not None else persona
    return Edited(replace(made, cast=replace(made.cast, persona=taken)), f"be {persona.name}")


def take_trigger(workspace: Workspace, trigger: str) -> Edited:
    """Another kind of generation.

    Raises:
        UsageError: there is no such kind.
    """
    if trigger not in TRIGGERS:
        raise UsageError(
            f"There is no kind of generation {quote(trigger)}.", expected=", ".join(TRIGGERS), found=trigger
        )
    if trigger == workspace.trigger:
        return Edited(workspace, "")
    return Edited(replace(workspace, trigger=trigger), f"generate as {trigger}")


def said(workspace: Workspace, text: str) -> Workspace:
    """The workspace as if one more message had been sent; no file knows of it.

    Args:
        workspace: has the chat.
        text: of the user; behind `NAME:` of somebody who speaks in the chat.
    """
    user, other = speakers(workspace)
    known = {user: True, other: False}
    for message in workspace.transcript.messages:
        if message.name:
            known.setdefault(message.name, message.is_user)
    name, colon, rest = text.partition(":")
    is_named = bool(colon) and name.strip() in known
    who = name.strip() if is_named else user
    message = Message(rest.strip() if is_named else text, who, is_user=known[who])
    messages = (*workspace.transcript.messages, message)
    return replace(workspace, transcript=replace(workspace.transcript, messages=messages))


def _chat_key(workspace: Workspace) -> Hashable:
    return workspace.chat.ident if workspace.chat else None


def _with_character(workspace: Workspace, source: Source | None, name: str = "") -> Workspace:
    """The layer of the character given to another card."""
    leaving: Hashable = workspace.card.ident if workspace.card else _bare_name(workspace)
    coming: Hashable = source.ident if source else name
    if leaving == coming:
        return workspace
    books: Sequence[OpenedBook] = ()
    if source is not None:
        world = source.loaded.card.world.strip() if source.loaded.card else ""
        books = [
            OpenedBook(Layer.CHARACTER, book, source, position) for position, book in enumerate(source.loaded.books)
        ] or _books_named(workspace, Layer.CHARACTER, world)
    made, _ = swapped(workspace, Layer.CHARACTER, leaving, coming, books)
    return replace(made, card=source)


def _bare_name(workspace: Workspace) -> str:
    return workspace.cast.character.name if workspace.cast.character else ""


def _books_named(workspace: Workspace, layer: Layer, name: str) -> list[OpenedBook]:
    """The open book of a name, "" for none: the newest file that holds one."""
    if not name:
        return []
    for source in reversed(workspace.sources):
        for position, book in enumerate(source.loaded.books):
            if book.name == name and source.loaded.card is None:
                return [OpenedBook(layer, book, source, position)]
    return []


def _with_sources(workspace: Workspace, more: Sequence[Source]) -> Workspace:
    """The workspace with files opened that were not."""
    known = {source.ident for source in workspace.sources}
    new = tuple(source for source in more if source.ident not in known)
    return replace(workspace, sources=(*workspace.sources, *new)) if new else workspace
