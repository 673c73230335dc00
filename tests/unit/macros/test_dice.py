"""Dice formulas."""

from __future__ import annotations

from itertools import cycle

import pytest

from lorebook_tui.engine.macros.dice import MOST_DICE, roll


def never() -> float:
    raise AssertionError


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("6", "4"),
        ("d6", "4"),
        ("1D6", "4"),
        ("2d6", "8"),
        ("2d6+3", "11"),
        ("3d6-20", "-8"),
        ("5d1", "5"),
        ("1d10+0", "6"),
    ],
)
def test_sum_of_dice(formula: str, expected: str) -> None:
    assert roll(formula, lambda: 0.5) == expected


@pytest.mark.parametrize(
    "formula",
    ["", "x", "0", "00", "0d6", "1d0", "d06", "01d6", "1.5", "-1", "2d6 + 3", "1d6+", "4d6k3", " 6", "٣", "d%"],
)
def test_what_is_no_formula_draws_nothing(formula: str) -> None:
    assert roll(formula, never) == ""


def test_one_draw_for_each_die() -> None:
    numbers = cycle([0.0, 0.999])
    assert roll("4d6", lambda: next(numbers)) == "14"


def test_sides_beyond_exact_numbers_are_told_as_javascript_does() -> None:
    assert roll("1d100000000000000000000000", lambda: 0.6270739405881613) == "6.270739405881613e+22"
    assert roll("d" + "9" * 400, lambda: 0.5) == "Infinity"


def test_more_dice_than_the_ceiling_are_refused() -> None:
    assert roll(f"{MOST_DICE + 1}d6", never) == ""
    assert roll("9" * 5000 + "d6", never) == ""
