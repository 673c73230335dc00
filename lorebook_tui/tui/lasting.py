"""How long what lasts still lasts: sticky states, cooldowns and delays at a turn, in messages."""

from __future__ import annotations

from math import ceil, isfinite
from typing import TYPE_CHECKING

from lorebook_tui.glyphs import Mark

if TYPE_CHECKING:
    from lorebook_tui.tui.pictures import Picture


def lasting(picture: Picture) -> dict[int, int]:
    """Messages that an effect of an entry lasts after a turn, by load index; what is over is left out.

    A sticky entry stays in the prompt, one on cooldown out of it, until the chat has so many more messages; a delayed
    one waits for so many.
    """
    assembly = picture.assembly
    plan, length, timed = assembly.plan, assembly.turn.length, assembly.state.timed
    found: dict[int, int] = {}
    for index, mark in picture.turn.marks.items():
        delay = plan.entries[index].gates.delay if mark is Mark.WAITING else 0
        if delay and delay > length:
            _note(found, index, delay - length)
    for effects in (timed.cooldown, timed.sticky):
        for identity, effect in effects.items():
            entry = plan.fingerprinted(identity, effect.fingerprint)
            if entry is not None and effect.end > length:
                _note(found, entry.index, effect.end - length)
    return found


def _note(found: dict[int, int], index: int, left: float) -> None:
    if isfinite(left):
        found[index] = ceil(left)
