"""The budget drawn in cells: a segment for every entry, the limit, and what did not fit behind it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from lorebook_tui.tui.ink import Span
from lorebook_tui.tui.targets import ToEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.engine.trace import LedgerRow
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Line
    from lorebook_tui.tui.replay import Picture

HEIGHT: Final = 2


@dataclass(frozen=True, slots=True)
class BudgetBar:
    """The ledger of a turn as a bar."""

    picture: Picture
    ref_of: Callable[[int], EntryRef | None]
    chosen: int | None
    """Load index of the chosen entry."""
    glyphs: Glyphs

    def lines(self, width: int) -> list[Line]:
        """The bar and its scale. The limit stands where the budget ends; entries that ignore it may pass it."""
        rows = asked(self.picture.assembly.ledger)
        admitted = [row for row in rows if row.admitted]
        refused = [row for row in rows if not row.admitted]
        used, lost = _tokens(admitted), _tokens(refused)
        budget = self.picture.assembly.budget
        free = max(0, budget - used)
        cells = shares([*(row.tokens for row in admitted), free, *(row.tokens for row in refused)], max(1, width - 1))
        line = [
            self._segment(row, count, place) for place, (row, count) in enumerate(zip(admitted, cells, strict=False))
        ]
        line.append(Span(self.glyphs.free * cells[len(admitted)], "bar-free"))
        limit = _limit_cell(admitted, cells, budget)
        for row, count in zip(refused, cells[len(admitted) + 1 :], strict=True):
            ink = "bar-chosen" if row.index == self.chosen else "bar-cut"
            line.append(Span(self.glyphs.lost * count, ink, self._target(row)))
        return [self._with_limit(line, limit), (Span(self._scale(used, len(admitted), lost), "muted"),)]

    def _scale(self, used: int, entries: int, lost: int) -> str:
        """The figures under the bar."""
        budget = self.picture.assembly.budget
        about = "≈ " if self.picture.approximate and not self.glyphs.letters else ""
        text = f"{about}{used:,} of {budget:,} tokens in {entries} {'entry' if entries == 1 else 'entries'}"
        if lost:
            text += f", {lost:,} more did not fit"
        elif used >= budget:
            text += ": each pass is weighed without the texts that wake nobody"
        return text

    def _segment(self, row: LedgerRow, count: int, place: int) -> Span:
        """One entry's part; neighbours differ in filling as well as in colour."""
        ink = "bar-chosen" if row.index == self.chosen else ("bar", "bar-other")[place % 2]
        return Span(self.glyphs.filled[place % 2] * count, ink, self._target(row))

    def _target(self, row: LedgerRow) -> ToEntry | None:
        ref = self.ref_of(row.index)
        return ToEntry(ref) if ref else None

    def _with_limit(self, line: Sequence[Span], at: int) -> Line:
        """The line with the limit put in behind so many cells."""
        found: list[Span] = []
        position = 0
        limit: tuple[Span, ...] = (Span(self.glyphs.limit, "cut"),)
        for span in line:
            end = position + len(span.text)
            if limit and at <= end:
                cut = at - position
                front, back = span.text[:cut], span.text[cut:]
                found += [Span(front, span.ink, span.target), *limit, Span(back, span.ink, span.target)]
                limit = ()
            else:
                found.append(span)
            position = end
        return tuple(span for span in (*found, *limit) if span.text)


def asked(ledger: Sequence[LedgerRow]) -> list[LedgerRow]:
    """The rows in the order of asking, each entry once, by what it got in the end; those that got nothing last."""
    last: dict[int, LedgerRow] = {}
    for row in ledger:
        if row.index not in last or not last[row.index].admitted:
            last.pop(row.index, None)
            last[row.index] = row
    return sorted(last.values(), key=lambda row: not row.admitted)


def shares(amounts: Sequence[int], cells: int) -> list[int]:
    """Whole cells for each amount, together exactly `cells`; every amount above 0 gets one if there are enough."""
    listed = [max(0, amount) for amount in amounts]
    total = sum(listed)
    if not total:
        return [0] * len(listed)
    least = 1 if sum(1 for amount in listed if amount) <= cells else 0
    spread = cells - least * sum(1 for amount in listed if amount)
    borders = [0]
    running = 0
    for amount in listed:
        running += amount
        borders.append(round(running * spread / total))
    return [
        last - first + (least if amount else 0) for amount, (first, last) in zip(listed, pairwise(borders), strict=True)
    ]


def _tokens(rows: Sequence[LedgerRow]) -> int:
    return sum(row.tokens for row in rows)


def _limit_cell(admitted: Sequence[LedgerRow], cells: Sequence[int], budget: int) -> int:
    """The cell where the budget ends: behind what is free, or inside the entry that passes it."""
    position = running = 0
    for row, count in zip(admitted, cells, strict=False):
        if running + row.tokens > budget:
            return position + round(count * (budget - running) / row.tokens)
        running += row.tokens
        position += count
    return position + cells[len(admitted)]
