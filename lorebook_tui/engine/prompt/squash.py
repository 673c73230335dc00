"""Squashing: neighbouring system messages of a chat completion become one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt.pieces import PromptMessage, Slot
from lorebook_tui.engine.prompt.traced import Traced

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.engine.prompt.costs import Cost

NEVER = frozenset({"newMainChat", "newChat", "groupNudge"})
"""Markers that are never joined nor joined to."""


def squashed(slots: Iterable[Slot], cost: Cost) -> list[Slot]:
    """The messages one by one, each a slot of its own; empty ones are left out."""
    found: list[PromptMessage] = []
    for message in (message for slot in slots for message in slot.messages):
        if message.role == "system" and not message.content:
            continue
        if found and _joins(message) and _joins(found[-1]):
            content = Traced.joined((found[-1].content, message.content), "\n")
            found[-1] = replace(found[-1], content=content, tokens=cost("system", content.text, None))
        else:
            found.append(message)
    return [Slot(message.identifier or "", (replace(message, slot=message.identifier or ""),)) for message in found]


def _joins(message: PromptMessage) -> bool:
    return message.role == "system" and not message.name and message.identifier not in NEVER
