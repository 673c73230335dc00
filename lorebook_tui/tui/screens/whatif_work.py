"""Work on the simulation: proposals taken, differences, odds, the grid of turns, settings as sliders."""

from __future__ import annotations

from lorebook_tui.tui.screens.whatif_settings import WhatIfSettings


class WhatIfWork(WhatIfSettings):
    """The part of the workbench."""
