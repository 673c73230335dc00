"""What one text may cost: macros of strangers can roll and grow without end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_DRAWS = 1_000_000
MOST_CHARACTERS = 10_000_000
READABLE = 250_000
READINGS = 4
"""Characters that may be read for one text: so many, and so many times its own length."""


class TooCostlyError(Exception):
    """A text grows or rolls beyond the ceiling; it is given up."""


class Ceilings:
    """Counts what the replacement of one text costs.

    Args:
        draw: the stream that dice are rolled with.
        length: of the text; parts of it are read again and again, the deeper they are nested.
    """

    def __init__(self, draw: Callable[[], float], length: int) -> None:
        self._draw = draw
        self._left = MOST_DRAWS
        self._readable = READABLE + READINGS * length

    def read(self, text: str) -> None:
        """Count a part that is read anew."""
        self._readable -= len(text)
        if self._readable < 0:
            raise TooCostlyError

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
