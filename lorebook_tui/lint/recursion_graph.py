"""Who can wake whom by recursion in one book: a graph over its entries, made with the engine, kept and shared.

SillyTavern 1.19: the text of an activated entry is scanned for the keys of all others in the next pass, unless it
prevents recursion; entries that exclude recursion, or see no text at all, are not woken by it.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakValueDictionary

from lorebook_tui.engine.keys import BlankKey, DynamicKey, PatternKey, PlainKey
from lorebook_tui.engine.macros.constancy import is_plain
from lorebook_tui.engine.phases.keys import AND_ALL, AND_ANY, NOT_ALL, NOT_ANY
from lorebook_tui.engine.plan import Plan
from lorebook_tui.lint.graph_shapes import components, longest_chains, reached
from lorebook_tui.lint.sayable import is_sayable
from lorebook_tui.lint.wide_keys import MOST_PAIRS, wide_key
from lorebook_tui.matching import ecma
from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.words import match_plain
from lorebook_tui.model.layers import Layers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.engine.keys import Key
    from lorebook_tui.lint.subjects import BookView
    from lorebook_tui.lint.wide_keys import WideKey
    from lorebook_tui.model.settings import ScanSettings

_FACT: Final = "recursion graphs"
"""Where the graphs of a book are kept, by the settings."""
_PATTERN_SECONDS: Final = 0.02
"""Time limit of one pattern on one text."""
_ALL_PATTERNS_CHARACTERS: Final = 40_000_000
"""Characters that all patterns of a book are run on; those that are not reached in it wake nobody here."""
_TIMEOUT_CHARACTERS: Final = 2_000_000
"""What a pattern counts for that gave no answer in time."""
_MOST_WOKEN: Final = 256
"""Entries that one text is said to wake; what wakes more is an index, whatever the exact number."""
_MARK: Final = "\n\x01"
"""Stands before every piece of recursed text."""


class Edge(NamedTuple):
    """A text that holds a key of another entry."""

    target: int
    """Number of the entry it wakes, in file order."""
    key: int
    """Place of the key in the target's list."""
    is_sure: bool
    """No secondary key asks for anything that the text does not hold."""


class RecursionGraph:
    """The graph of one book. Entries are numbers in file order, so that it stays valid while places move.

    Attributes:
        book: its book.
        is_on: recursion can happen at all under the settings.
        size: number of entries.
        compiled: the engine's view of an entry; None if it is never loaded.
    """

    def __init__(self, book: BookView, settings: ScanSettings) -> None:
        self.book = book.book
        self.settings = settings
        self.is_on = settings.world_info_recursive and settings.world_info_max_recursion_steps != 1
        self.size = len(book.entries)
        numbers = {id(view.entry): view.number for view in book.entries}
        self._plan = Plan(Layers((book.book,)), settings, None, _resolved)
        self.compiled: list[CompiledEntry | None] = [None] * self.size
        for entry in self._plan.entries:
            self.compiled[numbers[id(entry.entry)]] = entry
        self._plain: dict[int, list[Edge]] = {}
        self._gated: dict[int, list[Edge]] = {}
        self._ungated: list[Edge] = []
        self._characters_left = _ALL_PATTERNS_CHARACTERS
        for number, compiled in enumerate(self.compiled):
            if compiled is not None and self.listens(number):
                self._listen(number, compiled)

    def _listen(self, number: int, compiled: CompiledEntry) -> None:
        """Enter the keys of an entry that recursion can wake."""
        for place, key in enumerate(compiled.keys):
            edge = Edge(number, place, is_sure=True)
            if isinstance(key, PlainKey) and not key.crosses:
                self._plain.setdefault(key.number, []).append(edge)
            elif isinstance(key, PatternKey) and key.gates is None:
                self._ungated.append(edge)
            elif isinstance(key, PatternKey):
                for gate in key.gates or ():
                    self._gated.setdefault(gate, []).append(edge)

    def is_dead(self, number: int) -> bool:
        """Whether no pass can ever bring the entry in, whatever is said."""
        compiled = self.compiled[number]
        if compiled is None or compiled.gates.disabled or compiled.gates.suppressed:
            return True  # a character filter is no matter here: who will speak is not known
        gates = compiled.gates
        return gates.level is not None and gates.excludes_recursion and self.settings.world_info_recursive

    def listens(self, number: int) -> bool:
        """Whether the texts of others are searched for its keys."""
        compiled = self.compiled[number]
        if compiled is None or self.is_dead(number) or compiled.constant or compiled.activates:
            return False
        return not compiled.gates.excludes_recursion and not self.is_blind(number)

    def is_blind(self, number: int) -> bool:
        """Whether its scan depth lets it see no text at all, recursed text included."""
        compiled = self.compiled[number]
        if compiled is None:
            return True
        depth = compiled.scan_depth
        return (self.settings.world_info_depth if depth is None else depth) <= 0

    def speaks(self, number: int) -> bool:
        """Whether its text is scanned after it came in."""
        compiled = self.compiled[number]
        return compiled is not None and not self.is_dead(number) and not compiled.prevents_recursion

    def is_delayed(self, number: int) -> bool:
        """Whether it waits for recursion."""
        compiled = self.compiled[number]
        return compiled is not None and compiled.gates.level is not None

    @property
    def levels(self) -> list[Any]:
        """The distinct delay levels of the book, ascending; disabled entries count."""
        return self._plan.levels

    def woken_by(self, text: str, apart_from: int = -1, *, spread: bool = False) -> dict[int, Edge]:
        """The entries that a text wakes.

        Args:
            text: a content without its decorators.
            apart_from: number of the entry whose text it is.
            spread: leave out of wide keys what other texts lead to as well.
        """
        if not text:
            return {}
        hits = self._plan.index.hits(text)
        found: dict[int, Edge] = {}
        for literal in hits:
            for edge in self._edges(literal, apart_from if spread else -1):
                known = found.get(edge.target)
                if known is None or edge.key < known.key:
                    found[edge.target] = edge
            if len(found) >= _MOST_WOKEN:
                break
        for edge in self._patterns(hits):
            if edge.target not in found and self._matches(edge, text):
                found[edge.target] = edge
        found.pop(apart_from, None)
        return {number: kept for number in sorted(found) if (kept := self._judged(found[number], text, hits))}

    def _judged(self, edge: Edge, text: str, hits: frozenset[int]) -> Edge | None:
        """The edge with what the secondary keys of its target say to it; None if they keep the target out."""
        compiled = self.compiled[edge.target]
        if compiled is None or not compiled.secondary:
            return edge
        is_sure = self._secondary(compiled, text, hits)
        return edge if is_sure else None if is_sure is None else edge._replace(is_sure=False)

    def _patterns(self, hits: frozenset[int]) -> Iterator[Edge]:
        """The patterns that may match a text, by the literals it holds."""
        if self._gated:
            for literal in hits:
                yield from self._gated.get(literal, ())
        yield from self._ungated

    def _matches(self, edge: Edge, text: str) -> bool:
        compiled = self.compiled[edge.target]
        key = compiled.keys[edge.key] if compiled else None
        return isinstance(key, PatternKey) and self._tested(key, text)

    def _tested(self, key: PatternKey, text: str) -> bool:
        """Whether a pattern matches, as long as not too much was asked of all of them."""
        if self._characters_left <= 0:
            return False
        self._characters_left -= len(text)
        try:
            return ecma.compile(key.source, key.flags, _PATTERN_SECONDS).test(_MARK + text)
        except ecma.PatternTimeout:
            self._characters_left -= _TIMEOUT_CHARACTERS
            return False

    def _secondary(self, compiled: CompiledEntry, text: str, hits: frozenset[int]) -> bool | None:
        """Whether the secondary keys let the entry in on this text alone; None: on this text they keep it out."""
        met = [self._occurs(key, text, hits) for key in compiled.secondary]
        logic = compiled.logic
        if logic == AND_ANY:
            return any(met)
        if logic == AND_ALL:
            return all(met)
        if logic in (NOT_ANY, NOT_ALL):
            return None if (any(met) if logic == NOT_ANY else all(met)) else True
        return None

    def _occurs(self, key: Key, text: str, hits: frozenset[int]) -> bool:
        if isinstance(key, PlainKey):
            if not key.crosses:
                return key.number in hits
            return match_plain(text if key.case_sensitive else lower(text), key.literal, whole_words=key.whole_word)
        return isinstance(key, BlankKey) or (isinstance(key, PatternKey) and self._tested(key, text))

    @cached_property
    def out(self) -> tuple[dict[int, Edge], ...]:
        """For each entry the entries that its text wakes, itself left out; nobody if it says nothing."""
        return tuple(
            self._onward(number, compiled) if compiled is not None and self.speaks(number) else {}
            for number, compiled in enumerate(self.compiled)
        )

    @cached_property
    def _hits(self) -> dict[int, frozenset[int]]:
        """The literals that each text holds which is scanned."""
        return {
            number: self._plan.index.hits(compiled.content) if compiled.content else frozenset()
            for number, compiled in enumerate(self.compiled)
            if compiled is not None and self.speaks(number)
        }

    @cached_property
    def _wide(self) -> dict[int, WideKey]:
        """Keys of which not every pair is told, by their literals."""
        if self.size**2 <= MOST_PAIRS:
            return {}
        holding: dict[int, list[int]] = {}
        for number, hits in self._hits.items():
            for literal in hits:
                holding.setdefault(literal, []).append(number)
        found = {}
        for literal, edges in self._plain.items():
            having = [target for target in {edge.target: None for edge in edges} if not self._has_conditions(target)]
            wide = wide_key(having, holding.get(literal, ()))
            if wide is not None:
                found[literal] = wide
        return found

    def count_woken(self, number: int) -> int | None:
        """How many entries a text wakes at least where not each of them is told; None: all are."""
        wide = [literal for literal in self._hits.get(number, ()) if literal in self._wide]
        return max(
            (len(self._wide_edges[literal][0]) - (number in self._wide_edges[literal][0]) for literal in wide),
            default=None,
        )

    def _edges(self, literal: int, number: int) -> Iterable[Edge]:
        """The edges that a literal makes, of a wide key those that are told of an entry's text."""
        wide = self._wide.get(literal) if number >= 0 else None
        if wide is None or number not in wide.speakers:
            return self._plain.get(literal, ())
        known, conditional = self._wide_edges[literal]
        return (*(known[target] for target in wide.woken_by(number)), *conditional)

    @cached_property
    def _wide_edges(self) -> dict[int, tuple[dict[int, Edge], list[Edge]]]:
        """The edges of wide keys by their targets, and those whose secondary keys have to be asked each time."""
        return {
            literal: (
                {edge.target: edge for edge in reversed(self._plain[literal])},
                [edge for edge in self._plain[literal] if self._has_conditions(edge.target)],
            )
            for literal in self._wide
        }

    def _has_conditions(self, number: int) -> bool:
        compiled = self.compiled[number]
        return compiled is not None and bool(compiled.secondary)

    def _onward(self, number: int, compiled: CompiledEntry) -> dict[int, Edge]:
        """The entries that one wakes, but for those of its own inclusion group, which is closed once it is in."""
        edges = self.woken_by(compiled.content, number, spread=True)
        group = compiled.group_text
        if not group or not edges:
            return edges
        return {target: edge for target, edge in edges.items() if group not in self._groups_of(target)}

    def _groups_of(self, number: int) -> list[str]:
        compiled = self.compiled[number]
        return re.split(r",\s*", compiled.group_text) if compiled is not None and compiled.group_text else []

    @cached_property
    def into(self) -> tuple[dict[int, Edge], ...]:
        """For each entry the entries whose texts wake it, with the edge from there."""
        found: tuple[dict[int, Edge], ...] = tuple({} for _ in range(self.size))
        for number, edges in enumerate(self.out):
            for target, edge in edges.items():
                found[target][number] = edge
        return found

    @cached_property
    def sure(self) -> tuple[tuple[int, ...], ...]:
        """For each entry those that its text brings in whatever else is said."""
        return tuple(tuple(target for target, edge in edges.items() if edge.is_sure) for edges in self.out)

    @cached_property
    def cycles(self) -> tuple[tuple[int, ...], ...]:
        """Entries that each bring in all the others, the largest groups first; delayed ones never begin."""
        delayed = {number for number in range(self.size) if self.is_delayed(number)}
        parts = self._components
        if delayed:
            parts = components([[each for each in targets if each not in delayed] for targets in self.sure])
        packs = [tuple(sorted(pack)) for pack in parts if len(pack) > 1]
        return tuple(sorted(packs, key=lambda pack: (-len(pack), pack)))

    @cached_property
    def _components(self) -> list[list[int]]:
        """Strongly connected components over the sure edges, those that are woken before those that wake them."""
        return components(self.sure)

    @cached_property
    def reach(self) -> tuple[int, ...]:
        """For each entry how many others its text brings in in the end."""
        return reached(self.sure, self._components)

    @cached_property
    def chains(self) -> tuple[int, ...]:
        """For each entry an upper bound of the passes that go on after it."""
        return longest_chains(self.sure, self._components)

    @cached_property
    def roots(self) -> frozenset[int]:
        """Entries that the chat, or nothing at all, may bring in: always on, vectorised, or with a key one can say."""
        return frozenset(number for number in range(self.size) if not self.is_dead(number) and self._is_root(number))

    def _is_root(self, number: int) -> bool:
        compiled = self.compiled[number]
        if compiled is None:
            return False
        if compiled.constant or compiled.activates or compiled.entry.is_on("vectorized"):
            return True
        if self.is_blind(number):
            return False
        return any(
            isinstance(key, (PatternKey, BlankKey, DynamicKey)) or (isinstance(key, PlainKey) and is_sayable(key.raw))
            for key in compiled.keys
        )

    @cached_property
    def reachable(self) -> frozenset[int]:
        """Entries that can come in at all: roots, and what their texts may wake."""
        found = set(self.roots)
        waiting = list(found) if self.is_on else []
        while waiting:
            for target in self.out[waiting.pop()]:
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return frozenset(found)

    def ways_from(self, start: int) -> dict[int, int]:
        """The entries that one brings in over sure edges, in the order of passes: each with the one that wakes it."""
        wakers = {start: start}
        front = [start]
        while front:
            after = []
            for number in front:
                for target in self.sure[number]:
                    if target not in wakers:
                        wakers[target] = number
                        after.append(target)
            front = after
        return wakers


_alive: WeakValueDictionary[tuple[int, ScanSettings], RecursionGraph] = WeakValueDictionary()
"""Graphs by the identity of their book, which they keep alive: views of one book share them."""


def graph_of(book: BookView, settings: ScanSettings) -> RecursionGraph:
    """The graph of a book, the same object as long as no entry and no setting changes.

    A view holds the graphs of its book as it is now, so that those of earlier states go.
    """
    found, graphs = book.facts.get(_FACT, (None, {}))
    if found is not book.book:
        graphs = {}
        book.facts[_FACT] = (book.book, graphs)
    graph: RecursionGraph | None = graphs.get(settings)
    if graph is None:
        key = (id(book.book), settings)
        graph = graphs[settings] = _alive.get(key) or RecursionGraph(book, settings)
        _alive[key] = graph
    return graph


def _resolved(text: str) -> str | None:
    """A key without macros as it stands; None for one whose text depends on who plays."""
    return text if is_plain(text) else None
