"""Running a turn again with something changed: same state, same random stream, and what came of it.

An entry's running effects are carried over to its changed form, as if it had had that form when they began; a length
that changed counts from their start.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.phases.order import load_order
from lorebook_tui.engine.remedies.changes import (
    MAX_CONTEXT,
    NOTE_INTERVAL,
    EntryChange,
    changed_layers,
    changed_scenario,
    scan_settings,
    setting_values,
)
from lorebook_tui.engine.remedies.varied import VariedPlan, VariedSimulation
from lorebook_tui.engine.timed import TimedState
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.model.js import to_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.engine.remedies.changes import Changes
    from lorebook_tui.engine.verdicts import Verdict
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import Layers
    from lorebook_tui.model.scenario import Scenario, Step

Earlier: TypeAlias = "Callable[[Simulation], Iterable[Assembly]]"
"""Runs the turns before the one that is asked about, with the books and settings of the given simulation."""

_RECOMPILE: Final = frozenset({"delayUntilRecursion", "world_info_case_sensitive", "world_info_match_whole_words"})
"""Fields and settings that more than one entry's compiled form depends on."""
_REORDER: Final = frozenset({"order", "world_info_character_strategy"})
_VARIABLE_ENGINES: Final = frozenset({"sillytavern"})
"""Engines whose plan can be varied; for others the books are compiled anew."""


@dataclass(frozen=True, slots=True)
class SideEffect:
    """Another entry that a change brings into the prompt or takes out of it."""

    index: int
    """Load index in the turn that was asked about."""
    before: Reason
    after: Reason

    @property
    def is_loss(self) -> bool:
        """It was in the prompt and is not any more."""
        return self.before is Reason.IN_PROMPT


@dataclass(frozen=True)
class Trial:
    """A turn that ran with changes."""

    changes: Changes
    assembly: Assembly
    places: Mapping[int, int] | None = field(repr=False, default=None)
    """Load index here of each load index in the turn that was asked about; None: the same."""

    def here(self, index: int) -> int:
        """The load index in this turn."""
        return index if self.places is None else self.places[index]

    def back(self, index: int) -> int:
        """The load index in the turn that was asked about."""
        if self.places is None:
            return index
        return next(old for old, new in self.places.items() if new == index)

    def verdict(self, index: int) -> Verdict:
        """The verdict here about an entry of the turn that was asked about."""
        return verdict(self.assembly, self.here(index))

    def shown(self, index: int) -> int | None:
        """The load index here under which the entry's text is in the prompt: its own, or that of its book's twin."""
        here = self.here(index)
        inside = in_prompt(self.assembly)
        if here in inside:
            return here
        entry = self.assembly.entry(here).entry
        return next((number for number in inside if self.assembly.entry(number).entry is entry), None)

    def is_in(self, index: int) -> bool:
        """Whether the entry's text is in the prompt."""
        return self.shown(index) is not None


def in_prompt(assembly: Assembly) -> set[int]:
    """Load indices of all entries whose text has a place."""
    return {admitted.index for admitted in assembly.admitted if admitted.index not in assembly.nowhere}


class Trials:
    """Runs one turn with changes, each set of changes once.

    Args:
        simulation: made the assembly.
        step: the turn.
        state: what the turns before left.
        assembly: the turn as it is.
    """

    def __init__(self, simulation: Simulation, step: Step, state: State, assembly: Assembly) -> None:
        self.simulation = simulation
        self.state = state
        self.assembly = assembly
        self.count = 0
        """Turns that were run."""
        self._layers = assembly.state.layers or simulation.scenario.layers
        self._step = replace(step, settings=None, layers=None)
        self._known: dict[str, Trial] = {}

    def run(self, changes: Changes) -> Trial:
        """The turn with changes."""
        if not changes:
            return Trial((), self.assembly)
        key = repr(sorted(map(repr, changes)))
        known = self._known.get(key)
        if known is None:
            self.count += 1
            known = self._known[key] = self._run(changes, None)
        return known

    def replayed(self, changes: Changes, earlier: Earlier) -> Trial:
        """The turn with changes that were made before the first turn."""
        return self._run(changes, earlier)

    def side_effects(self, trial: Trial, index: int) -> tuple[SideEffect, ...]:
        """Who else came in or went out; of entries in a book that is loaded twice, the first stands for both."""
        back = None if trial.places is None else {new: old for old, new in trial.places.items()}
        before = {self.first(number) for number in in_prompt(self.assembly)}
        after = {self.first(number if back is None else back[number]) for number in in_prompt(trial.assembly)}
        return tuple(
            SideEffect(
                other,
                Reason.IN_PROMPT if other in before else verdict(self.assembly, other).reason,
                Reason.IN_PROMPT if other in after else trial.verdict(other).reason,
            )
            for other in sorted((before ^ after) - {self.first(index)})
        )

    def first(self, index: int) -> int:
        """The load index of the first occurrence of the same entry."""
        return self._firsts[id(self.assembly.entry(index).entry)]

    @cached_property
    def _firsts(self) -> dict[int, int]:
        firsts: dict[int, int] = {}
        for compiled in self.assembly.plan.entries:
            firsts.setdefault(id(compiled.entry), compiled.index)
        return firsts

    def history_matters(self, trial: Trial) -> bool:
        """Whether a trial could come out otherwise with its changes made before the first turn.

        Earlier turns leave timed effects, draws and variables: those that there are, and those that the changes bring.
        """
        state, made = self.state, trial.assembly
        entries = (*self.assembly.plan.entries, *made.plan.entries)
        timed = state.timed.sticky or state.timed.cooldown or any(each.has_timed_effects for each in entries)
        drawn = made.draws or self.assembly.draws or state.random != self.simulation.initial_state().random
        variables = state.local or state.globals or made.state.local or made.state.globals
        return bool(timed or variables or (drawn and not self.simulation.scenario.random.per_turn))

    def _run(self, changes: Changes, earlier: Earlier | None) -> Trial:
        base, scenario = self.assembly.plan, self.simulation.scenario
        values = setting_values(changes)
        settings = scan_settings(base.settings, values)
        by_index = self._swapped(changes)
        by_object = {id(base.entries[index].entry): entry for index, entry in by_index.items()}
        touched = {change.field if isinstance(change, EntryChange) else change.name for change in changes}
        recompiles = scenario.engine not in _VARIABLE_ENGINES or bool(touched & _RECOMPILE)
        reorders = bool(touched & _REORDER)
        layers = self._layers
        if recompiles or reorders or earlier is not None or NOTE_INTERVAL in values:
            layers = changed_layers(layers, by_object)
            scenario = changed_scenario(scenario, layers, settings, by_object, values)
        places: dict[int, int] | None = None
        simulation: Simulation
        if recompiles:
            simulation = Simulation(scenario, self.simulation.counter)
            places = _places(base, simulation.plan(), by_object)
        else:
            plan = VariedPlan(base, by_index, settings)
            if reorders:
                places = plan.reordered(load_order(_used(layers, scenario), settings.world_info_character_strategy)[0])
            simulation = VariedSimulation(self.simulation, scenario, plan)
        if earlier is None:
            timed = self._rebound(simulation.plan(), by_index, places)
            state = replace(self.state, timed=timed, layers=None, settings=None)
        else:
            state = simulation.initial_state()
            for assembly in earlier(simulation):
                state = assembly.state
        step = replace(self._step, max_context=values.get(MAX_CONTEXT, self._step.max_context))
        return Trial(changes, simulation.assemble(step, state), places)

    def _swapped(self, changes: Changes) -> dict[int, Entry]:
        """The changed entries by load index; an entry of a book that is loaded twice changes in both places."""
        entries = self.assembly.plan.entries
        found: dict[int, Entry] = {}
        for change in changes:
            if not isinstance(change, EntryChange):
                continue
            old = entries[change.index].entry
            entry = found.get(change.index, old)
            new = replace(entry, fields={**entry.fields, change.field: change.new})
            found |= {twin.index: new for twin in entries if twin.entry is old}
        return found

    def _rebound(self, plan: Plan, by_index: Mapping[int, Entry], places: Mapping[int, int] | None) -> TimedState:
        """The running effects, those of changed entries tied to what became of them."""
        timed = self.state.timed
        sticky, cooldown = dict(timed.sticky), dict(timed.cooldown)
        for index, entry in by_index.items():
            old = self.assembly.plan.entries[index]
            new = plan.entries[index if places is None else places[index]]
            for kind, effects in (("sticky", sticky), ("cooldown", cooldown)):
                effect = effects.get(old.identity)
                if effect is None or effect.fingerprint != old.fingerprint:
                    continue
                end = effect.end
                if entry.get(kind) != old.entry.get(kind):
                    end = effect.start + to_number(entry.get(kind))
                effects[old.identity] = replace(effect, fingerprint=new.fingerprint, end=end)
        return TimedState(sticky, cooldown)


def _used(layers: Layers, scenario: Scenario) -> Layers:
    """The layers as the scan reads them: a speaker with books of its own brings these."""
    speaker = scenario.cast.speaker
    return replace(layers, character=speaker.books) if speaker and speaker.books else layers


def _places(base: Plan, plan: Plan, by_object: Mapping[int, Entry]) -> dict[int, int]:
    """Where the entries of one plan stand in another, compiled anew from books with some entries swapped."""
    waiting: dict[tuple[int, str], list[int]] = {}
    for compiled in reversed(plan.entries):
        waiting.setdefault((id(compiled.entry), compiled.book), []).append(compiled.index)
    return {
        compiled.index: waiting[id(by_object.get(id(compiled.entry), compiled.entry)), compiled.book].pop()
        for compiled in base.entries
    }
