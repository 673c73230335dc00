"""The keys of the tour, which belong to the program: they come before those of whatever has the focus."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

TOUR_ON: Final = "tour_on"
TOUR_OFF: Final = "tour_off"
TOUR_BINDINGS: Final[tuple[BindingType, ...]] = (
    Binding("enter", f"screen.{TOUR_ON}", show=False, priority=True),
    Binding("escape", f"screen.{TOUR_OFF}", show=False, priority=True),
)
"""In force while the card is there and no text is being typed."""
