"""Edits of the messages of a loaded chat: only the changed line, item or passage of its file is written anew.

Messages are named by their place in the transcript; what is between them in the file (broken lines, other items) stays.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.formats import chat_text_edits, detect
from lorebook_tui.formats.base import LoadReport, Reporter, Source
from lorebook_tui.formats.chat_list import message_paths
from lorebook_tui.formats.chat_text import TextContainer
from lorebook_tui.formats.chat_values import MessageChange, changed_value, made_value
from lorebook_tui.formats.json_text import parse
from lorebook_tui.formats.lines import LinesContainer
from lorebook_tui.formats.messages import is_header, is_sillytavern_message
from lorebook_tui.formats.text import Encoding, decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lorebook_tui.formats.base import Container, Finding, Loaded
    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.model.transcript import Message, Transcript

__all__ = ["MessageChange", "branched", "new_chat", "with_change", "with_messages", "without_messages"]

_LINE_ENDS: Final = frozenset({"\n", "\r\n", "\r"})
_COMPACT: Final = (",", ":")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""What UTF-8 cannot spell."""


class EditedLines:
    """JSON lines after messages came or went; the other lines are as they were."""

    kind = "lines"

    def __init__(
        self, pieces: tuple[str | JsonDocument, ...], encoding: Encoding, findings: tuple[Finding, ...] = ()
    ) -> None:
        self.pieces = pieces
        """Lines and line ends in turn; lines that are JSON as documents."""
        self.encoding = encoding
        self.findings = findings
        self.documents: tuple[JsonDocument, ...] = tuple(piece for piece in pieces if not isinstance(piece, str))

    def pack(self, documents: tuple[JsonDocument, ...]) -> bytes:
        """The file with other documents in place of its lines."""
        left = iter(documents)
        return self.encoding.encode(
            "".join(piece if isinstance(piece, str) else next(left).text for piece in self.pieces)
        )


def with_change(loaded: Loaded, number: int, change: MessageChange) -> Loaded:
    """The chat with something about one message changed.

    Args:
        loaded: the chat.
        number: place of the message in the transcript.
        change: what shall be different.

    Raises:
        UsageError: there is no such message, or this kind of file has no place for the change.
    """
    message = _message(loaded, number)
    if isinstance(loaded.container, TextContainer):
        made = text_again(loaded, chat_text_edits.changed(loaded.container.text, number, change))
    elif loaded.format.name == "chat":
        place = _line_places(loaded)[number]
        document = loaded.documents[place]
        values = [each.value for each in loaded.documents if is_sillytavern_message(each.value)]
        value = changed_value(document.value, message, change, _of_speaker(loaded, values, change))
        made = loaded.edited(document.replaced(value), place)
    else:
        paths = message_paths(loaded.document.value)
        path = paths[number]
        values = [loaded.document.at(each) for each in paths] if change.name is not None else []
        value = changed_value(loaded.document.at(path), message, change, _of_speaker(loaded, values, change))
        made = loaded.edited(loaded.document.set(path, value))
    _require(made, number, change)
    return made


def with_messages(loaded: Loaded, before: int, messages: Sequence[Message]) -> Loaded:
    """The chat with new messages in front of a place.

    Args:
        loaded: the chat.
        before: place in the transcript; its length: at the end.
        messages: what they say; without a date they get that of a neighbour.

    Raises:
        UsageError: no such place, or this kind of file has no place for such a message.
    """
    count = len(_transcript(loaded))
    if not 0 <= before <= count:
        raise UsageError(f"The chat has no place {before + 1}.", expected=f"1 to {count + 1}")
    if isinstance(loaded.container, TextContainer):
        return text_again(loaded, chat_text_edits.with_messages(loaded.container.text, before, messages))
    if loaded.format.name == "chat":
        return _lines_with(loaded, before, messages)
    return _items_with(loaded, before, messages)


def without_messages(loaded: Loaded, numbers: Iterable[int]) -> Loaded:
    """The chat without some messages.

    Raises:
        UsageError: there is no such message, or nothing would be left of the file.
    """
    gone = sorted(set(numbers))
    for number in gone:
        _message(loaded, number)
    if isinstance(loaded.container, TextContainer):
        return text_again(loaded, chat_text_edits.without(loaded.container.text, gone))
    if loaded.format.name == "chat":
        places = _line_places(loaded)
        return _without_lines(loaded, {places[number] for number in gone})
    paths = message_paths(loaded.document.value)
    document = loaded.document
    for number in reversed(gone):
        document = document.remove(paths[number])
    return loaded.edited(document)


def new_chat(name: str, transcript: Transcript, *, created: str = "") -> Loaded:
    """A chat as SillyTavern stores it, made from nothing.

    Args:
        name: file name.
        transcript: messages, names and metadata.
        created: date as SillyTavern spells it; "" for none.
    """
    header: dict[str, Any] = {
        "user_name": transcript.user_name or "unused",
        "character_name": transcript.character_name or "unused",
        **({"create_date": created} if created else {}),
        "chat_metadata": dict(transcript.metadata),
    }
    values = [header, *(made_value(message, None, sent=created) for message in transcript.messages)]
    text = "\n".join(_written(value, None) for value in values)
    return detect.load(Encoding().encode(text), name)


def branched(loaded: Loaded, length: int, name: str) -> Loaded:
    """A SillyTavern chat with the first messages of another one, which its header names.

    Args:
        loaded: any chat; of a SillyTavern chat the lines are kept as they stand.
        length: number of messages that are kept.
        name: file name of the branch.

    Raises:
        UsageError: the chat has not so many messages.
    """
    transcript = _transcript(loaded)
    if not 0 <= length <= len(transcript):
        raise UsageError(f"The chat has {len(transcript)} messages, not {length}.")
    if loaded.format.name != "chat":
        kept = replace(transcript, messages=transcript.messages[:length])
        return new_chat(name, replace(kept, metadata={**kept.metadata, "main_chat": transcript.name}))
    places = _line_places(loaded)
    made = _without_lines(replace(loaded, name=name), set(places[length:]))
    if is_header(made.documents[0].value) and isinstance(made.documents[0].value.get("chat_metadata"), dict):
        return made.edited(made.documents[0].set(("chat_metadata", "main_chat"), transcript.name))
    return made


def _of_speaker(loaded: Loaded, values: Sequence[Mapping[str, Any]], change: MessageChange) -> Mapping[str, Any] | None:
    """A message as it stands in the file of whoever shall have said the changed one."""
    if change.name is None:
        return None
    pairs = zip(_transcript(loaded).messages, values, strict=True)
    return next(
        (
            value
            for message, value in pairs
            if message.name == change.name and change.is_user in {None, message.is_user}
        ),
        None,
    )


def _transcript(loaded: Loaded) -> Transcript:
    if loaded.transcript is None:
        raise UsageError(f"{loaded.name or 'The file'} is {loaded.format.title}; it holds no chat.")
    return loaded.transcript


def _message(loaded: Loaded, number: int) -> Message:
    transcript = _transcript(loaded)
    if not 0 <= number < len(transcript):
        raise UsageError(f"The chat has no message {number + 1}.", expected=f"1 to {len(transcript)}")
    return transcript.messages[number]


def _require(made: Loaded, number: int, change: MessageChange) -> None:
    """Make sure that the change is read back; some programs tell users from characters by their names."""
    message = _message(made, number)
    if change.is_user is not None and message.is_user != change.is_user:
        raise UsageError(
            "In this chat the name tells who the user is; the message would still count as the other's.",
            hint="Give the speaker another name, or branch the chat: a SillyTavern chat tells them apart.",
        )


def text_again(loaded: Loaded, text: str) -> Loaded:
    """The plain transcript with another text."""
    old = loaded.container
    assert isinstance(old, TextContainer)  # noqa: S101 - the callers have looked
    encoding = decode(old.data)[1]
    container = TextContainer(encoding.encode(text), text)
    reporter = Reporter()
    content = loaded.format.read(Source((), loaded.name, reporter, loaded.user, loaded.strict, text))
    return replace(loaded, container=container, content=content, report=LoadReport(tuple(reporter.findings)))


# JSON lines


def _line_places(loaded: Loaded) -> list[int]:
    """Per message the index of its document."""
    return [index for index, document in enumerate(loaded.documents) if is_sillytavern_message(document.value)]


def _pieces(loaded: Loaded) -> tuple[list[str | JsonDocument], list[int]]:
    """Lines and line ends of the file as it is now, and where each document stands among them."""
    container: Container = loaded.container
    if not isinstance(container, (LinesContainer, EditedLines)):
        return list(loaded.documents), list(range(len(loaded.documents)))
    left = iter(loaded.documents)
    pieces = [piece if isinstance(piece, str) else next(left) for piece in container.pieces]
    return pieces, [place for place, piece in enumerate(pieces) if not isinstance(piece, str)]


def _lines_again(loaded: Loaded, pieces: Sequence[str | JsonDocument]) -> Loaded:
    container = loaded.container
    encoding = getattr(container, "encoding", None) or decode(container.pack(loaded.documents))[1]
    made = EditedLines(tuple(pieces), encoding, container.findings)
    return replace(loaded, container=made).with_documents(made.documents)


def _line_end(pieces: Sequence[str | JsonDocument]) -> str:
    return next((piece for piece in pieces if isinstance(piece, str) and piece in _LINE_ENDS), "\n")


def _lines_with(loaded: Loaded, before: int, messages: Sequence[Message]) -> Loaded:
    pieces, places = _pieces(loaded)
    lines = _line_places(loaded)
    end = _line_end(pieces)
    values = [document.value for document in loaded.documents]
    made: list[str | JsonDocument] = []
    for message in messages:
        like = _like(_transcript(loaded).messages, before, message)
        model = loaded.documents[lines[like]] if like is not None else None
        value = made_value(message, model.value if model else None, sent=_neighbour_date(values, lines, before))
        made += [parse(_written(value, model)), end]
    index = lines[before - 1] if before else lines[0] - 1 if lines else len(places) - 1
    if index >= 0:
        place = places[index] + 1
        pieces[place:place] = [end, *made[:-1]]
    else:
        pieces[:0] = made
    return _lines_again(loaded, pieces)


def _neighbour_date(values: Sequence[Mapping[str, Any]], lines: Sequence[int], before: int) -> str:
    """The date of the message in front of a place, or else of the one behind it; "" if they have none."""
    near = [*lines[max(0, before - 1) : before], *lines[before : before + 1]]
    dates = (values[line].get("send_date") for line in near)
    return next((date for date in dates if isinstance(date, str) and date), "")


def _like(messages: Sequence[Message], before: int, message: Message) -> int | None:
    """The message nearest before a place, or else behind it, that the new one should be like: of the same speaker."""
    nearest = [*range(before - 1, -1, -1), *range(before, len(messages))]

    def rank(place: int) -> int:
        other = messages[place]
        is_same_side = other.is_user == message.is_user
        return 0 if is_same_side and other.name == message.name else 1 if is_same_side else 2

    return min(nearest, key=rank, default=None)


def _without_lines(loaded: Loaded, gone: set[int]) -> Loaded:
    """The chat without some of its documents, each with its line end. A chat is never left without any line."""
    pieces, places = _pieces(loaded)
    if len(gone) == len(loaded.documents):
        transcript = _transcript(loaded)
        return new_chat(loaded.name, replace(transcript, messages=()))
    dropped: set[int] = set()
    for index in sorted(gone):
        place = places[index]
        dropped.add(place)
        behind = place + 1 < len(pieces)
        dropped.add(place + 1 if behind else place - 1)
    kept = [piece for place, piece in enumerate(pieces) if place not in dropped]
    ended = bool(pieces) and isinstance(pieces[-1], str)
    if not ended and kept and kept[-1] in _LINE_ENDS:
        kept.pop()
    return _lines_again(loaded, kept)


def _written(value: Mapping[str, Any], model: JsonDocument | None) -> str:
    """A new line, spaced and escaped like another one of the file; without one as SillyTavern writes it."""
    if model is not None:
        return model.replaced(dict(value)).text
    text = json.dumps(value, ensure_ascii=False, separators=_COMPACT)
    return text if not _SURROGATE.search(text) else json.dumps(value, separators=_COMPACT)


# A JSON list


def _items_with(loaded: Loaded, before: int, messages: Sequence[Message]) -> Loaded:
    root = loaded.document.value
    paths = message_paths(root)
    parent = paths[0][:-1] if paths else (("messages",) if isinstance(root, dict) else ())
    values = [loaded.document.at(path) for path in paths]
    last = paths[-1][-1] if paths else -1
    place = paths[before][-1] if before < len(paths) else int(last) + 1
    document = loaded.document
    for offset, message in enumerate(messages):
        like = _like(_transcript(loaded).messages, before, message)
        value = made_value(message, values[like] if like is not None else None)
        document = document.insert((*parent, int(place) + offset), value)
    return loaded.edited(document)
