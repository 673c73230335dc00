"""Changes of many entries as lines, to be read before they are made."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import json_excerpt
from lorebook_tui.model.fields import field_named
from lorebook_tui.model.js import MISSING
from lorebook_tui.tui.ink import Paragraph, Row, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.tui.ink import Block
    from lorebook_tui.workspace.bulk_changes import FileChange
    from lorebook_tui.workspace.replacing import TextHit

_MOST: Final = 20_000
"""Lines: more than anybody reads, few enough to be laid out at once."""
_EXCERPT: Final = 60


def change_blocks(files: Sequence[FileChange]) -> list[Block]:
    """Every field that changes, entry by entry, and how many lines of each file that is."""
    rows: list[Block] = []
    for file in files:
        lines = "1 line" if file.lines == 1 else f"{file.lines:,} lines"
        rows.append(Row((Span(file.source.name, "title"),), (Span(lines, "muted"),)))
        for change in file.entries:
            for field in change.fields:
                row = field_named(field.name)
                label = (row.label if row else "") or field.name
                rows.append(
                    Row(
                        (
                            Span(f"  {change.title}  ", "strong"),
                            Span(f"{label}: ", "label"),
                            Span(_short(field.before), "muted"),
                            Span(" → ", "faint"),
                            Span(_short(field.after), "in"),
                        )
                    )
                )
    return _first(rows)


def hit_blocks(hits: Sequence[TextHit], titles: Sequence[str]) -> list[Block]:
    """Every place that is replaced, with a little of the text around it."""
    rows: list[Block] = [
        Row(
            (
                Span(f"{title}  ", "strong"),
                Span(hit.before.replace("\n", " "), "muted"),
                Span(hit.found, "cut"),
                Span(" → ", "faint"),
                Span(hit.put or "nothing", "in"),
                Span(hit.after.replace("\n", " "), "muted"),
            )
        )
        for hit, title in zip(hits, titles, strict=True)
    ]
    return _first(rows)


def _first(rows: list[Block]) -> list[Block]:
    if len(rows) <= _MOST:
        return rows
    return [*rows[:_MOST], Paragraph((Span(f"and {len(rows) - _MOST:,} more lines", "muted"),))]


def _short(value: Any) -> str:
    if value is MISSING:
        return "nothing"
    is_plain = value is None or isinstance(value, (int, float, bool))
    return json.dumps(value) if is_plain else json_excerpt(value, _EXCERPT)
