"""The generator of the seedrandom library (ARC4 with a mixed key), as far as a string seed goes."""

from __future__ import annotations

from lorebook_tui.engine.macros.units import code_units

_WIDTH, _MASK = 256, 255
_CHUNKS = 6
_RANGE: int = _WIDTH**_CHUNKS
_SIGNIFICANCE, _OVERFLOW = 2**52, 2**53


def _key_of(seed: str) -> list[int]:
    """The seed as at most 256 bytes; longer seeds are smeared over them."""
    key: list[int] = []
    smear = 0
    for place, unit in enumerate(code_units(seed)):
        slot = place & _MASK
        if slot < len(key):
            smear ^= key[slot] * 19
            key[slot] = (smear + unit) & _MASK
        else:
            key.append((smear + unit) & _MASK)
    return key or [0]


class SeedRandom:
    """A stream of numbers in [0, 1) that depends on the seed alone."""

    def __init__(self, seed: str) -> None:
        key = _key_of(seed)
        state = list(range(_WIDTH))
        swap = 0
        for place in range(_WIDTH):
            held = state[place]
            swap = (swap + key[place % len(key)] + held) & _MASK
            state[place], state[swap] = state[swap], held
        self._state = state
        self._place = self._swap = 0
        self._bytes(_WIDTH)

    def _bytes(self, count: int) -> int:
        """The next bytes of the ARC4 stream as one number."""
        state, place, swap = self._state, self._place, self._swap
        number = 0
        for _ in range(count):
            place = (place + 1) & _MASK
            held = state[place]
            swap = (swap + held) & _MASK
            other = state[swap]
            state[place], state[swap] = other, held
            number = number * _WIDTH + state[(held + other) & _MASK]
        self._place, self._swap = place, swap
        return number

    def next(self) -> float:
        """The next number, with all 53 bits of a double."""
        number, divisor, extra = self._bytes(_CHUNKS), _RANGE, 0
        while number < _SIGNIFICANCE:
            number = (number + extra) * _WIDTH
            divisor *= _WIDTH
            extra = self._bytes(1)
        while number >= _OVERFLOW:
            number, divisor, extra = number // 2, divisor // 2, extra >> 1
        return (number + extra) / divisor
