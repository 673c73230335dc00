from __future__ import annotations

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.whatif import what_if
from lorebook_tui.model.scenario import Step
from tests.unit.engine.lore import COUNTER, entry, scenario, turns


def test_a_message_that_was_never_sent_wakes_entries_and_what_they_wake() -> None:
    made = scenario(
        entry(0, "cat", content="a dog", order=104),
        entry(1, "dog", order=103),
        entry(2, "mill", order=102),
        entry(3, constant=True, order=101),
        chat=["The mill.", "x"],
    )
    simulation = Simulation(made, COUNTER)
    before = simulation.initial_state()
    found = what_if(simulation, before, "I see a cat.", upto=1)
    assert (found.message, found.text) == (1, "I see a cat.")
    assert list(found.triggered) == [0, 1]
    assert found.triggered[1].by == 0
    assert found.spans == ((8, 11, 0),)
    assert {admitted.index for admitted in found.assembly.admitted} == {0, 1, 2, 3}
    assert simulation.scenario is made
    assert found.assembly.plan is simulation.plan()
    assert len(made.transcript) == 2


def test_what_is_cut_is_triggered_too() -> None:
    made = scenario(
        entry(0, "cat", content="x" * 99), chat=["x"], settings={"world_info_budget": 100}, max_context=20
    )  # fmt: skip
    simulation = Simulation(made, COUNTER)
    found = what_if(simulation, simulation.initial_state(), "cat", upto=1)
    assert list(found.triggered) == [0]
    assert found.spans == ()


def test_effects_of_the_turns_before_still_run_and_the_speaker_counts() -> None:
    made = scenario(
        entry(0, "cat", sticky=3, order=101),
        entry(1, "/Guest: .*hello/", order=100),
        chat=["cat", "x"],
        settings={"world_info_include_names": True, "world_info_depth": 1},
    )
    state = turns(made, [1])[0].state
    simulation = Simulation(made, COUNTER)
    found = what_if(simulation, state, "hello", upto=2, is_user=False, name="Guest", step=Step(0, trigger="normal"))
    assert {admitted.index for admitted in found.assembly.admitted} == {0, 1}
    assert list(found.triggered) == [1]
