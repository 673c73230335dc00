"""Bug cases, group 3: the budget. The outcomes are SillyTavern's."""

from __future__ import annotations

import pytest

from tests.bugcases.lore import entry, turn, words

ALL = {"budget": 100, "recursive": False}


def test_BC_034_constants_are_not_safe() -> None:
    book = {
        "A": entry(constant=True, order=200, content=words(150)),
        "B": entry(constant=True, order=100, content=words(150)),
    }
    assert turn(book, "u: x", max_context=800).active == {"A"}
    book["B"]["ignoreBudget"] = True
    assert turn(book, "u: x", max_context=800).active == {"A", "B"}


def test_BC_035_constant_does_not_outrank_order() -> None:
    book = {"A": entry(constant=True, order=10, content=words(60)), "B": entry("x", order=500, content=words(60))}
    assert turn(book, "u: x", settings=ALL, max_context=100).active == {"B"}


def test_BC_036_an_oversized_first_entry_blocks_the_rest() -> None:
    book = {"A": entry("x", order=100, content=words(300)), "B": entry("x", order=50, content=words(20))}
    assert turn(book, "u: x", settings=ALL, max_context=250).active == set()


@pytest.mark.parametrize(("percent", "cap", "budget"), [(25, 500, 500), (25, 0, 2000), (0, 0, 1)])
def test_BC_037_budget_from_percent_and_cap(percent: int, cap: int, budget: int) -> None:
    found = turn({"A": entry("x")}, "u: x", settings={"budget": percent, "budget_cap": cap}, max_context=8000)
    assert found.raw["budget"] == budget
    assert found.active == ({"A"} if percent else set())


def test_BC_038_exactly_full_is_already_over() -> None:
    book = {"A": entry("x", content=words(10))}
    assert turn(book, "u: x", settings=ALL, max_context=10).active == set()
    assert turn(book, "u: x", settings=ALL, max_context=11).active == {"A"}


def test_BC_039_the_line_feed_between_texts_costs() -> None:
    book = {letter: entry("x", content="abc") for letter in "ABCDEFGHIJ"}
    found = turn(book, "u: x", settings=ALL, max_context=100)
    assert found.raw["tokens"] == 12, "ten texts of three bytes and ten line feeds: 40 bytes"


def test_BC_040_order_decides_and_not_the_newest_match() -> None:
    book = {"A": entry("old", order=200, content=words(60)), "B": entry("new", order=100, content=words(60))}
    assert turn(book, "u: old", "u: new", settings=ALL, max_context=100).active == {"A"}


def test_BC_042_order_decides_both_survival_and_place() -> None:
    book = {"A": entry("x", order=1, content="low"), "B": entry("x", order=2, content="high")}
    found = turn(book, "u: x")
    assert found.queue == "BA"
    assert found.before == ["low", "high"]


def test_BC_043_ties_are_settled_by_the_order_in_the_book() -> None:
    book = {letter: entry("x", order=3, content=letter * 20) for letter in "ABCDEF"}
    assert turn(book, "u: x", settings=ALL, max_context=20).queue == "ABC"
