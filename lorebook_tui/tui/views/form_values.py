"""Values of fields for people: how they read, what may be typed, what a step, a switch and a reset make of them.

Everything is said by the rows of THE table; this module only knows the kinds of rows there are.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import json_excerpt
from lorebook_tui.errors import UsageError
from lorebook_tui.model.fields import choice_labelled, field_named, setting_named, type_matches
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.model.field_types import Field
    from lorebook_tui.model.js import Json
    from lorebook_tui.model.settings import ScanSettings

INHERITED: Final = {
    "scanDepth": "world_info_depth",
    "caseSensitive": "world_info_case_sensitive",
    "matchWholeWords": "world_info_match_whole_words",
    "useGroupScoring": "world_info_use_group_scoring",
}
"""Fields whose null means a global setting."""
IDENTITIES: Final = ("uid",)
"""Fields an entry cannot be without, and that several entries cannot share."""
_LARGEST: Final = 2**53 - 1
_PERCENT_STEP: Final = 5
_YES: Final = {"true", "yes", "on", "y"}
_NO: Final = {"false", "no", "off", "n"}
_NOTHING: Final = {"", "null", "none", "-", "–"}
_EXCERPT: Final = 120


class FieldKind(Enum):
    """How a field is edited."""

    SWITCH = "yes or no"
    THREE_WAY = "yes, no, or as the settings say"
    CHOICE = "one of a few"
    NUMBER = "a number"
    TEXT = "a line of text"
    LIST = "a list of texts"
    FILTER = "characters and tags"
    JSON = "JSON"


def kind_of_field(row: Field) -> FieldKind:
    """How the field of a row is edited."""
    if "strings" in row.types:
        return FieldKind.LIST
    if row.name == "characterFilter":
        return FieldKind.FILTER
    if "object" in row.types or "objects" in row.types:
        return FieldKind.JSON
    if row.choices:
        return FieldKind.CHOICE
    if "integer" in row.types or "number" in row.types:
        return FieldKind.NUMBER
    if "boolean" in row.types:
        return FieldKind.THREE_WAY if "null" in row.types else FieldKind.SWITCH
    return FieldKind.TEXT


@dataclass(frozen=True, slots=True)
class Shown:
    """A value as the form shows it."""

    text: str
    """May be foreign."""
    note: str = ""
    """Where it comes from, or what is wrong with it."""
    is_usual: bool = False
    """It is what a new entry has, or nothing at all."""
    is_wrong: bool = False
    """It is of the wrong type or outside its range."""


def shown(row: Field, value: Json, settings: ScanSettings) -> Shown:
    """A stored value, or what counts in its place; null and a missing field say where that comes from."""
    if row.name in INHERITED and (value is None or value is MISSING):
        name = INHERITED[row.name]
        text = plain_value(setting_named(name) or row, getattr(settings, name))
        return Shown(text, "from the settings", is_usual=True)
    if value is MISSING:
        return Shown("–", f"not in the file: {row.absent}", is_usual=True)
    text = plain_value(row, value)
    reason = what_is_wrong(row, value)
    if reason:
        return Shown(text, reason, is_wrong=True)
    is_empty = text == "–" or (not value and not row.default)
    return Shown(text, is_usual=is_empty or value == row.default)


def what_is_wrong(row: Field, value: Json) -> str:
    """Why a stored value is not right, in a few words; "" if it is."""
    if not type_matches(row, value):
        return f"should be {type_words(row)}"
    if row.choices and not isinstance(value, (list, dict)) and value is not None:
        return "" if any(same_json(choice.value, value) for choice in row.choices) else "no such choice"
    if isinstance(value, (int, float)) and not isinstance(value, bool) and not _is_inside(row, value):
        return f"outside {range_words(row)}"
    return ""


def plain_value(row: Field, value: Json) -> str:
    """A value by its choice, as yes or no, with its unit; a dash for nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    for choice in row.choices:
        if not isinstance(value, (list, dict)) and same_json(choice.value, value):
            return choice.label
    if value is None or (isinstance(value, (str, list, dict)) and not value):
        return "–"
    if row.name == "characterFilter" and isinstance(value, dict):
        return filter_text(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        return json.dumps(value) + _unit_text(row, value)
    return json_excerpt(value, _EXCERPT)


def _unit_text(row: Field, value: float) -> str:
    if row.unit == "percent":
        return " %"
    if row.unit == "messages":
        return " message" if value == 1 else " messages"
    return ""


def filter_text(value: dict[str, Any]) -> str:
    """Whom a character filter lets in, or shuts out."""
    listed = [*filter_items(value, "names"), *filter_items(value, "tags")]
    if not listed:
        return "–"
    return ("all but " if value.get("isExclude") else "only ") + ", ".join(listed)


def filter_items(value: Json, name: str) -> list[str]:
    """The texts in one list of a character filter."""
    listed = value.get(name) if isinstance(value, dict) else None
    return [item for item in listed if isinstance(item, str)] if isinstance(listed, list) else []


def same_json(left: Json, right: Json) -> bool:
    """Whether two JSON values are the same, `true` and `1` or `1` and `1.0` apart."""
    if left is MISSING or right is MISSING:
        return left is right
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same_json(item, right[name]) for name, item in left.items())
    if isinstance(left, list):
        return len(left) == len(right) and all(same_json(a, b) for a, b in zip(left, right, strict=True))
    return bool(left == right)


def type_words(row: Field) -> str:
    """The types of a row for people: `a whole number or null`."""
    names = {
        "integer": "a whole number", "number": "a number", "boolean": "yes or no", "string": "a text",
        "strings": "a list of texts", "object": "an object", "objects": "a list of objects", "null": "null",
    }  # fmt: skip
    return " or ".join(names[name] for name in row.types)


def range_words(row: Field) -> str:
    """The range of a row for people; "" if it has none."""
    low, high = (number_text(bound) if bound is not None else "" for bound in (row.minimum, row.maximum))
    if low and high:
        return f"{low} to {high}"
    return f"{low} or more" if low else f"up to {high}" if high else ""


def number_text(value: float) -> str:
    """A number without a needless fraction."""
    return str(int(value)) if float(value).is_integer() else str(value)


def allowed_words(row: Field) -> str:
    """What may be typed, for the line under the form."""
    kind = kind_of_field(row)
    if kind is FieldKind.CHOICE:
        return ", ".join(choice.label for choice in row.choices)
    if kind is FieldKind.NUMBER:
        words = " ".join(part for part in (range_words(row), row.unit) if part)
        return words + (", empty for null" if "null" in row.types else "")
    return ""


def editable_text(row: Field, value: Json) -> str:
    """A value as it stands in the line that edits it."""
    if value is MISSING or value is None:
        return ""
    if isinstance(value, str):
        return value
    for choice in row.choices:
        if not isinstance(value, (list, dict)) and same_json(choice.value, value):
            return choice.label
    return json.dumps(value, ensure_ascii=False)


def parse(row: Field, text: str) -> Json:
    """What somebody typed, as the value to store.

    Raises:
        UsageError: it is no value of this field; says why and what would be one.
    """
    kind = kind_of_field(row)
    if kind is FieldKind.TEXT:
        return text
    if kind is FieldKind.JSON:
        return _parsed_json(row, text)
    word = text.strip().casefold()
    if word in _NOTHING and "null" in row.types:
        return None
    if "boolean" in row.types and word in _YES | _NO:
        return word in _YES
    if kind is FieldKind.CHOICE:
        choice = choice_labelled(row, text)
        if choice is None:
            raise UsageError(f"{name_of(row)} has no such choice.", hint=f"One of: {allowed_words(row)}.")
        return choice.value
    return _parsed_number(row, text) if kind is FieldKind.NUMBER else _no_switch(row)


def _no_switch(row: Field) -> Json:
    raise UsageError(f"{name_of(row)} is yes or no.")


def _parsed_number(row: Field, text: str) -> Json:
    digits = text.strip().removesuffix("%").strip().replace("\u2212", "-")
    if not digits:
        raise UsageError(f"{name_of(row)} needs a number.", hint=range_words(row))
    value = _number(digits)
    if value is None or abs(value) > _LARGEST:
        raise UsageError(f"{name_of(row)} needs a number, not “{text.strip()}”.", hint=range_words(row))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if "number" not in row.types and isinstance(value, float):
        raise UsageError(f"{name_of(row)} needs a whole number, not {value}.", hint=range_words(row))
    if not _is_inside(row, value):
        raise UsageError(f"{name_of(row)} must be {range_words(row)}; {number_text(value)} is not.")
    return value


def _number(digits: str) -> int | float | None:
    """The number that the text spells; None if it spells none."""
    if "_" in digits:
        return None
    for kind in (int, float):
        try:
            value = kind(digits)
        except ValueError:
            continue
        return value if isinstance(value, int) or math.isfinite(value) else None
    return None


def _is_inside(row: Field, value: float) -> bool:
    return (row.minimum is None or value >= row.minimum) and (row.maximum is None or value <= row.maximum)


def _parsed_json(row: Field, text: str) -> Json:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{name_of(row)} is no JSON: {error}.") from error
    if not type_matches(row, value):
        raise UsageError(f"{name_of(row)} must be {type_words(row)}.")
    return value


def stepped(row: Field, value: Json, settings: ScanSettings, step: int) -> Json:
    """The next value in a direction: a number up or down inside its range, the next choice, the other switch.

    Args:
        row: of a number, a choice or a switch.
        value: as stored; null and `MISSING` step from the value in force.
        settings: give the value in force.
        step: 1 or -1.
    """
    kind = kind_of_field(row)
    if kind is FieldKind.NUMBER:
        return _stepped_number(row, value, settings, step)
    order = switch_values(row)
    places = [place for place, item in enumerate(order) if same_json(item, value)]
    if not places:
        effective = row.default if value is MISSING and row.default is not MISSING else order[0]
        places = [place for place, item in enumerate(order) if same_json(item, effective)] or [-1]
    return order[(places[0] + step) % len(order)]


def switch_values(row: Field) -> Sequence[Json]:
    """The values that a switch or choice goes through."""
    kind = kind_of_field(row)
    if kind is FieldKind.THREE_WAY:
        return (None, True, False)
    if kind is FieldKind.SWITCH:
        return (False, True)
    return [choice.value for choice in row.choices]


def _stepped_number(row: Field, value: Json, settings: ScanSettings, step: int) -> Json:
    base = value
    if base is None or base is MISSING:
        base = getattr(settings, INHERITED[row.name]) if row.name in INHERITED else row.default
    if isinstance(base, bool):
        base = int(base)
    if not isinstance(base, (int, float)):
        base = row.minimum or 0
    made = base + step * (_PERCENT_STEP if row.unit == "percent" else 1)
    if row.minimum is not None:
        made = max(made, row.minimum)
    if row.maximum is not None:
        made = min(made, row.maximum)
    return int(made) if float(made).is_integer() else made


def reset_value(row: Field, value: Json) -> Json:
    """What a field is reset to: null where that is the usual value, else what a new entry has, else nothing at all.

    Raises:
        UsageError: the entry cannot be without it.
    """
    if row.name in IDENTITIES:
        raise UsageError(f"{name_of(row)} is the entry's identity and stays.")
    if row.default is MISSING:
        return MISSING
    if same_json(value, row.default):
        return MISSING
    return row.default


def name_of(row: Field) -> str:
    """What the form calls a field."""
    return row.label or row.name


def change_words(name: str, value: Json) -> str:
    """A change of a field for people: `order 90`, `sticky removed`."""
    row = field_named(name)
    if row is None:
        return f"{name} {json_excerpt(value, _EXCERPT)}" if value is not MISSING else f"{name} removed"
    return f"{name_of(row).lower()} {'removed' if value is MISSING else plain_value(row, value)}"
