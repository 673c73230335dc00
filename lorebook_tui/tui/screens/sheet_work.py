"""Work on the sheet: many entries at once, each change seen before it is made."""

from __future__ import annotations

from lorebook_tui.tui.screens.editing import Editing


class SheetWork(Editing):
    """The part of the workbench."""
