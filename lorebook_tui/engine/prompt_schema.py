"""The JSON Schema of an assembled prompt in the trace: what `prompt_json` makes, with every code."""

from __future__ import annotations

from typing import Final

from lorebook_tui.engine.json_schema import (
    COUNT,
    FLAG,
    INDEX,
    TEXT,
    JsonMap,
    closed,
    described,
    keyed,
    listed,
    or_null,
    ref,
)
from lorebook_tui.engine.prompt.pieces import DropReason
from lorebook_tui.engine.prompt.settings import Api
from lorebook_tui.engine.prompt.sources import Source

_DROP_REASON: Final = {
    "description": "Why a text is not in the prompt; stable names.",
    "oneOf": [{"const": reason.code, "description": reason.sentence} for reason in DropReason],
}
_PIECE: Final = closed(
    "A stretch of a text that has one origin. `start` and `end` are offsets in the text it belongs to, in code points.",
    source={
        "enum": [source.code for source in Source],
        "description": "What it comes from; marker: names, sequences of a template and line ends between texts.",
    },
    label=described(TEXT, "Its origin for people: the title of an entry, the field of a card, …"),
    entry=or_null(COUNT, "Load index of the entry it is from."),
    message=or_null(COUNT, "Index of the message in the transcript, from 0."),
    start=described(COUNT, "Offset of its first character."),
    end=described(COUNT, "Offset behind it."),
    tokens=described(COUNT, "Of its own text, counted alone; what frames it is not in."),
)
_ROW: Final = closed(
    "One message of a chat completion, or one part or line of a text completion.",
    role=or_null({"enum": ["system", "user", "assistant"]}, "Its role; null in a text completion."),
    name=or_null(TEXT, "The field `name` of the message."),
    identifier=or_null(TEXT, "What SillyTavern calls the message."),
    title=or_null(TEXT, "Which part of the prompt it is, for people."),
    tokens=described(COUNT, "What it costs, name and frame included."),
    text=described(TEXT, "What it says."),
    pieces=listed(ref("prompt_piece"), "Its stretches, which cover the text."),
)
_DROPPED: Final = closed(
    "A text that is not in the prompt.",
    reason=ref("drop_reason"),
    title=or_null(TEXT, "Where it would have stood, for people."),
    tokens=described(COUNT, "What it would have cost."),
    text=described(TEXT, "What it says."),
    pieces=listed(ref("prompt_piece"), "Its stretches."),
)
_MISSING: Final = closed(
    "An activated entry of which nothing is in the prompt.",
    entry=INDEX,
    reason={"anyOf": [ref("drop_reason"), ref("reason")], "description": "A stable name."},
    sentence=described(TEXT, "Why, for people."),
    tokens=described(COUNT, "That the scan counted for it."),
)
_PROMPT: Final = closed(
    "The prompt as the model would get it.",
    api={
        "enum": [api.name.lower() for api in Api],
        "description": "chat: a list of messages; text: one string, which is all texts of `rows` in a row.",
    },
    tokens=described(COUNT, "Of the whole, as SillyTavern counts."),
    context=described({"type": "integer"}, "Tokens for the prompt: context size less response length."),
    error=or_null(TEXT, "Why it is not complete, or is not sent."),
    sent=described(FLAG, "Whether SillyTavern sends it in spite of an error."),
    changed=described(FLAG, "SillyTavern runs the generation otherwise than asked; the turn shows the scan it makes."),
    first_in_context=or_null(
        {"type": "integer"}, "Number of the first message of the chat in it, as SillyTavern counts; null in a dry run."
    ),
    sources=keyed(
        {"enum": [source.code for source in Source]},
        COUNT,
        "Tokens by source; what frames texts is the rest of the whole.",
    ),
    rows=listed(ref("prompt_row"), "From top to bottom."),
    dropped=listed(ref("dropped_text"), "Texts that are not in it."),
    missing=listed(ref("missing_entry"), "Activated entries of which nothing is in it."),
    outlets={"type": "object", "description": "Texts of outlets by name.", "additionalProperties": TEXT},
)
PROMPT_DEFS: Final[JsonMap] = {
    "prompt": _PROMPT,
    "prompt_row": _ROW,
    "prompt_piece": _PIECE,
    "dropped_text": _DROPPED,
    "missing_entry": _MISSING,
    "drop_reason": _DROP_REASON,
}
"""Definitions that the schema of the trace takes in."""
