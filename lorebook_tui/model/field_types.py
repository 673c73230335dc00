"""The shape of a row of THE table: what one entry field or one setting has to say about itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class FieldGroup(Enum):
    """The section of the entry form a field belongs to."""

    IDENTITY = "Identity"
    ACTIVATION = "Activation"
    FILTERS = "Filters"
    PLACEMENT = "Placement"
    RECURSION = "Recursion"
    TIMING = "Timing"
    GROUP = "Group"
    SOURCES = "Scan sources"
    OTHER = "Other products"


@dataclass(frozen=True, slots=True)
class Choice:
    """One allowed value of a field, with its name for people."""

    value: Any
    label: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One entry field or setting."""

    name: str
    """SillyTavern's name (for what SillyTavern does not have: the product's own)."""
    types: tuple[str, ...]
    """JSON types that are right: `string`, `number`, `integer`, `boolean`, `null`, `strings`, `object`, `objects`."""
    default: Any
    """What a new entry gets from the template (for settings: a fresh install); `MISSING`: not in the template."""
    absent: str
    """One sentence: what the engine does when the field is missing."""
    help: str
    """One sentence for the form."""
    group: FieldGroup = FieldGroup.OTHER
    label: str = ""
    """Name in the form."""
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    """messages, tokens, percent, entries, passes, level or ""."""
    choices: tuple[Choice, ...] = ()
    """The allowed values (of a list: its allowed items)."""
    json_names: Mapping[str, str] = field(default_factory=dict)
    """Path in another format, dotted, from the entry (of a setting: from the book): `{"v2": "extensions.scan_depth"}`.

    A leading `!` means the opposite: `{"v2": "!enabled"}`."""
    engines: tuple[str, ...] = ("sillytavern", "guide")
    """Dialects whose activation or prompt depends on it; empty: none, it serves people or the interface."""
    null: str = ""
    """One sentence, where null is a right value: what the engine does with it."""
    rule: str = ""
    """One sentence, where `help` is not exact: SillyTavern's rule to the letter."""
    since: str = ""
    """First SillyTavern version that has it, where known."""
