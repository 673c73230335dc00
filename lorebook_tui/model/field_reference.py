"""THE table as text: the reference that the README and `lorebook fields` show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from lorebook_tui.model.fields import json_name
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.model.field_types import Field

_TYPE_NAMES: Final = {"strings": "list of strings", "objects": "list of objects"}
_HEADINGS: Final = ("field", "type", "new entry", "what it does", "when it is missing", "in a card")


def type_text(field: Field) -> str:
    """The allowed types for people: `integer or null`."""
    return " or ".join(_TYPE_NAMES.get(name, name) for name in field.types)


def range_text(field: Field) -> str:
    """The range with its unit: `0 to 1000 messages`, `from 0`, or ""."""
    low, high = field.minimum, field.maximum
    if field.choices or (low is None and high is None):
        return ""
    bounds = f"from {low:g}" if high is None else f"up to {high:g}" if low is None else f"{low:g} to {high:g}"
    return f"{bounds} {field.unit}".rstrip()


def default_text(field: Field) -> str:
    """The default as JSON; "" if the template has none."""
    return "" if field.default is MISSING else json.dumps(field.default, ensure_ascii=False)


def choices_text(field: Field) -> str:
    """The choices on one line: `0 before char, 1 after char`; "" if any value goes."""
    labels = (
        str(choice.value) if str(choice.value) == choice.label else f"{choice.value} {choice.label}"
        for choice in field.choices
    )
    return ", ".join(labels)


def markdown_table(rows: Iterable[Field], *, with_card_names: bool = True) -> str:
    """The rows as a Markdown table, one line each, in their order."""
    width = len(_HEADINGS) if with_card_names else len(_HEADINGS) - 1
    lines = [_line(_HEADINGS[:width]), _line(("---",) * width)]
    lines += [_line(_cells(row)[:width]) for row in rows]
    return "\n".join(lines)


def _cells(field: Field) -> tuple[str, ...]:
    kind = ", ".join(part for part in (type_text(field), range_text(field)) if part)
    choices = choices_text(field)
    card = json_name(field, "v2")
    shown_card = "" if card is None else f"not `{card[1:]}`" if card.startswith("!") else f"`{card}`"
    default = default_text(field)
    return (
        f"`{field.name}`",
        kind,
        f"`{default}`" if default else "",
        f"{field.help} ({choices})" if choices else field.help,
        field.absent,
        shown_card,
    )


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
