"""What to do about a budget that cuts, in words; what can be tried on the turn was tried."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.budget_needs import Survival, TurnNeed, stop_of, suggestion
from lorebook_tui.engine.explain import title
from lorebook_tui.engine.remedies import EntryChange, Kind, proposals
from lorebook_tui.engine.remedies.trials import Trials
from lorebook_tui.engine.wording import order_text, tokens_text
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lorebook_tui.engine.assemble import Assembly, Simulation
    from lorebook_tui.engine.budget_needs import ChatNeeds, Stop, Suggestion

_OWN_REMEDIES: Final = (Kind.ORDER, Kind.IGNORE_BUDGET, Kind.SHORTEN)
_MOST_NAMED: Final = 3
_MOST_ENTRIES: Final = 3
_MOST_CONSTANTS: Final = 5


class Way(StrEnum):
    """What is to be changed; stable names."""

    BUDGET = "budget"
    LENGTH = "length"
    """Of texts."""
    STEP_BACK = "step_back"
    """Whoever did not fit gets a lower order."""
    ENTRY = "entry"
    """Something about one entry that is cut."""
    CONSTANT = "constant"
    """A constant is to ignore the budget."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do."""

    kind: Way
    sentence: str
    """May quote foreign text."""
    entries: tuple[int, ...] = ()
    """Load indices of the entries to be changed."""


def turn_advice(simulation: Simulation, turn: TurnNeed) -> tuple[Advice, ...]:
    """What would help at a turn whose budget cuts; nothing where it does not.

    Args:
        simulation: made the turn.
        turn: with its assembly.
    """
    stop = stop_of(turn.assembly, simulation)
    if stop is None:
        return ()
    found = [
        Advice(Way.BUDGET, _budget_sentence(turn.assembly, suggestion(turn.assembly, turn.need))),
        _length(turn),
    ]
    found += _step_back(simulation, turn.assembly, stop)
    found += _for_entries(simulation, turn.assembly, stop)
    return tuple(found)


def _budget_sentence(assembly: Assembly, wanted: Suggestion, where: str = "") -> str:
    """How to get a budget that lets everything in."""
    settings = assembly.plan.settings
    now = f"now {assembly.budget:,}"
    ways = []
    if wanted.percent is not None and wanted.percent > settings.world_info_budget:
        ways.append(f"{wanted.percent} % of a context of {assembly.turn.max_context:,}")
    if wanted.context is not None and wanted.context > assembly.turn.max_context:
        ways.append(f"{settings.world_info_budget:g} % of one of {wanted.context:,}")
    told = f"With a budget of {wanted.tokens:,} tokens ({now}) everything fits{where}"
    if ways:
        told += f": {' or '.join(ways)}"
    if 0 < settings.world_info_budget_cap < wanted.tokens:
        told += f"; the cap of {settings.world_info_budget_cap:,} has to be raised too" if ways else "; raise the cap"
    return f"{told}."


def _length(turn: TurnNeed) -> Advice:
    missing = turn.need - turn.assembly.budget
    largest = sorted(turn.ample.admitted, key=lambda item: (-item.tokens, item.index))[:_MOST_NAMED]
    named = ", ".join(f"{title(turn.ample, item.index)} ({item.tokens})" for item in largest)
    return Advice(
        Way.LENGTH,
        f"About {tokens_text(missing)} less text in all let everything in as well; the longest are {named}.",
        tuple(item.index for item in largest),
    )


def _step_back(simulation: Simulation, assembly: Assembly, stop: Stop) -> Iterator[Advice]:
    """Whoever did not fit goes behind those that still do: the gap is closed by who is small enough for it."""
    if not stop.would_fit:
        return
    lowest = min(assembly.entry(index).order for index in stop.would_fit)
    stopper = assembly.entry(stop.stopper)
    if not (math.isfinite(lowest) and lowest <= stopper.order):
        return
    order = math.ceil(lowest) - 1
    change = EntryChange(stop.stopper, "order", stopper.entry.get("order", MISSING), order)
    trials = Trials(simulation, assembly.step, assembly.before, assembly)
    trial = trials.run((change,))
    effects = trials.side_effects(trial, stop.stopper)
    came = [effect.index for effect in effects if not effect.is_loss]
    if came and not any(effect.is_loss for effect in effects):
        comes = "comes" if len(came) == 1 else "come"
        yield Advice(
            Way.STEP_BACK,
            f"With order {order} (now {order_text(stopper.order)}) {title(assembly, stop.stopper)} no longer stands in "
            f"front of smaller ones for which the {tokens_text(stop.left)} left are enough: {_names(assembly, came)} "
            f"{comes} in.",
            (stop.stopper,),
        )


def _names(assembly: Assembly, indices: Sequence[int]) -> str:
    named = [title(assembly, index) for index in indices[:_MOST_NAMED]]
    if len(indices) > _MOST_NAMED:
        named.append(f"{len(indices) - _MOST_NAMED} more")
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def _for_entries(simulation: Simulation, assembly: Assembly, stop: Stop) -> Iterator[Advice]:
    """What would bring single entries in, whoever else it costs."""
    for index in (stop.stopper, *stop.behind)[:_MOST_ENTRIES]:
        found = proposals(simulation, assembly.step, assembly.before, assembly, index)
        told = [proposal for proposal in found if proposal.kind in _OWN_REMEDIES and len(proposal.kinds) == 1]
        if told:
            sentences = " ".join(proposal.sentence for proposal in told)
            yield Advice(Way.ENTRY, f"{title(assembly, index)}: {sentences}", (index,))


def chat_advice(simulation: Simulation, needs: ChatNeeds) -> tuple[Advice, ...]:
    """What would help over a whole chat; nothing where no turn cuts.

    Args:
        simulation: made the turns.
        needs: the turns.
    """
    survivals = needs.survivals
    last = needs.turns[-1].assembly if needs.turns else None
    if last is None or not survivals:
        return ()
    found = []
    if needs.most > last.budget:
        found.append(Advice(Way.BUDGET, _budget_sentence(last, needs.suggestion(needs.most), " at every turn")))
    by_turn = {turn.upto: turn.assembly for turn in needs.turns}
    constants = [item for item in survivals if item.always_on][:_MOST_CONSTANTS]
    found += [told for item in constants if (told := _constant(simulation, item, by_turn))]
    return tuple(found)


def _constant(simulation: Simulation, item: Survival, by_turn: Mapping[int, Assembly]) -> Advice | None:
    """An entry that should always be in: whether ignoring the budget keeps it in wherever it was cut."""
    change = None
    lost: set[int] = set()
    for upto in item.cut:
        assembly = by_turn[upto]
        old = assembly.entry(item.index).entry.get("ignoreBudget", MISSING)
        change = EntryChange(item.index, "ignoreBudget", old, True)
        trials = Trials(simulation, assembly.step, assembly.before, assembly)
        trial = trials.run((change,))
        if not trial.is_in(item.index):
            return None
        lost.update(effect.index for effect in trials.side_effects(trial, item.index) if effect.is_loss)
    assembly = by_turn[item.cut[0]]
    cost = f" (then {_names(assembly, sorted(lost))} can drop out)" if lost else ""
    return Advice(
        Way.CONSTANT,
        f"{title(assembly, item.index)} is constant, which only spares it the keys; with “ignore budget” on it is in "
        f"at every turn{cost}.",
        (item.index,),
    )
