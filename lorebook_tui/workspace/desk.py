"""The desk: the one place where the open workspace changes. Keeps the history and knows what is not saved yet."""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from lorebook_tui.workspace import saving
from lorebook_tui.workspace.backups import BackupPolicy
from lorebook_tui.workspace.edits import Edited, with_files, with_source
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.history import History, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from pathlib import Path

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.store import Saved
    from lorebook_tui.workspace.workspace import Workspace


class Desk:
    """A workspace that is worked on. For one thread; the workspaces it hands out are frozen.

    Args:
        workspace: as it was opened: what its files hold is on the disk.
        clock: seconds of a steady clock, for edits in quick succession.
        backup: keeps what files held before they are overwritten.
    """

    def __init__(
        self, workspace: Workspace, clock: Callable[[], float] = monotonic, backup: BackupPolicy | None = None
    ) -> None:
        self.workspace = workspace
        self.opened = workspace
        """As it was opened or, for its options, last saved."""
        self.revision = 0
        """One more after each change."""
        self.watchers: list[Callable[[Workspace], None]] = []
        """Told of every change, after it."""
        self._history = History()
        self._clock = clock
        self.backup = backup or BackupPolicy()
        """Keeps what files held before this session overwrites them."""
        self._on_disk: dict[int, saving.OnDisk] = {
            source.ident: saving.OnDisk(source.path, source.loaded) for source in workspace.sources
        }

    def do(self, edited: Edited, group: Hashable | None = None, focus: tuple[EntryRef, ...] = ()) -> Edited:
        """Take an edit.

        Args:
            edited: made from the workspace as it is.
            group: edits of an equal group in quick succession are undone together.
            focus: what is chosen now, to be chosen again after undo.
        """
        if edited.workspace is not self.workspace:
            step = Step(edited.told, self.workspace, edited.workspace, focus or edited.focus, edited.focus)
            self._history.add(step, group, self._clock())
            self._become(edited.workspace)
        return edited

    def undo(self) -> Step | None:
        """Take back the last step; None if there is none."""
        step = self._history.undo()
        if step is not None:
            self._become(step.before)
        return step

    def redo(self) -> Step | None:
        """Do again what was taken back last; None if nothing was."""
        step = self._history.redo()
        if step is not None:
            self._become(step.after)
        return step

    def close_group(self) -> None:
        """The next edit is undone on its own."""
        self._history.close_group()

    @property
    def undo_told(self) -> str:
        """What undo would take back; "" if nothing."""
        return self._history.undo_told

    @property
    def redo_told(self) -> str:
        """What redo would do again; "" if nothing."""
        return self._history.redo_told

    @property
    def dirty(self) -> tuple[Source, ...]:
        """Files with changes that are not saved."""
        return tuple(source for source in self.workspace.sources if self.is_dirty(source))

    def is_dirty(self, source: Source) -> bool:
        """Whether a file has changes that are not saved, another name than on the disk, or was never saved."""
        kept = self._on_disk.get(source.ident)
        return kept is None or kept.path != source.path or not saving.is_same(kept.loaded, source.loaded)

    def is_new(self, source: Source) -> bool:
        """Whether a file was never saved."""
        return source.ident not in self._on_disk

    def base(self, source: Source) -> Loaded | None:
        """What the disk held when the file was opened or last saved; None if it was never saved."""
        kept = self._on_disk.get(source.ident)
        return kept.loaded if kept else None

    def disk_path(self, source: Source) -> Path | None:
        """Where the file lay when it was opened or last saved; None if it was never saved."""
        kept = self._on_disk.get(source.ident)
        return kept.path if kept else None

    def know(self, source: Source, theirs: Loaded | None = None, path: Path | None = None) -> None:
        """Learn what the disk holds of a file that was saved, or opened after the workspace.

        Args:
            source: the file.
            theirs: what the disk holds; None: what the file holds.
            path: where it lies; None: where the file is to be saved.
        """
        self._on_disk[source.ident] = saving.OnDisk(path or source.path, theirs or source.loaded)

    def save(self, source: Source, *, force: bool = False) -> Saved:
        """Write a file.

        Args:
            source: of the workspace as it is.
            force: whatever is on the disk gives way; a backup of it is kept.

        Raises:
            ChangedOnDiskError: somebody else changed it since it was opened or saved.
            NotWrittenError: it cannot be written; the old file stands.
        """
        saved = self.writing(source, force=force)()
        self.know(source)
        return saved

    def writing(self, source: Source, *, force: bool = False) -> Callable[[], Saved]:
        """What writes a file, to be called in any thread; afterwards the desk has to `know` the file.

        Args:
            source: of the workspace as it is.
            force: whatever is on the disk gives way; a backup of it is kept.
        """
        self.close_group()
        return partial(saving.write, source, self._on_disk.get(source.ident), self.backup, force=force)

    def save_as(self, source: Source, path: Path, *, force: bool = False) -> Saved:
        """Write a file under another name and go on with that; the old one stays as it is on the disk.

        Raises:
            FileThereError: there is one of that name, and it is not forced.
            NotWrittenError: it cannot be written.
        """
        copied = Source(path, source.loaded.renamed(path.name))
        saved = saving.write(copied, None, self.backup, force=force)
        self._on_disk[copied.ident] = saving.OnDisk(path, copied.loaded)
        self.do(Edited(with_source(self.workspace, source.ident, copied), f"save {source.name} as {path.name}"))
        return saved

    def read_again(self, source: Source) -> Loaded:
        """What the disk holds now.

        Raises:
            UnreadableError: it is gone, or no lore any more.
        """
        return saving.read(source)

    def take_over(self, source: Source, theirs: Loaded, merged: Loaded, told: str) -> Edited:
        """Go on from what somebody else wrote to the disk.

        Args:
            source: whose file it is.
            theirs: what the disk holds.
            merged: what the file holds from now on; the same object if nothing of ours is kept.
            told: what was done, for undo.
        """
        self._on_disk[source.ident] = saving.OnDisk(source.path, theirs)
        return self.do(Edited(with_files(self.workspace, {source.ident: merged}), told))

    @property
    def are_options_dirty(self) -> bool:
        """Whether settings, engine, seed or the like differ from those that were opened or saved."""
        return any(getattr(self.workspace, name) != getattr(self.opened, name) for name in OPTIONS)

    def mark_options_saved(self) -> None:
        """The options are in the workspace file."""
        self.opened = self.workspace

    def _become(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.revision += 1
        for watcher in self.watchers:
            watcher(workspace)


OPTIONS = ("settings", "engine", "seed", "context", "tokenizer", "trigger", "note", "scan_note", "prompt", "cast")
"""Fields of the workspace that belong to its file and to no book."""
