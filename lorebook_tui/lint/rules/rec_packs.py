"""What recursion drags along: entries that wake each other, texts that wake many, chains that lead far away."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.graph_shapes import breakers, way_to
from lorebook_tui.lint.naming import named
from lorebook_tui.lint.recursion_graph import graph_of
from lorebook_tui.lint.rule import BookRule, Context, Example, Option
from lorebook_tui.lint.staging import call_of, shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.tokens.estimate import EstimateCounter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.recursion_graph import RecursionGraph
    from lorebook_tui.lint.subjects import BookView, EntryView
    from lorebook_tui.model.settings import ScanSettings

_MOST_OTHERS: Final = 30
"""Entries that a finding lists beside its own."""
_MOST_CUT: Final = 200
"""Entries of a pack for which a repair is worked out."""
_MOST_WITNESSES: Final = 20
"""Findings of a rule and book that come with a scenario."""
_ALL_BUT: Final = 0.9
"""Share of a reach from which a pack of entries that wake each other explains it."""
_MOST_CHAINS: Final = 5
_MOST_STEPS: Final = 30_000
"""Entries that are walked over in search of long chains."""
_A_BLAST: Final = 10
"""Entries from which a share of the book means anything."""


def walked(book: BookView, way: Sequence[int], told: str, settings: ScanSettings) -> Witness | None:
    """A scenario in which calling the first entry of a way brings in the last one."""
    entries = [book.entries[number] for number in way]
    call = call_of(entries[0])
    if call is None:
        return None
    return shown(witness(told, entries, [call], settings, context=100_000), entries[-1], Reason.IN_PROMPT)


def _prevented(entry: EntryView) -> SetField:
    return SetField(entry.entry.path, "preventRecursion", True)


class Pack(BookRule):
    """Entries that wake each other by recursion.

    Why: SillyTavern 1.19 does not loop: an entry that is in is not looked at again. But whichever of them is called
    first, all the others follow, and share the budget.
    Example: "The ferry" speaks of the mill, and "The mill" speaks of the ferry.
    Do: switch "prevent further recursion" on where the way is to end, or "non-recursable" in entries that only the chat
    should call.
    Source: SillyTavern 1.19; guides on lore that triggers too much.
    """

    code = "REC001"
    name = "wake-each-other"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["ferry"], "content": "It passes the mill."}, {"key": ["mill"], "content": "It grinds."})),
        Example(
            (
                {"key": ["ferry"], "content": "The ferry passes the mill.", "preventRecursion": True},
                {"key": ["mill"], "content": "From it one sees the ferry."},
            )
        ),
        Example(
            (
                {"key": ["ferry"], "content": "It passes the mill."},
                {"key": ["mill"], "content": "One sees the ferry.", "excludeRecursion": True},
            )
        ),
        Example(
            (
                {"key": ["ferry"], "content": "It passes the mill."},
                {"key": ["mill"], "keysecondary": ["flood"], "content": "One sees the ferry."},
            )
        ),
        Example(
            ({"key": ["ferry"], "content": "It passes the mill."}, {"key": ["mill"], "content": "One sees the ferry."}),
            settings={"world_info_recursive": False},
        ),
        Example(
            (
                {"key": ["fog"], "group": "weather", "content": "No rain in sight."},
                {"key": ["rain"], "group": "weather", "content": "It drives the fog away."},
            )
        ),
        Example(
            (
                {"key": ["book"], "content": "A leaf is cut out."},
                {"key": ["leaf"], "delayUntilRecursion": 1, "content": "It belongs to the book."},
            )
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["ferry"], "content": "It passes the mill."}, {"key": ["mill"], "content": "One sees the ferry."}),
            fixed=({"preventRecursion": False}, {"preventRecursion": True}),
        ),
        Example(
            (
                {"key": ["ferry"], "content": "It passes the mill."},
                {"key": ["mill"], "content": "Pell grinds here."},
                {"key": ["/pell/i"], "content": "He owns the ferry."},
            ),
            fixed=({"preventRecursion": False}, {"preventRecursion": False}, {"preventRecursion": True}),
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """The packs of a book, the largest first."""
        graph = graph_of(book, context.settings)
        for count, pack in enumerate(graph.cycles if graph.is_on else ()):
            members = [book.entries[number] for number in pack]
            proof = None
            if count < _MOST_WITNESSES:
                wakers = graph.ways_from(pack[0])
                inside = set(pack)
                last = next(number for number in reversed(wakers) if number in inside)
                told = "The first is called, and the last comes with it."
                proof = walked(book, way_to(wakers, last), told, context.settings)
            yield self.finding(
                members[0],
                f"{named(members)} wake each other: whichever is called first, all of them come.",
                members[0].path_of("content"),
                others=members[1 : _MOST_OTHERS + 1],
                fix=self._cut(graph, pack, book),
                witness=proof,
            )

    @staticmethod
    def _cut(graph: RecursionGraph, pack: tuple[int, ...], book: BookView) -> Fix | None:
        """The way ends at so many entries that none of them comes back to itself."""
        if len(pack) > _MOST_CUT:
            return None
        ends = [book.entries[number] for number in breakers(graph.sure, pack)]
        told = f"let {named(ends)} wake nobody"
        return Fix(told, tuple(map(_prevented, ends)), Grade.OFFERED, alters_activation=True)


class WakesMany(BookRule):
    """A text that wakes many entries at once, or sets off a chain that brings in a great part of the book.

    Why: SillyTavern 1.19 scans the text of every entry that is in for the keys of all others. An index, a summary or a
    list of names pulls in everything it names, and the budget goes to what nobody asked for.
    Example: "The people of Harrow" names twelve persons, each of them the key of an entry.
    Do: switch "prevent further recursion" on in the index.
    Source: SillyTavern 1.19; wishes and reports of authors.
    """

    code = "REC002"
    name = "wakes-many"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    options = (
        Option("most", 8, "Entries that one text may wake at once."),
        Option("share", 0.3, "Part of the enabled entries of a book that one entry may bring in."),
    )
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["index"], "content": "alder birch cedar"},
                *({"key": [name], "content": "x"} for name in ("alder", "birch", "cedar")),
            )
        ),
        Example(
            (
                {"key": ["index"], "content": "alder birch cedar", "preventRecursion": True},
                *({"key": [name], "content": "x"} for name in ("alder", "birch", "cedar")),
            ),
            options={"most": 2},
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["index"], "content": "alder birch cedar"},
                *({"key": [name], "content": "x"} for name in ("alder", "birch", "cedar")),
            ),
            options={"most": 2},
            fixed=({"preventRecursion": True}, {}, {}, {}),
        ),
        Example(tuple({"key": [f"node{n}x"], "content": f"Go on to node{n + 1}x."} for n in range(14))),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Texts with many ways out, then the one with the farthest reach."""
        graph = graph_of(book, context.settings)
        if not graph.is_on:
            return
        most = context.options["most"]
        wide = [number for number, targets in enumerate(graph.sure) if len(targets) > most]
        count_of = cache(lambda number: EstimateCounter().count(book.entries[number].text))
        for count, number in enumerate(wide):
            targets = [book.entries[target] for target in graph.sure[number]]
            at_once = graph.count_woken(number) or len(targets)
            tokens = f"; those alone are about {sum(map(count_of, graph.sure[number])):,} tokens"
            end = f", {graph.reach[number]} in the end" if graph.reach[number] > at_once else ""
            message = f"Its text wakes {at_once:,} entries at once{end}{tokens if at_once == len(targets) else ''}."
            yield self._found(book, number, targets, message, context if count < _MOST_WITNESSES else None)
        yield from self._farthest(book, graph, set(wide), context)

    def _farthest(self, book: BookView, graph: RecursionGraph, told: set[int], context: Context) -> Iterator[Finding]:
        """The entry that brings in the greatest part of the book, if no finding says so already.

        Nothing is offered for it: its text is one step of many, and the next one would bring in nearly as much.
        """
        enabled = sum(1 for view in book.entries if view.is_enabled)
        numbers = [number for number in sorted(graph.roots) if number not in told]
        best = max(numbers, key=lambda number: (graph.reach[number], -number), default=None)
        if best is None or graph.reach[best] < _A_BLAST or graph.reach[best] <= context.options["share"] * enabled:
            return
        explained = max((graph.reach[number] for number in told), default=0)
        pack = len(graph.cycles[0]) if graph.cycles else 0
        if max(explained, pack) >= _ALL_BUT * graph.reach[best]:
            return
        brought = [book.entries[number] for number in graph.ways_from(best) if number != best]
        tokens = sum(EstimateCounter().count(view.text) for view in brought)
        message = (
            f"It sets off a chain that brings in {len(brought)} of {enabled} entries, about {tokens:,} tokens: "
            f"{named(brought)}."
        )
        yield replace(self._found(book, best, brought, message, context), fix=None)

    def _found(
        self, book: BookView, number: int, brought: list[EntryView], message: str, context: Context | None
    ) -> Finding:
        entry = book.entries[number]
        proof = None
        if context is not None:
            told = "It is called, and another one comes with it."
            proof = walked(book, (number, brought[0].number), told, context.settings)
        fix = Fix("let it wake nobody", (_prevented(entry),), Grade.OFFERED, alters_activation=True)
        others = brought[:_MOST_OTHERS]
        return self.finding(entry, message, entry.path_of("content"), others=others, fix=fix, witness=proof)


class LongChain(BookRule):
    """A chain of entries that each wake the next.

    Why: SillyTavern 1.19 goes on until nothing new is found, unless a number of steps is set. Each step leads further
    from what was said, and has its share of the budget.
    Example: the bell names the drowned parish, that its sexton, he his book, the book a name.
    Do: end the chain with "prevent further recursion", use delay levels, or set a maximum of recursion steps.
    Source: SillyTavern 1.19.
    """

    code = "REC003"
    name = "long-chain"
    severity = Severity.INFO
    options = (Option("most", 3, "Steps that a chain may have."),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(tuple({"key": [f"node{n}x"], "content": f"Go on to node{n + 1}x."} for n in range(4))),
        Example(
            tuple({"key": [f"node{n}x"], "content": f"Go on to node{n + 1}x."} for n in range(6)),
            settings={"world_info_max_recursion_steps": 3},
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(tuple({"key": [f"node{n}x"], "content": f"Go on to node{n + 1}x."} for n in range(5))),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """The longest chains that do not run into each other."""
        graph = graph_of(book, context.settings)
        most, steps = context.options["most"], context.settings.world_info_max_recursion_steps
        if not graph.is_on or 0 < steps <= most + 1:
            return
        starts = [number for number in graph.roots if graph.chains[number] > most]
        told: set[int] = set()
        found = work = 0
        for start in sorted(starts, key=lambda number: (-graph.chains[number], number)):
            if start in told or found == _MOST_CHAINS or work > _MOST_STEPS:
                continue
            wakers = graph.ways_from(start)
            work += len(wakers)
            way = way_to(wakers, next(reversed(wakers)))
            if len(way) - 1 <= most:
                continue
            found += 1
            told.update(wakers)
            entries = [book.entries[number] for number in way]
            path = " → ".join(quote(entry.entry.title) for entry in entries[: most + 2])
            yield self.finding(
                entries[0],
                f"It starts a chain of {len(way) - 1} steps: {path}{' → …' if len(way) > most + 2 else ''}.",
                entries[0].path_of("content"),
                others=entries[1 : _MOST_OTHERS + 1],
                witness=walked(book, way, "The first is called, and the last comes in the end.", context.settings),
            )
