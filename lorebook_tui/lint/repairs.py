"""Applies fixes to a file as it was read: those that do not meet each other in one go, the rest after another check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.formats import convert, detect
from lorebook_tui.formats.clip import OWN_OF_A_FILE
from lorebook_tui.formats.entry_edits import with_entries, with_fields
from lorebook_tui.formats.json_text import JsonDocument
from lorebook_tui.formats.text import Encoding
from lorebook_tui.lint.findings import Grade, Recode, ReplaceText, SetAt, SetField, TakeBook, TakeEntries
from lorebook_tui.lint.shelf import mark_of, marks_of, unknown_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.lint.findings import Change, Finding, Fix
    from lorebook_tui.model.js import JsonPath

    Reader = Callable[[str], Loaded]
    """Gives another file by the name that a change calls it by, or raises a `LorebookError`."""

_SHAPES: Final[tuple[JsonPath, ...]] = ((), ("entries",))
"""Places whose value decides which format a file has."""


@dataclass(frozen=True)
class Repaired:
    """A file after fixes."""

    loaded: Loaded
    applied: tuple[Finding, ...]
    left: tuple[Finding, ...]
    """Findings whose fixes meet an applied one, or could not be made; check again to get them afresh."""


def fixable(findings: Iterable[Finding], *, offered: bool = False) -> list[Finding]:
    """The findings that can be repaired.

    Args:
        findings: of one file.
        offered: take fixes that are guesses too.
    """
    grades = {Grade.SAFE, Grade.OFFERED} if offered else {Grade.SAFE}
    return [finding for finding in findings if finding.fix is not None and finding.fix.grade in grades]


def repaired(loaded: Loaded, findings: Iterable[Finding], read: Reader | None = None) -> Repaired:
    """The file with the fixes of as many findings as do not meet each other.

    Args:
        loaded: the file.
        findings: of that file, each with a fix.
        read: for fixes that take something from another file; None: they are left.
    """
    applied, left = [], []
    taken: list[JsonPath] = []
    for finding in findings:
        places = [place_of(change) for change in finding.fix.changes] if finding.fix else []
        if not places or any(meet(place, other) for place in places for other in taken):
            left.append(finding)
            continue
        try:
            loaded = with_fix(loaded, finding.fix, read) if finding.fix else loaded
        except LorebookError:
            left.append(finding)
            continue
        applied.append(finding)
        taken += places
        if any(_shifts(change, loaded) for change in (finding.fix.changes if finding.fix else ())):
            taken.append(())
    return Repaired(loaded, tuple(applied), tuple(left))


def with_fix(loaded: Loaded, fix: Fix, read: Reader | None = None) -> Loaded:
    """The file with one fix.

    Args:
        loaded: the file.
        fix: of a finding about it.
        read: for a fix that takes something from another file.

    Raises:
        UsageError: its place is not there any more, or there is nothing to take.
        LorebookError: the other file cannot be read, or does not fit.
    """
    for change in fix.changes:
        if isinstance(change, (TakeBook, TakeEntries)):
            return _with_theirs(loaded, change, read)
    by_path = {entry.path: entry for book in loaded.books for entry in book.entries}
    fields = [
        (by_path[change.entry], change.name, change.value)
        for change in fix.changes
        if isinstance(change, SetField) and change.entry in by_path
    ]
    if fields:
        loaded = with_fields(loaded, fields)
    others = [(change.path, change.value) for change in fix.changes if isinstance(change, SetAt)]
    if any(path in _SHAPES for path, _ in others):
        data = loaded.container.pack((loaded.document.changed(others),))
        loaded = detect.load(data, loaded.name, user=loaded.user, strict=loaded.strict)
    elif others:
        loaded = loaded.edited(loaded.document.changed(others))
    if any(isinstance(change, Recode) for change in fix.changes):
        old = loaded.document
        plain = JsonDocument(old.value, old.text, Encoding(), doubled=old.has_doubled_names)
        loaded = loaded.read_anew((plain,))
    return loaded


def _with_theirs(loaded: Loaded, change: TakeBook | TakeEntries, read: Reader | None) -> Loaded:
    if read is None:
        raise UsageError("This takes another file.", expected=change.file)
    other = read(change.file)
    if isinstance(change, TakeBook):
        return convert.embedded(loaded, other, change.position).loaded
    theirs = other.books[change.position]
    wanted = unknown_marks(marks_of(theirs), marks_of(loaded.require_book()))
    entries = [
        {name: value for name, value in entry.fields.items() if name not in OWN_OF_A_FILE}
        for entry in theirs.entries
        if mark_of(entry) in wanted
    ]
    if not entries:
        raise UsageError("It has no entry any more that would be new here.", where=change.file)
    return with_entries(loaded, entries)[0]


def replaced_text(text: str, changes: Iterable[ReplaceText]) -> str:
    """A text that is no JSON with some characters replaced; places count before all changes.

    Of changes that begin inside an earlier one, the earlier one counts.
    """
    pieces: list[str] = []
    place = 0
    for change in sorted(changes, key=lambda each: (each.start, each.end)):
        if change.start >= place:
            pieces += [text[place : change.start], change.text]
            place = change.end
    return "".join([*pieces, text[place:]])


def place_of(change: Change) -> JsonPath:
    """What a change touches."""
    if isinstance(change, SetField):
        return (*change.entry, change.name)
    return change.path if isinstance(change, SetAt) else ()


def meet(one: JsonPath, other: JsonPath) -> bool:
    """Whether one place is, or is inside, the other."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def _shifts(change: Change, loaded: Loaded) -> bool:
    """Whether a change removes or inserts an item of a list, so that later places have moved."""
    del loaded
    return isinstance(change, SetAt) and bool(change.path) and isinstance(change.path[-1], int)
