"""What differs between two states of a file, told by entry and field, and as plain lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.formats import detect
from lorebook_tui.formats.entry_edits import container_of
from lorebook_tui.formats.json_edit import changed, path_text
from lorebook_tui.formats.json_patch import same
from lorebook_tui.model.fields import ENTRY_FIELDS, json_name
from lorebook_tui.model.js import MISSING
from lorebook_tui.workspace.entry_pairs import pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json, JsonPath

_SHOWN: Final = 60
"""Characters of a value in a line."""
_BEFORE: Final = 12
"""Characters in front of the first that differs."""


class ChangeKind(Enum):
    """What became of an entry."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class ValueChange:
    """One value that differs."""

    path: JsonPath
    """From the entry, or from the document."""
    name: str
    """SillyTavern's name of the field, else the path in words."""
    before: Json
    """`MISSING`: it was not there."""
    after: Json
    """`MISSING`: it is not there."""


@dataclass(frozen=True, slots=True)
class EntryChange:
    """One entry that differs."""

    kind: ChangeKind
    book: str
    """Name of its book. Foreign text, as the title."""
    title: str
    before: Entry | None
    after: Entry | None
    fields: tuple[ValueChange, ...] = ()
    """Of a changed entry."""


@dataclass(frozen=True, slots=True)
class Diff:
    """What differs between two states of a file."""

    entries: tuple[EntryChange, ...] = ()
    others: tuple[ValueChange, ...] = ()
    """What is not in an entry: members of the book or card, messages of a chat."""
    is_reordered: bool = False
    """Entries that are in both stand in another order."""

    def __bool__(self) -> bool:
        return bool(self.entries or self.others or self.is_reordered)

    def count(self, kind: ChangeKind) -> int:
        """How many entries were added, removed or changed."""
        return sum(1 for each in self.entries if each.kind is kind)


def diff(before: Loaded, after: Loaded) -> Diff:
    """What differs between two states of a file; entries in the order of the newer one, removed ones last."""
    entries: list[EntryChange] = []
    is_reordered = False
    for number in range(max(len(before.books), len(after.books))):
        old = before.books[number].entries if number < len(before.books) else ()
        new = after.books[number].entries if number < len(after.books) else ()
        name = (after if number < len(after.books) else before).books[number].name
        partner = pairs(old, new)
        entries += _entry_changes(name, old, new, partner)
        kept = [partner[place] for place in sorted(partner)]
        is_reordered = is_reordered or kept != sorted(kept)
    return Diff(tuple(entries), tuple(value_changes(rest_of(before), rest_of(after))), is_reordered)


def _entry_changes(
    book: str, old: tuple[Entry, ...], new: tuple[Entry, ...], partner: Mapping[int, int]
) -> Iterator[EntryChange]:
    for place, entry in enumerate(new):
        if place not in partner:
            yield EntryChange(ChangeKind.ADDED, book, entry.title, None, entry)
            continue
        was = old[partner[place]]
        fields = tuple(value_changes(raw_of(was), raw_of(entry), is_card=entry.source is not None))
        if fields:
            yield EntryChange(ChangeKind.CHANGED, book, entry.title, was, entry, fields)
    gone = set(range(len(old))) - set(partner.values())
    for place in sorted(gone):
        yield EntryChange(ChangeKind.REMOVED, book, old[place].title, old[place], None)


def raw_of(entry: Entry) -> Mapping[str, Any]:
    """The entry's object as it stands in its file."""
    return entry.fields if entry.source is None else entry.source


def rest_of(loaded: Loaded) -> Json:
    """What a file says beside its entries: its only document with their place emptied; the documents of a chat."""
    if not loaded.documents:
        return detect.dump(loaded).decode("utf-8", "surrogateescape").splitlines()
    if len(loaded.documents) > 1 or loaded.transcript is not None:
        return [document.value for document in loaded.documents]
    value = loaded.document.value
    for book in loaded.books:
        try:
            path = container_of(loaded.document, book)
        except UsageError:
            continue
        value = changed(value, [(path, type(loaded.document.at(path))())])
    return value


def value_changes(before: Json, after: Json, path: JsonPath = (), *, is_card: bool = False) -> Iterator[ValueChange]:
    """The members and items that differ; both sides' objects are gone into, and lists of objects item by item."""
    if before is after or same(before, after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for name in (*after, *(name for name in before if name not in after)):
            yield from value_changes(
                before.get(name, MISSING), after.get(name, MISSING), (*path, name), is_card=is_card
            )
    elif has_parts(before) and isinstance(after, list) and has_parts(after):
        for place in range(max(len(before), len(after))):
            old = before[place] if place < len(before) else MISSING
            new = after[place] if place < len(after) else MISSING
            yield from value_changes(old, new, (*path, place), is_card=is_card)
    else:
        yield ValueChange(path, name_of(path, is_card=is_card), before, after)


def has_parts(value: Json) -> bool:
    """Whether it is a list of objects or lists."""
    return isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value)


def name_of(path: JsonPath, *, is_card: bool) -> str:
    """What people call a value: SillyTavern's name of the field if it is one, else its path."""
    text = path_text(path)
    return _card_names().get(text, text) if is_card else text


@cache
def _card_names() -> Mapping[str, str]:
    """SillyTavern's name of each field by its place in a card's book; an opposite keeps the card's name."""
    places = ((json_name(row, "v2") or "", row.name) for row in ENTRY_FIELDS)
    return {place: name for place, name in places if place and not place.startswith("!")}


def diff_lines(difference: Diff) -> tuple[str, ...]:
    """The difference in plain lines: `+` added, `-` removed, `~` changed. Holds foreign text as it is."""
    lines = []
    for each in difference.entries:
        if each.kind is ChangeKind.CHANGED:
            lines += [f"~ {each.title}: {change_text(change)}" for change in each.fields]
        else:
            lines.append(f"{'+' if each.kind is ChangeKind.ADDED else '-'} {each.title}")
    lines += [f"~ {change_text(change)}" for change in difference.others]
    if difference.is_reordered:
        lines.append("~ the entries stand in another order")
    return tuple(lines)


def change_text(change: ValueChange) -> str:
    """One change in words: `order 100 → 121`; long texts are cut to where they differ."""
    name = change.name or "the file"
    if change.before is MISSING:
        return f"{name} = {_short(change.after)}"
    if change.after is MISSING:
        return f"{name} removed (was {_short(change.before)})"
    if _are_texts(change.before, change.after):
        gone = [item for item in change.before if item not in change.after]
        more = [item for item in change.after if item not in change.before]
        if gone or more:
            return f"{name} " + " ".join(
                [*(f"−{_short(item)}" for item in gone), *(f"+{_short(item)}" for item in more)]
            )
    if isinstance(change.before, str) and isinstance(change.after, str):
        old, new = _where_they_differ(change.before, change.after)
        size = len(change.after) - len(change.before)
        told = f" ({size:+,} characters)" if max(len(change.before), len(change.after)) > _SHOWN else ""
        return f"{name} {old} → {new}{told}"
    return f"{name} {_short(change.before)} → {_short(change.after)}"


def _are_texts(*values: Json) -> bool:
    return all(isinstance(value, list) and all(isinstance(item, str) for item in value) for value in values)


def _short(value: Json) -> str:
    text = "nothing" if value is MISSING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _where_they_differ(before: str, after: str) -> tuple[str, str]:
    """Both texts from shortly before the first character that differs."""
    shorter = min(len(before), len(after))
    first = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    start = max(0, first - _BEFORE) if max(len(before), len(after)) > _SHOWN else 0
    return _excerpt(before, start), _excerpt(after, start)


def _excerpt(text: str, start: int) -> str:
    piece = text[start : start + _SHOWN]
    quoted = json.dumps(piece, ensure_ascii=False)[1:-1]
    return f'"{"…" if start else ""}{quoted}{"…" if start + _SHOWN < len(text) else ""}"'
