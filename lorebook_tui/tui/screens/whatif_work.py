"""Work on the simulation: a message that was never sent, sliders, proposals taken, differences."""

from __future__ import annotations

from lorebook_tui.tui.screens.editing import Editing


class WhatIfWork(Editing):
    """The part of the workbench."""
