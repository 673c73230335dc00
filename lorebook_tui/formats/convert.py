"""A book in another shape: SillyTavern's world, a bare V2 book or a standalone V3 book, with what that costs.

Unlike SillyTavern's own import and export, which `v2_book` repeats, this conversion keeps what the other shape has no
place for in extension data, and takes over what the other shape says in another way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UnsupportedError, UsageError
from lorebook_tui.formats.aside import put_aside, taken_back
from lorebook_tui.formats.losses import Converted, Fate, Loss
from lorebook_tui.formats.new_book import FORMATS, loaded_of
from lorebook_tui.formats.to_card_book import card_entry
from lorebook_tui.formats.to_world import world_entry
from lorebook_tui.model.js import is_index, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json

WORLD: Final = "sillytavern"
V2: Final = "v2_book"
V3: Final = "lorebook_v3"
_ORIGINAL: Final = "originalData"
_NAME: Final = "name"
_EXTENSIONS: Final = "extensions"
_BOOK_MEMBERS: Final = ("name", "description", "scan_depth", "token_budget", "recursive_scanning", "extensions")
_SETTINGS: Final = ("scan_depth", "token_budget", "recursive_scanning")


def convert(loaded: Loaded, to: str, name: str = "", position: int = 0) -> Converted:
    """A book of a file in another shape, as a file of its own.

    Args:
        loaded: the file, a card too.
        to: `WORLD`, `V2` or `V3`.
        name: file name of the new file, with or without extension; "": the book's.
        position: which of the file's books.

    Raises:
        UnsupportedError: books cannot be written in that shape.
        UnreadableError: the file holds no book.
        UsageError: it has no book at that place.
    """
    if to not in FORMATS:
        raise UnsupportedError(
            f"Books cannot be converted to {quote(to)}.",
            expected=" or ".join(FORMATS),
            found=to,
            hint="SillyTavern imports a world, and RisuAI, Chub and others read V2 and V3 books.",
        )
    loaded.require_book()
    if not 0 <= position < len(loaded.books):
        raise UsageError(f"{loaded.name or 'The file'} has no book {position + 1}.")
    book = loaded.books[position]
    losses: list[Loss] = []
    value = _world(book, losses) if to == WORLD else _card_book(book, to, name or book.name, losses)
    made = {"spec": V3, "data": value} if to == V3 else value
    return Converted(loaded_of(made, to, name or f"{book.name or 'lore'}.json"), tuple(losses))


def embedded(card: Loaded, source: Loaded, position: int = 0) -> Converted:
    """A card with a book of another file as its embedded book; everything else about the card stays byte for byte.

    Args:
        card: a V2 or V3 card as JSON, image or archive.
        source: the file of the book.
        position: which of its books.

    Raises:
        UnsupportedError: a V1 card, which cannot hold a book, or no card at all.
        UnreadableError, UsageError: there is no such book.
    """
    data = card.document.value.get("data") if isinstance(card.document.value, dict) else None
    if card.card is None or not isinstance(data, dict):
        raise UnsupportedError(
            f"{card.name or 'The file'} cannot hold a book.",
            expected="a V2 or V3 character card",
            found=card.format.title,
            hint="Open a V1 card in SillyTavern and export it; that makes it a V2 card." if card.card else "",
        )
    made = convert(source, V3 if card.card.spec.startswith("chara_card_v3") else V2, position=position)
    book = made.loaded.document.value
    losses = list(made.losses)
    if data.get("character_book"):
        losses.append(Loss("replaced", "The card's own book makes room for it.", Fate.LOST, None, "character_book"))
    changed = card.document.set(("data", "character_book"), book["data"] if "spec" in book else book)
    return Converted(card.edited(changed), tuple(losses))


def _is_world(book: Book) -> bool:
    """Whether the book itself, apart from its entries, has SillyTavern's shape."""
    return book.format == WORLD


def _world(book: Book, losses: list[Loss]) -> dict[str, Any]:
    """The book as a world."""
    entries: dict[str, Json] = {}
    taken = {entry.uid_text for entry in book.entries}
    for entry in book.entries:
        fields = world_entry(entry, losses)
        key = entry.key if entry.source is None else entry.uid_text
        if not is_index(key) or key in entries:
            key = next(str(number) for number in range(len(taken) + 1) if str(number) not in taken)
            taken.add(key)
            losses.append(_renumbered(entry, fields, key))
            fields["uid"] = int(key)
        entries[key] = fields
    return {"entries": entries, **_world_members(book, losses)}


def _renumbered(entry: Entry, fields: Mapping[str, Json], key: str) -> Loss:
    told = f"Its id {text_of(fields.get('uid'))} is no number of its own; it is now {key}."
    return Loss("id", told, Fate.ADAPTED, entry.title, "uid")


def _world_members(book: Book, losses: list[Loss]) -> dict[str, Json]:
    """What stands beside the entries of a world."""
    if _is_world(book):
        return dict(book.extras)
    extensions, back = taken_back(book.extras.get(_EXTENSIONS), WORLD)
    others = {name: value for name, value in book.extras.items() if name not in {_NAME, _EXTENSIONS}}
    for name in others:
        told = (
            "SillyTavern takes it from its global settings; set it there."
            if name in _SETTINGS
            else "A world has no place for it."
        )
        losses.append(Loss("book", told, Fate.ASIDE, None, name))
    extensions = put_aside(extensions, V2, others)
    named = {_NAME: book.extras[_NAME]} if _NAME in book.extras else {}
    return {**named, **back, **({_EXTENSIONS: extensions} if extensions else {})}


def _card_book(book: Book, to: str, name: str, losses: list[Loss]) -> dict[str, Any]:
    """The book in the shape of the card specification."""
    entries: list[Json] = []
    taken: set[str] = set()
    for entry in book.entries:
        raw = card_entry(entry, losses, version=3 if to == V3 else 2)
        identity = raw.get("id")
        if to == V2 and "id" in raw and (isinstance(identity, (str, bool)) or text_of(identity) in taken):
            raw["id"] = next(number for number in range(len(book.entries) + 1) if str(number) not in taken)
            losses.append(Loss("id", f"Its id is now the number {raw['id']}.", Fate.ADAPTED, entry.title, "uid"))
        taken.add(text_of(raw.get("id")))
        entries.append(raw)
    return {**_card_members(book, name, losses), "entries": entries}


def _card_members(book: Book, name: str, losses: list[Loss]) -> dict[str, Json]:
    """What stands beside the entries of a card's book."""
    if not _is_world(book):
        return {_NAME: name, _EXTENSIONS: {}, **book.extras}
    extensions, back = taken_back(book.extras.get(_EXTENSIONS), V2)
    others = {key: value for key, value in book.extras.items() if key not in {_NAME, _EXTENSIONS, _ORIGINAL}}
    if _ORIGINAL in book.extras:
        told = "The copy of the card's book that SillyTavern kept beside the entries is not taken along."
        losses.append(Loss("original-data", told, Fate.LOST, None, _ORIGINAL))
    losses += [Loss("book", "A card's book has no place for it.", Fate.ASIDE, None, key) for key in others]
    title = book.extras.get(_NAME)
    made = {_NAME: title if isinstance(title, str) and title else name, **back}
    made[_EXTENSIONS] = put_aside(extensions, WORLD, others)
    return {key: made[key] for key in (*_BOOK_MEMBERS, *made) if key in made}
