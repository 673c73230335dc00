"""The chance that an entry is in the prompt: at a turn, and over a whole chat.

Exact where all ways the dice can fall are few enough to be run through; else estimated from runs with many seeds, with
a Wilson interval. A seed gives the same run wherever and in whatever company it is run, so counts of runs can be made
in parts and added.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.chance import RandomState
from lorebook_tui.engine.draw_tree import InexactError, leaves
from lorebook_tui.engine.tally import ChatTally, Tally, outcomes
from lorebook_tui.engine.trace import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lorebook_tui.engine.assemble import State
    from lorebook_tui.engine.reseeded import Reseeded
    from lorebook_tui.model.scenario import Step

MOST_WAYS: Final = 1024
"""Ways for the dice of one turn to fall that are run through before estimating instead."""
Z_95: Final = 1.959963984540054
"""The two-sided 95 % quantile of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Odds:
    """A probability from 0 to 1, with the bounds within which it lies."""

    chance: float
    low: float
    high: float
    """95 % of such intervals hold the true value; an exact probability is its own interval."""

    @property
    def exact(self) -> bool:
        """Whether it was worked out rather than estimated."""
        return self.low == self.high

    @property
    def uncertain(self) -> bool:
        """Whether the dice were seen to fall both ways."""
        return 0 < self.chance < 1


@dataclass(frozen=True, slots=True)
class EntryOdds:
    """One entry at one turn."""

    index: int
    """Load index."""
    odds: Odds
    reasons: Mapping[Reason, float]
    """The share of each verdict, from 0 to 1; the rest: nothing woke the entry."""
    seed_in: int | None = None
    """A seed with which it is in the prompt, and one with which it is not; None: no such run, or worked out exactly."""
    seed_out: int | None = None


@dataclass(frozen=True, slots=True)
class TurnOdds:
    """All entries at one turn that any run had cause to look at."""

    upto: int
    entries: tuple[EntryOdds, ...]
    """By load index; every other entry is out whatever the dice say."""
    runs: int
    """Ways that were run through, or seeds that were tried."""
    why_estimated: str = ""
    """Why the odds are estimated; "": they are exact."""

    def of(self, index: int) -> EntryOdds:
        """One entry."""
        nothing = EntryOdds(index, Odds(0.0, 0.0, 0.0), {})
        return next((entry for entry in self.entries if entry.index == index), nothing)


@dataclass(frozen=True, slots=True)
class EntryChatOdds:
    """One entry over the chat."""

    index: int
    ever: Odds
    """That it is in the prompt at one turn at least."""
    turns: float
    """At how many turns it is expected to be."""


@dataclass(frozen=True, slots=True)
class ChatOdds:
    """A whole chat: each turn with all that can have happened before it, and the entries over all turns."""

    turns: tuple[TurnOdds, ...]
    entries: tuple[EntryChatOdds, ...]
    runs: int
    """Chats that were replayed; 0 if everything was worked out."""
    why_estimated: str = ""

    def of(self, index: int) -> EntryChatOdds:
        """One entry."""
        nothing = EntryChatOdds(index, Odds(0.0, 0.0, 0.0), 0.0)
        return next((entry for entry in self.entries if entry.index == index), nothing)


def wilson(hits: int, runs: int, z: float = Z_95) -> Odds:
    """The share of hits with Wilson's score interval; without runs nothing is known.

    Args:
        hits: runs that turned out so.
        runs: all of them.
        z: quantile of the normal distribution; the default gives 95 %.
    """
    if runs == 0:
        return Odds(0.0, 0.0, 1.0)
    share = hits / runs
    spread = z * z / runs
    centre = (share + spread / 2) / (1 + spread)
    reach = z / (1 + spread) * math.sqrt(share * (1 - share) / runs + spread / (4 * runs))
    low = 0.0 if hits == 0 else max(0.0, centre - reach)
    return Odds(share, low, 1.0 if hits == runs else min(1.0, centre + reach))


def certain(weight: Fraction | float, total: Fraction | int = 1) -> Odds:
    """A probability that was worked out."""
    chance = float(weight / total)
    return Odds(chance, chance, chance)


def exact_turn(simulation: Reseeded, step: Step, state: State, most: int = MOST_WAYS) -> TurnOdds:
    """The odds at a turn, given the state before it, from all ways the dice can fall.

    Raises:
        InexactError: these are too many, or nobody knows the sides of the dice; says why.
    """
    tally, count = Tally(), 0
    for leaf in leaves(simulation, step, state, most):
        tally.add(outcomes(leaf.assembly), leaf.weight)
        count += 1
    return turn_odds(step.upto, tally, runs=count)


def sampled_turn(simulation: Reseeded, step: Step, state: State, seeds: Iterable[int]) -> Tally:
    """A turn with many seeds, each time from the same state."""
    tally = Tally()
    for seed in seeds:
        source = simulation.reseed(seed)
        tally.add(outcomes(simulation.assemble(replace(step, random=source), state)), 1)
    return tally


def sampled_chat(simulation: Reseeded, steps: Sequence[Step], seeds: Iterable[int]) -> ChatTally:
    """The whole chat with many seeds, timed effects, variables and random stream carried from turn to turn.

    Args:
        simulation: runs the turns.
        steps: the turns of the chat; they leave the books alone.
        seeds: one chat each.
    """
    total = ChatTally(turns=[Tally() for _ in steps])
    start = simulation.initial_state()
    for seed in seeds:
        state = replace(start, random=RandomState.start(simulation.reseed(seed)))
        ever: set[int] = set()
        for step, tally in zip(steps, total.turns, strict=True):
            assembly = simulation.assemble(step, state)
            state = assembly.state
            found = outcomes(assembly)
            tally.add(found, 1, seed)
            ever.update(index for index, reason in found.items() if reason is Reason.IN_PROMPT)
        total.total += 1
        for index in ever:
            total.ever[index] += 1
    return total


def turn_odds(upto: int, tally: Tally, *, runs: int, why_estimated: str = "") -> TurnOdds:
    """What a tally comes to.

    Args:
        upto: the turn.
        tally: whole numbers of runs if the odds are estimated.
        runs: how many.
        why_estimated: "": the tally holds exact weights.
    """

    def made(index: int) -> EntryOdds:
        inside = tally.inside(index)
        odds = wilson(int(inside), int(tally.total)) if why_estimated else certain(inside, tally.total)
        shares = {reason: float(Fraction(weight) / tally.total) for reason, weight in tally.reasons[index].items()}
        return EntryOdds(index, odds, shares, tally.seed_in.get(index), tally.seed_out.get(index))

    return TurnOdds(upto, tuple(made(index) for index in sorted(tally.reasons)), runs, why_estimated)


@dataclass(slots=True)
class _Path:
    """All histories that end in one state."""

    state: State
    weight: Fraction = Fraction(0)
    never: dict[int, Fraction] = field(default_factory=dict)
    """The weight of those in which an entry has not been in the prompt yet; all of it for an entry not named."""

    def take(self, other: _Path, weight: Fraction, inside: set[int]) -> None:
        """Add histories of another state that go on with these entries in the prompt."""
        added = other.weight * weight
        for index in {*self.never, *other.never, *inside}:
            before = self.never.get(index, self.weight)
            more = Fraction(0) if index in inside else other.never.get(index, other.weight) * weight
            self.never[index] = before + more
        self.weight += added


def _key(state: State) -> tuple[object, ...]:
    """What the next turn sees of a state, its dice aside."""
    timed = (tuple(effects.items()) for effects in (state.timed.sticky, state.timed.cooldown))
    return (*timed, repr(state.local), repr(state.globals))


def exact_chat(
    simulation: Reseeded,
    steps: Sequence[Step],
    most: int = MOST_WAYS,
    progress: Callable[[int], None] | None = None,
) -> ChatOdds:
    """The whole chat worked out: every way the dice can fall at a turn, from every state the turns before can leave.

    Args:
        simulation: runs the turns.
        steps: the turns of the chat; they leave the books alone.
        most: ways at one turn, all states together, before giving up.
        progress: told how many turns are done.

    Returns:
        The odds; if a turn cannot be worked out, those of the turns before it, no entries, and the reason.
    """
    start = simulation.initial_state()
    paths = {_key(start): _Path(start, Fraction(1))}
    done: list[TurnOdds] = []
    means: dict[int, Fraction] = {}
    for step in steps:
        following: dict[tuple[object, ...], _Path] = {}
        tally, count = Tally(), 0
        try:
            for path in paths.values():
                for leaf in leaves(simulation, step, path.state, most - count):
                    count += 1
                    found = outcomes(leaf.assembly)
                    tally.add(found, path.weight * leaf.weight)
                    inside = {index for index, reason in found.items() if reason is Reason.IN_PROMPT}
                    after = replace(leaf.assembly.state, random=start.random)
                    following.setdefault(_key(after), _Path(after)).take(path, leaf.weight, inside)
        except InexactError as reason:
            return ChatOdds(tuple(done), (), 0, f"turn {step.upto}: {reason}")
        for index in tally.reasons:
            means[index] = means.get(index, Fraction(0)) + tally.inside(index)
        done.append(turn_odds(step.upto, tally, runs=count))
        paths = following
        if progress:
            progress(len(done))
    entries = tuple(_over_chat(index, means[index], paths.values()) for index in sorted(means))
    return ChatOdds(tuple(done), entries, 0)


def _over_chat(index: int, mean: Fraction, paths: Iterable[_Path]) -> EntryChatOdds:
    """An entry at the end of all histories."""
    never = sum((path.never.get(index, path.weight) for path in paths), Fraction(0))
    return EntryChatOdds(index, certain(1 - never), float(mean))


def estimated_chat(steps: Sequence[Step], tally: ChatTally, exact: ChatOdds) -> ChatOdds:
    """What replays of a whole chat come to.

    Args:
        steps: the turns.
        tally: of the replays.
        exact: what could be worked out; its turns are kept.
    """
    runs = int(tally.total)
    turns = [
        turn_odds(step.upto, counted, runs=runs, why_estimated=exact.why_estimated)
        for step, counted in zip(steps, tally.turns, strict=True)
    ]
    turns[: len(exact.turns)] = exact.turns
    indices = sorted({index for counted in tally.turns for index in counted.reasons})
    entries = [
        EntryChatOdds(
            index,
            wilson(int(tally.ever.get(index, 0)), runs),
            sum(int(counted.inside(index)) for counted in tally.turns) / runs,
        )
        for index in indices
    ]
    return ChatOdds(tuple(turns), tuple(entries), runs, exact.why_estimated)
