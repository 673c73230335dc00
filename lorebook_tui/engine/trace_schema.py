"""The JSON Schema of the trace: what `trace_json` makes, field by field, with every reason code.

It is written as Python so that the codes come from the enums and cannot fall behind them.
"""

from __future__ import annotations

from typing import Final

from lorebook_tui.engine.document_schema import (
    IDENTITY,
    LAYER,
    LAYERS,
    LOAD_ERROR,
    OPEN,
    TURN,
    beginning,
    published,
)
from lorebook_tui.engine.json_schema import (
    ANYTHING,
    COUNT,
    FLAG,
    INDEX,
    NUMBER,
    POSITIVE,
    TEXT,
    WHOLE,
    JsonMap,
    closed,
    described,
    keyed,
    listed,
    or_null,
    ref,
)
from lorebook_tui.engine.prompt_schema import PROMPT_DEFS
from lorebook_tui.engine.reason_help import REASON_HELP
from lorebook_tui.engine.trace import Cause, Outcome, Phase
from lorebook_tui.engine.trace_json import FORMAT
from lorebook_tui.model.scenario import TRIGGERS

_PASS_NUMBER: Final = described(POSITIVE, "Number of the pass, from 1.")

_REASON: Final = {
    "description": "Why an entry is in or out; stable names.",
    "oneOf": [
        {"const": reason.code, "title": f"{reason.phase.label}, {reason.outcome.value}", "description": text}
        for reason, text in REASON_HELP.items()
    ],
}
_VERDICT: Final = closed(
    "What became of an entry: exactly one verdict per entry and turn.",
    reason=ref("reason"),
    phase={"enum": [phase.name.lower() for phase in Phase], "description": "The phase that decided."},
    outcome={"enum": [outcome.value for outcome in Outcome], "description": "The reason in one word."},
    cause={"enum": [*(cause.value for cause in Cause), None], "description": "What made it a candidate."},
    pass_=or_null(POSITIVE, "The pass that decided; null if none looked at it."),
    tokens=or_null(COUNT, "Tokens of its text if it was activated."),
    place=or_null(ref("place"), "Where its text stands; null if nowhere."),
    group=or_null(TEXT, "The inclusion group it lost in."),
    winner=or_null(COUNT, "Load index of the entry it lost to."),
    score=or_null(WHOLE, "Its points where group scoring decided."),
    roll=or_null(NUMBER, "The number it rolled, in [0, 1)."),
)
_DEPTH: Final = described(ANYTHING, "Messages from the end of the chat, as the file spells it; null without one.")
_ROLE: Final = described(ANYTHING, "0 system, 1 user, 2 assistant, as the file spells it; null without one.")
_PLACE: Final = closed(
    "A place in the prompt.",
    slot={
        "enum": [
            "before", "after", "note_top", "note_bottom", "examples_top", "examples_bottom", "depth", "outlet",
        ],
        "description": "The slot.",
    },
    number=described(POSITIVE, "1 for the first text of the slot, from the top."),
    count=described(POSITIVE, "Texts in the slot."),
    depth=_DEPTH,
    role=_ROLE,
    outlet=or_null(TEXT, "Name of the outlet."),
)  # fmt: skip
ENTRY: Final[JsonMap] = {
    **IDENTITY,
    "key": described(TEXT, "Its property name in `entries`."),
    "order": or_null(NUMBER, "Insertion order; null if it is no number."),
    "verdict": ref("verdict"),
    "text": or_null(TEXT, "Its text with macros replaced, if it was activated."),
}
"""Properties of an entry at a turn."""
EVIDENCE: Final[JsonMap] = {
    "sentence": described(TEXT, "The verdict in one sentence."),
    "details": listed(TEXT, "The evidence in words, a line each."),
    "evidence": ref("evidence"),
}
"""Properties that evidence adds to them."""
_ENTRY: Final = closed(
    f"One loaded entry; {', '.join(EVIDENCE)}: with evidence only.", tuple(EVIDENCE), **ENTRY, **EVIDENCE
)
_HIT: Final = closed(
    "One place where a key matches.",
    origin={"enum": ["message", "source", "prompt", "recursion"], "description": "What kind of text it is."},
    name=described(TEXT, "Name of the source or prompt; number of the pass for recursion."),
    message=or_null(COUNT, "Index of the message in the transcript, from 0."),
    start=described(COUNT, "Offset in the scanned line (`Name: text`), in code points."),
    end=described(COUNT, "Offset behind the hit."),
    found=described(TEXT, "The text that matched."),
    woken_by=or_null(COUNT, "Load index of the entry in whose text it stands."),
    runs_on=described(FLAG, "Whether the match goes on into the pieces behind this one."),
)
_NEAR: Final = closed(
    "Something that almost matched.",
    kind=described(TEXT, "case, word_boundary, typo, outside_window, pattern_case, …"),
    found=described(TEXT, "The text that is there instead."),
    message=or_null(COUNT, "Index of the message in the transcript, from 0."),
    note=described(TEXT, "One sentence for people."),
)
_FINDING: Final = closed(
    "What became of one key.",
    key=described(TEXT, "The key as it stands in the file."),
    kind={"enum": ["plain", "pattern", "macro", "blank", "empty"], "description": "How it was read."},
    matched=described(FLAG, "Whether it matches somewhere."),
    hits=listed(ref("hit"), "Where, the newest message first; at most 50."),
    near=listed(ref("near"), "What almost matched."),
    note=or_null(TEXT, "What is odd about the key itself."),
)
_LEDGER_ROW: Final = closed(
    "One line of the budget.",
    entry=INDEX,
    pass_=_PASS_NUMBER,
    tokens=described(WHOLE, "Tokens that this text added to the running sum."),
    total=described(COUNT, "The sum after it: earlier passes and all texts of this pass so far."),
    admitted=described(FLAG, "Whether it got in."),
    ignores_budget=described(FLAG, "Whether it gets in even after the budget is reached."),
)
_EVIDENCE: Final = closed(
    "What stands behind a verdict.",
    window_depth=or_null(NUMBER, "Messages that the entry scanned."),
    keys=listed(ref("finding"), "Primary keys."),
    secondary=listed(ref("finding"), "Secondary keys in force."),
    path=listed(INDEX, "Who woke whom, from the entry that the chat woke to this one; empty without recursion."),
    standing_before=listed(ref("ledger_row"), "What stood before it in the budget of the same pass."),
    own_row=or_null(ref("ledger_row"), "Its own line of the budget."),
)
_TEXTS: Final = listed(ref("placed_text"), "Texts as they read from the top.")
_PASS_KINDS: Final = ["initial", "recursion", "min_activations"]
_PASS: Final = closed(
    "One loop over the entries. In candidates and successful, -1 - n stands for the n-th entry forced from outside.",
    number=_PASS_NUMBER,
    kind={"enum": _PASS_KINDS, "description": "Why the pass was made."},
    next={"enum": [*_PASS_KINDS, "end"], "description": "What follows."},
    depth=described(NUMBER, "Global scan depth in messages; min activations widens it."),
    candidates=listed(WHOLE, "Load indices after sorting and groups."),
    successful=listed(WHOLE, "Candidates that did not fail their roll, entries cut by the budget among them."),
    base_tokens=described(COUNT, "Tokens of earlier passes that count against the budget."),
    activated_total=described(COUNT, "Entries activated by the end of the pass."),
    overflowed=described(FLAG, "Whether the budget was reached by then."),
    level=described({"type": ["number", "null"]}, "Recursion level in force after the pass."),
    levels_left=listed({"type": ["number", "null"]}, "Levels not yet opened."),
    recursed=listed(ref("placed_text"), "Texts that later passes scan in addition."),
)
_EFFECT: Final = closed(
    "One sticky effect or cooldown, as the turn leaves it.",
    identity=described(TEXT, "BOOK.UID"),
    start=described({"type": ["number", "null"]}, "Messages in the chat when it began."),
    end=described({"type": ["number", "null"]}, "It is over when the chat has so many messages."),
    protected=described(FLAG, "It survives when the chat did not advance."),
    active=described(FLAG, "Whether it was in force at this turn."),
)
_DRAW: Final = closed(
    "One random number.",
    value=described(NUMBER, "In [0, 1)."),
    for_={"enum": ["probability", "group", "macro"], "description": "What it was drawn for."},
    pass_=described(COUNT, "Number of the pass."),
    entry=or_null(WHOLE, "The entry that rolled, or the winner of the group."),
    group=or_null(TEXT, "The group."),
    passed=or_null(FLAG, "Whether a probability roll was won."),
    against=listed(
        {"type": ["number", "null"]}, "The percentage it was held against, or the running sums of the group's weights."
    ),
)
_TURN: Final = closed(
    "One turn: the prompt for the message after `turn` messages.",
    ("prompt",),
    turn=TURN,
    length=described(COUNT, "Visible messages handed to the scan; timed effects count these."),
    trigger=described(TEXT, f"Kind of generation: {', '.join(TRIGGERS)}."),
    dry_run=described(FLAG, "Whether it only counted tokens."),
    budget=closed(
        "Tokens for lore. The total has to stay below the limit.",
        limit=described(COUNT, "What lore may take."),
        used=described(COUNT, "What the activated texts take."),
        context=described(WHOLE, "The context that the limit is a share of."),
        overflowed=described(FLAG, "Whether the limit was reached."),
    ),
    load_error=LOAD_ERROR,
    error=or_null(TEXT, "Why the simulated product itself would stop here without a prompt."),
    skipped_books=listed(
        closed(
            "A book left out because another layer has it.",
            layer=LAYER,
            name=described(TEXT, "What it is called."),
            held_by=described(LAYERS, "The layer that has it."),
        ),
        "Books in several layers are used once.",
    ),
    counts=keyed(ref("reason"), COUNT, "How many entries got each reason."),
    passes=listed(ref("pass"), "The passes in order."),
    ledger=listed(ref("ledger_row"), "The budget, in the order of admission."),
    draws=listed(ref("draw"), "Random numbers drawn inside the scan, in order."),
    entries=listed(ref("entry"), "Every loaded entry, in load order."),
    activated=listed(INDEX, "Activated entries in the order of activation."),
    slots=closed(
        "Where the texts went.",
        **dict.fromkeys(("before", "after", "note_top", "note_bottom", "examples_top", "examples_bottom"), _TEXTS),
        depths=listed(
            closed("Texts at one depth with one role.", depth=_DEPTH, role=_ROLE, texts=_TEXTS),
            "The highest order's record first.",
        ),
        outlets={"type": "object", "additionalProperties": _TEXTS, "description": "Texts by outlet."},
    ),
    note=closed(
        "The author's note with its lore.",
        text=described(TEXT, "What it says."),
        position=described(
            WHOLE, "0 after the main prompt, 1 in the chat at its depth, 2 before the main prompt, -1 nowhere."
        ),
        depth=described(WHOLE, "Messages from the end of the chat."),
        role=described(WHOLE, "0 system, 1 user, 2 assistant."),
        due=described(FLAG, "Whether it is sent at this turn."),
    ),
    effects=closed(
        "Timed effects after the turn.",
        sticky=listed(ref("effect"), "Sticky effects."),
        cooldown=listed(ref("effect"), "Cooldowns."),
    ),
    variables=closed(
        "Variables of macros after the turn.",
        local={"type": "object", "description": "Those of the chat."},
        global_={"type": "object", "description": "Those of all chats."},
    ),
    prompt=or_null(ref("prompt"), "The assembled prompt, if asked for; null if the scan stopped with an error."),
)
ENTRY_DEFS: Final[JsonMap] = {
    "verdict": _VERDICT,
    "reason": _REASON,
    "place": _PLACE,
    "evidence": _EVIDENCE,
    "finding": _FINDING,
    "hit": _HIT,
    "near": _NEAR,
    "ledger_row": _LEDGER_ROW,
}
"""What an entry at a turn refers to."""
SCHEMA: Final = published(
    FORMAT,
    "Trace of lorebook-tui",
    closed(
        "What `lorebook simulate --json` writes.",
        tuple(OPEN),
        **beginning(FORMAT),
        **OPEN,
        turns=listed(ref("turn"), "The turns asked for, ascending."),
    ),
    {
        "turn": _TURN,
        "entry": _ENTRY,
        **ENTRY_DEFS,
        **PROMPT_DEFS,
        "pass": _PASS,
        "draw": _DRAW,
        "effect": _EFFECT,
        "placed_text": closed(
            "A text and the entry it comes from.", entry=INDEX, text=described(TEXT, "With its macros replaced.")
        ),
    },
)
"""JSON Schema 2020-12 of the whole document."""
