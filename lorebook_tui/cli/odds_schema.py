"""The JSON Schema of `lorebook odds --json`: chances at turns, or over a chat."""

from __future__ import annotations

from typing import Final

from lorebook_tui.cli.odds_text import CONFIDENCE, FORMAT, GIVEN_NOTHING, GIVEN_TURNS
from lorebook_tui.engine.document_schema import IDENTITY, LOAD_ERROR, OPEN, TURN, beginning, published
from lorebook_tui.engine.json_schema import (
    COUNT,
    FLAG,
    POSITIVE,
    SHARE,
    TEXT,
    JsonMap,
    closed,
    described,
    keyed,
    listed,
    or_null,
    pair,
    ref,
)
from lorebook_tui.engine.trace_schema import ENTRY_DEFS

_ODDS: Final[JsonMap] = {
    "chance": described(SHARE, "The chance to be in the prompt, from 0 to 1."),
    "low": described(SHARE, "What the true chance is at least, as sure as `confidence` says."),
    "high": described(SHARE, "What it is at most."),
    "exact": described(FLAG, "Whether it was worked out; both bounds are the chance then."),
}
_ENTRY: Final = closed(
    "One entry at one turn.",
    **IDENTITY,
    **_ODDS,
    reasons=keyed(ref("reason"), SHARE, "The share of each verdict; what is missing to 1: nothing woke the entry."),
    seed_in=or_null(COUNT, "The lowest seed with which it is in; null: there was none, or no seed was tried."),
    seed_out=or_null(COUNT, "The lowest seed with which it is out although it was looked at; null likewise."),
)
_LISTED: Final = "by load index; with --entry only those asked for. Who is missing is out whatever the dice say."
_ENTRIES: Final = listed(ref("entry"), f"All that any run had cause to look at, {_LISTED}")
_HEAD: Final[JsonMap] = {
    **beginning(FORMAT),
    **OPEN,
    "load_error": LOAD_ERROR,
    "confidence": {"const": CONFIDENCE, "description": "The share of intervals that hold the true chance."},
    "runs": or_null(POSITIVE, "Runs that estimates come from; null if there are none."),
    "seeds": {
        "anyOf": [pair(COUNT, COUNT, "The first and the last."), {"type": "null"}],
        "description": "Seeds of these runs; null if there are none.",
    },
}


def _given(what: str) -> JsonMap:
    """What happened before the turns."""
    return {"const": what, "description": "What is taken for granted at each turn."}


SCHEMA: Final = published(
    FORMAT,
    "lorebook odds --json",
    {
        "description": "The chance of entries to be in the prompt: at turns, or with --all over the chat.",
        "oneOf": [ref("of_turns"), ref("of_chat")],
    },
    {
        "of_turns": closed(
            "Turns, each after the turns before it went as the seed has it.",
            **_HEAD,
            given=_given(GIVEN_TURNS),
            turns=listed(ref("turn"), "The turns asked for, ascending."),
        ),
        "of_chat": closed(
            "A chat with everything that can happen in it.",
            **_HEAD,
            given=_given(GIVEN_NOTHING),
            turns=listed(ref("turn"), "Its turns, ascending; with --turn only those asked for."),
            entries=listed(ref("entry_of_chat"), f"Entries over all turns, {_LISTED}"),
        ),
        "turn": {"description": "One turn.", "oneOf": [ref("exact_turn"), ref("estimated_turn")]},
        "exact_turn": closed(
            "A turn that could be worked out.",
            turn=TURN,
            exact={"const": True, "description": "Its chances are exact."},
            why_estimated={"type": "null", "description": "They are not estimated."},
            ways=described(POSITIVE, "Ways in which the dice can fall; all were run through."),
            entries=_ENTRIES,
        ),
        "estimated_turn": closed(
            "A turn that could not be worked out.",
            turn=TURN,
            exact={"const": False, "description": "Its chances are estimates."},
            why_estimated=described(TEXT, "Why it could not."),
            runs=described(POSITIVE, "Runs that were counted."),
            entries=_ENTRIES,
        ),
        "entry": _ENTRY,
        "entry_of_chat": closed(
            "One entry over all turns of the chat.",
            **IDENTITY,
            ever=closed("Its chance to be in the prompt at one turn at least.", **_ODDS),
            turns=described({"type": "number", "minimum": 0}, "At how many turns it is expected to be."),
        ),
        "reason": ENTRY_DEFS["reason"],
    },
)
"""JSON Schema 2020-12 of the whole document."""
