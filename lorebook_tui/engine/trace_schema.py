"""The JSON Schema of the trace: what `trace_json` makes, field by field, with every reason code.

It is written as Python so that the codes come from the enums and cannot fall behind them.
"""

from __future__ import annotations

from typing import Any, Final

from lorebook_tui.engine.reason_help import REASON_HELP
from lorebook_tui.engine.remedies.remedy_json import REMEDY_DEFS
from lorebook_tui.engine.trace import Cause, Outcome, Phase, Reason
from lorebook_tui.engine.trace_json import FORMAT
from lorebook_tui.model.layers import Layer
from lorebook_tui.model.scenario import TRIGGERS

SCHEMA_ID: Final = "urn:lorebook-tui:trace:1"

JsonMap = dict[str, Any]

_WHOLE: Final = {"type": "integer"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_TEXT: Final = {"type": "string"}
_FLAG: Final = {"type": "boolean"}
_ANY: Final[JsonMap] = {}


def _described(schema: JsonMap, description: str) -> JsonMap:
    return {**schema, "description": description}


def _or_null(schema: JsonMap, description: str) -> JsonMap:
    if "type" in schema:
        return {**schema, "type": [schema["type"], "null"], "description": description}
    return {"anyOf": [schema, {"type": "null"}], "description": description}


def _list(items: JsonMap, description: str) -> JsonMap:
    return {"type": "array", "items": items, "description": description}


def _ref(name: str) -> JsonMap:
    return {"$ref": f"#/$defs/{name}"}


def _object(description: str, optional: tuple[str, ...] = (), /, **properties: JsonMap) -> JsonMap:
    """A closed object. A trailing underscore of a name is dropped (`pass_`, `for_`)."""
    named = {name.rstrip("_"): schema for name, schema in properties.items()}
    return {
        "type": "object",
        "description": description,
        "properties": named,
        "required": [name for name in named if name not in optional],
        "additionalProperties": False,
    }


_INDEX: Final = _described(_COUNT, "Load index of an entry: its place in `entries`.")
_PASS_NUMBER: Final = {"type": "integer", "minimum": 1, "description": "Number of the pass, from 1."}

_REASON: Final = {
    "description": "Why an entry is in or out; stable names.",
    "oneOf": [
        {"const": reason.code, "title": f"{reason.phase.label}, {reason.outcome.value}", "description": text}
        for reason, text in REASON_HELP.items()
    ],
}
_VERDICT: Final = _object(
    "What became of an entry: exactly one verdict per entry and turn.",
    reason=_ref("reason"),
    phase={"enum": [phase.name.lower() for phase in Phase], "description": "The phase that decided."},
    outcome={"enum": [outcome.value for outcome in Outcome], "description": "The reason in one word."},
    cause={"enum": [*(cause.value for cause in Cause), None], "description": "What made it a candidate."},
    pass_=_or_null({"type": "integer", "minimum": 1}, "The pass that decided; null if none looked at it."),
    tokens=_or_null(_COUNT, "Tokens of its text if it was activated."),
    place=_or_null(_ref("place"), "Where its text stands; null if nowhere."),
    group=_or_null(_TEXT, "The inclusion group it lost in."),
    winner=_or_null(_COUNT, "Load index of the entry it lost to."),
    score=_or_null(_WHOLE, "Its points where group scoring decided."),
    roll=_or_null({"type": "number"}, "The number it rolled, in [0, 1)."),
)
_PLACE: Final = _object(
    "A place in the prompt.",
    slot={
        "enum": [
            "before", "after", "note_top", "note_bottom", "examples_top", "examples_bottom", "depth", "outlet",
        ],
        "description": "The slot.",
    },
    number={"type": "integer", "minimum": 1, "description": "1 for the first text of the slot, from the top."},
    count={"type": "integer", "minimum": 1, "description": "Texts in the slot."},
    depth=_described(_ANY, "Messages from the end of the chat, as the file spells it; null without one."),
    role=_described(_ANY, "0 system, 1 user, 2 assistant, as the file spells it; null without one."),
    outlet=_or_null(_TEXT, "Name of the outlet."),
)  # fmt: skip
_ENTRY: Final = _object(
    "One loaded entry.",
    ("sentence", "details", "evidence", "remedies"),
    index=_INDEX,
    book=_described(_TEXT, "Name of its book."),
    layer={"enum": [layer.value for layer in Layer], "description": "The layer of its book."},
    uid=_described(_ANY, "Its uid as the file spells it; null if it has none."),
    key=_described(_TEXT, "Its property name in `entries`."),
    title=_described(_TEXT, "Its comment, else its first key, else its uid."),
    order=_or_null({"type": "number"}, "Insertion order; null if it is no number."),
    verdict=_ref("verdict"),
    text=_or_null(_TEXT, "Its text with macros replaced, if it was activated."),
    sentence=_described(_TEXT, "The verdict in one sentence; with evidence only."),
    details=_list(_TEXT, "The evidence in words, a line each; with evidence only."),
    evidence=_ref("evidence"),
    remedies=_ref("remedies"),
)
_HIT: Final = _object(
    "One place where a key matches.",
    origin={"enum": ["message", "source", "prompt", "recursion"], "description": "What kind of text it is."},
    name=_described(_TEXT, "Name of the source or prompt; number of the pass for recursion."),
    message=_or_null(_COUNT, "Index of the message in the transcript, from 0."),
    start=_described(_COUNT, "Offset in the scanned line (`Name: text`), in code points."),
    end=_described(_COUNT, "Offset behind the hit."),
    found=_described(_TEXT, "The text that matched."),
    woken_by=_or_null(_COUNT, "Load index of the entry in whose text it stands."),
)
_NEAR: Final = _object(
    "Something that almost matched.",
    kind=_described(_TEXT, "case, word_boundary, typo, outside_window, pattern_case, …"),
    found=_described(_TEXT, "The text that is there instead."),
    message=_or_null(_COUNT, "Index of the message in the transcript, from 0."),
    note=_described(_TEXT, "One sentence for people."),
)
_FINDING: Final = _object(
    "What became of one key.",
    key=_described(_TEXT, "The key as it stands in the file."),
    kind={"enum": ["plain", "pattern", "macro", "blank", "empty"], "description": "How it was read."},
    matched=_described(_FLAG, "Whether it matches somewhere."),
    hits=_list(_ref("hit"), "Where, the newest message first; at most 50."),
    near=_list(_ref("near"), "What almost matched."),
    note=_or_null(_TEXT, "What is odd about the key itself."),
)
_LEDGER_ROW: Final = _object(
    "One line of the budget.",
    entry=_INDEX,
    pass_=_PASS_NUMBER,
    tokens=_described(_WHOLE, "Tokens that this text added to the running sum."),
    total=_described(_COUNT, "The sum after it: earlier passes and all texts of this pass so far."),
    admitted=_described(_FLAG, "Whether it got in."),
    ignores_budget=_described(_FLAG, "Whether it gets in even after the budget is reached."),
)
_EVIDENCE: Final = _object(
    "What stands behind a verdict.",
    window_depth=_or_null({"type": "number"}, "Messages that the entry scanned."),
    keys=_list(_ref("finding"), "Primary keys."),
    secondary=_list(_ref("finding"), "Secondary keys in force."),
    path=_list(_INDEX, "Who woke whom, from the entry that the chat woke to this one; empty without recursion."),
    standing_before=_list(_ref("ledger_row"), "What stood before it in the budget of the same pass."),
    own_row=_or_null(_ref("ledger_row"), "Its own line of the budget."),
)
_TEXTS: Final = _list(_ref("placed_text"), "Texts as they read from the top.")
_PASS_KINDS: Final = ["initial", "recursion", "min_activations"]
_PASS: Final = _object(
    "One loop over the entries. In candidates and successful, -1 - n stands for the n-th entry forced from outside.",
    number=_PASS_NUMBER,
    kind={"enum": _PASS_KINDS, "description": "Why the pass was made."},
    next={"enum": [*_PASS_KINDS, "end"], "description": "What follows."},
    depth=_described({"type": "number"}, "Global scan depth in messages; min activations widens it."),
    candidates=_list(_WHOLE, "Load indices after sorting and groups."),
    successful=_list(_WHOLE, "Candidates that did not fail their roll, entries cut by the budget among them."),
    base_tokens=_described(_COUNT, "Tokens of earlier passes that count against the budget."),
    activated_total=_described(_COUNT, "Entries activated by the end of the pass."),
    overflowed=_described(_FLAG, "Whether the budget was reached by then."),
    level=_described({"type": ["number", "null"]}, "Recursion level in force after the pass."),
    levels_left=_list({"type": ["number", "null"]}, "Levels not yet opened."),
    recursed=_list(_ref("placed_text"), "Texts that later passes scan in addition."),
)
_EFFECT: Final = _object(
    "One sticky effect or cooldown, as the turn leaves it.",
    identity=_described(_TEXT, "BOOK.UID"),
    start=_described({"type": ["number", "null"]}, "Messages in the chat when it began."),
    end=_described({"type": ["number", "null"]}, "It is over when the chat has so many messages."),
    protected=_described(_FLAG, "It survives when the chat did not advance."),
    active=_described(_FLAG, "Whether it was in force at this turn."),
)
_DRAW: Final = _object(
    "One random number.",
    value=_described({"type": "number"}, "In [0, 1)."),
    for_={"enum": ["probability", "group", "macro"], "description": "What it was drawn for."},
    pass_={"type": "integer", "minimum": 0, "description": "Number of the pass."},
    entry=_or_null(_WHOLE, "The entry that rolled, or the winner of the group."),
    group=_or_null(_TEXT, "The group."),
    passed=_or_null(_FLAG, "Whether a probability roll was won."),
    against=_list(
        {"type": ["number", "null"]}, "The percentage it was held against, or the running sums of the group's weights."
    ),
)
_TURN: Final = _object(
    "One turn: the prompt for the message after `turn` messages.",
    turn=_described(_COUNT, "Messages that exist when it is generated."),
    length=_described(_COUNT, "Visible messages handed to the scan; timed effects count these."),
    trigger=_described(_TEXT, f"Kind of generation: {', '.join(TRIGGERS)}."),
    dry_run=_described(_FLAG, "Whether it only counted tokens."),
    budget=_object(
        "Tokens for lore. The total has to stay below the limit.",
        limit=_described(_COUNT, "What lore may take."),
        used=_described(_COUNT, "What the activated texts take."),
        context=_described(_WHOLE, "The context that the limit is a share of."),
        overflowed=_described(_FLAG, "Whether the limit was reached."),
    ),
    load_error=_or_null(_TEXT, "Why no lore could be loaded at all."),
    skipped_books=_list(
        _object(
            "A book left out because another layer has it.",
            layer=_TEXT,
            name=_TEXT,
            held_by=_described(_TEXT, "The layer that has it."),
        ),
        "Books in several layers are used once.",
    ),
    counts={
        "type": "object",
        "description": "How many entries got each reason.",
        "propertyNames": {"enum": [reason.code for reason in Reason]},
        "additionalProperties": _COUNT,
    },
    passes=_list(_ref("pass"), "The passes in order."),
    ledger=_list(_ref("ledger_row"), "The budget, in the order of admission."),
    draws=_list(_ref("draw"), "Random numbers drawn inside the scan, in order."),
    entries=_list(_ref("entry"), "Every loaded entry, in load order."),
    activated=_list(_INDEX, "Activated entries in the order of activation."),
    slots=_object(
        "Where the texts went.",
        **dict.fromkeys(("before", "after", "note_top", "note_bottom", "examples_top", "examples_bottom"), _TEXTS),
        depths=_list(
            _object("Texts at one depth with one role.", depth=_ANY, role=_ANY, texts=_TEXTS),
            "The highest order's record first.",
        ),
        outlets={"type": "object", "additionalProperties": _TEXTS, "description": "Texts by outlet."},
    ),
    note=_object(
        "The author's note with its lore.",
        text=_TEXT,
        position=_WHOLE,
        depth=_WHOLE,
        role=_WHOLE,
        due=_described(_FLAG, "Whether it is sent at this turn."),
    ),
    effects=_object(
        "Timed effects after the turn.",
        sticky=_list(_ref("effect"), "Sticky effects."),
        cooldown=_list(_ref("effect"), "Cooldowns."),
    ),
    variables=_object(
        "Variables of macros after the turn.", local={"type": "object"}, **{"global": {"type": "object"}}
    ),
)
SCHEMA: Final[JsonMap] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": SCHEMA_ID,
    "title": "Trace of lorebook-tui",
    **_object(
        "What `lorebook simulate --json` writes.",
        ("file", "chat", "engine", "seed", "context", "tokenizer", "settings", "books"),
        format={"const": FORMAT},
        program=_described(_TEXT, "Program and version."),
        file=_or_null(_TEXT, "The workspace file."),
        chat=_or_null(_TEXT, "The file of the chat."),
        engine=_described(_TEXT, "Whose rules were followed."),
        seed=_described(_WHOLE, "Seed of the random numbers."),
        context=_described(_WHOLE, "Tokens: context size less response length."),
        tokenizer=_described(_TEXT, "What counted tokens."),
        settings={"type": "object", "description": "The scan's settings under SillyTavern's names."},
        books=_list(
            _object("An open book.", layer=_TEXT, name=_TEXT, file=_TEXT, entries=_COUNT), "In order of layers."
        ),
        turns=_list(_ref("turn"), "The turns asked for, ascending."),
    ),
    "$defs": {
        "turn": _TURN,
        "entry": _ENTRY,
        "verdict": _VERDICT,
        "reason": _REASON,
        "place": _PLACE,
        "evidence": _EVIDENCE,
        **REMEDY_DEFS,
        "finding": _FINDING,
        "hit": _HIT,
        "near": _NEAR,
        "pass": _PASS,
        "ledger_row": _LEDGER_ROW,
        "draw": _DRAW,
        "effect": _EFFECT,
        "placed_text": _object("A text and the entry it comes from.", entry=_INDEX, text=_TEXT),
    },
}
"""JSON Schema 2020-12 of the whole document."""
