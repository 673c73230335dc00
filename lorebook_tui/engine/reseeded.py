"""A simulation whose dice can be thrown again: the books stay compiled, every random number follows a new seed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.chance import Chance, RandomState
from lorebook_tui.engine.inputs import TurnBuilder
from lorebook_tui.engine.macros.environment import Entropy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.engine.assemble import State
    from lorebook_tui.engine.chance import Draw
    from lorebook_tui.engine.chat import ChatView
    from lorebook_tui.engine.inputs import Macros
    from lorebook_tui.engine.macros import MacroEnvironment
    from lorebook_tui.engine.turn import TurnInput
    from lorebook_tui.model.scenario import RandomSource, Scenario, Step
    from lorebook_tui.model.transcript import Message


_OTHER_STREAM = 0x9E3779B9
"""Keeps dice before the scan apart from the scan's own numbers."""


class Reseeded(Simulation):
    """A simulation over the compiled books of another one, for many throws of the dice.

    `{{random}}`, which SillyTavern draws from a source of its own, follows the seed here too. A stream does not start
    anew at every turn, since then all turns would fall alike.

    Args:
        base: gives scenario and plans; stays as it is.
    """

    def __init__(self, base: Simulation) -> None:
        vars(self).update(vars(base))
        random = replace(base.scenario.random, per_turn=False)
        self.scenario = replace(base.scenario, random_macro="stream", random=random)
        self._builder = _CountingBuilder(self.scenario)
        self.builder = self._builder

    @property
    def draws_beside_the_scan(self) -> int:
        """Numbers that the last turn drew outside the scan's stream: by macros in card, chat or injected prompts."""
        return self._builder.drawn

    def reseed(self, seed: int) -> RandomSource:
        """Throw anew from here on; returns the source of the scan's stream."""
        source = replace(self.scenario.random, seed=seed, numbers=None)
        self.scenario = replace(self.scenario, random=source)
        self._builder.scenario = self.scenario
        return source


class _Counted(Chance):
    """A stream that tells when a number is taken from it."""

    def __init__(self, state: RandomState, told: Callable[[], None]) -> None:
        super().__init__(state)
        self._told = told

    def draw(self) -> float:
        """The next number."""
        self._told()
        return super().draw()


class _CountingBuilder(TurnBuilder):
    """Builds turns in which numbers drawn beside the scan's stream follow the seed and are counted.

    The dice of macros tell their number of sides.
    """

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.drawn = 0

    def dice(self, step: Step, state: State) -> Chance:  # noqa: ARG002 - the seed takes the place of the state
        """The stream of dice before the scan, started from the seed at every step."""
        self.drawn = 0
        return _Counted(RandomState((self.scenario.random.seed ^ _OTHER_STREAM) + step.upto & 0xFFFFFFFF), self._count)

    def _count(self) -> None:
        self.drawn += 1

    def environment(self, step: Step, state: State, messages: Sequence[Message]) -> MacroEnvironment:
        """What macros see at a step, every stream of it seeded."""
        made = super().environment(step, state, messages)
        made.draw_random = made.draw
        made.entropy = _SeededEntropy(made.draw)
        return made

    def build(self, step: Step, state: State, chat: ChatView, chance: Chance) -> tuple[TurnInput, Macros]:
        """The arguments of one scan, and its macros, which draw dice from the scan's stream."""
        turn, macros = super().build(step, state, chat, chance)

        def draw() -> float:
            value = chance.for_macro()
            return _Die(value, chance.log[-1])

        macros.environment.draw = macros.environment.draw_random = draw
        return turn, macros


class _Die(float):
    """A random number of which a macro takes the part before the point, multiplied by the number of sides.

    The multiplication is noted on the draw, since only the macro knows the die.
    """

    __slots__ = ("_draw",)
    _draw: Draw

    def __new__(cls, value: float, draw: Draw) -> Self:
        made = super().__new__(cls, value)
        made._draw = draw
        return made

    def __mul__(self, sides: float, /) -> float:
        self._draw.edges = (float(sides),)
        return float(self) * sides


class _SeededEntropy(Entropy):
    """The stream of macros that SillyTavern leaves to chance, drawn from a seeded one."""

    def __init__(self, draw: Callable[[], float]) -> None:
        super().__init__()
        self._draw = draw

    def next(self, seed: str) -> float:  # noqa: ARG002 - it has its seed already
        """The next number."""
        return self._draw()
