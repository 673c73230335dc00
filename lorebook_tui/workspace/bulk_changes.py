"""What differs between two states of a workspace, by entry and field, and how many lines of each file."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.formats.json_patch import same
from lorebook_tui.workspace.saving import is_same

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json
    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.workspace import OpenedBook, Workspace

_MADE_BY_READING: Final = ("addMemo", "displayIndex")
"""Fields of a card's entry that reading makes of others; a change of them is none of the file."""


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """One field that differs; `MISSING` where it is not there."""

    name: str
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class EntryChange:
    """One entry that differs."""

    opened: OpenedBook
    """The book it is in, in the state where it is."""
    before: Entry | None
    """None: it is new."""
    after: Entry | None
    """None: it is gone."""
    fields: tuple[FieldDifference, ...] = ()

    @property
    def entry(self) -> Entry:
        """The entry as it was, or as it is if it is new."""
        entry = self.before or self.after
        if entry is None:
            raise AssertionError("a change without an entry")
        return entry

    @property
    def title(self) -> str:
        """Its title before the change; foreign text."""
        return self.entry.title

    @property
    def reference(self) -> str:
        """`BOOK#UID`; foreign text."""
        return f"{self.opened.book.name}#{self.entry.uid_text}"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that differs."""

    source: Source
    """As it is afterwards."""
    lines: int
    """Lines of its text (for a card in an image: of its JSON) that are changed, added or removed."""
    entries: tuple[EntryChange, ...]


def differences(before: Workspace, after: Workspace) -> tuple[FileChange, ...]:
    """The files that differ, in the order of the workspace; files that are only in one of the two are left out."""
    was = {source.ident: source for source in before.sources}
    found = []
    for source in after.sources:
        old = was.get(source.ident)
        if old is not None and not is_same(old.loaded, source.loaded):
            found.append(_file_change(before, after, old, source))
    return tuple(found)


def _file_change(before: Workspace, after: Workspace, old: Source, new: Source) -> FileChange:
    entries: list[EntryChange] = []
    for position in range(min(len(old.loaded.books), len(new.loaded.books))):
        pair = _opened(before, old, position), _opened(after, new, position)
        if pair[0] is None or pair[1] is None:
            continue
        entries += _entry_changes(pair[0], pair[1])
    lines = changed_lines(old.loaded, new.loaded, entries)
    lines += sum(map(_commas, old.loaded.books, new.loaded.books))
    return FileChange(new, min(lines, _line_count(old.loaded, new.loaded)), tuple(entries))


def _opened(workspace: Workspace, source: Source, position: int) -> OpenedBook | None:
    return next(
        (opened for opened in workspace.books if opened.source.ident == source.ident and opened.position == position),
        None,
    )


def _raw(entry: Entry) -> int:
    """What tells an entry from others as long as nothing about it changes."""
    return id(entry.fields if entry.source is None else entry.source)


def pairs(before: Book, after: Book) -> Iterator[tuple[Entry | None, Entry | None]]:
    """Which entry of before is which afterwards, without those about which nothing changed."""
    stayed = {_raw(entry) for entry in before.entries} & {_raw(entry) for entry in after.entries}
    old = [entry for entry in before.entries if _raw(entry) not in stayed]
    new = [entry for entry in after.entries if _raw(entry) not in stayed]
    by_key = {entry.key: entry for entry in new}
    for entry in old:
        yield entry, by_key.pop(entry.key, None)
    for entry in new:
        if entry.key in by_key:
            yield None, entry


def _entry_changes(before: OpenedBook, after: OpenedBook) -> Iterator[EntryChange]:
    for old, new in pairs(before.book, after.book):
        opened = after if old is None else before
        fields = tuple(field_differences(old, new)) if old is not None and new is not None else ()
        yield EntryChange(opened, old, new, fields)


def field_differences(before: Entry, after: Entry) -> Iterator[FieldDifference]:
    """The fields in which two states of an entry differ, in the order of the file."""
    derived = _MADE_BY_READING if after.source is not None else ()
    for name in dict.fromkeys([*before.fields, *after.fields]):
        old, new = before.get(name), after.get(name)
        if not same(old, new) and not (name in derived and not _is_stored(after, name)):
            yield FieldDifference(name, old, new)


def _is_stored(entry: Entry, name: str) -> bool:
    extensions = entry.source.get("extensions") if entry.source else None
    return name == "displayIndex" and isinstance(extensions, dict) and extensions.get("display_index") is not None


def changed_lines(before: Loaded, after: Loaded, entries: list[EntryChange]) -> int:
    """Lines of a file that differ, counted entry by entry so that big files cost what changed in them."""
    count = 0
    for change in entries:
        old = _lines(before.document, change.before)
        new = _lines(after.document, change.after)
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        for kind, from_old, to_old, from_new, to_new in matcher.get_opcodes():
            if kind != "equal":
                count += max(to_old - from_old, to_new - from_new)
    return count


def _commas(before: Book, after: Book) -> int:
    """Entries that stay but for the comma behind them: the last one of one state is not the last of the other."""
    last = {_raw(book.entries[-1]) for book in (before, after) if book.entries}
    if len(last) <= 1:
        return 0
    stayed = {_raw(entry) for entry in before.entries} & {_raw(entry) for entry in after.entries}
    return len(last & stayed)


def _line_count(before: Loaded, after: Loaded) -> int:
    """Lines of the longer of two states of a file."""
    return max(document.text.count("\n") + 1 for loaded in (before, after) for document in loaded.documents[:1])


def _lines(document: JsonDocument, entry: Entry | None) -> list[str]:
    """The text of an entry, from the line it begins on to the one it ends on."""
    if entry is None:
        return []
    start, end = document.span(entry.path)
    return document.text[start:end].splitlines()
