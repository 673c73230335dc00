"""SillyTavern's chats: JSON lines, the first of which usually describes the chat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lorebook_tui.formats.base import Content, Severity, seen
from lorebook_tui.formats.messages import is_header, is_sillytavern_message, names_of, sillytavern_message
from lorebook_tui.model.transcript import Message, Transcript

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.formats.base import Source
    from lorebook_tui.model.js import Json


@dataclass(frozen=True, slots=True)
class ChatLogFormat:
    """Chats as SillyTavern stores them, with or without a header, of one character or a group."""

    name: str = "chat"
    title: str = "a SillyTavern chat"

    def recognises(self, value: Json) -> bool:
        """Whether one line looks like a header or a message."""
        return is_header(value) or is_sillytavern_message(value)

    def read(self, source: Source) -> Content:
        """The messages; a line that is none is reported and left out."""
        header: Mapping[str, Any] = {}
        messages: list[Message] = []
        for index, document in enumerate(source.documents):
            source.reporter.document = document
            value = document.value
            if is_sillytavern_message(value):
                messages.append(sillytavern_message(value, (), source.reporter))
            elif is_header(value) and index == 0:
                header = value
            else:
                source.reporter.add(
                    "no-message",
                    "A line of the chat is no message; it is left out.",
                    expected="an object with `mes`",
                    found=seen(value),
                    severity=Severity.ERROR,
                )
        source.reporter.document = source.documents[0] if source.documents else None
        if not header:
            source.reporter.add(
                "no-header",
                "The chat has no header, as old chats and those of groups have none.",
                severity=Severity.INFO,
            )
        metadata = header.get("chat_metadata", {})
        if not isinstance(metadata, dict):
            source.reporter.add(
                "type", "`chat_metadata` is no object.", ("chat_metadata",), expected="an object", found=seen(metadata)
            )
            metadata = {}
        user, character = names_of(header, messages)
        return Content(transcript=Transcript(tuple(messages), source.stem or "chat", user, character, metadata))
