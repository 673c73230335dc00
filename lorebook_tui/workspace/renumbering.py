"""New orders for entries, evenly spaced, upwards or downwards, with as little said as possible about the rest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.model.folders import editor_order, folders_of
from lorebook_tui.model.js import to_number
from lorebook_tui.workspace.bulk import change_to
from lorebook_tui.workspace.edits import entry_at, opened_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.model.book import Book
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.edits import FieldChange
    from lorebook_tui.workspace.workspace import Workspace

SEQUENCES: Final = ("order", "tree")
SCOPES: Final = ("all", "book", "folder", "group")


@dataclass(frozen=True, slots=True)
class Numbering:
    """How orders are given anew."""

    start: float = 100
    """The lowest order given."""
    step: float = 10
    """Between two of them; above 0."""
    descending: bool = False
    """The first entry of the sequence gets the highest order."""
    sequence: str = "order"
    """`order`: as the engine ranks them, the lowest first; `tree`: as SillyTavern's editor lists them, book by book."""
    within: str = "all"
    """`all` together, or each `book`, `folder` or inclusion `group` from the start; `group` leaves out the others."""


def renumber(workspace: Workspace, refs: Sequence[EntryRef], numbering: Numbering) -> tuple[FieldChange, ...]:
    """New orders for entries; only those that change.

    Ascending by order keeps the prompt as it is: SillyTavern 1.19 scans the earlier of two equal ones first and puts
    its text below, so it gets the higher number.

    Raises:
        UsageError: a step that leads nowhere, or a sequence or scope of another name.
    """
    if not (numbering.step > 0 and math.isfinite(numbering.step) and math.isfinite(numbering.start)):
        raise UsageError("The step leads nowhere.", expected="a number above 0", found=f"{numbering.step:g}")
    for name, known in ((numbering.sequence, SEQUENCES), (numbering.within, SCOPES)):
        if name not in known:
            raise UsageError(f"Entries cannot be numbered by {quote(name)}.", expected=" or ".join(known), found=name)
    listed = _Listed(workspace, refs)
    found: list[FieldChange] = []
    for lot in listed.lots(numbering.within):
        ranked = lot if numbering.sequence == "tree" else listed.ranked(lot)
        if numbering.descending:
            ranked = ranked[::-1]
        for number, ref in enumerate(ranked):
            change = change_to(ref, entry_at(workspace, ref), "order", _number(numbering, number))
            if change is not None:
                found.append(change)
    places = {ref: place for place, ref in enumerate(listed.refs)}
    return tuple(sorted(found, key=lambda change: places[change.ref]))


def _number(numbering: Numbering, number: int) -> float:
    """The number of an entry, counted from 0; a whole one as JSON writes it without a point."""
    value = round(float(numbering.start + number * numbering.step), 10)
    return int(value) if value.is_integer() else value


class _Listed:
    """The entries in the order of the tree: layer by layer, book by book, as the editor lists them."""

    def __init__(self, workspace: Workspace, refs: Iterable[EntryRef]) -> None:
        self.workspace = workspace
        self._books: dict[tuple[int, int], tuple[Book, dict[int, int], dict[str, int]]] = {}
        self.refs = sorted(dict.fromkeys(refs), key=self._place)

    def _about(self, ref: EntryRef) -> tuple[Book, dict[int, int], dict[str, int]]:
        """Its book, the rank of each place in the editor, and of each name as the engine walks them."""
        key = (ref.layer.number, ref.book)
        if key not in self._books:
            book = opened_at(self.workspace, ref.layer, ref.book).book
            shown = {place: rank for rank, place in enumerate(editor_order(book))}
            walked = {entry.key: rank for rank, entry in enumerate(book.walked)}
            self._books[key] = (book, shown, walked)
        return self._books[key]

    def _place(self, ref: EntryRef) -> tuple[int, int, int]:
        entry_at(self.workspace, ref)
        return ref.layer.number, ref.book, self._about(ref)[1][ref.entry]

    def ranked(self, lot: Sequence[EntryRef]) -> list[EntryRef]:
        """The lowest order first; of equal ones that first which is walked later."""

        def rank(ref: EntryRef) -> tuple[float, int, int, int]:
            book, _, walked = self._about(ref)
            entry = book.entries[ref.entry]
            number = to_number(entry.get("order"))
            order = -math.inf if math.isnan(number) else number
            return order, -ref.layer.number, -ref.book, -walked[entry.key]

        return sorted(lot, key=rank)

    def lots(self, within: str) -> list[list[EntryRef]]:
        """The entries that are numbered together."""
        found: dict[object, list[EntryRef]] = {}
        folders: dict[tuple[int, int], tuple[str, ...]] = {}
        for ref in self.refs:
            book = (ref.layer.number, ref.book)
            key: object = None
            if within == "book":
                key = book
            elif within == "folder":
                if book not in folders:
                    folders[book] = folders_of(self._about(ref)[0])
                key = (book, folders[book][ref.entry])
            elif within == "group":
                group = entry_at(self.workspace, ref).get("group")
                names = [name.strip() for name in group.split(",") if name.strip()] if isinstance(group, str) else []
                if not names:
                    continue
                key = names[0]
            found.setdefault(key, []).append(ref)
        return list(found.values())
