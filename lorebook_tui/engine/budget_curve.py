"""What a turn would hold with any other budget: every budget at which something changes, found from the ledger.

A run compares sums of tokens with the budget and looks at it nowhere else. So it goes alike with every budget between
the largest sum it admitted and the smallest it refused; the next run starts just below. Each such stretch is run at
both of its ends, so that nothing rests on the argument alone.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.evidence import evidence
from lorebook_tui.engine.explain import sentence
from lorebook_tui.engine.phases.budget import scan_budget
from lorebook_tui.engine.verdicts import verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.model.scenario import Step
    from lorebook_tui.model.settings import ScanSettings

AMPLE: Final = 1 << 30
"""A budget in tokens that no lore fills."""
_ANY_SHARE: Final = 10**12
"""A percentage that leaves the budget to the cap alone."""
WHOLE: Final = 100


class Limited(Simulation):
    """A simulation whose budget is so many tokens, whatever its settings say; everything else is shared.

    Args:
        base: gives scenario and plans; stays as it is.
        limit: tokens, 1 or more.
    """

    def __init__(self, base: Simulation, limit: int) -> None:
        vars(self).update(vars(base))
        self._base = base
        self.limit = limit

    def plan(self, state: State | None = None) -> Plan:
        """The other simulation's plan with the budget in its settings."""
        plan = copy.copy(self._base.plan(state))
        plan.settings = with_limit(plan.settings, self.limit)
        return plan


def with_limit(settings: ScanSettings, limit: int) -> ScanSettings:
    """Settings that make the budget so many tokens in any context."""
    return replace(settings, world_info_budget=_ANY_SHARE, world_info_budget_cap=limit)


def in_prompt(assembly: Assembly) -> frozenset[int]:
    """Load indices of the entries whose text has a place in the prompt."""
    return frozenset(admitted.index for admitted in assembly.admitted if admitted.index not in assembly.nowhere)


def need(assembly: Assembly) -> int:
    """The smallest budget with which the turn goes as it went; where nothing was cut: that which lets everything in."""
    return max((row.total + 1 for row in assembly.ledger if row.admitted and not row.ignores_budget), default=1)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Budgets with which a turn goes alike."""

    low: int
    high: int
    """In tokens, both included; `AMPLE` stands for no end."""
    assembly: Assembly
    """The turn, run with one of them."""


@dataclass(frozen=True, slots=True)
class Point:
    """A budget from which on other entries are in the prompt than just below it."""

    low: int
    high: int
    """Tokens up to which they stay the same; `AMPLE`: whatever the budget."""
    inside: frozenset[int]
    """Load indices of the entries in the prompt."""
    came: tuple[int, ...]
    """Those that are not in just below this budget, in the order of activation."""
    went: tuple[int, ...]
    """Those that are in just below it and no more: more room is not always better."""
    assembly: Assembly

    @property
    def tokens(self) -> int:
        """Tokens of all activated texts."""
        return self.assembly.tokens


@dataclass(frozen=True)
class Curve:
    """What is in the prompt of one turn with each budget, given the state before it."""

    points: tuple[Point, ...]
    """Ascending; the first begins at 1 token."""
    settings: ScanSettings
    context: int
    """Tokens from which a percentage is taken."""
    runs: int
    """Turns that were run to find and check it."""

    def at(self, limit: int) -> Point:
        """What is in with a budget of so many tokens, 1 or more."""
        return next(point for point in self.points if limit <= point.high)

    @property
    def limit(self) -> int:
        """The budget in force, in tokens."""
        return self.limit_at(self.settings.world_info_budget)

    def limit_at(self, percent: float) -> int:
        """Tokens of another percentage; a cap stays in force."""
        return scan_budget(percent, self.context, self.settings.world_info_budget_cap)

    @cached_property
    def here(self) -> Point:
        """The point of the budget in force."""
        return self.at(self.limit)

    @property
    def need(self) -> int:
        """The smallest budget in tokens with which nothing is cut."""
        return self.points[-1].low

    @property
    def is_monotone(self) -> bool:
        """Whether an entry that is in stays in with every larger budget."""
        return not any(point.went for point in self.points)


def budget_curve(simulation: Simulation, step: Step, state: State) -> Curve:
    """The curve of a turn.

    Args:
        simulation: gives scenario and plans.
        step: the turn.
        state: what the turns before left, with the budget they had.
    """
    count = 0

    def run(limit: int) -> Assembly:
        nonlocal count
        count += 1
        return Limited(simulation, limit).assemble(step, state)

    found = sorted(stretches(run), key=lambda stretch: stretch.low)
    sample = found[-1].assembly
    settings = (state.settings or simulation.scenario.settings).with_values(step.settings or {})
    return Curve(tuple(_points(found)), settings, sample.turn.max_context, count)


def stretches(run: Callable[[int], Assembly]) -> Iterator[Stretch]:
    """All stretches of budgets, from the largest down; each is run at both ends.

    Args:
        run: the turn with a budget of so many tokens.
    """
    high = AMPLE
    while high >= 1:
        assembly = run(high)
        low = max(1, min(need(assembly), high))
        if low < high and not _alike(run(low), assembly):
            low = _lowest_alike(run, assembly, low, high)
        yield Stretch(low, high, assembly)
        high = low - 1


def _alike(left: Assembly, right: Assembly) -> bool:
    """Whether two runs asked for the same and gave the same."""
    return left.ledger == right.ledger and left.admitted == right.admitted and left.slots == right.slots


def _lowest_alike(run: Callable[[int], Assembly], assembly: Assembly, low: int, high: int) -> int:
    """For an engine that looks at its budget in other ways too: where the run stops going alike, by halving."""
    while low < high:
        middle = (low + high) // 2
        if _alike(run(middle), assembly):
            high = middle
        else:
            low = middle + 1
    return high


def _points(found: Sequence[Stretch]) -> Iterator[Point]:
    """Neighbouring stretches with the same entries in the prompt become one point."""
    previous: frozenset[int] = frozenset()
    waiting: Stretch | None = None
    inside: frozenset[int] = frozenset()
    for stretch in found:
        now = in_prompt(stretch.assembly)
        if waiting is not None and now != inside:
            yield _point(waiting, inside, previous)
            previous = inside
            waiting = None
        waiting = Stretch(waiting.low if waiting else stretch.low, stretch.high, stretch.assembly)
        inside = now
    if waiting is not None:
        yield _point(waiting, inside, previous)


def _point(stretch: Stretch, inside: frozenset[int], previous: frozenset[int]) -> Point:
    order = [admitted.index for admitted in stretch.assembly.admitted]
    came = tuple(index for index in order if index in inside - previous)
    return Point(stretch.low, stretch.high, inside, came, tuple(sorted(previous - inside)), stretch.assembly)


def why_gone(point: Point, index: int) -> str:
    """Why an entry is out with this budget although it is in with a smaller one. May quote foreign text."""
    found = verdict(point.assembly, index)
    return sentence(point.assembly, found, evidence(point.assembly, index))


def whole_percent(tokens: int, context: int) -> int | None:
    """The smallest whole percentage of a context that gives so many tokens; None if 100 % do not."""
    return next((percent for percent in range(1, WHOLE + 1) if scan_budget(percent, context, 0) >= tokens), None)


def context_for(tokens: int, percent: float) -> int | None:
    """The smallest context of which a percentage gives so many tokens; None if no context does."""
    if percent <= 0:
        return None
    context = max(1, int((tokens - 0.5) * WHOLE / percent) - 2)
    while scan_budget(percent, context, 0) < tokens:
        context += 1
    return context


def in_contexts(simulation: Simulation, step: Step, state: State, contexts: Sequence[int]) -> tuple[Assembly, ...]:
    """The turn in contexts of other sizes with the same percentage; run, since macros can tell the size.

    Args:
        simulation: runs the turn.
        step: the turn.
        state: what the turns before left, in the context they had.
        contexts: tokens less the length of the reply.
    """
    return tuple(simulation.assemble(replace(step, max_context=context), state) for context in contexts)
