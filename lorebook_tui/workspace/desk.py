"""The desk: the one place where the open workspace changes. Keeps the history and knows what is not saved yet."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from lorebook_tui.workspace.history import History, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.workspace import Workspace


class Desk:
    """A workspace that is worked on. For one thread; the workspaces it hands out are frozen.

    Args:
        workspace: as it was opened: what its files hold is on the disk.
        clock: seconds of a steady clock, for edits in quick succession.
    """

    def __init__(self, workspace: Workspace, clock: Callable[[], float] = monotonic) -> None:
        self.workspace = workspace
        self.opened = workspace
        """As it was opened or, for its options, last saved."""
        self.revision = 0
        """One more after each change."""
        self.watchers: list[Callable[[Workspace], None]] = []
        """Told of every change, after it."""
        self._history = History()
        self._clock = clock
        self._on_disk: dict[int, tuple[JsonDocument, ...]] = {
            source.ident: source.loaded.documents for source in workspace.sources
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
        """Whether a file has changes that are not saved, or was never saved."""
        kept = self._on_disk.get(source.ident)
        current = source.loaded.documents
        return kept is None or len(kept) != len(current) or any(a is not b for a, b in zip(kept, current, strict=True))

    @property
    def are_options_dirty(self) -> bool:
        """Whether settings, engine, seed or the like differ from those that were opened or saved."""
        return any(getattr(self.workspace, name) != getattr(self.opened, name) for name in OPTIONS)

    def mark_saved(self, source: Source) -> None:
        """What the file holds now is on the disk."""
        self._on_disk[source.ident] = source.loaded.documents

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
