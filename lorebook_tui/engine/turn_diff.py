"""What is different between two turns: of one chat one after the other, or of one turn before and after an edit.

Finer than a comparison of prompts: it also tells who costs more tokens now and who is out for another reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from lorebook_tui.engine.compare import places_moved
from lorebook_tui.engine.verdicts import verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.trace import Cause, Reason
    from lorebook_tui.engine.verdicts import Place, Verdict

    Partner = Callable[[int], int | None]


class Shift(Enum):
    """What became of an entry from before to now; the values are stable names."""

    ENTERED = "entered"
    LEFT = "left"
    MOVED = "moved"
    """In both times, at another place: another slot, or past others in its slot."""
    TOKENS = "tokens"
    """In both times, with another number of tokens or another text."""
    REASON = "reason"
    """In or out both times, for another reason or by another cause."""


@dataclass(frozen=True, slots=True)
class Change:
    """An entry of which something is different."""

    shifts: tuple[Shift, ...]
    """All that is; never empty."""
    before: Verdict | None
    """None: it was not among the books."""
    after: Verdict | None
    """None: it is not among the books any more."""

    @property
    def shift(self) -> Shift:
        """The most telling of them."""
        return self.shifts[0]

    @property
    def index(self) -> int | None:
        """Load index now; None: it is gone."""
        return self.after.index if self.after else None

    @property
    def index_before(self) -> int | None:
        """Load index before; None: it is new."""
        return self.before.index if self.before else None

    @property
    def tokens(self) -> int:
        """Tokens of the prompt that it takes more than before; negative if less."""
        return _tokens(self.after) - _tokens(self.before)

    @property
    def places(self) -> tuple[Place | None, Place | None]:
        """Where it stood and where it stands."""
        return self.before.place if self.before else None, self.after.place if self.after else None

    @property
    def reasons(self) -> tuple[Reason | None, Reason | None]:
        """Why it was in or out, and why it is now."""
        return self.before.reason if self.before else None, self.after.reason if self.after else None

    @property
    def causes(self) -> tuple[Cause | None, Cause | None]:
        """What woke it before, and what does now."""
        return self.before.cause if self.before else None, self.after.cause if self.after else None


@dataclass(frozen=True, slots=True)
class TurnDiff:
    """All differences, the most telling first: entered, left, moved, tokens, reason; each in load order."""

    changes: tuple[Change, ...]
    tokens: tuple[int, int]
    """Tokens of all activated texts, before and now."""
    budget: tuple[int, int]
    errors: tuple[str, str]
    """Why the product stops without a prompt, before and now."""

    @property
    def is_same(self) -> bool:
        """Whether nothing is different."""
        return not self.changes and all(left == right for left, right in (self.tokens, self.budget, self.errors))

    def of(self, shift: Shift) -> tuple[Change, ...]:
        """The changes that have to do with something."""
        return tuple(change for change in self.changes if shift in change.shifts)


def same_indices(before: Assembly, after: Assembly) -> Partner | None:
    """Partners of two turns of one plan; None if the plans are different ones."""
    return (lambda index: index) if before.plan is after.plan else None


def by_identity(before: Assembly, after: Assembly) -> Partner:
    """Partners by the object of their fields, else by layer, book and uid: for a plan and what an edit made of it."""
    objects: dict[tuple[object, ...], list[int]] = {}
    names: dict[tuple[object, ...], list[int]] = {}
    for entry in after.plan.entries:
        objects.setdefault((entry.layer, entry.book, id(entry.entry.fields)), []).append(entry.index)
        names.setdefault((entry.layer, entry.identity, entry.entry.key), []).append(entry.index)
    found: dict[int, int] = {}
    taken: set[int] = set()
    for table, name in (
        (objects, lambda entry: (entry.layer, entry.book, id(entry.entry.fields))),
        (names, lambda entry: (entry.layer, entry.identity, entry.entry.key)),
    ):
        for entry in before.plan.entries:
            if entry.index in found:
                continue
            partner = next((index for index in table.get(name(entry), ()) if index not in taken), None)
            if partner is not None:
                found[entry.index] = partner
                taken.add(partner)
    return found.get


def turn_diff(before: Assembly, after: Assembly, partner: Partner | None = None) -> TurnDiff:
    """What is different.

    Args:
        before: the turn to compare with.
        after: the turn as it is.
        partner: load index now of an entry before; None: found out.
    """
    partner = partner or same_indices(before, after) or by_identity(before, after)
    pairs: dict[int, int] = {}
    changes: list[Change] = []
    for index in _told_of(before):
        other = partner(index)
        if other is None:
            found = verdict(before, index)
            if _is_in(found):
                changes.append(Change((Shift.LEFT,), found, None))
        else:
            pairs[index] = other
    back = {other: index for index, other in pairs.items()}
    missing = [index for index in _told_of(after) if index not in back]
    if missing:
        earlier = {other: index for index in range(len(before.plan.entries)) if (other := partner(index)) is not None}
        for index in missing:
            if index in earlier:
                pairs[earlier[index]] = index
            elif _is_in(found := verdict(after, index)):
                changes.append(Change((Shift.ENTERED,), None, found))
    changes += _of_pairs(before, after, pairs)
    order = list(Shift)
    changes.sort(key=lambda change: (order.index(change.shift), _rank(change)))
    return TurnDiff(
        tuple(changes), (before.tokens, after.tokens), (before.budget, after.budget), (before.error, after.error)
    )


def _rank(change: Change) -> int:
    index = change.index if change.index is not None else change.index_before
    return -1 if index is None else index


def _told_of(assembly: Assembly) -> Iterable[int]:
    """Entries that a pass looked at; all others are out for want of a key or by a closed gate."""
    return sorted({*assembly.last_decisions, *assembly.admitted_by_index})


def _of_pairs(before: Assembly, after: Assembly, pairs: dict[int, int]) -> list[Change]:
    """The changes of entries that are there both times."""
    both = [
        (index, other)
        for index, other in pairs.items()
        if before.places.get(index) is not None and after.places.get(other) is not None
    ]

    def name(pair: tuple[int, int]) -> tuple[str, ...]:
        """Who was not edited stayed, if that can be."""
        old, new = before.entry(pair[0]), after.entry(pair[1])
        return "" if old.entry.fields is new.entry.fields else "edited", f"{pair[1]:08}"

    moved = set(places_moved(before, after, both, name))
    changes = []
    for index, other in pairs.items():
        old, new = verdict(before, index), verdict(after, other)
        shifts: list[Shift] = []
        if _is_in(old) is not _is_in(new):
            shifts.append(Shift.ENTERED if _is_in(new) else Shift.LEFT)
        if (index, other) in moved:
            shifts.append(Shift.MOVED)
        if _is_in(old) and _is_in(new) and _weight(old) != _weight(new):
            shifts.append(Shift.TOKENS)
        if not _is_in(old) and not _is_in(new) and old.reason is not new.reason:
            shifts.append(Shift.REASON)
        if _is_in(old) and _is_in(new) and old.cause is not new.cause:
            shifts.append(Shift.REASON)
        if shifts:
            changes.append(Change(tuple(shifts), old, new))
    return changes


def _is_in(found: Verdict) -> bool:
    return found.place is not None


def _tokens(found: Verdict | None) -> int:
    return found.admitted.tokens if found is not None and found.admitted is not None and _is_in(found) else 0


def _weight(found: Verdict) -> tuple[int, str]:
    return _tokens(found), found.admitted.content if found.admitted else ""
