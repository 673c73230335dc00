"""Turns of an older replay of nearly the same, to be taken over wherever an edit cannot have touched them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.untouched import moved_effects, plan_change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.assemble import Simulation, State
    from lorebook_tui.engine.untouched import PlanChange
    from lorebook_tui.model.scenario import Step
    from lorebook_tui.tui.pictures import Turn


@dataclass(frozen=True, slots=True)
class Basis:
    """Turns that were replayed before an edit, the first ones of their chat."""

    simulation: Simulation
    turns: Sequence[Turn]
    steps: Sequence[Step]

    def against(self, simulation: Simulation) -> Reuse:
        """What of it serves another simulation."""
        return Reuse(self, plan_change(self.simulation, simulation))


@dataclass(frozen=True, slots=True)
class Reuse:
    """A basis and what is different now."""

    basis: Basis
    change: PlanChange | None
    """None: no turn can be taken over."""

    def turn(self, number: int, step: Step, state: State) -> Turn | None:
        """A turn that goes as before; None: it has to be run.

        Args:
            number: which turn, counted from 0.
            step: what it is now.
            state: what the turns before it leave now.
        """
        basis = self.basis
        if self.change is None or number >= len(basis.turns) or basis.steps[number] != step:
            return None
        turn = basis.turns[number]
        trail = self.change.kept(turn.trail, state)
        if trail is None:
            return None
        return replace(turn, fates=self.change.moved(turn.fates), state=trail.after, trail=trail)

    def guess(self, step: Step) -> State | None:
        """What the turns before a step left before the edit, running effects tied to the entries as they are now."""
        earlier = [turn for turn in self.basis.turns if turn.upto < step.upto]
        if not earlier:
            return None
        state = earlier[-1].state
        return moved_effects(self.change, self.basis.simulation.plan(), state) if self.change else state
