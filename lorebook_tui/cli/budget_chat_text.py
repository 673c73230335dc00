"""The budget over a chat for people: what its turns need, and who comes and goes because of it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from lorebook_tui.cli.budget_parts import write_advice, write_always_on, write_shares, write_title
from lorebook_tui.cli.chart import columns
from lorebook_tui.cli.output import safe_row
from lorebook_tui.display import elide
from lorebook_tui.engine.budget_needs import NEARLY_ALL, USUAL, shares
from lorebook_tui.engine.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.engine.budget_advice import Advice
    from lorebook_tui.engine.budget_needs import ChatNeeds
    from lorebook_tui.workspace.workspace import Workspace

_CHART_ROWS: Final = 4
_NAMES: Final = 4


def write_chat(workspace: Workspace, needs: ChatNeeds, advice: Iterable[Advice], limit: int, writer: Writer) -> None:
    """Needs, cuts, who comes and goes, shares and advice."""
    turns = needs.turns
    write_title(workspace, f"budget over {counted(len(turns), 'turn')}", writer)
    writer.wrapped(f"{workspace.engine}, seed {workspace.seed}, tokens by {workspace.tokenizer}", style="faint")
    writer.line()
    writer.heading("Budget that lets everything in, turn by turn", f"turns {turns[0].upto} to {turns[-1].upto}")
    values = _pooled([turn.need for turn in turns], min(writer.width - 8, 80))
    for number, line in enumerate(columns(values, _CHART_ROWS, writer.glyphs)):
        writer.line(f"{f'{needs.most:,}' if number == 0 else '':>6} {writer.glyphs.edge}{line}".rstrip())
    rows: list[tuple[str, ...]] = [("", "tokens", "% now", "context now")]
    for word, tokens in (
        ("half of the turns", needs.percentile(USUAL)),
        ("95 % of the turns", needs.percentile(NEARLY_ALL)),
        ("every turn", needs.most),
    ):
        wanted = needs.suggestion(tokens)
        rows.append(
            (
                word,
                f"{tokens:,}",
                f"{wanted.percent} %" if wanted.percent is not None else ">100 %",
                f"{wanted.context:,}" if wanted.context is not None else "",
            )
        )
    writer.line()
    last = turns[-1].assembly
    writer.heading("Enough for", f"now {last.budget:,} tokens")
    writer.table(rows, right=(1, 2, 3), indent="  ", has_head=True)
    _write_turns(needs, limit, writer)
    _write_survivals(needs, limit, writer)
    write_shares(shares(turn.assembly for turn in turns), writer)
    write_always_on(turns[-1].ample, last.budget, writer)
    write_advice(advice, writer)


def _pooled(values: Sequence[int], cells: int) -> list[int]:
    """At most so many values: the largest of each run of neighbours."""
    cells = max(1, min(cells, len(values)))
    bounds = [place * len(values) // cells for place in range(cells + 1)]
    return [max(values[first:end]) for first, end in pairwise(bounds)]


def _write_turns(needs: ChatNeeds, limit: int, writer: Writer) -> None:
    """The turns at which something is cut."""
    cut = [turn for turn in needs.turns if turn.assembly.overflowed or turn.cut]
    if not cut:
        writer.wrapped("Nothing is cut at any turn.")
        return
    writer.line()
    writer.heading("Turns with a cut", f"{len(cut)} of {len(needs.turns)}")
    shown = sorted(sorted(cut, key=lambda turn: -turn.need)[: limit or None], key=lambda turn: turn.upto)
    rows: list[tuple[str, ...]] = [("turn", "in", "tokens", "budget", "needs", "kept out")]
    for turn in shown:
        names = [turn.assembly.entry(index).entry.title for index in turn.cut]
        more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
        rows.append(
            (
                f"{turn.upto}", f"{len(turn.inside)}", f"{turn.assembly.tokens:,}", f"{turn.assembly.budget:,}",
                f"{turn.need:,}", ", ".join(names[:_NAMES]) + more,
            )
        )  # fmt: skip
    writer.table(rows, right=(0, 1, 2, 3, 4), indent="  ", has_head=True)
    if len(shown) < len(cut):
        writer.line(writer.styled(f"    {len(cut) - len(shown)} more (--limit 0)", "faint"))


def _write_survivals(needs: ChatNeeds, limit: int, writer: Writer) -> None:
    """Entries whose place hangs on how much else there is."""
    found = needs.survivals
    if not found:
        return
    plan = needs.turns[-1].assembly.plan
    writer.line()
    writer.heading("In at some turns, kept out at others by the budget")
    shown = found[: limit or None]
    rows: list[tuple[str, ...]] = [("entry", "in at", "kept out at")]
    for item in shown:
        name = plan.entries[item.index].entry.title + (" (always on)" if item.always_on else "")
        rows.append((safe_row(name, writer.width // 3), _turns(item.inside, writer), _turns(item.cut, writer)))
    writer.table(rows, indent="  ", has_head=True)
    if len(shown) < len(found):
        writer.line(writer.styled(f"    {len(found) - len(shown)} more (--limit 0)", "faint"))


def _turns(turns: Sequence[int], writer: Writer) -> str:
    """Numbers of turns on about a third of a line."""
    return elide(", ".join(map(str, turns)) or "none", writer.width // 4)
