"""Chats as one JSON document: lists of messages with `role` and `content`, of SillyTavern's, or of Agnai's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lorebook_tui.formats.base import Content, Severity, seen
from lorebook_tui.formats.messages import (
    agnai_message,
    is_header,
    is_sillytavern_message,
    names_of,
    role_message,
    sillytavern_message,
)
from lorebook_tui.model.transcript import Message, Transcript

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.formats.base import Source
    from lorebook_tui.model.js import Json, JsonPath


@dataclass(frozen=True, slots=True)
class ChatListFormat:
    """A list of messages, alone or as `messages` of an object."""

    name: str = "chat_list"
    title: str = "a chat as a JSON list"

    def recognises(self, value: Json) -> bool:
        """Whether some item of the list has the members of a message."""
        items = _items(value)[1]
        return isinstance(items, list) and any(
            is_sillytavern_message(item) or _has_role(item) or _is_agnai(item) for item in items
        )

    def read(self, source: Source) -> Content:
        """The messages; an item that is none is reported and left out."""
        root = source.document.value
        path, items = _items(root)
        header: Mapping[str, Any] = root if isinstance(root, dict) else {}
        messages: list[Message] = []
        for index, item in enumerate(items if isinstance(items, list) else []):
            if index == 0 and is_header(item):
                header = item
                continue
            message = _message(item, (*path, index), source)
            if message is not None:
                messages.append(message)
            else:
                source.reporter.add(
                    "no-message",
                    "An item of the list is no message; it is left out.",
                    (*path, index),
                    expected="an object with mes, role and content, or handle and msg",
                    found=seen(item),
                    severity=Severity.ERROR,
                )
        metadata = header.get("chat_metadata")
        user, character = names_of(header, messages)
        transcript = Transcript(
            tuple(messages),
            source.stem or "chat",
            user or source.user,
            character,
            metadata if isinstance(metadata, dict) else {},
        )
        return Content(transcript=transcript)


def message_paths(value: Json) -> list[JsonPath]:
    """Where the messages of such a chat stand, in the order of its transcript."""
    path, items = _items(value)
    return [
        (*path, index)
        for index, item in enumerate(items if isinstance(items, list) else [])
        if not (index == 0 and is_header(item)) and (is_sillytavern_message(item) or _has_role(item) or _is_agnai(item))
    ]


def _items(value: Json) -> tuple[JsonPath, Json]:
    """Where the list stands, and the list."""
    return (("messages",), value.get("messages")) if isinstance(value, dict) else ((), value)


def _has_role(item: Json) -> bool:
    """Whether it has a role in words; that of a SillyTavern entry is a number."""
    return isinstance(item, dict) and isinstance(item.get("role"), str) and "content" in item


def _is_agnai(item: Json) -> bool:
    return isinstance(item, dict) and {"handle", "msg"} <= item.keys()


def _message(item: Json, path: JsonPath, source: Source) -> Message | None:
    if is_sillytavern_message(item):
        return sillytavern_message(item, path, source.reporter)
    if _has_role(item):
        return role_message(item, path, source.reporter)
    return agnai_message(item, source.user) if _is_agnai(item) else None
