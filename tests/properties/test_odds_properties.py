"""Odds of random worlds: ways add up, runs are among the ways, and a hundred thousand seeds agree."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.draw_tree import InexactError, leaves
from lorebook_tui.engine.odds import exact_chat, exact_turn, sampled_chat, sampled_turn, turn_odds, wilson
from lorebook_tui.engine.reseeded import Reseeded
from lorebook_tui.engine.tally import Tally, outcomes
from lorebook_tui.engine.trace import Reason
from lorebook_tui.model.scenario import RandomSource, Step
from tests.unit.engine.lore import COUNTER, entry, scenario

if TYPE_CHECKING:
    from lorebook_tui.model.entry import Entry

WORDS = ("cat", "dog", "owl")
Z_999 = 3.2905
"""Intervals of which 999 in 1,000 hold the true value."""


@st.composite
def dicey_entries(draw: st.DrawFn, uid: int) -> Entry:
    fields: dict[str, Any] = {
        "probability": draw(st.sampled_from([100, 50, 0, 1, 99, 33.3, 150, None, "50"])),
        "group": draw(st.sampled_from(["", "", "g", "h", "g, h"])),
        "groupWeight": draw(st.sampled_from([100, 1, 0, None, 250])),
        "content": draw(st.sampled_from(["", "a dog", "an owl and a cat", "{{random::a dog::an owl}}"])),
        "order": draw(st.integers(1, 5)),
        "sticky": draw(st.sampled_from([None, 3])),
        "cooldown": draw(st.sampled_from([None, 3])),
        "preventRecursion": draw(st.booleans()),
        "ignoreBudget": draw(st.booleans()),
        "position": draw(st.sampled_from([0, 1, 4, 9])),
    }
    return entry(uid, draw(st.sampled_from(WORDS)), **fields)


@st.composite
def dicey_worlds(draw: st.DrawFn) -> Any:
    count = draw(st.integers(1, 5))
    return scenario(
        *(draw(dicey_entries(number)) for number in range(count)),
        chat=("A cat.", "A dog.", "An owl."),
        settings={"world_info_budget": 100, "world_info_budget_cap": draw(st.sampled_from([5, 30, 1000]))},
    )


@given(dicey_worlds(), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_all_ways_add_up_and_any_run_is_one_of_them(made: Any, seed: int) -> None:
    simulation = Reseeded(Simulation(made, COUNTER))
    state = simulation.initial_state()
    found = [(leaf.weight, outcomes(leaf.assembly)) for leaf in leaves(simulation, Step(3), state, 10_000)]
    assert sum(weight for weight, _ in found) == 1
    assert min(weight for weight, _ in found) > 0
    own = Simulation(replace(made, random=RandomSource(seed)), COUNTER)
    assert outcomes(own.assemble(Step(3), own.initial_state())) in [outcome for _, outcome in found]


@given(dicey_worlds())
@settings(max_examples=30)
def test_chat_odds_are_probabilities_that_fit_together(made: Any) -> None:
    simulation = Reseeded(Simulation(made, COUNTER))
    steps = [Step(1), Step(2), Step(3)]
    found = exact_chat(simulation, steps, most=10_000)
    assert found.why_estimated == ""
    first = exact_turn(simulation, steps[0], simulation.initial_state(), 10_000)
    assert first == found.turns[0]
    for item in found.entries:
        chances = [turn.of(item.index).odds.chance for turn in found.turns]
        assert item.turns == pytest.approx(sum(chances))
        assert max(chances) - 1e-12 <= item.ever.chance <= min(1, sum(chances)) + 1e-12
        for turn in found.turns:
            assert sum(turn.of(item.index).reasons.values()) <= 1 + 1e-12


@given(dicey_worlds())
@settings(max_examples=12)
def test_chats_with_many_seeds_come_near_what_was_worked_out(made: Any) -> None:
    simulation = Reseeded(Simulation(made, COUNTER))
    steps = [Step(1), Step(3)]
    exact = exact_chat(simulation, steps, most=10_000)
    runs = 300
    counted = sampled_chat(simulation, steps, range(runs))
    for known in exact.entries:
        around = wilson(int(counted.ever.get(known.index, 0)), runs, z=5)
        assert around.low - 1e-9 <= known.ever.chance <= around.high + 1e-9


def brute_force(made: Any, seeds: range) -> Tally:
    """The shares of many seeds, each run by itself with nothing but the engine's front door."""
    simulation = Simulation(made, COUNTER)
    state = simulation.initial_state()
    tally = Tally()
    for seed in seeds:
        assembly = simulation.assemble(Step(1, random=RandomSource(seed)), state)
        found = dict.fromkeys(assembly.admitted_by_index, Reason.IN_PROMPT)
        tally.add(found, 1)
    return tally


@pytest.mark.slow
def test_a_hundred_thousand_seeds_agree() -> None:
    """A roll, a weighted group, what they wake, and a budget that not all of it fits."""
    made = scenario(
        entry(0, "cat", probability=37, content="a dog", order=9), entry(1, "dog", probability=61, order=8),
        entry(2, "cat", group="g", groupWeight=3, order=7), entry(3, "cat", group="g", content="12345678", order=6),
        entry(4, "cat", content="123456789012", preventRecursion=True, order=5),
        settings={"world_info_budget": 100, "world_info_budget_cap": 28},
    )  # fmt: skip
    runs = 100_000
    brute = brute_force(made, range(1_000_000, 1_000_000 + runs))
    simulation = Reseeded(Simulation(made, COUNTER))
    state = simulation.initial_state()
    exact = exact_turn(simulation, Step(1), state)
    guessed_from = 2_000
    sampled = sampled_turn(simulation, Step(1), state, range(guessed_from))
    guessed = turn_odds(1, sampled, runs=guessed_from, why_estimated="for comparison")
    assert [item.odds.uncertain for item in exact.entries] == [True] * 5
    for item in exact.entries:
        share = int(brute.inside(item.index)) / runs
        deviation = math.sqrt(item.odds.chance * (1 - item.odds.chance) / runs)
        assert abs(share - item.odds.chance) <= 3 * deviation
        around = wilson(int(sampled.inside(item.index)), guessed_from, z=Z_999)
        assert around.low <= share <= around.high
        assert guessed.of(item.index).odds.low < share < guessed.of(item.index).odds.high


def test_large_dice_in_a_text_are_never_called_exact() -> None:
    made = scenario(entry(0, "cat", content="{{roll:d1000}}", probability=50))
    simulation = Reseeded(Simulation(made, COUNTER))
    with pytest.raises(InexactError):
        list(leaves(simulation, Step(1), simulation.initial_state(), 100))
