"""A plan and a simulation that differ from others in a few values and share everything else with them.

To ask "what if" dozens of times, a turn must not cost the compilation of all books each time: only changed entries are
compiled. Those with other keys or another window are kept apart from the index of literals and judged in every pass;
moved entries are renumbered.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.compiled_entry import CompiledEntry
from lorebook_tui.engine.inputs import TurnBuilder
from lorebook_tui.engine.keys import KeyReader, PatternKey, PlainKey
from lorebook_tui.engine.plan import Plan, Window
from lorebook_tui.matching.index import HitIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.engine.assemble import State
    from lorebook_tui.engine.keys import Key
    from lorebook_tui.engine.phases.order import Loaded
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.scenario import Scenario
    from lorebook_tui.model.settings import ScanSettings

APART = -1


class _NoIndex(HitIndex):
    """Takes no literal in, so that the shared index stays as it is."""

    __slots__ = ()

    def register(self, literal: str, *, case_sensitive: bool, whole_word: bool) -> int:  # noqa: ARG002 - its protocol
        return APART


class _ReaderApart(KeyReader):
    """Reads keys that are looked for in the whole text of a window instead of in the index."""

    def read(self, raw: str, *, case_sensitive: bool, whole_words: bool) -> Key:
        key = super().read(raw, case_sensitive=case_sensitive, whole_words=whole_words)
        if isinstance(key, PlainKey):
            return key._replace(crosses=True)
        return replace(key, gates=None) if isinstance(key, PatternKey) else key


class VariedPlan(Plan):
    """A plan with some entries and settings changed, everything else shared with the plan it came from.

    Args:
        base: the compiled plan; stays as it is.
        swapped: changed entries by load index. Their delay levels must be those of the old ones.
        settings: the settings in force; those of case and whole words must be the base's.
    """

    def __init__(self, base: Plan, swapped: Mapping[int, Entry], settings: ScanSettings) -> None:
        vars(self).update(vars(base))
        vars(self).pop("_by_identity", None)
        self.settings = settings
        self.keys = _ReaderApart(_NoIndex(), base.keys.resolve, dynamic=base.keys.dynamic)
        self.windows = list(base.windows)
        self._window_numbers = {(window.depth, window.sources): place for place, window in enumerate(base.windows)}
        self.entries = list(base.entries)
        self.always = list(base.always)
        self.profiles = dict(base.profiles)
        self._replaced: CompiledEntry | None = None
        for index, entry in swapped.items():
            old = self._replaced = base.entries[index]
            new = CompiledEntry(index, entry, old.layer, old.book, self)
            self.entries[index] = new
            self.profiles[old.gates] -= 1
            self.profiles[new.gates] = self.profiles.get(new.gates, 0) + 1
            if not new.gates.closed and not _woken_alike(old, new):
                self.always.append(index)
        self._replaced = None

    def read_keys(self, entry: Entry, name: str) -> tuple[Key, ...]:
        """The keys of a list field: those of the replaced entry if they are read in the same way."""
        old = self._replaced
        if old is not None and all(
            entry.get(field) is old.entry.get(field) for field in (name, "caseSensitive", "matchWholeWords")
        ):
            keys = old.keys if name == "key" else old.secondary
            if keys:
                return keys
        return super().read_keys(entry, name)

    def reordered(self, loaded: Iterable[Loaded]) -> dict[int, int]:
        """Put the entries into another load order.

        Args:
            loaded: the very entries of this plan, sorted anew.

        Returns:
            The new load index of each old one.
        """
        waiting: dict[tuple[int, str], list[CompiledEntry]] = {}
        for compiled in reversed(self.entries):
            waiting.setdefault((id(compiled.entry), compiled.book), []).append(compiled)
        places: dict[int, int] = {}
        entries: list[CompiledEntry] = []
        for number, (_, book, entry) in enumerate(loaded):
            compiled = waiting[id(entry), book].pop()
            places[compiled.index] = number
            if compiled.index != number:
                compiled = copy.copy(compiled)
                compiled.index = number
            entries.append(compiled)
        self.entries = entries
        self.always = [places[index] for index in self.always]
        self.windows = [_moved(window, places) for window in self.windows]
        vars(self).pop("_by_identity", None)
        return places


def _woken_alike(old: CompiledEntry, new: CompiledEntry) -> bool:
    """Whether what made the old entry a candidate does the same for the new one."""
    return (
        not old.gates.closed
        and new.keys is old.keys
        and (new.window, new.constant, new.activates) == (old.window, old.constant, old.activates)
    )


def _moved(window: Window, places: Mapping[int, int]) -> Window:
    return Window(
        window.depth,
        window.sources,
        {literal: places[index] for literal, index in window.first.items()},
        {literal: [places[index] for index in indices] for literal, indices in window.further.items()},
    )


class VariedSimulation(Simulation):
    """A simulation that runs on a given plan.

    Args:
        base: gives everything that is not changed.
        scenario: the changed scenario.
        plan: its plan; the steps must leave books and settings alone.
    """

    def __init__(self, base: Simulation, scenario: Scenario, plan: Plan) -> None:
        vars(self).update(vars(base))
        self._varied = plan
        if scenario is not base.scenario:
            self.scenario = scenario
            self.builder = TurnBuilder(scenario)

    def plan(self, state: State | None = None) -> Plan:  # noqa: ARG002 - the one plan serves every state
        """The given plan."""
        return self._varied
