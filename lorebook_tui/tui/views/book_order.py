"""In which order a book's entries are shown, and in which folders; kept as long as an edit does not touch either."""

from __future__ import annotations

from dataclasses import dataclass
from operator import is_not
from typing import TYPE_CHECKING

from lorebook_tui.model.folders import editor_order, folder_of, listed_folders, separator_of, tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.folders import Folder


@dataclass(slots=True)
class BookOrder:
    """The order of one book."""

    book: Book
    places: Sequence[int]
    """Of all entries, as the editor of SillyTavern shows them."""
    root: Folder | None
    """None if there are no folders."""
    rank: dict[int, int] | None = None
    """Of every place, once it is needed."""

    def sorted(self, places: Sequence[int]) -> Sequence[int]:
        """Some places in this order."""
        if isinstance(self.places, range):
            return sorted(places)
        if self.rank is None:
            self.rank = {place: rank for rank, place in enumerate(self.places)}
        return sorted(places, key=self.rank.__getitem__)

    def of(self, folder: Folder) -> Sequence[int]:
        """The entries directly in a folder, in this order."""
        return self.sorted(folder.entries)


def order_of(book: Book, before: BookOrder | None = None) -> BookOrder:
    """The order of a book.

    Args:
        book: the book.
        before: of an earlier state of it; taken over where nothing changed that it depends on.
    """
    changed = _changed(before.book, book) if before is not None else None
    if before is not None and changed is not None:
        old = [before.book.entries[place] for place in changed]
        new = [book.entries[place] for place in changed]
        if list(map(_folder_facts, old)) == list(map(_folder_facts, new)):
            if [entry.get("displayIndex") for entry in old] == [entry.get("displayIndex") for entry in new]:
                return BookOrder(book, before.places, before.root, before.rank)
            if before.root is None:
                return BookOrder(book, _places(book), None)
    root = tree(book)
    return BookOrder(book, _places(book), root if root.folders else None)


def _places(book: Book) -> Sequence[int]:
    places = editor_order(book)
    return range(len(places)) if places == list(range(len(places))) else places


def _changed(old: Book, new: Book) -> list[int] | None:
    """Places of entries that an edit changed; None if it did more."""
    if len(old.entries) != len(new.entries):
        return None
    if old.extras is not new.extras and listed_folders(old) != listed_folders(new):
        return None
    return [place for place, differs in enumerate(map(is_not, old.entries, new.entries)) if differs]


def _folder_facts(entry: Entry) -> tuple[object, ...]:
    """What folders depend on, apart from the order."""
    return folder_of(entry), separator_of(entry)
