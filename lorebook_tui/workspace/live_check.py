"""The linter while somebody edits: kept over edits, so that only what an edit touches is looked at again.

One thread at a time; what comes out is frozen and belongs to the workspace that was looked at.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LorebookError
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import Severity
from lorebook_tui.lint.memory import CheckStopped
from lorebook_tui.lint.rule import EntryRule, GroupRule
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.subjects import FileView
from lorebook_tui.model.fields import ENTRY_FIELDS, json_name
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace.check_config import config_of, nearest
from lorebook_tui.workspace.check_workspace import world_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.lint.findings import Finding, Fix
    from lorebook_tui.lint.subjects import BookView, EntryView
    from lorebook_tui.model.js import Json, JsonPath
    from lorebook_tui.workspace.workspace import Workspace

BookKey = tuple[Layer, int]
_CARD: Final = "v2"


@dataclass(frozen=True, slots=True)
class Note:
    """A finding, and where it stands in the workspace."""

    finding: Finding
    ident: int
    """Of the file."""
    loaded: Loaded | None
    """The file as it was looked at."""
    ref: EntryRef | None = None
    """Its entry; None: the file or the book as a whole."""
    book: BookKey | None = None
    field: str = ""
    """SillyTavern's name of the field it is about; "": the entry as a whole."""
    item: int | None = None
    """Number of the item of a list."""
    fields: Mapping[str, Json] | None = None
    """The entry as it was looked at."""

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.finding.severity

    @property
    def fix(self) -> Fix | None:
        """What would repair it."""
        return self.finding.fix

    @property
    def title(self) -> str:
        """Of its entry, else of its file. Foreign text."""
        return self.finding.title or Path(self.finding.file.name).name

    @property
    def key(self) -> tuple[object, ...]:
        """Tells findings apart, also of two checks."""
        return (self.ref, self.finding.code, self.field, self.item, self.finding.message)


@dataclass(frozen=True)
class Notes:
    """Everything the rules have to say of a workspace."""

    listed: tuple[Note, ...] = ()
    """By layer, book and entry; what concerns a whole book before its entries."""
    by_entry: Mapping[EntryRef, tuple[Note, ...]] = field(default_factory=dict)
    counts: Mapping[BookKey, tuple[int, int]] = field(default_factory=dict)
    """Errors and warnings, by book."""
    worst: Mapping[EntryRef, Severity] = field(default_factory=dict)
    """The worst of each entry, mere hints left out."""
    workspace: Workspace | None = None
    """What was looked at."""
    is_whole: bool = False
    """False: the rules that look at whole files and books have not said anything new yet."""
    suppressed: int = 0
    trouble: LorebookError | None = None
    """Why the configuration does not count."""


class LiveCheck:
    """Holds the linter and the views of the files."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._linter: Linter | None = None
        self._files: dict[int, FileView] = {}
        self._slow: tuple[Finding, ...] = ()
        """What the rules that look at whole files and books have said last."""
        self._trouble: LorebookError | None = None

    def check(
        self, workspace: Workspace, *, deep: bool = True, is_stopped: Callable[[], bool] = lambda: False
    ) -> Notes | None:
        """Look at a workspace; for workers.

        Args:
            workspace: as it is now.
            deep: False leaves rules out that look at whole files and books; what they said before stands as far as its
                entries are still there.
            is_stopped: whether nobody waits any more.

        Returns:
            None if it was stopped.
        """
        with self._lock:
            linter = self._ready(workspace)
            self._renew(workspace)
            world = world_of(workspace, self._files)
            try:
                report = linter.check(world, deep=deep, is_stopped=is_stopped)
            except CheckStopped:
                return None
            quick = {rule.code for rule in linter.rules if isinstance(rule, (EntryRule, GroupRule))}
            if deep:
                self._slow = tuple(each for each in report.findings if each.code not in quick)
                found: tuple[Finding, ...] = report.findings
            else:
                found = (*report.findings, *filter(_still_stands, self._slow))
            listed = self._listed(workspace, found, world.books)
            return _notes(listed, workspace, report.suppressed, self._trouble, is_whole=deep)

    @property
    def config(self) -> LintConfig:
        """Which rules run, and how."""
        return self._linter.config if self._linter is not None else LintConfig()

    def _ready(self, workspace: Workspace) -> Linter:
        if self._linter is None:
            try:
                self._linter = Linter(_config(workspace))
            except LorebookError as error:
                self._trouble = error
                self._linter = Linter()
        return self._linter

    def _renew(self, workspace: Workspace) -> None:
        """The views of the files as they are now."""
        files = {}
        for source in workspace.sources:
            view = self._files.get(source.ident)
            if view is None:
                view = FileView(str(source.path), source.loaded)
            elif view.loaded is not source.loaded:
                view.renew(source.loaded)
            view.name = str(source.path)
            files[source.ident] = view
        self._files = files

    def _listed(self, workspace: Workspace, found: Iterable[Finding], books: tuple[BookView, ...]) -> list[Note]:
        places: dict[int, list[BookKey]] = defaultdict(list)
        of_file: dict[int, list[BookKey]] = defaultdict(list)
        numbers: dict[Layer, int] = defaultdict(int)
        for opened, view in zip(workspace.books, books, strict=True):
            key = (opened.layer, numbers[opened.layer])
            numbers[opened.layer] += 1
            of_file[id(view.file)].append(key)
            for same in (view, view.file.books[opened.position]):
                if key not in places[id(same)]:
                    places[id(same)].append(key)
        idents = {id(view): ident for ident, view in self._files.items()}
        made: dict[tuple[object, ...], Note] = {}
        for finding in found:
            ident = idents.get(id(finding.file))
            if ident is None:
                continue
            keys = places.get(id(finding.entry.book), ()) if finding.entry else of_file.get(id(finding.file), [])[:1]
            for note in _placed(finding, ident, keys):
                made.setdefault(note.key if note.ref else (id(finding),), note)
        return sorted(made.values(), key=_order)


def _config(workspace: Workspace) -> LintConfig:
    path = workspace.file
    if path is None and workspace.sources:
        path = nearest(workspace.sources[0].path)
    return config_of(path if path is not None and path.is_file() else None)


def _placed(finding: Finding, ident: int, keys: Iterable[BookKey]) -> list[Note]:
    """A finding at each place where its book is attached."""
    loaded, view = finding.file.loaded, finding.entry
    listed = list(keys)
    if view is None:
        return [Note(finding, ident, loaded, book=listed[0] if listed else None)]
    name, item = field_of(finding, view)
    return [
        Note(finding, ident, loaded, EntryRef(*key, view.number), key, name, item, view.entry.fields) for key in listed
    ]


def field_of(finding: Finding, view: EntryView) -> tuple[str, int | None]:
    """SillyTavern's name of the field that a finding is about, and the number of the item of its list."""
    path, own = finding.path, view.entry.path
    if path[: len(own)] != own or len(path) == len(own):
        return "", None
    steps = path[len(own) :]
    if view.entry.source is None:
        name, rest = str(steps[0]), steps[1:]
    else:
        name, rest = _card_field(steps)
    return name, rest[0] if rest and isinstance(rest[0], int) else None


def _card_field(steps: JsonPath) -> tuple[str, JsonPath]:
    names = _card_names()
    for length in range(len(steps), 0, -1):
        if (name := names.get(steps[:length])) is not None:
            return name, steps[length:]
    return "", ()


@cache
def _card_names() -> dict[JsonPath, str]:
    """SillyTavern's name of a field by its place in an entry of a card."""
    written = ((row.name, json_name(row, _CARD)) for row in ENTRY_FIELDS)
    return {tuple(path.lstrip("!").split(".")): name for name, path in written if path}


def _still_stands(finding: Finding) -> bool:
    """Whether a finding's entry is in its book as it was."""
    view = finding.entry
    if view is None:
        return finding.file.loaded is not None
    entries = view.book.entries
    return view.number < len(entries) and entries[view.number] is view


def _order(note: Note) -> tuple[int, int, int, int]:
    if note.book is None:
        return (-1, 0, -1, note.severity.rank)
    layer, number = note.book
    return (layer.number, number, note.ref.entry if note.ref else -1, note.severity.rank)


def _notes(
    listed: list[Note], workspace: Workspace, suppressed: int, trouble: LorebookError | None, *, is_whole: bool
) -> Notes:
    by_entry: dict[EntryRef, list[Note]] = defaultdict(list)
    counts: dict[BookKey, tuple[int, int]] = {}
    worst: dict[EntryRef, Severity] = {}
    for note in listed:
        if note.ref is not None:
            by_entry[note.ref].append(note)
            if note.severity is not Severity.INFO:
                before = worst.get(note.ref, Severity.INFO)
                worst[note.ref] = min(before, note.severity, key=lambda each: each.rank)
        if note.book is not None and note.severity is not Severity.INFO:
            errors, warnings = counts.get(note.book, (0, 0))
            is_error = note.severity is Severity.ERROR
            counts[note.book] = (errors + is_error, warnings + (not is_error))
    entries = {ref: tuple(notes) for ref, notes in by_entry.items()}
    return Notes(tuple(listed), entries, counts, worst, workspace, is_whole, suppressed, trouble)
