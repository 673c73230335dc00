"""Texts that the cast brings into a scan: the six extra sources and the notes of cards that are searched for keys.

SillyTavern 1.19: card fields are trimmed and their macros replaced; groups with joined cards (generation mode 1 or 2)
join description, personality and scenario of their members, one a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.engine.macros.card import JOIN_ALL, JOIN_WITHOUT_MUTED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.engine.macros.card import CardReader
    from lorebook_tui.model.cast import Cast

DEPTH_PROMPT = "DEPTH_PROMPT"
"""How the names of the cards' notes begin in the table of injected prompts."""
FIELDS = {
    "personaDescription": "persona",
    "characterDescription": "description",
    "characterPersonality": "personality",
    "characterDepthPrompt": "depth_prompt",
    "scenario": "scenario",
    "creatorNotes": "creator_notes",
}
"""Names of the extra sources and the fields of the card they are."""


def sources(reader: CardReader, overrides: Mapping[str, str]) -> dict[str, str]:
    """The six extra sources by name; overrides stand in for what card and persona give."""
    found = {name: reader.field(field) for name, field in FIELDS.items()}
    found.update({name: text for name, text in overrides.items() if name != "trigger"})
    return found


def depth_prompts(cast: Cast, reader: CardReader) -> list[tuple[str, str]]:
    """The notes of the cards as injected prompts, by name; joined cards have one for each member with a note."""
    group = cast.group
    if group is None or group.generation_mode not in {JOIN_WITHOUT_MUTED, JOIN_ALL}:
        note = reader.field("depth_prompt")
        return [(DEPTH_PROMPT, note)] if note else []
    texts = [
        reader.text(member.depth_prompt.prompt, member.name)
        for number, member in enumerate(group.members)
        if number not in group.disabled or number == group.speaker
    ]
    return [(f"{DEPTH_PROMPT}_{number}", text) for number, text in enumerate(text for text in texts if text)]
