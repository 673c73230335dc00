"""Reads a file again after an edit inside some of its entries, at a cost that follows the edit, not the file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lorebook_tui.formats.base import LoadReport, Reporter
from lorebook_tui.formats.entries import revised
from lorebook_tui.formats.sillytavern import COPY, ENTRIES_ARRAY, STALE_COPY, report_copy
from lorebook_tui.model.book import Book
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Finding, Loaded
    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.model.js import Json, JsonPath

_MOST_CHANGED = 200
"""Beyond so many changed entries the whole file is read again."""


def reread(before: Loaded, document: JsonDocument) -> Loaded | None:
    """The file after an edit of its only document.

    Returns:
        None if more changed than the inside of a few entries, or the findings changed; then all of it must be read.
    """
    old = before.documents[0]
    if len(before.books) != 1 or old.has_doubled_names or document.has_doubled_names:
        return None
    book = before.books[0]
    if not book.entries:
        return None
    path = book.entries[0].path[:-1]
    changed = _changed(old.value, document.value, path)
    if changed is None:
        return None
    entries = list(book.entries)
    for index, step, value in changed:
        place = _place_of(book, (*path, step), index)
        made = None if place is None else revised(entries[place], value, index)
        if place is None or made is None:
            return None
        entries[place] = made
    report = _report(before, document)
    content = replace(before.content, books=(Book(book.name, tuple(entries), book.format, book.extras),))
    return replace(before, documents=(document,), content=content, report=report)


def _changed(old: Json, new: Json, path: JsonPath) -> list[tuple[int, str | int, Json]] | None:
    """Place, step and value of each entry that is another object; None if anything else changed."""
    for step in path:
        if not isinstance(old, dict) or not isinstance(new, dict) or list(old) != list(new):
            return None
        if any(old[name] is not new[name] for name in old if name != step):
            return None
        old, new = old[step], new[step]
    if isinstance(old, dict) and isinstance(new, dict) and list(old) == list(new):
        pairs = zip(old.values(), new.items(), strict=True)
        found = [(place, name, item) for place, (was, (name, item)) in enumerate(pairs) if was is not item]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        found = [
            (place, place, item) for place, (was, item) in enumerate(zip(old, new, strict=True)) if was is not item
        ]
    else:
        return None
    return found if len(found) <= _MOST_CHANGED else None


def _place_of(book: Book, path: JsonPath, guess: int) -> int | None:
    """Where the entry with a path stands in its book."""
    if guess < len(book.entries) and book.entries[guess].path == path:
        return guess
    return next((place for place, entry in enumerate(book.entries) if entry.path == path), None)


def _report(before: Loaded, document: JsonDocument) -> LoadReport:
    """The same findings, in the new text; of the book's older copy anew, for it compares contents."""
    root = document.value
    findings: tuple[Finding, ...] = before.report.findings
    if before.format.name == "sillytavern" and isinstance(root, dict) and root.get(COPY, MISSING) is not MISSING:
        reporter = Reporter(document)
        report_copy(root, reporter)
        first = 1 if findings and findings[0].code == ENTRIES_ARRAY else 0
        others = [each for each in findings if each.code != STALE_COPY]
        findings = (*others[:first], *reporter.findings, *others[first:])
    if not before.report.findings and not findings:
        return before.report
    return LoadReport(tuple(finding.moved(document) for finding in findings))
