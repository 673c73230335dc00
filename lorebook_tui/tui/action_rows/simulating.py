"""Actions on the simulation: differences, proposals, the grid of turns, settings as sliders."""

from __future__ import annotations

from typing import Final

from lorebook_tui.tui.action_types import Action, Scope
from lorebook_tui.tui.views.why import MOST_OFFERS

_LAYER_KEYS: Final = 4
_SHOWN: Final = 3
"""Proposals in the footer."""


def _offer(number: int) -> Action:
    return Action(
        f"offer_{number}", (str(number),), f"apply {number}",
        f"Apply what stands under {number}, as an edit that can be undone.", Scope.WHY,
        call=f"apply_offer({number})", shadows=(f"layer_{number}",) if number <= _LAYER_KEYS else (),
        footer=1 if number <= _SHOWN else 0,
    )  # fmt: skip


ROWS: Final[tuple[Action, ...]] = (
    Action("settings", ("0",), "settings", "Open the sliders of the settings beside the picture."),
    Action("phase_8", ("8",), "differences",
           "Show what the last edit changed at this turn, and what is different from the turn before.", Scope.PHASES,
           call="phase(8)"),
    Action("unfold", ("v",), "grid or strip", "Unfold the timeline into a grid of entries and turns, or fold it.",
           Scope.TIMELINE, call="screen.unfold", footer=2),
    *(_offer(number) for number in range(1, MOST_OFFERS + 1)),
    Action("lower_value", ("left",), "value down", "A smaller value, or the choice before.", Scope.SETTINGS, footer=1),
    Action("raise_value", ("right",), "value up", "A greater value, or the next choice.", Scope.SETTINGS, footer=1),
    Action("lower_far", ("shift+left", "h"), "much less", "A much smaller value.", Scope.SETTINGS),
    Action("raise_far", ("shift+right", "k"), "much more", "A much greater value.", Scope.SETTINGS),
    Action("reset_value", ("backspace", "delete"), "file's value", "Back to the value that was opened or last saved.",
           Scope.SETTINGS, footer=2),
    Action("reset_all", ("d",), "all of the file", "All settings back to what was opened or last saved.",
           Scope.SETTINGS),
    Action("type_value", tuple("0123456789"), "type", "Type a value; enter takes it.", Scope.SETTINGS,
           shadows=("settings", *(f"layer_{number}" for number in range(1, _LAYER_KEYS + 1)))),
    Action("take_typed", ("enter", "space"), "take, switch", "Take the number that was typed, or switch on and off.",
           Scope.SETTINGS, footer=3, shadows=("choose",)),
    Action("leave_settings", ("escape",), "close", "Drop what is half-typed, else close the settings.",
           Scope.SETTINGS, footer=4, shadows=("back",)),
)  # fmt: skip
