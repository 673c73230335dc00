"""SillyTavern's estimate without a tokenizer: UTF-8 bytes divided by 3.35."""

from __future__ import annotations

import math
from typing import Final

from lorebook_tui.tokens.base import well_formed

BYTES_PER_TOKEN: Final = 3.35
_LONE_SURROGATE_BYTES: Final = 3


def utf8_length(text: str) -> int:
    """Bytes that JavaScript's TextEncoder writes: a lone surrogate becomes U+FFFD, three bytes."""
    return len(text) if text.isascii() else len(well_formed(text).encode())


def tokens_of_bytes(size: int) -> int:
    """Tokens estimated for a size in UTF-8 bytes. SillyTavern 1.19: `ceil(bytes / 3.35)`."""
    return math.ceil(size / BYTES_PER_TOKEN)


class RunningEstimate:
    """The estimate of a growing text; each step costs what the new piece costs."""

    def __init__(self) -> None:
        self._size = 0
        self._open_surrogate = ""

    @property
    def total(self) -> int:
        """Tokens of everything added so far."""
        return tokens_of_bytes(self._size + (_LONE_SURROGATE_BYTES if self._open_surrogate else 0))

    def add(self, piece: str) -> int:
        """Append a piece; a surrogate pair torn between two pieces is joined again."""
        text = self._open_surrogate + piece
        self._open_surrogate = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        self._size += utf8_length(text.removesuffix(self._open_surrogate))
        return self.total


class EstimateCounter:
    """SillyTavern's tokenizer "none": exact for that setting, a guess for every model.

    Args:
        name: the name it answers to.
        approximate: whether it stands in for another tokenizer.
    """

    basis = "UTF-8 bytes / 3.35"

    def __init__(self, name: str = "estimate", *, approximate: bool = False) -> None:
        self.name = name
        self.approximate = approximate

    def count(self, text: str) -> int:
        """Tokens of the text by its size."""
        return tokens_of_bytes(utf8_length(text))

    def running(self) -> RunningEstimate:
        """A running estimate, at 0."""
        return RunningEstimate()
