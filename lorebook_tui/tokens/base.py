"""What a token counter is: exact or approximate, of one text or of a text that grows piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class RunningCount(Protocol):
    """The count of a text that only ever grows at its end, as the budget of a turn does."""

    @property
    def total(self) -> int:
        """Tokens of everything added so far; 0 when nothing was."""
        ...

    def add(self, piece: str) -> int:
        """Append a piece; returns the count of all pieces joined, equal to counting the whole text anew."""
        ...


class TokenCounter(Protocol):
    """One way of counting, safe to share between threads."""

    @property
    def name(self) -> str:
        """The name it was asked for by, such as "llama3" or "chat:gpt-4o"."""
        ...

    @property
    def basis(self) -> str:
        """What really counts: a vocabulary, a file, or "UTF-8 bytes / 3.35"."""
        ...

    @property
    def approximate(self) -> bool:
        """Whether the numbers only stand in for those of the tokenizer that was asked for."""
        ...

    def count(self, text: str) -> int:
        """Tokens of the text; 0 for the empty text."""
        ...

    def running(self) -> RunningCount:
        """A new running count, at 0."""
        ...


class WholeTextCount:
    """A running count that counts the whole text again at each step: right for every tokenizer, but not cheap."""

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._text = ""
        self._total = 0

    @property
    def total(self) -> int:
        """Tokens of everything added so far."""
        return self._total

    def add(self, piece: str) -> int:
        """Append a piece; returns the count of all pieces joined."""
        if piece:
            self._text += piece
            self._total = self._count(self._text)
        return self._total


def well_formed(text: str) -> str:
    """The text as JavaScript hands it to an encoder: surrogate pairs joined, a lone one replaced by U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
