"""Edits that answer findings: repairs of one or of a whole file, and that an author lets something pass."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.formats import detect
from lorebook_tui.lint.findings import Fix, SetAt
from lorebook_tui.lint.fixing import fixed
from lorebook_tui.lint.repairs import with_fix
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.subjects import FileView, World
from lorebook_tui.lint.suppress import HOME, IGNORE, listed_in
from lorebook_tui.model.js import MISSING
from lorebook_tui.workspace.check_repair import changes_of
from lorebook_tui.workspace.edits import Edited, entry_at, opened_at, with_files
from lorebook_tui.workspace.files import read_bytes

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.lint.config import LintConfig
    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.repairs import Reader
    from lorebook_tui.model.js import Json
    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.live_check import Note
    from lorebook_tui.workspace.workspace import Workspace


@dataclass(frozen=True)
class Plan:
    """Repairs of a whole file, not yet made."""

    source: Source
    """As it was when they were worked out."""
    loaded: Loaded
    applied: tuple[Finding, ...]
    refused: tuple[Finding, ...]
    """Repairs that would have changed what the engine does without saying so."""
    difference: str
    """Of the file's text."""


def repaired(workspace: Workspace, note: Note) -> Edited:
    """The workspace with one finding repaired.

    Raises:
        UsageError: nothing repairs it, or what it is about was changed since.
    """
    fix = note.fix
    if fix is None:
        raise UsageError("Nothing repairs this by itself.", found=note.finding.message)
    source = _current(workspace, note)
    told = f"{fix.told} in {quote(note.title)}" if note.ref is not None else fix.told
    made = with_files(workspace, {source.ident: with_fix(source.loaded, fix, _reader(workspace))})
    said = " It may change which entries come in." if fix.alters_activation else ""
    return Edited(made, told, (note.ref,) if note.ref is not None else (), f"Done: {fix.told}.{said}")


def _reader(workspace: Workspace) -> Reader:
    """Gives files as they stand in the workspace, and others as they stand on disk."""

    def read(name: str) -> Loaded:
        opened = next((source.loaded for source in workspace.sources if str(source.path) == name), None)
        return opened if opened is not None else detect.load(read_bytes(Path(name)), Path(name).name)

    return read


def let_pass(workspace: Workspace, note: Note, *, whole_book: bool = False) -> Edited:
    """The workspace in which an entry, or its book, says that a finding is fine.

    It is written into the extension data, `extensions.lorebook.ignore`, never into a content.

    Raises:
        UsageError: what it is about was changed since, or is no book.
    """
    source, code = _current(workspace, note), note.finding.code
    if note.book is None:
        raise UsageError("This is about no book: let it pass in `lorebook.toml`.", found=note.title)
    if note.ref is None or whole_book:
        book = opened_at(workspace, *note.book).book
        path = book.entries[0].path[:-2] if book.entries else ()
        where = book.name
    else:
        path, where = entry_at(workspace, note.ref).path, note.title
    raw = source.loaded.document.at(path)
    if not isinstance(raw, dict):
        raise UsageError("There is no place for this in the file.", hint="Let it pass in `lorebook.toml`.")
    extensions = raw.get("extensions", MISSING)
    change = SetAt((*path, "extensions"), _with_code(extensions, code))
    fix = Fix(f"let {code} pass in {quote(where)}", (change,))
    made = with_files(workspace, {source.ident: with_fix(source.loaded, fix)})
    return Edited(
        made, fix.told, (note.ref,) if note.ref is not None else (), f"{code} passes in {quote(where)} from now on."
    )


def _with_code(extensions: Json, code: str) -> dict[str, Json]:
    """Extension data that let one more code pass."""
    made = dict(extensions) if isinstance(extensions, dict) else {}
    home = made.get(HOME)
    home = dict(home) if isinstance(home, dict) else {}
    ignored = home.get(IGNORE)
    if isinstance(ignored, (list, str)):
        home[IGNORE] = [*(ignored if isinstance(ignored, list) else listed_in(ignored)), code]
    else:
        home[IGNORE] = {**(ignored if isinstance(ignored, dict) else {}), code: ""}
    return {**made, HOME: home}


def planned(workspace: Workspace, source: Source, config: LintConfig) -> Plan:
    """All safe repairs of a file, each proved to leave alone what the engine does; for workers.

    Args:
        workspace: what is open.
        source: one of its files.
        config: which rules count.
    """
    view = FileView(str(source.path), source.loaded)

    def world_with(file: FileView) -> World:
        return World(
            files=(file,),
            books=file.books,
            settings=workspace.settings,
            context=workspace.context,
            prompt=workspace.prompt,
            cast=workspace.cast,
            note=workspace.note,
            chats=(workspace.transcript,) if workspace.transcript.messages else (),
        )

    done = fixed(view, Linter(config), world_with)
    shown = changes_of(view, done, source.path) if done.applied else ""
    return Plan(source, done.loaded, done.applied, done.refused, shown)


def carried_out(workspace: Workspace, plan: Plan) -> Edited:
    """The workspace with the repairs of a whole file.

    Raises:
        UsageError: the file was changed since.
    """
    now = next((source for source in workspace.sources if source.ident == plan.source.ident), None)
    if now is None or now.loaded is not plan.source.loaded:
        raise UsageError("The file was changed since the repairs were worked out.", hint="Ask for them again.")
    count = len(plan.applied)
    told = f"make {count} repair{'s' if count != 1 else ''} in {now.name}"
    return Edited(with_files(workspace, {now.ident: plan.loaded}), told)


def _current(workspace: Workspace, note: Note) -> Source:
    """The file of a finding, as long as the finding still fits."""
    source = next((each for each in workspace.sources if each.ident == note.ident), None)
    if source is not None:
        if source.loaded is note.loaded:
            return source
        if note.ref is not None and len(workspace.of(note.ref.layer)) > note.ref.book:
            entries = opened_at(workspace, note.ref.layer, note.ref.book).book.entries
            if note.ref.entry < len(entries) and entries[note.ref.entry].fields is note.fields:
                return source
    raise UsageError("This was changed since the check.", hint="The check follows in a moment; try again then.")
