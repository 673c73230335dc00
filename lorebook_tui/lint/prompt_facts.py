"""What the options of a prompt say about the places of lore: which are there, which are switched off."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from lorebook_tui.engine.prompt.settings import FRESH_ORDER
from lorebook_tui.engine.prompt.story_template import FRESH_STORY
from lorebook_tui.engine.prompt.story_templates import STORY_TEMPLATES
from lorebook_tui.lint.slots import AFTER, BEFORE

_OFF: Final = "-"
_TEXT: Final = "text"
EXAMPLES: Final = "dialogueExamples"
MARKERS: Final = {BEFORE: "worldInfoBefore", AFTER: "worldInfoAfter"}
"""Slots of the prompt manager by position."""
_FIELDS: Final = {BEFORE: ("wiBefore", "loreBefore"), AFTER: ("wiAfter", "loreAfter")}
"""What a context template calls them."""


class Marker(Enum):
    """What became of a slot of the prompt manager."""

    ON = "on"
    OFF = "off"
    MISSING = "missing"


def is_text_completion(options: Mapping[str, Any]) -> bool:
    """Whether the prompt is one string."""
    return options.get("api") == _TEXT


def marker(options: Mapping[str, Any], identifier: str) -> Marker:
    """A slot of the prompt manager."""
    given = options.get("order")
    if isinstance(given, (list, tuple)):
        rows = {str(row).removeprefix(_OFF): not str(row).startswith(_OFF) for row in given}
    else:
        rows = {row.identifier: row.enabled for row in FRESH_ORDER}
    if identifier not in rows:
        return Marker.MISSING
    return Marker.ON if rows[identifier] else Marker.OFF


def story_shows(options: Mapping[str, Any], position: int) -> bool:
    """Whether the context template of a text completion has a place for lore of a position."""
    story = _story(options.get("context_template"))
    return any(name in story for name in _FIELDS[position])


def _story(given: Any) -> str:
    if isinstance(given, str):
        return STORY_TEMPLATES.get(given, FRESH_STORY).story_string
    if not isinstance(given, Mapping):
        return FRESH_STORY.story_string
    text = given.get("story_string")
    return text if isinstance(text, str) else _story(given.get("template"))


def hides_lore(options: Mapping[str, Any]) -> bool:
    """Whether `wi_format` has no place for the text, so that its own words take the place of the lore."""
    given = options.get("wi_format")
    return isinstance(given, str) and bool(given.strip()) and "{0}" not in given
