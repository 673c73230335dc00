"""Turns as the screen keeps them: in short for the timeline, in full for the panes. Frozen values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.budget_line import budget_line
from lorebook_tui.engine.evidence import message_hits
from lorebook_tui.engine.fates import Fate, Timers, fates, running, timers
from lorebook_tui.engine.phase_views import phase_views
from lorebook_tui.engine.trace import Cause
from lorebook_tui.engine.turn_diff import turn_diff
from lorebook_tui.engine.untouched import trail_of
from lorebook_tui.engine.waking import waking_tree
from lorebook_tui.glyphs import Mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.engine.budget_line import BudgetLine
    from lorebook_tui.engine.phase_views import PhaseView
    from lorebook_tui.engine.turn_diff import TurnDiff
    from lorebook_tui.engine.untouched import Trail
    from lorebook_tui.engine.waking import WakingTree
    from lorebook_tui.tui.replay import Replay

_MARKS: Final = {
    Fate.IN: Mark.IN,
    Fate.STICKY: Mark.STICKY,
    Fate.CLOSED: Mark.CLOSED,
    Fate.CUT: Mark.CUT,
    Fate.BEHIND: Mark.CUT,
    Fate.ROLLED: Mark.ROLLED,
    Fate.GROUP: Mark.ROLLED,
    Fate.COOLDOWN: Mark.WAITING,
    Fate.DELAY: Mark.WAITING,
    Fate.LEVEL: Mark.WAITING,
    Fate.NEAR: Mark.NEAR,
}


@dataclass(frozen=True)
class Turn:
    """A replayed turn in short: what the timeline draws and what the next turn starts from."""

    number: int
    """Counted from 0."""
    upto: int
    """Messages that exist."""
    active: int
    cut: int
    tokens: int
    budget: int
    fates: Mapping[int, Fate]
    """What became of entries, by load index; of those that have a cell in the timeline."""
    state: State
    milliseconds: float
    """Of this processor; what else the machine does is not counted."""
    trail: Trail = field(repr=False, compare=False)
    """What it looked at."""

    @cached_property
    def marks(self) -> Mapping[int, Mark]:
        """By load index, of entries that got one."""
        return {index: mark for index, fate in self.fates.items() if (mark := _MARKS.get(fate)) is not None}


@dataclass(frozen=True)
class Picture:
    """A turn in full: everything the panes show of it."""

    replay: Replay
    """Where it comes from; pictures of an older replay are stale."""
    turn: Turn
    assembly: Assembly
    phases: tuple[PhaseView, ...]
    hits: Mapping[int, tuple[tuple[int, int, int], ...]]
    """By transcript index: (start, end, load index)."""
    window: frozenset[int]
    """Transcript indices of the messages that entries without an own depth saw."""
    waking: WakingTree
    """Who woke whom."""
    budget: BudgetLine
    """Every entry as a segment, and the cut."""
    approximate: bool
    """Whether tokens are estimated."""
    settled: bool = field(default=True, compare=False)
    """False: the turns before are not replayed yet, so what they leave is taken from before the edit."""

    @property
    def number(self) -> int:
        """Which turn it is, counted from 0."""
        return self.turn.number

    @cached_property
    def woken(self) -> Mapping[int, tuple[str, str]]:
        """By load index of entries that a key woke: the words that matched, and where they stand. Foreign text."""
        return _woken(self.waking, self.assembly)

    @cached_property
    def running(self) -> Mapping[int, Timers]:
        """The same of all entries that have something running, by load index."""
        return running(self.assembly, self.turn.fates)

    def timers(self, index: int) -> Timers:
        """What still runs for an entry after this turn: messages of sticky, cooldown and delay that are left."""
        return timers(self.assembly, index)

    def since(self, before: Picture) -> TurnDiff:
        """What is different from another picture: of the turn before, or of this turn before an edit."""
        return turn_diff(before.assembly, self.assembly)


def picture_of(replay: Replay, turn: Turn, assembly: Assembly, *, settled: bool = True) -> Picture:
    """A turn in full."""
    depth = assembly.passes[-1].depth if assembly.passes else 0
    window = frozenset(assembly.turn.newest_numbers(int(depth)) if depth > 0 else ())
    return Picture(
        replay,
        turn,
        assembly,
        phase_views(assembly),
        message_hits(assembly),
        window,
        waking_tree(assembly),
        budget_line(assembly, replay.counter.count),
        replay.approximate,
        settled,
    )


def in_short(number: int, assembly: Assembly, elapsed: float, waiters: Iterable[int]) -> Turn:
    """A turn in short.

    Args:
        number: which turn, counted from 0.
        assembly: the turn.
        elapsed: milliseconds that it took.
        waiters: entries that a delay or a recursion level can stop without any pass looking at them.
    """
    found = fates(assembly, waiters)
    return Turn(
        number,
        assembly.upto,
        sum(1 for fate in found.values() if fate.in_prompt),
        sum(1 for fate in found.values() if fate.is_cut),
        assembly.tokens,
        assembly.budget,
        found,
        assembly.state,
        elapsed,
        trail_of(assembly),
    )


def _woken(tree: WakingTree, assembly: Assembly) -> dict[int, tuple[str, str]]:
    """For every entry that a key made a candidate: the words of its first place."""
    found: dict[int, tuple[str, str]] = {}
    for waking in tree.wakings.values():
        hit = waking.hit
        if waking.cause is not Cause.KEY or hit is None:
            continue
        if hit.message is not None:
            place = f"in message {hit.message + 1}"
        elif hit.woken_by is not None:
            place = f"in the text of {assembly.entry(hit.woken_by).entry.title}"
        else:
            place = f"in {hit.name}"
        found[waking.index] = (waking.words, place)
    return found
