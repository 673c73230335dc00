"""A card's book without the card: `{"entries": [{"keys": […], …}]}`, as Chub, Wyvern and others write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.formats.base import Content
from lorebook_tui.formats.entries import Dialect, home_of, read_book
from lorebook_tui.model.book import Book
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Source
    from lorebook_tui.model.js import Json


@dataclass(frozen=True, slots=True)
class BareBookFormat:
    """Books in the shape of the card specification; also their array of entries alone."""

    name: str = "v2_book"
    title: str = "a character book (V2)"

    def recognises(self, value: Json) -> bool:
        """Whether most of its entries have the names of the card specification; without any, the book tells."""
        if isinstance(value, dict):
            if value.get("entries") == []:
                return isinstance(value.get("extensions"), dict)
            return home_of(value.get("entries")) is Dialect.V2
        return isinstance(value, list) and home_of(value) is Dialect.V2

    def read(self, source: Source) -> Content:
        """The book, converted entry by entry; what SillyTavern would do with the file is reported."""
        value = source.document.value
        root = value if isinstance(value, dict) else {"entries": value}
        path = ("entries",) if isinstance(value, dict) else ()
        entries = root.get("entries", MISSING)
        source.reporter.add(
            "not-a-world",
            "This is a bare character book, read as SillyTavern reads the book of a card. SillyTavern itself would "
            "take the file for a world and find no keys in it.",
            path,
            expected="a world, or a card around the book",
            found="entries with `keys`",
        )
        extras = {name: item for name, item in root.items() if name != "entries"}
        book = Book(source.stem, (), self.name, extras)
        return Content((read_book(source, entries, path, Dialect.V2, book, strict=source.strict),))
