"""cyrb53, the 53-bit string hash that SillyTavern uses for chats, texts and entries."""

from __future__ import annotations

from lorebook_tui.engine.macros.units import code_units

_MASK = 0xFFFFFFFF
_FIRST, _SECOND = 2654435761, 1597334677
_MIX, _CROSS = 2246822507, 3266489909


def cyrb53(text: str, seed: int = 0) -> int:
    """The hash of a text over its UTF-16 units: a whole number below 2**53."""
    one, two = 0xDEADBEEF ^ seed, 0x41C6CE57 ^ seed
    for unit in code_units(text):
        one = (one ^ unit) * _FIRST & _MASK
        two = (two ^ unit) * _SECOND & _MASK
    one, two = (
        (one ^ one >> 16) * _MIX & _MASK ^ (two ^ two >> 13) * _CROSS & _MASK,
        (two ^ two >> 16) * _MIX & _MASK,
    )
    two ^= (one ^ one >> 13) * _CROSS & _MASK
    return ((two & 0x1FFFFF) << 32) + one
