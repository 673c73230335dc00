"""Finding entries by a few letters of their title or keys. Safe with text of any kind."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.model.entry import Entry

CLOSE_ENOUGH: Final = 78
"""From 0 to 100: so much of a title must agree with what was typed to be similar to it."""
LONGEST: Final = 300
"""Characters of a title or key that are looked at."""
_TEXTS_KEPT: Final = 1 << 17
_LEAST_SHARE: Final = 0.7


@lru_cache(maxsize=_TEXTS_KEPT)
def folded(text: str) -> str:
    """For comparison: case folded, not too long, lone surrogates replaced."""
    return text[:LONGEST].casefold().encode("utf-8", "replace").decode("utf-8")


def holds_word(entry: Entry, word: str) -> bool:
    """Whether the title or a key of an entry holds a folded word."""
    return word in folded(entry.title) or any(word in folded(key) for key in entry.keys)


def is_similar(entry: Entry, words: str) -> bool:
    """Whether the title of an entry is like some folded words: a typing error, a letter too few."""
    title = folded(entry.title)
    if len(title) < len(words) * _LEAST_SHARE:  # a part of the words alone says nothing
        return False
    return bool(_likeness()(words, title, score_cutoff=CLOSE_ENOUGH))


@cache
def _likeness() -> Callable[..., float]:
    """How much of one text is in another, 0 to 100."""
    from rapidfuzz import fuzz  # noqa: PLC0415 - only when no title or key holds the words themselves

    return fuzz.partial_ratio
