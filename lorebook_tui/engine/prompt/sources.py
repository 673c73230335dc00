"""Origins in the words of people: which source a text has, with a letter each, and what to call it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.prompt import table
from lorebook_tui.engine.prompt.pieces import DropReason
from lorebook_tui.engine.prompt.traced import OriginKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.engine.prompt.traced import Origin


class Source(Enum):
    """What the reader of a prompt tells apart: (letter, stable name, word)."""

    ENTRY = ("E", "entry", "lore")
    CARD = ("C", "card", "card")
    PERSONA = ("U", "persona", "persona")
    MESSAGE = ("M", "message", "chat")
    NOTE = ("N", "note", "author's note")
    PROMPT = ("P", "prompt", "prompts")
    EXTENSION = ("X", "extension", "extensions")
    MARKER = ("=", "marker", "markers, names, frames")

    def __init__(self, letter: str, code: str, word: str) -> None:
        self.letter = letter
        self.code = code
        self.word = word


_SOURCES: Final = {
    OriginKind.ENTRY: Source.ENTRY,
    OriginKind.CARD: Source.CARD,
    OriginKind.PERSONA: Source.PERSONA,
    OriginKind.MESSAGE: Source.MESSAGE,
    OriginKind.NOTE: Source.NOTE,
    OriginKind.PROMPT: Source.PROMPT,
    OriginKind.EXTENSION: Source.EXTENSION,
    OriginKind.TEMPLATE: Source.MARKER,
    OriginKind.NAME: Source.MARKER,
    OriginKind.JOINT: Source.MARKER,
}
_MARKERS: Final = {"newMainChat": "start of the chat", "newChat": "start of an example"}
FIELDS: Final = {
    "description": "description",
    "personality": "personality",
    "scenario": "scenario",
    "examples": "example messages",
    "system_prompt": "main prompt",
    "post_history": "post-history instructions",
    "depth_prompt": "character's note",
}
_PROMPTS: Final = {
    "main": "main prompt",
    "nsfw": "auxiliary prompt",
    "jailbreak": "post-history instructions",
    "enhanceDefinitions": "enhance definitions",
    "system_prompt": "system prompt",
    "post_history": "post-history instructions",
    "impersonate": "impersonation prompt",
    "quietPrompt": "quiet prompt",
    "continueNudge": "nudge to continue",
    "groupNudge": "nudge of the group",
    "bias": "start of the reply",
    "send_if_empty": "text for an empty message",
}
EXTENSIONS: Final = {
    "1_memory": "summary",
    table.NOTE: "author's note",
    "3_vectors": "vectors",
    "4_vectors_data_bank": "data bank",
    "chromadb": "smart context",
}
_TEMPLATES: Final = {"chat_start": "start of the chat", "user_alignment_message": "user's turn on top"}
SLOTS: Final = {
    "main": "main prompt",
    "worldInfoBefore": "lore before the character",
    "worldInfoAfter": "lore after the character",
    "personaDescription": "persona",
    "charDescription": "description",
    "charPersonality": "personality",
    "scenario": "scenario",
    "nsfw": "auxiliary prompt",
    "jailbreak": "post-history instructions",
    "enhanceDefinitions": "enhance definitions",
    "dialogueExamples": "example messages",
    "chatHistory": "chat",
    "continueNudge": "to be continued",
    "controlPrompts": "at the very end",
    "bias": "start of the reply",
}
"""Slots of a chat completion by identifier."""
_TEXT_PARTS: Final = {"examples": "example messages", table.CARD_NOTE: "character's note", table.PERSONA: "persona"}


def source_of(origin: Origin) -> Source:
    """Which source an origin belongs to."""
    if origin.kind is OriginKind.PROMPT and origin.name in _MARKERS:
        return Source.MARKER
    return _SOURCES[origin.kind]


def label_of(origin: Origin, title_of: Callable[[int], str]) -> str:
    """What to call an origin. Foreign text.

    Args:
        origin: where a text comes from.
        title_of: the title of an entry by load index.
    """
    match origin.kind:
        case OriginKind.ENTRY if origin.entry is not None:
            return title_of(origin.entry)
        case OriginKind.CARD:
            field = FIELDS.get(origin.name, origin.name)
            return f"{field} of {origin.owner}" if origin.owner else field
        case OriginKind.MESSAGE:
            number = f"message {(origin.message or 0) + 1}"
            return f"{number}, {origin.name}" if origin.name else number
        case OriginKind.PROMPT:
            return _MARKERS.get(origin.name) or _PROMPTS.get(origin.name, origin.name)
        case OriginKind.EXTENSION:
            return EXTENSIONS.get(origin.name, origin.name)
        case OriginKind.TEMPLATE:
            return _TEMPLATES.get(origin.name, "template")
        case OriginKind.NOTE:
            return "author's note"
        case OriginKind.NAME:
            return "name"
        case OriginKind.JOINT:
            return "line end"
        case _:
            return "persona"


def slot_name(identifier: str) -> str:
    """A slot of a chat completion by name; a prompt of the user's own is called what it is."""
    if identifier in SLOTS:
        return SLOTS[identifier]
    for ending in ("-", " "):
        base = identifier.partition(ending)[0]
        if base in {"chatHistory", "dialogueExamples"}:
            return SLOTS[base]
    return _MARKERS.get(identifier) or _PROMPTS.get(identifier) or identifier


def where_name(where: str, reason: DropReason) -> str:
    """The place under which a text was dropped, by name: a slot, a row of the table of prompts, or an outlet."""
    if reason is DropReason.NOT_ASKED_FOR or (reason is DropReason.SKIPPED and where != "depth"):
        return f"outlet {where}"
    if where.startswith(table.DEPTH_PREFIX) or where == "depth":
        return "at a depth"
    return EXTENSIONS.get(where) or _TEXT_PARTS.get(where) or slot_name(where)
