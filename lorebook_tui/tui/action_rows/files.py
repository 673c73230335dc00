"""Actions on files and history: save, undo, redo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lorebook_tui.tui.action_types import Action

ROWS: Final[tuple[Action, ...]] = ()
