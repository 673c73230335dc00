"""Phase 4, recursion: what kind of pass comes next, and which text it scans in addition.

SillyTavern 1.19: recursion first, then min activations (which widens the global depth by one message), then the next
delay level, which opens even with recursion off or after an overflow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lorebook_tui.engine.trace import PassKind

if TYPE_CHECKING:
    from lorebook_tui.model.settings import ScanSettings


@dataclass(slots=True)
class Levels:
    """Delay-until-recursion levels, opened one at a time."""

    waiting: list[Any]
    current: Any = 0

    @classmethod
    def start(cls, levels: list[Any]) -> Levels:
        """The first level is open from the start."""
        return cls(levels[1:], levels[0]) if levels else cls([])

    def open_next(self) -> None:
        """Open one more level."""
        self.current = self.waiting.pop(0)


@dataclass(frozen=True, slots=True)
class AfterPass:
    """What the next pass is decided from."""

    kind: PassKind
    overflowed: bool
    has_recursing: bool
    """Some new entry may wake others (even one without text)."""
    has_recursed_text: bool
    activated: int
    depth: int
    """Global depth of the pass, min activations included."""
    messages: int


def next_kind(settings: ScanSettings, after: AfterPass, levels: Levels) -> PassKind:
    """The kind of the next pass; opens a delay level if that is all that is left."""
    if settings.world_info_recursive and not after.overflowed:
        if after.has_recursing:
            return PassKind.RECURSION
        if after.kind is PassKind.MIN_ACTIVATIONS and after.has_recursed_text:
            return PassKind.RECURSION
    if _needs_more(settings, after):
        return PassKind.MIN_ACTIVATIONS
    if levels.waiting:
        levels.open_next()
        return PassKind.RECURSION
    return PassKind.NONE


def _needs_more(settings: ScanSettings, after: AfterPass) -> bool:
    """Whether min activations asks for one more message."""
    wanted = settings.world_info_min_activations
    if after.overflowed or not 0 < wanted > after.activated:
        return False
    furthest = settings.world_info_min_activations_depth_max
    return not (0 < furthest < after.depth) and after.depth <= after.messages
