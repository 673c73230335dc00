"""UTF-16 units, in which JavaScript counts: the texts of macros are hashed and measured in them."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from lorebook_tui.model.js import length

if TYPE_CHECKING:
    from collections.abc import Sequence


def code_units(text: str) -> Sequence[int]:
    """The UTF-16 units of a text; lone surrogates stay what they are."""
    if text.isascii():
        return text.encode("ascii")
    units = array("H")
    units.frombytes(text.encode("utf-16-le" if _LITTLE else "utf-16-be", "surrogatepass"))
    return units


def unit_offset(text: str, place: int) -> int:
    """The place of a code point as JavaScript counts it."""
    return place if text.isascii() else length(text[:place])


_LITTLE = array("H", [1]).tobytes()[0] == 1
