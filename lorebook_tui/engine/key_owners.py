"""Which other entries have a key that is being typed: an index over all open books, built once and kept up by edits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.literals import occurs_as_word
from lorebook_tui.model.js import trim
from lorebook_tui.model.layers import EntryRef

if TYPE_CHECKING:
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import Layer, Layers

MOST: Final = 20
_SHORTEST_PART: Final = 2
"""Letters that a key needs to be looked for inside of others."""


class Likeness(Enum):
    """How another entry's key is like the one asked for, the closest first: words for `also a key of …`."""

    SAME = "also a key of"
    FOLDED = "also a key, but for capitals, of"
    WITHIN = "inside of a key of"
    AROUND = "around a key of"


@dataclass(frozen=True, slots=True)
class Owner:
    """Another entry with such a key."""

    ref: EntryRef
    entry: Entry
    key: str
    """Its key as it is written; foreign text."""
    likeness: Likeness


class KeyOwners:
    """The primary keys of all entries of some layers, by their text.

    Not safe for several threads at once; answers in about a millisecond for 15,000 keys.
    """

    def __init__(self, layers: Layers | None = None) -> None:
        self._books: dict[tuple[Layer, int], Book] = {}
        self._refs: dict[tuple[Layer, int], dict[int, int]] = {}
        self._owners: dict[str, dict[int, tuple[Entry, str]]] = {}
        """Folded key, then the entry's identity: the entry and its key."""
        self._uses: dict[int, int] = {}
        """In how many books an entry is: one file may stand in several layers."""
        if layers is not None:
            self.update(layers)

    def update(self, layers: Layers) -> None:
        """Take over other books; the cost follows the books that are not the same objects as before."""
        books: dict[tuple[Layer, int], Book] = {}
        count: dict[Layer, int] = {}
        for layer, book in layers:
            books[layer, count.setdefault(layer, 0)] = book
            count[layer] += 1
        for place in [place for place in self._books if place not in books]:
            self._swap(place, (), self._books.pop(place).entries)
            del self._refs[place]
        for place, book in books.items():
            before = self._books.get(place)
            if before is not book:
                self._swap(place, book.entries, before.entries if before else ())
                self._books[place] = book

    def _swap(self, place: tuple[Layer, int], entries: tuple[Entry, ...], before: tuple[Entry, ...]) -> None:
        """Other entries in one book."""
        self._refs[place] = {id(entry): number for number, entry in enumerate(entries)}
        old = {id(entry): entry for entry in before}
        for entry in entries:
            if old.pop(id(entry), None) is None:
                self._add(entry)
        for entry in old.values():
            self._remove(entry)

    def _add(self, entry: Entry) -> None:
        self._uses[id(entry)] = self._uses.get(id(entry), 0) + 1
        for key in entry.keys:
            if folded := lower(trim(key)):
                self._owners.setdefault(folded, {}).setdefault(id(entry), (entry, key))

    def _remove(self, entry: Entry) -> None:
        self._uses[id(entry)] -= 1
        if self._uses[id(entry)]:
            return
        del self._uses[id(entry)]
        for key in entry.keys:
            folded = lower(trim(key))
            owners = self._owners.get(folded, {})
            owners.pop(id(entry), None)
            if not owners:
                self._owners.pop(folded, None)

    def also(self, key: str, apart_from: EntryRef | None = None, most: int = MOST) -> tuple[Owner, ...]:
        """Other entries with this key, with another case of it, with it as a word inside, or as a word inside of it.

        Args:
            key: as it is typed.
            apart_from: the entry that it is typed for.
            most: so many at most, the closest first; of each entry its closest key.
        """
        wanted = trim(key)
        folded = lower(wanted)
        if not folded:
            return ()
        own = self._entry_at(apart_from)
        found: dict[int, tuple[Likeness, Entry, str]] = {}
        for likeness, text in self._alike(folded):
            for ident, (entry, written) in self._owners[text].items():
                if ident != own and ident not in found:
                    exact = likeness is Likeness.FOLDED and any(trim(each) == wanted for each in entry.keys)
                    found[ident] = (Likeness.SAME if exact else likeness, entry, written)
        order = list(Likeness)
        ranked = sorted(found.items(), key=lambda item: order.index(item[1][0]))[:most]
        return tuple(
            Owner(ref, entry, written, likeness)
            for ident, (likeness, entry, written) in ranked
            if (ref := self._ref_of(ident)) is not None
        )

    def _alike(self, folded: str) -> list[tuple[Likeness, str]]:
        """Folded keys that are like one, the closest first."""
        alike = [(Likeness.FOLDED, folded)] if folded in self._owners else []
        if folded.startswith("/") or len(folded) < _SHORTEST_PART:
            return alike
        holding = [text for text in self._owners if folded in text and text != folded]
        held = [text for text in self._owners if text in folded and text != folded]
        alike += [
            (Likeness.WITHIN, text) for text in holding if not text.startswith("/") and occurs_as_word(text, folded)
        ]
        alike += [
            (Likeness.AROUND, text) for text in held if len(text) >= _SHORTEST_PART and occurs_as_word(folded, text)
        ]
        return alike

    def _entry_at(self, ref: EntryRef | None) -> int | None:
        book = self._books.get((ref.layer, ref.book)) if ref else None
        return id(book.entries[ref.entry]) if book and ref and 0 <= ref.entry < len(book.entries) else None

    def _ref_of(self, ident: int) -> EntryRef | None:
        for (layer, book), places in self._refs.items():
            if ident in places:
                return EntryRef(layer, book, places[ident])
        return None
