"""The budget curve of random worlds is what a run gives at every budget, and needs are what they say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.engine.assemble import Simulation, replay
from lorebook_tui.engine.budget_curve import budget_curve, in_prompt
from lorebook_tui.engine.budget_needs import ChatNeeds, chat_needs
from lorebook_tui.engine.verdicts import verdicts
from lorebook_tui.model.scenario import Step
from tests.unit.engine.lore import COUNTER, entry, scenario

WORDS = ("cat", "dog", "owl", "newt")


@st.composite
def hungry_worlds(draw: st.DrawFn) -> Any:
    """Worlds whose entries wake each other, share groups, roll, wait for levels and ignore the budget."""
    entries = [
        entry(
            uid,
            draw(st.sampled_from(WORDS)),
            content=draw(st.sampled_from(["", "a dog", "an owl and a newt", "x" * 20, "{{setvar::a::1}}{{roll:d6}}"])),
            order=draw(st.integers(1, 6)),
            constant=draw(st.integers(0, 3)) == 0,
            probability=draw(st.sampled_from([100, 100, 60])),
            group=draw(st.sampled_from(["", "", "g"])),
            ignoreBudget=draw(st.integers(0, 3)) == 0,
            preventRecursion=draw(st.integers(0, 3)) == 0,
            excludeRecursion=draw(st.integers(0, 3)) == 0,
            delayUntilRecursion=draw(st.sampled_from([0, 0, 1, 2])),
            sticky=draw(st.sampled_from([None, 2])),
            position=draw(st.sampled_from([0, 1, 4, 9])),
        )
        for uid in range(draw(st.integers(1, 7)))
    ]
    return scenario(
        *entries,
        chat=("A cat.", "A dog.", "A cat, an owl."),
        settings={
            "world_info_budget": 100,
            "world_info_budget_cap": draw(st.integers(1, 80)),
            "world_info_min_activations": draw(st.sampled_from([0, 3])),
            "world_info_recursive": draw(st.booleans()),
        },
    )


def run_with(made: Any, limit: int, steps: list[Step]) -> Any:
    limited = replace(made.settings, world_info_budget=100, world_info_budget_cap=limit)
    return list(replay(Simulation(replace(made, settings=limited), COUNTER), steps))


@given(hungry_worlds())
@settings(max_examples=60)
def test_the_curve_is_a_run_at_every_budget(made: Any) -> None:
    simulation = Simulation(made, COUNTER)
    found = budget_curve(simulation, Step(3), simulation.initial_state())
    assert found.limit == made.settings.world_info_budget_cap
    assert [point.low for point in found.points][1:] == [point.high + 1 for point in found.points][:-1]
    for limit in range(1, found.need + 2):
        (assembly,) = run_with(made, limit, [Step(3)])
        point = found.at(limit)
        assert point.inside == in_prompt(assembly)
        assert {index for index in in_prompt(assembly) if index in point.came} == set(point.came)


@given(hungry_worlds())
@settings(max_examples=40)
def test_the_suggested_budget_cuts_nothing_and_one_token_less_does(made: Any) -> None:
    simulation = Simulation(made, COUNTER)
    steps = [Step(1), Step(3)]
    found = ChatNeeds(tuple(chat_needs(simulation, steps)))
    assert not any(assembly.overflowed for assembly in run_with(made, found.most, steps))
    if found.most > 1:
        assert any(assembly.overflowed for assembly in run_with(made, found.most - 1, steps))
    for turn, assembly in zip(found.turns, replay(simulation, steps), strict=True):
        assert list(verdicts(turn.assembly)) == list(verdicts(assembly))
        assert turn.need <= found.most
        assert turn.wanted >= turn.inside or turn.assembly.overflowed
