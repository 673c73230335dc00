"""Whether the values of an entry are what THE table of fields says; what they are not is reported, never corrected."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.formats.base import Severity, seen
from lorebook_tui.model.fields import ENTRY_FIELDS, json_name, type_matches
from lorebook_tui.model.js import MISSING, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.formats.base import Reporter
    from lorebook_tui.model.fields import Field
    from lorebook_tui.model.js import Json, JsonPath

_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
    "strings": (list,),
    "object": (dict,),
    "objects": (),
}
_TYPE_NAMES: Final[Mapping[str, str]] = {
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
    "strings": "an array of texts",
    "object": "an object",
    "objects": "an array of objects",
}
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])([A-Z])")


@dataclass(frozen=True, slots=True)
class _Row:
    """A field, made ready for fast checks."""

    field: Field
    kinds: frozenset[type]
    """Types that are right without a closer look (arrays need one)."""
    choices: frozenset[Any]
    ranged: bool


def _row(field: Field) -> _Row:
    kinds = frozenset(kind for name in field.types for kind in _KINDS[name])
    choices = frozenset(choice.value for choice in field.choices)
    ranged = bool(choices) or field.minimum is not None or field.maximum is not None
    return _Row(field, kinds, choices, ranged)


def _rows(pairs: Iterable[tuple[str, Field]]) -> Mapping[str, _Row]:
    return {name: _row(field) for name, field in pairs}


def _v2_rows(prefix: str) -> Mapping[str, _Row]:
    """The rows whose place in a card's book is directly under `prefix`, by their last name."""
    places = ((str(json_name(field, "v2") or "").removeprefix("!"), field) for field in ENTRY_FIELDS)
    return _rows(
        (place[len(prefix) :], field)
        for place, field in places
        if place.startswith(prefix) and place and "." not in place[len(prefix) :]
    )


SILLYTAVERN_ROWS: Final = _rows((field.name, field) for field in ENTRY_FIELDS)
V2_ROWS: Final = _v2_rows("")
V2_EXTENSION_ROWS: Final = _v2_rows("extensions.")


def expected_of(field: Field) -> str:
    """What a field's value should be, in words."""
    names = [_TYPE_NAMES[name] for name in field.types]
    return " or ".join(names)


def check_values(
    values: Mapping[str, Json],
    rows: Mapping[str, _Row],
    path: JsonPath,
    reporter: Reporter,
    *,
    null: Severity = Severity.WARNING,
) -> None:
    """Report values of a wrong type or out of their range.

    Args:
        values: an entry, or a part of it.
        rows: what its members should be.
        path: where it stands.
        reporter: receives the findings.
        null: how much a null matters where none should be.
    """
    for name, value in values.items():
        row = rows.get(name)
        if row is None:
            continue
        kind = type(value)
        if kind is list or kind not in row.kinds:
            if not type_matches(row.field, value):
                severity = null if value is None else Severity.WARNING
                _report_type(row.field, name, value, path, reporter=reporter, severity=severity)
            elif row.choices and kind is list and not row.choices.issuperset(value):
                _report_range(row, name, value, path, reporter)
        elif row.ranged and kind is not bool and value is not None and not _in_range(row, value):
            _report_range(row, name, value, path, reporter)


def _in_range(row: _Row, value: Json) -> bool:
    if row.choices:
        return value in row.choices
    low, high = row.field.minimum, row.field.maximum
    return (low is None or value >= low) and (high is None or value <= high)


def _report_type(
    field: Field, name: str, value: Json, path: JsonPath, *, reporter: Reporter, severity: Severity
) -> None:
    reporter.add(
        "type",
        f"`{name}` has a value of the wrong type; it is kept and read as it stands.",
        (*path, name),
        expected=expected_of(field),
        found=seen(value),
        severity=severity,
    )


def _report_range(row: _Row, name: str, value: Json, path: JsonPath, reporter: Reporter) -> None:
    field = row.field
    if row.choices:
        expected = "one of " + ", ".join(text_of(choice.value) for choice in field.choices)
    else:
        low = "" if field.minimum is None else f"at least {text_of(field.minimum)}"
        high = "" if field.maximum is None else f"at most {text_of(field.maximum)}"
        expected = " and ".join(part for part in (low, high) if part)
    reporter.add(
        "range",
        f"`{name}` is outside of what SillyTavern offers.",
        (*path, name),
        expected=expected,
        found=seen(value),
        severity=Severity.WARNING if row.choices else Severity.INFO,
    )


def report_missing(
    field: Field, name: str, path: JsonPath, reporter: Reporter, *, severity: Severity = Severity.WARNING
) -> None:
    """Report that a member an entry needs is not there."""
    reporter.add(
        "missing",
        f"The entry has no `{name}`. {field.absent}",
        (*path, name),
        expected=expected_of(field),
        found=seen(MISSING),
        severity=severity,
    )


@lru_cache(maxsize=4096)
def _snake(name: str) -> str:
    """`secondaryKeys` as `secondary_keys`."""
    return _CAPITAL.sub(r"_\1", name).lower()


def report_twins(values: Mapping[str, Json], path: JsonPath, reporter: Reporter) -> None:
    """Report members that stand beside their own name in snake case."""
    for name in values:
        other = _snake(name)
        if other != name and other in values:
            reporter.add(
                "twin",
                f"`{name}` stands beside `{other}`; SillyTavern reads the second.",
                (*path, name),
                expected=f"only `{other}`",
                found=seen(values[name]),
                severity=Severity.INFO if values[name] == values[other] else Severity.WARNING,
            )
