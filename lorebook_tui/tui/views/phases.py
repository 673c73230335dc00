"""The seven phases as blocks: tabs with counts, and the rows of the one that is shown, each in its own form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.trace import Outcome, Phase
from lorebook_tui.glyphs import mark_of_outcome
from lorebook_tui.tui.ink import BLANK, Drawn, Paragraph, Record, Row, Span, heading
from lorebook_tui.tui.targets import ToEntry, ToMessage, ToPhase
from lorebook_tui.tui.views.budget import HEIGHT, BudgetBar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lorebook_tui.engine.phase_views import PhaseRow, PhaseView
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.replay import Picture
    from lorebook_tui.tui.targets import Target

PHASE_NAMES: Final = tuple(phase.label for phase in Phase)
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


def tab_lines(counts: Sequence[str], chosen: int, width: int) -> list[Line]:
    """The tabs, on as many lines as they need.

    Args:
        counts: the seven counts, "" while nothing is simulated.
        chosen: number of the phase that is shown, 1 to 7.
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


def phase_blocks(
    view: PhaseView, picture: Picture, ref_of: Callable[[int], EntryRef | None], chosen: int | None, glyphs: Glyphs
) -> list[Block]:
    """The rows of one phase under a line that says what it is about."""
    blocks: list[Block] = [Paragraph((Span(ABOUT[view.phase], "muted"),))]
    if view.phase is Phase.BUDGET and picture.assembly.ledger:
        blocks.append(Drawn(BudgetBar(picture, ref_of, chosen, glyphs).lines, HEIGHT))
    if not view.rows:
        return [*blocks, BLANK, Paragraph((Span(EMPTY[view.phase], "muted"),))]
    blocks += list(_rows(view, picture, ref_of, glyphs))
    return blocks


def _rows(
    view: PhaseView, picture: Picture, ref_of: Callable[[int], EntryRef | None], glyphs: Glyphs
) -> Iterator[Block]:
    cut_drawn = view.phase is not Phase.BUDGET
    for row in view.rows:
        target = _target(row, ref_of)
        if view.phase is Phase.BUFFER:
            yield from _buffer_line(row, target, glyphs)
        elif row.index is None and row.mark is None:
            yield heading(row.title, row.detail)
        elif view.phase is Phase.INJECT:
            yield _entry_row(row, target, glyphs, (Span(row.detail.replace("\n", " "), "muted"),))
        else:
            if not cut_drawn and row.mark is Outcome.CUT:
                cut_drawn = True
                yield _cut_line(picture, glyphs)
            yield _entry_row(row, target, glyphs, _detail(view, row, picture))


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


def _cut_line(picture: Picture, glyphs: Glyphs) -> Block:
    """The line of the budget between those that fit and those that do not."""
    text = f" budget {picture.assembly.budget:,} "

    def draw(width: int) -> Sequence[Line]:
        side = glyphs.rule * 3
        rest = glyphs.rule * max(0, width - len(text) - 3)
        return ((Span(side, "cut"), Span(text, "cut"), Span(rest, "cut")),)

    return Drawn(draw, 1)
