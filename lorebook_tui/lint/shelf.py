"""What files say of themselves in short: enough to tell which are alike and which mean each other."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from lorebook_tui.lint.subjects import FileView
from lorebook_tui.model.js import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry


@dataclass(frozen=True, slots=True)
class ShelfBook:
    """A book in short."""

    name: str
    """Foreign text."""
    entries: Mapping[int, int]
    """A number for what each entry says (keys, text, order, whether it is constant or disabled): one for its name."""
    is_embedded: bool = False
    """Whether it is inside a card."""


@dataclass(frozen=True, slots=True)
class ShelfItem:
    """A file in short. Can be handed to another process."""

    file: str
    books: tuple[ShelfBook, ...] = ()
    character: str = ""
    """Name of the character, if it is a card. Foreign text."""
    links: tuple[str, ...] = ()
    """Names of the books it is bound to. Foreign text."""
    is_checked: bool = True
    """False: it only stands in the library, and nothing is said of it by itself."""

    @property
    def view(self) -> FileView:
        """A file to hang findings on."""
        return FileView(self.file)


@dataclass(frozen=True)
class Shelf:
    """All files in short."""

    items: tuple[ShelfItem, ...] = ()


def shelf_of(files: Iterable[FileView]) -> Shelf:
    """The files in short; those that cannot be read are left out."""
    return Shelf(tuple(item for file in files if (item := item_of(file)) is not None))


def item_of(file: FileView) -> ShelfItem | None:
    """A file in short, the same object as long as the file is in the same state; None if it cannot be read."""
    loaded = file.loaded
    if loaded is None:
        return None
    known = file.short
    if known is None or known[0] is not loaded or known[1].file != file.name:
        known = file.short = (loaded, _item(file.name, loaded))
    return known[1]


def _item(name: str, loaded: Loaded) -> ShelfItem:
    card = loaded.card
    links = [card.world] if card is not None and card.world.strip() else []
    if loaded.transcript is not None:
        bound = loaded.transcript.metadata.get("world_info")
        links += [bound] if isinstance(bound, str) and bound.strip() else []
    books = tuple(ShelfBook(book.name, marks_of(book), is_embedded=card is not None) for book in loaded.books)
    return ShelfItem(name, books, card.character.name if card else "", tuple(links))


def marks_of(book: Book) -> dict[int, int]:
    """A number for what each entry says, and one for its name."""
    return {mark_of(entry): _number(_named(entry)) for entry in book.entries}


def mark_of(entry: Entry) -> int:
    """A number for what an entry says."""
    return _number(_written(entry))


def unknown_marks(theirs: Mapping[int, int], mine: Mapping[int, int]) -> set[int]:
    """Marks of the entries of one book of which another has no version at all."""
    names = set(mine.values())
    return {mark for mark, name in theirs.items() if mark not in mine and name not in names}


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def _named(entry: Entry) -> str:
    """What two versions of an entry have in common: the title, or the keys where there is none."""
    return entry.title.strip().casefold() or "\0".join(entry.keys).casefold()


def _written(entry: Entry) -> str:
    """What an author writes of an entry, the same in a world and in a card."""
    order = text_of(entry.get("order", 100))
    flags = "".join("1" if entry.is_on(name) else "0" for name in ("constant", "disable"))
    parts = (*entry.keys, "\1", *entry.secondary_keys, "\1", entry.content, order, flags)
    return "\0".join(parts)
