"""From the desk into the journal, and from a recovery back onto the desk: as one edit that can be undone."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.workspace.conflict import Side, three_way
from lorebook_tui.workspace.edits import Edited, with_source
from lorebook_tui.workspace.files import Opener, Source
from lorebook_tui.workspace.journal import Unsaved
from lorebook_tui.workspace.merging import merge
from lorebook_tui.workspace.options import arranged, arrangement_of, changed_options, paths_in, with_options
from lorebook_tui.workspace.saving import OnDisk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.workspace.desk import Desk
    from lorebook_tui.workspace.journal import Journal
    from lorebook_tui.workspace.recovery import RecoveredFile, Recovery
    from lorebook_tui.workspace.workspace import Workspace

OPTIONS = "options"
ARRANGEMENT = "arrangement"


@dataclass(frozen=True, slots=True)
class Restored:
    """A recovery as an edit of the workspace."""

    edited: Edited
    bases: Mapping[int, OnDisk] = field(default_factory=dict)
    """By `Source.ident`: what the disk holds of files that were not open before; for the desk to know."""


def note_down(journal: Journal, desk: Desk, told: str = "") -> None:
    """Tell the journal what is unsaved on the desk. Returns at once.

    Args:
        journal: of this session.
        desk: as it is now.
        told: what was done last.
    """
    journal.record(unsaved_on(desk), values_on(desk), told)


def opened_by(workspace: Workspace) -> tuple[Path, ...]:
    """What to open to have a workspace again: its workspace file, or its files."""
    return (workspace.file,) if workspace.file else tuple(source.path for source in workspace.sources)


def unsaved_on(desk: Desk) -> tuple[Unsaved, ...]:
    """The files with unsaved work."""
    return tuple(
        Unsaved(str(source.ident), source.path, source.loaded, desk.base(source), desk.disk_path(source))
        for source in desk.dirty
    )


def values_on(desk: Desk) -> dict[str, Any]:
    """Options that differ from those that were opened or saved, and who stands where if that differs."""
    options = changed_options(desk.workspace, desk.opened)
    arrangement = arrangement_of(desk.workspace)
    found: dict[str, Any] = {OPTIONS: options} if options else {}
    return {**found, ARRANGEMENT: arrangement} if arrangement != arrangement_of(desk.opened) else found


def restored(workspace: Workspace, recovery: Recovery, sides: Mapping[Path, Side] | None = None) -> Restored:
    """The workspace with everything that a recovery holds.

    Files that somebody else changed meanwhile are merged; where both changed a field, the recovered one counts.

    Args:
        workspace: as it was opened.
        recovery: what a session left.
        sides: for such fields, whose value counts, by path of the file.
    """
    made = workspace
    bases: dict[int, OnDisk] = {}
    for file in recovery.files:
        side = (sides or {}).get(file.path, Side.MINE)
        source = _open_source(made, file)
        if source is not None:
            made = with_source(made, source.ident, replace(source, path=file.path, loaded=_onto(file, source, side)))
            continue
        source = Source(file.path, merge(ways, default=side) if (ways := file.three_way()) else file.loaded)
        made = replace(made, sources=(*made.sources, source))
        on_disk = file.theirs or file.base
        if on_disk is not None and not file.disk.is_missing:
            bases[source.ident] = OnDisk(file.disk_path, on_disk)
    made, reopened = _with_files_of(made, recovery.values.get(ARRANGEMENT))
    bases |= reopened
    made = _with_values(made, recovery.values)
    count = len(recovery.files)
    return Restored(Edited(made, f"recover {count} {'file' if count == 1 else 'files'}"), bases)


def _with_files_of(workspace: Workspace, arrangement: Mapping[str, Any] | None) -> tuple[Workspace, dict[int, OnDisk]]:
    """The workspace with the saved files that were open, too, such as a branch of the chat; those gone are left out."""
    known = {str(source.path) for source in workspace.sources}
    opener = Opener(user=workspace.cast.persona.name)
    for name in paths_in(arrangement) if arrangement else ():
        if name not in known and Path(name).is_file():
            with contextlib.suppress(LorebookError):
                opener.open(Path(name))
    fresh = tuple(opener.sources.values())
    made = replace(workspace, sources=(*workspace.sources, *fresh))
    return made, {source.ident: OnDisk(source.path, source.loaded) for source in fresh}


def _open_source(workspace: Workspace, file: RecoveredFile) -> Source | None:
    """The open file that a recovered one is a state of."""
    places = {file.path.resolve(), file.disk_path.resolve()}
    return next((each for each in workspace.sources if each.path.resolve() in places), None)


def _onto(file: RecoveredFile, source: Source, side: Side) -> Loaded:
    """The recovered edits on the file as it was opened now, which is what the disk holds."""
    if file.base is None or not file.is_changed_on_disk:
        return file.onto(source.loaded)
    return merge(three_way(file.base, source.loaded, file.loaded), default=side)


def _with_values(workspace: Workspace, values: Mapping[str, Any]) -> Workspace:
    made = workspace
    try:
        made = with_options(made, values.get(OPTIONS, {}))
    except UsageError:
        made = replace(made, notices=(*made.notices, "The recovered options cannot be used; they are left out."))
    if ARRANGEMENT in values:
        made = arranged(made, values[ARRANGEMENT])
    transcript = made.chat.loaded.transcript if made.chat else None
    return replace(made, transcript=transcript) if transcript is not None else made
