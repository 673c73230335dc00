"""Entries in words: place, keys, and each field with what it comes to. Whoever writes foreign text makes it safe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import json_excerpt
from lorebook_tui.model.fields import ENTRY_FIELDS, choice_labelled, field_named, type_matches
from lorebook_tui.model.js import MISSING, nullish, text_of

if TYPE_CHECKING:
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.field_types import Field
    from lorebook_tui.model.settings import ScanSettings

FROM_SETTINGS: Final = {
    "scanDepth": "world_info_depth",
    "caseSensitive": "world_info_case_sensitive",
    "matchWholeWords": "world_info_match_whole_words",
    "useGroupScoring": "world_info_use_group_scoring",
}
"""Fields that a setting decides while they are null or missing."""
_AT_DEPTH: Final = 4
_OUTLET: Final = 7
_EXCERPT = 60
_SYSTEM = 0


def position_text(entry: Entry) -> str:
    """Where its text goes, in a few words: `before char`, `depth 4`, `depth 2 user`, `outlet weather`, `nowhere`."""
    value = entry.get("position")
    label = _label("position", value)
    if label is None:
        return "nowhere"
    if value == _AT_DEPTH:
        depth, role = entry.get("depth"), entry.get("role")
        shown = text_of(_AT_DEPTH if nullish(depth) else depth)
        spoken = "" if nullish(role) or role == _SYSTEM else f" {_label('role', role) or text_of(role)}"
        return f"depth {shown}{spoken}"
    if value == _OUTLET:
        return f"outlet {text_of(entry.get('outletName', ''))}".rstrip()
    return label


def keys_text(entry: Entry) -> str:
    """Keys on one line, secondary ones behind their logic."""
    text = ", ".join(entry.keys)
    if entry.secondary_keys and entry.is_on("selective"):
        logic = _label("selectiveLogic", entry.get("selectiveLogic", 0)) or "?"
        text += f"  {logic} {', '.join(entry.secondary_keys)}"
    return text


def _label(name: str, value: Any) -> str | None:
    row = field_named(name)
    if row is None or isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return next((choice.label for choice in row.choices if choice.value == value), None)


def value_text(row: Field, entry: Entry, settings: ScanSettings) -> tuple[str, str]:
    """A field's value as it stands, and what the engine makes of it ("" if that says nothing more)."""
    value = entry.get(row.name)
    if row.name in FROM_SETTINGS and nullish(value):
        effective = getattr(settings, FROM_SETTINGS[row.name])
        told = f"{json_excerpt(effective)}, from the settings"
        return ("missing" if value is MISSING else "null"), told
    if value is MISSING:
        return "missing", row.absent
    shown = (
        ", ".join(value) if isinstance(value, list) and value and _all_text(value) else json_excerpt(value, _EXCERPT)
    )
    if isinstance(value, str):
        shown = value
    if row.choices and not isinstance(value, (list, bool)) and (choice := choice_labelled(row, text_of(value))):
        return shown, choice.label
    if not type_matches(row, value):
        return shown, "not one of its types; JavaScript reads it all the same"
    return shown, ""


def _all_text(value: list[Any]) -> bool:
    return all(isinstance(item, str) for item in value)


def unknown_fields(entry: Entry) -> dict[str, Any]:
    """Fields that are in no row of the table; they are kept as they are."""
    known = {row.name for row in ENTRY_FIELDS}
    return {name: value for name, value in entry.fields.items() if name not in known}
