"""Work on the form: fields of the chosen entry, its keys and its text."""

from __future__ import annotations

from lorebook_tui.tui.screens.editing import Editing


class FormWork(Editing):
    """The part of the workbench."""
