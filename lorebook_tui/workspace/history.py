"""Undo and redo across all books: whole workspaces as they were, edits of one kind in quick succession as one step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Hashable

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.workspace import Workspace

GROUPED_WITHIN: Final = 1.5
"""Seconds between two edits of a group that are undone together."""
MOST_STEPS: Final = 1000


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that can be undone."""

    told: str
    """What was done, as an order. May quote foreign titles."""
    before: Workspace
    after: Workspace
    focus_before: tuple[EntryRef, ...] = ()
    """What was chosen before it, valid in `before`."""
    focus_after: tuple[EntryRef, ...] = ()
    """What it was done to, valid in `after`."""


class History:
    """The steps that led to the workspace as it is, and those taken back."""

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._group: Hashable | None = None
        self._at = 0.0

    def add(self, step: Step, group: Hashable | None, now: float) -> None:
        """Remember a step; what was undone before it is gone.

        Args:
            step: what was done.
            group: steps of an equal group that follow each other quickly become one; None: on its own.
            now: seconds of a steady clock.
        """
        self._undone.clear()
        is_more = group is not None and group == self._group and now - self._at <= GROUPED_WITHIN and self._done
        if is_more:
            first = self._done[-1]
            self._done[-1] = replace(step, before=first.before, focus_before=first.focus_before)
        else:
            self._done.append(step)
            del self._done[:-MOST_STEPS]
        self._group, self._at = group, now

    def close_group(self) -> None:
        """The next step stands on its own, whatever its group."""
        self._group = None

    def undo(self) -> Step | None:
        """Take back the last step; None if there is none."""
        self.close_group()
        if not self._done:
            return None
        self._undone.append(self._done.pop())
        return self._undone[-1]

    def redo(self) -> Step | None:
        """Do again what was taken back last; None if nothing was."""
        self.close_group()
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1]

    @property
    def undo_told(self) -> str:
        """What undo would take back; "" if nothing."""
        return self._done[-1].told if self._done else ""

    @property
    def redo_told(self) -> str:
        """What redo would do again; "" if nothing."""
        return self._undone[-1].told if self._undone else ""
