"""The standalone book of the V3 specification: `{"spec": "lorebook_v3", "data": <book>}`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.errors import UnreadableError
from lorebook_tui.formats.base import Content, seen
from lorebook_tui.formats.entries import Dialect, read_book
from lorebook_tui.model.book import Book
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Source
    from lorebook_tui.model.js import Json


@dataclass(frozen=True, slots=True)
class LorebookV3Format:
    """Standalone V3 books."""

    name: str = "lorebook_v3"
    title: str = "a V3 lorebook"

    def recognises(self, value: Json) -> bool:
        """Whether it says so."""
        return isinstance(value, dict) and value.get("spec") == "lorebook_v3"

    def read(self, source: Source) -> Content:
        """The book in `data`."""
        value = source.document.value
        data = value.get("data", MISSING) if isinstance(value, dict) else MISSING
        if not isinstance(data, dict):
            raise UnreadableError(
                "The V3 lorebook has no book in `data`.", where="data", expected="an object", found=seen(data)
            )
        source.reporter.add(
            "not-a-world",
            "SillyTavern refuses this file, because its entries are under `data`; it is read as a card's book.",
            (),
            expected="a world, or a card around the book",
            found="lorebook_v3",
        )
        extras = {name: item for name, item in data.items() if name != "entries"}
        book = Book(source.stem, (), self.name, extras)
        entries = data.get("entries", MISSING)
        return Content((read_book(source, entries, ("data", "entries"), Dialect.V2, book, strict=source.strict),))
