"""All turns of a replay at a glance: what became of every entry, turn by turn, and what that comes to over the chat.

Sparse: cost follows what happened, not the number of entries times turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lorebook_tui.engine.fates import Fate
    from lorebook_tui.tui.pictures import Turn


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """One entry over the turns replayed so far."""

    fates: Mapping[int, Fate]
    """By turn, counted from 0; turns without anything to tell are missing."""
    fired: tuple[int, ...]
    """Turns at which it was in the prompt, ascending."""
    cut: int
    """Turns at which the budget kept it out."""

    @property
    def fired_count(self) -> int:
        """At how many turns it was in the prompt."""
        return len(self.fired)

    @property
    def first_fired(self) -> int | None:
        """The first of them; None: never."""
        return self.fired[0] if self.fired else None

    @property
    def last(self) -> Fate | None:
        """The last thing that became of it."""
        return self.fates[max(self.fates)] if self.fates else None


NOTHING = EntryFacts({}, (), 0)


class Chronicle:
    """The turns of a replay as they are known now; later turns need a new one.

    Args:
        turns: replayed turns from the first one on.
    """

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.count = len(turns)
        found: dict[int, dict[int, Fate]] = {}
        for turn in turns[: self.count]:
            number = turn.number
            for index, fate in turn.fates.items():
                row = found.get(index)
                if row is None:
                    row = found[index] = {}
                row[number] = fate
        self._found = found
        self._facts: dict[int, EntryFacts] = {}

    @property
    def entries(self) -> tuple[int, ...]:
        """Load indices of all entries that had something, ascending: in load order."""
        return tuple(sorted(self._found))

    def facts(self, index: int) -> EntryFacts:
        """One entry over all turns."""
        known = self._facts.get(index)
        if known is None:
            row = self._found.get(index)
            if row is None:
                return NOTHING
            fired = tuple(number for number, fate in row.items() if fate.in_prompt)
            known = self._facts[index] = EntryFacts(row, fired, sum(1 for fate in row.values() if fate.is_cut))
        return known

    def by_first(self) -> tuple[int, ...]:
        """The same entries, those that came first on top; those that never came last."""
        never = self.count

        def rank(index: int) -> tuple[int, int]:
            first = self.facts(index).first_fired
            return (never if first is None else first, index)

        return tuple(sorted(self._found, key=rank))
