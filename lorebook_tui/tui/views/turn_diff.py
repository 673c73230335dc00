"""What is different at a turn: from before the last edit, and from the turn before; the same in one short line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.turn_diff import Shift
from lorebook_tui.engine.wording import place_text, slot_text
from lorebook_tui.tui.ink import BLANK, Paragraph, Row, Span, heading
from lorebook_tui.tui.targets import ToEntry, ToTurn
from lorebook_tui.tui.views.columns import Column, ColumnLine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.turn_diff import Change, TurnDiff
    from lorebook_tui.engine.verdicts import Place
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.pictures import Turn

ABOUT_DIFF: Final = "Against before the last edit, and against the turn before."
_COLUMNS: Final = (Column("tokens", 7),)
_MOST_NAMED: Final = 2
_MOST_TURNS: Final = 12


@dataclass(frozen=True, slots=True)
class Diffs:
    """What a turn is compared with; None: there is nothing to compare with."""

    assembly: Assembly
    """The turn as it is."""
    edit: TurnDiff | None = None
    """Since before the last edit."""
    edit_before: Assembly | None = None
    told: str = ""
    """What the last edit was, as an order. Foreign text."""
    replayed: tuple[int, int] = (0, 0)
    """Turns that were taken over from before the edit, and all."""
    elsewhere: tuple[tuple[Turn, Turn], ...] | None = None
    """Other turns that the edit made different, before and now; None: not all of them are replayed yet."""
    turn: TurnDiff | None = None
    """Since the turn before."""
    turn_before: Assembly | None = None
    is_first: bool = True
    """Whether there is no turn before."""

    @property
    def count(self) -> str:
        """What came in and went, for the tab; of the edit if there was one."""
        diff = self.edit if self.edit is not None else self.turn
        return short_count(diff) if diff is not None else ""


def short_count(diff: TurnDiff) -> str:
    """`+2−1`, or `0`, or how many changes there are that neither brought in nor lost anything."""
    entered, left = len(diff.of(Shift.ENTERED)), len(diff.of(Shift.LEFT))
    text = (f"+{entered}" if entered else "") + (f"−{left}" if left else "")
    return text or str(len(diff.changes))


def news(diff: TurnDiff, now: Assembly, before: Assembly, glyphs: Glyphs, others: int = 0) -> Line:
    """The differences in one line: "+ Salt tithe, − The Reeve, 12 tokens more".

    Args:
        diff: of the shown turn.
        now: the turn as it is.
        before: the turn as it was.
        glyphs: the signs.
        others: other turns that are different; told where this one is not.
    """
    if diff.errors[0] != diff.errors[1]:
        text = "now the product stops at this turn" if diff.errors[1] else "the product no longer stops at this turn"
        return (Span(text, "cut" if diff.errors[1] else "in"),)
    parts: list[list[Span]] = []
    for shift, sign, ink in ((Shift.ENTERED, "+", "in"), (Shift.LEFT, glyphs.gone, "cut")):
        found = diff.of(shift)
        parts += [
            [Span(f"{sign} ", ink), Span(_title(change, now, before), "strong")] for change in found[:_MOST_NAMED]
        ]
        if len(found) > _MOST_NAMED:
            parts.append([Span(f"{sign} {len(found) - _MOST_NAMED} more", ink)])
    if not parts:
        parts += [[Span(text, "muted")] for text in _quiet(diff)]
    more = diff.tokens[1] - diff.tokens[0]
    if more:
        parts.append([Span(_tokens(more), "muted")])
    elif diff.budget[0] != diff.budget[1]:
        parts.append([Span(f"budget {diff.budget[1]:,}", "muted")])
    if not parts:
        more_turns = f", but at {others} other {'turn' if others == 1 else 'turns'}" if others else ""
        return (Span("no change at this turn", "faint"), Span(more_turns, "near"))
    spans: list[Span] = []
    for number, part in enumerate(parts):
        spans += [Span(", ", "muted"), *part] if number else part
    return tuple(spans)


def diff_blocks(diffs: Diffs | None, ref_of: Callable[[int], EntryRef | None], glyphs: Glyphs) -> Iterator[Block]:
    """Both comparisons; the one with the edit first."""
    yield Paragraph((Span(ABOUT_DIFF, "muted"),))
    if diffs is None:
        yield Paragraph((Span("Working it out.", "faint"),))
        return
    yield BLANK
    if diffs.edit is not None and diffs.edit_before is not None:
        taken, turns = diffs.replayed
        again = turns - taken
        note = f"{again} of {turns} turns run again" if turns else ""
        yield heading("Since the last edit", note)
        if diffs.told:
            yield Paragraph((Span(f"{diffs.told[:1].upper()}{diffs.told[1:]}.", "label"),), most=2)
        yield from _changes(diffs.edit, diffs.assembly, diffs.edit_before, ref_of, glyphs)
        yield from _elsewhere(diffs.elsewhere or (), glyphs)
    else:
        yield heading("Since the last edit")
        yield Paragraph((Span("Nothing has been edited yet.", "muted"),))
    yield BLANK
    yield heading("Since the turn before")
    if diffs.turn is not None and diffs.turn_before is not None:
        yield from _changes(diffs.turn, diffs.assembly, diffs.turn_before, ref_of, glyphs)
    else:
        yield Paragraph((Span("Working it out." if not diffs.is_first else "This is the first turn.", "muted"),))


def _elsewhere(pairs: tuple[tuple[Turn, Turn], ...], glyphs: Glyphs) -> Iterator[Block]:
    """Other turns that are different now; each can be gone to."""
    if not pairs:
        return
    count = len(pairs)
    yield Paragraph(
        (Span("Another turn is different too:" if count == 1 else f"{count} other turns are different too:"),)
    )
    for before, now in pairs[:_MOST_TURNS]:
        parts = [
            f"{word} {sign_of(now_is - was, glyphs)}"
            for word, was, now_is in (
                ("in", before.active, now.active),
                ("cut", before.cut, now.cut),
                ("tokens", before.tokens, now.tokens),
            )
            if was != now_is
        ]
        told = ", ".join(parts) or "other entries or other reasons"
        yield Row((Span(f"  turn {now.upto}", "link"), Span(f"  {told}", "muted")), target=ToTurn(now.number))
    if count > _MOST_TURNS:
        yield Paragraph((Span(f"  and {count - _MOST_TURNS} more", "faint"),))


def sign_of(more: int, glyphs: Glyphs) -> str:
    """A difference with its sign."""
    return f"{more:+,}".replace("-", glyphs.gone)


def _changes(
    diff: TurnDiff, now: Assembly, before: Assembly, ref_of: Callable[[int], EntryRef | None], glyphs: Glyphs
) -> Iterator[Block]:
    if diff.is_same:
        yield Paragraph((Span("No difference.", "muted"),))
        return
    yield Paragraph((Span(_summary(diff), "text"),))
    for error, word in zip(diff.errors, ("Before: ", "Now: "), strict=True):
        if diff.errors[0] != diff.errors[1] and error:
            yield Paragraph((Span(word + error, "cut"),))
    signs = {
        Shift.ENTERED: ("+", "in"),
        Shift.LEFT: (glyphs.gone, "cut"),
        Shift.MOVED: (glyphs.moved, "sticky"),
        Shift.TOKENS: (glyphs.unequal, "waiting"),
        Shift.REASON: (glyphs.unequal, "near"),
    }
    for change in diff.changes:
        sign, ink = signs[change.shift]
        ref = ref_of(change.index) if change.index is not None else None
        more = sign_of(change.tokens, glyphs) if change.tokens else ""
        yield ColumnLine(
            _COLUMNS,
            (Span(f"{sign} ", ink), Span(_title(change, now, before))),
            (Span(more, "number"),),
            (Span(told_change(change), "muted"),),
            ToEntry(ref) if ref else None,
        )


def _summary(diff: TurnDiff) -> str:
    before, now = diff.tokens
    parts = []
    if now != before:
        parts.append(f"{_tokens(now - before)}: {before:,} became {now:,}.")
    else:
        parts.append(f"{now:,} tokens both times.")
    if diff.budget[0] != diff.budget[1]:
        parts.append(f"The budget was {diff.budget[0]:,} and is {diff.budget[1]:,}.")
    return " ".join(parts)


def _tokens(more: int) -> str:
    count = abs(more)
    return f"{count:,} {'token' if count == 1 else 'tokens'} {'more' if more > 0 else 'fewer'}"


def _quiet(diff: TurnDiff) -> Iterator[str]:
    """What changed besides who is in."""
    moved, reason = len(diff.of(Shift.MOVED)), len(diff.of(Shift.REASON))
    if moved:
        yield "1 entry moved" if moved == 1 else f"{moved} entries moved"
    if reason:
        yield "1 reason is another" if reason == 1 else f"{reason} reasons are others"


def _title(change: Change, now: Assembly, before: Assembly) -> str:
    if change.index is not None:
        return now.entry(change.index).entry.title
    return before.entry(change.index_before).entry.title if change.index_before is not None else ""


def told_change(change: Change) -> str:
    """What is different about an entry, in a few words."""
    parts = []
    for shift in change.shifts:
        if shift is Shift.ENTERED:
            parts.append(_entered(change))
        elif shift is Shift.LEFT:
            parts.append("not among the books any more" if change.after is None else f"out: {_reason(change, 1)}")
        elif shift is Shift.MOVED:
            old, new = change.places
            parts.append(f"{_short(old)} became {_short(new)}")
        elif shift is Shift.TOKENS:
            parts.append("another text" if not change.tokens else "another length")
        else:
            parts.append(_reasons(change))
    return "; ".join(parts)


def _entered(change: Change) -> str:
    where = place_text(change.places[1])
    return f"new, {where}" if change.before is None else f"was out: {_reason(change, 0)}; now {where}"


def _reasons(change: Change) -> str:
    """Why it is in or out for another reason."""
    if change.reasons[0] is change.reasons[1]:
        old, new = change.causes
        return f"woken by {old.value if old else 'nothing'} before, by {new.value if new else 'nothing'} now"
    return f"{_reason(change, 0)} became {_reason(change, 1)}"


def _reason(change: Change, side: int) -> str:
    reason = change.reasons[side]
    return reason.code.replace("_", " ") if reason is not None else "not there"


def _short(place: Place | None) -> str:
    if place is None:
        return "nowhere"
    return f"{place.number} of {place.count} {slot_text(place.slot, place.depth, place.role, place.outlet)}"
