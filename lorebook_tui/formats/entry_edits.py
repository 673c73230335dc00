"""Edits of entries in a loaded file, told in SillyTavern's names and written in the file's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.formats.entries import Dialect, home_of
from lorebook_tui.formats.json_edit import changed, has_step
from lorebook_tui.formats.v2_book import changes_of, character_book_of
from lorebook_tui.model.js import MISSING, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json, JsonPath

_CONTAINERS: Final[tuple[JsonPath, ...]] = (
    ("data", "character_book", "entries"),
    ("data", "extensions", "character_book", "entries"),
    ("character_book", "entries"),
    ("data", "entries"),
    ("entries",),
    (),
)


def with_fields(loaded: Loaded, changes: Iterable[tuple[Entry, str, Json]]) -> Loaded:
    """The file with fields of entries changed, all at once.

    Args:
        loaded: the file the entries are from.
        changes: entry, SillyTavern's name of a field, and its new value; `MISSING` removes it.

    Raises:
        UsageError: an entry is not of this file, or a value cannot be written as JSON.
    """
    document = loaded.document
    written: dict[JsonPath, Json] = {}
    for entry, name, value in changes:
        raw = written.get(entry.path, MISSING)
        if raw is MISSING:
            raw = document.at(entry.path)
        if not isinstance(raw, dict):
            raise UsageError(f"Entry {quote(entry.title)} is not of this file.")
        places = [((name,), value)] if entry.source is None else changes_of(raw, name, value)
        written[entry.path] = changed(
            raw, [place for place in places if place[1] is not MISSING or _has(raw, place[0])]
        )
    return loaded.edited(document.changed(written.items()))


def _has(value: Json, path: JsonPath) -> bool:
    """Whether something stands at a path."""
    for step in path:
        if not has_step(value, step):
            return False
        value = value[step]
    return True


def without_entries(loaded: Loaded, entries: Iterable[Entry]) -> Loaded:
    """The file without some entries.

    Raises:
        UsageError: an entry is not of this file.
    """
    return loaded.edited(loaded.document.changed([(entry.path, MISSING) for entry in entries]))


def with_entries(
    loaded: Loaded, entries: Sequence[Mapping[str, Json]], before: int | None = None
) -> tuple[Loaded, int]:
    """The file with more entries in its first book.

    Args:
        loaded: a file with a book.
        entries: SillyTavern's fields of each; a missing `uid`, or one that is taken, becomes the smallest free number.
        before: place of the entry to stand before, where entries are a list; None: at the end, as always in an object.

    Returns:
        The file, and the place of the first new entry in the book.

    Raises:
        UnreadableError: the file holds no book.
        UsageError: the file has no place for entries.
    """
    book = loaded.require_book()
    path = container_of(loaded.document, book)
    container = loaded.document.at(path)
    is_world = _is_world(loaded, container)
    uids = _Uids(book)
    raws = []
    for fields in entries:
        named = {"uid": uids.take(fields.get("uid", MISSING)), **{k: v for k, v in fields.items() if k != "uid"}}
        raws.append((named["uid"], named if is_world else _card_entry(named, container)))
    if isinstance(container, dict):
        place = len(book.entries)
        changes = [((*path, text_of(uid)), raw) for uid, raw in raws]
        return loaded.edited(loaded.document.changed(changes)), place
    place = len(container) if before is None else max(0, min(before, len(container)))
    grown = [*container[:place], *(raw for _, raw in raws), *container[place:]]
    return loaded.edited(loaded.document.changed([(path, grown)])), place


def with_sequence(loaded: Loaded, book: Book, wanted: Sequence[int]) -> Loaded:
    """The file with the entries of a list in another order; what is no entry keeps its place.

    Args:
        loaded: the file.
        book: whose entries are a list in it.
        wanted: the present places of all entries, in the order they shall have.
    """
    path = book.entries[0].path[:-1]
    items = list(loaded.document.at(path))
    steps = [int(entry.path[-1]) for entry in book.entries]
    moved = [items[steps[place]] for place in wanted]
    for step, item in zip(sorted(steps), moved, strict=True):
        items[step] = item
    return loaded.edited(loaded.document.changed([(path, items)]))


def stores_place(entry: Entry) -> bool:
    """Whether the file says which place the entry has in SillyTavern's editor."""
    if entry.source is None:
        return entry.fields.get("displayIndex") is not None
    extensions = entry.source.get("extensions")
    return isinstance(extensions, dict) and extensions.get("display_index") is not None


def is_list(loaded: Loaded, book: Book) -> bool:
    """Whether the entries are a list in the file; False for none."""
    return bool(book.entries) and isinstance(loaded.document.at(book.entries[0].path[:-1]), list)


def container_of(document: JsonDocument, book: Book) -> JsonPath:
    """Where the book's entries stand."""
    if book.entries:
        return book.entries[0].path[:-1]
    for path in _CONTAINERS:
        if document.has(path) and isinstance(document.at(path), list if not path else (dict, list)):
            return path
    raise UsageError("The book has no place for entries.", expected="an array or object `entries`")


class _Uids:
    """Which uids a book has, and the next free one."""

    def __init__(self, book: Book) -> None:
        self.taken = {entry.uid_text for entry in book.entries} | {entry.key for entry in book.entries}
        self.next = 0

    def take(self, wanted: Json) -> Json:
        """The wanted uid if it is free, else the smallest free number."""
        if wanted is MISSING or text_of(wanted) in self.taken:
            while str(self.next) in self.taken:
                self.next += 1
            wanted = self.next
        self.taken.add(text_of(wanted))
        return wanted


def _is_world(loaded: Loaded, container: Json) -> bool:
    home = home_of(container)
    return home is Dialect.SILLYTAVERN if home else loaded.format.name == "sillytavern"


def _card_entry(fields: Mapping[str, Json], container: Json) -> dict[str, Json]:
    """The entry as a card's book has it. Only books that say `use_regex` get it, as their last entry has it."""
    raw: dict[str, Json] = character_book_of({"0": fields}, "", strict=False)["entries"][0]
    others = list(container.values()) if isinstance(container, dict) else container
    last = others[-1] if others and isinstance(others[-1], dict) else {}
    del raw["use_regex"]
    return {**raw, "use_regex": last["use_regex"]} if "use_regex" in last else raw
