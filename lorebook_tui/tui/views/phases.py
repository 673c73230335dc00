"""The seven phases and the differences: tabs with counts, and the rows of the phase that is shown, in its own form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.trace import Outcome, Phase
from lorebook_tui.glyphs import mark_of_outcome
from lorebook_tui.tui.ink import BLANK, Drawn, Paragraph, Record, Row, Span
from lorebook_tui.tui.targets import ToEntry, ToMessage, ToPhase
from lorebook_tui.tui.views.budget import BudgetBar, BudgetRows
from lorebook_tui.tui.views.chances import short_odds, short_room
from lorebook_tui.tui.views.columns import Column, ColumnLine, column_names
from lorebook_tui.tui.views.waking import waking_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lorebook_tui.engine.phase_views import PhaseRow, PhaseView
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.replay import Picture, Prospect
    from lorebook_tui.tui.targets import Target

DIFF: Final = 8
"""Number of the view that is no phase: what is different."""
PHASE_NAMES: Final = (*(phase.label for phase in Phase), "Diff")
ORDER_COLUMNS: Final = (Column("tokens", 6), Column("odds", 5), Column("room", 6))
ABOUT: Final = {
    Phase.BUFFER: "The text that keys are looked for in, newest line first.",
    Phase.KEYS: "Entries that something woke: a key, constant, sticky.",
    Phase.FILTERS: "Entries that a filter, a group or a roll put out.",
    Phase.RECURSION: "Pass after pass: texts of activated entries wake others.",
    Phase.BUDGET: "Who fits. The first that does not fit ends the line.",
    Phase.ORDER: "Activated entries by insertion order; the highest stands nearest to the chat.",
    Phase.INJECT: "The prompt as the model reads it, each text with the letter of its source.",
}
EMPTY: Final = {
    Phase.BUFFER: "Nothing is scanned at this turn.",
    Phase.KEYS: "No entry was woken.",
    Phase.FILTERS: "No filter stopped anybody.",
    Phase.RECURSION: "There was no pass.",
    Phase.BUDGET: "Nobody asked for tokens.",
    Phase.ORDER: "No entry was activated.",
    Phase.INJECT: "No text goes into the prompt.",
}


@dataclass(frozen=True, slots=True)
class PhaseLook:
    """What the rows of a phase are drawn from."""

    picture: Picture
    ref_of: Callable[[int], EntryRef | None]
    pointed: int | None
    """Load index of the entry under the mouse, else of the chosen one."""
    glyphs: Glyphs
    prospects: Mapping[int, Prospect] = field(default_factory=dict)
    """Odds and margins by load index, as far as they are known."""


def tab_lines(counts: Sequence[str], chosen: int, width: int) -> list[Line]:
    """The tabs, on as many lines as they need.

    Args:
        counts: of each tab, "" while nothing is simulated.
        chosen: number of the one that is shown, 1 to 8.
        width: cells.
    """
    texts = [f" {number} {name}" for number, name in enumerate(PHASE_NAMES, 1)]
    tails = [f" {count}" if count else "" for count in counts]
    total = sum(map(len, texts)) + sum(map(len, tails))
    blank = " " if total + len(texts) <= width else ""
    if total == width + 1:
        texts[0] = texts[0].lstrip()
    lines: list[list[Span]] = [[]]
    used = 0
    for number, (text, tail) in enumerate(zip(texts, tails, strict=True), 1):
        target = ToPhase(number)
        if used and used + len(text) + len(tail) > width:
            lines.append([])
            used = 0
        is_chosen = number == chosen
        lines[-1] += [
            Span(text, "tab-chosen" if is_chosen else "tab", target),
            Span(tail + blank, "tab-chosen" if is_chosen else "label", target),
        ]
        used += len(text) + len(tail) + len(blank)
    return [tuple(line) for line in lines]


def phase_blocks(view: PhaseView, look: PhaseLook) -> list[Block]:
    """The rows of one phase under a line that says what it is about."""
    picture = look.picture
    blocks: list[Block] = [Paragraph((Span(ABOUT[view.phase], "muted"),))]
    if view.phase is Phase.BUDGET and picture.budget.segments:
        bar = BudgetBar(picture, look.ref_of, look.pointed, look.glyphs)
        rows = BudgetRows(picture, look.ref_of, look.glyphs, look.prospects)
        return [*blocks, Drawn(bar.lines, bar.height), *rows.blocks()]
    if view.phase is Phase.RECURSION and picture.assembly.passes:
        return [*blocks, *waking_blocks(view, picture, look.ref_of, look.glyphs)]
    if not view.rows:
        return [*blocks, BLANK, Paragraph((Span(EMPTY[view.phase], "muted"),))]
    if view.phase is Phase.ORDER:
        return [*blocks, *_order_rows(view, look)]
    return [*blocks, *_rows(view, look)]


def _rows(view: PhaseView, look: PhaseLook) -> Iterator[Block]:
    for row in view.rows:
        target = _target(row, look.ref_of)
        if view.phase is Phase.BUFFER:
            yield from _buffer_line(row, target, look.glyphs)
        else:
            yield _entry_row(row, target, look.glyphs, _detail(view, row, look.picture))


def _order_rows(view: PhaseView, look: PhaseLook) -> Iterator[Block]:
    """Activated entries with what they cost, how likely they are, and how much room is left before they are cut."""
    yield column_names(ORDER_COLUMNS, "From the top")
    for row in view.rows:
        prospect = look.prospects.get(row.index) if row.index is not None else None
        mark = mark_of_outcome(row.mark)
        figures = (
            Span("" if row.tokens is None else f"{row.tokens:,}", "number"),
            Span(short_odds(prospect, look.glyphs), "number"),
            Span(short_room(prospect, look.glyphs), "faint"),
        )
        sign = Span(f"{look.glyphs.mark(mark)} ", mark.ink if mark else "muted")
        detail = (Span(row.detail, "muted"),)
        yield ColumnLine(ORDER_COLUMNS, (sign, Span(row.title)), figures, detail, _target(row, look.ref_of))


def _detail(view: PhaseView, row: PhaseRow, picture: Picture) -> Line:
    """The detail of the engine, or which words woke the entry and where they stand."""
    woken = picture.woken.get(row.index) if row.index is not None else None
    is_in = row.mark is not None and row.mark is not Outcome.OUT
    if woken and is_in and view.phase in {Phase.KEYS, Phase.RECURSION}:
        return (Span(woken[0], "hit"), Span(f" {woken[1]}", "muted"))
    return (Span(row.detail, "muted"),)


def _target(row: PhaseRow, ref_of: Callable[[int], EntryRef | None]) -> Target | None:
    if row.message is not None:
        return ToMessage(row.message)
    ref = ref_of(row.index) if row.index is not None else None
    return ToEntry(ref) if ref else None


def _buffer_line(row: PhaseRow, target: Target | None, glyphs: Glyphs) -> Iterator[Block]:
    """Where the line comes from, then the line itself."""
    yield Row((Span(row.detail, "link" if target else "label"),), target=target)
    yield Paragraph((Span(row.title, "text"),), None, (), 0, Span(f"{glyphs.edge} ", "window"), most=6)


def _entry_row(row: PhaseRow, target: Target | None, glyphs: Glyphs, detail: Line) -> Block:
    """Mark, title, what happened, tokens."""
    mark = mark_of_outcome(row.mark)
    sign = Span(glyphs.mark(mark), mark.ink if mark else "muted")
    return Record(sign, Span(row.title), detail, "" if row.tokens is None else f"{row.tokens:,}", target)
