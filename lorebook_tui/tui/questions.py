"""What can be asked of a replayed turn: reasons, remedies, odds, near misses, the prompt, and what a message would do.

Safe to call from worker threads. What runs a turn many times holds no lock, so that nothing waits for it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from lorebook_tui.engine.chat_hits import keys_in_chat
from lorebook_tui.engine.evidence import evidence
from lorebook_tui.engine.explain import explain
from lorebook_tui.engine.trace import Outcome
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.errors import EngineError
from lorebook_tui.tui.proposals import Remedies, offer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lorebook_tui.engine.assemble import Assembly, Simulation
    from lorebook_tui.engine.chat_hits import KeyInChat
    from lorebook_tui.engine.explain import Explanation
    from lorebook_tui.engine.odds import EntryOdds, TurnOdds
    from lorebook_tui.engine.prompt.views import PromptView
    from lorebook_tui.engine.remedies import Margin
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.model.scenario import Step
    from lorebook_tui.tui.pictures import Picture, Turn
    from lorebook_tui.tui.scene import Catalogue, Scene

T = TypeVar("T")
K = TypeVar("K")

KEPT_PICTURES: Final = 64
KEPT_EXPLANATIONS: Final = 256
MOST_WAYS: Final = 128
"""Ways for the dice of a turn to fall that are run through for the screen; beyond them odds are estimated."""
RUNS: Final = 200
"""Throws of the dice of a turn where its odds are estimated."""
_NEAR_WINDOW: Final = 2
"""A key that stands this many messages beyond the window has nearly hit."""


class Kept(Generic[K, T]):
    """So many answers, the oldest forgotten first; safe to share between threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: dict[K, T] = {}
        self._lock = threading.Lock()

    def get(self, key: K) -> T | None:
        """An answer if it is still known."""
        return self._found.get(key)

    def put(self, key: K, value: T) -> T:
        """Remember an answer."""
        with self._lock:
            self._found.pop(key, None)
            while len(self._found) >= self._most:
                del self._found[next(iter(self._found))]
            self._found[key] = value
        return value


@dataclass(frozen=True, slots=True)
class Prospect:
    """How safe or likely an entry is at a turn."""

    index: int
    """Load index."""
    odds: EntryOdds
    why_estimated: str
    """Why the odds are estimated; "": they are exact."""
    margin: Margin | None = None
    """What it could lose before it is out; None: it is not in, or not worked out yet."""


class Questions:
    """The part of a replay that answers; what it needs is the replay's."""

    scene: Scene
    simulation: Simulation
    steps: list[Step]
    turns: list[Turn]
    catalogue: Catalogue | None

    def __init__(self) -> None:
        self._explanations: Kept[tuple[int, int], Explanation] = Kept(KEPT_EXPLANATIONS)
        self._remedies: Kept[tuple[int, int], Remedies] = Kept(KEPT_EXPLANATIONS)
        self._prompts: Kept[int, PromptView] = Kept(KEPT_PICTURES)
        self._odds: Kept[int, TurnOdds] = Kept(KEPT_PICTURES)
        self._margins: Kept[tuple[int, int], Margin] = Kept(KEPT_EXPLANATIONS)

    def explain(self, picture: Picture, index: int) -> Explanation:
        """Why an entry is in or out at a turn."""
        made = explain(picture.assembly, index)
        return self._explanations.put((picture.number, index), made) if picture.settled else made

    def explained(self, picture: Picture, index: int | None) -> Explanation | None:
        """The same if it was asked lately."""
        if index is None or not picture.settled:
            return None
        return self._explanations.get((picture.number, index))

    def remedies(self, picture: Picture, index: int) -> Remedies:
        """What would bring an entry in, or how safely it is in. For workers: it runs the turn many times."""
        kept = self._remedies.get((picture.number, index)) if picture.settled else None
        if kept is not None:
            return kept
        from lorebook_tui.engine.remedies import proposals  # noqa: PLC0415 - only where somebody looks

        safe = self.margin(picture, index)
        if safe:
            made = Remedies("How safe it is", safe.sentences, margin=safe)
        else:
            step, assembly = self.steps[picture.number], picture.assembly
            found = proposals(self.simulation, step, assembly.before, assembly, index)
            offers = tuple(offer_of(proposal, self._ref_of) for proposal in found)
            made = Remedies("What would change it", tuple(offer.sentence for offer in offers), offers)
        return self._remedies.put((picture.number, index), made) if picture.settled else made

    def margin(self, picture: Picture, index: int) -> Margin | None:
        """What an entry could lose before it is out; None: it is not in. For workers: it runs the turn many times."""
        kept = self._margins.get((picture.number, index)) if picture.settled else None
        if kept is not None:
            return kept
        from lorebook_tui.engine.remedies import margin  # noqa: PLC0415 - only where somebody looks

        assembly = picture.assembly
        made = margin(self.simulation, self.steps[picture.number], assembly.before, assembly, index)
        return self._margins.put((picture.number, index), made) if made and picture.settled else made

    def odds(self, picture: Picture) -> TurnOdds:
        """The chances of all entries at a turn, given what the turns before left. For workers.

        Exact where the dice can fall in few ways, else estimated from a number of throws.
        """
        made = self._worked_out(picture, lambda: False)
        assert made is not None  # noqa: S101 - nobody broke it off
        return made

    def _worked_out(self, picture: Picture, is_unwanted: Callable[[], bool]) -> TurnOdds | None:
        """The chances at a turn; None if somebody wanted them no more while dice were thrown."""
        kept = self._odds.get(picture.number) if picture.settled else None
        if kept is not None:
            return kept
        from lorebook_tui.engine import odds  # noqa: PLC0415 - only where somebody looks
        from lorebook_tui.engine.draw_tree import InexactError  # noqa: PLC0415 - as above
        from lorebook_tui.engine.reseeded import Reseeded  # noqa: PLC0415 - as above

        step, state = self.steps[picture.number], picture.assembly.before
        try:
            made = odds.exact_turn(Reseeded(self.simulation), step, state, MOST_WAYS)
        except InexactError as reason:
            seeds = takewhile(lambda _: not is_unwanted(), range(RUNS))
            tally = odds.sampled_turn(Reseeded(self.simulation), step, state, seeds)
            if tally.total < RUNS:
                return None
            made = odds.turn_odds(step.upto, tally, runs=RUNS, why_estimated=str(reason))
        return self._odds.put(picture.number, made) if picture.settled else made

    def prospects(
        self, picture: Picture, indices: Iterable[int], is_unwanted: Callable[[], bool] = lambda: False
    ) -> Iterator[Prospect]:
        """Odds of entries, then the same with margins for those that are in: the cheap ones first. For workers.

        Args:
            picture: the turn.
            indices: load indices of the entries in sight.
            is_unwanted: asked before each longer piece of work.
        """
        if picture.assembly.error or is_unwanted():
            return
        wanted = list(dict.fromkeys(indices))
        chances = self._worked_out(picture, is_unwanted)
        if chances is None:
            return
        for index in wanted:
            yield Prospect(index, chances.of(index), chances.why_estimated)
        inside = [index for index in wanted if index in picture.assembly.places]
        inside.sort(key=lambda index: len(picture.assembly.entry(index).keys))
        for index in inside:
            if is_unwanted():
                return
            yield Prospect(index, chances.of(index), chances.why_estimated, self.margin(picture, index))

    def prompt(self, picture: Picture) -> PromptView:
        """The assembled prompt of a turn.

        Raises:
            LorebookError: the scan stopped, or a setting of the prompt makes no sense.
        """
        kept = self._prompts.get(picture.number) if picture.settled else None
        if kept is not None:
            return kept
        from lorebook_tui.engine.prompt import assemble_prompt  # noqa: PLC0415 - only where a prompt is looked at
        from lorebook_tui.engine.prompt.views import prompt_view  # noqa: PLC0415 - as above

        if picture.assembly.error:
            raise EngineError(picture.assembly.error)
        view = prompt_view(assemble_prompt(self.simulation, picture.assembly, self.scene.prompt_settings))
        return self._prompts.put(picture.number, view) if picture.settled else view

    def is_near(self, picture: Picture, index: int) -> bool:
        """Whether a key of an entry that is out nearly matched: close to a hit, or just beyond the window."""
        return _is_near(picture.assembly, index)

    def near_at(self, number: int, indices: Iterable[int]) -> frozenset[int]:
        """Which of some entries a key nearly matched at a turn, for the grid. For workers: the turn is run again.

        Args:
            number: of a turn that is replayed already, counted from 0.
            indices: load indices.
        """
        assembly = self.simulation.assemble(self.steps[number], self.turns[number].trail.before)
        return frozenset(index for index in indices if _is_near(assembly, index))

    def keys_in_chat(self, entry: Entry, name: str = "key") -> tuple[KeyInChat, ...]:
        """Which messages hold which key of an entry, as it stands in a book or in a form. For workers: patterns run.

        Args:
            entry: has the keys, and its options for case and whole words.
            name: `key` or `keysecondary`.
        """
        names = self.simulation.scenario.settings.world_info_include_names
        return keys_in_chat(self.simulation.plan(), self.simulation.chat(include_names=names), entry, name)

    def _ref_of(self, index: int) -> EntryRef | None:
        return self.catalogue.ref(index) if self.catalogue else None


def _is_near(assembly: Assembly, index: int) -> bool:
    """Whether a key of an entry that is out stands close to a hit, or just beyond the window."""
    if verdict(assembly, index).outcome is not Outcome.OUT:
        return False
    proof = evidence(assembly, index)
    oldest = min(assembly.turn.newest_numbers(int(proof.window_depth) + _NEAR_WINDOW), default=0)
    return any(
        near.kind != "outside_window" or (near.message is not None and near.message >= oldest)
        for finding in proof.keys
        for near in finding.near
    )
