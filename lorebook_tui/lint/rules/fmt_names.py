"""Members of entries and books by name: old, unknown, misspelt, or there twice in two spellings."""

from __future__ import annotations

import difflib
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, cast

from lorebook_tui.formats.base import seen
from lorebook_tui.formats.checks import SILLYTAVERN_ROWS, V2_EXTENSION_ROWS, V2_ROWS
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetAt, SetField, Severity
from lorebook_tui.lint.products import product_of
from lorebook_tui.lint.rule import BookRule, Context, EntryRule, Example, FileRule, GroupRule
from lorebook_tui.lint.rules.fmt_values import UNOROUTER
from lorebook_tui.model.fields import ENTRY_FIELDS, json_name, template
from lorebook_tui.model.js import MISSING, truthy

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from lorebook_tui.lint.subjects import BookView, EntryView, FileView
    from lorebook_tui.model.js import Json, JsonPath

_SINCE: Final = {"ignoreBudget": "August 2025", "outletName": "September 2025"}
"""Since when SillyTavern has a field, where it is known."""
_NOT_BY_DEFAULT: Final = frozenset({"selective", "useProbability", "probability", "position", "order", "disable"})
"""Fields whose absence is something else than the template's value."""
_BOOK_SETTINGS: Final = ("scan_depth", "token_budget", "recursive_scanning")
_NEEDED: Final = frozenset({"uid", "key", "content"})
_SHOWN: Final = 6
_ALMOST: Final = 0.88
_ELSEWHERE: Final = frozenset({
    "id", "keys", "secondary_keys", "insertion_order", "enabled", "name", "priority", "use_regex", "case_sensitive",
    "title", "hash", "world", "decorators", "secondaryKeys", "insertionOrder", "worldInfoId", "vectorWeight",
    "weight", "characterFilterNames", "characterFilterTags", "characterFilterExclude", "characterFilterTwo",
    "display_index", "entry_id", "key_logic", "whole_words_only", "scan_persona", "folder", "mode",
    "activation_chance", "custom_fields", "category", "tags",
})  # fmt: skip
"""Names that other programs, and SillyTavern while it runs, give to members of an entry."""


@cache
def plain(name: str) -> str:
    """A name without case and signs."""
    return "".join(char for char in name.casefold() if char.isalnum())


@cache
def _known_elsewhere() -> frozenset[str]:
    paths = (path for row in ENTRY_FIELDS for path in row.json_names.values())
    return frozenset({path.lstrip("!").rpartition(".")[2] for path in paths} | _ELSEWHERE)


@cache
def _meant(name: str, *, is_card: bool, is_inside: bool) -> str | None:
    """The member that was probably meant; None if the name is right, or nothing is near."""
    rows = V2_EXTENSION_ROWS if is_inside else V2_ROWS if is_card else SILLYTAVERN_ROWS
    if name in rows:
        return None
    alike = {plain(known): known for known in rows}
    if is_inside and plain(name) in alike:
        return None  # both spellings are common in extension data
    if plain(name) in alike:
        return alike[plain(name)]
    if name in _known_elsewhere():
        return None
    close = difflib.get_close_matches(plain(name), alike, 1, _ALMOST)
    return alike[close[0]] if close else None


class MisspeltName(GroupRule):
    """A member whose name is almost that of a field.

    Why: SillyTavern 1.19 passes over names that it does not know, without a word: the field keeps its default.
    Example: `"excludeRecusion": true`, or `"exclude_recursion"` in a world, where it is `excludeRecursion`.
    Do: correct the name.
    Source: SillyTavern 1.19.
    """

    code = "FMT012"
    name = "misspelt-name"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "insertion_order": 3, "keys": ["a"]},)),
        Example(({"key": ["a"], "content": "x", "extensions": {"excludeRecusion": True}},)),
        Example(({"key": ["a"], "exclude_recursion": True, "secondary_keys": []},)),
        Example(source=UNOROUTER),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "excludeRecusion": True, "excludeRecursion": ...},),
            fixed=({"excludeRecursion": True, "excludeRecusion": ...},),
        ),
        Example(
            ({"key": ["a"], "scan_depth": 3, "scanDepth": ..., "mystery": 1},),
            findings=2,
            fixed=({"scanDepth": 3, "mystery": 1},),
        ),
        Example(({"key": ["a"], "preventRecurson": True},)),
        Example(({"key": ["a"], "mystery": 1}, {"key": ["b"], "mystery": 2}, {"key": ["c"]})),
    )

    def keys(self, entry: EntryView, context: Context) -> Iterable[Hashable]:
        """Odd names, and whether they stand inside the extension data of a card."""
        del context
        if product_of(entry):
            return ()
        source = entry.entry.source
        extensions = source.get("extensions") if source is not None else None
        inside = extensions if isinstance(extensions, dict) else {}
        outside = entry.entry.fields if source is None else source
        is_card = source is not None
        names = [(is_card, False, name) for name in outside.keys() - _right_names(is_card, is_inside=False)]
        return names + [(is_card, True, name) for name in inside.keys() - _right_names(is_card, is_inside=True)]

    def check(self, key: Hashable, members: Sequence[EntryView], context: Context) -> Iterator[Finding]:
        """A finding for each misspelt field, and one for all entries with a name that nobody knows."""
        del context
        is_card, is_inside, name = cast("tuple[bool, bool, str]", key)
        meant = _meant(name, is_card=is_card, is_inside=is_inside)
        steps = ("extensions", name) if is_inside else (name,)
        if meant is not None:
            for entry in members:
                raw = entry.entry.fields if entry.entry.source is None else entry.entry.source
                holder = raw["extensions"] if is_inside else raw
                yield from self._misspelt(entry, (*entry.entry.path, *steps), holder, meant)
        elif not is_inside and name not in _known_elsewhere() and plain(name) not in _plains():
            message = f"`{name}` is no field that this program knows; SillyTavern passes over it."
            path = (*members[0].entry.path, *steps)
            yield self.finding(members[0], message, path, severity=Severity.INFO, others=members[1:])

    def _misspelt(self, entry: EntryView, path: JsonPath, holder: Mapping[str, Any], meant: str) -> Iterator[Finding]:
        if meant in holder and plain(str(path[-1])) == plain(meant):
            return  # both spellings stand there: another rule compares them
        message = f"`{path[-1]}` is read by nobody; `{meant}` was probably meant."
        fix = None
        if meant not in holder:
            changes = (SetAt(path, MISSING), SetAt((*path[:-1], meant), holder[str(path[-1])]))
            fix = Fix(f"call it {meant}", changes, Grade.OFFERED, alters_activation=True)
        yield self.finding(entry, message, path, fix=fix)


_KNOWN: Final[dict[tuple[bool, bool], set[str]]] = {}


def _right_names(is_card: bool, *, is_inside: bool) -> set[str]:
    """Names that there is nothing to say about."""
    found = _KNOWN.get((is_card, is_inside))
    if found is None:
        rows = V2_EXTENSION_ROWS if is_inside else V2_ROWS if is_card else SILLYTAVERN_ROWS
        more = _known_elsewhere()
        found = set(rows) | {name for name in more if _meant(name, is_card=is_card, is_inside=is_inside) is None}
        _KNOWN[is_card, is_inside] = found
    return found


@cache
def _plains() -> frozenset[str]:
    return frozenset(plain(name) for name in SILLYTAVERN_ROWS)


class OldEntries(BookRule):
    """Entries without members that SillyTavern writes today.

    Why: the book is older than these fields, or was made by another program; SillyTavern 1.19 goes by its defaults.
    Example: entries without `outletName` and `ignoreBudget`.
    Do: nothing has to be done; `--fix` writes the defaults, so that every entry looks like a new one.
    Source: SillyTavern 1.19.
    """

    code = "FMT011"
    name = "old-entries"
    severity = Severity.INFO
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x"},)),
        Example(({"key": ["a"], "content": "x", "selective": ..., "useProbability": ...},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "outletName": ..., "ignoreBudget": ...}, {"key": ["b"]}),
            fixed=({"outletName": "", "ignoreBudget": False}, {"outletName": ""}),
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """One finding for all entries of a world."""
        del context
        usual = {name: value for name, value in template().items() if name not in _NOT_BY_DEFAULT | _NEEDED}
        lacking: dict[str, int] = {}
        changes = []
        for entry in book.entries:
            if entry.entry.source is not None:
                continue
            missing = usual.keys() - entry.entry.fields.keys()
            if missing:
                meant = {_meant(str(name), is_card=False, is_inside=False) for name in entry.entry.fields}
            for name in usual if missing else ():
                if name in missing and name not in meant:
                    lacking[name] = lacking.get(name, 0) + 1
                    changes.append(SetField(entry.entry.path, name, usual[name]))
        if changes:
            names = sorted(lacking, key=lambda name: name not in _SINCE)
            listed = ", ".join(f"{name} (since {_SINCE[name]})" if name in _SINCE else name for name in names[:_SHOWN])
            listed += f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            count = max(lacking.values())
            some = "An entry lacks" if count == 1 else f"Up to {count} entries lack"
            message = f"{some} members that SillyTavern writes today: {listed}. Their defaults apply."
            yield self.finding(book, message, fix=Fix("write the defaults", tuple(changes)))


class TwoSpellings(EntryRule):
    """A field that an entry has in two spellings, with different values.

    Why: every program reads one of them: SillyTavern 1.19 reads `excludeRecursion` in a world and
    `extensions.exclude_recursion` in a card, whatever the other one says.
    Example: `"excludeRecursion": true` beside `"exclude_recursion": false`.
    Do: decide which value is meant, and write it into both.
    Source: SillyTavern 1.19, the V2 card specification.
    """

    code = "FMT013"
    name = "two-spellings"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "keys": ["a"], "excludeRecursion": True, "exclude_recursion": True},)),
        Example(({"key": ["a"], "extensions": {"exclude_recursion": False, "depth": None}},)),
        Example(({"key": ["a"], "id": 1}, {"key": ["b"], "id": 2})),
        Example(
            ({"key": ["a"], "order": 5, "delayUntilRecursion": 0, "extensions": {"delay_until_recursion": False}},)
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "excludeRecursion": True, "extensions": {"exclude_recursion": False}},),
            fixed=({"excludeRecursion": True, "extensions": {"exclude_recursion": True}},),
        ),
        Example(
            ({"key": ["a"], "keys": ["b"], "order": 1, "insertion_order": 2, "disable": True, "enabled": True},),
            fixed=({"keys": ["a"], "insertion_order": 1, "enabled": False},),
        ),
        Example(
            source='{"entries": [{"keys": ["a"], "secondary_keys": ["b"], "secondaryKeys": ["c"], "content": "", '
            '"enabled": true, "insertion_order": 1, "extensions": {"case_sensitive": 0}, "case_sensitive": true}]}',
            fixed_source='{"entries": [{"keys": ["a"], "secondary_keys": ["b"], "secondaryKeys": ["b"], "content": "", '
            '"enabled": true, "insertion_order": 1, "extensions": {"case_sensitive": 0}, "case_sensitive": 0}]}',
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """One finding for all fields of an entry."""
        del context
        differing = list(_differing(entry))
        if differing:
            listed = "; ".join(
                f"`{_dotted(entry, path)}` is {seen(theirs)}, but SillyTavern reads `{read}`, {seen(ours)}"
                for path, theirs, read, ours, _ in differing
            )
            changes = tuple(SetAt(path, right) for path, _, _, _, right in differing)
            fix = Fix("write what SillyTavern reads into both", changes, Grade.OFFERED)
            yield self.finding(entry, f"A field stands there twice: {listed}.", differing[0][0], fix=fix)


def _dotted(entry: EntryView, path: JsonPath) -> str:
    return ".".join(str(step) for step in path[len(entry.entry.path) :])


def _differing(entry: EntryView) -> Iterator[tuple[JsonPath, Json, str, Json, Json]]:
    """Place and value of the other spelling, name and value of the one that counts, and what the other should be."""
    source = entry.entry.source
    raw: Mapping[str, Any] = entry.entry.fields if source is None else source
    outside, inside = _other_names()[source is not None]
    extensions = raw.get("extensions")
    others = [outside[name] for name in outside.keys() & raw.keys()]
    if isinstance(extensions, dict):
        others += [inside[name] for name in inside.keys() & extensions.keys()]
    for place, read, other in sorted(others):
        del place
        ours, theirs = _at(raw, read.lstrip("!")), _at(raw, other.lstrip("!"))
        if any(value is MISSING or value is None for value in (ours, theirs)):
            continue
        right = (not truthy(ours)) if other.startswith("!") != read.startswith("!") else ours
        if not _same(theirs, right):
            path = (*entry.entry.path, *other.lstrip("!").split("."))
            yield path, theirs, read.lstrip("!"), ours, right


def _same(one: Json, other: Json) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return truthy(one) == truthy(other)
    return bool(one == other)


def _at(raw: Mapping[str, Any], dotted: str) -> Json:
    value: Any = raw
    for step in dotted.split("."):
        if not isinstance(value, dict) or step not in value:
            return MISSING
        value = value[step]
    return value


@cache
def _spellings() -> tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    """For worlds and for cards: what is read of each field, and what else it may be called."""
    worlds, cards = [], []
    for row in ENTRY_FIELDS:
        card = json_name(row, "v2")
        if row.name == "extensions" or card is None:
            continue
        tail = card.lstrip("!").rpartition(".")[2]
        mark = "!" if card.startswith("!") else ""
        twins = {_camel(tail), tail, row.name} if row.name != "position" else {row.name}
        if row.name != "uid":  # nobody reads the `id` that other programs leave in a world
            worlds.append((row.name, tuple(sorted({mark + card.lstrip("!"), mark + tail} - {row.name}))))
        if row.name == "position":
            continue  # its two words beside the number of the extension are the rule, not a fault
        places = {mark + twin for twin in twins if not mark or twin == tail}
        if card.startswith("extensions."):
            places |= {f"extensions.{twin}" for twin in twins}
        cards.append((card, tuple(sorted(places - {card}))))
    return tuple(worlds), tuple(cards)


_Spelling: TypeAlias = "dict[str, tuple[int, str, str]]"
"""By the name that does not count: number of the field, what is read of it, and the dotted place of the other name."""


@cache
def _other_names() -> tuple[tuple[_Spelling, _Spelling], ...]:
    """For worlds and for cards: the spellings that do not count, in the entry and in its extension data."""
    made = []
    for spellings in _spellings():
        outside: _Spelling = {}
        inside: _Spelling = {}
        for number, (read, names) in enumerate(spellings):
            for other in names:
                bare = other.lstrip("!")
                head, dot, tail = bare.partition(".")
                if dot:
                    inside[tail] = (number, read, other)
                else:
                    outside[head] = (number, read, other)
        made.append((outside, inside))
    return tuple(made)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


class SettingsInBook(FileRule):
    """Settings of the whole book that SillyTavern does not read; only a hint in a card, which other programs read too.

    Why: SillyTavern 1.19 takes scan depth, token budget and recursion from the user's settings; what a book says of
    them counts in other programs only.
    Example: `"scan_depth": 10` beside `entries`.
    Do: say in the book's description which settings it wants, or set the scan depth of single entries.
    Source: SillyTavern 1.19, the V2 card specification.
    """

    code = "FMT014"
    name = "settings-in-book"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "scanDepth": 4},)),
        Example(source='{"entries": {"0": {"uid": 0, "key": ["a"]}}, "scan_depth": null, "name": "x"}'),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source='{"entries": {"0": {"uid": 0, "key": ["a"]}}, "scan_depth": 10, "recursive_scanning": true}'),
    )

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """What books say of themselves."""
        del context
        for book in file.books:
            extras = book.book.extras
            found = {name: extras[name] for name in _BOOK_SETTINGS if extras.get(name) is not None}
            if found:
                listed = ", ".join(f"{name} {seen(value).removeprefix('the number ')}" for name, value in found.items())
                message = f"The book asks for {listed}; SillyTavern takes these from the user's settings instead."
                severity = Severity.INFO if file.loaded is not None and file.loaded.card else self.severity
                yield self.finding(book, message, (*book.path, next(iter(found))), severity=severity)
