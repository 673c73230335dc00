from __future__ import annotations

import math
from typing import Any

import pytest

from lorebook_tui.model.js import (
    MISSING,
    greater,
    is_index,
    key_order,
    length,
    nullish,
    number_text,
    plus,
    same,
    text_of,
    to_number,
    trim,
    truthy,
)

NAN = float("nan")


@pytest.mark.parametrize("value", [True, 1, -1, 0.1, "0", "false", " ", [], {}, [0], float("inf")])
def test_true_values(value: Any) -> None:
    assert truthy(value)


@pytest.mark.parametrize("value", [False, 0, 0.0, -0.0, "", None, MISSING, NAN])
def test_false_values(value: Any) -> None:
    assert not truthy(value)


def test_missing_is_nullish_and_says_so() -> None:
    assert [nullish(value) for value in (None, MISSING, 0, "", False)] == [True, True, False, False, False]
    assert repr(MISSING) == "MISSING"
    assert not MISSING


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True), (1, True, False), (0, False, False), (True, True, True), ("1", 1, False), ("a", "a", True),
        (None, None, True), (None, MISSING, False), (NAN, NAN, False), (MISSING, MISSING, True),
    ],
)  # fmt: skip
def test_strict_equality(left: Any, right: Any, equal: bool) -> None:
    assert same(left, right) is equal


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (None, 0), (True, 1), (False, 0), (7, 7), (2.5, 2.5), ("", 0), (" \ufeff12 ", 12), ("1e3", 1000), ("-0.5", -0.5),
        (".5", 0.5), ("5.", 5), ([], 0), ([3], 3), (["2"], 2), ([None], 0), ([[4]], 4), ("+1", 1), ("0x1F", 31), ("0b101", 5), ("0o17", 15),
        ("Infinity", math.inf), ("-Infinity", -math.inf), (10**400, math.inf), (-(10**400), -math.inf), ("1e400", math.inf),
    ],
)  # fmt: skip
def test_numbers(value: Any, number: float) -> None:
    assert to_number(value) == number


@pytest.mark.parametrize(
    "value",
    [
        MISSING,
        {},
        [1, 2],
        ["a"],
        [{}],
        "x",
        "1_000",
        "nan",
        "NaN",
        "inf",
        "infinity",
        "12px",
        "1 2",
        "٣",
        "-0x1",
        "0b2",
        "0xg",
        ".",
    ],
)
def test_what_is_no_number(value: Any) -> None:
    assert math.isnan(to_number(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"), (1.0, "1"), (-0.0, "0"), (2.5, "2.5"), (1e21, "1e+21"), (1e20, "100000000000000000000"),
        (123456789012345680000, "123456789012345680000"), (2**53 + 2, "9007199254740994"), (10**21, "1e+21"),
        (1e-6, "0.000001"), (1.5e-6, "0.0000015"), (1e-7, "1e-7"), (1.25e-10, "1.25e-10"), (0.1 + 0.2, "0.30000000000000004"),
        (NAN, "NaN"), (float("inf"), "Infinity"), (float("-inf"), "-Infinity"), (-1.5e300, "-1.5e+300"), (1e16, "10000000000000000"),
        (-1e17, "-100000000000000000"), (123e-20, "1.23e-18"),
    ],
)  # fmt: skip
def test_numbers_as_javascript_prints_them(value: float, text: str) -> None:
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (MISSING, "undefined"), (None, "null"), (True, "true"), (False, "false"), (3, "3"), ("x", "x"),
        ([1, None, "a", [2, 3]], "1,,a,2,3"), ([], ""), ({"a": 1}, "[object Object]"), ([MISSING, {}], ",[object Object]"),
    ],
)  # fmt: skip
def test_values_as_text(value: Any, text: str) -> None:
    assert text_of(value) == text


@pytest.mark.parametrize(
    ("left", "right", "result"),
    [
        (1, 2, 3),
        ("1", 2, "12"),
        (1, "2", "12"),
        ([1], 2, "12"),
        (None, 1, 1),
        (True, 1, 2),
        ({}, "", "[object Object]"),
    ],
)
def test_plus_adds_numbers_and_joins_texts(left: Any, right: Any, result: Any) -> None:
    assert plus(left, right) == result


@pytest.mark.parametrize(
    ("left", "right", "result"),
    [
        (2, 1, True),
        (1, 1, False),
        ("10", "9", False),
        ("10", 9, True),
        (True, 0, True),
        (MISSING, 0, False),
        ("b", "a", True),
        ([10], 9, True),
    ],
)
def test_greater_compares_texts_by_letters_and_the_rest_by_number(left: Any, right: Any, result: bool) -> None:
    assert greater(left, right) is result


def test_indices_come_first_and_by_number() -> None:
    keys = ["b", "10", "01", "2", "-1", "a", "0", "4294967294", "4294967295", "1.5", "٣"]
    assert key_order(keys) == ["0", "2", "10", "4294967294", "b", "01", "-1", "a", "4294967295", "1.5", "٣"]
    assert is_index("0")
    assert not is_index("")
    assert not is_index("00")


def test_trim_takes_javascript_white_space_only() -> None:
    assert trim("\ufeff\u00a0 \u2028a\x85\x1c") == "a\x85\x1c"
    assert trim("\x0b\x0c\t\r\n\u3000x\u1680") == "x"


def test_length_counts_utf16_units() -> None:
    assert [length(text) for text in ("", "abc", "é", "😀a", "\ud83d")] == [0, 3, 1, 3, 1]
