"""Letters to jump by: short, and none the beginning of another. Knows no Textual."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

ALPHABET: Final = "asdfghjklewruiotycnmpvbxzq"
"""The letters under the fingers first."""


def labels(count: int, taken: Collection[str] = ()) -> list[str]:
    """So many labels of one letter or two, the short ones first; fewer only where the letters do not suffice.

    Args:
        count: labels wanted.
        taken: single letters that have a meaning already.
    """
    first = [letter for letter in ALPHABET if letter not in taken]
    doubled = 0
    while len(first) - doubled + doubled * len(ALPHABET) < count and doubled < len(first):
        doubled += 1
    short = first[: len(first) - doubled]
    long = ["".join(pair) for pair in product(first[len(first) - doubled :], ALPHABET)]
    return [*short, *long][:count]


def assigned(wishes: Sequence[str]) -> list[str]:
    """A label for each place; a wished letter is kept by the first that wishes it, the others get what is left.

    Args:
        wishes: by place, a letter or "".

    Returns:
        By place; "" where the letters do not suffice.
    """
    kept: dict[str, int] = {}
    for place, wish in enumerate(wishes):
        if wish:
            kept.setdefault(wish, place)
    others = [place for place, wish in enumerate(wishes) if kept.get(wish) != place]
    given = dict(zip(others, labels(len(others), kept), strict=False))
    given |= {place: wish for wish, place in kept.items()}
    return [given.get(place, "") for place in range(len(wishes))]
