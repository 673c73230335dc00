"""What JSON documents of our own have in common: how they begin, what an entry is named by, values of foreign files.

The schema is in `document_schema`. Numbers that JSON cannot spell (an order that is none) are null.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from lorebook_tui import __version__
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from lorebook_tui.engine.compiled_entry import CompiledEntry

JsonMap = dict[str, Any]


def beginning(name: str) -> JsonMap:
    """What every document begins with.

    Args:
        name: of its format, such as `lorebook-trace/1`.
    """
    return {"format": name, "program": f"lorebook-tui {__version__}"}


def identity(entry: CompiledEntry) -> JsonMap:
    """What tells a loaded entry from all others, for tools and for people."""
    return {
        "index": entry.index,
        "book": entry.book,
        "layer": entry.layer.value,
        "uid": json_value(entry.uid),
        "title": entry.entry.title,
    }


def json_value(value: Any) -> Any:
    """A value as JSON can spell it: what is missing or no finite number is null, a whole float an integer."""
    if value is MISSING:
        return None
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {str(name): json_value(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(item) for item in value]
    return value
