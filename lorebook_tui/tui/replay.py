"""The simulation behind the screen: turns replayed once, kept in short, and assembled again in full when looked at.

After an edit the next replay is made from the one before: what is compiled serves again, and turns that the edit cannot
touch are taken over. Safe to call from worker threads: a replay and those made from it go through one gate, what is
handed out is frozen.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from time import thread_time
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.assemble import Simulation, steps
from lorebook_tui.engine.grown import grown
from lorebook_tui.engine.inert import is_inert
from lorebook_tui.engine.untouched import same_state
from lorebook_tui.tui.chronicle import Chronicle
from lorebook_tui.tui.gate import Gate
from lorebook_tui.tui.pictures import Picture, Turn, in_short, picture_of
from lorebook_tui.tui.proposals import Remedies
from lorebook_tui.tui.questions import KEPT_EXPLANATIONS, KEPT_PICTURES, Kept, Prospect, Questions
from lorebook_tui.tui.reuse import Basis, Reuse
from lorebook_tui.tui.scene import USER_TURNS, Catalogue

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.model.scenario import Step
    from lorebook_tui.tokens.base import TokenCounter
    from lorebook_tui.tui.scene import Scene

__all__ = [
    "KEPT_EXPLANATIONS",
    "KEPT_PICTURES",
    "Picture",
    "Prospect",
    "Remedies",
    "Replay",
    "Turn",
    "turn_steps",
]

MOST_BASES: Final = 2
"""Older replays that turns are taken from: the last one, and one before it that had come further."""


@dataclass
class Replay(Questions):
    """All turns of one scene with one way of counting.

    Args:
        scene: what is simulated.
        counter: counts tokens.
        mode: which messages a turn follows: "user" or "each".
        is_provisional: the counter stands in for the right one while that is being loaded.
    """

    scene: Scene
    counter: TokenCounter
    mode: str = USER_TURNS
    is_provisional: bool = False
    turns: list[Turn] = field(default_factory=list)
    """Turns replayed so far; only ever appended to."""

    def __post_init__(self) -> None:
        super().__init__()
        self._gate = Gate()
        self._pictures: Kept[int, Picture] = Kept(KEPT_PICTURES)
        self.simulation = Simulation(self.scene.scenario, self.counter)
        self.steps = turn_steps(self.scene, self.mode)
        self._first: State | None = None
        self.catalogue: Catalogue | None = None
        """Which entry is which; None until `prepare` has run."""
        self._older_catalogue: Catalogue | None = None
        """That of the replay before the edit; mostly it still holds."""
        self._waiting: tuple[Plan, tuple[int, ...]] | None = None
        self._bases: list[Basis] = []
        self._reuses: list[Reuse] | None = None
        """Made by `prepare` from the bases."""
        self._is_inert = False
        """Whether turns leave nothing behind."""
        self._guessed: Picture | None = None
        self._chronicle: Chronicle | None = None
        self.taken_over = 0
        """Turns that were taken from an older replay."""

    @property
    def approximate(self) -> bool:
        """Whether tokens are only about right."""
        return self.is_provisional or self.counter.approximate

    @property
    def complete(self) -> bool:
        """Whether every turn has been replayed."""
        return len(self.turns) == len(self.steps)

    @property
    def is_grown(self) -> bool:
        """Whether turns of an older replay are still there to take over and to guess from: then `look` is quick."""
        return bool(self._bases)

    @property
    def chronicle(self) -> Chronicle:
        """All turns replayed so far at a glance: the grid of entries and turns, and facts about each entry."""
        made = self._chronicle
        if made is None or made.count != len(self.turns):
            made = self._chronicle = Chronicle(self.turns)
        return made

    def counted_by(self, counter: TokenCounter) -> Replay:
        """The same with another way of counting; what is compiled is used again. For workers: it may have to wait."""
        other = Replay(self.scene, counter, self.mode)
        with self._gate.at_once():
            simulation = copy.copy(self.simulation)
            simulation.counter = counter
            other.simulation = simulation
            other.catalogue = self.catalogue
            other._gate = self._gate
        return other

    def after(self, scene: Scene, mode: str | None = None) -> Replay:
        """The replay of a scene that an edit, a setting or another message has made of this one.

        Quick: what takes time is left to `prepare`. This replay stays as it is, and need not have come to its end.

        Args:
            scene: what is simulated now.
            mode: which messages a turn follows; None: as here.
        """
        other = Replay(scene, self.counter, mode or self.mode, self.is_provisional)
        other._gate = self._gate
        other.simulation = grown(self.simulation, scene.scenario)
        own = Basis(self.simulation, tuple(self.turns), self.steps)
        further = [basis for basis in self._bases if len(basis.turns) > len(own.turns)]
        further.sort(key=lambda basis: len(basis.turns), reverse=True)
        other._bases = [own, *further[: MOST_BASES - 1]]
        other._older_catalogue = self.catalogue or self._older_catalogue
        return other

    def prepare(self) -> None:
        """Compile the books, and find out what can be taken over. For workers."""
        with self._gate.at_once():
            plan = self.simulation.plan()
            if self.catalogue is None:
                older = self._older_catalogue
                is_same = older is not None and older.holds(self.scene, plan)
                self.catalogue = older if is_same else Catalogue(self.scene, plan)
                self._older_catalogue = None
                self._is_inert = is_inert(self.simulation)
            if self._reuses is None:
                self._reuses = [basis.against(self.simulation) for basis in self._bases]

    def advance(self) -> Turn:
        """Replay the next turn, or take it over. For workers: whoever wants to look at a turn goes first.

        Raises:
            EngineError: the simulated product would stop here.
            IndexError: every turn has been replayed.
        """
        with self._gate.patiently():
            return self._advance()

    def _advance(self) -> Turn:
        number = len(self.turns)
        turn = self._taken(number) or self._assemble(number)[0]
        self.turns.append(turn)
        self._forget_bases()
        return turn

    def take_over(self) -> int:
        """Take over as many of the next turns as can be without running one; how many are known then."""
        with self._gate.at_once():
            while not self.complete:
                turn = self._taken(len(self.turns))
                if turn is None:
                    break
                self.turns.append(turn)
            self._forget_bases()
            return len(self.turns)

    def picture(self, number: int) -> Picture:
        """A turn in full; the turns before must have been replayed, unless turns leave nothing behind."""
        with self._gate.at_once():
            kept = self._pictures.get(number)
            if kept is not None:
                return kept
            guessed, self._guessed = self._guessed, None
            state = self._state_before(number)
            if guessed is not None and guessed.number == number and same_state(guessed.assembly.before, state):
                return self._pictures.put(number, replace(guessed, settled=True))
            turn, assembly = self._assemble(number)
            return self._pictures.put(number, picture_of(self, turn, assembly))

    def look(self, number: int) -> Picture:
        """A turn in full before the turns before it are replayed: as it is if that can be told, else as it seems.

        Where the turns before have to be run again, it is made from what they left before the edit; then it is not
        `settled`, and `picture` tells later what it really is. Without an older replay the turns before are run.
        """
        self.prepare()
        with self._gate.at_once():
            known = self.take_over()
            if number <= known or self._is_inert:
                return self.picture(number)
            state = next((state for reuse in self._reuses or () if (state := reuse.guess(self.steps[number]))), None)
            if state is None:
                while len(self.turns) < number:
                    self._advance()
                return self.picture(number)
            turn, assembly = self._assemble(number, state)
            self._guessed = picture_of(self, turn, assembly, settled=False)
            return self._guessed

    def kept(self, number: int) -> Picture | None:
        """A turn in full if it has been looked at lately."""
        return self._pictures.get(number)

    def _taken(self, number: int) -> Turn | None:
        """The next turn from an older replay, if it is certain to go the same."""
        if not self._reuses:
            return None
        state = self._state_before(number)
        for reuse in self._reuses:
            turn = reuse.turn(number, self.steps[number], state)
            if turn is not None:
                self.taken_over += 1
                return turn
        return None

    def _forget_bases(self) -> None:
        """Let go of older replays once nothing is left to take over."""
        if self.complete:
            self._bases, self._reuses = [], []

    def _state_before(self, number: int) -> State:
        if self._first is None:
            self._first = self.simulation.initial_state()
        if not number:
            return self._first
        if number > len(self.turns) and self._is_inert:
            return replace(self._first, generated=True)
        return self.turns[number - 1].state

    def _assemble(self, number: int, state: State | None = None) -> tuple[Turn, Assembly]:
        before = state or self._state_before(number)
        began = thread_time()
        assembly = self.simulation.assemble(self.steps[number], before)
        elapsed = (thread_time() - began) * 1000
        return in_short(number, assembly, elapsed, self._waiters(assembly.plan)), assembly

    def _waiters(self, plan: Plan) -> tuple[int, ...]:
        """Entries that a delay or a recursion level can stop without any pass looking at them."""
        if self._waiting is None or self._waiting[0] is not plan:
            listed = tuple(entry.index for entry in plan.entries if entry.gates.delay or entry.gates.level)
            self._waiting = (plan, listed)
        return self._waiting[1]


def turn_steps(scene: Scene, mode: str) -> list[Step]:
    """The turns of a chat; a chat in which nobody spoke has one, before its first message."""
    return steps(scene.scenario, mode) or steps(scene.scenario, None)
