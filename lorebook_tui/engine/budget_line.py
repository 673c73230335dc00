"""The budget of a turn as one line: every entry a segment in the order of admission, and who stands behind the cut."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from lorebook_tui.engine.trace import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.trace import LedgerRow


class Standing(Enum):
    """How a segment stands to the budget; the values are stable names."""

    ADMITTED = "admitted"
    CUT = "cut"
    """It was tried and did not fit."""
    BEHIND = "behind"
    """It was not tried any more."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One entry's part of the budget."""

    index: int
    """Load index."""
    standing: Standing
    tokens: int
    """What it took or would have taken; for those that were not tried: of the text by itself."""
    start: int
    """Where it begins on the line: tokens of all segments before it."""
    total: int
    """What the product had counted when it was asked, its own tokens included; 0 for those that were not tried.

    SillyTavern 1.19 counts anew in each pass, from the texts that earlier passes gave to recursion: so this can be less
    than the segments before it."""
    turn_pass: int
    """0 for those that were not tried."""
    constant: bool
    ignores_budget: bool

    @property
    def end(self) -> int:
        """Where it ends on the line."""
        return self.start + self.tokens


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """All segments: those that were admitted, then those that were cut, then those behind the cut."""

    budget: int
    """Tokens; a sum has to stay below it."""
    segments: tuple[Segment, ...]
    used: int
    """Tokens of all that was admitted."""
    lost: int
    """Tokens of all that was not."""
    stopper: int | None
    """Load index of the first entry that did not fit; None: all did."""
    over: int
    """Tokens by which that one was too large; 0 if all fitted."""

    @property
    def free(self) -> int:
        """Tokens of the budget that nobody took; entries that ignore it can take more than there are."""
        return max(0, self.budget - self.used)

    @property
    def cut_at(self) -> int:
        """Place of the cut among the segments: so many were admitted."""
        return sum(1 for segment in self.segments if segment.standing is Standing.ADMITTED)

    def of(self, index: int) -> Segment | None:
        """The segment of an entry."""
        return next((segment for segment in self.segments if segment.index == index), None)


def budget_line(assembly: Assembly, count: Callable[[str], int]) -> BudgetLine:
    """The budget of a turn.

    Args:
        assembly: the turn.
        count: counts tokens of a text, for entries that were not tried.
    """
    rows = _in_the_end(assembly)
    admitted = [row for row in rows.values() if row.admitted]
    cut = [row for row in rows.values() if not row.admitted]
    segments: list[Segment] = []
    place = 0
    for row in (*admitted, *cut):
        standing = Standing.ADMITTED if row.admitted else Standing.CUT
        constant = assembly.entry(row.index).constant
        segments.append(
            Segment(row.index, standing, row.tokens, place, row.total, row.turn_pass, constant, row.ignores_budget)
        )
        place += row.tokens
    for index in _behind(assembly):
        if index not in rows:
            entry = assembly.entry(index)
            tokens = count(assembly.expand(entry.content) + "\n")
            segments.append(Segment(index, Standing.BEHIND, tokens, place, 0, 0, entry.constant, entry.ignores_budget))
            place += tokens
    used = sum(row.tokens for row in admitted)
    stopper = next((row for row in assembly.ledger if not row.admitted), None)
    over = max(0, stopper.total - assembly.budget + 1) if stopper else 0
    return BudgetLine(assembly.budget, tuple(segments), used, place - used, stopper.index if stopper else None, over)


def _in_the_end(assembly: Assembly) -> dict[int, LedgerRow]:
    """Each entry once, in the order of asking, by what it got in the end."""
    last: dict[int, LedgerRow] = {}
    for row in assembly.ledger:
        if row.index not in last or not last[row.index].admitted:
            last.pop(row.index, None)
            last[row.index] = row
    return last


def _behind(assembly: Assembly) -> Iterator[int]:
    """Entries that were not tried, in the order in which they would have been, each once."""
    seen: set[int] = set()
    for decision in assembly.decisions:
        if decision.reason is Reason.BEHIND_THE_CUT and decision.index not in seen:
            seen.add(decision.index)
            if decision.index not in assembly.admitted_by_index:
                yield decision.index
