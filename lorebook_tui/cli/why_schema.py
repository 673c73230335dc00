"""The JSON Schema of `lorebook why --json`: one entry with its evidence, as in the trace, and what would turn it."""

from __future__ import annotations

from typing import Final

from lorebook_tui.cli.why_text import FORMAT
from lorebook_tui.engine.document_schema import OPEN, TURN, beginning, published
from lorebook_tui.engine.json_schema import TEXT, closed, described, listed, ref
from lorebook_tui.engine.remedies.remedy_json import REMEDY_DEFS
from lorebook_tui.engine.trace_schema import ENTRY, ENTRY_DEFS, EVIDENCE

SCHEMA: Final = published(
    FORMAT,
    "lorebook why --json",
    closed(
        "Why an entry is in or out.",
        **beginning(FORMAT),
        **OPEN,
        reference=described(TEXT, "The entry as `lorebook why` takes it: BOOK#UID."),
        turns=listed(
            closed("The entry at one turn.", turn=TURN, **ENTRY, **EVIDENCE, remedies=ref("remedies")),
            "The turns asked for, ascending.",
        ),
    ),
    {**ENTRY_DEFS, **REMEDY_DEFS},
)
"""JSON Schema 2020-12 of the whole document."""
