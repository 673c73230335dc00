"""Edits of the chat in force: messages changed, put in and taken out, swipes chosen, branches cut off. Pure.

Every edit goes into the file of the chat; a chat that has none yet (typed from nothing) gets one that is not saved.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.formats import chat_edits as files
from lorebook_tui.formats import detect
from lorebook_tui.formats.base import stem_of
from lorebook_tui.formats.chat_edits import MessageChange
from lorebook_tui.workspace.edits import Edited
from lorebook_tui.workspace.files import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.transcript import Message, Transcript
    from lorebook_tui.workspace.workspace import Workspace

_BRANCH: Final = " - branch "
_SHOWN: Final = 40


def set_text(workspace: Workspace, number: int, text: str) -> Edited:
    """Another text for a message; its chosen swipe follows.

    Raises:
        UsageError: there is no such message, or its file cannot hold the text.
    """
    if text == message_at(workspace, number).text:
        return Edited(workspace, "")
    return _changed(workspace, number, MessageChange(text=text), f"edit message {number + 1}")


def set_speaker(workspace: Workspace, number: int, name: str, *, is_user: bool) -> Edited:
    """Somebody else said a message.

    Raises:
        UsageError: there is no such message, or its file cannot tell it.
    """
    message = message_at(workspace, number)
    if (message.name, message.is_user) == (name, is_user):
        return Edited(workspace, "")
    told = f"let {name} say message {number + 1}"
    return _changed(workspace, number, MessageChange(name=name, is_user=is_user), told)


def set_hidden(workspace: Workspace, number: int, *, hidden: bool) -> Edited:
    """Hide a message from every scan, or show it again.

    Raises:
        UsageError: there is no such message, or its file cannot tell it.
    """
    told = f"{'hide' if hidden else 'show'} message {number + 1}"
    return _changed(workspace, number, MessageChange(is_hidden=hidden), told)


def select_swipe(workspace: Workspace, number: int, swipe: int) -> Edited:
    """Another version of a message counts from now on.

    Raises:
        UsageError: the message has no such swipe.
    """
    message = message_at(workspace, number)
    if swipe == message.swipe and message.swipes and message.text == message.swipes[swipe]:
        return Edited(workspace, "")
    told = f"take swipe {swipe + 1} of message {number + 1}"
    return _changed(workspace, number, MessageChange(swipe=swipe), told)


def insert_message(workspace: Workspace, before: int, message: Message) -> Edited:
    """One more message in front of a place; the length of the chat: at its end. Makes a chat if there is none.

    Raises:
        UsageError: there is no such place, or the file cannot hold the message.
    """
    made, source = _with_source(workspace)
    loaded = files.with_messages(source.loaded, before, [message])
    verb = "add" if before == len(workspace.transcript) else "insert"
    return Edited(with_chat(made, replace(source, loaded=loaded)), f"{verb} message {before + 1}")


def append_message(workspace: Workspace, message: Message) -> Edited:
    """One more message at the end.

    Raises:
        UsageError: the file cannot hold the message.
    """
    return insert_message(workspace, len(workspace.transcript), message)


def delete_messages(workspace: Workspace, numbers: Sequence[int]) -> Edited:
    """The chat without some messages.

    Raises:
        UsageError: there is no such message, or the file would be no chat any more.
    """
    made, source = _with_source(workspace)
    loaded = files.without_messages(source.loaded, numbers)
    one = f"message {numbers[0] + 1}" if len(numbers) == 1 else f"{len(numbers):,} messages"
    return Edited(with_chat(made, replace(source, loaded=loaded)), f"delete {one}")


def branch(
    workspace: Workspace, length: int, said: Message | None = None, *, taken: Callable[[Path], bool] = Path.exists
) -> Edited:
    """A new chat, not saved, of the first messages of this one; this one stays as it is, open and unchanged.

    Args:
        workspace: has the chat.
        length: number of messages that the branch shares.
        said: goes on from there.
        taken: whether there is a file of that name already.

    Raises:
        UsageError: the chat has not so many messages.
    """
    made, origin = _with_source(workspace)
    path = branch_path(made, origin.path, taken)
    loaded = files.branched(origin.loaded, length, path.name)
    if said is not None:
        loaded = files.with_messages(loaded, length, [said])
    source = Source(path, loaded)
    before = made
    if workspace.chat is None:
        before = with_chat(made, origin)
    listed = replace(before, sources=(*before.sources, source))
    from lorebook_tui.workspace.chat_choices import taken_chat  # noqa: PLC0415 - it stands above this module

    where = f"message {length}" if length else "its beginning"
    followed = taken_chat(listed, source, like=origin)
    return Edited(followed, f"branch {stem_of(origin.name)} at {where}")


def branch_path(workspace: Workspace, path: Path, taken: Callable[[Path], bool]) -> Path:
    """A free name for a branch, beside its origin: `NAME - branch 2.jsonl`."""
    stem = path.stem
    root, mark, number = stem.rpartition(_BRANCH)
    stem = root if mark and number.isdecimal() else stem
    names = {source.path for source in workspace.sources}
    number_of = 2
    while True:
        candidate = path.with_name(f"{stem}{_BRANCH}{number_of}.jsonl")
        if candidate not in names and not taken(candidate):
            return candidate
        number_of += 1


def message_at(workspace: Workspace, number: int) -> Message:
    """A message by its place.

    Raises:
        UsageError: there is none.
    """
    messages = workspace.transcript.messages
    if not 0 <= number < len(messages):
        raise UsageError("The chat has no message there.")
    return messages[number]


def with_chat(workspace: Workspace, source: Source) -> Workspace:
    """The workspace with a file as its chat in force; one that is open already is taken in its new state."""
    known = any(each.ident == source.ident for each in workspace.sources)
    sources = (
        tuple(source if each.ident == source.ident else each for each in workspace.sources)
        if known
        else (*workspace.sources, source)
    )
    transcript = source.loaded.transcript
    if transcript is None:
        raise UsageError(f"{source.name} is {source.format_title}, no chat.")
    return replace(workspace, sources=sources, chat=source, transcript=transcript)


def speakers(workspace: Workspace) -> tuple[str, str]:
    """Names of the user and of who answers, as new messages get them."""
    cast, transcript = workspace.cast, workspace.transcript
    user = cast.persona.name or transcript.user_name or "User"
    other = (cast.speaker.name if cast.speaker else "") or transcript.character_name or "Assistant"
    return user, other


def pasted_chat(workspace: Workspace, text: str, *, taken: Callable[[Path], bool] = Path.exists) -> Source:
    """A pasted transcript as a chat that is not saved: `Name: text` lines, a JSON list, or JSON lines.

    Raises:
        LorebookError: it is no transcript; says what was seen.
    """
    path = new_chat_path(workspace, "pasted chat", taken)
    data = text.encode("utf-8", "surrogatepass")
    loaded = detect.load(data, path.name, user=workspace.cast.persona.name)
    found = loaded.transcript
    if found is not None and not any(message.is_user for message in found.messages):
        loaded = detect.load(data, path.name)
        found = loaded.transcript
    if found is None:
        raise UsageError(
            "The pasted text is no chat.",
            expected="lines such as `Name: text`, a JSON list, or the lines of a SillyTavern chat",
            found=loaded.format.title,
        )
    return Source(path, loaded if loaded.format.name == "chat" else files.new_chat(path.name, found))


def new_chat_path(workspace: Workspace, name: str, taken: Callable[[Path], bool]) -> Path:
    """A free name for a chat that was made here: beside the chat in force, the workspace file or the first file."""
    near = workspace.chat.path if workspace.chat else workspace.file
    near = near or (workspace.sources[0].path if workspace.sources else Path(name))
    safe = "".join(sign if sign.isalnum() or sign in " -_." else "_" for sign in name).strip(" .")[:_SHOWN] or "chat"
    names = {source.path for source in workspace.sources}
    number = 1
    while True:
        path = near.with_name(f"{safe}.jsonl" if number == 1 else f"{safe} {number}.jsonl")
        if path not in names and not taken(path):
            return path
        number += 1


def _with_source(workspace: Workspace) -> tuple[Workspace, Source]:
    """The file of the chat, made if it has none."""
    if workspace.chat is not None:
        return workspace, workspace.chat
    user, other = speakers(workspace)
    transcript = workspace.transcript
    name = transcript.name if transcript.messages else f"{other} chat" if workspace.cast.speaker else "chat"
    path = new_chat_path(workspace, name, Path.exists)
    named = replace(
        transcript, user_name=transcript.user_name or user, character_name=transcript.character_name or other
    )
    return workspace, Source(path, _made(path.name, named))


def _made(name: str, transcript: Transcript) -> Loaded:
    return files.new_chat(name, transcript)


def _changed(workspace: Workspace, number: int, change: MessageChange, told: str) -> Edited:
    message_at(workspace, number)
    made, source = _with_source(workspace)
    loaded = files.with_change(source.loaded, number, change)
    return Edited(with_chat(made, replace(source, loaded=loaded)), told)
