"""Counting what became of entries over many ways a turn or a chat can go; whole numbers or exact fractions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import PROGRESS

if TYPE_CHECKING:
    from fractions import Fraction

    from lorebook_tui.engine.assemble import Assembly

_RANK = {reason: rank for rank, reason in enumerate(PROGRESS)}


def outcomes(assembly: Assembly) -> dict[int, Reason]:
    """The reasons of the verdicts about all entries that a pass had cause to look at, by load index."""
    found: dict[int, Reason] = {}
    for decision in assembly.decisions:
        reason = decision.reason
        if reason is not None:
            best = found.get(decision.index)
            if best is None or _RANK.get(reason, 0) >= _RANK.get(best, 0):
                found[decision.index] = reason
    if assembly.error:
        return dict.fromkeys(found, Reason.STOPPED)
    nowhere = assembly.nowhere
    for admitted in assembly.admitted:
        found[admitted.index] = nowhere.get(admitted.index, Reason.IN_PROMPT)
    return found


@dataclass(slots=True)
class Tally:
    """What became of entries in a turn: how often, or with which weight, each reason was the verdict."""

    total: Fraction | int = 0
    reasons: dict[int, dict[Reason, Fraction | int]] = field(default_factory=dict)
    """By load index; what is missing to the total: no pass had cause to look at the entry."""
    seed_in: dict[int, int] = field(default_factory=dict)
    """The lowest seed with which an entry was in the prompt."""
    seed_out: dict[int, int] = field(default_factory=dict)
    """The lowest seed with which an entry that was looked at was not."""

    def add(self, found: dict[int, Reason], weight: Fraction | int, seed: int | None = None) -> None:
        """Count one run."""
        self.total += weight
        for index, reason in found.items():
            counts = self.reasons.setdefault(index, {})
            counts[reason] = counts.get(reason, 0) + weight
            if seed is not None:
                seeds = self.seed_in if reason is Reason.IN_PROMPT else self.seed_out
                seeds[index] = min(seed, seeds.get(index, seed))

    def merge(self, other: Tally) -> None:
        """Count the runs of another tally too."""
        self.total += other.total
        for index, counts in other.reasons.items():
            mine = self.reasons.setdefault(index, {})
            for reason, weight in counts.items():
                mine[reason] = mine.get(reason, 0) + weight
        for seeds, others in ((self.seed_in, other.seed_in), (self.seed_out, other.seed_out)):
            for index, seed in others.items():
                seeds[index] = min(seed, seeds.get(index, seed))

    def inside(self, index: int) -> Fraction | int:
        """How often an entry was in the prompt."""
        return self.reasons.get(index, {}).get(Reason.IN_PROMPT, 0)


@dataclass(slots=True)
class ChatTally:
    """What became of entries over whole chats."""

    total: Fraction | int = 0
    turns: list[Tally] = field(default_factory=list)
    ever: dict[int, Fraction | int] = field(default_factory=lambda: defaultdict(int))
    """How often an entry was in the prompt at one turn at least."""

    def merge(self, other: ChatTally) -> None:
        """Count the chats of another tally too; both have the same turns."""
        self.total += other.total
        self.turns += [Tally() for _ in range(len(other.turns) - len(self.turns))]
        for mine, others in zip(self.turns, other.turns, strict=True):
            mine.merge(others)
        for index, count in other.ever.items():
            self.ever[index] += count
