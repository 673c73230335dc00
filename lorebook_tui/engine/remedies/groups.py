"""Remedies for entries that lost in an inclusion group or against a probability."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.remedies import wording
from lorebook_tui.engine.remedies.budget import higher_orders
from lorebook_tui.engine.remedies.case import smallest
from lorebook_tui.engine.remedies.gates import ended_sticky, on_cooldown
from lorebook_tui.engine.remedies.proposal import Kind, Option
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.wording import quoted
from lorebook_tui.model.js import to_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.engine.remedies.case import Case

GREATEST_WEIGHT: Final = 10_000
ALL: Final = 100


def roll_options(case: Case) -> Iterator[Option]:
    """A sure roll, or the smallest percentage that this very draw passes."""
    yield Option(Kind.PROBABILITY, (case.change("probability", ALL),), wording.probability(ALL))
    draw = case.found.decision.draw if case.found.decision else None
    if draw is not None and (least := math.ceil(draw.value * ALL)) < ALL:
        phrase = f"{wording.probability(least)} (its roll was {draw.value * ALL:.1f})"
        yield Option(Kind.LUCK, (case.change("probability", least),), phrase)
    yield from ended_sticky(case)


def group_options(case: Case) -> Iterator[Option]:
    """Win the group, or leave it."""
    decision, reason = case.found.decision, case.found.reason
    group = decision.group if decision else ""
    winner = decision.winner if decision else None
    if reason is Reason.GROUP_SCORE:
        change = case.change("useGroupScoring", False)
        yield Option(Kind.GROUP_SCORING, (change,), "without group scoring of its own")
    if reason is Reason.GROUP_COOLDOWN:
        yield from on_cooldown(case)
    if reason in {Reason.GROUP_ROLL, Reason.GROUP_OVERRIDE, Reason.GROUP_SCORE} and winner is not None:
        yield from _override(case, winner)
    if reason is Reason.GROUP_ROLL:
        yield from _weight(case)
    if reason is Reason.GROUP_STICKY_MEMBER and winner is not None:
        phrase = f"without the sticky effect of {quoted(case.title(winner))}"
        yield Option(Kind.GROUP_RIVAL, (case.change("sticky", 0, winner),), phrase)
    if reason is Reason.GROUP_COLLATERAL:
        yield from _no_collateral(case)
    yield from _left(case, group)


def _no_collateral(case: Case) -> Iterator[Option]:
    """Nobody who loses twice, or a place that is not the last of the list."""
    losers: dict[int, str] = {}
    for decision in case.assembly.decisions:
        if decision.reason is Reason.GROUP_COLLATERAL and decision.winner is not None:
            losers[decision.winner] = decision.group
    changes = []
    for index, group in losers.items():
        names = [name for name in _names(case.assembly.entry(index).group_text) if name != group]
        changes.append(case.change("group", ", ".join(names), index))
    titles = wording.listed([quoted(case.title(index)) for index in losers])
    yield Option(Kind.GROUP_RIVAL, tuple(changes), f"with {titles} in fewer groups")
    order = smallest(higher_orders(case), lambda order: case.gets_further(case.change("order", order)))
    if order is not None:
        yield Option(Kind.ORDER, (case.change("order", order),), wording.order(order))


def _names(group_text: str) -> list[str]:
    """The groups that a field names."""
    return [name for name in re.split(r",\s*", group_text) if name]


def _override(case: Case, winner: int) -> Iterator[Option]:
    """Win by the override, with an order above the winner's if that one has it too."""
    override = () if case.entry.group_override else (case.change("groupOverride", True),)
    if override:
        yield Option(Kind.GROUP_OVERRIDE, override, "with the override of its group")
    rival = case.assembly.entry(winner).order
    if case.found.reason is Reason.GROUP_OVERRIDE and math.isfinite(rival):
        above = math.floor(rival) + 1
        words = f"{wording.order(above)} and the override of its group" if override else wording.order(above)
        kind = Kind.GROUP_OVERRIDE if override else Kind.ORDER
        yield Option(kind, (*override, case.change("order", above)), words)


def _weight(case: Case) -> Iterator[Option]:
    """The smallest weight that this very draw picks."""
    own = to_number(case.entry.group_weight)
    start = int(own) + 1 if math.isfinite(own) and own >= 0 else 1
    weights = range(start, GREATEST_WEIGHT + 1)
    least = smallest(weights, lambda weight: case.gets_further(case.change("groupWeight", weight)))
    if least is not None:
        yield Option(Kind.GROUP_WEIGHT, (case.change("groupWeight", least),), wording.weight(least))


def _left(case: Case, group: str) -> Iterator[Option]:
    """Out of the group, and out of all groups if there are several."""
    names = _names(case.entry.group_text)
    if not names:
        return
    rest = ", ".join(name for name in names if name != group)
    if rest and group in names:
        yield Option(Kind.GROUP_LEFT, (case.change("group", rest),), wording.left_group([group]))
    yield Option(Kind.GROUP_LEFT, (case.change("group", ""),), wording.left_group(names))
