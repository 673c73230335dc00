"""A simulation made from another one whose scenario was a little different: what is compiled is used again.

Entries whose fields object is the same keep their compiled form, literals their numbers and texts their hits; only what
an edit made new is compiled. Nothing of the older simulation changes.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.plan import Plan, Window

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.matching.index import HitIndex
    from lorebook_tui.model.cast import Cast, Character
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import Layer, Layers
    from lorebook_tui.model.scenario import Scenario
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.tokens.base import TokenCounter


MOST_WINDOWS: Final = 256
"""Windows that were ever needed, after which the books are compiled anew."""


def same_value(left: Any, right: Any) -> bool:
    """Whether two values are the same to macros and scans too, to which 1, 1.0 and true are three."""
    return left is right or (left == right and repr(left) == repr(right))


def same_names(left: Scenario, right: Scenario) -> bool:
    """Whether keys and character filters read the same: the same people, and macros that give the same names."""
    return (
        without_books(left.cast) == without_books(right.cast)
        and same_value(left.transcript.metadata, right.transcript.metadata)
        and left.transcript.name == right.transcript.name
        and left.macro_engine == right.macro_engine
        and same_value(left.macro_texts, right.macro_texts)
        and left.example_format == right.example_format
        and left.unread_fields == right.unread_fields
        and left.collapse_newlines == right.collapse_newlines
    )


def without_books(cast: Cast) -> Cast:
    """The cast without the books of its cards: these are lore, and compared as such."""

    def bare(card: Character) -> Character:
        return replace(card, books=()) if card.books else card

    return replace(
        cast,
        character=bare(cast.character) if cast.character else None,
        group=replace(cast.group, members=tuple(map(bare, cast.group.members))) if cast.group else None,
    )


class GrownPlan(Plan):
    """A plan in which entries that another plan has are not compiled again.

    Args:
        base: the other plan; takes no literals in from now on.
        layers: the books.
        settings: in force now; those of case and whole words must be the base's.
        speaker: must be the same to character filters as the base's.
        resolve: must give the base's names.
        dynamic: as in the base.
    """

    def __init__(
        self,
        base: Plan,
        layers: Layers,
        settings: ScanSettings,
        speaker: Character | None,
        resolve: Callable[[str], str | None],
        *,
        dynamic: bool = False,
    ) -> None:
        self._index = base.index.fork()
        self._ready: dict[tuple[int, str], list[CompiledEntry]] = {}
        for compiled in reversed(base.entries):
            self._ready.setdefault((id(compiled.entry.fields), compiled.book), []).append(compiled)
        self._base_windows = base.windows
        super().__init__(layers, settings, speaker, resolve, dynamic=dynamic)
        del self._ready, self._index, self._base_windows
        self._drop_windows()

    def _new_index(self) -> HitIndex:
        return self._index

    def _first_windows(self) -> list[Window]:
        return [Window(window.depth, window.sources) for window in self._base_windows]

    def _compiled(self, number: int, entry: Entry, layer: Layer, book: str) -> CompiledEntry:
        waiting = self._ready.get((id(entry.fields), book))
        if not waiting:
            return super()._compiled(number, entry, layer, book)
        ready = waiting.pop()
        if ready.index != number or ready.entry is not entry or ready.layer is not layer:
            ready = copy.copy(ready)
            ready.index, ready.entry, ready.layer = number, entry, layer
        return ready

    def _drop_windows(self) -> None:
        """Make windows that no entry has any more see nothing special; their numbers stay taken."""
        used = {compiled.window for compiled in self.entries}
        for number, window in enumerate(self.windows):
            if number not in used:
                self._window_numbers.pop((window.depth, window.sources), None)
                self.windows[number] = Window(window.depth, ())


def can_grow(base: Simulation, scenario: Scenario) -> bool:
    """Whether compiled entries of a simulation serve another scenario.

    Forced entries are compiled while turns run, into the same index of literals: then they do not.
    """
    old = base.scenario
    return (
        old.engine == scenario.engine
        and not old.forced
        and old.settings.world_info_case_sensitive == scenario.settings.world_info_case_sensitive
        and old.settings.world_info_match_whole_words == scenario.settings.world_info_match_whole_words
        and same_names(old, scenario)
    )


class GrownSimulation(Simulation):
    """A simulation that compiles what another one has not compiled yet.

    Args:
        base: the other one; its steps leave books and settings alone.
        scenario: what is simulated now.
        counter: counts tokens.
    """

    def __init__(self, base: Simulation, scenario: Scenario, counter: TokenCounter) -> None:
        super().__init__(scenario, counter)
        self.grows_from: Simulation | None = base if can_grow(base, scenario) else None
        """The other one, until something is compiled."""
        old = base.scenario
        if self.grows_from and scenario.layers is old.layers and _same_books(scenario.cast, old.cast):
            self._plans = dict(base._plans)  # noqa: SLF001 - of its own kind
        if scenario.transcript is old.transcript and without_books(scenario.cast) == without_books(old.cast):
            self._chats = base._chats  # noqa: SLF001 - of its own kind

    def _compiled(self, layers: Layers, settings: ScanSettings) -> Plan:
        base, self.grows_from = self.grows_from, None
        plan = base.plan() if base is not None else None
        if plan is None or settings is not self.scenario.settings or len(plan.windows) > MOST_WINDOWS:
            return super()._compiled(layers, settings)
        speaker = self.scenario.cast.speaker
        return GrownPlan(plan, layers, settings, speaker, self.builder.resolve, dynamic=self.builder.acts)


def _same_books(left: Cast, right: Cast) -> bool:
    """Whether the speaker brings the same books."""
    mine, theirs = left.speaker, right.speaker
    return (mine.books if mine else ()) is (theirs.books if theirs else ()) or mine is theirs


def grown(base: Simulation, scenario: Scenario, counter: TokenCounter | None = None) -> Simulation:
    """A simulation of another scenario that uses again what a simulation has compiled.

    Args:
        base: stays as it is; compiles its own plan if it has not yet.
        scenario: mostly the same with another entry, setting or message.
        counter: counts tokens; None: as the base does.
    """
    counter = counter or base.counter
    while isinstance(base, GrownSimulation) and base.grows_from is not None:
        base = base.grows_from
    return GrownSimulation(base, scenario, counter)
