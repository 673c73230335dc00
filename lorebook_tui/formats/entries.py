"""Reads the entries of a book, whichever of the two dialects each is written in; nothing broken sinks the rest."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from lorebook_tui.formats.base import Reporter, Severity, seen
from lorebook_tui.formats.checks import (
    SILLYTAVERN_ROWS,
    V2_EXTENSION_ROWS,
    V2_ROWS,
    check_values,
    report_missing,
    report_twins,
)
from lorebook_tui.formats.v2_book import fields_of, identities
from lorebook_tui.model.book import Book
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.js import MISSING, is_index, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lorebook_tui.formats.base import Source
    from lorebook_tui.model.js import Json, JsonPath

_POSITIONS: Final = ("before_char", "after_char")
_NEEDED_IN_WORLD: Final = ("uid", "key", "content")
_NEEDED_IN_CARD: Final = ("keys", "content", "insertion_order")
_WYVERN: Final = frozenset({"entry_id", "key_logic", "whole_words_only"})


class Dialect(Enum):
    """The names that an entry's members have."""

    SILLYTAVERN = "SillyTavern's"
    V2 = "the card specification's"


@dataclass(frozen=True, slots=True)
class _Raw:
    """An entry as it stands in the file."""

    index: int
    step: str | int
    value: dict[str, Json]
    dialect: Dialect

    @property
    def wanted_uid(self) -> Json:
        """The id it asks for: its own, else its place."""
        if "id" in self.value:
            return self.value["id"]
        if isinstance(self.step, str) and is_index(self.step):
            return int(self.step)
        return self.index if isinstance(self.step, int) else self.step


def dialect_of(value: Mapping[str, Json], home: Dialect) -> Dialect:
    """The dialect of one entry: that of its file, unless it only has the other one's keys."""
    if home is Dialect.V2:
        other = "keys" not in value and isinstance(value.get("key"), list)
        return Dialect.SILLYTAVERN if other else home
    other = "key" not in value and isinstance(value.get("keys"), list)
    return Dialect.V2 if other else home


def home_of(container: Json) -> Dialect | None:
    """The dialect that most entries of an array or object are written in; None if there is no entry that shows any."""
    values = container.values() if isinstance(container, dict) else container if isinstance(container, list) else ()
    count: Counter[Dialect] = Counter()
    for value in values:
        if isinstance(value, dict):
            if "key" in value:
                count[Dialect.SILLYTAVERN] += 1
            elif "keys" in value:
                count[Dialect.V2] += 1
            elif "uid" in value:
                count[Dialect.SILLYTAVERN] += 1
            elif "insertion_order" in value or "enabled" in value:
                count[Dialect.V2] += 1
    return max(count, key=lambda dialect: count[dialect]) if count else None


def read_book(
    source: Source, container: Json, path: JsonPath, home: Dialect, book: Book, *, strict: bool = False
) -> Book:
    """A book with its entries.

    Args:
        source: the file; findings go to its reporter.
        container: the array or object of entries.
        path: where it stands.
        home: the dialect of the file.
        book: name, format and extras.
        strict: of equal ids in a card's book the later entry replaces the earlier one, as in SillyTavern.
    """
    if home is Dialect.V2 and isinstance(container, dict):
        source.reporter.add(
            "hybrid",
            "The entries have the names of the card specification but are an object; strict readers refuse that.",
            path,
            expected="an array",
            found=seen(container),
        )
    raws = list(_raws(container, path, home, source.reporter))
    _report_mixture(raws, path, home, source.reporter)
    known = _Known(source)
    uids = iter(identities([raw.wanted_uid for raw in raws if raw.dialect is Dialect.V2], strict=strict))
    entries: dict[str, Entry] = {}
    for raw in raws:
        if raw.dialect is Dialect.V2:
            uid = next(uids)
            entry = known.card_entry(raw, uid, (*path, raw.step), text_of(uid) if home is Dialect.V2 else str(raw.step))
        else:
            uid = raw.value.get("uid", MISSING)
            named = home is Dialect.V2 and uid is not MISSING
            entry = known.world_entry(raw, (*path, raw.step), text_of(uid) if named else str(raw.step))
        key = entry.key
        if strict and key in entries:
            _report_replaced(entries[key], entry, source.reporter)
        while not strict and key in entries:
            key += "'"  # two dialects in one list may ask for the same name
        entries[key] = entry if key == entry.key else Entry(entry.fields, key, entry.path, entry.source)
    if home is Dialect.SILLYTAVERN:
        _report_repeated(raws, path, source.reporter)
    return Book(book.name, tuple(entries.values()), book.format, book.extras)


def _raws(container: Json, path: JsonPath, home: Dialect, reporter: Reporter) -> Iterator[_Raw]:
    """The entries that are objects, in file order."""
    if isinstance(container, dict):
        pairs: Iterator[tuple[str | int, Json]] = iter(container.items())
    elif isinstance(container, list):
        pairs = iter(enumerate(container))
    else:
        reporter.add(
            "no-entries",
            "The book has no entries.",
            path,
            expected="an array or object of entries",
            found=seen(container),
            severity=Severity.ERROR,
        )
        return
    for index, (step, value) in enumerate(pairs):
        if isinstance(value, dict):
            yield _Raw(index, step, value, dialect_of(value, home))
        else:
            reporter.add(
                "broken-entry",
                "An entry is no object; it is left out.",
                (*path, step),
                expected="an object",
                found=seen(value),
                severity=Severity.ERROR,
            )


def _report_replaced(earlier: Entry, entry: Entry, reporter: Reporter) -> None:
    reporter.add(
        "duplicate-id",
        f"Entry {earlier.path[-1]} has the same id and is lost, as in SillyTavern.",
        (*entry.path, "id"),
        expected="an id of its own",
        found=seen(entry.uid),
        severity=Severity.ERROR,
    )


def _report_mixture(raws: list[_Raw], path: JsonPath, home: Dialect, reporter: Reporter) -> None:
    """One finding for entries that speak the other dialect, one for those that speak both."""
    strangers = [raw for raw in raws if raw.dialect is not home]
    if strangers:
        other = strangers[0].dialect.value
        reporter.add(
            "hybrid",
            f"{_entries(len(strangers))} written with {other} names; they are read by those.",
            (*path, strangers[0].step),
            expected=f"{home.value} names",
            found=f"{other} names",
        )
    both = [raw for raw in raws if "key" in raw.value and "keys" in raw.value]
    if both:
        reporter.add(
            "both-dialects",
            f"{_entries(len(both))} written with the names of both dialects; {home.value} count.",
            (*path, both[0].step),
            severity=Severity.INFO,
        )
    wyvern = next((raw for raw in raws if any(name in raw.value for name in _WYVERN)), None)
    if wyvern is not None:
        reporter.add(
            "foreign-fields",
            "The book has fields of Wyvern that SillyTavern does not read.",
            (*path, wyvern.step),
            found=", ".join(sorted(_WYVERN & set(wyvern.value))),
            severity=Severity.INFO,
        )


def _entries(count: int) -> str:
    return "1 entry is" if count == 1 else f"{count} entries are"


class _Known:
    """Makes entries; those that did not change in an edit stay the same objects, and are not checked again if sound."""

    def __init__(self, source: Source) -> None:
        self.reporter = source.reporter
        self.sound = source.sound
        self.was_sound = frozenset(source.previous.sound)
        self.entries = {entry.path: entry for book in source.previous.books for entry in book.entries}

    def before(self, raw: _Raw, path: JsonPath, key: str) -> Entry | None:
        """The entry of before the edit, if nothing about it changed."""
        entry = self.entries.get(path)
        if entry is None or entry.key != key:
            return None
        return entry if (entry.fields if entry.source is None else entry.source) is raw.value else None

    def world_entry(self, raw: _Raw, path: JsonPath, key: str) -> Entry:
        """An entry with SillyTavern's names."""
        known = self.before(raw, path, key)
        if known is None or path not in self.was_sound:
            count = len(self.reporter.findings)
            _check_world_entry(raw, path, self.reporter)
            if len(self.reporter.findings) > count:
                return known or Entry(raw.value, key, path)
        self.sound.append(path)
        return known or Entry(raw.value, key, path)

    def card_entry(self, raw: _Raw, uid: Json, path: JsonPath, key: str) -> Entry:
        """An entry with the names of the card specification."""
        known = self.before(raw, path, key)
        if known is None or path not in self.was_sound:
            count = len(self.reporter.findings)
            _check_card_entry(raw.value, path, self.reporter)
            _check_identity(raw, uid, path, self.reporter)
            if len(self.reporter.findings) > count:
                return known or Entry(fields_of(raw.value, uid, raw.index), key, path, raw.value)
        self.sound.append(path)
        return known or Entry(fields_of(raw.value, uid, raw.index), key, path, raw.value)


_SHARED: Final = ("uid", "id", "displayIndex")
_TELLING: Final = ("key", "keys", "insertion_order", "enabled", *sorted(_WYVERN))


def revised(entry: Entry, value: Json, index: int) -> Entry | None:
    """An entry after an edit that concerns it alone.

    Args:
        entry: as it was.
        value: the object that now stands in the file.
        index: its place among all that stands where the entries are.

    Returns:
        None if more than the entry changes: its identity, its dialect, or what there is to report about it.
    """
    before = entry.fields if entry.source is None else entry.source
    if not isinstance(value, dict) or any(
        text_of(value.get(n, MISSING)) != text_of(before.get(n, MISSING)) for n in _SHARED
    ):
        return None
    if any(
        (n in value) != (n in before) or isinstance(value.get(n), list) != isinstance(before.get(n), list)
        for n in _TELLING
    ):
        return None
    reports = []
    for each in (before, value):
        reporter = Reporter()
        if entry.source is None:
            _check_world_entry(_Raw(index, entry.path[-1], dict(each), Dialect.SILLYTAVERN), entry.path, reporter)
        else:
            _check_card_entry(each, entry.path, reporter)
        reports.append(reporter.findings)
    if reports[0] != reports[1]:
        return None
    if entry.source is None:
        return Entry(value, entry.key, entry.path)
    return Entry(fields_of(value, entry.uid, index), entry.key, entry.path, value)


def _check_world_entry(raw: _Raw, path: JsonPath, reporter: Reporter) -> None:
    """Report what is odd about an entry of a world."""
    value = raw.value
    check_values(value, SILLYTAVERN_ROWS, path, reporter)
    for name in _NEEDED_IN_WORLD:
        if name not in value:
            report_missing(SILLYTAVERN_ROWS[name].field, name, path, reporter)
    uid = value.get("uid", MISSING)
    if isinstance(raw.step, str) and uid is not MISSING and text_of(uid) != raw.step:
        reporter.add(
            "key-differs",
            "The entry's name in the file is not its `uid`; the scan goes by the `uid`.",
            (*path, "uid"),
            expected=raw.step,
            found=seen(uid),
            severity=Severity.INFO,
        )


def _check_identity(raw: _Raw, uid: Json, path: JsonPath, reporter: Reporter) -> None:
    if text_of(uid) != text_of(raw.wanted_uid):
        reporter.add(
            "duplicate-id",
            f"An earlier entry has the same id; this one is read as {text_of(uid)}. SillyTavern drops the earlier one.",
            (*path, "id"),
            expected="an id of its own",
            found=seen(raw.wanted_uid),
        )


def _check_card_entry(value: Mapping[str, Json], path: JsonPath, reporter: Reporter) -> None:
    """Report what is odd about an entry of a card's book."""
    check_values(value, V2_ROWS, path, reporter)
    extensions = value.get("extensions", MISSING)
    if isinstance(extensions, dict):
        check_values(extensions, V2_EXTENSION_ROWS, (*path, "extensions"), reporter, null=Severity.INFO)
        report_twins(extensions, (*path, "extensions"), reporter)
    elif extensions is MISSING:
        report_missing(V2_ROWS["extensions"].field, "extensions", path, reporter, severity=Severity.INFO)
    for name in _NEEDED_IN_CARD:
        if name not in value:
            report_missing(V2_ROWS[name].field, name, path, reporter)
    if "enabled" not in value:
        reporter.add(
            "missing-enabled",
            "The entry has no `enabled`, so SillyTavern imports it as disabled.",
            (*path, "enabled"),
            expected="true or false",
            found=seen(MISSING),
        )
    if value.get("secondary_keys") and "selective" not in value:
        reporter.add(
            "missing-selective",
            "The entry has secondary keys but no `selective`, so SillyTavern ignores them.",
            (*path, "selective"),
            expected="true or false",
            found=seen(MISSING),
        )
    position = value.get("position", MISSING)
    if position is not MISSING and position not in _POSITIONS:
        reporter.add(
            "range",
            "`position` is none of the two that cards know; it is after_char unless an extension says otherwise.",
            (*path, "position"),
            expected=" or ".join(_POSITIONS),
            found=seen(position),
        )
    report_twins(value, path, reporter)


def _report_repeated(raws: list[_Raw], path: JsonPath, reporter: Reporter) -> None:
    """Uids and places in the editor that come more than once in a world."""
    first: dict[str, _Raw] = {}
    for raw in raws:
        uid = raw.value.get("uid", MISSING)
        if uid is MISSING:
            continue
        earlier = first.setdefault(text_of(uid), raw)
        if earlier is not raw:
            reporter.add(
                "duplicate-uid",
                f"Entry {earlier.step} has the same `uid`; if both are activated, only one text survives.",
                (*path, raw.step, "uid"),
                expected="a number of its own",
                found=seen(uid),
            )
    places = Counter(text_of(raw.value["displayIndex"]) for raw in raws if "displayIndex" in raw.value)
    repeated = sum(1 for count in places.values() if count > 1)
    if repeated:
        reporter.add(
            "repeated-place",
            "Several entries have the same place in SillyTavern's editor.",
            path,
            expected="every `displayIndex` once",
            found=f"{repeated} of them more than once",
            severity=Severity.INFO,
        )
