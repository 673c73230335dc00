"""The simulation behind the screen: turns replayed once, kept in short, and assembled again in full when looked at.

Safe to call from worker threads: the engine's caches are behind one lock, what is handed out is frozen.
"""

from __future__ import annotations

import copy
import threading
from dataclasses import dataclass, field
from time import thread_time
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.assemble import Simulation, steps
from lorebook_tui.engine.evidence import evidence
from lorebook_tui.engine.explain import explain
from lorebook_tui.engine.trace import Outcome
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.errors import EngineError
from lorebook_tui.tui.pictures import Picture, Turn, in_short, picture_of
from lorebook_tui.tui.scene import USER_TURNS, Catalogue

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.engine.explain import Explanation
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.engine.prompt.views import PromptView
    from lorebook_tui.model.scenario import Step
    from lorebook_tui.tokens.base import TokenCounter
    from lorebook_tui.tui.scene import Scene

__all__ = ["KEPT_EXPLANATIONS", "KEPT_PICTURES", "Picture", "Remedies", "Replay", "Turn", "turn_steps"]

KEPT_PICTURES: Final = 64
KEPT_EXPLANATIONS: Final = 256
_NEAR_WINDOW = 2
"""A key that stands this many messages beyond the window has nearly hit."""


@dataclass(frozen=True, slots=True)
class Remedies:
    """What would change a verdict, in words. Sentences may quote foreign text."""

    heading: str
    sentences: tuple[str, ...]


@dataclass
class Replay:
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
        self._lock = threading.Lock()
        self._pictures: dict[int, Picture] = {}
        self._explanations: dict[tuple[int, int], Explanation] = {}
        self._remedies: dict[tuple[int, int], Remedies] = {}
        self._prompts: dict[int, PromptView] = {}
        self.simulation = Simulation(self.scene.scenario, self.counter)
        self.steps = turn_steps(self.scene, self.mode)
        self._first: State | None = None
        self.catalogue: Catalogue | None = None
        """Which entry is which; None until `prepare` has run."""
        self._waiting: tuple[Plan, tuple[int, ...]] | None = None

    @property
    def approximate(self) -> bool:
        """Whether tokens are only about right."""
        return self.is_provisional or self.counter.approximate

    @property
    def complete(self) -> bool:
        """Whether every turn has been replayed."""
        return len(self.turns) == len(self.steps)

    def counted_by(self, counter: TokenCounter) -> Replay:
        """The same with another way of counting; what is compiled is used again. For workers: it may have to wait."""
        other = Replay(self.scene, counter, self.mode)
        with self._lock:
            simulation = copy.copy(self.simulation)
            simulation.counter = counter
            other.simulation = simulation
            other.catalogue = self.catalogue
            other._lock = self._lock
        return other

    def prepare(self) -> None:
        """Compile the books. For workers."""
        with self._lock:
            if self.catalogue is None:
                self.catalogue = Catalogue(self.scene, self.simulation.plan())

    def advance(self) -> Turn:
        """Replay the next turn.

        Raises:
            EngineError: the simulated product would stop here.
            IndexError: every turn has been replayed.
        """
        number = len(self.turns)
        turn, _ = self._assemble(number)
        self.turns.append(turn)
        return turn

    def picture(self, number: int) -> Picture:
        """A turn in full; the turns before must have been replayed."""
        kept = self._pictures.get(number)
        if kept is not None:
            return kept
        turn, assembly = self._assemble(number)
        with self._lock:
            made = picture_of(self, turn, assembly)
            while len(self._pictures) >= KEPT_PICTURES:
                del self._pictures[next(iter(self._pictures))]
            self._pictures[number] = made
        return made

    def kept(self, number: int) -> Picture | None:
        """A turn in full if it has been looked at lately."""
        return self._pictures.get(number)

    def explain(self, picture: Picture, index: int) -> Explanation:
        """Why an entry is in or out at a turn."""
        with self._lock:
            made = explain(picture.assembly, index)
            while len(self._explanations) >= KEPT_EXPLANATIONS:
                del self._explanations[next(iter(self._explanations))]
            self._explanations[picture.number, index] = made
        return made

    def remedies(self, picture: Picture, index: int) -> Remedies:
        """What would bring an entry in, or how safely it is in. For workers: it runs the turn many times."""
        kept = self._remedies.get((picture.number, index))
        if kept is not None:
            return kept
        from lorebook_tui.engine.remedies import margin, proposals  # noqa: PLC0415 - only where somebody looks

        step, assembly = self.steps[picture.number], picture.assembly
        with self._lock:
            state = self.turns[picture.number - 1].state if picture.number else self.simulation.initial_state()
            safe = margin(self.simulation, step, state, assembly, index)
            found = () if safe else proposals(self.simulation, step, state, assembly, index)
        sentences = safe.sentences if safe else tuple(proposal.sentence for proposal in found)
        made = Remedies("How safe it is" if safe else "What would change it", sentences)
        while len(self._remedies) >= KEPT_EXPLANATIONS:
            del self._remedies[next(iter(self._remedies))]
        self._remedies[picture.number, index] = made
        return made

    def explained(self, picture: Picture, index: int | None) -> Explanation | None:
        """The same if it was asked lately."""
        return self._explanations.get((picture.number, index)) if index is not None else None

    def prompt(self, picture: Picture) -> PromptView:
        """The assembled prompt of a turn.

        Raises:
            LorebookError: the scan stopped, or a setting of the prompt makes no sense.
        """
        kept = self._prompts.get(picture.number)
        if kept is not None:
            return kept
        from lorebook_tui.engine.prompt import assemble_prompt  # noqa: PLC0415 - only where a prompt is looked at
        from lorebook_tui.engine.prompt.views import prompt_view  # noqa: PLC0415 - as above

        if picture.assembly.error:
            raise EngineError(picture.assembly.error)
        settings = self.scene.prompt_settings
        with self._lock:
            view = prompt_view(assemble_prompt(self.simulation, picture.assembly, settings))
            while len(self._prompts) >= KEPT_PICTURES:
                del self._prompts[next(iter(self._prompts))]
            self._prompts[picture.number] = view
        return view

    def is_near(self, picture: Picture, index: int) -> bool:
        """Whether a key of an entry that is out nearly matched: close to a hit, or just beyond the window."""
        assembly = picture.assembly
        with self._lock:
            if verdict(assembly, index).outcome is not Outcome.OUT:
                return False
            proof = evidence(assembly, index)
            oldest = min(assembly.turn.newest_numbers(int(proof.window_depth) + _NEAR_WINDOW), default=0)
        return any(
            near.kind != "outside_window" or (near.message is not None and near.message >= oldest)
            for finding in proof.keys
            for near in finding.near
        )

    def _assemble(self, number: int) -> tuple[Turn, Assembly]:
        step = self.steps[number]
        with self._lock:
            if self._first is None:
                self._first = self.simulation.initial_state()
            state = self.turns[number - 1].state if number else self._first
            began = thread_time()
            assembly = self.simulation.assemble(step, state)
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
