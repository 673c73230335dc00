"""One thread at a time through the simulation; what somebody waits for goes before work in the background."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE: Final = 0.0005
"""Seconds between two looks whether anybody in a hurry is through."""


class Gate:
    """A lock with two queues. A plain one would let a loop in the background have it again and again."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._counting = threading.Lock()
        self._in_a_hurry = 0

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Go in before all who are patient."""
        with self._counting:
            self._in_a_hurry += 1
        try:
            with self._lock:
                yield
        finally:
            with self._counting:
                self._in_a_hurry -= 1

    @contextmanager
    def patiently(self) -> Iterator[None]:
        """Go in when nobody in a hurry waits. Not for who is inside already."""
        while self._in_a_hurry:
            time.sleep(_PATIENCE)
        with self._lock:
            yield
