"""The one door: tells by its content what a file is, reads it, and writes it back."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LimitError, UnreadableError
from lorebook_tui.formats import png
from lorebook_tui.formats.bare_book import BareBookFormat
from lorebook_tui.formats.base import DEFAULT_LIMITS, Limits, Loaded, LoadReport, Reporter, Source, seen
from lorebook_tui.formats.card import CardFormat
from lorebook_tui.formats.charx import is_zip, open_charx
from lorebook_tui.formats.chat_list import ChatListFormat
from lorebook_tui.formats.chat_log import ChatLogFormat
from lorebook_tui.formats.chat_text import ChatTextFormat, TextContainer
from lorebook_tui.formats.foreign import refuse_binary, refuse_foreign, refuse_markup, refuse_other
from lorebook_tui.formats.json_errors import JsonSyntaxError
from lorebook_tui.formats.json_text import parse
from lorebook_tui.formats.lines import LinesContainer
from lorebook_tui.formats.lorebook_v3 import LorebookV3Format
from lorebook_tui.formats.sillytavern import SillyTavernFormat
from lorebook_tui.formats.text import decode

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Container, Finding, Format
    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.model.js import Json

CARD: Final = CardFormat()
CHAT: Final = ChatLogFormat()
TRANSCRIPT: Final = ChatTextFormat()
FORMATS: Final[tuple[Format, ...]] = (
    LorebookV3Format(),
    CARD,
    ChatListFormat(),
    BareBookFormat(),
    SillyTavernFormat(),
)
"""Formats that are one JSON document, in the order in which they are tried."""
_LINE: Final = re.compile(r"[^\r\n]+")
_LINES_TRIED = 50


class JsonContainer:
    """A file that is one JSON document."""

    kind = "json"

    def __init__(self, document: JsonDocument) -> None:
        self.documents: tuple[JsonDocument, ...] = (document,)
        self.findings: tuple[Finding, ...] = ()

    def pack(self, documents: tuple[JsonDocument, ...]) -> bytes:
        """The document's bytes."""
        return documents[0].dump()


def load(
    data: bytes, name: str = "", limits: Limits = DEFAULT_LIMITS, *, user: str = "", strict: bool = False
) -> Loaded:
    """Read a file of lore or a chat. Its content decides what it is, never its name.

    Args:
        data: the whole file.
        name: its name; gives books and chats theirs.
        limits: ceilings.
        user: name of the user's persona, for transcripts that do not mark the user's messages.
        strict: of equal ids in a card's book keep only the last entry, as SillyTavern does.

    Raises:
        UnreadableError: nothing here can be read as lore; says what was seen (`JsonSyntaxError`: where it breaks).
        UnsupportedError: another product's format, by name.
        LimitError: a ceiling was reached.
    """
    if len(data) > limits.file_bytes:
        raise LimitError(
            f"The file has {len(data):,} bytes.",
            expected=f"at most {limits.file_bytes:,} bytes",
            found=f"{len(data):,} bytes",
        )
    container, form, text = _opened(data, limits)
    reporter = Reporter(container.documents[0] if container.documents else None)
    for document in container.documents:
        reporter.add_doubled(document)
    source = Source(container.documents, name, reporter, user, strict, text)
    content = replace(form.read(source), sound=tuple(source.sound))
    report = LoadReport((*container.findings, *reporter.findings))
    return Loaded(name, form, container, container.documents, content, report, user, strict)


def dump(loaded: Loaded) -> bytes:
    """The file's bytes: those it was read from if nothing was edited.

    Raises:
        UnsupportedError: an archive whose card cannot be replaced in place.
    """
    return loaded.container.pack(loaded.documents)


def _opened(data: bytes, limits: Limits) -> tuple[Container, Format, str]:
    """The container, the format of what is in it, and the text of a plain transcript."""
    if not data:
        raise _empty(data)
    if data.startswith(png.SIGNATURE):
        return _image(data, limits), CARD, ""
    if is_zip(data):
        return open_charx(data, limits), CARD, ""
    refuse_binary(data)
    text, encoding = decode(data)
    if not text.strip():
        raise _empty(data)
    refuse_markup(text)
    try:
        document = parse(data, limits)
    except JsonSyntaxError as error:
        if _is_chat_in_lines(text):
            return LinesContainer(data, text, encoding, limits), CHAT, ""
        if TRANSCRIPT.recognises(text):
            return TextContainer(data, text), TRANSCRIPT, text
        if text.lstrip()[:1] in {"{", "["}:
            raise
        raise _prose(text) from error
    form = CHAT if CHAT.recognises(document.value) else _format_of(document.value)
    return JsonContainer(document), form, ""


def _image(data: bytes, limits: Limits) -> Container:
    """An image with a card; without one, an archive that is hidden behind its end."""
    try:
        return png.open_png(data, limits)
    except LimitError:
        raise
    except UnreadableError as error:
        if not is_zip(data):
            raise
        try:
            return open_charx(data, limits)
        except UnreadableError:
            raise error from None


def _empty(data: bytes) -> UnreadableError:
    found = f"{len(data)} bytes of white space" if data else "no bytes"
    return UnreadableError("The file is empty.", expected="lore or a chat", found=found)


def _is_chat_in_lines(text: str) -> bool:
    """Whether one of the first lines is a header or message of a chat."""
    lines = (line.group() for line in _LINE.finditer(text))
    for line in islice((line for line in lines if line.strip()), _LINES_TRIED):
        if line.lstrip()[0] == "{":
            try:
                if CHAT.recognises(json.loads(line)):
                    return True
            except (ValueError, RecursionError):
                continue
    return False


def _prose(text: str) -> UnreadableError:
    return UnreadableError(
        "This is plain text, neither JSON nor a transcript.",
        expected="JSON, or a chat with lines such as `Name: text`",
        found=f'text that begins "{text.strip()[:40]}"',
        hint="A transcript begins with a speaker, and its speakers come again.",
    )


def _format_of(value: Json) -> Format:
    """The format of a JSON document.

    Raises:
        UnsupportedError: another product's.
        UnreadableError: none.
    """
    refuse_foreign(value)
    form = next((form for form in FORMATS if form.recognises(value)), None)
    if form is not None:
        return form
    refuse_other(value)
    if isinstance(value, dict) and "entries" in value:
        raise UnreadableError(
            "`entries` holds no entries.",
            where="entries",
            expected="an object or array of entries",
            found=seen(value["entries"]),
        )
    raise UnreadableError(
        "This JSON is no lorebook, card or chat: it has no `entries`.",
        expected="an object with `entries`, a card, or a list of messages",
        found=seen(value),
    )
