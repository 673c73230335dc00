"""Saving, recovery and leaving: what the user does with files, and the questions they raise."""

from __future__ import annotations

from lorebook_tui.tui.screens.editing import Editing


class FileWork(Editing):
    """The part of the workbench."""
