"""What a query can ask about an entry beside its fields: where it stands, what it costs, what a replay made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

from lorebook_tui.errors import LorebookError
from lorebook_tui.model.folders import folders_of
from lorebook_tui.model.layers import EntryRef

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import Layer
    from lorebook_tui.tokens.base import TokenCounter
    from lorebook_tui.workspace.workspace import OpenedBook, Workspace

Fact = str | int | bool | None

PLACE: Final = frozenset({"layer", "book", "file", "folder"})
TOKENS: Final = "tokens"
REPLAYED: Final = frozenset({"fired", "turns", "in", "cut", "hits"})


class Facts(Protocol):
    """Everything known about one entry beside its fields."""

    def fact(self, name: str) -> Fact:
        """One fact; None: nobody knows.

        `layer`, `book`, `file`, `folder` are texts, `tokens` a number. Of a replayed chat: `fired` turns in which it
        was activated out of `turns`, `hits` messages that hold one of its keys; `in` the prompt and `cut` by the budget
        at the turn that is looked at.
        """
        ...


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """What a replay knows of all entries."""

    turns: int
    """Turns that were replayed."""
    fired: Mapping[EntryRef, int] = field(default_factory=dict)
    """In how many of them an entry was activated; 0 is left out."""
    inside: Collection[EntryRef] = frozenset()
    """In the prompt at the turn that is looked at."""
    cut: Collection[EntryRef] = frozenset()
    """Cut by the budget at that turn."""
    hits: Mapping[EntryRef, int] = field(default_factory=dict)
    """Messages of the chat that hold a primary key of an entry; 0 is left out."""


class LoreFacts:
    """The facts about all entries of a workspace, each worked out when it is asked for.

    Args:
        workspace: has the entries.
        replayed: what a replay of its chat knows; None: there was none.
    """

    def __init__(self, workspace: Workspace, replayed: TurnFacts | None = None) -> None:
        self.workspace = workspace
        self.replayed = replayed
        self._books = {
            (layer, number): opened
            for layer in dict.fromkeys(opened.layer for opened in workspace.books)
            for number, opened in enumerate(workspace.of(layer))
        }
        self._folders: dict[int, tuple[str, ...]] = {}

    @property
    def known(self) -> frozenset[str]:
        """Names of the facts there are."""
        return PLACE | {TOKENS} | (REPLAYED if self.replayed is not None else frozenset())

    @cached_property
    def counter(self) -> TokenCounter:
        """What counts tokens."""
        return self.workspace.counter()

    def books(self) -> Iterator[tuple[Layer, int, OpenedBook]]:
        """Every book with its place, layer by layer; one that is in several layers comes once."""
        seen: set[tuple[int, int]] = set()
        for (layer, number), opened in self._books.items():
            identity = (opened.source.ident, opened.position)
            if identity not in seen:
                seen.add(identity)
                yield layer, number, opened

    def refs(self) -> Iterator[EntryRef]:
        """Every entry, layer by layer, in file order; a book that is in several layers comes once."""
        for layer, number, opened in self.books():
            for place in range(len(opened.book.entries)):
                yield EntryRef(layer, number, place)

    def opened(self, ref: EntryRef) -> OpenedBook:
        """The book of an entry."""
        return self._books[ref.layer, ref.book]

    def entry(self, ref: EntryRef) -> Entry:
        """An entry."""
        return self.opened(ref).book.entries[ref.entry]

    def folder(self, ref: EntryRef) -> str:
        """The path of the folder an entry is in, "" if in none; foreign text."""
        book = self.opened(ref).book
        found = self._folders.get(id(book))
        if found is None:
            found = self._folders[id(book)] = folders_of(book)
        return found[ref.entry]

    def of(self, ref: EntryRef) -> EntryFacts:
        """The facts about one entry."""
        return EntryFacts(self, ref)


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """The facts about one entry of a workspace."""

    lore: LoreFacts
    ref: EntryRef

    def fact(self, name: str) -> Fact:
        """One fact; see `Facts.fact`."""
        lore, ref = self.lore, self.ref
        if name == "folder":
            return lore.folder(ref)
        if name == TOKENS:
            return lore.counter.count(lore.entry(ref).content)
        if name in PLACE:
            opened = lore.opened(ref)
            return {"layer": opened.layer.value, "book": opened.book.name, "file": opened.source.name}[name]
        replayed = lore.replayed
        if replayed is None:
            return None
        if name == "in":
            return ref in replayed.inside
        if name == "cut":
            return ref in replayed.cut
        if name == "turns":
            return replayed.turns
        return {"fired": replayed.fired, "hits": replayed.hits}[name].get(ref, 0) if name in REPLAYED else None


class NothingKnown:
    """No facts at all: for entries that are in no workspace."""

    def fact(self, name: str) -> Fact:
        """Nobody knows."""
        del name
        return None


class UnknownFactError(LorebookError):
    """A query asks for something that nobody knows here."""

    code = "UNKNOWN_FACT"
