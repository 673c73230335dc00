"""What almost hit, in words: one sentence for each, and the messages it stands in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Near:
    """Something that almost hit."""

    kind: str
    """case, word_boundary, typo, outside_window, pattern_case, …"""
    found: str
    """The text that is there instead."""
    message: int | None
    note: str
    """One sentence for people."""


def merged(near: Iterable[Near]) -> list[tuple[Near, tuple[int, ...]]]:
    """Near misses that read alike as one, each with all of its messages: indices in the transcript."""
    places: dict[tuple[str, str], tuple[Near, dict[int, None]]] = {}
    for miss in near:
        _, messages = places.setdefault((miss.found, miss.note), (miss, {}))
        if miss.message is not None:
            messages[miss.message] = None
    return [(miss, tuple(messages)) for miss, messages in places.values()]
