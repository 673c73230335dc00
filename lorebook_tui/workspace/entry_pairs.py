"""Which entry of one state of a book is which entry of another: by uid, by name, or by what it says."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from lorebook_tui.model.entry import Entry

_MOST_COMPARED: Final = 250
"""Beyond so many entries without a partner on both sides nobody compares texts."""
_ALIKE: Final = 80
_ALIKE_WITH_TITLE: Final = 45
"""Percent of likeness of two contents; less will do where the titles are equal."""
_LONGEST: Final = 4000
_NOTHING: Final = ""


def pairs(old: Sequence[Entry], new: Sequence[Entry]) -> dict[int, int]:
    """Places in `old` by places in `new`, for entries that are in both.

    A uid alone does not decide: books get renumbered, as by an import of a card, and a free uid goes to the next new
    entry. Entries with nothing else in common are two entries.
    """
    found = _Pairing(old, new)
    found.by(lambda entry: (entry.uid_text, entry.title, entry.content))
    found.by(lambda entry: (entry.uid_text, entry.title) if entry.title.strip() else None)
    found.by(lambda entry: (entry.uid_text, entry.content) if entry.content else None)
    found.by(lambda entry: (entry.title, entry.content) if entry.content else None)
    found.by_name(lambda entry: entry.uid_text)
    found.by_name(lambda entry: entry.key)
    found.by_likeness()
    return found.partner


class _Pairing:
    """Pairs found so far."""

    def __init__(self, old: Sequence[Entry], new: Sequence[Entry]) -> None:
        self.old, self.new = old, new
        self.left_old = dict.fromkeys(range(len(old)))
        self.left_new = dict.fromkeys(range(len(new)))
        self.partner: dict[int, int] = {}

    def join(self, old: int, new: int) -> None:
        """Make a pair."""
        self.partner[new] = old
        del self.left_old[old]
        del self.left_new[new]

    def by(self, mark: Callable[[Entry], Hashable | None]) -> None:
        """Pair entries with equal marks, the first with the first."""
        if not self.left_old or not self.left_new:
            return
        waiting: defaultdict[Hashable, list[int]] = defaultdict(list)
        for place in reversed(self.left_old):
            waiting[mark(self.old[place])].append(place)
        for place in tuple(self.left_new):
            sign = mark(self.new[place])
            if sign is not None and sign != _NOTHING and waiting.get(sign):
                self.join(waiting[sign].pop(), place)

    def by_name(self, name: Callable[[Entry], str]) -> None:
        """Pair entries of equal names that have a key in common, or contents that are a little alike."""
        waiting = {name(self.old[place]): place for place in reversed(self.left_old)}
        for place in tuple(self.left_new):
            old = waiting.get(name(self.new[place]))
            if old is not None and old in self.left_old and _have_something(self.old[old], self.new[place]):
                self.join(old, place)

    def by_likeness(self) -> None:
        """Pair what is left by how alike the contents are, the likest first."""
        if not self.left_old or not self.left_new or max(len(self.left_old), len(self.left_new)) > _MOST_COMPARED:
            return
        scored = []
        for new in self.left_new:
            for old in self.left_old:
                one, other = self.old[old], self.new[new]
                enough = _ALIKE_WITH_TITLE if one.title == other.title else _ALIKE
                score = _likeness(one, other, enough)
                if score:
                    scored.append((score, old, new))
        for _, old, new in sorted(scored, key=lambda each: (-each[0], each[1], each[2])):
            if old in self.left_old and new in self.left_new:
                self.join(old, new)


def _have_something(one: Entry, other: Entry) -> bool:
    return bool(set(one.keys) & set(other.keys)) or _likeness(one, other, _ALIKE_WITH_TITLE) > 0


def _likeness(one: Entry, other: Entry, enough: int) -> float:
    """Percent; 0 below `enough`, and for entries that say nothing."""
    if not one.content or not other.content:
        return 0.0
    from rapidfuzz.fuzz import ratio  # noqa: PLC0415 - only where something was rewritten and more

    return ratio(one.content[:_LONGEST], other.content[:_LONGEST], score_cutoff=enough)
