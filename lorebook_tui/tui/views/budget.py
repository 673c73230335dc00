"""The budget drawn in cells: a segment for every entry, the limit, and what did not fit behind it; then who that is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import cell_width
from lorebook_tui.engine.budget_line import Standing
from lorebook_tui.glyphs import Kind, Mark
from lorebook_tui.tui.ink import BLANK, Drawn, Paragraph, Span, fit, padded
from lorebook_tui.tui.targets import ToEntry
from lorebook_tui.tui.views.chances import short_odds, short_room
from lorebook_tui.tui.views.columns import Column, ColumnLine, column_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lorebook_tui.engine.budget_line import BudgetLine, Segment
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.replay import Picture, Prospect

COLUMNS: Final = (Column("tokens", 6), Column("sum", 6), Column("odds", 5), Column("room", 6))
"""Of the entries that were admitted."""
CUT_COLUMNS: Final = (Column("tokens", 6), Column("missing", 7), Column("odds", 5))
"""Of those that were not."""
_BEHIND: Final = "behind the cut"
_LEAST_POINTER: Final = 6
"""Cells of a pane that can name the entry beside the arrow."""


@dataclass(frozen=True, slots=True)
class BudgetBar:
    """The budget of a turn as a bar of three lines, of four if signs stand over it."""

    picture: Picture
    ref_of: Callable[[int], EntryRef | None]
    pointed: int | None
    """Load index of the entry that is told of: the one under the mouse, else the chosen one."""
    glyphs: Glyphs

    @property
    def line(self) -> BudgetLine:
        """What is drawn."""
        return self.picture.budget

    @property
    def height(self) -> int:
        """Lines."""
        return 4 if any(segment.constant or segment.ignores_budget for segment in self.line.segments) else 3

    def lines(self, width: int) -> list[Line]:
        """Signs, bar, the entry that is pointed at, figures. The limit stands where the budget ends."""
        width = max(1, width)
        cells = self._cells(width - 1)
        signs = [self._signs(cells, width)] if self.height == 4 else []  # noqa: PLR2004 - as above
        return [*signs, self._bar(cells), self._pointer(cells, width), fit((Span(self._scale(), "muted"),), width)]

    def _cells(self, width: int) -> list[int]:
        """Cells of each segment, what is free behind those that were admitted."""
        amounts = [segment.tokens for segment in self.line.segments]
        amounts.insert(self.line.cut_at, self.line.free)
        return shares(amounts, width)

    def _bar(self, cells: Sequence[int]) -> Line:
        spans: list[Span] = []
        cut_at = self.line.cut_at
        for place, count in enumerate(cells):
            if place == cut_at:
                spans.append(Span(self.glyphs.free * count, "bar-free"))
            else:
                spans.append(self._segment(place if place < cut_at else place - 1, count))
        return self._with_limit(spans, self._limit_cell(cells))

    def _segment(self, place: int, count: int) -> Span:
        """One entry's part; neighbours differ in filling as well as in colour."""
        segment = self.line.segments[place]
        admitted = segment.standing is Standing.ADMITTED
        filling = self.glyphs.filled[place % 2] if admitted else self.glyphs.lost
        ink = ("bar", "bar-other")[place % 2] if admitted else "bar-cut"
        return Span(filling * count, "bar-chosen" if segment.index == self.pointed else ink, self._target(segment))

    def _target(self, segment: Segment) -> ToEntry | None:
        ref = self.ref_of(segment.index)
        return ToEntry(ref) if ref else None

    def _starts(self, cells: Sequence[int]) -> list[int]:
        """The cell where each segment begins, the limit counted in."""
        limit, cut_at = self._limit_cell(cells), self.line.cut_at
        starts = [0, *accumulate(cells)][:-1]
        del starts[cut_at]
        return [start + 1 if start >= limit and place >= cut_at else start for place, start in enumerate(starts)]

    def _signs(self, cells: Sequence[int], width: int) -> Line:
        """A sign over the first cell of each constant, and of each entry that ignores the budget."""
        line = [" "] * width
        for segment, start in zip(self.line.segments, self._starts(cells), strict=True):
            sign = flag_of(segment, self.glyphs)
            if sign and start < width:
                line[start] = sign
        return (Span("".join(line), "strong"),)

    def _pointer(self, cells: Sequence[int], width: int) -> Line:
        """An arrow under the segment of an entry, and which one that is."""
        place = next((n for n, each in enumerate(self.line.segments) if each.index == self.pointed), None)
        if place is None:
            return (Span(self._legend()[:width], "faint"),)
        segment = self.line.segments[place]
        own = cells[place if place < self.line.cut_at else place + 1]
        at = min(self._starts(cells)[place] + max(0, own - 1) // 2, width - 1)
        title = self.picture.assembly.entry(segment.index).entry.title
        told = f"{segment.tokens:,}{_flag_words(segment)}"
        arrow = Span(self.glyphs.up, "bar-chosen")
        room = width - at - 2
        if width < _LEAST_POINTER:
            return (Span(" " * at), arrow)
        wanted = cell_width(title) + len(told) + 1
        text = (Span(title, "strong"), Span(f" {told}", "muted"))
        if room >= wanted or room >= at:
            return (Span(" " * at), arrow, Span(" "), *fit(text, room))
        shown = fit(text, max(0, at - 1))
        return (*padded((Span(" " * max(0, at - 1 - min(wanted, at - 1))), *shown), at - 1), Span(" "), arrow)

    def _legend(self) -> str:
        flags = {flag for segment in self.line.segments if (flag := flag_of(segment, self.glyphs))}
        words = {self.glyphs.kind(Kind.CONSTANT): "constant", self.glyphs.unlimited: "ignores the budget"}
        return "  ".join(f"{flag} {words[flag]}" for flag in sorted(flags))

    def _scale(self) -> str:
        """The figures under the bar."""
        line, count = self.line, self.line.cut_at
        about = ("~" if self.glyphs.letters else "≈ ") if self.picture.approximate else ""
        text = f"{about}{line.used:,} of {line.budget:,} tokens in {count} {'entry' if count == 1 else 'entries'}"
        if line.lost:
            text += f", {line.lost:,} more did not fit"
        elif line.used >= line.budget and line.segments:
            text += ": each pass is weighed without the texts that wake nobody"
        return text

    def _limit_cell(self, cells: Sequence[int]) -> int:
        """The cell where the budget ends: behind what is free, or inside the entry that passes it."""
        position = running = 0
        for segment, count in zip(self.line.segments[: self.line.cut_at], cells, strict=False):
            if running + segment.tokens > self.line.budget:
                return position + round(count * (self.line.budget - running) / segment.tokens)
            running += segment.tokens
            position += count
        return position + cells[self.line.cut_at]

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


def flag_of(segment: Segment, glyphs: Glyphs) -> str:
    """The sign of an entry that ignores the budget or is constant; "" for others."""
    if segment.ignores_budget:
        return glyphs.unlimited
    return glyphs.kind(Kind.CONSTANT) if segment.constant else ""


def _flag_words(segment: Segment) -> str:
    words = [word for word, on in (("constant", segment.constant), ("ignores it", segment.ignores_budget)) if on]
    return f", {', '.join(words)}" if words else ""


@dataclass(frozen=True, slots=True)
class BudgetRows:
    """Who asked for tokens, in the order of asking: those that fit, the cut, those that do not."""

    picture: Picture
    ref_of: Callable[[int], EntryRef | None]
    glyphs: Glyphs
    prospects: Mapping[int, Prospect]

    def blocks(self) -> Iterator[Block]:
        """All rows."""
        line, glyphs = self.picture.budget, self.glyphs
        admitted, others = line.segments[: line.cut_at], line.segments[line.cut_at :]
        if admitted:
            yield column_names(COLUMNS, "Admitted")
        for segment in admitted:
            prospect = self.prospects.get(segment.index)
            figures = (
                Span(f"{segment.tokens:,}", "number"),
                Span(f"{segment.total:,}", "faint"),
                Span(short_odds(prospect, glyphs), "number"),
                Span(short_room(prospect, glyphs), "faint"),
            )
            yield self._row(segment, COLUMNS, figures)
        if not others:
            return
        yield cut_line(line.budget, line.over, glyphs)
        yield column_names(CUT_COLUMNS, "Did not fit")
        for segment in others:
            costs = (
                Span(f"{segment.tokens:,}", "number"),
                Span(f"{missing_of(segment, line):,}", "cut"),
                Span(short_odds(self.prospects.get(segment.index), glyphs), "number"),
            )
            yield self._row(segment, CUT_COLUMNS, costs)
        if any(segment.standing is Standing.BEHIND and not missing_of(segment, line) for segment in others):
            text = "0 missing: it would fit, but nothing behind the first that did not was tried."
            yield BLANK
            yield Paragraph((Span(text, "muted"),))

    def _row(self, segment: Segment, columns: tuple[Column, ...], figures: tuple[Span, ...]) -> Block:
        mark = Mark.IN if segment.standing is Standing.ADMITTED else Mark.CUT
        glyphs, ref = self.glyphs, self.ref_of(segment.index)
        title = self.picture.assembly.entry(segment.index).entry.title
        late = f"pass {segment.turn_pass}" if segment.turn_pass > 1 else ""
        behind = _BEHIND if segment.standing is Standing.BEHIND else ""
        words = [word for word in (late, behind, _flag_words(segment).removeprefix(", ")) if word]
        flag = flag_of(segment, glyphs) or " "
        left = (Span(f"{glyphs.mark(mark)} ", mark.ink), Span(f"{flag} ", "strong"), Span(title))
        detail = (Span(", ".join(words), "muted"),) if words else ()
        return ColumnLine(columns, left, figures, detail, ToEntry(ref) if ref else None)


def missing_of(segment: Segment, line: BudgetLine) -> int:
    """Tokens of budget that would let an entry in: by what was counted when it was tried, else behind all that fit."""
    total = segment.total if segment.standing is Standing.CUT else line.used + segment.tokens
    return max(0, total - line.budget + 1)


def cut_line(budget: int, over: int, glyphs: Glyphs) -> Block:
    """The line of the budget between those that fit and those that do not.

    Args:
        budget: tokens.
        over: tokens by which the first one that did not fit was too large; 0: it is not told.
        glyphs: the signs.
    """
    told = f", {over:,} {'token' if over == 1 else 'tokens'} missing" if over else ""
    text = f" budget {budget:,}{told} "

    def draw(width: int) -> Sequence[Line]:
        side = glyphs.rule * 3
        shown = fit((Span(text, "cut"),), max(0, width - 3))
        rest = glyphs.rule * max(0, width - len(text) - 3)
        return ((Span(side, "cut"), *shown, Span(rest, "cut")),)

    return Drawn(draw, 1)


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
