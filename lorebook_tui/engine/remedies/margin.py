"""How safely an entry is in: the room before the cut, the lowest order, the keys it hangs on, the dice it survived."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.remedies import wording
from lorebook_tui.engine.remedies.budget import limit_changes, rival_orders, whole_or_not
from lorebook_tui.engine.remedies.case import Case, smallest
from lorebook_tui.engine.remedies.trials import Trial, Trials
from lorebook_tui.engine.trace import Cause
from lorebook_tui.engine.wording import quoted, tokens_text

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly, Simulation, State
    from lorebook_tui.engine.chance import Draw
    from lorebook_tui.engine.remedies.trials import SideEffect
    from lorebook_tui.model.scenario import Step

MOST_KEYS: Final = 8
PERCENT: Final = 100


@dataclass(frozen=True, slots=True)
class Roll:
    """A random number that could have kept the entry out."""

    source: str
    """probability or group."""
    group: str
    odds: float
    """The share of all numbers with which it is in, from 0 to 1."""
    value: float
    """The number it was, in [0, 1)."""


@dataclass(frozen=True, slots=True)
class Margin:
    """What an entry that is in could lose before it is out. Tried out on the turn."""

    index: int
    tokens_left: int | None
    """Tokens by which what stands before it, or its own text, may grow; None: the budget cannot cut it."""
    lowest_order: float | None
    """The lowest order with which it is still in; None: any."""
    keys: tuple[str, ...]
    """Keys of which each alone, taken away, silences it: the only one that matches, as a rule."""
    keys_matched: int
    """Primary keys that match; 0 if none is needed."""
    rolls: tuple[Roll, ...]
    without: tuple[SideEffect, ...]
    """Who comes in or goes out if it is disabled."""
    sentences: tuple[str, ...]
    """The same in words. May quote foreign text."""


def margin(simulation: Simulation, step: Step, state: State, assembly: Assembly, index: int) -> Margin | None:
    """What would have to happen for an entry to be lost.

    Args:
        simulation: made the assembly.
        step: the turn.
        state: what the turns before left.
        assembly: the turn as it is.
        index: load index of the entry.

    Returns:
        None if its text is not in the prompt.
    """
    trials = Trials(simulation, step, state, assembly)
    case = Case(trials, Trial((), assembly), index)
    if not case.trial.is_in(index):
        return None
    matched = [finding.key for finding in case.proof.keys if finding.matched] if _by_key(case) else []
    without = trials.side_effects(case.run(case.change("disable", True)), index)
    tokens = _tokens_left(case)
    lowest = _lowest_order(case)
    keys = tuple(key for key in dict.fromkeys(matched[:MOST_KEYS]) if _silent_without(case, key))
    rolls = tuple(roll for draw in assembly.draws if draw.index == index and (roll := _roll(draw)) is not None)
    told = [
        *_told_tokens(tokens),
        *_told_order(case, lowest),
        *_told_keys(keys, matched),
        *(_told_roll(roll) for roll in rolls),
    ]
    instead = wording.consequences(without, case.title)
    told += [f"Without it {instead}."] if instead else []
    return Margin(index, tokens, lowest, keys, len(matched), rolls, without, tuple(told))


def _by_key(case: Case) -> bool:
    return case.found.cause is Cause.KEY


def _tokens_left(case: Case) -> int | None:
    """How much smaller the budget could be."""
    row = case.proof.own_row
    if row is None or row.ignores_budget:
        return None
    budget = case.assembly.budget

    def lost(limit: int) -> bool:
        return not case.run(*limit_changes(case, limit)).is_in(case.target)

    limits = range(budget - 1, 0, -1)
    largest = smallest(limits, lost, budget - 1 - row.total)
    return None if largest is None else budget - 1 - largest


def _lowest_order(case: Case) -> float | None:
    """The lowest order with which it is still in, among those that change its place; None: any."""
    own = case.entry.order
    if not math.isfinite(own):
        return None
    rivals = rival_orders(case.assembly, case.index)
    orders = sorted({order for order in rivals | {order - 1 for order in rivals} if order < own}, reverse=True)

    def lost(place: int) -> bool:
        return not case.run(case.change("order", whole_or_not(orders[place]))).is_in(case.target)

    first = smallest(range(len(orders)), lost)
    if first is None:
        return None
    return whole_or_not(orders[first - 1] if first else own)


def _silent_without(case: Case, key: str) -> bool:
    """Whether the entry is out once a key is taken away."""
    kept = [other for other in case.stored_keys("key") if other != key]
    return not case.run(case.change("key", kept)).is_in(case.target)


def _roll(draw: Draw) -> Roll | None:
    """The odds of a number that was drawn for the entry."""
    if draw.source == "probability" and draw.edges:
        return Roll(draw.source, "", min(1.0, max(0.0, draw.edges[0] / PERCENT)), draw.value)
    if draw.source == "group" and draw.edges and draw.edges[-1] > 0:
        whole = draw.edges[-1]
        place = next((number for number, edge in enumerate(draw.edges) if draw.value * whole <= edge), None)
        if place is not None:
            share = (draw.edges[place] - (draw.edges[place - 1] if place else 0)) / whole
            return Roll(draw.source, draw.group, share, draw.value)
    return None


def _told_tokens(tokens: int | None) -> list[str]:
    if tokens is None:
        return []
    if tokens == 0:
        return ["One token more before it or in it, and the budget cuts it."]
    return [f"{tokens_text(tokens)} more can stand before it or in it before the budget cuts it."]


def _told_order(case: Case, lowest: float | None) -> list[str]:
    if lowest is None:
        return []
    if lowest == case.entry.order:
        return [f"With any lower order than {wording.number(lowest)} it is out."]
    return [f"It is in down to order {wording.number(lowest)}."]


def _told_keys(keys: tuple[str, ...], matched: list[str]) -> list[str]:
    if not matched:
        return []
    if keys:
        words = wording.listed([quoted(key) for key in keys], "or")
        return [f"Without its key {words} it is out."]
    return [f"{len(matched)} of its keys match; it can lose any one of them."]


def _told_roll(roll: Roll) -> str:
    share = f"{roll.odds * PERCENT:.3g} %"
    if roll.source == "group":
        return f"It won the roll of its group {quoted(roll.group)} at odds of {share}."
    return f"It passed its roll at odds of {share} (it was {roll.value * PERCENT:.1f})."
