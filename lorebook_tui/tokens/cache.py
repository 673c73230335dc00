"""Counts remembered by text, within a bound."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lorebook_tui.tokens.base import RunningCount, TokenCounter

CHARACTERS_KEPT: Final = 4_000_000
"""Characters of text kept as keys; about 8 MB, far above all entries and messages of a large workspace."""


class CachedCounter:
    """A counter that remembers its answers, the least recently asked forgotten first; safe to share between threads."""

    def __init__(self, counter: TokenCounter, characters_kept: int = CHARACTERS_KEPT) -> None:
        self.name = counter.name
        self.basis = counter.basis
        self.approximate = counter.approximate
        self.counter = counter
        self._characters_kept = characters_kept
        self._characters = 0
        self._counts: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()

    def count(self, text: str) -> int:
        """Tokens of the text, counted once."""
        with self._lock:
            known = self._counts.get(text)
            if known is not None:
                self._counts.move_to_end(text)
                return known
        tokens = self.counter.count(text)
        with self._lock:
            if text not in self._counts:
                self._characters += len(text)
            self._counts[text] = tokens
            while self._characters > self._characters_kept:
                forgotten, _ = self._counts.popitem(last=False)
                self._characters -= len(forgotten)
        return tokens

    def running(self) -> RunningCount:
        """A running count, at 0; not cached."""
        return self.counter.running()
