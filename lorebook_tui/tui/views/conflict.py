"""Whose change is whose, as lines: what each side did to a file, and the choices where both touched one field."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import json_excerpt
from lorebook_tui.model.js import MISSING
from lorebook_tui.tui.ink import BLANK, Paragraph, Row, Span, heading
from lorebook_tui.tui.targets import ToSide
from lorebook_tui.workspace.conflict import OTHERS, EntryWay, FieldWay, Side, Who

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lorebook_tui.tui.ink import Block
    from lorebook_tui.workspace.conflict import Place, ThreeWay

_MOST: Final = 24
_EXCERPT: Final = 60
_WORDS: Final = {
    Who.MINE: ("you", "in"),
    Who.THEIRS: ("the disk", "near"),
    Who.BOTH: ("both alike", "muted"),
    Who.CONFLICT: ("both, differently", "cut"),
}


def difference_blocks(ways: ThreeWay) -> list[Block]:
    """Every change and who made it, the first few of them."""
    rows: list[Block] = [row for entry in ways.entries for row in _entry(entry)]
    if ways.others:
        rows += [heading("Beside the entries"), *(_field(field) for field in ways.others)]
    shown = rows[:_MOST]
    if len(rows) > _MOST:
        shown.append(Row((Span(f"  and {len(rows) - _MOST} more lines", "muted"),)))
    return shown or [Paragraph((Span("Only the spelling of the file differs.", "muted"),))]


def _entry(entry: EntryWay) -> Iterator[Block]:
    words, ink = _WORDS[entry.who]
    yield Row((Span(f"{entry.title}  ", "title"), Span(entry.kind.value, "muted")), (Span(words, ink),))
    if entry.base is not None and (entry.mine is None or entry.theirs is None):
        return
    for field in entry.fields:
        yield _field(field)


def _field(field: FieldWay) -> Row:
    words, ink = _WORDS[field.who]
    return Row((Span(f"  {field.name}: ", "label"), *_change(field)), (Span(words, ink),))


def _change(field: FieldWay) -> tuple[Span, ...]:
    if field.who is Who.CONFLICT:
        return (Span(_short(field.mine), "in"), Span(" | ", "faint"), Span(_short(field.theirs), "near"))
    after = field.theirs if field.who is Who.THEIRS else field.mine
    return (Span(_short(field.base), "muted"), Span(" → ", "faint"), Span(_short(after), "text"))


def choice_blocks(ways: ThreeWay, choices: Mapping[Place, Side]) -> list[Block]:
    """The fields that both changed, mine and theirs, with what is chosen."""
    blocks: list[Block] = []
    for number, place in enumerate(ways.conflicts):
        found = ways.of(place)
        chosen = choices[place]
        if isinstance(found, EntryWay):
            gone = Side.MINE if found.mine is None else Side.THEIRS
            title, name = found.title, "the entry"
            texts = {side: "deleted" if side is gone else "changed" for side in (Side.MINE, Side.THEIRS)}
        else:
            title = ways.entries[place[0]].title if place[0] != OTHERS else "beside the entries"
            name = found.name
            texts = {Side.MINE: _short(found.mine), Side.THEIRS: _short(found.theirs)}
        blocks.append(Row((Span(title, "title"), Span(f"  {name}", "label"))))
        if isinstance(found, FieldWay) and found.can_be_both:
            texts[Side.BOTH] = _short(found.both())
        for side, words in ((Side.MINE, "mine"), (Side.THEIRS, "disk"), (Side.BOTH, "both")):
            if side not in texts:
                continue
            is_chosen = chosen is side
            mark = Span("(x) " if is_chosen else "( ) ", "in" if is_chosen else "muted")
            ink = "strong" if is_chosen else "muted"
            target = ToSide(number, side.value)
            blocks.append(Row((Span("  "), mark, Span(f"{words:<5}", "label"), Span(texts[side], ink)), target=target))
        blocks.append(BLANK)
    return blocks


def _short(value: Any) -> str:
    if value is MISSING:
        return "nothing"
    return (
        json.dumps(value) if isinstance(value, (int, float, bool)) or value is None else json_excerpt(value, _EXCERPT)
    )
