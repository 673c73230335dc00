"""One change of one value: of an entry's field or of a setting; and scenarios in which changes are made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from lorebook_tui.model.layers import Layers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.model.book import Book
    from lorebook_tui.model.cast import Cast
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.scenario import Scenario
    from lorebook_tui.model.settings import ScanSettings

MAX_CONTEXT = "max_context"
"""Name of a setting change: tokens of context less the response length."""
NOTE_INTERVAL = "note_interval"
"""Name of a setting change: the author's note every so many messages of the user."""


@dataclass(frozen=True, slots=True)
class EntryChange:
    """Another value in one field of one entry."""

    index: int
    """Load index in the turn that was asked about."""
    field: str
    """SillyTavern's name."""
    old: Any
    """`MISSING` if the entry has no such field."""
    new: Any


@dataclass(frozen=True, slots=True)
class SettingChange:
    """Another value of one setting."""

    name: str
    """A scan setting under SillyTavern's name, `max_context` or `note_interval`."""
    old: Any
    new: Any


Change: TypeAlias = EntryChange | SettingChange
Changes: TypeAlias = tuple[Change, ...]


def merged(first: Changes, more: Iterable[Change]) -> Changes:
    """Both in one: what is changed twice has the first old and the last new value."""
    found: dict[tuple[int, str], Change] = {_target(change): change for change in first}
    for change in more:
        earlier = found.get(_target(change))
        found[_target(change)] = change if earlier is None else replace(change, old=earlier.old)
    return tuple(found.values())


def _target(change: Change) -> tuple[int, str]:
    return (change.index, change.field) if isinstance(change, EntryChange) else (-1, change.name)


def setting_values(changes: Changes) -> dict[str, Any]:
    """The changed settings of all kinds, by name."""
    return {change.name: change.new for change in changes if isinstance(change, SettingChange)}


def scan_settings(settings: ScanSettings, values: Mapping[str, Any]) -> ScanSettings:
    """Scan settings with changes; those that are none of the scan's are left out."""
    own = {name: value for name, value in values.items() if name not in {MAX_CONTEXT, NOTE_INTERVAL}}
    return settings.with_values(own) if own else settings


def changed_layers(layers: Layers, swapped: Mapping[int, Entry]) -> Layers:
    """The same books with some entries swapped, those found by the identity of the old object."""

    def books(listed: tuple[Book, ...]) -> tuple[Book, ...]:
        return tuple(_book(book, swapped) for book in listed)

    return Layers(books(layers.global_), books(layers.character), books(layers.persona), books(layers.chat))


def changed_scenario(
    scenario: Scenario, layers: Layers, settings: ScanSettings, swapped: Mapping[int, Entry], values: Mapping[str, Any]
) -> Scenario:
    """A scenario in which all changes are made from the beginning.

    Args:
        scenario: before.
        layers: the books in force, changed already.
        settings: the scan settings in force, changed already.
        swapped: changed entries by the identity of the old object, for books of a group's members.
        values: changed settings by name.
    """
    return replace(
        scenario,
        layers=layers,
        settings=settings,
        cast=_cast(scenario.cast, swapped),
        note=replace(scenario.note, interval=values.get(NOTE_INTERVAL, scenario.note.interval)),
        max_context=values.get(MAX_CONTEXT, scenario.max_context),
    )


def _book(book: Book, swapped: Mapping[int, Entry]) -> Book:
    if not any(id(entry) in swapped for entry in book.entries):
        return book
    return replace(book, entries=tuple(swapped.get(id(entry), entry) for entry in book.entries))


def _cast(cast: Cast, swapped: Mapping[int, Entry]) -> Cast:
    """The cast with the books of its cards changed."""
    if cast.group:
        members = tuple(
            replace(member, books=tuple(_book(book, swapped) for book in member.books)) if member.books else member
            for member in cast.group.members
        )
        return replace(cast, group=replace(cast.group, members=members))
    if cast.character and cast.character.books:
        books = tuple(_book(book, swapped) for book in cast.character.books)
        return replace(cast, character=replace(cast.character, books=books))
    return cast
