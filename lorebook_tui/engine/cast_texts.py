"""Texts that the cast brings into a scan: the six extra sources and the prompts that are searched for keys.

SillyTavern 1.19: card fields are trimmed and their macros replaced; groups with joined cards (generation mode 1 or 2)
join description, personality and scenario of their members, one a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.model.js import text_of, trim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.model.cast import Cast, Character, Group
    from lorebook_tui.model.scenario import Scenario

    Substitute = Callable[[str, Character | None], str]

JOIN_WITHOUT_MUTED, JOIN_ALL = 1, 2


def clean(text: str, substitute: Callable[[str], str]) -> str:
    """A card field as the program reads it."""
    return substitute(trim(text)).replace("\r", "")


def speaking_members(group: Group) -> Iterator[Character]:
    """Members whose cards are joined; muted ones only in mode 2 or while they speak."""
    for number, member in enumerate(group.members):
        if group.generation_mode == JOIN_ALL or number not in group.disabled or number == group.speaker:
            yield member


def _joins(cast: Cast) -> bool:
    return cast.group is not None and cast.group.generation_mode in {JOIN_WITHOUT_MUTED, JOIN_ALL}


def _joined(group: Group, field: str, label: str, override: str, substitute: Substitute) -> str:
    lines = []
    for member in speaking_members(group):
        text = trim(override or getattr(member, field))
        if not text:
            continue
        prefix, suffix = (part.replace("<FIELDNAME>", label) for part in (group.join_prefix, group.join_suffix))
        lines.append(substitute(f"{prefix}{text}{suffix}", member).replace("\r", ""))
    return "\n".join(lines)


def sources(scenario: Scenario, substitute: Substitute) -> dict[str, str]:
    """The six extra sources by name.

    Args:
        scenario: gives cast, chat metadata (its `scenario` overrides the card's) and overrides.
        substitute: replaces macros as the given card (None: the speaker) would.
    """
    cast = scenario.cast
    speaker = cast.speaker
    override = scenario.transcript.metadata.get("scenario")
    chat_scenario = text_of(override) if override else ""

    def plain(text: str) -> str:
        return clean(text, lambda value: substitute(value, None))

    found = {"personaDescription": plain(cast.persona.description)}
    if speaker is not None:
        found |= {
            "characterDescription": plain(speaker.description),
            "characterPersonality": plain(speaker.personality),
            "characterDepthPrompt": plain(speaker.depth_prompt.prompt),
            "scenario": plain(chat_scenario or speaker.scenario),
            "creatorNotes": plain(speaker.creator_notes),
        }
    if cast.group is not None and _joins(cast):
        found |= {
            "characterDescription": _joined(cast.group, "description", "Description", "", substitute),
            "characterPersonality": _joined(cast.group, "personality", "Personality", "", substitute),
            "scenario": _joined(cast.group, "scenario", "Scenario", chat_scenario, substitute),
        }
    found.update({name: text for name, text in scenario.scan_data.items() if name != "trigger"})
    return found


def depth_prompts(scenario: Scenario, substitute: Substitute) -> list[tuple[str, str]]:
    """The notes of the cards as injected prompts, by name."""
    cast = scenario.cast
    if cast.group is not None and _joins(cast):
        texts = [
            (number, clean(member.depth_prompt.prompt, lambda value, member=member: substitute(value, member)))  # type: ignore[misc]
            for number, member in enumerate(speaking_members(cast.group))
        ]
        return [(f"DEPTH_PROMPT_{number}", text) for number, text in texts if text]
    speaker = cast.speaker
    if speaker is None or not speaker.depth_prompt.prompt:
        return []
    return [("DEPTH_PROMPT", clean(speaker.depth_prompt.prompt, lambda value: substitute(value, None)))]
