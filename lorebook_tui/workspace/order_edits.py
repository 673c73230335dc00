"""Edits of the order of entries in a book, written with as few changed lines as can be.

The order is that of SillyTavern's editor: where entries say `displayIndex` (in a card's book `display_index`), those
numbers change; a list without them is rearranged itself; an object without them gets numbers. No engine reads the
numbers, but the place in a list can decide between entries of equal order, and then the edit says so.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.formats.entry_edits import is_list, stores_place, with_fields, with_sequence
from lorebook_tui.model.folders import editor_order
from lorebook_tui.model.layers import EntryRef
from lorebook_tui.workspace.edits import (
    Edited,
    add_entries,
    copied_fields,
    counted,
    entry_at,
    opened_at,
    with_files,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json
    from lorebook_tui.model.layers import Layer
    from lorebook_tui.workspace.workspace import Workspace

TIES_CHANGED: Final = "Entries of equal order are now scanned in another order: the engine may prefer another one."

MOST_RENUMBERED: Final = 100
"""Beyond so many renumbered entries a copy stands at the end rather than beside its original."""


def place_entries(
    workspace: Workspace, refs: Sequence[EntryRef], before: int | None, told: str = "", *, are_new: bool = False
) -> Edited:
    """Entries of one book at another place of its order.

    Args:
        workspace: has the book.
        refs: the entries, in the order that they shall have.
        before: place (in the file) of the entry that they shall stand before; None: at the end.
        told: what is done, in words.
        are_new: they were added a moment ago, so that changing them costs nothing.

    Raises:
        UsageError: an entry is not there, or the entries are of several books.
    """
    first = refs[0]
    if any((ref.layer, ref.book) != (first.layer, first.book) for ref in refs):
        raise UsageError("Entries of several books cannot be put in order together.")
    titles = [entry_at(workspace, ref).title for ref in refs]
    moved = [ref.entry for ref in dict.fromkeys(refs)]
    order = editor_order(opened_at(workspace, first.layer, first.book).book)
    rest = [place for place in order if place not in set(moved)]
    target = before
    while target is not None and target in moved:
        after = order.index(target) + 1
        target = order[after] if after < len(order) else None
    at = rest.index(target) if target is not None else len(rest)
    what = quote(titles[0]) if len(moved) == 1 else counted(len(moved))
    wanted = [*rest[:at], *moved, *rest[at:]]
    free = frozenset(moved) if are_new else frozenset()
    told = told or f"move {what} in the order"
    return in_order(workspace, first.layer, first.book, wanted, moved, told, free=free)


def in_order(  # noqa: PLR0917 - a book, and what becomes of it
    workspace: Workspace,
    layer: Layer,
    book: int,
    wanted: Sequence[int],
    chosen: Sequence[int],
    told: str,
    *,
    free: frozenset[int] = frozenset(),
) -> Edited:
    """A book with its entries in an order.

    Args:
        workspace: has the book.
        layer: of the book.
        book: its place in the layer.
        wanted: the places (in the file) of all entries, in the order they shall have.
        chosen: places of the entries to choose afterwards.
        told: what is done, in words.
        free: places of entries whose number may change without another changed line.
    """
    opened = opened_at(workspace, layer, book)
    before, loaded = opened.book, opened.source.loaded
    if list(wanted) == editor_order(before):
        return Edited(workspace, told, tuple(EntryRef(layer, book, place) for place in chosen))
    places = {place: place for place in wanted}
    note = ""
    if is_list(loaded, before) and not any(stores_place(entry) for entry in before.entries):
        made = with_sequence(loaded, before, wanted)
        places = {place: number for number, place in enumerate(wanted)}
        note = TIES_CHANGED if _ties(before) != _ties(made.books[opened.position]) else ""
    else:
        made = _with_indices(loaded, before, wanted, free)
    after = with_files(workspace, {opened.source.ident: made})
    return Edited(after, told, tuple(EntryRef(layer, book, places[place]) for place in chosen), note)


def duplicate_entries(workspace: Workspace, refs: Sequence[EntryRef]) -> Edited:
    """A copy of every entry, right behind it; at the end of a book that has no order but the names of its entries.

    Raises:
        UsageError: an entry is not there.
    """
    listed = tuple(dict.fromkeys(refs))
    what = quote(entry_at(workspace, listed[0]).title) if len(listed) == 1 else counted(len(listed))
    after, note = workspace, ""
    focus: tuple[EntryRef, ...] = ()
    for layer, book in dict.fromkeys((ref.layer, ref.book) for ref in listed):
        places = [ref.entry for ref in listed if (ref.layer, ref.book) == (layer, book)]
        made = _duplicated(after, layer, book, places)
        after, focus, note = made.workspace, (*focus, *made.focus), note or made.note
    return Edited(after, f"duplicate {what}", focus, note)


def _duplicated(workspace: Workspace, layer: Layer, book: int, places: Sequence[int]) -> Edited:
    before = opened_at(workspace, layer, book)
    copies = [_copy(before.book.entries[place]) for place in places]
    made = add_entries(workspace, layer, book, copies)
    opened = opened_at(made.workspace, layer, book)
    if not is_list(opened.source.loaded, opened.book) and not all(map(stores_place, opened.book.entries)):
        return made
    new = {place: ref.entry for place, ref in zip(places, made.focus, strict=True)}
    added = set(new.values())
    wanted = []
    for place in editor_order(opened.book):
        if place not in added:
            wanted.append(place)
        if place in new:
            wanted.append(new[place])
    moved = len(_renumbered(opened.book, wanted, frozenset(added)).keys() - added)
    if moved > MOST_RENUMBERED and all(map(stores_place, opened.book.entries)):
        note = f"At the end of the book: room beside the original would renumber {moved:,} other entries."
        return replace(made, note=note)
    return in_order(
        made.workspace, layer, book, wanted, [new[place] for place in places], made.told, free=frozenset(added)
    )


def _renumbered(book: Book, wanted: Sequence[int], free: frozenset[int]) -> dict[int, int]:
    """The places whose numbers an order changes, and those numbers."""
    numbers = [None if place in free else _index(book.entries[place]) for place in wanted]
    made = dict(zip(wanted, fewest_numbers(numbers), strict=True))
    return {place: number for place, number in made.items() if _index(book.entries[place]) != number}


def _copy(entry: Entry) -> dict[str, Json]:
    fields = copied_fields(entry)
    comment = fields.get("comment")
    return {**fields, "comment": f"{comment} (copy)"} if isinstance(comment, str) and comment.strip() else fields


def at_place(edited: Edited, before: int | None) -> Edited:
    """An edit that added entries to a book, with these in front of another one instead of at the end."""
    if before is None or not edited.focus:
        return edited
    placed = place_entries(edited.workspace, edited.focus, before, edited.told, are_new=True)
    return replace(placed, note=placed.note or edited.note)


def fewest_numbers(numbers: Sequence[int | None]) -> list[int]:
    """The numbers made strictly ascending, none below 0, with as few of them changed as can be.

    Args:
        numbers: in the wanted order; None where there is none yet.
    """
    kept = _longest_kept(numbers)
    result: list[int] = []
    following = 0
    for place, number in enumerate(numbers):
        following = number if number is not None and place in kept else following
        result.append(following)
        following += 1
    return result


def _longest_kept(numbers: Sequence[int | None]) -> set[int]:
    """Places whose numbers can stay: between any two of them there is room for all that stands between."""
    slack_ends: list[int] = []
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for place, number in enumerate(numbers):
        if number is None or number < place:
            continue
        slack = number - place
        length = bisect_right(slack_ends, slack)
        before[place] = ends[length - 1] if length else None
        if length == len(ends):
            slack_ends.append(slack)
            ends.append(place)
        else:
            slack_ends[length] = slack
            ends[length] = place
    kept: set[int] = set()
    at = ends[-1] if ends else None
    while at is not None:
        kept.add(at)
        at = before[at]
    return kept


def _with_indices(loaded: Loaded, book: Book, wanted: Sequence[int], free: frozenset[int]) -> Loaded:
    changes = _renumbered(book, wanted, free).items()
    return with_fields(loaded, [(book.entries[place], "displayIndex", number) for place, number in changes])


def _index(entry: Entry) -> int | None:
    value = entry.get("displayIndex")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _ties(book: Book) -> list[int]:
    """The entries' contents as an engine sorts them: by order, and among equals as they are walked."""

    def rank(entry: Entry) -> float:
        order = entry.get("order")
        return -order if isinstance(order, (int, float)) else 0.0

    return [id(entry.fields if entry.source is None else entry.source) for entry in sorted(book.walked, key=rank)]
