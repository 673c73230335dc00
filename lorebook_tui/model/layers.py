"""The four layers of lore and the stack that an engine receives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.model.book import Book


class Layer(Enum):
    """Where a book is attached."""

    GLOBAL = "global"
    CHARACTER = "character"
    PERSONA = "persona"
    CHAT = "chat"

    @property
    def number(self) -> int:
        """1 to 4, as on the keys of the screen."""
        return list(Layer).index(self) + 1


@dataclass(frozen=True, slots=True)
class EntryRef:
    """An entry by where it stands, valid as long as the books are the same."""

    layer: Layer
    book: int
    """Place of the book in its layer."""
    entry: int
    """Place of the entry in its book, in file order."""


@dataclass(frozen=True, slots=True)
class Layers:
    """Books by layer, in the order of selection.

    SillyTavern allows one persona book and one chat book; more are accepted here and used in order.
    """

    global_: tuple[Book, ...] = ()
    character: tuple[Book, ...] = ()
    persona: tuple[Book, ...] = ()
    chat: tuple[Book, ...] = ()

    def of(self, layer: Layer) -> tuple[Book, ...]:
        """The books of one layer."""
        return {
            Layer.GLOBAL: self.global_,
            Layer.CHARACTER: self.character,
            Layer.PERSONA: self.persona,
            Layer.CHAT: self.chat,
        }[layer]

    def __iter__(self) -> Iterator[tuple[Layer, Book]]:
        """Every book with its layer, Global first."""
        for layer in Layer:
            for book in self.of(layer):
                yield layer, book
