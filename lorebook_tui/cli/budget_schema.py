"""The JSON Schema of `lorebook budget --json`: turns with their curves, or what a chat needs."""

from __future__ import annotations

from typing import Final

from lorebook_tui.cli.budget_json import FORMAT
from lorebook_tui.engine.budget_advice import Way
from lorebook_tui.engine.document_schema import (
    ENTRIES,
    LAYER,
    LAYERS,
    LOAD_ERROR,
    OPEN,
    TURN,
    beginning,
    published,
)
from lorebook_tui.engine.json_schema import (
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

_PERCENT: Final[JsonMap] = {"type": "integer", "minimum": 1, "maximum": 100}
_INSIDE: Final = listed(INDEX, "Entries in the prompt, in load order.")
_LIMIT: Final = described(COUNT, "What lore may take, in tokens; the total has to stay below it.")
_TOKENS: Final = described(COUNT, "What the activated texts take.")
_OVERFLOWED: Final = described(FLAG, "Whether the limit was reached.")
_CONTEXT: Final = described(WHOLE, "Tokens that the percentage is taken from.")
_AT: Final[JsonMap] = {"limit": _LIMIT, "entries": described(COUNT, "Entries in the prompt."), "tokens": _TOKENS}
_HEAD: Final[JsonMap] = {**beginning(FORMAT), **OPEN, "load_error": LOAD_ERROR, "entries": ENTRIES}
_TAIL: Final[JsonMap] = {
    "shares": ref("shares"),
    "always_on": listed(
        closed("One of them.", entry=INDEX, tokens=described(COUNT, "What it asks for.")),
        "Entries that ask for their place whatever is said, the largest first; of a chat: at its last turn.",
    ),
    "advice": listed(ref("advice"), "What would help; empty where nothing is cut."),
}
_POINT: Final = closed(
    "Budgets with which the same entries are in the prompt.",
    from_=described(POSITIVE, "The smallest of them, in tokens."),
    to=or_null(POSITIVE, "The largest; null: any larger one does as well."),
    percent=or_null(_PERCENT, "The smallest whole percentage of the context that gives it; null if 100 % do not."),
    tokens=described(COUNT, "What the activated texts take with the largest of them."),
    inside=_INSIDE,
    came=listed(INDEX, "Entries that the point before has not, in the order of activation."),
    went=listed(
        closed("One of them.", entry=INDEX, why=described(TEXT, "Why it is out with more room.")),
        "Entries that only the point before has.",
    ),
)
_TURN: Final = closed(
    "One turn with every other budget, after the turns before it as they went.",
    turn=TURN,
    context=_CONTEXT,
    percent=described(NUMBER, "The percentage in force."),
    cap=described(NUMBER, "The upper limit in force, in tokens; 0: none."),
    limit=_LIMIT,
    tokens=_TOKENS,
    need=described(POSITIVE, "The smallest budget with which nothing is cut."),
    overflowed=_OVERFLOWED,
    monotone=described(FLAG, "Whether an entry that is in stays in with every larger budget."),
    runs=described(POSITIVE, "Turns that were run to find and check the points."),
    points=listed(ref("point"), "All budgets from 1 token on, ascending."),
    percents=listed(
        closed("One percentage.", percent=described(_PERCENT, "Of the context; the cap stays in force."), **_AT),
        "Every whole percentage, ascending.",
    ),
    budgets=listed(closed("One budget.", **_AT), "The budgets asked for with --tokens."),
    contexts=listed(
        closed(
            "The turn in a context of another size.",
            context=_CONTEXT,
            limit=_LIMIT,
            tokens=_TOKENS,
            overflowed=_OVERFLOWED,
            inside=_INSIDE,
        ),
        "The usual sizes or those asked for with --contexts, and the one in force, ascending.",
    ),
    **_TAIL,
)
_TURN_OF_CHAT: Final = closed(
    "One turn as it is, and what it would need.",
    turn=TURN,
    limit=_LIMIT,
    tokens=_TOKENS,
    need=described(POSITIVE, "The smallest budget with which nothing is cut if nothing was cut before either."),
    overflowed=_OVERFLOWED,
    inside=_INSIDE,
    kept_out=listed(INDEX, "Entries that would be in with room for everything, in load order."),
    in_thanks_to_the_cut=listed(INDEX, "Entries that would be out with room for everything, in load order."),
)
_ENOUGH: Final = closed(
    "A budget, and how else to get it.",
    tokens=described(POSITIVE, "The budget."),
    percent=or_null(_PERCENT, "The whole percentage of the context that gives it; null if 100 % do not."),
    context=or_null(POSITIVE, "The context of which the percentage in force gives it; null if none does."),
)
_SURVIVAL: Final = closed(
    "An entry that the budget keeps out at one turn at least.",
    entry=INDEX,
    inside=listed(TURN, "Turns at which it is in."),
    kept_out=listed(TURN, "Turns at which it would be in with room for everything."),
    comes_and_goes=described(FLAG, "Whether there are turns of both kinds."),
    always_on=described(FLAG, "Whether it asks for its place whatever is said."),
)
_SHARES: Final = closed(
    "Tokens of the texts in the prompt by where they come from; of a chat: summed over its turns.",
    layers=keyed(LAYERS, COUNT, "By layer; those without any are left out."),
    books=listed(
        closed(
            "One book.", layer=LAYER, name=described(TEXT, "What it is called."), tokens=described(COUNT, "Its tokens.")
        ),
        "By book; those without any are left out.",
    ),
)
_ADVICE: Final = closed(
    "One thing to do.",
    kind={
        "enum": [way.value for way in Way],
        "description": "What is to be changed; stable names. step_back: the order of the entry that did not fit.",
    },
    sentence=described(TEXT, "The same in words, with what it does."),
    entries=listed(INDEX, "Entries to be changed."),
)
SCHEMA: Final = published(
    FORMAT,
    "lorebook budget --json",
    {
        "description": "What other budgets would let in at turns, or with --all what a chat needs.",
        "oneOf": [ref("of_turns"), ref("of_chat")],
    },
    {
        "of_turns": closed("Turns.", **_HEAD, turns=listed(ref("turn"), "The turns asked for, ascending.")),
        "of_chat": closed(
            "A chat.",
            **_HEAD,
            enough_for=closed(
                "Budgets that let everything in.",
                half=described(ref("enough"), "At half of the turns."),
                nearly_all=described(ref("enough"), "At 95 % of the turns."),
                every=described(ref("enough"), "At every turn."),
            ),
            turns=listed(ref("turn_of_chat"), "Its turns, ascending."),
            survivals=listed(ref("survival"), "Entries that the budget keeps out, those that come and go first."),
            **_TAIL,
        ),
        "turn": _TURN,
        "turn_of_chat": _TURN_OF_CHAT,
        "point": _POINT,
        "enough": _ENOUGH,
        "survival": _SURVIVAL,
        "shares": _SHARES,
        "advice": _ADVICE,
    },
)
"""JSON Schema 2020-12 of the whole document."""
