"""Comparisons of variables: which can be read, which exclude each other, which leave nothing out."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook_tui.lint.condition_logic import OPERATORS, ORDERINGS, Condition, always, contradiction, fault_of, readable

NUMBERS = [value / 2 for value in range(-8, 9)]
_ORDER = {
    "gt": lambda one, two: one > two,
    "gte": lambda one, two: one >= two,
    "lt": lambda one, two: one < two,
    "lte": lambda one, two: one <= two,
    "eq": lambda one, two: one == two,
    "neq": lambda one, two: one != two,
}


def holds(condition: Condition, value: float) -> bool:
    return bool(_ORDER[condition.operator](value, condition.value))


@pytest.mark.parametrize(("one", "two"), product([*ORDERINGS, "eq", "neq"], repeat=2))
def test_pairs_of_comparisons_against_all_values_around(one: str, two: str) -> None:
    for first, second in product(range(-2, 3), repeat=2):
        pair = [Condition("hp", one, first), Condition("hp", two, second)]
        can_hold = any(all(holds(each, value) for each in pair) for value in NUMBERS)
        assert (contradiction(pair) is None) is can_hold, pair
        if one not in {"eq", "neq"} and two not in {"eq", "neq"}:
            leaves_out = any(not any(holds(each, value) for each in pair) for value in NUMBERS)
            assert (always(pair) is None) is leaves_out, pair


def test_other_variables_never_meet() -> None:
    assert contradiction([Condition("hp", "lt", 1), Condition("mana", "gt", 5)]) is None
    assert always([Condition("hp", "lt", 9), Condition("mana", "gt", 5)]) is None


@pytest.mark.parametrize(
    ("pair", "excludes"),
    [
        ((("eq", "wet night"), ("contains", "wet")), False),
        ((("eq", "dry"), ("contains", "wet")), True),
        ((("contains", "wet"), ("gt", 3)), True),
        ((("contains", "wet"), ("contains", "dry")), False),
        ((("eq", 20), ("eq", "20")), True),
        ((("eq", True), ("eq", 1)), True),
        ((("eq", 1), ("eq", 1.0)), False),
        ((("neq", 1), ("neq", 2)), False),
    ],
)
def test_texts_and_strict_equality(pair: Any, excludes: bool) -> None:
    conditions = [Condition("state", *each) for each in pair]
    assert (contradiction(conditions) is not None) is excludes
    assert (contradiction(conditions[::-1]) is not None) is excludes


def test_equal_or_not_is_always() -> None:
    assert always([Condition("hp", "eq", 1), Condition("hp", "neq", 1)]) is not None
    assert always([Condition("hp", "eq", 1), Condition("hp", "neq", 2)]) is None


def test_only_what_can_be_read_counts() -> None:
    given_ones: list[dict[str, Any]] = [
        {"variableId": "hp", "operator": "lt", "value": 20},
        {"variableId": "hp", "operator": "lt", "value": "20"},
        {"variableId": "", "operator": "eq", "value": 1},
        {"operator": "eq", "value": 1},
        {"variableId": "hp", "operator": "lt"},
    ]
    assert [each.told for each in readable(given_ones)] == ["hp < 20"]
    assert [bool(fault_of(each)) for each in given_ones] == [False, True, True, True, True]


@given(
    st.dictionaries(
        st.sampled_from(["variableId", "operator", "value"]),
        st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=3), st.sampled_from(OPERATORS)),
    ),
    st.dictionaries(
        st.sampled_from(["variableId", "operator", "value"]),
        st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=3), st.sampled_from(OPERATORS)),
    ),
)
def test_nothing_breaks_on_odd_conditions(one: dict[str, Any], two: dict[str, Any]) -> None:
    listed = readable([one, two])
    assert len(listed) == sum(not fault_of(each) for each in (one, two))
    contradiction(listed)
    always(listed)
