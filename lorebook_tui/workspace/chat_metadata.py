"""What a SillyTavern chat says about itself: its author's note and its variables. Wrong types are taken as absent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.model.cast import AuthorsNote
from lorebook_tui.model.js import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_NUMBERS = {"note_interval": "interval", "note_position": "position", "note_depth": "depth", "note_role": "role"}


def note_of(metadata: Mapping[str, Any]) -> AuthorsNote:
    """The chat's note; SillyTavern 1.19's defaults where the metadata says nothing (every turn, in chat, depth 4)."""
    found: dict[str, Any] = {}
    for name, field in _NUMBERS.items():
        number = _whole(metadata.get(name))
        if number is not None:
            found[field] = number
    prompt = metadata.get("note_prompt")
    return AuthorsNote(prompt=prompt if isinstance(prompt, str) else "", **found)


def variables_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The chat's variables by name."""
    stored = metadata.get("variables")
    return dict(stored) if isinstance(stored, dict) else {}


def linked_world(metadata: Mapping[str, Any]) -> str:
    """The name of the book that the chat is bound to, "" if there is none."""
    world = metadata.get("world_info")
    return text_of(world) if isinstance(world, (str, int)) and not isinstance(world, bool) and world else ""


def _whole(value: Any) -> int | None:
    """A whole number, also one written as text, as SillyTavern's sliders store it."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        value = value.strip()
        return int(value) if value.lstrip("-").isdecimal() and value.isascii() else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None
