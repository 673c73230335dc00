"""What a conversion changes, told entry by entry: lost, kept aside, read otherwise by others, or adapted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.formats.base import Loaded


class Fate(Enum):
    """What becomes of a value."""

    LOST = "lost"
    """It is not in the new file."""
    ASIDE = "kept aside"
    """It lies in the extension data: no program acts on it, and it comes back when this program converts it back."""
    BENT = "read otherwise"
    """It is in the new file, but other programs do not read it, or read it otherwise."""
    ADAPTED = "adapted"
    """It is said in the new format's own way."""


@dataclass(frozen=True, slots=True)
class Loss:
    """One value that a conversion does not carry over as it is."""

    code: str
    """Stable name of the kind: `character-filter`, `position`, `use-regex`, …"""
    message: str
    """One sentence for people."""
    fate: Fate
    entry: str | None = None
    """Title of the entry, None for the book itself; foreign text."""
    field: str = ""
    """SillyTavern's name of the field, or the other format's member."""


@dataclass(frozen=True, slots=True)
class Converted:
    """A book in another shape."""

    loaded: Loaded
    losses: tuple[Loss, ...] = ()

    def summary(self) -> tuple[tuple[Loss, int], ...]:
        """The first loss of every kind and field, and how many there are of it; the worst first."""
        return summary(self.losses)


def summary(losses: Iterable[Loss]) -> tuple[tuple[Loss, int], ...]:
    """The first loss of every kind and field, and how many there are of it; the worst first."""
    first: dict[tuple[str, str, Fate], Loss] = {}
    count: dict[tuple[str, str, Fate], int] = {}
    for loss in losses:
        key = (loss.code, loss.field, loss.fate)
        first.setdefault(key, loss)
        count[key] = count.get(key, 0) + 1
    order = list(Fate)
    return tuple((first[key], count[key]) for key in sorted(first, key=lambda key: order.index(key[2])))
