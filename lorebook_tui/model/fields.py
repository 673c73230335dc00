"""THE table: one row per entry field and per setting. No second list of fields exists anywhere.

The rows are in `field_rows` and `setting_rows`, their shape in `field_types`; this module is the door to all of it.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.model.field_rows import ENTRY_FIELDS
from lorebook_tui.model.field_types import Choice, Field, FieldGroup
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.setting_rows import SETTING_FIELDS

if TYPE_CHECKING:
    from lorebook_tui.model.js import Json

__all__ = [
    "ENTRY_FIELDS",
    "SETTING_FIELDS",
    "Choice",
    "Field",
    "FieldGroup",
    "choice_labelled",
    "field_named",
    "json_name",
    "setting_named",
    "suggest",
    "template",
    "type_matches",
]

_ENTRY_BY_NAME: Final = {row.name: row for row in ENTRY_FIELDS}
_SETTING_BY_NAME: Final = {row.name: row for row in SETTING_FIELDS}
_CLOSE_ENOUGH = 0.6


def field_named(name: str) -> Field | None:
    """The row of an entry field by its exact name."""
    return _ENTRY_BY_NAME.get(name)


def setting_named(name: str) -> Field | None:
    """The row of a setting by its exact name, with or without `world_info_`."""
    return _SETTING_BY_NAME.get(name) or _SETTING_BY_NAME.get(f"world_info_{name}")


def template() -> dict[str, Any]:
    """A new entry's fields as SillyTavern's template fills them, freshly copied; `uid` is the caller's to add."""
    return {row.name: copy.deepcopy(row.default) for row in ENTRY_FIELDS if row.default is not MISSING}


def type_matches(field: Field, value: Json) -> bool:
    """Whether a stored JSON value has one of the row's types. `2.0` is an integer, as in JavaScript."""
    return any(_has_type(value, name) for name in field.types)


def _has_type(value: Json, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if isinstance(value, (int, float)):
        return name == "number" or (name == "integer" and (isinstance(value, int) or value.is_integer()))
    if isinstance(value, list):
        wanted = {"strings": str, "objects": dict}.get(name)
        return wanted is not None and all(isinstance(item, wanted) for item in value)
    if isinstance(value, str):
        return name == "string"
    return name == ("null" if value is None else "object" if isinstance(value, dict) else "")


def json_name(field: Field, format_name: str) -> str | None:
    """The dotted path of a field in another format (a leading `!`: its opposite); None if the format cannot hold it."""
    return field.json_names.get(format_name, field.name if format_name == "sillytavern" else None)


def choice_labelled(field: Field, text: str) -> Choice | None:
    """The choice a user means by a label or a value written out: `at depth`, `AT_DEPTH`, `4`."""
    wanted = _plain_word(text)
    return next((c for c in field.choices if text.strip() == str(c.value) or wanted == _plain_word(c.label)), None)


def _plain_word(text: str) -> str:
    """The text without case, blanks and punctuation."""
    return "".join(char for char in text.casefold() if char.isalnum())


def suggest(name: str) -> str | None:
    """The field or setting that was probably meant, by its own name or by what another format calls it."""
    import difflib  # noqa: PLC0415 - only needed after a mistake

    names = {row.name.casefold(): row.name for row in (*SETTING_FIELDS, *ENTRY_FIELDS)}
    for row in ENTRY_FIELDS:
        for path in row.json_names.values():
            names.setdefault(path.lstrip("!").rpartition(".")[2].casefold(), row.name)
    close = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=_CLOSE_ENOUGH)
    return names[close[0]] if close else None
