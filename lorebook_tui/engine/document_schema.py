"""Pieces that the JSON Schemas of several documents share: what is open, and by what an entry is named.

What writes them is in `document_json` and, for what is open, in the command line.
"""

from __future__ import annotations

from typing import Final

from lorebook_tui.engine.json_schema import (
    ANYTHING,
    COUNT,
    DRAFT,
    FLAG,
    INDEX,
    NUMBER,
    TEXT,
    WHOLE,
    JsonMap,
    closed,
    described,
    listed,
    or_null,
)
from lorebook_tui.model.fields import SETTING_FIELDS
from lorebook_tui.model.layers import Layer

LAYERS: Final[JsonMap] = {"enum": [layer.value for layer in Layer]}
LAYER: Final = described(LAYERS, "The layer of the book.")
TURN: Final = described(COUNT, "Messages that exist when the reply is generated.")
LOAD_ERROR: Final = or_null(TEXT, "Why no lore could be loaded at all.")

OPEN: Final[JsonMap] = {
    "file": or_null(TEXT, "The workspace file."),
    "chat": or_null(TEXT, "The file of the chat."),
    "engine": described(TEXT, "Whose rules were followed."),
    "seed": described(WHOLE, "Seed of the random numbers."),
    "context": described(WHOLE, "Tokens: context size less response length."),
    "tokenizer": described(TEXT, "What counted tokens."),
    "settings": closed(
        "The scan's settings under SillyTavern's names.",
        **{row.name: described(FLAG if "boolean" in row.types else NUMBER, row.help) for row in SETTING_FIELDS},
    ),
    "books": listed(
        closed(
            "An open book.",
            layer=LAYER,
            name=described(TEXT, "What it is called."),
            file=described(TEXT, "The file it stands in."),
            entries=described(COUNT, "Entries in it."),
        ),
        "In order of layers.",
    ),
}
"""Properties: what is open, and the rules it was looked at with."""

IDENTITY: Final[JsonMap] = {
    "index": INDEX,
    "book": described(TEXT, "Name of its book."),
    "layer": LAYER,
    "uid": described(ANYTHING, "Its uid as the file spells it; null if it has none."),
    "title": described(TEXT, "Its comment, else its first key, else its uid."),
}
"""Properties: what tells a loaded entry from all others."""

ENTRIES: Final = listed(closed("One loaded entry.", **IDENTITY), "Every loaded entry, in load order.")


def beginning(name: str) -> JsonMap:
    """Properties that every document begins with.

    Args:
        name: of its format, such as `lorebook-trace/1`.
    """
    return {
        "format": {"const": name, "description": "What the document is; another number after changes that break."},
        "program": described(TEXT, "Program and version."),
    }


def published(name: str, title: str, body: JsonMap, defs: JsonMap) -> JsonMap:
    """The schema of a whole document.

    Args:
        name: of the documents' format, which its own name is made from.
        title: for people.
        body: the document.
        defs: what it refers to.
    """
    kind, version = name.removeprefix("lorebook-").split("/")
    return {
        "$schema": DRAFT,
        "$id": f"urn:lorebook-tui:{kind}:{version}",
        "title": title,
        **body,
        "$defs": defs,
    }
