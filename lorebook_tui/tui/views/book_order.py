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
    if before is not None and _is_as_before(before.book, book):
        return BookOrder(book, before.places, before.root, before.rank)
    places: Sequence[int] = editor_order(book)
    if places == list(range(len(places))):
        places = range(len(places))
    root = tree(book)
    return BookOrder(book, places, root if root.folders else None)


def _is_as_before(old: Book, new: Book) -> bool:
    if old is new:
        return True
    if len(old.entries) != len(new.entries):
        return False
    if old.extras is not new.extras and listed_folders(old) != listed_folders(new):
        return False
    changed = [place for place, differs in enumerate(map(is_not, old.entries, new.entries)) if differs]
    return all(_facts(old.entries[place]) == _facts(new.entries[place]) for place in changed)


def _facts(entry: Entry) -> tuple[object, ...]:
    """What places and folders depend on."""
    return entry.get("displayIndex"), folder_of(entry), separator_of(entry)
