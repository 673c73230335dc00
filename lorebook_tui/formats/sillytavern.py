"""SillyTavern's world files: `{"entries": {"0": {…}}}`, the hub of all formats. Entries are read as they stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.formats.base import Content, Severity
from lorebook_tui.formats.entries import Dialect, home_of, read_book
from lorebook_tui.model.book import Book
from lorebook_tui.model.js import MISSING, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.formats.base import Reporter, Source
    from lorebook_tui.model.js import Json

COPY: Final = "originalData"
STALE_COPY: Final = "stale-copy"
ENTRIES_ARRAY: Final = "entries-array"


@dataclass(frozen=True, slots=True)
class SillyTavernFormat:
    """World files; also an array of entries with SillyTavern's names, in `entries` or alone."""

    name: str = "sillytavern"
    title: str = "a SillyTavern world"

    def recognises(self, value: Json) -> bool:
        """Whether it has `entries`, and they are not in the majority those of a card's book."""
        if isinstance(value, list):
            return home_of(value) is Dialect.SILLYTAVERN
        if not isinstance(value, dict) or not isinstance(value.get("entries"), (dict, list)):
            return False
        return home_of(value["entries"]) is not Dialect.V2

    def read(self, source: Source) -> Content:
        """The book; SillyTavern calls it by the name of its file."""
        value = source.document.value
        root = value if isinstance(value, dict) else {"entries": value}
        path = ("entries",) if isinstance(value, dict) else ()
        entries = root.get("entries", MISSING)
        if isinstance(entries, list) and entries:
            source.reporter.add(
                ENTRIES_ARRAY,
                "`entries` is an array; SillyTavern keeps it so and leaves holes in it when entries are deleted.",
                path,
                expected="an object with the entries by uid",
                found=f"an array of {len(entries)}",
            )
        extras = {name: item for name, item in root.items() if name != "entries"}
        report_copy(root, source.reporter)
        book = Book(source.stem, (), self.name, extras)
        return Content((read_book(source, entries, path, Dialect.SILLYTAVERN, book),))


def report_copy(root: Mapping[str, Json], reporter: Reporter) -> None:
    """The imported card book that SillyTavern keeps beside the entries, if it is not what they are."""
    copy = root.get(COPY)
    entries = root.get("entries")
    kept = copy.get("entries") if isinstance(copy, dict) else None
    if not isinstance(kept, (list, dict)) or not isinstance(entries, (list, dict)):
        return
    theirs = {
        text_of(item.get("id", place)): item.get("content")
        for place, item in (kept.items() if isinstance(kept, dict) else enumerate(kept))
        if isinstance(item, dict)
    }
    ours = {
        text_of(item.get("uid", MISSING)): item.get("content")
        for item in (entries.values() if isinstance(entries, dict) else entries)
        if isinstance(item, dict)
    }
    changed = sum(1 for uid, content in ours.items() if uid in theirs and theirs[uid] != content)
    if len(theirs) != len(ours) or changed:
        reporter.add(
            STALE_COPY,
            "`originalData` holds an older copy of the book; it is kept, and nobody reads it.",
            (COPY,),
            found=f"{len(theirs)} entries beside {len(ours)}, {changed} with another content",
            severity=Severity.INFO,
        )
