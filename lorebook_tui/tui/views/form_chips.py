"""Lists as chips: each with its badge and its hits, wrapped between chips, the chosen one marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import json_excerpt, plain
from lorebook_tui.engine.key_badges import key_badge
from lorebook_tui.tui.ink import Span, fit, padded, width_of
from lorebook_tui.tui.targets import ToItem
from lorebook_tui.tui.views.form_keys import sign_of
from lorebook_tui.tui.views.form_state import label_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lorebook_tui.engine.chat_hits import KeyInChat
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.js import Json
    from lorebook_tui.tui.ink import Line

_LEAST_LABEL: Final = 6
_LEAST_CHIP: Final = 8
_PER_LINE: Final = 50
_MARGIN: Final = 6


@dataclass(frozen=True, slots=True)
class Chip:
    """One item."""

    text: str
    """Foreign."""
    sign: str = ""
    """Its badge."""
    is_wrong: bool = False
    turn: int | None = None
    """Hits at the shown turn; None: not known."""
    chat: int | None = None
    """Messages of the chat that hold it; None: not known."""


def chips_of(
    value: Json,
    *,
    is_keys: bool = False,
    turn: Mapping[str, int] | None = None,
    chat: Mapping[str, KeyInChat] | None = None,
    whole_words: bool = True,
) -> list[Chip]:
    """A stored list as chips.

    Args:
        value: of the field; what is no list has no chips.
        is_keys: give badges and hits.
        turn: hits at the shown turn by key.
        chat: hits in the chat by key.
        whole_words: the option in force for the entry.
    """
    chips = []
    for item in value if isinstance(value, list) else ():
        if not isinstance(item, str):
            chips.append(Chip(json_excerpt(item, 30), "!", is_wrong=True))
        elif is_keys:
            badge = key_badge(item, whole_words=whole_words)
            found = (chat or {}).get(item)
            count = len(found.messages) if found is not None and found.kind != "macro" else None
            chips.append(Chip(item, sign_of(badge.kind), badge.kind.doubtful, (turn or {}).get(item), count))
        else:
            chips.append(Chip(item))
    return chips


@dataclass(frozen=True)
class Chips:
    """A list with its label, and a place to add an item at its end."""

    label: str
    name: str
    """Of the field."""
    chips: Sequence[Chip]
    glyphs: Glyphs
    chosen: int | None = None
    """Number of the item under the cursor; None: the cursor is elsewhere."""
    is_field: bool = False
    """It stands among the fields of a group, and lines up with them."""

    def estimate(self) -> int:
        """About how many lines it takes."""
        return 1 + sum(len(chip.text) + 4 for chip in self.chips) // _PER_LINE

    def lines(self, width: int) -> Sequence[Line]:
        """The chips, wrapped between them."""
        label = label_cells(width) - 1 if self.is_field else _LEAST_LABEL
        lines: list[list[Span]] = [
            [*padded((Span(f"  {self.label}" if self.is_field else self.label, "label"),), label)]
        ]
        used = label
        room = max(_LEAST_CHIP, width - label)
        for number in range(len(self.chips) + 1):
            chip = fit(self._chip(number), room)
            cells = width_of(chip) + 1
            if used + cells > width + 1 and used > label:
                lines.append([Span(" " * label)])
                used = label
            lines[-1] += [*chip, Span(" ")]
            used += cells
        return [tuple(line) for line in lines]

    def _chip(self, number: int) -> Line:
        target = ToItem(self.name, number)
        is_chosen = number == self.chosen
        if number == len(self.chips):
            text = " + " if self.chips else " + none yet "
            return (Span(text, "tab-chosen" if is_chosen else "faint", target),)
        chip = self.chips[number]
        is_hit = bool(chip.turn) or (chip.turn is None and bool(chip.chat))
        ink = "tab-chosen" if is_chosen else "key" if is_hit or chip.turn is None else "key-missed"
        spans = [Span(f" {plain(chip.text)} ", ink, target)]
        if chip.sign:
            spans.append(Span(chip.sign, "cut" if chip.is_wrong else "macro", target))
        counts = self._counts(chip)
        if counts:
            spans.append(Span(counts, "in" if is_hit else "faint", target))
        return tuple(spans)

    def _counts(self, chip: Chip) -> str:
        """`·1/7`: one hit at this turn, seven messages in the chat."""
        if chip.turn is None and chip.chat is None:
            return ""
        turn = str(chip.turn) if chip.turn is not None else ""
        chat = f"/{chip.chat}" if chip.chat is not None else ""
        return f"{self.glyphs.dot}{turn}{chat}"
