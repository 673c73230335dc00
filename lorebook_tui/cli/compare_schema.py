"""The JSON Schema of `lorebook compare --json`: two sides, turn by turn."""

from __future__ import annotations

from typing import Final

from lorebook_tui.cli.compare_text import FORMAT
from lorebook_tui.engine.compare import Kind
from lorebook_tui.engine.document_schema import ENTRIES, LOAD_ERROR, OPEN, TURN, beginning, published
from lorebook_tui.engine.json_schema import COUNT, FLAG, INDEX, TEXT, closed, described, listed, or_null, pair, ref

_CHANGE: Final = closed(
    "One difference between the prompts of both sides.",
    kind={"enum": [kind.value for kind in Kind], "description": "What became of the entry from a to b; stable names."},
    a=ref("side_of_change"),
    b=ref("side_of_change"),
)
_TURN: Final = closed(
    "One turn of both sides.",
    turn=TURN,
    same=described(FLAG, "Whether the lore in the prompt is the same, place by place and word by word."),
    a=ref("totals"),
    b=ref("totals"),
    changes=listed(ref("change"), "By kind, then in load order."),
)
SCHEMA: Final = published(
    FORMAT,
    "lorebook compare --json",
    closed(
        "What the prompt of one side has and the other has not. Load indices are those of the side they stand at.",
        **beginning(FORMAT),
        same=described(FLAG, "Whether both sides have the same turns with the same lore."),
        a=ref("side"),
        b=ref("side"),
        pairs=listed(pair(INDEX, INDEX, "On side a and on side b."), "Entries of both sides that count as the same."),
        only_a=listed(TURN, "Turns that only side a has."),
        only_b=listed(TURN, "Turns that only side b has."),
        turns=listed(ref("turn"), "Turns that both sides have, of those asked for, ascending."),
    ),
    {
        "side": closed("What one side is.", **OPEN, load_error=LOAD_ERROR, entries=ENTRIES),
        "turn": _TURN,
        "totals": closed(
            "A turn of one side in numbers.",
            entries=described(COUNT, "Entries in the prompt."),
            tokens=described(COUNT, "What the activated texts take."),
            limit=described(COUNT, "What lore may take."),
            overflowed=described(FLAG, "Whether the limit was reached."),
            error=or_null(TEXT, "Why the simulated product stops here without a prompt."),
        ),
        "change": _CHANGE,
        "side_of_change": closed(
            "The entry on one side.",
            entry=or_null(COUNT, "Its load index; null if it is not among the books of this side."),
            told=described(TEXT, "Its verdict in a sentence; of moved: its place; of rewritten: its text."),
        ),
    },
)
"""JSON Schema 2020-12 of the whole document."""
