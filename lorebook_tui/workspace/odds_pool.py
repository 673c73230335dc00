"""Odds of a workspace: worked out where possible, else counted from runs in several processes.

Every run follows from its seed alone and counts are added up, so that any number of processes gives the same result.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.draw_tree import InexactError
from lorebook_tui.engine.odds import (
    MOST_WAYS,
    estimated_chat,
    exact_chat,
    exact_turn,
    sampled_chat,
    sampled_turn,
    turn_odds,
)
from lorebook_tui.engine.reseeded import Reseeded
from lorebook_tui.engine.tally import ChatTally, Tally
from lorebook_tui.model.scenario import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lorebook_tui.engine.assemble import State
    from lorebook_tui.engine.odds import ChatOdds, TurnOdds
    from lorebook_tui.model.scenario import Scenario
    from lorebook_tui.workspace.turns import Replay

    Progress = Callable[[int, int], None]

DEFAULT_RUNS: Final = 1000
"""Runs of one turn that cannot be worked out: good for about three percent either way."""
DEFAULT_CHATS: Final = 400
"""Replays of a whole chat: five percent either way."""
_TURNS_AT_ONCE: Final = 200
"""Turns that a process runs before it reports."""
_WORTH_A_POOL: Final = 2000
"""Turns below which starting processes takes longer than it saves."""

_Task = TypeVar("_Task")
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to try, and in how many processes.

    Attributes:
        runs: throws of the dice where odds have to be estimated; the seeds count up from `seed`.
        seed: the first seed.
        jobs: processes; 0: one per processor.
        most_ways: ways for the dice of a turn to fall that are run through before estimating.
    """

    runs: int
    seed: int
    jobs: int = 0
    most_ways: int = MOST_WAYS

    @property
    def seeds(self) -> range:
        """The seeds of all runs."""
        return range(self.seed, self.seed + self.runs)

    def parts(self, turns: int) -> Iterator[range]:
        """The seeds in portions of about equal work."""
        size = max(1, _TURNS_AT_ONCE // max(1, turns))
        for start in range(0, self.runs, size):
            yield self.seeds[start : start + size]


def odds_at_turns(
    replayed: Replay, turns: Sequence[int], effort: Effort, progress: Progress | None = None
) -> list[TurnOdds]:
    """The odds at turns, each given what the turns before left when they went as the workspace's seed has it.

    Args:
        replayed: the chat made ready.
        turns: numbers of messages, as `simulate` takes them.
        effort: how much to try.
        progress: told runs done and runs to do, where odds have to be estimated.
    """
    simulation = Reseeded(replayed.simulation)
    found: dict[int, TurnOdds] = {}
    inexact: list[tuple[Step, State, str]] = []
    for assembly in replayed.run(turns):
        step, state = Step(assembly.upto), assembly.before
        try:
            found[step.upto] = exact_turn(simulation, step, state, effort.most_ways)
        except InexactError as error:
            inexact.append((step, state, str(error)))
    tasks = [(step, state, part) for step, state, _ in inexact for part in effort.parts(1)]
    tallies = {step.upto: Tally() for step, _, _ in inexact}
    done = 0
    for (step, _, part), tally in zip(
        tasks, _results(_turn_task, tasks, replayed.simulation, effort, len(inexact) * effort.runs), strict=True
    ):
        tallies[step.upto].merge(tally)
        done += len(part)
        if progress:
            progress(done, len(inexact) * effort.runs)
    for step, _, reason in inexact:
        found[step.upto] = turn_odds(step.upto, tallies[step.upto], runs=effort.runs, why_estimated=reason)
    return [found[turn] for turn in sorted(found)]


def odds_over_chat(replayed: Replay, effort: Effort, progress: Progress | None = None) -> ChatOdds:
    """The odds at every turn of the chat and over all of them, whatever happened before.

    Args:
        replayed: the chat made ready.
        effort: how much to try; each run replays the chat.
        progress: told replays done and replays to do; while odds are worked out, as many as that is worth.
    """
    steps = [Step(turn) for turn in replayed.turns]

    def worked_out(turns: int) -> None:
        if progress:
            progress(effort.runs * turns // len(steps), effort.runs)

    exact = exact_chat(Reseeded(replayed.simulation), steps, effort.most_ways, worked_out)
    if not exact.why_estimated:
        return exact
    tasks = [(steps, part) for part in effort.parts(len(steps))]
    total = ChatTally()
    for tally in _results(_chat_task, tasks, replayed.simulation, effort, effort.runs * len(steps)):
        total.merge(tally)
        if progress:
            progress(int(total.total), effort.runs)
    return estimated_chat(steps, total, exact)


def _turn_task(simulation: Reseeded, task: tuple[Step, State, range]) -> Tally:
    step, state, seeds = task
    return sampled_turn(simulation, step, state, seeds)


def _chat_task(simulation: Reseeded, task: tuple[list[Step], range]) -> ChatTally:
    steps, seeds = task
    return sampled_chat(simulation, steps, seeds)


def _results(
    work: Callable[[Reseeded, _Task], _Found],
    tasks: Sequence[_Task],
    simulation: Simulation,
    effort: Effort,
    turns: int,
) -> Iterator[_Found]:
    """What the tasks give, in their order; in this process if others cannot be had or are not worth it."""
    done = 0
    jobs = min(effort.jobs or os.cpu_count() or 1, len(tasks))
    if jobs > 1 and (effort.jobs or turns >= _WORTH_A_POOL):
        try:
            for result in _pooled(work, tasks, simulation, jobs):
                yield result
                done += 1
        except (OSError, ImportError, NotImplementedError, BrokenProcessPool):
            # No processes here (no semaphores, a sandbox, too little memory): the rest is done slowly.
            pass
    own = Reseeded(simulation)
    for task in tasks[done:]:
        yield work(own, task)


def _pooled(
    work: Callable[[Reseeded, _Task], _Found], tasks: Sequence[_Task], simulation: Simulation, jobs: int
) -> Iterator[_Found]:
    from multiprocessing import get_context  # noqa: PLC0415 - only where processes are wanted

    given = (simulation.scenario, simulation.counter.name)
    with ProcessPoolExecutor(jobs, get_context("spawn"), _make_ready, given) as pool:
        futures = [pool.submit(_in_process, work, task) for task in tasks]
        try:
            for future in futures:
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


_ready: list[Reseeded] = []
"""The simulation of a process of the pool."""


def _make_ready(scenario: Scenario, tokenizer: str) -> None:
    from lorebook_tui.tokens.registry import counter  # noqa: PLC0415 - where it is counted

    _ready[:] = [Reseeded(Simulation(scenario, counter(tokenizer)))]


def _in_process(work: Callable[[Reseeded, _Task], _Found], task: _Task) -> _Found:
    return work(_ready[0], task)
