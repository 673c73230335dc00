"""One entry with all its fields: as they stand, and what the engine makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.cli.entry_text import FROM_SETTINGS, unknown_fields, value_text
from lorebook_tui.display import cell_width, json_excerpt, plain
from lorebook_tui.engine.wording import tokens_text
from lorebook_tui.glyphs import kind_of
from lorebook_tui.model.field_types import FieldGroup
from lorebook_tui.model.fields import ENTRY_FIELDS
from lorebook_tui.model.js import MISSING, nullish
from lorebook_tui.workspace.lookup import find_one

if TYPE_CHECKING:
    from lorebook_tui.cli.output import Writer
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.field_types import Field
    from lorebook_tui.workspace.lookup import Found
    from lorebook_tui.workspace.workspace import Workspace

_NAME_CELLS = 28


def write_entry(workspace: Workspace, text: str, writer: Writer, *, as_json: bool) -> None:
    """The entry that is meant.

    Raises:
        UsageError: nothing or several entries match.
    """
    found = find_one(workspace, text)
    if as_json:
        writer.json(entry_json(workspace, found))
        return
    entry = found.entry
    kind = kind_of(entry)
    tokens = workspace.counter().count(entry.content)
    writer.heading(plain(entry.title, " "))
    line = entry_line(found)
    where = f"line {line} of " if line else ""
    writer.wrapped(
        plain(
            f"{found.reference}, {found.opened.layer.value}, {where}{found.opened.source.name}, "
            f"{writer.glyphs.kind(kind)} {kind.word}, {tokens_text(tokens)} ({workspace.tokenizer})",
            " ",
        ),
        style="faint",
    )
    for group in FieldGroup:
        rows = [row for row in ENTRY_FIELDS if row.group is group and row.name != "content" and _is_shown(row, entry)]
        if rows:
            writer.line()
            writer.heading(group.value)
            for row in rows:
                _write_field(row, entry, workspace, writer)
    unknown = unknown_fields(entry)
    if unknown:
        writer.line()
        writer.heading("Unknown fields", "kept as they are")
        for name, value in unknown.items():
            writer.line(f"  {plain(name, ' ')}  {json_excerpt(value, writer.width - 4 - cell_width(plain(name, ' ')))}")
    writer.line()
    writer.heading("Content")
    for text_line in plain(entry.content, "\n").split("\n"):
        writer.wrapped(text_line, indent="  ")


def entry_line(found: Found) -> int | None:
    """Its line in the file (in a card: in the card's JSON); None if it has none."""
    documents = found.opened.source.loaded.documents
    return documents[0].line(found.entry.path) if documents and found.entry.path else None


def _is_shown(row: Field, entry: Entry) -> bool:
    """Fields of other products only where they are there; of SillyTavern's all."""
    return entry.get(row.name) is not MISSING or row.group is not FieldGroup.OTHER


def _write_field(row: Field, entry: Entry, workspace: Workspace, writer: Writer) -> None:
    value, note = value_text(row, entry, workspace.settings)
    name = row.name.ljust(_NAME_CELLS)
    shown = f"{value}  ({note})" if note and value else note or value
    lines = plain(f"{shown}", " ")
    is_absent = entry.get(row.name) is MISSING
    writer.wrapped(f"{name}{lines}", indent="  ", hang=" " * (_NAME_CELLS + 2), style="faint" if is_absent else "")


def entry_json(workspace: Workspace, found: Found) -> dict[str, Any]:
    """The entry as JSON: stored fields, and those that a setting decides."""
    from lorebook_tui.engine.document_json import json_value  # noqa: PLC0415 - only for JSON

    entry = found.entry
    return {
        "reference": found.reference,
        "book": found.opened.book.name,
        "layer": found.opened.layer.value,
        "file": str(found.opened.source.path),
        "line": entry_line(found),
        "path": list(entry.path),
        "title": entry.title,
        "kind": kind_of(entry).word,
        "tokens": workspace.counter().count(entry.content),
        "fields": json_value(dict(entry.fields)),
        "effective": {
            name: getattr(workspace.settings, setting)
            for name, setting in FROM_SETTINGS.items()
            if nullish(entry.get(name))
        },
    }
