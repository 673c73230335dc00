"""Who woke whom, pass by pass: the passes of a turn, then a tree from what the chat woke to what that woke."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.trace import Cause, PassKind
from lorebook_tui.glyphs import Mark, mark_of, mark_of_outcome
from lorebook_tui.tui.ink import BLANK, Row, Span, heading
from lorebook_tui.tui.targets import ToEntry
from lorebook_tui.tui.views.columns import Column, ColumnLine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.engine.phase_views import PhaseView
    from lorebook_tui.engine.trace import Pass
    from lorebook_tui.engine.waking import Waking, WakingRow
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.replay import Picture

_DEEPEST: Final = 8
"""Levels that are indented; deeper ones tell their level."""
_COLUMNS: Final = (Column("pass", 6),)
_CAUSES: Final = {
    Cause.CONSTANT: "constant",
    Cause.STICKY: "held by sticky",
    Cause.DECORATOR: "@@activate",
    Cause.FORCED: "activated from outside",
    Cause.KEY: "key",
}


def waking_blocks(
    view: PhaseView, picture: Picture, ref_of: Callable[[int], EntryRef | None], glyphs: Glyphs
) -> Iterator[Block]:
    """The passes, the tree, and who waits for recursion in vain."""
    tree, passes = picture.waking, picture.assembly.passes
    for turn_pass in passes:
        yield Row(
            (
                Span(f"Pass {turn_pass.number} ", "strong"),
                Span(_told(turn_pass, tree_count(picture, turn_pass)), "muted"),
            )
        )
    rows = list(tree.rows())
    if rows:
        woken = sum(1 for row in rows if row.depth)
        yield BLANK
        yield heading("Who woke whom", f"{woken} by other entries" if woken else "nobody by another entry")
    for row in rows:
        yield _row(row, picture, ref_of, glyphs)
    waiting = [row for row in view.rows if row.index is not None and row.index not in tree.wakings]
    if waiting:
        yield BLANK
        yield heading("Not woken")
    for each in waiting:
        ref = ref_of(each.index) if each.index is not None else None
        mark = mark_of_outcome(each.mark)
        sign = Span(f"{glyphs.mark(mark)} ", mark.ink if mark else "muted")
        target = ToEntry(ref) if ref else None
        yield ColumnLine((), (sign, Span(each.title)), (), (Span(each.detail, "muted"),), target)


def tree_count(picture: Picture, turn_pass: Pass) -> int:
    """Entries that were woken in a pass for the first time."""
    return sum(len(group.wakings) for group in picture.waking.passes if group.turn_pass is turn_pass)


def _told(turn_pass: Pass, woken: int) -> str:
    """What a pass did, and what came of it."""
    from lorebook_tui.engine.phase_views import KIND_NAMES  # noqa: PLC0415 - late, so that the screen stands sooner

    parts = [KIND_NAMES[turn_pass.kind], f"{woken} woken" if woken else "nobody woken"]
    if turn_pass.recursed:
        count = len(turn_pass.recursed)
        parts.append("1 text searched next" if count == 1 else f"{count} texts searched next")
    if turn_pass.overflowed:
        parts.append("budget full")
    if turn_pass.next_kind is not PassKind.NONE:
        parts.append(f"then {KIND_NAMES[turn_pass.next_kind]}")
    return ", ".join(parts)


def _row(row: WakingRow, picture: Picture, ref_of: Callable[[int], EntryRef | None], glyphs: Glyphs) -> Block:
    waking = row.waking
    mark = mark_of(waking.verdict)
    sign = Span(f"{glyphs.mark(mark)} " if mark else f"{glyphs.free} ", mark.ink if mark else "faint")
    title = picture.assembly.entry(waking.index).entry.title
    ref = ref_of(waking.index)
    return ColumnLine(
        _COLUMNS,
        (Span(_rails(row, glyphs), "faint"), sign, Span(title, "text" if mark in {Mark.IN, Mark.STICKY} else "muted")),
        (Span(str(waking.turn_pass), "faint"),),
        _detail(waking, picture),
        ToEntry(ref) if ref else None,
    )


def _rails(row: WakingRow, glyphs: Glyphs) -> str:
    """The lines of the tree in front of a row."""
    if not row.depth:
        return ""
    line, child, last = glyphs.rails
    drawn = "".join(line if goes_on else "  " for goes_on in row.rails[1:])
    shown = drawn + (last if row.is_last else child)
    if row.depth > _DEEPEST:
        return f"{glyphs.step}{row.depth} ".ljust(4)
    return shown


def _detail(waking: Waking, picture: Picture) -> Line:
    """Which words woke it, and where they stand."""
    woken = picture.woken.get(waking.index)
    if waking.cause is not Cause.KEY:
        return (Span(_CAUSES[waking.cause], "muted"),)
    if woken is None:
        return (Span(f"key {waking.key}" if waking.key else "a key", "muted"),)
    return (Span(woken[0], "hit"), Span(f" {woken[1]}", "muted"))
