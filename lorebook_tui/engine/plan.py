"""What can be worked out before any turn: entries merged and sorted, keys numbered, gates that never change.

A plan is valid for one set of books, settings and cast; it is reused for every turn until one of these changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lorebook_tui.display import quote
from lorebook_tui.engine.compiled_entry import CompiledEntry
from lorebook_tui.engine.gates import Card
from lorebook_tui.engine.keys import EmptyKey, KeyReader, PatternKey, PlainKey
from lorebook_tui.engine.phases.order import load_order, sorted_as_numbers
from lorebook_tui.matching.index import HitIndex
from lorebook_tui.model.js import MISSING, nullish, same, text_of, to_number, truthy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lorebook_tui.engine.gates import Gates
    from lorebook_tui.engine.keys import Key
    from lorebook_tui.engine.phases.order import Loaded
    from lorebook_tui.model.cast import Character
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import Layer, Layers
    from lorebook_tui.model.scenario import ForcedEntry
    from lorebook_tui.model.settings import ScanSettings

SOURCES = (
    ("matchPersonaDescription", "personaDescription"),
    ("matchCharacterDescription", "characterDescription"),
    ("matchCharacterPersonality", "characterPersonality"),
    ("matchCharacterDepthPrompt", "characterDepthPrompt"),
    ("matchScenario", "scenario"),
    ("matchCreatorNotes", "creatorNotes"),
)
"""Entry flags and the extra texts they add to the scan, in buffer order."""

_SOURCE_FLAGS = tuple((flag, number) for number, (flag, _) in enumerate(SOURCES))


@dataclass(slots=True)
class Window:
    """Entries that see the same text: the same own scan depth and the same extra sources."""

    depth: float | None
    """The entry's own depth in messages; None: the global one."""
    sources: tuple[int, ...]
    """Indices into `SOURCES`."""
    first: dict[int, int] = field(default_factory=dict)
    """Literal number to the load index of the first entry it may wake: mostly the only one."""
    further: dict[int, list[int]] = field(default_factory=dict)
    """Literal number to the load indices of the others."""

    def wake(self, literal: int, index: int) -> None:
        """Note that a literal may make an entry a candidate."""
        if self.first.setdefault(literal, index) != index:
            self.further.setdefault(literal, []).append(index)

    def woken(self, literals: Iterable[int]) -> Iterator[int]:
        """Load indices of the entries that any of the literals may wake, some of them repeatedly."""
        for literal in literals:
            index = self.first.get(literal)
            if index is not None:
                yield index
                if self.further:
                    yield from self.further.get(literal, ())


class Plan:
    """Everything about books, settings and cast that turns share.

    Attributes:
        entries: all loaded entries in load order.
        skipped: books that another layer holds already.
        load_error: why no entry could be loaded at all, or "".
        windows: the distinct scan windows.
        always: load indices to judge in every pass, whatever the text says.
        profiles: number of entries per `Gates`.
        faulty: entries at whose character filter the program breaks off.
    """

    def __init__(
        self,
        layers: Layers,
        settings: ScanSettings,
        speaker: Character | None,
        resolve: Callable[[str], str | None],
        *,
        dynamic: bool = False,
    ) -> None:
        self.settings = settings
        self.speaker = speaker
        self.index = self._new_index()
        self.keys = KeyReader(self.index, resolve, dynamic=dynamic)
        self.windows = self._first_windows()
        self._window_numbers = {(window.depth, window.sources): place for place, window in enumerate(self.windows)}
        self.card = Card.of(speaker)
        loaded, self.skipped = load_order(layers, settings.world_info_character_strategy)
        self.entries: list[CompiledEntry] = []
        self.load_error = _load_error(loaded)
        if self.load_error:
            loaded = []
        for number, (layer, book, entry) in enumerate(loaded):
            self.entries.append(self._compiled(number, entry, layer, book))
        self.levels = _levels(self.entries)
        self.always: list[int] = []
        self.profiles: dict[Gates, int] = {}
        self.faulty = [compiled for compiled in self.entries if compiled.gates.faulty_filter]
        for compiled in self.entries:
            self.profiles[compiled.gates] = self.profiles.get(compiled.gates, 0) + 1
            if not compiled.gates.closed:
                self._wake(compiled)

    def _new_index(self) -> HitIndex:
        """Where literals get their numbers."""
        return HitIndex()

    def _first_windows(self) -> list[Window]:
        """Windows that have their numbers already."""
        return []

    def _compiled(self, number: int, entry: Entry, layer: Layer, book: str) -> CompiledEntry:
        """One entry made ready."""
        return CompiledEntry(number, entry, layer, book, self)

    @cached_property
    def _by_identity(self) -> dict[str, list[CompiledEntry]]:
        found: dict[str, list[CompiledEntry]] = {}
        for compiled in self.entries:
            found.setdefault(compiled.identity, []).append(compiled)
        return found

    @cached_property
    def has_copies(self) -> bool:
        """Whether several loaded entries share an identity."""
        return len(self._by_identity) < len(self.entries)

    def forced(self, given: ForcedEntry) -> CompiledEntry | None:
        """The object of a forced activation: the loaded entry with the given fields; None if nothing is loaded."""
        loaded = self.identified(f"{text_of(given.world)}.{text_of(given.uid)}")
        if not loaded:
            return None
        first = next((entry for entry in loaded if same(entry.world, given.world)), loaded[0])
        bare = given.bare or not same(first.world, given.world)
        below = {"world": given.world, "uid": given.uid} if bare else first.entry.fields
        entry = replace(first.entry, fields={**below, **given.fields})
        compiled = CompiledEntry(first.index, entry, first.layer, first.book, self)
        own = entry.fields.get("content", MISSING)
        compiled.content = (text_of(own) if truthy(own) else "") if bare or "content" in given.fields else first.content
        if "hash" in given.fields:
            compiled.fingerprint = f"given {text_of(given.fields['hash'])}"
        elif not bare:
            compiled.fingerprint = first.fingerprint
        return compiled

    def identified(self, identity: str) -> list[CompiledEntry]:
        """Loaded entries with an identity `BOOK.UID`."""
        return self._by_identity.get(identity, [])

    def source_name(self, number: int) -> str:
        """Name of an extra source by its number in a window."""
        return SOURCES[number][1]

    def fingerprinted(self, identity: str, fingerprint: str) -> CompiledEntry | None:
        """The loaded entry behind a timed effect; None if it is gone or was edited."""
        return next((entry for entry in self.identified(identity) if entry.fingerprint == fingerprint), None)

    def case_sensitive(self, entry: Entry) -> bool:
        """The entry's own option, else the global one."""
        value = entry.get("caseSensitive")
        return self.settings.world_info_case_sensitive if nullish(value) else truthy(value)

    def whole_words(self, entry: Entry) -> bool:
        """The entry's own option, else the global one."""
        value = entry.get("matchWholeWords")
        return self.settings.world_info_match_whole_words if nullish(value) else truthy(value)

    def read_keys(self, entry: Entry, name: str) -> tuple[Key, ...]:
        """The keys of a list field, those that are no text read as JavaScript prints them."""
        sensitive, whole = self.case_sensitive(entry), self.whole_words(entry)
        return tuple(
            self.keys.read(
                key if isinstance(key, str) else text_of(key) if truthy(key) else "",
                case_sensitive=sensitive,
                whole_words=whole,
            )
            for key in entry.fields[name]
        )

    def window_of(self, entry: Entry) -> tuple[float | None, int]:
        """The entry's own depth (None: global) and the number of its window."""
        fields = entry.fields
        depth = fields.get("scanDepth", MISSING)
        own = None if nullish(depth) else to_number(depth)
        sources = tuple([number for flag, number in _SOURCE_FLAGS if truthy(fields.get(flag, MISSING))])
        number = self._window_numbers.get((own, sources))
        if number is None:
            number = self._window_numbers[own, sources] = len(self.windows)
            self.windows.append(Window(own, sources))
        return own, number

    def _wake(self, compiled: CompiledEntry) -> None:
        """Enter what can make the entry a candidate: a literal in its window, or every pass."""
        if compiled.constant or compiled.activates:
            self.always.append(compiled.index)
            return
        if not compiled.gates.has_keys:
            return
        window = self.windows[compiled.window]
        for key in compiled.keys:
            numbers = wakers(key)
            if numbers is None:
                self.always.append(compiled.index)
                return
            for number in numbers:
                window.wake(number, compiled.index)


def _load_error(loaded: list[Loaded]) -> str:
    """Why loading fails as a whole; "" if it does not.

    SillyTavern 1.19: one content that is true but no text stops the loading of all books with a TypeError.
    """
    for _, book, entry in loaded:
        content = entry.fields.get("content")
        if not isinstance(content, str) and truthy(content):
            whose = f"entry {entry.uid_text} in {quote(book)}"
            return f"The content of {whose} is no text: SillyTavern then loads no lore at all."
    return ""


def _levels(entries: Iterable[CompiledEntry]) -> list[Any]:
    """The distinct delay levels as they stand in the file, ascending; what is no number compares as equal."""
    found: list[Any] = []
    seen: set[Any] = set()
    for entry in entries:
        if entry.gates.level is not None:
            stored = entry.entry.get("delayUntilRecursion")
            level = 1 if stored is True else stored
            if isinstance(level, (list, dict)):
                found.append(level)
            elif level not in seen:
                seen.add(level)
                found.append(level)
    return sorted_as_numbers(found, to_number)


def wakers(key: Key) -> tuple[int, ...] | None:
    """Literal numbers that can make the key match; None: it has to be tried always."""
    if isinstance(key, PlainKey):
        return None if key.crosses else (key.number,)
    if isinstance(key, PatternKey):
        return key.gates
    return () if isinstance(key, EmptyKey) else None
