from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.phases.budget import scan_budget
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import verdict
from tests.unit.engine.lore import entry, index_of, turn, uids


@pytest.mark.parametrize(
    ("percent", "context", "cap", "budget"),
    [
        (25, 8192, 0, 2048),
        (25, 7842, 0, 1961),
        (50, 5, 0, 3),
        (1, 10, 0, 1),
        (0, 8192, 0, 1),
        (100, 100, 40, 40),
        (100, 100, 100, 100),
        (100, 30, 40, 30),
        (25, 8192, -5, 2048),
    ],
)
def test_the_budget_is_a_share_rounded_half_up_at_least_one_and_capped(
    percent: float, context: int, cap: int, budget: int
) -> None:
    assert scan_budget(percent, context, cap) == budget


def cut(*contents: str, budget: int, **parts: Any) -> list[int]:
    """Uids in the prompt with a budget in characters, each content followed by a line feed."""
    entries = [entry(number, "cat", content=content, order=100 - number) for number, content in enumerate(contents, 1)]
    return uids(turn(*entries, settings={"world_info_budget": 100}, max_context=budget, **parts))


@pytest.mark.parametrize(("budget", "inside"), [(7, [1]), (8, [1]), (9, [1, 2]), (4, []), (5, [1])])
def test_the_sum_must_stay_below_the_budget(budget: int, inside: list[int]) -> None:
    assert cut("aaa", "bbb", budget=budget) == inside


def test_the_first_that_does_not_fit_ends_everything_behind_it() -> None:
    assembly = turn(
        entry(1, "cat", content="a" * 30, order=30), entry(2, "cat", content="b", order=20), entry(3, "cat", content="c", order=10, constant=True),
        settings={"world_info_budget": 100}, max_context=20,
    )  # fmt: skip
    assert uids(assembly) == []
    assert assembly.overflowed
    assert [verdict(assembly, index).reason for index in range(3)] == [
        Reason.BUDGET_CUT,
        Reason.BEHIND_THE_CUT,
        Reason.BEHIND_THE_CUT,
    ]


def test_ignoring_the_budget_still_counts_against_those_behind() -> None:
    assembly = turn(
        entry(1, "cat", content="a" * 30, order=40, ignoreBudget=True), entry(2, "cat", content="b", order=30),
        entry(3, "cat", content="c", order=20, ignoreBudget=True), entry(4, "cat", content="d", order=10),
        settings={"world_info_budget": 100}, max_context=20,
    )  # fmt: skip
    assert uids(assembly) == [1, 3]
    assert [(row.index, row.tokens, row.total, row.admitted, row.ignores_budget) for row in assembly.ledger] == [
        (0, 31, 31, True, True),
        (1, 2, 33, False, False),
        (2, 2, 35, True, True),
    ]
    assert verdict(assembly, 3).reason is Reason.BEHIND_THE_CUT


def test_after_an_overflow_nobody_behind_rolls() -> None:
    assembly = turn(
        entry(1, "cat", content="a" * 30, order=40), entry(2, "cat", order=30, probability=50),
        entry(3, "cat", order=20, probability=50, ignoreBudget=True), entry(4, "cat", order=10, probability=50),
        settings={"world_info_budget": 100}, max_context=20, numbers=[0.1],
    )  # fmt: skip
    assert [draw.index for draw in assembly.draws] == [2]
    assert uids(assembly) == [3]


def test_text_given_to_recursion_is_the_base_of_the_next_pass() -> None:
    assembly = turn(
        entry(1, "cat", content="dog", order=2), entry(2, "dog", content="bird", order=1),
        entry(3, "cat", content="free", order=3, preventRecursion=True),
    )  # fmt: skip
    assert [(turn_pass.number, turn_pass.base_tokens) for turn_pass in assembly.passes] == [(1, 0), (2, 4), (3, 9)]
    assert [(row.index, row.turn_pass, row.total) for row in assembly.ledger] == [(0, 1, 5), (1, 1, 9), (2, 2, 9)]


def test_a_failed_roll_lasts_for_the_whole_scan() -> None:
    assembly = turn(entry(1, "cat", probability=30), entry(2, content="cat", constant=True), numbers=[0.31, 0.0, 0.0])
    assert uids(assembly) == [2]
    assert [(draw.index, draw.passed) for draw in assembly.draws] == [(0, False)]
    assert verdict(assembly, 0).reason is Reason.ROLL_FAILED
    assert assembly.passes[0].successful == (1,)
    assert assembly.passes[0].candidates == (0, 1)


@pytest.mark.parametrize(
    ("fields", "value", "draws", "inside"),
    [
        ({"probability": 100}, 0.9, 0, True),
        ({"probability": 100.0}, 0.9, 0, True),
        ({"probability": "100"}, 0.9, 1, True),
        ({"probability": 150}, 0.9, 1, True),
        ({"probability": 0}, 0.0, 1, True),
        ({"probability": 0}, 0.001, 1, False),
        ({"probability": None}, 0.0, 1, True),
        ({"probability": None}, 0.5, 1, False),
        ({"probability": 0, "useProbability": False}, 0.9, 0, True),
        ({"probability": "x"}, 0.0, 1, False),
    ],
)
def test_probability(fields: dict[str, Any], value: float, draws: int, inside: bool) -> None:
    assembly = turn(entry(1, "cat", **fields), numbers=[value])
    assert (len(assembly.draws), bool(assembly.admitted)) == (draws, inside)


def test_a_missing_probability_never_passes() -> None:
    fields = dict(entry(1, "cat").fields)
    del fields["probability"]
    from lorebook_tui.model.entry import Entry

    assembly = turn(Entry(fields, "1"), numbers=[0.0])
    assert verdict(assembly, 0).reason is Reason.ROLL_FAILED


def test_an_empty_content_is_activated_and_costs_its_line_feed() -> None:
    assembly = turn(entry(1, "cat", content=""))
    assert uids(assembly) == [1]
    assert assembly.admitted[0].tokens == 1
    assert verdict(assembly, 0).reason is Reason.EMPTY_TEXT


def test_the_step_may_have_another_context() -> None:
    from tests.unit.engine.lore import run, scenario

    made = scenario(entry(1, "cat", content="a" * 9), settings={"world_info_budget": 50})
    assert run(made, max_context=20).budget == 10
    assert uids(run(made, max_context=20)) == []
    assert uids(run(made, max_context=22)) == [1]
    assert index_of(run(made), 1) == 0
