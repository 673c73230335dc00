"""A turn for people: what it was about, the budget, the verdicts in numbers, and the seven phases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.cli.books_text import workspace_json
from lorebook_tui.cli.output import Progress, safe_row
from lorebook_tui.display import elide, pad, plain
from lorebook_tui.engine.phase_views import phase_views
from lorebook_tui.engine.trace import Outcome, Phase
from lorebook_tui.engine.verdicts import counts, verdict
from lorebook_tui.glyphs import Mark, mark_of, mark_of_outcome
from lorebook_tui.workspace.turns import parse_turns, replay_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.phase_views import PhaseRow, PhaseView
    from lorebook_tui.workspace.turns import Replay
    from lorebook_tui.workspace.workspace import Workspace

MARK_STYLES: Final = {
    Mark.IN: "good",
    Mark.STICKY: "good",
    Mark.CLOSED: "warn",
    Mark.CUT: "bad",
    Mark.ROLLED: "warn",
    Mark.WAITING: "warn",
    Mark.NEAR: "info",
}
_TITLE_CELLS = 34
_TOKEN_CELLS = 5
_BAR_CELLS = 40
_INDENT = 8
_ROWS = 12
_LEAST_LABEL = 22


@dataclass(frozen=True, slots=True)
class Asked:
    """Which turns, and how much of each."""

    turns: tuple[str, ...] = ()
    """As the user listed them."""
    every: bool = False
    mode: str = "user"
    phases: tuple[int, ...] = ()
    limit: int | None = None
    """Rows of a phase; 0: all; None: all of the last phase, and the telling ones of the others."""

    def numbers(self, replayed: Replay, length: int) -> list[int]:
        """The turns; the last one if none is asked for.

        Raises:
            UsageError: a list that names no turns.
        """
        if self.every:
            return list(replayed.turns)
        listed = sorted({number for text in self.turns for number in parse_turns(text, length)})
        return listed or [replayed.last]


def write_json(workspace: Workspace, asked: Asked, writer: Writer, *, evidence: bool) -> bool:
    """The trace of the turns, as its schema says; returns whether lore could be loaded and every turn had a prompt."""
    from lorebook_tui.engine.trace_json import document, trace  # noqa: PLC0415 - only for JSON

    replayed = replay_of(workspace, asked.mode)
    numbers = asked.numbers(replayed, len(workspace.transcript))
    with Progress(writer, "Replaying", max(numbers)) as progress:
        turns = [trace(assembly, evidence=evidence) for assembly in replayed.run(numbers, progress)]
    writer.json(document(turns, workspace_json(workspace)))
    return not any(turn["load_error"] or turn["error"] for turn in turns)


def write_turns(workspace: Workspace, asked: Asked, writer: Writer) -> bool:
    """One turn in full, several as a line each (in full if phases were asked for).

    Returns:
        Whether lore could be loaded and every turn had a prompt.
    """
    replayed = replay_of(workspace, asked.mode)
    numbers = asked.numbers(replayed, len(workspace.transcript))
    if len(numbers) > 1 and not asked.phases:
        is_whole = _write_overview(workspace, replayed, numbers, writer)
        return _report_load_error(replayed, writer) and is_whole
    is_whole = True
    for count, assembly in enumerate(_watched(replayed, numbers, writer)):
        if count:
            writer.line()
        write_head(workspace, assembly, writer)
        is_whole = is_whole and not assembly.error
        for view in phase_views(assembly):
            if not asked.phases or view.phase.value in asked.phases:
                _write_phase(assembly, view, asked.limit, writer)
    return is_whole and not replayed.simulation.plan().load_error


def _report_load_error(replayed: Replay, writer: Writer) -> bool:
    """Say why nothing could be loaded, if so; returns whether lore could be loaded."""
    reason = replayed.simulation.plan().load_error
    if reason:
        writer.wrapped(plain(reason, " "), style="bad")
    return not reason


def _watched(replayed: Replay, numbers: list[int], writer: Writer) -> Iterator[Assembly]:
    """The asked turns, with the progress on standard error until the first one is there."""
    with Progress(writer, "Replaying", min(numbers)) as progress:
        turns = replayed.run(numbers, progress)
        first = next(turns)
    yield first
    yield from turns


def write_head(workspace: Workspace, assembly: Assembly, writer: Writer) -> None:
    """Where the turn stands, the last message, the budget and the verdicts in numbers."""
    step = writer.glyphs.step
    parts = [elide(workspace.title, 30)]
    if workspace.chat:
        parts.append(elide(workspace.chat.name, 30, at="middle"))
    parts.append(f"turn {assembly.upto} of {len(workspace.transcript)}")
    note = (
        f"{workspace.engine}, seed {workspace.seed}, {workspace.context:,} tokens of context by {workspace.tokenizer}"
    )
    writer.line(writer.styled(f" {step} ".join(parts), "title"))
    writer.line(writer.styled(note, "faint"))
    if assembly.upto:
        message = workspace.transcript.messages[assembly.upto - 1]
        cast = workspace.cast
        other = cast.speaker.name if cast.speaker else ""
        name = message.name if message.name is not None else cast.persona.name if message.is_user else other
        head = f"message {assembly.upto}  {elide(name, 20)}: "
        writer.line(head + elide(message.text, writer.width - len(head)))
    writer.line()
    for reason in (assembly.plan.load_error, assembly.error):
        if reason:
            writer.wrapped(plain(reason, " "), style="bad")
    for skipped in assembly.plan.skipped:
        name = elide(skipped.name, 40)
        writer.line(f"{name} is not used as {skipped.layer.value} lore: it is {skipped.held_by.value} lore already.")
    writer.line(f"budget  {budget_bar(assembly, writer)}")
    writer.line(f"marks   {_counts_text(assembly, writer)}")


def budget_bar(assembly: Assembly, writer: Writer) -> str:
    """The budget in cells: what is taken, what was cut, the limit; and the numbers."""
    glyphs = writer.glyphs
    limit = max(1, assembly.budget)
    cut = sum(row.tokens for row in assembly.ledger if not row.admitted)
    scale = max(limit, assembly.tokens + cut)
    taken = min(_BAR_CELLS, round(_BAR_CELLS * assembly.tokens / scale))
    lost = min(_BAR_CELLS - taken, round(_BAR_CELLS * cut / scale))
    end = round(_BAR_CELLS * limit / scale)
    cells = glyphs.filled[0] * taken + glyphs.lost * lost
    cells += glyphs.free * (_BAR_CELLS - len(cells))
    bar = cells[:end] + glyphs.limit + cells[end:]
    numbers = f"{assembly.tokens:,} of {assembly.budget:,} tokens"
    told = f", {cut:,} more did not fit" if cut else ""
    share = f" ({assembly.plan.settings.world_info_budget:g} % of {assembly.turn.max_context:,})"
    text = f"{numbers}{told}{share}"
    gap = "  " if _INDENT + len(bar) + 2 + len(text) <= writer.width else "\n" + " " * _INDENT
    return f"{writer.styled(bar, 'bad' if assembly.overflowed else 'good')}{gap}{text}"


def _counts_text(assembly: Assembly, writer: Writer) -> str:
    """`✓ 18 in the prompt  ✂ 1 cut …  45 out`."""
    numbers: dict[Mark | None, int] = {}
    for reason, number in counts(assembly).items():
        mark = mark_of_outcome(reason.outcome)
        numbers[mark] = numbers.get(mark, 0) + number
    sticky = sum(mark_of(verdict(assembly, admitted.index)) is Mark.STICKY for admitted in assembly.admitted)
    if sticky:
        numbers[Mark.IN] -= sticky
        numbers[Mark.STICKY] = sticky
    parts = [(f"{numbers[mark]} {mark.word}", marked(mark, writer) + " ") for mark in Mark if numbers.get(mark)]
    lines, used = [""], _INDENT
    for text, sign in (*parts, (f"{numbers.get(None, 0)} out", "")):
        size = len(text) + 2 + 2 * bool(sign)
        if used + size > writer.width:
            lines.append("")
            used = _INDENT
        lines[-1] += f"{sign}{text}  "
        used += size
    return ("\n" + " " * _INDENT).join(line.rstrip() for line in lines)


def marked(mark: Mark | None, writer: Writer) -> str:
    """The sign of a mark in its style."""
    return writer.styled(writer.glyphs.mark(mark), MARK_STYLES[mark]) if mark else " "


def _write_phase(assembly: Assembly, view: PhaseView, limit: int | None, writer: Writer) -> None:
    writer.line()
    writer.heading(f"{view.phase.value} {view.phase.label}", view.count)
    if limit is None:
        limit = 0 if view.phase is Phase.INJECT else _ROWS
    left_out = 0
    for is_shown, row in zip(telling(view.rows, limit), view.rows, strict=True):
        if is_shown:
            _write_gap(left_out, writer)
            left_out = 0
            _write_row(assembly, view.phase, row, writer)
        else:
            left_out += 1
    _write_gap(left_out, writer)
    if not view.rows:
        writer.line(writer.styled("    nothing", "faint"))


def _write_gap(left_out: int, writer: Writer) -> None:
    if left_out:
        writer.line(writer.styled(f"    {left_out} more (--limit 0)", "faint"))


def telling(rows: Sequence[PhaseRow], limit: int) -> list[bool]:
    """Which rows to show: those that say more than "in" first, then the others from the top; 0: all."""
    if not limit or len(rows) <= limit:
        return [True] * len(rows)
    places = sorted(range(len(rows)), key=lambda place: rows[place].mark is Outcome.IN)[:limit]
    return [place in places for place in range(len(rows))]


def _write_row(assembly: Assembly, phase: Phase, row: PhaseRow, writer: Writer) -> None:
    if phase is Phase.BUFFER:
        cells = max(_LEAST_LABEL, writer.width // 3)
        label = pad(row.detail, cells)
        writer.line(f"    {writer.styled(label, 'faint')}  {elide(row.title, writer.width - cells - 6)}")
        return
    if row.index is None or (row.mark is None and phase is not Phase.FILTERS):
        writer.line(f"  {safe_row(row.title, 50)}  {writer.styled(safe_row(row.detail, writer.width - 54), 'faint')}")
        return
    mark = mark_of_outcome(row.mark)
    if mark is Mark.IN:
        mark = mark_of(verdict(assembly, row.index)) or mark
    tokens = "" if row.tokens is None else f"{row.tokens:,}"
    titles = max(_LEAST_LABEL, min(_TITLE_CELLS, writer.width // 3))
    rest = writer.width - titles - _TOKEN_CELLS - 10
    detail = safe_row(row.detail, rest)
    line = f"    {marked(mark, writer)} {pad(safe_row(row.title, titles), titles)}  {tokens:>{_TOKEN_CELLS}}"
    writer.line(f"{line}  {writer.styled(detail, 'faint')}".rstrip())


def _write_overview(workspace: Workspace, replayed: Replay, numbers: list[int], writer: Writer) -> bool:
    """A line per turn: how many are in, what it costs, and what came and went since the turn above.

    Returns:
        Whether every turn had a prompt.
    """
    glyphs = writer.glyphs
    parts = [elide(workspace.title, 30), elide(workspace.chat.name, 30, at="middle") if workspace.chat else "no chat"]
    writer.heading(f" {glyphs.step} ".join(parts), f"{len(numbers)} turns, {workspace.engine}, seed {workspace.seed}")
    rows = [
        (
            "turn",
            *(glyphs.mark(mark) for mark in (Mark.IN, Mark.CUT, Mark.ROLLED, Mark.WAITING)),
            "tokens",
            "came and went",
        )
    ]
    before: set[int] = set()
    is_whole = True
    for assembly in _counted(replayed, numbers, writer):
        is_whole = is_whole and not assembly.error
        outcomes = dict.fromkeys(Outcome, 0)
        for reason, number in counts(assembly).items():
            outcomes[reason.outcome] += number
        inside = {index for index in assembly.admitted_by_index if index not in assembly.nowhere}
        rows.append(
            (
                str(assembly.upto),
                *(str(outcomes[outcome]) for outcome in (Outcome.IN, Outcome.CUT, Outcome.ROLLED_OUT, Outcome.WAITING)),
                f"{assembly.tokens:,}{'!' if assembly.overflowed else ''}",
                "no prompt" if assembly.error else _difference(assembly, before, inside) if len(rows) > 1 else "",
            )
        )
        before = inside
    writer.table(rows, right=range(6), has_head=True)
    words = ", ".join(f"{glyphs.mark(mark)} {mark.word}" for mark in (Mark.IN, Mark.CUT, Mark.ROLLED, Mark.WAITING))
    writer.wrapped(f"{words}; ! the budget was reached. One turn in full: --turn N.", style="faint")
    return is_whole


def _counted(replayed: Replay, numbers: list[int], writer: Writer) -> Iterator[Assembly]:
    """The asked turns, with the progress on standard error until the last one is there."""
    with Progress(writer, "Replaying", max(numbers)) as progress:
        for assembly in replayed.run(numbers, progress):
            progress(assembly.upto)
            yield assembly


def _difference(assembly: Assembly, before: set[int], inside: set[int]) -> str:
    """`+2 −1  The drowned bell, Salt tithe`: how many came and went, and who came."""
    came, went = sorted(inside - before), before - inside
    names = ", ".join(elide(assembly.entry(index).entry.title, 32) for index in came)
    return f"+{len(came)} −{len(went)}".ljust(8) + names
