"""Remedies for entries that lost in an inclusion group or against a probability."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.remedies import wording
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
    if reason is Reason.GROUP_COLLATERAL and winner is not None:
        yield from _left(case, winner, group)
    yield from _left(case, case.index, group)


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


def _left(case: Case, index: int, group: str) -> Iterator[Option]:
    """Out of the group, and out of all groups if there are several; for the entry or for another one."""
    text = case.assembly.entry(index).group_text
    names = [name for name in re.split(r",\s*", text) if name]
    if not names:
        return
    other = "" if index == case.index else f" for {quoted(case.title(index))}"
    kind = Kind.GROUP_RIVAL if other else Kind.GROUP_LEFT
    rest = ", ".join(name for name in names if name != group)
    if rest and group in names:
        yield Option(kind, (case.change("group", rest, index),), wording.left_group([group]) + other)
    yield Option(kind, (case.change("group", "", index),), wording.left_group(names) + other)
