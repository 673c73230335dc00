"""A book: named entries in file order, and the order in which an engine walks them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lorebook_tui.model.entry import Entry
from lorebook_tui.model.js import key_order

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Book:
    """A lorebook.

    Attributes:
        name: what activations and identities call it (for a file: its name without extension).
        entries: the entries in file order.
        format: name of the format it was read from (`sillytavern`, `card`, `v2_book`, …) or "memory".
        extras: everything of the book's object but the entries.
    """

    name: str
    entries: tuple[Entry, ...] = ()
    format: str = "memory"
    extras: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def walked(self) -> tuple[Entry, ...]:
        """The entries as JavaScript walks the object: integer-like keys ascending, then the others in file order."""
        by_key = {entry.key: entry for entry in self.entries}
        return tuple(by_key[key] for key in key_order(by_key))

    def find(self, text: str) -> tuple[Entry, ...]:
        """Entries meant by a user's word: uid, exact title, then a title or key that contains it, ignoring case."""
        exact = tuple(entry for entry in self.entries if text in {entry.uid_text, f"#{entry.uid_text}"})
        if exact:
            return exact
        wanted = text.lower()
        titled = tuple(entry for entry in self.entries if entry.title.lower() == wanted)
        if titled:
            return titled
        return tuple(
            entry
            for entry in self.entries
            if wanted in entry.title.lower() or any(wanted in key.lower() for key in entry.keys)
        )


def book_from_fields(name: str, entries: Mapping[str, Mapping[str, Any]]) -> Book:
    """A book in memory from SillyTavern-shaped entries by property name."""
    return Book(name, tuple(Entry(fields, key, ("entries", key)) for key, fields in entries.items()))
