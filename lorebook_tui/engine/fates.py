"""What became of an entry at a turn in one word, finer than an outcome: one cell of a timeline; and what still runs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.trace import Cause, Outcome, Reason
from lorebook_tui.engine.verdicts import verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.engine.timed import Effect
    from lorebook_tui.engine.verdicts import Verdict


class Fate(Enum):
    """One cell of a timeline; the values are stable names."""

    IN = "in"
    STICKY = "sticky"
    """In, held by its sticky effect."""
    CLOSED = "closed"
    """Activated, but its text has no place."""
    CUT = "cut"
    BEHIND = "behind"
    """Behind the cut: not tried."""
    ROLLED = "rolled"
    """Lost its roll."""
    GROUP = "group"
    """Lost its inclusion group."""
    COOLDOWN = "cooldown"
    """Its cooldown runs, or its group keeps it out while it does."""
    DELAY = "delay"
    LEVEL = "level"
    """Waits for recursion, or for a level of it."""
    SECONDARY = "secondary"
    """A key matched, the secondary keys stopped it."""
    NEAR = "near"
    """A key nearly matched; never told by a verdict, only by who looks for it."""

    @property
    def in_prompt(self) -> bool:
        """Whether the model reads the entry."""
        return self in {Fate.IN, Fate.STICKY}

    @property
    def is_cut(self) -> bool:
        """Whether the budget kept it out."""
        return self in {Fate.CUT, Fate.BEHIND}


_BY_REASON: Final = {
    Reason.BUDGET_CUT: Fate.CUT,
    Reason.BEHIND_THE_CUT: Fate.BEHIND,
    Reason.ROLL_FAILED: Fate.ROLLED,
    Reason.ON_COOLDOWN: Fate.COOLDOWN,
    Reason.DELAYED: Fate.DELAY,
    Reason.WAITS_FOR_RECURSION: Fate.LEVEL,
    Reason.LEVEL_NOT_OPEN: Fate.LEVEL,
    Reason.SECONDARY_FAILED: Fate.SECONDARY,
    Reason.GROUP_STICKY_MEMBER: Fate.GROUP,
    Reason.GROUP_COOLDOWN: Fate.COOLDOWN,
    Reason.GROUP_SCORE: Fate.GROUP,
    Reason.GROUP_TAKEN: Fate.GROUP,
    Reason.GROUP_OVERRIDE: Fate.GROUP,
    Reason.GROUP_ROLL: Fate.GROUP,
    Reason.GROUP_COLLATERAL: Fate.GROUP,
}


def fate_of(found: Verdict) -> Fate | None:
    """The cell of a verdict; None: nothing that a timeline shows became of the entry."""
    if found.reason is Reason.IN_PROMPT:
        return Fate.STICKY if found.cause is Cause.STICKY else Fate.IN
    if found.outcome is Outcome.CLOSED_EXIT:
        return Fate.CLOSED
    return _BY_REASON.get(found.reason)


def fates(assembly: Assembly, waiters: Iterable[int] = ()) -> dict[int, Fate]:
    """The cells of a turn by load index, of entries that have one.

    Args:
        assembly: the turn.
        waiters: entries that a delay or a recursion level can stop without any pass looking at them.
    """
    found: dict[int, Fate] = {}
    for index in sorted({*assembly.last_decisions, *assembly.admitted_by_index, *waiters}):
        fate = fate_of(verdict(assembly, index))
        if fate is not None:
            found[index] = fate
    return found


@dataclass(frozen=True, slots=True)
class Timers:
    """What still runs for an entry when a turn is over, in visible messages; 0: nothing."""

    sticky: int = 0
    """Messages for which it stays in."""
    cooldown: int = 0
    """Messages for which it stays out, once nothing holds it."""
    delay: int = 0
    """Messages that the chat still needs before the entry can come at all."""

    @property
    def is_running(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.sticky or self.cooldown or self.delay)


def timers(assembly: Assembly, index: int) -> Timers:
    """What still runs for one entry when a turn is over.

    SillyTavern 1.19: effects are kept by book and uid; those of an entry that was edited since are nobody's.
    """
    entry, length = assembly.entry(index), assembly.turn.length
    effects = assembly.effects
    return Timers(
        _left(effects.sticky.get(entry.identity), entry, length),
        _left(effects.cooldown.get(entry.identity), entry, length),
        max(0, _whole(entry.gates.delay - length)) if entry.gates.delay else 0,
    )


def running(assembly: Assembly, told: Mapping[int, Fate] | None = None) -> dict[int, Timers]:
    """What still runs when a turn is over, of every entry that has something, by load index.

    Args:
        assembly: the turn.
        told: the cells of the turn, if they are known: they tell who waits for a delay.
    """
    effects = assembly.effects
    listed = {
        entry.index for identity in (*effects.sticky, *effects.cooldown) for entry in assembly.plan.identified(identity)
    }
    cells = fates(assembly) if told is None else told
    listed.update(index for index, fate in cells.items() if fate is Fate.DELAY)
    found = {index: timers(assembly, index) for index in sorted(listed)}
    return {index: timer for index, timer in found.items() if timer.is_running}


def _left(effect: Effect | None, entry: CompiledEntry, length: int) -> int:
    if effect is None or effect.fingerprint != entry.fingerprint:
        return 0
    return max(0, _whole(effect.end - length))


_FOREVER: Final = 10**9


def _whole(number: float) -> int:
    """Messages until a length is reached; what is no number is never over."""
    return -int(-number // 1) if -_FOREVER < number < _FOREVER else _FOREVER if number > 0 else 0
