"""What a change of many entries must not do unasked: touch locked entries, or lose most of a content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LorebookError
from lorebook_tui.model.locks import is_locked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.workspace.bulk_changes import EntryChange

LEAST_KEPT: Final = 0.2
"""A content that keeps less than this part of its length has shrunk."""
_WORTH_GUARDING: Final = 40
"""Characters; of shorter contents nobody misses much."""
_LISTED: Final = 5


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A content that would lose most of its text."""

    change: EntryChange
    before: int
    """Characters."""
    after: int

    @property
    def lost(self) -> int:
        """Percent of the content that goes."""
        return round(100 * (1 - self.after / self.before))


class GuardError(LorebookError):
    """A change that is only made when it is asked for twice."""

    code = "GUARD"


def shrunk(changes: Sequence[EntryChange]) -> tuple[Shrunk, ...]:
    """Contents that would lose four fifths of their text or more."""
    found = []
    for change in changes:
        for field in change.fields:
            if field.name == "content" and isinstance(field.before, str):
                after = len(field.after.strip()) if isinstance(field.after, str) else 0
                before = len(field.before.strip())
                if before >= _WORTH_GUARDING and after <= before * LEAST_KEPT:
                    found.append(Shrunk(change, before, after))
    return tuple(found)


def locked(changes: Sequence[EntryChange]) -> tuple[EntryChange, ...]:
    """Changes of entries that were locked before, other than taking the lock away."""
    return tuple(
        change
        for change in changes
        if change.before is not None
        and is_locked(change.before)
        and not (change.after is not None and not is_locked(change.after))
    )


def check(changes: Sequence[EntryChange]) -> None:
    """Make sure that a change touches no locked entry, and that no content loses most of its text.

    Raises:
        GuardError: it does; names the entries.
    """
    if held := locked(changes):
        raise GuardError(
            f"{_entries(len(held))} locked.",
            expected="entries that are not locked",
            found=_named(held),
            hint="Leave them out with locked:no, unlock them with locked=no, or force it (--force).",
        )
    if lost := shrunk(changes):
        worst = max(lost, key=lambda each: each.lost)
        raise GuardError(
            f"The content of {_counted(len(lost))} would lose most of its text: up to {worst.lost} %.",
            expected=f"at least {LEAST_KEPT:.0%} of each content left",
            found=_named([each.change for each in lost]),
            hint="Look at the change first (--dry-run), or force it (--force). A backup is kept.",
        )


def _entries(count: int) -> str:
    return "1 entry is" if count == 1 else f"{count:,} entries are"


def _counted(count: int) -> str:
    return "1 entry" if count == 1 else f"{count:,} entries"


def _named(changes: Sequence[EntryChange]) -> str:
    names = [f"{change.reference}  {' '.join(change.title.split())}" for change in changes[:_LISTED]]
    more = [f"and {len(changes) - _LISTED} more"] if len(changes) > _LISTED else []
    return "\n".join([*names, *more])
