"""Findings that an author has answered: suppressions in the entry's extension data, never in its content.

`"extensions": {"lorebook": {"ignore": {"KEY004": "the short name is meant"}}}` in an entry (a list or a text with
the codes will do), and the same in the extension data of a book for all of its entries.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lorebook_tui.lint.catalogue import is_selected

if TYPE_CHECKING:
    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.model.js import Json

HOME: Final = "lorebook"
IGNORE: Final = "ignore"
_BETWEEN: Final = re.compile(r"[,;]")


def is_suppressed(finding: Finding) -> bool:
    """Whether the entry of a finding, or its book, says that it is fine."""
    if finding.entry is None:
        return any(is_selected(finding.code, codes_in(book.book.extras)) for book in finding.file.books)
    entry = finding.entry
    raw = entry.entry.source if entry.entry.source is not None else entry.entry.fields
    return is_selected(finding.code, codes_in(raw) + codes_in(entry.book.book.extras))


def codes_in(value: Json) -> tuple[str, ...]:
    """The codes that an entry, or the object of a book, lets pass."""
    for name in ("extensions", HOME, IGNORE):
        value = value.get(name) if hasattr(value, "get") else None
    return listed_in(value)


def listed_in(value: Json) -> tuple[str, ...]:
    """The codes that stand in the place for them: as names of members, as items, or in a text."""
    if isinstance(value, str):
        return tuple(_BETWEEN.sub(" ", value).split())
    listed = value if isinstance(value, (dict, list)) else ()
    return tuple(code for code in listed if isinstance(code, str) and code)
