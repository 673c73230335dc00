"""The answer to "why": a verdict in one sentence, the evidence with the places in the chat, and the other turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.cli.output import Progress
from lorebook_tui.cli.remedies_text import remedies_of
from lorebook_tui.cli.turn_text import MARK_STYLES, Asked, marked
from lorebook_tui.display import cell_width, elide, plain
from lorebook_tui.engine.explain import explain
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.engine.wording import order_text
from lorebook_tui.errors import LorebookError
from lorebook_tui.glyphs import kind_of, mark_of
from lorebook_tui.workspace.lookup import find_one
from lorebook_tui.workspace.turns import replay_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.cli.remedies_text import Remedies
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.explain import Explanation
    from lorebook_tui.engine.findings import Hit
    from lorebook_tui.glyphs import Mark
    from lorebook_tui.workspace.lookup import Found
    from lorebook_tui.workspace.workspace import Workspace

FORMAT: Final = "lorebook-why/1"
_HITS_SHOWN: Final = 5
_LABEL_CELLS: Final = 12
_LONGEST_HIT: Final = 40
_LEAST_AROUND: Final = 20


@dataclass(frozen=True)
class _Turn:
    """One turn that was asked about."""

    assembly: Assembly
    index: int
    remedies: Remedies


class NotLoadedError(LorebookError):
    """An entry that stands in a file but takes no part in any turn."""

    code = "NOT_LOADED"


def write_why(
    workspace: Workspace, text: str, turns: tuple[str, ...], mode: str, writer: Writer, *, as_json: bool
) -> None:
    """The verdict about the entry that is meant, at the turns asked for.

    Raises:
        UsageError: nothing or several entries match, or no such turn.
    """
    found = find_one(workspace, text)
    replayed = replay_of(workspace, mode)
    numbers = Asked(turns, mode=mode).numbers(replayed, len(workspace.transcript))
    chosen: list[_Turn] = []
    strip: list[tuple[int, Mark | None]] = []
    state = replayed.simulation.initial_state()
    with Progress(writer, "Replaying", max(*replayed.turns, *numbers)) as progress:
        for assembly in replayed.run({*replayed.turns, *numbers}):
            progress(assembly.upto)
            index = index_of(assembly, found)
            if assembly.upto in numbers:
                chosen.append(_Turn(assembly, index, remedies_of(replayed, assembly, state, index)))
            if assembly.upto in replayed.turns:
                strip.append((assembly.upto, mark_of(verdict(assembly, index))))
                state = assembly.state
    if as_json:
        _write_json(workspace, found, chosen, writer)
        return
    for count, turn in enumerate(chosen):
        if count:
            writer.line()
        _write_turn(workspace, found, turn, writer)
        turn.remedies.write(writer)
    if len(strip) > 1:
        _write_strip(strip, set(numbers), writer)


def index_of(assembly: Assembly, found: Found) -> int:
    """The load index of an entry.

    Raises:
        NotLoadedError: it is in a file but takes no part; says why.
    """
    entry = found.entry
    index = next((compiled.index for compiled in assembly.plan.entries if compiled.entry is entry), None)
    if index is not None:
        return index
    reason = assembly.plan.load_error or "another entry of its book has the same key in the file"
    raise NotLoadedError(
        f"{found.reference} ({entry.title}) is not loaded: {reason.rstrip('.')}.", where=str(found.opened.source.path)
    )


def _write_json(workspace: Workspace, found: Found, chosen: list[_Turn], writer: Writer) -> None:
    from lorebook_tui.cli.books_text import workspace_json  # noqa: PLC0415 - only for JSON
    from lorebook_tui.engine.document_json import beginning  # noqa: PLC0415 - only for JSON
    from lorebook_tui.engine.trace_json import entry_trace  # noqa: PLC0415 - only for JSON

    turns = [
        {
            "turn": turn.assembly.upto,
            **entry_trace(turn.assembly, turn.index, evidence=True),
            "remedies": turn.remedies.as_json(),
        }
        for turn in chosen
    ]
    writer.json({**beginning(FORMAT), **workspace_json(workspace), "reference": found.reference, "turns": turns})


def _write_turn(workspace: Workspace, found: Found, turn: _Turn, writer: Writer) -> None:
    assembly, index = turn.assembly, turn.index
    told = explain(assembly, index)
    compiled = assembly.entry(index)
    glyphs = writer.glyphs
    kind = kind_of(found.entry)
    icon = f"{glyphs.kind(kind)} {kind.word}"
    facts = f"{found.reference}, {compiled.layer.value}, {icon}, order {order_text(compiled.order)}"
    writer.heading(plain(found.entry.title, " "), f"turn {assembly.upto} of {len(workspace.transcript)}")
    writer.wrapped(plain(facts, " "), style="faint")
    writer.line()
    mark = mark_of(told.verdict)
    sign = f"{glyphs.mark(mark)} " if mark else ""
    writer.wrapped(sign + plain(told.sentence, " "), hang=" " * len(sign), style=MARK_STYLES[mark] if mark else "bold")
    if told.details:
        writer.line()
    for line in told.details:
        writer.wrapped(plain(line, " "), indent="  ", hang="    ")
    for line in _places(told, writer):
        writer.line(line)


def _places(told: Explanation, writer: Writer) -> Iterator[str]:
    """The lines of the chat in which keys hit, the hit between marks: for each key the newest one."""
    findings = (*told.evidence.keys, *told.evidence.secondary)
    newest = [next((hit for hit in finding.hits if hit.message is not None), None) for finding in findings]
    shown = [hit for hit in newest if hit is not None and hit.end > hit.start][:_HITS_SHOWN]
    if shown:
        yield ""
        yield writer.styled("In the chat", "title")
    for hit in shown:
        label = f"message {(hit.message or 0) + 1}"
        yield f"  {writer.styled(f'{label:<{_LABEL_CELLS}}', 'faint')}  {excerpt(hit, writer)}"


def excerpt(hit: Hit, writer: Writer) -> str:
    """A piece of the line around a hit, which stands in brackets."""
    inside = f"[{elide(hit.text[hit.start : hit.end], _LONGEST_HIT, at='middle')}]"
    room = max(_LEAST_AROUND, writer.width - _LABEL_CELLS - 4 - cell_width(inside))
    before = elide(hit.text[: hit.start], room // 2, at="start")
    after = elide(hit.text[hit.end :], room - cell_width(before))
    return f"{before}{writer.styled(inside, 'hit')}{after}"


def _write_strip(strip: list[tuple[int, Mark | None]], asked: set[int], writer: Writer) -> None:
    """The verdict at every turn of the chat."""
    writer.line()
    writer.heading("At every turn")
    cells = []
    for turn, mark in strip:
        sign = marked(mark, writer) if mark else writer.glyphs.dot
        cells.append((f"{turn}{sign}", f"[{turn}{sign}]")[turn in asked])
    line = "  "
    length = 2
    for (turn, _), cell in zip(strip, cells, strict=True):
        size = len(str(turn)) + 3 + 2 * (turn in asked)
        if length + size > writer.width:
            writer.line(line.rstrip())
            line, length = "  ", 2
        line += cell + "  "
        length += size
    writer.line(line.rstrip())
