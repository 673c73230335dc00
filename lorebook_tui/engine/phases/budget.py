"""Phase 5, budget: who fits. Rolls and macro replacement happen here too, since admission decides when they do.

SillyTavern 1.19: the sum must stay below the budget; the first entry that does not fit ends everything behind it except
entries that ignore the budget; the text of a cut entry still counts for later ones of the same pass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lorebook_tui.engine.trace import Decision, LedgerRow, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.engine.candidate import Candidate
    from lorebook_tui.engine.chance import Chance
    from lorebook_tui.tokens.base import TokenCounter

_BOUNDLESS = 1e15
"""More tokens than any text has; keeps infinite contexts countable."""


def scan_budget(percent: float, max_context: float, cap: float) -> int:
    """Tokens that lore may take: a percentage of the context, at least 1, capped if a cap is set."""
    share = percent * max_context / 100
    budget = (0 if math.isnan(share) else math.floor(max(-_BOUNDLESS, min(share, _BOUNDLESS)) + 0.5)) or 1
    return math.ceil(cap) if 0 < cap < budget else budget


@dataclass(slots=True)
class Admission:
    """What one pass admitted."""

    admitted: list[Candidate] = field(default_factory=list)
    failed: list[Candidate] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    ledger: list[LedgerRow] = field(default_factory=list)
    overflowed: bool = False


@dataclass(slots=True)
class Budget:
    """The budget of one scan; the overflow lasts from pass to pass."""

    limit: int
    counter: TokenCounter
    chance: Chance
    substitute: Callable[[str], str]
    overflowed: bool = False

    def admit(self, candidates: Sequence[Candidate], base: int, turn_pass: int) -> Admission:
        """Roll, replace macros and admit, in order.

        Args:
            candidates: sorted, groups settled.
            base: tokens of texts that earlier passes gave to recursion.
            turn_pass: number of the pass, for the trace.
        """
        result = Admission()
        running = self.counter.running()
        waiting = sum(1 for candidate in candidates if candidate.rules.ignores_budget)
        total = 0
        for place, candidate in enumerate(candidates):
            rules = candidate.rules
            ignores = rules.ignores_budget
            if ignores:
                waiting -= 1
            elif self.overflowed:
                if waiting:
                    result.decisions.append(self._behind(candidate, turn_pass))
                    continue
                result.decisions.extend(self._behind(late, turn_pass) for late in candidates[place:])
                break
            if not self._rolls(candidate, turn_pass, result):
                continue
            candidate.content = self.substitute(candidate.content)
            before, total = total, running.add(candidate.content + "\n")
            fits = ignores or base + total < self.limit
            result.ledger.append(LedgerRow(candidate.number, turn_pass, total - before, base + total, fits, ignores))
            if fits:
                result.admitted.append(candidate)
            else:
                self.overflowed = True
                result.decisions.append(
                    Decision(candidate.number, turn_pass, Reason.BUDGET_CUT, candidate.cause, forced=candidate.forced)
                )
        result.overflowed = self.overflowed
        return result

    def _behind(self, candidate: Candidate, turn_pass: int) -> Decision:
        return Decision(candidate.number, turn_pass, Reason.BEHIND_THE_CUT, candidate.cause, forced=candidate.forced)

    def _rolls(self, candidate: Candidate, turn_pass: int, result: Admission) -> bool:
        """Whether the entry passes its probability; a failure lasts for the whole scan."""
        rules = candidate.rules
        if candidate.sticky or rules.always_passes:
            return True
        passed = self.chance.roll(candidate.number, rules.probability)
        if not passed:
            result.failed.append(candidate)
            result.decisions.append(
                Decision(
                    candidate.number, turn_pass, Reason.ROLL_FAILED, candidate.cause, draw=self.chance.log[-1],
                    forced=candidate.forced,
                )
            )  # fmt: skip
        return passed
