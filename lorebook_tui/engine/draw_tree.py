"""All ways in which the dice of one turn can fall, each with its exact weight.

The turn is run with a script of random numbers; wherever it draws beyond the script, it is run again for every other
side of that die. Rolls of entries have two sides, groups one per member that can win, dice in texts what they say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.chance import WHEN_EXHAUSTED
from lorebook_tui.model.scenario import RandomSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.engine.chance import Draw
    from lorebook_tui.engine.reseeded import Reseeded
    from lorebook_tui.model.scenario import Step

NUMBERS: Final = 2**32
"""Different random numbers that the stream can give: multiples of 1 / 2^32 from 0 on."""
MOST_SIDES: Final = 256
"""Sides of a die in a text that are run through one by one."""
_DEFAULT: Final = int(WHEN_EXHAUSTED * NUMBERS)


class InexactError(Exception):
    """The odds of a turn cannot be worked out exactly; says why."""


@dataclass(frozen=True, slots=True)
class Side:
    """The numbers with which one draw ends alike: from `first` up to, not including, `end`, in units of 1 / 2^32."""

    first: int
    end: int

    @property
    def weight(self) -> Fraction:
        """The probability of this side."""
        return Fraction(self.end - self.first, NUMBERS)

    @property
    def number(self) -> float:
        """A random number that falls on it."""
        return (self.first + self.end) // 2 / NUMBERS


@dataclass(frozen=True, slots=True)
class Leaf:
    """One way for the dice of a turn to fall."""

    weight: Fraction
    """Its probability, given the state before the turn."""
    assembly: Assembly


def sides(draw: Draw) -> tuple[Side, ...]:
    """The sides of a die, those that never come up left out.

    Raises:
        InexactError: a die of which nobody knows the sides.
    """
    if draw.source == "probability":
        return _sides(100.0, draw.edges)
    if draw.source == "group":
        return _sides(draw.edges[-1], draw.edges[:-1])
    if draw.source == "macro" and draw.edges:
        return _sides_of_die(draw.edges[0])
    raise InexactError("a macro throws dice in a key or a text")


@lru_cache(maxsize=4096)
def _sides(scale: float, edges: tuple[float, ...]) -> tuple[Side, ...]:
    """Sides of a number that is multiplied and takes the first edge it does not exceed, or what is left."""
    if not 0 <= scale < math.inf:
        raise InexactError("a group has weights that are no numbers or below 0")
    bounds = [0]
    for edge in edges:
        bounds.append(max(bounds[-1], _reaching(edge, scale)))
    return tuple(Side(first, end) for first, end in pairwise((*bounds, NUMBERS)) if first < end)


@lru_cache(maxsize=256)
def _sides_of_die(count: float) -> tuple[Side, ...]:
    """Sides of a number that is multiplied and cut off behind the point."""
    if not (1 <= count <= MOST_SIDES and count == int(count)):
        raise InexactError(f"a macro throws a die with {count:,.0f} sides")
    bounds = [_reaching(math.nextafter(face, 0), count) for face in range(1, int(count))]
    return tuple(Side(first, end) for first, end in pairwise((0, *bounds, NUMBERS)) if first < end)


def _reaching(edge: float, scale: float) -> int:
    """How many of the random numbers, multiplied, do not exceed an edge; found with the comparison the scan makes."""
    low, high = 0, NUMBERS
    while low < high:
        middle = (low + high) // 2
        if middle / NUMBERS * scale <= edge:
            low = middle + 1
        else:
            high = middle
    return low


def leaves(simulation: Reseeded, step: Step, state: State, most: int) -> Iterator[Leaf]:
    """Every way for the dice of a turn to fall, given the state before it; the weights add up to 1.

    Args:
        simulation: runs the turn, once for each way.
        step: the turn.
        state: what the turns before left.
        most: ways to try before giving up.

    Raises:
        InexactError: there are more ways, or a die of which nobody knows the sides.
    """
    waiting: list[tuple[tuple[float, ...], Fraction]] = [((), Fraction(1))]
    found = 0
    while waiting:
        if found + len(waiting) > most:
            raise InexactError("the dice can fall in too many ways")
        script, weight = waiting.pop()
        assembly = simulation.assemble(replace(step, random=RandomSource(numbers=script)), state)
        if simulation.draws_beside_the_scan:
            raise InexactError("a macro throws dice in the card, the chat or an injected prompt")
        taken = script
        for draw in assembly.draws[len(script) :]:
            listed = sides(draw)
            fallen = next(side for side in listed if side.first <= _DEFAULT < side.end)
            waiting += [((*taken, side.number), weight * side.weight) for side in listed if side is not fallen]
            weight *= fallen.weight
            taken = (*taken, WHEN_EXHAUSTED)
        found += 1
        yield Leaf(weight, assembly)
