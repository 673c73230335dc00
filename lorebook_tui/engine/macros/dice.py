"""Dice as the droll library rolls them: `2d6`, `d20+3`, `100`."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from lorebook_tui.model.js import number_text

if TYPE_CHECKING:
    from collections.abc import Callable

_FORMULA = re.compile(r"([1-9][0-9]*)?[dD]([1-9][0-9]*)([+-][0-9]+)?")
_DIGITS = re.compile(r"[0-9]+")
MOST_DICE = 100_000
"""Rolls of more dice are refused; SillyTavern would go on rolling for a long time."""


def roll(formula: str, draw: Callable[[], float]) -> str:
    """The sum of a roll as text, one draw per die; "" for what is no dice formula.

    SillyTavern 1.19: a bare number is the number of sides of one die; blanks inside are not allowed.
    """
    if _DIGITS.fullmatch(formula):
        formula = f"1d{formula}"
    found = _FORMULA.fullmatch(formula)
    if found is None:
        return ""
    count = float(found[1] or 1)
    if count > MOST_DICE:
        return ""
    sides = float(found[2])
    total = float(found[3] or 0)
    rolled = 0.0
    for _ in range(int(count)):
        value = draw() * sides
        rolled += 1 + (math.floor(value) if math.isfinite(value) else value)
    return number_text(rolled + total)
