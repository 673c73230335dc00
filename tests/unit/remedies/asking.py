"""Asking for remedies in small worlds: the proposals about one entry, found by its uid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.engine.assemble import Simulation, replay
from lorebook_tui.engine.remedies import Margin, Proposal, margin, proposals
from lorebook_tui.model.scenario import Scenario, Step
from tests.unit.engine.lore import COUNTER, index_of, scenario

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.engine.remedies import Change
    from lorebook_tui.model.entry import Entry


def at(made: Scenario, upto: int | None = None) -> tuple[Simulation, Step, State, Assembly]:
    """A turn after all turns before it, by default the last one."""
    simulation = Simulation(made, COUNTER)
    length = len(made.transcript) if upto is None else upto
    state = simulation.initial_state()
    for assembly in replay(simulation, [Step(number) for number in range(1, length)], state):
        state = assembly.state
    step = Step(length)
    return simulation, step, state, simulation.assemble(step, state)


def ask(made: Scenario, uid: int, *, replayed: bool = False, upto: int | None = None, most: int = 50) -> list[Proposal]:
    """All proposals about an entry."""
    simulation, step, state, assembly = at(made, upto)
    earlier = [Step(number) for number in range(1, step.upto)]
    return list(
        proposals(
            simulation,
            step,
            state,
            assembly,
            index_of(assembly, uid),
            most=most,
            earlier=(lambda changed: replay(changed, earlier)) if replayed else None,
        )
    )


def about(*entries: Entry, uid: int = 1, **parts: Any) -> dict[str, Proposal]:
    """The proposals about an entry of one global book, by the kinds of their steps."""
    found = ask(scenario(*entries, **parts), uid)
    return {"+".join(kind.value for kind in proposal.kinds): proposal for proposal in found}


def margin_of(made: Scenario, uid: int, upto: int | None = None) -> Margin | None:
    """The margin of an entry."""
    simulation, step, state, assembly = at(made, upto)
    return margin(simulation, step, state, assembly, index_of(assembly, uid))


def changed(change: Change) -> tuple[str, Any, Any]:
    """Field or setting, old and new value."""
    return getattr(change, "field", "") or getattr(change, "name", ""), change.old, change.new


def only(proposal: Proposal) -> tuple[str, Any, Any]:
    """The one change of a proposal."""
    (change,) = proposal.changes
    return changed(change)
