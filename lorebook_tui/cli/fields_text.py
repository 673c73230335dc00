"""THE table on the screen: a line per field, or one field in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.display import plain, quote
from lorebook_tui.errors import UsageError
from lorebook_tui.model.field_reference import choices_text, default_text, range_text, type_text
from lorebook_tui.model.fields import ENTRY_FIELDS, SETTING_FIELDS, field_named, setting_named, suggest
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.model.field_types import Field, FieldGroup

_LABEL_CELLS = 14


def write_fields(names: tuple[str, ...], writer: Writer, *, settings: bool, as_json: bool) -> None:
    """The named rows in full, or all of them a line each.

    Raises:
        UsageError: a name that is neither; says which was probably meant.
    """
    rows = [_row(name, settings=settings) for name in names] or list(SETTING_FIELDS if settings else ENTRY_FIELDS)
    if as_json:
        writer.json([field_json(row) for row in rows])
    elif names:
        for number, row in enumerate(rows):
            if number:
                writer.line()
            _write_one(row, writer)
    else:
        _write_table(rows, writer)


def _row(name: str, *, settings: bool) -> Field:
    row = setting_named(name) if settings else field_named(name) or setting_named(name)
    if row is None:
        close = suggest(name)
        raise UsageError(
            f"There is no field or setting {quote(name)}.",
            found=name,
            hint=f"Did you mean {close}?" if close else "`lorebook fields` and `lorebook fields --settings` list them.",
        )
    return row


def field_json(row: Field) -> dict[str, Any]:
    """One row for tools."""
    return {
        "name": row.name,
        "label": row.label or None,
        "types": list(row.types),
        "default": None if row.default is MISSING else row.default,
        "in_template": row.default is not MISSING,
        "help": row.help,
        "rule": row.rule or None,
        "absent": row.absent,
        "null": row.null or None,
        "group": row.group.value,
        "minimum": row.minimum,
        "maximum": row.maximum,
        "unit": row.unit or None,
        "choices": [{"value": item.value, "label": item.label, "help": item.help or None} for item in row.choices],
        "json_names": dict(row.json_names),
        "engines": list(row.engines),
        "since": row.since or None,
    }


def _write_table(rows: Iterable[Field], writer: Writer) -> None:
    groups: dict[FieldGroup, list[Field]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    for group, members in groups.items():
        writer.heading(group.value)
        for row in members:
            kind = ", ".join(part for part in (type_text(row), range_text(row)) if part)
            default = default_text(row)
            note = f"{kind}, {default} by default" if default else kind
            writer.line(f"  {writer.styled(row.name, 'bold')}  {writer.styled(note, 'faint')}")
            choices = choices_text(row)
            writer.wrapped(f"{row.help} ({choices})" if choices else row.help, indent="      ")
        writer.line()
    writer.line(writer.styled("lorebook fields NAME shows one of them in full.", "faint"))


def _write_one(row: Field, writer: Writer) -> None:
    writer.heading(row.name, row.label)
    facts = (
        ("what it does", row.help),
        ("exact rule", row.rule),
        ("type", ", ".join(part for part in (type_text(row), range_text(row)) if part)),
        ("new entry", default_text(row)),
        ("missing", row.absent),
        ("null", row.null),
    )
    for label, text in facts:
        if text:
            writer.wrapped(f"{label:<{_LABEL_CELLS}}{plain(text, ' ')}", indent="  ", hang=" " * (_LABEL_CELLS + 2))
    for number, choice in enumerate(row.choices):
        label = "" if number else "values"
        told = f"{choice.value} {choice.label}" if str(choice.value) != choice.label else choice.label
        if choice.help:
            told += f": {choice.help}"
        writer.wrapped(f"{label:<{_LABEL_CELLS}}{told}", indent="  ", hang=" " * (_LABEL_CELLS + 4))
    tail = (
        ("honoured by", ", ".join(row.engines) or "nobody: it serves people or the interface"),
        ("since", f"SillyTavern {row.since}" if row.since else ""),
        (
            "elsewhere",
            ", ".join(
                f"{name}: {path.replace('!', 'not ', 1) if path.startswith('!') else path}"
                for name, path in row.json_names.items()
            ),
        ),
    )
    for label, text in tail:
        if text:
            writer.wrapped(f"{label:<{_LABEL_CELLS}}{text}", indent="  ", hang=" " * (_LABEL_CELLS + 2))


def row_schema(row: Field) -> dict[str, Any]:
    """One row as JSON Schema."""
    names = {"strings": "array", "objects": "array"}
    schema: dict[str, Any] = {
        "type": [names.get(name, name) for name in row.types],
        "description": row.help,
    }
    if len(schema["type"]) == 1:
        schema["type"] = schema["type"][0]
    item = "string" if "strings" in row.types else "object" if "objects" in row.types else None
    if item:
        schema["items"] = {"type": item}
        if row.choices:
            schema["items"]["enum"] = [choice.value for choice in row.choices]
    elif row.choices:
        values = [choice.value for choice in row.choices]
        schema["enum"] = [*values, None] if "null" in row.types else values
    if row.minimum is not None:
        schema["minimum"] = row.minimum
    if row.maximum is not None:
        schema["maximum"] = row.maximum
    if row.default is not MISSING:
        schema["default"] = row.default
    return schema
