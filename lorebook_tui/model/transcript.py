"""A chat: messages, oldest first, with the metadata that lore depends on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    text: str
    """The message as it counts for the scan (the selected swipe)."""
    name: str | None = None
    """Who speaks; None: the persona's or the character's name."""
    is_user: bool = False
    is_hidden: bool = False
    """SillyTavern's `is_system`: it stays in the file, but no scan sees it."""
    swipes: tuple[str, ...] = ()
    swipe: int = 0
    """Index of the chosen swipe."""
    lists_swipes: bool = False
    """The file has a list of swipes, if an empty one."""
    swipe_id: Any = MISSING
    """The number of the chosen swipe as the file has it, which may be none of the list."""
    sent: str = ""
    """The date as the file spells it."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """SillyTavern's `extra` (attachments, reasoning) and whatever else the file knows."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """Messages, oldest first, and the chat's metadata."""

    messages: tuple[Message, ...] = ()
    name: str = "chat"
    """File name without extension; `{{pick}}` is seeded from it."""
    user_name: str = ""
    character_name: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """SillyTavern's `chat_metadata` (`world_info`, `timedWorldInfo`, `variables`, `note_prompt`, …)."""

    def __len__(self) -> int:
        return len(self.messages)
