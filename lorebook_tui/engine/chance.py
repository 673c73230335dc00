"""Random numbers as a value: a stream that can be stopped, stored and continued, and a log of what was drawn.

`Math.random` of a scan is mulberry32, started from the seed; a list of numbers can stand in for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lorebook_tui.model.scenario import RandomSource

_MASK = 0xFFFFFFFF
_STEP = 0x6D2B79F5
_SCALE = 4294967296
WHEN_EXHAUSTED = 0.5


@dataclass(frozen=True, slots=True)
class RandomState:
    """Where a stream stands: the next mulberry32 state, or the place in the list."""

    state: int
    numbers: tuple[float, ...] | None = None

    @property
    def exhausted(self) -> bool:
        """Whether more numbers were asked for than the list holds."""
        return self.numbers is not None and self.state > len(self.numbers)

    @classmethod
    def start(cls, source: RandomSource) -> RandomState:
        """The beginning of a source."""
        return cls(0, source.numbers) if source.numbers is not None else cls(source.seed & _MASK)


@dataclass(slots=True)
class Draw:
    """One number taken from the stream, and what for."""

    value: float
    source: str
    """probability, group or macro."""
    turn_pass: int
    index: int | None = None
    """Load index of the entry: the one that rolled, or the winner of the group."""
    group: str = ""
    passed: bool | None = None
    edges: tuple[float, ...] = field(default=(), compare=False)
    """What the number was held against: the percentage of a roll, or the running sums of a group's weights."""


@dataclass(slots=True)
class Chance:
    """A running stream; one turn's worth of draws is logged."""

    state: RandomState
    log: list[Draw] = field(default_factory=list)
    turn_pass: int = 0

    def draw(self) -> float:
        """The next number in [0, 1), unlogged."""
        current = self.state
        if current.numbers is not None:
            place = current.state
            self.state = RandomState(place + 1, current.numbers)
            if place < len(current.numbers):
                return current.numbers[place]
            return WHEN_EXHAUSTED
        state = (current.state + _STEP) & _MASK
        self.state = RandomState(state)
        mixed = ((state ^ (state >> 15)) * (state | 1)) & _MASK
        mixed = ((mixed + ((mixed ^ (mixed >> 7)) * (mixed | 61) & _MASK)) & _MASK) ^ mixed
        return (mixed ^ (mixed >> 14)) / _SCALE

    def roll(self, index: int, chance: float) -> bool:
        """One roll of an entry against a probability in percent; a draw of exactly 0 passes 0."""
        value = self.draw()
        passed = value * 100 <= chance
        self.log.append(Draw(value, "probability", self.turn_pass, index=index, passed=passed, edges=(chance,)))
        return passed

    def for_group(self, group: str, edges: tuple[float, ...] = ()) -> Draw:
        """One draw for a group with these running sums of weights; the caller notes the winner on it."""
        draw = Draw(self.draw(), "group", self.turn_pass, group=group, edges=edges)
        self.log.append(draw)
        return draw

    def for_macro(self) -> float:
        """One draw for a macro in a key or content."""
        value = self.draw()
        self.log.append(Draw(value, "macro", self.turn_pass))
        return value
