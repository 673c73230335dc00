"""Edits of a book's folders, as changes of fields that an engine never reads.

What is activated stays the same. As with any edit of an entry, SillyTavern 1.19 forgets a sticky effect that is running
in a chat, because it recognises the entry by all of its fields.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.model.folders import (
    NAMESPACE,
    cleaned,
    folder_of,
    folders_of,
    is_within,
    joined,
    listed_folders,
    order_of,
    parent_of,
    parted,
    separators_of,
    tree,
)
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.folders import Separator
    from lorebook_tui.model.js import Json

_FOLDER: Final = "folder"
_FOLDERS: Final = "folders"


@dataclass(frozen=True, slots=True)
class FolderEdit:
    """What has to change in a file so that its folders change."""

    told: str
    """What is done, as an order; may quote foreign names."""
    fields: tuple[tuple[int, str, Json], ...] = ()
    """Place of an entry, SillyTavern's name of a field, its new value (`MISSING` removes it)."""
    removed: tuple[int, ...] = ()
    """Places of separators that go."""
    listed: tuple[str, ...] | None = None
    """The list of folders that the book has to keep; None: as it is."""


def book_extensions(extensions: Json, listed: Sequence[str]) -> Json:
    """The book's `extensions` with another list of folders; `MISSING` if nothing is left of them.

    Raises:
        UsageError: the book has something else there.
    """
    return _with_member(extensions, _FOLDERS, list(listed) if listed else MISSING)


def entry_extensions(extensions: Json, folder: str | None) -> Json:
    """An entry's `extensions` with another folder, None for no word about it; `MISSING` if nothing is left of them.

    Raises:
        UsageError: the entry has something else there.
    """
    return _with_member(extensions, _FOLDER, MISSING if folder is None else folder)


def _with_member(extensions: Json, name: str, value: Json) -> Json:
    if extensions is not MISSING and extensions is not None and not isinstance(extensions, dict):
        raise UsageError(
            "There is no place for folders: `extensions` is no object.",
            where="extensions",
            expected="an object",
            hint="Set it to {} in the raw JSON first.",
        )
    outer: dict[str, Any] = dict(extensions) if isinstance(extensions, dict) else {}
    held = outer.get(NAMESPACE)
    inner = {key: item for key, item in (held if isinstance(held, dict) else {}).items() if key != name}
    if value is not MISSING:
        inner[name] = value
    if inner:
        outer[NAMESPACE] = inner
    else:
        outer.pop(NAMESPACE, None)
    return outer if outer or extensions in ({}, None) else MISSING


def move_entries(book: Book, places: Iterable[int], folder: str) -> FolderEdit:
    """Entries put into a folder, which need not exist yet; "" takes them out of all.

    Raises:
        UsageError: an entry is not there, or has no place for it.
    """
    target = cleaned(folder)
    wanted = list(folders_of(book))
    separators = separators_of(book)
    chosen = [place for place in dict.fromkeys(places) if place not in separators]
    if any(not 0 <= place < len(wanted) for place in chosen):
        raise UsageError("The entry is not there any more.")
    for place in chosen:
        wanted[place] = target
    listed = _grown(book, target)
    who, whose = ("1 entry", "its folder") if len(chosen) == 1 else (f"{len(chosen):,} entries", "their folders")
    told = f"move {who} to the folder {quote(target)}" if target else f"move {who} out of {whose}"
    return FolderEdit(told, _settled(book, wanted, separators), (), listed)


def create(book: Book, path: str) -> FolderEdit:
    """A new folder without entries, the last one of its parent.

    Raises:
        UsageError: it has no name, or there is one already.
    """
    target = cleaned(path)
    if not target:
        raise UsageError("A folder needs a name.", expected="a name, or names with / between them", found=path)
    order = order_of(tree(book))
    if target in order:
        raise UsageError(f"There is already a folder {quote(target)}.")
    return FolderEdit(f"add the folder {quote(target)}", listed=_placed(order, target))


def _placed(order: Sequence[str], path: str) -> tuple[str, ...]:
    """The order with one more folder, and those around it, behind all that is in the same parent."""
    listed = list(order)
    parts = path.split("/")
    for count in range(1, len(parts) + 1):
        each = "/".join(parts[:count])
        if each in listed:
            continue
        parent = parent_of(each)
        behind = [place for place, other in enumerate(listed) if is_within(other, parent)]
        listed.insert(behind[-1] + 1 if behind else len(listed), each)
    return tuple(listed)


def _grown(book: Book, target: str) -> tuple[str, ...] | None:
    """The list with a new folder in it, if the book keeps a list that lacks it."""
    if not listed_folders(book) or not target:
        return None
    order = order_of(tree(book))
    return None if target in order else _placed(order, target)


def rename(book: Book, path: str, name: str) -> FolderEdit:
    """A folder under another name in the same parent; if there is one of that name, they become one.

    Raises:
        UsageError: there is no such folder, or the name is empty or a path.
    """
    plain = name.strip()
    if not plain or "/" in plain:
        raise UsageError("A folder needs a name without /.", expected="a name", found=name)
    known = _require(book, path)
    return _replaced(
        book, known, joined(parent_of(known), plain), f"rename the folder {quote(known)} to {quote(plain)}"
    )


def move_folder(book: Book, path: str, parent: str) -> FolderEdit:
    """A folder with everything in it inside another one, or at the top with "".

    Raises:
        UsageError: there is no such folder, or it would be inside itself.
    """
    known, target = _require(book, path), cleaned(parent)
    if is_within(target, known):
        raise UsageError("A folder cannot be inside itself.", found=target)
    where = f"into {quote(target)}" if target else "to the top"
    return _replaced(
        book, known, joined(target, known.rpartition("/")[2]), f"move the folder {quote(known)} {where}", keep=False
    )


def delete(book: Book, path: str) -> FolderEdit:
    """The book without a folder: its entries and folders go to its parent, its separators away.

    Raises:
        UsageError: there is no such folder.
    """
    known = _require(book, path)
    return _replaced(book, known, parent_of(known), f"remove the folder {quote(known)}", keep=False)


def _require(book: Book, path: str) -> str:
    known = cleaned(path)
    if not known or tree(book).find(known) is None:
        raise UsageError(f"There is no folder {quote(path)}.", expected=", ".join(order_of(tree(book))) or "a folder")
    return known


def _replaced(book: Book, old: str, new: str, told: str, *, keep: bool = True) -> FolderEdit:
    """Everything at or below one path at another; separators are retitled, or go if they are not kept."""
    separators = separators_of(book)

    def moved(path: str) -> str:
        return cleaned(new + path[len(old) :]) if path and is_within(path, old) else path

    wanted = [moved(path) for path in folders_of(book)]
    natural = parted(book, separators)
    inside = [place for place in separators if natural[place] and is_within(natural[place], old)]
    order = order_of(tree(book))
    listed = tuple(dict.fromkeys(path for path in map(moved, order) if path)) if listed_folders(book) else None
    if not keep:
        left = {place: each for place, each in separators.items() if place not in inside}
        fields = _settled(book, wanted, left, gone=frozenset(inside))
        return FolderEdit(told, fields, tuple(inside), listed)
    titled = dict(separators)
    retitled: list[tuple[int, str, Json]] = []
    for place in inside:
        depth = len(old.split("/")) - len(natural[place].split("/")) + len(separators[place].name.split("/")) - 1
        titled[place], comment = _retitled(book.entries[place], separators[place], depth, new.rpartition("/")[2])
        if comment != book.entries[place].get("comment"):
            retitled.append((place, "comment", comment))
    return FolderEdit(told, (*retitled, *_settled(book, wanted, titled)), (), listed)


def _retitled(entry: Entry, separator: Separator, depth: int, name: str) -> tuple[Separator, str]:
    """A separator with one part of its name changed, and its title."""
    comment = str(entry.get("comment"))
    written = _written(comment, separator)
    parts = separator.name.split("/")
    if not 0 <= depth < len(parts):
        return separator, comment
    parts[depth] = name
    changed = replace(separator, name="/".join(parts))
    before, after = comment[: separator.start], comment[separator.start + len(written) :]
    return changed, before + changed.name + after


def _written(comment: str, separator: Separator) -> str:
    """The name as the title spells it, with blanks around its slashes."""
    end = separator.start
    for part in separator.name.split("/"):
        end = comment.index(part, end) + len(part)
    return comment[separator.start : end]


def _settled(
    book: Book, wanted: Sequence[str], separators: Mapping[int, Separator], *, gone: frozenset[int] = frozenset()
) -> tuple[tuple[int, str, Json], ...]:
    """The fewest changes after which every entry is where it is wanted; separators themselves say nothing."""
    natural = parted(book, separators)
    changes: list[tuple[int, str, Json]] = []
    for place, entry in enumerate(book.entries):
        if place in separators or place in gone:
            continue
        own = folder_of(entry)
        if (natural[place] if own is None else own) == wanted[place]:
            continue
        said = None if natural[place] == wanted[place] else wanted[place]
        extensions = entry_extensions(entry.get("extensions"), said)
        if extensions is MISSING and entry.source is not None:
            extensions = {}  # an entry of a card's book must have some
        changes.append((place, "extensions", extensions))
    return tuple(changes)
