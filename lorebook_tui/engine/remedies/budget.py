"""Remedies for entries that the budget cut: order, room, and length."""

from __future__ import annotations

import bisect
import math
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.phases.budget import scan_budget
from lorebook_tui.engine.remedies import wording
from lorebook_tui.engine.remedies.case import smallest
from lorebook_tui.engine.remedies.changes import MAX_CONTEXT, Change, SettingChange
from lorebook_tui.engine.remedies.proposal import Kind, Option
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.wording import tokens_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.remedies.case import Case
    from lorebook_tui.engine.trace import LedgerRow

WHOLE: Final = 100
LEAST_KEPT: Final = 3
"""A text is shortened to no less than one part in so many."""
DEAREST: Final = 6
"""What a text of which nothing is left would cost in addition."""
SHORTEST: Final = 12
"""Characters below which a text is not shortened."""
AMPLE: Final = 1 << 24
"""A budget in tokens that no lore fills."""
_STRATEGIES: Final = {
    0: "with global and character entries sorted as one list",
    1: "with character entries before global ones",
    2: "with global entries before character ones",
}


def cut_options(case: Case) -> Iterator[Option]:
    """A place before the cut, a larger budget, or less text."""
    needed = needed_limit(case)
    yield from _order(case)
    yield Option(Kind.IGNORE_BUDGET, (case.change("ignoreBudget", True),), wording.switched("ignore budget", on=True))
    if needed is not None:
        missing = needed - case.assembly.budget
        if case.found.reason is Reason.BUDGET_CUT:
            yield from _shortened(case, case.index, missing)
        blocker = _blocker(case)
        if blocker is not None:
            yield from _shortened(case, blocker, missing)
        yield from _limits(case, needed)
    current = case.assembly.plan.settings.world_info_character_strategy
    for strategy, phrase in _STRATEGIES.items():
        if strategy != current:
            yield Option(Kind.STRATEGY, (case.setting("world_info_character_strategy", strategy),), phrase)


def whole_or_not(value: float) -> float:
    """A number without a decimal point where it has none to show."""
    return int(value) if value.is_integer() else value


def rival_orders(assembly: Assembly, index: int) -> set[float]:
    """Orders of the other candidates of the turn."""
    numbers = {number for turn_pass in assembly.passes for number in turn_pass.candidates if number >= 0}
    cut = {decision.index for decision in assembly.decisions if decision.cause is not None}
    orders = (assembly.entry(number).order for number in (numbers | cut) - {index})
    return {order for order in orders if math.isfinite(order)}


def _order(case: Case) -> Iterator[Option]:
    """The smallest order that is not cut; the highest that could matter if none is enough alone."""
    values = higher_orders(case)
    if not values:
        return
    guess = bisect.bisect_left(values, _first_too_late(case))
    least = smallest(values, lambda order: case.gets_active(case.change("order", order)), guess)
    order = values[-1] if least is None else least
    yield Option(Kind.ORDER, (case.change("order", order),), wording.order(order))


def higher_orders(case: Case) -> list[float]:
    """Orders above the entry's own that can change its place among the candidates, ascending."""
    rivals = rival_orders(case.assembly, case.index)
    found = sorted(order for order in rivals | {order + 1 for order in rivals} if not order <= case.entry.order)
    return [whole_or_not(order) for order in found]


def _first_too_late(case: Case) -> float:
    """The order of the first entry behind which the own text would not fit any more."""
    row = case.proof.own_row
    tokens = row.tokens if row is not None else case.trials.simulation.counter.count(f"{case.entry.content}\n")
    room = case.assembly.budget - tokens
    found = next((row.index for row in case.assembly.ledger if row.total >= room), None)
    return math.inf if found is None else case.assembly.entry(found).order


def _blocker(case: Case) -> int | None:
    """The entry whose text leaves no room: the one that was cut before this one, else the longest before it."""
    if case.found.reason is Reason.BEHIND_THE_CUT:
        return next((row.index for row in case.assembly.ledger if not row.admitted), None)
    before = [row for row in case.proof.standing_before if row.admitted and row.index != case.index]
    return max(before, key=lambda row: row.tokens).index if before else None


def _shortened(case: Case, index: int, missing: int) -> Iterator[Option]:
    """The longest beginning of a text with which the entry gets in.

    Args:
        case: the entry that was cut.
        index: whose text, by its load index here.
        missing: tokens by which the budget is too small.
    """
    entry = case.assembly.entry(index)
    text = entry.decorated.content
    head = entry.stored_content[: len(entry.stored_content) - len(text)]
    count = case.trials.simulation.counter.count
    allowed = count(f"{text}\n") - missing
    lengths = range(len(text) - 1, len(text) // LEAST_KEPT, -1)
    if len(text) < SHORTEST or count(text[: len(text) // LEAST_KEPT]) > allowed:
        return

    def change(length: int) -> Change:
        return case.change("content", head + text[:length].rstrip(), index)

    guess = bisect.bisect_left(lengths, 1, key=lambda length: int(count(text[:length].rstrip() + "\n") <= allowed))
    longest = smallest(lengths, lambda length: case.gets_active(change(length)), guess)
    if longest is None:
        return
    trial = case.run(change(longest))
    old = _row(case.assembly.ledger, index)
    new = _row(trial.assembly.ledger, trial.here(case.trial.back(index)))
    if old is None or new is None or new.tokens >= old.tokens:
        return
    own = index == case.index
    phrase = wording.shortened(new.tokens, old.tokens - new.tokens, "" if own else case.title(index))
    kind = Kind.SHORTEN if own else Kind.SHORTEN_OTHER
    extra = DEAREST * (old.tokens - new.tokens) // old.tokens
    yield Option(kind, (change(longest),), phrase, is_example=True, extra=extra)


def _row(ledger: Iterable[LedgerRow], index: int) -> LedgerRow | None:
    """The last line of an entry."""
    return next((row for row in reversed(tuple(ledger)) if row.index == index), None)


def limit_options(case: Case) -> Iterator[Option]:
    """The smallest percentage, cap or context that lets the entry in."""
    needed = needed_limit(case)
    if needed is not None:
        yield from _limits(case, needed)


def _limits(case: Case, needed: int) -> Iterator[Option]:
    settings, context = case.assembly.plan.settings, case.assembly.turn.max_context
    percent, cap = settings.world_info_budget, settings.world_info_budget_cap
    share = scan_budget(percent, context, 0)
    capped = [case.setting("world_info_budget_cap", needed)] if 0 < cap < needed else []
    words = [f"a budget cap of {tokens_text(needed)}"] if capped else []
    if share >= needed:
        if capped:
            yield Option(Kind.BUDGET_CAP, tuple(capped), f"with {words[0]}")
        return
    larger = next(
        (whole for whole in range(int(percent) + 1, WHOLE + 1) if scan_budget(whole, context, 0) >= needed), 0
    )
    if larger:
        phrase = wording.listed([f"a budget of {larger} % of the context", *words])
        yield Option(Kind.BUDGET, (case.setting("world_info_budget", larger), *capped), f"with {phrase}")
    wanted = math.ceil((needed - 0.5) * WHOLE / percent) if percent > 0 else 0
    if wanted > context:
        phrase = wording.listed([f"a context of {tokens_text(wanted)} less the reply", *words])
        change = SettingChange(MAX_CONTEXT, context, wanted)
        yield Option(Kind.CONTEXT, (change, *capped), f"with {phrase}")


def needed_limit(case: Case) -> int | None:
    """The smallest budget in tokens with which the entry gets in: above every sum up to its own; None if none does."""
    ample = case.run(*limit_changes(case, AMPLE))
    if ample.verdict(case.target).admitted is None:
        return None
    here = ample.here(case.target)
    needed = 0
    for row in ample.assembly.ledger:
        if not row.ignores_budget:
            needed = max(needed, row.total + 1)
        if row.index == here:
            break
    if needed > case.assembly.budget and case.gets_active(*limit_changes(case, needed)):
        return needed
    return smallest(range(case.assembly.budget + 1, AMPLE), lambda limit: case.gets_active(*limit_changes(case, limit)))


def limit_changes(case: Case, limit: int) -> tuple[Change, ...]:
    """Settings that make the budget exactly so many tokens."""
    context = case.assembly.turn.max_context
    changes: list[Change] = [case.setting("world_info_budget", WHOLE), case.setting("world_info_budget_cap", limit)]
    if limit > context:
        changes.append(SettingChange(MAX_CONTEXT, context, limit))
    return tuple(changes)
