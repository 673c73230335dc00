"""Actions on files and history: save, undo, redo."""

from __future__ import annotations

from typing import Final

from lorebook_tui.tui.action_types import Action

ROWS: Final[tuple[Action, ...]] = (
    Action("undo", ("u", "ctrl+z"), "undo", "Take back the last edit, in whatever book it was."),
    Action("redo", ("ctrl+y",), "redo", "Make the edit again that was taken back last."),
)
