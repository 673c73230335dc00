"""Values of variables as JavaScript reads, adds, compares and prints them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from lorebook_tui.engine.macros.shorthand import shorthand
from lorebook_tui.engine.macros.variables import Variables, is_true, json_text, number_of, shown


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", 0.0),
        (" 7 ", 7.0),
        ("\ufeff7", 7.0),
        ("0x1F", 31.0),
        ("0b11", 3.0),
        ("0o17", 15.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("+5", 5.0),
        ("1e3", 1000.0),
        ("-Infinity", -math.inf),
        (None, 0.0),
        (True, 1.0),
        (False, 0.0),
        ([], 0.0),
        ([5], 5.0),
        (10**400, math.inf),
        (-(10**400), -math.inf),
        ("0x" + "f" * 400, math.inf),
    ],
)
def test_what_is_a_number(value: Any, expected: float) -> None:
    assert number_of(value) == expected


@pytest.mark.parametrize("value", ["x", "1_000", "0x", "-0x1", "1e", "NaN", "inf", "٣", [1, 2], {"a": 1}])
def test_what_is_none(value: Any) -> None:
    assert math.isnan(number_of(value))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": 1, "2": [True, None, 1.0], "1": "é\n\ud800"}, '{"1":"é\\n\\ud800","2":[true,null,1],"b":1}'),
        ([math.nan, math.inf], "[null,null]"),
        ([], "[]"),
    ],
)
def test_json_as_javascript_writes_it(value: Any, expected: str) -> None:
    assert json_text(value) == expected


def test_reading_makes_numbers() -> None:
    variables = Variables({"n": "007", "blank": "  ", "list": ["a"], "no": False, "none": None})
    assert [shown(variables.get(name)) for name in ("n", "blank", "list", "no", "none", "x")] == [
        "7",
        "  ",
        '["a"]',
        "0",
        "0",
        "",
    ]


def test_names_that_every_object_has() -> None:
    variables = Variables({})
    assert variables.get("constructor") == "function Object() { [native code] }"
    assert variables.has("toString")
    variables.set("__proto__", "x")
    assert variables.get("__proto__") == "{}"
    variables.set("toString", "mine")
    assert variables.get("toString") == "mine"
    variables.delete("toString")
    assert variables.get("toString") == "function toString() { [native code] }"


@pytest.mark.parametrize(
    ("value", "added", "expected"),
    [
        ("5", "3", 8.0),
        ("text", "3", "text3"),
        ("5", "x", "5x"),
        (None, "x", "x"),
        ("[NaN]", "1", "[NaN]1"),
        ("[1,", "2", "[1,2"),
        ([1, 2], "3", "1,23"),
        ("Infinity", "-Infinity", ""),
        ("{}", "1", "{}1"),
        ("[" * 100_000, "1", "[" * 100_000 + "1"),
    ],
)
def test_adding(value: Any, added: Any, expected: Any) -> None:
    values = {"v": value}
    assert Variables(values).add("v", added) == expected
    assert values["v"] == (value if expected == "" else expected)


@pytest.mark.parametrize(("added", "expected", "kept"), [("2", [1, "2"], '[1,"2"]'), (-1, [1, -1], "[1,-1]")])
def test_adding_to_a_list_gives_the_list_and_keeps_it_as_json(added: Any, expected: Any, kept: str) -> None:
    values = {"v": "[1]"}
    assert Variables(values).add("v", added) == expected
    assert values["v"] == kept


@pytest.mark.parametrize(
    ("text", "expected"), [("", False), ("0", False), (" OFF ", False), ("False", False), ("  ", True), ("no", True)]
)
def test_conditions(text: str, expected: bool) -> None:
    assert is_true(text) is expected


def never() -> str:
    raise AssertionError


@pytest.mark.parametrize(
    ("name", "operator", "expected"),
    [
        ("n", "||", "5"),
        ("zero", "??", "0"),
        ("n", "||=", "5"),
        ("zero", "??=", "0"),
        ("n", "", "5"),
        ("n", "++", "6"),
        ("n", "--", "4"),
    ],
)
def test_values_are_not_asked_for_in_vain(name: str, operator: str, expected: str) -> None:
    assert shorthand(Variables({"n": "5", "zero": "0"}), name, operator, never) == expected


@pytest.mark.parametrize(
    ("operator", "value", "told", "left"),
    [
        ("=", "9", "", "9"),
        ("+=", "2", "", 7.0),
        ("-=", "2", "", 3.0),
        ("-=", "x", "", "5"),
        ("==", "5", "true", "5"),
        ("!=", "5", "false", "5"),
        (">", "4", "true", "5"),
        (">=", "6", "false", "5"),
        ("<", "x", "false", "5"),
        ("<=", "5", "true", "5"),
    ],
)
def test_operators(operator: str, value: str, told: str, left: Any) -> None:
    values = {"n": "5"}
    assert shorthand(Variables(values), "n", operator, lambda: value) == told
    assert values["n"] == left


def test_fallbacks_are_kept_if_asked_to() -> None:
    values: dict[str, Any] = {"zero": "0"}
    assert shorthand(Variables(values), "zero", "||=", lambda: "x") == "x"
    assert shorthand(Variables(values), "new", "??=", lambda: "y") == "y"
    assert shorthand(Variables(values), "other", "??", lambda: "z") == "z"
    assert values == {"zero": "x", "new": "y"}
