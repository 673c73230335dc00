"""What one text may cost: macros of strangers can roll and grow without end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_DRAWS = 1_000_000
MOST_CHARACTERS = 10_000_000


class TooCostlyError(Exception):
    """A text grows or rolls beyond the ceiling; it is given up."""


class Ceilings:
    """Counts what the replacement of one text costs.

    Args:
        draw: the stream that dice are rolled with.
    """

    def __init__(self, draw: Callable[[], float]) -> None:
        self._draw = draw
        self._left = MOST_DRAWS

    def draw(self) -> float:
        """One number of the stream."""
        if not self._left:
            raise TooCostlyError
        self._left -= 1
        return self._draw()

    def bounded(self, text: str) -> str:
        """The text, unless it is too long."""
        if len(text) > MOST_CHARACTERS:
            raise TooCostlyError
        return text
