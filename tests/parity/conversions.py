"""Imports and exports in the interchange format, run through the converters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.errors import UnreadableError, UsageError
from lorebook_tui.formats.imports import product_of
from lorebook_tui.formats.imports import world_of as imported
from lorebook_tui.formats.v2_book import character_book_of, world_of
from lorebook_tui.model.fields import template
from lorebook_tui.model.js import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

KNOWN = {"id", "comment", "import", "export"}
KNOWN_IN_IMPORT = {"kind", "data"}
KNOWN_IN_EXPORT = {"name", "book"}
CARD_BOOK = "character_book"


def is_conversion(row: Mapping[str, Any]) -> bool:
    """Whether a line asks for a conversion instead of a scan."""
    return bool(row.get("import") or row.get("export"))


def conversion(row: Mapping[str, Any]) -> dict[str, Any]:
    """The result of one import or export, without its id."""
    _known(row, KNOWN, "conversion")
    if row.get("import"):
        asked = row["import"]
        _known(asked, KNOWN_IN_IMPORT, "import")
        kind = asked.get("kind")
        if kind not in {None, CARD_BOOK}:
            raise UsageError(f"import: unknown kind {kind!r}.", where="import", found=str(kind))
        return {"book": world_of(asked["data"]) if kind else _file(asked["data"])}
    asked = row["export"]
    _known(asked, KNOWN_IN_EXPORT, "export")
    return {CARD_BOOK: character_book_of(_entries(asked["book"]), asked["name"])}


def _known(row: Mapping[str, Any], names: set[str], where: str) -> None:
    for name in row:
        if name not in names:
            raise UsageError(f"{where}: unknown key {name!r}.", where=where, found=name)


def _file(data: Any) -> Any:
    """A file as the application imports it: another product's, its own as it stands, or None for a refusal."""
    product = product_of(data)
    if product is not None:
        try:
            return imported(data, product)
        except UnreadableError:
            return None
    # an array has a method of that name
    return data if isinstance(data, list) or (isinstance(data, dict) and "entries" in data) else None


def _entries(book: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The book's entries, filled up from the template unless they are raw."""
    stored = book["entries"]
    listed = stored.items() if isinstance(stored, dict) else enumerate(stored)
    items = ((key if isinstance(key, str) else text_of(each.get("uid", key)), each) for key, each in listed)
    made: dict[str, dict[str, Any]] = {}
    for key, fields in items:
        filled = fields if book.get("raw") else {**template(), **fields}
        made[key] = {"uid": int(key) if key.isdecimal() else key, **filled}
    return made
