"""PLists: `[Thing: trait, trait; …]`, and the shell of two constants that puts brackets around many entries."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.lint.budgeting import is_always_on
from lorebook_tui.lint.slots import number_of, slot_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.slots import Slot
    from lorebook_tui.lint.subjects import BookView, EntryView

OPEN: Final = "["
CLOSE: Final = "]"
_SHORT: Final = 40
"""Characters that a bracket with blanks and decorators around it may have."""
_TRAITS: Final = re.compile(r"[^\W\d_][^\n:;\[\]]{0,60}:\s*[^\s:;\[\]][^;\[\]]*", re.DOTALL)
"""A name, a colon, and traits."""
_SEGMENT: Final = re.compile(r"\[(?:[^\[\]]|\n)*\]")


@dataclass(frozen=True)
class Shell:
    """Two halves that belong together, or a half without the other."""

    opening: EntryView | None
    closing: EntryView | None

    @property
    def halves(self) -> tuple[EntryView, ...]:
        """Those that are there."""
        return tuple(half for half in (self.opening, self.closing) if half is not None)

    @property
    def is_whole(self) -> bool:
        """Whether both stand at the same place, the opening one above."""
        return len(self.halves) == 2 and slot_of(self.halves[0]) == slot_of(self.halves[1])  # noqa: PLR2004 - a pair

    @property
    def ends(self) -> tuple[float, float]:
        """The orders of a whole shell, the lower one first."""
        first, second = (number_of(half) or 0 for half in self.halves)
        return min(first, second), max(first, second)

    @property
    def slot(self) -> Slot | None:
        """Where it stands."""
        return slot_of(self.halves[0])


def is_half(view: EntryView) -> bool:
    """Whether an entry is one bracket that is always on."""
    is_short = len(view.entry.content) < _SHORT
    return is_short and view.is_enabled and view.text.strip() in {OPEN, CLOSE} and is_always_on(view)


def is_body(view: EntryView) -> bool:
    """Whether a text is traits without brackets, closed by a semicolon."""
    text = view.text.strip()
    return text.endswith(";") and looks_like_traits(text)


def looks_like_traits(text: str) -> bool:
    """Whether a text begins with `name: trait`."""
    return _TRAITS.match(text.strip()) is not None and "{{" not in text.partition(":")[0]


def segments(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each `[name: …]` in a text, brackets included."""
    for found in _SEGMENT.finditer(text):
        if looks_like_traits(found[0][1:-1]):
            yield found.start(), found.end()


def shells(book: BookView) -> list[Shell]:
    """The shells of a book: halves at the same place are paired first, then those that are left."""
    halves = [view for view in book.entries if is_half(view)]
    opening = [view for view in halves if view.text.strip() == OPEN]
    closing = [view for view in halves if view.text.strip() == CLOSE]
    found: list[Shell] = []
    for same_place in (True, False):
        for first in list(opening):
            other = next((view for view in closing if not same_place or slot_of(view) == slot_of(first)), None)
            if other is not None:
                found.append(Shell(first, other))
                opening.remove(first)
                closing.remove(other)
    found += [Shell(view, None) for view in opening]
    return found + [Shell(None, view) for view in closing]
