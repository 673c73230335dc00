"""What the budget does over a chat: what each turn needs, who takes it, and who comes and goes only because of it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.budget_curve import AMPLE, Limited, context_for, in_prompt, need, whole_percent
from lorebook_tui.engine.trace import Cause, Outcome
from lorebook_tui.engine.verdicts import verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lorebook_tui.engine.assemble import Assembly, Simulation, State
    from lorebook_tui.model.layers import Layer
    from lorebook_tui.model.scenario import Step

ALWAYS_ON: Final = frozenset({Cause.CONSTANT, Cause.DECORATOR})
"""Causes that need no key."""
USUAL: Final = 0.5
NEARLY_ALL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Shares:
    """Tokens in the prompt by where they come from."""

    layers: Mapping[Layer, int]
    books: Mapping[tuple[Layer, str], int]
    """By layer and name of the book."""

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.layers.values())


@dataclass(frozen=True, slots=True)
class TurnNeed:
    """One turn under the budget in force, and what it would be without one."""

    upto: int
    assembly: Assembly
    """The turn as it is."""
    ample: Assembly
    """The same turn, after the same turns, with room for everything."""
    need: int
    """The smallest budget with which nothing is cut at this turn if nothing was cut before either."""

    @property
    def inside(self) -> frozenset[int]:
        """Load indices of the entries in the prompt."""
        return in_prompt(self.assembly)

    @property
    def wanted(self) -> frozenset[int]:
        """Load indices of those that would be with room for everything."""
        return in_prompt(self.ample)

    @property
    def cut(self) -> tuple[int, ...]:
        """Those that the budget keeps out, in load order: cut themselves, or never woken since the scan ended there."""
        return tuple(sorted(self.wanted - self.inside))


@dataclass(frozen=True, slots=True)
class Survival:
    """An entry that the budget lets in at some turns and keeps out at others, or at all of them."""

    index: int
    inside: tuple[int, ...]
    """Turns at which it is in."""
    cut: tuple[int, ...]
    """Turns at which it would be in with room for everything."""
    always_on: bool
    """It asks for its place at every turn: a constant."""

    @property
    def comes_and_goes(self) -> bool:
        """Whether it is in now and then, so that its survival hangs on the length of the chat."""
        return bool(self.inside and self.cut)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A budget, and how else to get as many tokens."""

    tokens: int
    percent: int | None
    """Whole percentage of the context; None: not even all of it."""
    context: int | None
    """Context of which the percentage in force is enough."""


@dataclass(frozen=True, slots=True)
class ChatNeeds:
    """A whole chat."""

    turns: tuple[TurnNeed, ...]

    def percentile(self, share: float) -> int:
        """The smallest budget with which that share of the turns lets everything in."""
        return percentile([turn.need for turn in self.turns], share)

    @property
    def most(self) -> int:
        """The budget with which every turn lets everything in."""
        return max((turn.need for turn in self.turns), default=1)

    @property
    def survivals(self) -> tuple[Survival, ...]:
        """Entries that the budget keeps out at any turn, those that come and go first."""
        inside: dict[int, list[int]] = {}
        cut: dict[int, list[int]] = {}
        always: set[int] = set()
        for turn in self.turns:
            for index in turn.inside:
                inside.setdefault(index, []).append(turn.upto)
            for index in turn.cut:
                cut.setdefault(index, []).append(turn.upto)
                if turn.ample.admitted_by_index[index].cause in ALWAYS_ON:
                    always.add(index)
        found = [
            Survival(index, tuple(inside.get(index, ())), tuple(turns), index in always)
            for index, turns in sorted(cut.items())
        ]
        return tuple(sorted(found, key=lambda item: (not item.comes_and_goes, -len(item.cut), item.index)))

    def suggestion(self, tokens: int) -> Suggestion:
        """How to get a budget, judged by context and percentage at the last turn."""
        last = self.turns[-1].assembly
        return suggestion(last, tokens)


def chat_needs(simulation: Simulation, steps: Sequence[Step]) -> Iterator[TurnNeed]:
    """Turn after turn with the budget in force, beside a chat in which nothing is ever cut.

    Args:
        simulation: gives scenario and plans.
        steps: the turns of the chat; they leave books and settings alone.
    """
    roomy = Limited(simulation, AMPLE)
    state = free = simulation.initial_state()
    for step in steps:
        assembly = simulation.assemble(step, state)
        ample = roomy.assemble(step, state)
        uncut = ample if free is state or free == state else roomy.assemble(step, free)
        yield TurnNeed(step.upto, assembly, ample, need(uncut))
        state, free = assembly.state, uncut.state


def turn_need(simulation: Simulation, step: Step, state: State) -> TurnNeed:
    """One turn by itself, given what the turns before left."""
    ample = Limited(simulation, AMPLE).assemble(step, state)
    return TurnNeed(step.upto, simulation.assemble(step, state), ample, need(ample))


def suggestion(assembly: Assembly, tokens: int) -> Suggestion:
    """How to get a budget, judged by the context and percentage of a turn."""
    settings = assembly.plan.settings
    percent = whole_percent(tokens, assembly.turn.max_context)
    return Suggestion(tokens, percent, context_for(tokens, settings.world_info_budget))


def percentile(values: Iterable[int], share: float) -> int:
    """The smallest of the values that at least a share of all do not exceed; 0 of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0


def shares(assemblies: Iterable[Assembly]) -> Shares:
    """Tokens of the texts in the prompt, summed over turns."""
    layers: Counter[Layer] = Counter()
    books: Counter[tuple[Layer, str]] = Counter()
    for assembly in assemblies:
        for admitted in assembly.admitted:
            if admitted.index not in assembly.nowhere:
                entry = assembly.entry(admitted.index)
                layers[entry.layer] += admitted.tokens
                books[entry.layer, entry.book] += admitted.tokens
    return Shares(dict(layers), dict(books))


def always_on(ample: Assembly) -> dict[int, int]:
    """Tokens of the entries that ask for their place whatever is said, by load index, the largest first.

    Args:
        ample: a turn with room for everything.
    """
    found = {item.index: item.tokens for item in ample.admitted if item.cause in ALWAYS_ON}
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the budget ended a turn."""

    stopper: int
    """Load index of the entry that did not fit."""
    tokens: int
    """What it asked for."""
    left: int
    """Tokens that were left for it."""
    behind: tuple[int, ...]
    """Entries that were not tried any more, in load order."""
    would_fit: tuple[int, ...]
    """Those among them that are small enough for what was left, one by one."""


def stop_of(assembly: Assembly, simulation: Simulation) -> Stop | None:
    """Where the budget ended the turn, and whom that kept from being tried; None if nothing was cut."""
    row = next((row for row in assembly.ledger if not row.admitted), None)
    if row is None:
        return None
    left = max(0, assembly.budget - 1 - (row.total - row.tokens))
    behind = tuple(
        index
        for index in sorted(assembly.last_decisions)
        if index != row.index and verdict(assembly, index).outcome is Outcome.CUT
    )
    sizes = {index: simulation.counter.count(assembly.expand(assembly.entry(index).content) + "\n") for index in behind}
    return Stop(row.index, row.tokens, left, behind, tuple(index for index in behind if sizes[index] <= left))
