"""Work on the tree: entries, books, folders and layers made, moved, marked and copied."""

from __future__ import annotations

from lorebook_tui.tui.screens.editing import Editing


class TreeWork(Editing):
    """The part of the workbench."""
