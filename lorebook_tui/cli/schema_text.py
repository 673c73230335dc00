"""JSON Schemas of what the program writes and of an entry; and the reasons of verdicts."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.cli.choices import SCHEMAS
from lorebook_tui.cli.fields_text import row_schema
from lorebook_tui.display import quote
from lorebook_tui.engine.json_schema import DRAFT
from lorebook_tui.errors import UsageError
from lorebook_tui.model.fields import ENTRY_FIELDS, SETTING_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.model.field_types import Field


_MODULES: Final = {
    "trace": "lorebook_tui.engine.trace_schema",
    "why": "lorebook_tui.cli.why_schema",
    "odds": "lorebook_tui.cli.odds_schema",
    "budget": "lorebook_tui.cli.budget_schema",
    "compare": "lorebook_tui.cli.compare_schema",
    "check": "lorebook_tui.lint.reports.schema",
}
"""Where the schema of each document stands, beside what writes it; only the one asked for is loaded."""


def write_schema(what: str, writer: Writer, *, as_json: bool) -> None:
    """The schema of a document, of an entry or of the settings; or the reasons.

    Raises:
        UsageError: something else.
    """
    if what in _MODULES:
        writer.json(import_module(_MODULES[what]).SCHEMA)
    elif what == "fields":
        writer.json(rows_schema("A SillyTavern entry", ENTRY_FIELDS))
    elif what == "settings":
        writer.json(rows_schema("SillyTavern's world info settings", SETTING_FIELDS))
    elif what == "reasons":
        _write_reasons(writer, as_json=as_json)
    else:
        raise UsageError(
            f"There is no schema of {quote(what)}.",
            expected="one of " + ", ".join(SCHEMAS),
            found=what,
            hint="trace is what `lorebook simulate --json` writes.",
        )


def rows_schema(title: str, rows: Iterable[Field]) -> dict[str, Any]:
    """Rows of the table as the schema of one object; unknown fields are allowed, as everywhere."""
    return {
        "$schema": DRAFT,
        "title": title,
        "type": "object",
        "properties": {row.name: row_schema(row) for row in rows},
    }


def _write_reasons(writer: Writer, *, as_json: bool) -> None:
    from lorebook_tui.engine.reason_help import REASON_HELP  # noqa: PLC0415 - only if asked for

    if as_json:
        writer.json(
            [
                {
                    "code": reason.code,
                    "phase": reason.phase.name.lower(),
                    "outcome": reason.outcome.value,
                    "meaning": text,
                }
                for reason, text in REASON_HELP.items()
            ]
        )
        return
    writer.heading("Reasons of verdicts", "stable names, as in --json")
    for reason, text in REASON_HELP.items():
        decided = writer.styled(f"{reason.phase.label}, {reason.outcome.value}", "faint")
        writer.line(f"  {writer.styled(reason.code, 'bold')}  {decided}")
        writer.wrapped(text, indent="    ")
