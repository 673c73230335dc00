"""Actions on the simulation: what if, sliders, proposals, differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lorebook_tui.tui.action_types import Action

ROWS: Final[tuple[Action, ...]] = ()
