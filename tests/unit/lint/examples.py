"""Turns the examples of a rule into something it can look at: its tests and its explanation come from them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats import detect
from lorebook_tui.lint.subjects import FileView, Library, World
from lorebook_tui.model.cast import AuthorsNote, Cast, Character, Persona
from lorebook_tui.model.fields import template
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Message, Transcript

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.lint.rule import Example
    from lorebook_tui.model.book import Book

USER = "You"


def source_of(example: Example) -> bytes:
    """The example's file."""
    if example.source is not None:
        return example.source.encode() if isinstance(example.source, str) else example.source
    return world_text(example.entries).encode()


def world_text(entries: tuple[Mapping[str, Any], ...]) -> str:
    """A SillyTavern world of entries; what they do not say is as in a new entry, in the order of its template."""
    full = {}
    for number, given in enumerate(entries):
        fields = {"uid": number, **template(), "displayIndex": number, **given}
        full[str(fields["uid"])] = {name: value for name, value in fields.items() if value is not ...}
    return json.dumps({"entries": full}, indent=4, ensure_ascii=False)


def file_of(name: str, data: bytes) -> FileView:
    """A file as a rule sees it, readable or not."""
    try:
        return FileView(name, detect.load(data, name))
    except LorebookError as error:
        return FileView(name, None, error, data.decode("utf-8", "replace"))


def world_of(example: Example, source: bytes | None = None) -> World:
    """All that is open in an example.

    Args:
        example: of a rule.
        source: another content of its file (after a fix).
    """
    files = [file_of(example.name, source_of(example) if source is None else source)]
    files += [file_of(name, text.encode()) for name, text in example.more_files.items()]
    character = Character(**example.character) if example.character else None
    return World(
        files=tuple(files),
        books=tuple(book for file in files for book in file.books),
        settings=None if example.settings is None else ScanSettings().with_values(example.settings),
        context=example.context,
        prompt=example.prompt,
        cast=Cast(Persona(example.persona or USER), character) if character or example.persona else None,
        chats=() if example.chat is None else (_chat(example.chat),),
        library=Library(**example.library) if example.library is not None else None,
        note=AuthorsNote(**example.note) if example.note is not None else None,
        earlier=_earlier(example),
    )


def _earlier(example: Example) -> dict[str, tuple[Book, ...]] | None:
    """What the example's file held before."""
    if example.earlier is None:
        return None
    view = file_of(example.name, world_text(example.earlier).encode())
    return {example.name: tuple(book.book for book in view.books)}


def _chat(lines: tuple[str, ...]) -> Transcript:
    messages = []
    for line in lines:
        name, colon, text = line.partition(": ")
        messages.append(Message(text if colon else line, name if colon else USER, is_user=name == USER))
    return Transcript(tuple(messages), "example", USER)
