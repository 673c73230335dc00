"""Undo and redo across all books: whole workspaces as they were, edits of one kind in quick succession as one step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.workspace.slim import SlimWorkspace, slim

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


@dataclass(slots=True)
class _Kept:
    """A step as it is remembered: of its two workspaces only the one on the far side, soon as a mere difference."""

    told: str
    focus_before: tuple[EntryRef, ...]
    focus_after: tuple[EntryRef, ...]
    state: Workspace | SlimWorkspace
    """What undo (or redo) leads to. Slim against the workspace on the near side of the step."""

    def make_slim(self, near: Workspace) -> None:
        """Give up the workspace for its difference from the one on the near side."""
        if not isinstance(self.state, SlimWorkspace):
            self.state = slim(self.state, near)

    def full(self, near: Workspace) -> Workspace:
        """The workspace on the far side."""
        return self.state.restored(near) if isinstance(self.state, SlimWorkspace) else self.state


class History:
    """The steps that led to the workspace as it is, and those taken back.

    Only the newest step on either side holds a whole workspace; a thousand steps in a book of many megabytes cost no
    more than what was typed.
    """

    def __init__(self) -> None:
        self._done: list[_Kept] = []
        self._undone: list[_Kept] = []
        self._now: Workspace | None = None
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
        newest = self._done[-1] if self._done else None
        is_next = newest is not None and step.before is self._now
        if newest is not None and self._now is not None and not is_next:
            newest.state = newest.full(self._now)  # it was not this workspace that the difference is from
        if newest is not None and is_next and self._is_more(group, now):
            newest.told, newest.focus_after = step.told, step.focus_after
        else:
            if newest is not None and is_next:
                newest.make_slim(step.before)
            self._done.append(_Kept(step.told, step.focus_before, step.focus_after, step.before))
            del self._done[:-MOST_STEPS]
        self._now, self._group, self._at = step.after, group, now

    def close_group(self) -> None:
        """The next step stands on its own, whatever its group."""
        self._group = None

    def undo(self) -> Step | None:
        """Take back the last step; None if there is none."""
        self.close_group()
        if not self._done or self._now is None:
            return None
        kept, after = self._done.pop(), self._now
        self._now = kept.full(after)
        _push(self._undone, kept, after)
        return Step(kept.told, self._now, after, kept.focus_before, kept.focus_after)

    def redo(self) -> Step | None:
        """Do again what was taken back last; None if nothing was."""
        self.close_group()
        if not self._undone or self._now is None:
            return None
        kept, before = self._undone.pop(), self._now
        self._now = kept.full(before)
        _push(self._done, kept, before)
        return Step(kept.told, before, self._now, kept.focus_before, kept.focus_after)

    @property
    def undo_told(self) -> str:
        """What undo would take back; "" if nothing."""
        return self._done[-1].told if self._done else ""

    @property
    def redo_told(self) -> str:
        """What redo would do again; "" if nothing."""
        return self._undone[-1].told if self._undone else ""

    def _is_more(self, group: Hashable | None, now: float) -> bool:
        return group is not None and group == self._group and now - self._at <= GROUPED_WITHIN


def _push(steps: list[_Kept], kept: _Kept, state: Workspace) -> None:
    """Put a step on the other side; the one below it need no longer hold a whole workspace."""
    if steps:
        steps[-1].make_slim(state)
    steps.append(_Kept(kept.told, kept.focus_before, kept.focus_after, state))
