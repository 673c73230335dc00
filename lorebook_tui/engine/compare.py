"""Two runs side by side, turn by turn: which entries came in, went out, moved or have another text, and why.

Left and right play the same part: swapping them swaps nothing but the words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lorebook_tui.engine.budget_curve import in_prompt
from lorebook_tui.engine.evidence import evidence
from lorebook_tui.engine.explain import sentence
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.engine.wording import place_text
from lorebook_tui.model.js import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.pairing import Pairing
    from lorebook_tui.engine.verdicts import Place

NOT_THERE = "Not among the books on this side."


class Kind(StrEnum):
    """What became of an entry from left to right; stable names."""

    CAME = "came"
    WENT = "went"
    MOVED = "moved"
    REWRITTEN = "rewritten"

    @property
    def opposite(self) -> Kind:
        """The same from right to left."""
        return {Kind.CAME: Kind.WENT, Kind.WENT: Kind.CAME}.get(self, self)


_KINDS = list(Kind)
_Chain = tuple[int, tuple[tuple[str, ...], ...], tuple[tuple[int, int], ...]]
"""Length, names and items of a run that stands in the same order on both sides."""


@dataclass(frozen=True, slots=True)
class Side:
    """An entry on one side of a change."""

    index: int | None
    """Load index; None: not among the books."""
    told: str
    """The verdict in a sentence, or the place in the prompt, or the text. Foreign text may be in it."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between the two prompts of a turn."""

    kind: Kind
    left: Side
    right: Side

    def flipped(self) -> Change:
        """The same from right to left."""
        return Change(self.kind.opposite, self.right, self.left)

    @property
    def pair(self) -> tuple[int | None, int | None]:
        """Load indices left and right."""
        return self.left.index, self.right.index

    def rank(self) -> tuple[int, int, int]:
        """Its place among the changes of a turn."""
        left, right = self.pair
        return _KINDS.index(self.kind), -1 if left is None else left, -1 if right is None else right


@dataclass(frozen=True, slots=True)
class Totals:
    """A turn of one side in numbers."""

    entries: int
    tokens: int
    limit: int
    overflowed: bool
    error: str = ""
    """Why the program stops without a prompt; "" if it does not."""


@dataclass(frozen=True, slots=True)
class TurnDifference:
    """One turn of both sides."""

    upto: int
    changes: tuple[Change, ...]
    """By kind, then in load order."""
    left: Totals
    right: Totals

    @property
    def is_same(self) -> bool:
        """Whether the lore in the prompt is the same, place by place and word by word."""
        return not self.changes and bool(self.left.error) == bool(self.right.error)

    def of(self, kind: Kind) -> tuple[Change, ...]:
        """The changes of one kind."""
        return tuple(change for change in self.changes if change.kind is kind)

    def flipped(self) -> TurnDifference:
        """The same from right to left."""
        return TurnDifference(self.upto, _sorted(change.flipped() for change in self.changes), self.right, self.left)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All turns that both sides have."""

    turns: tuple[TurnDifference, ...]
    only_left: tuple[int, ...] = ()
    """Turns that only the left side has."""
    only_right: tuple[int, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether both sides have the same turns with the same lore."""
        return not self.only_left and not self.only_right and all(turn.is_same for turn in self.turns)

    def counts(self) -> dict[tuple[int | None, int | None], Counter[Kind]]:
        """How often what became of each entry, by load indices left and right, the most changed first."""
        found: dict[tuple[int | None, int | None], Counter[Kind]] = {}
        for turn in self.turns:
            for change in turn.changes:
                found.setdefault(change.pair, Counter())[change.kind] += 1
        return dict(sorted(found.items(), key=lambda item: -item[1].total()))

    def flipped(self) -> Comparison:
        """The same from right to left."""
        return Comparison(tuple(turn.flipped() for turn in self.turns), self.only_right, self.only_left)


def compare_turn(left: Assembly, right: Assembly, pairing: Pairing) -> TurnDifference:
    """The differences between two assemblies of one turn.

    Args:
        left: one side.
        right: the other.
        pairing: of the plans of both.
    """
    ours, theirs = in_prompt(left), in_prompt(right)
    changes: list[Change] = []
    both: list[tuple[int, int]] = []
    for index in ours:
        partner = pairing.to_right.get(index)
        if partner is not None and partner in theirs:
            both.append((index, partner))
        else:
            changes.append(Change(Kind.WENT, Side(index, _verdict(left, index)), _absent(right, partner)))
    for index in theirs:
        partner = pairing.to_left.get(index)
        if partner is None or partner not in ours:
            changes.append(Change(Kind.CAME, _absent(left, partner), Side(index, _verdict(right, index))))
    changes += _moved(left, right, both)
    changes += _rewritten(left, right, both)
    return TurnDifference(left.upto, _sorted(changes), _totals(left, ours), _totals(right, theirs))


def _sorted(changes: Iterable[Change]) -> tuple[Change, ...]:
    return tuple(sorted(changes, key=Change.rank))


def _totals(assembly: Assembly, inside: frozenset[int]) -> Totals:
    return Totals(len(inside), assembly.tokens, assembly.budget, assembly.overflowed, assembly.error)


def _verdict(assembly: Assembly, index: int) -> str:
    return sentence(assembly, verdict(assembly, index), evidence(assembly, index))


def _absent(assembly: Assembly, index: int | None) -> Side:
    return Side(None, NOT_THERE) if index is None else Side(index, _verdict(assembly, index))


def _rewritten(left: Assembly, right: Assembly, both: Iterable[tuple[int, int]]) -> list[Change]:
    found = []
    for mine, other in both:
        ours, theirs = left.admitted_by_index[mine].content, right.admitted_by_index[other].content
        if ours != theirs:
            found.append(Change(Kind.REWRITTEN, Side(mine, ours), Side(other, theirs)))
    return found


def _slot(place: Place) -> tuple[str, str, str, str]:
    return place.slot, text_of(place.depth), text_of(place.role), place.outlet


def _moved(left: Assembly, right: Assembly, both: Iterable[tuple[int, int]]) -> list[Change]:
    return [
        Change(
            Kind.MOVED,
            Side(mine, place_text(left.places[mine])),
            Side(other, place_text(right.places[other])),
        )
        for mine, other in places_moved(left, right, both)
    ]


def places_moved(
    left: Assembly,
    right: Assembly,
    both: Iterable[tuple[int, int]],
    name: Callable[[tuple[int, int]], tuple[str, ...]] | None = None,
) -> list[tuple[int, int]]:
    """Entries in another slot, and the fewest in one slot that break its order.

    Args:
        left: one side.
        right: the other.
        both: load indices left and right of entries that have a place on both sides.
        name: decides who stayed where that can be seen in several ways; the first by name does. None: the identity.
    """
    stayed: dict[tuple[str, str, str, str], list[tuple[int, int]]] = {}
    gone: list[tuple[int, int]] = []
    for mine, other in both:
        slot = _slot(left.places[mine])
        if slot == _slot(right.places[other]):
            stayed.setdefault(slot, []).append((mine, other))
        else:
            gone.append((mine, other))

    def rank(assembly: Assembly, index: int) -> int:
        return assembly.places[index].number

    for members in stayed.values():
        ours = sorted(members, key=lambda pair: rank(left, pair[0]))
        theirs = sorted(members, key=lambda pair: rank(right, pair[1]))
        if ours != theirs:
            kept = in_order(ours, theirs, name or (lambda pair: _name(left, right, pair)))
            gone += [pair for pair in members if pair not in kept]
    return gone


def _name(left: Assembly, right: Assembly, pair: tuple[int, int]) -> tuple[str, ...]:
    """What tells a pair from others and is the same seen from either side."""
    names = sorted((left.entry(pair[0]).identity, right.entry(pair[1]).identity))
    return (*names, *sorted((left.entry(pair[0]).entry.key, right.entry(pair[1]).entry.key)))


def in_order(
    ours: Sequence[tuple[int, int]],
    theirs: Sequence[tuple[int, int]],
    name: Callable[[tuple[int, int]], tuple[str, ...]],
) -> set[tuple[int, int]]:
    """The most items that stand in the same order in both; among equally many, the first by name.

    Args:
        ours: one order.
        theirs: the same items in another order.
        name: decides among equals, so that both directions choose alike.
    """
    rank = {item: place for place, item in enumerate(theirs)}
    best: list[_Chain] = []
    for place, item in enumerate(ours):
        chain: _Chain = (0, (), ())
        for earlier in best[:place]:
            if rank[earlier[2][-1]] < rank[item] and (-earlier[0], earlier[1]) < (-chain[0], chain[1]):
                chain = earlier
        best.append((chain[0] + 1, (*chain[1], name(item)), (*chain[2], item)))
    return set(min(best, key=lambda chain: (-chain[0], chain[1]))[2]) if best else set()
