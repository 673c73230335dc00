"""Three states of one file: the one both began from, theirs on the disk, and mine. Whose change is whose, by field.

`diff` is the same between two states; `merging.merge` brings mine and theirs together.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from lorebook_tui.formats.entry_edits import container_of
from lorebook_tui.formats.json_patch import same
from lorebook_tui.model.js import MISSING
from lorebook_tui.workspace.differences import (
    ChangeKind,
    Diff,
    EntryChange,
    ValueChange,
    diff,
    diff_lines,
    has_parts,
    name_of,
    raw_of,
    rest_of,
)
from lorebook_tui.workspace.entry_pairs import pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json, JsonPath

__all__ = [
    "ChangeKind",
    "Diff",
    "EntryChange",
    "EntryWay",
    "FieldWay",
    "Place",
    "Side",
    "ThreeWay",
    "ValueChange",
    "Who",
    "diff",
    "diff_lines",
    "three_way",
]

Place: TypeAlias = "tuple[int, JsonPath]"
"""What a choice is about: place in `ThreeWay.entries` (-1: beside the entries), and the path; () for all of it."""
OTHERS = -1


class Side(Enum):
    """Whose value is taken."""

    MINE = "mine"
    THEIRS = "theirs"
    BOTH = "both"
    """Of lists of texts, such as keys: what either side added, without what either side took out."""


class Who(Enum):
    """Who changed something."""

    MINE = "mine"
    THEIRS = "theirs"
    BOTH = "both"
    """Both did the same."""
    CONFLICT = "conflict"
    """Both did, and not the same."""


@dataclass(frozen=True, slots=True)
class FieldWay:
    """One value that somebody changed; `MISSING` where it is not there."""

    path: JsonPath
    """From the entry, or from the document."""
    name: str
    base: Json
    mine: Json
    theirs: Json

    @property
    def who(self) -> Who:
        """Who changed it."""
        if same(self.mine, self.theirs):
            return Who.BOTH
        if same(self.mine, self.base):
            return Who.THEIRS
        return Who.MINE if same(self.theirs, self.base) else Who.CONFLICT

    @property
    def can_be_both(self) -> bool:
        """Whether both changes can be had: of lists of texts."""
        sides = (self.mine, self.theirs, [] if self.base is MISSING else self.base)
        return all(isinstance(side, list) and all(isinstance(item, str) for item in side) for side in sides)

    def both(self) -> Json:
        """Their list with what I added, without what I took out; mine where that cannot be."""
        if not self.can_be_both:
            return self.mine
        base = [] if self.base is MISSING else self.base
        gone = [item for item in base if item not in self.mine]
        kept = [item for item in self.theirs if item not in gone]
        return kept + [item for item in self.mine if item not in base and item not in kept]


@dataclass(frozen=True, slots=True)
class EntryWay:
    """One entry that somebody added, removed or changed; None where it is not there."""

    number: int
    """Its place in `ThreeWay.entries`."""
    book: int
    """Place of its book in the file."""
    title: str
    """Foreign text."""
    base: Entry | None
    mine: Entry | None
    theirs: Entry | None
    fields: tuple[FieldWay, ...] = ()
    """What differs inside; of an entry that one side removed: what the other one changed."""

    @property
    def kind(self) -> ChangeKind:
        """Whether it was added, removed or changed."""
        if self.base is None:
            return ChangeKind.ADDED
        return ChangeKind.CHANGED if self.mine is not None and self.theirs is not None else ChangeKind.REMOVED

    @property
    def who(self) -> Who:
        """Who did it; of a changed entry: a conflict if one field is."""
        if self.kind is ChangeKind.CHANGED or (self.mine is not None and self.theirs is not None):
            whos = {field.who for field in self.fields}
            if Who.CONFLICT in whos:
                return Who.CONFLICT
            return whos.pop() if len(whos) == 1 else Who.BOTH
        if self.kind is ChangeKind.ADDED:
            return Who.MINE if self.theirs is None else Who.THEIRS
        if self.fields:
            return Who.CONFLICT
        if self.mine is None and self.theirs is None:
            return Who.BOTH
        return Who.MINE if self.mine is None else Who.THEIRS

    @property
    def conflicts(self) -> tuple[Place, ...]:
        """What has to be chosen: one place per field, or one for the whole entry if one side removed it."""
        if self.base is not None and (self.mine is None or self.theirs is None):
            return ((self.number, ()),) if self.fields else ()
        return tuple((self.number, field.path) for field in self.fields if field.who is Who.CONFLICT)


@dataclass(frozen=True, slots=True)
class ThreeWay:
    """Whose change is whose."""

    base: Loaded
    theirs: Loaded
    mine: Loaded
    entries: tuple[EntryWay, ...] = ()
    others: tuple[FieldWay, ...] = ()
    """Beside the entries: members of the book or card, messages of a chat."""

    @property
    def conflicts(self) -> tuple[Place, ...]:
        """Everything that has to be chosen; nothing if both can be had."""
        found = [place for entry in self.entries for place in entry.conflicts]
        return (*found, *((OTHERS, field.path) for field in self.others if field.who is Who.CONFLICT))

    def of(self, place: Place) -> EntryWay | FieldWay:
        """What a choice is about.

        Raises:
            LookupError: nothing.
        """
        number, path = place
        if number != OTHERS and not path:
            return self.entries[number]
        fields = self.others if number == OTHERS else self.entries[number].fields
        return next(field for field in fields if field.path == path)


def three_way(base: Loaded, theirs: Loaded, mine: Loaded) -> ThreeWay:
    """Whose change is whose.

    Args:
        base: the file as mine was begun from.
        theirs: as it is on the disk now.
        mine: as it is here.
    """
    if not _is_comparable(base, theirs, mine):
        values = ([document.value for document in each.documents] for each in (base, mine, theirs))
        return ThreeWay(base, theirs, mine, (), (FieldWay((), "", *values),))
    entries: list[EntryWay] = []
    for number in range(max(len(each.books) for each in (base, theirs, mine))):
        entries += _entry_ways(len(entries), number, base, theirs, mine)
    others = tuple(_field_ways(rest_of(base), rest_of(mine), rest_of(theirs), ()))
    return ThreeWay(base, theirs, mine, tuple(entries), others)


def _is_comparable(*files: Loaded) -> bool:
    """Whether they are of one format with as many books, so that their parts answer each other."""
    shapes = {(each.format.name, each.container.kind, len(each.books)) for each in files}
    kinds = {
        tuple(type(each.document.at(container_of(each.document, book))).__name__ for book in each.books)
        for each in files
    }
    return len(shapes) == 1 and len(kinds) == 1


def entries_of(loaded: Loaded, book: int) -> tuple[Entry, ...]:
    """The entries of a file's book; none if it has no such book."""
    return loaded.books[book].entries if book < len(loaded.books) else ()


def _entry_ways(first: int, book: int, base: Loaded, theirs: Loaded, mine: Loaded) -> Iterator[EntryWay]:
    number = first
    for old, my, their in triples(*(entries_of(each, book) for each in (base, mine, theirs))):
        fields = tuple(_fields_of(old, my, their))
        is_alike = not fields or (old is None and all(field.who is Who.BOTH for field in fields))
        if is_alike and my is not None and their is not None:
            continue
        title = next(entry.title for entry in (my, their, old) if entry is not None)
        yield EntryWay(number, book, title, old, my, their, fields)
        number += 1


Triple: TypeAlias = "tuple[Entry | None, Entry | None, Entry | None]"


def triples(base: Sequence[Entry], mine: Sequence[Entry], theirs: Sequence[Entry]) -> Iterator[Triple]:
    """Base, mine and theirs of each entry, in the order of mine; then those that mine has not."""
    to_base_from_mine = pairs(base, mine)
    to_base_from_theirs = pairs(base, theirs)
    from_base = {old: new for new, old in to_base_from_theirs.items()}
    added = {
        (entry.uid_text, entry.title, entry.content): place
        for place, entry in enumerate(theirs)
        if place not in to_base_from_theirs
    }
    told: set[int] = set()
    for place, entry in enumerate(mine):
        old = to_base_from_mine.get(place)
        their = added.get((entry.uid_text, entry.title, entry.content)) if old is None else from_base.get(old)
        told |= {their} if their is not None else set()
        yield (
            None if old is None else base[old],
            entry,
            None if their is None else theirs[their],
        )
    kept = set(to_base_from_mine.values())
    for old, entry in enumerate(base):
        if old not in kept:
            their = from_base.get(old)
            told |= {their} if their is not None else set()
            yield entry, None, None if their is None else theirs[their]
    for place, entry in enumerate(theirs):
        if place not in told:
            yield None, None, entry


def _fields_of(base: Entry | None, mine: Entry | None, theirs: Entry | None) -> Iterator[FieldWay]:
    """What differs inside of an entry; nothing of one that one side added."""
    there = [raw_of(each) for each in (base, mine, theirs) if each is not None]
    is_card = any(each is not None and each.source is not None for each in (base, mine, theirs))
    if mine is not None and theirs is not None:
        old = MISSING if base is None else raw_of(base)
        yield from _field_ways(old, raw_of(mine), raw_of(theirs), (), is_card=is_card)
    elif base is not None and len(there) > 1:
        for field in _field_ways(there[0], there[1], there[1], (), is_card=is_card):
            gone_here = mine is None
            yield FieldWay(
                field.path,
                field.name,
                field.base,
                MISSING if gone_here else field.mine,
                field.theirs if gone_here else MISSING,
            )


def _field_ways(base: Json, mine: Json, theirs: Json, path: JsonPath, *, is_card: bool = False) -> Iterator[FieldWay]:
    if same(mine, theirs) and same(mine, base):
        return
    if isinstance(mine, dict) and isinstance(theirs, dict) and (base is MISSING or isinstance(base, dict)):
        old: Any = {} if base is MISSING else base
        for name in dict.fromkeys((*mine, *theirs, *old)):
            was, my, their = (each.get(name, MISSING) for each in (old, mine, theirs))
            yield from _field_ways(was, my, their, (*path, name), is_card=is_card)
    elif has_parts(base) and isinstance(mine, list) and isinstance(theirs, list) and _is_grown(base, mine, theirs):
        for place, item in enumerate(theirs):
            old = base[place] if place < len(base) else MISSING
            my = mine[place] if place < len(mine) else MISSING
            yield from _field_ways(old, my, item, (*path, place), is_card=is_card)
    else:
        yield FieldWay(path, name_of(path, is_card=is_card), base, mine, theirs)


def _is_grown(base: Sequence[Json], mine: Sequence[Json], theirs: Sequence[Json]) -> bool:
    """Whether mine kept the number of items and theirs at most added some at the end, as a chat goes on."""
    return len(mine) == len(base) <= len(theirs)
