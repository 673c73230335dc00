from __future__ import annotations

import pytest

from lorebook_tui.engine.assemble import Simulation, replay, steps
from lorebook_tui.errors import UsageError
from lorebook_tui.model.scenario import RandomSource, Step
from tests.unit.engine.lore import COUNTER, entry, scenario, turns, uids

CHAT = ["cat", "x", "y", "cat", "z"]
ROLLING = [
    entry(1, "cat", sticky=3, probability=50),
    entry(2, "cat", cooldown=2),
    entry(3, constant=True, content="{{incvar::n}}"),
]


def test_steps() -> None:
    made = scenario(chat=CHAT)
    assert steps(made) == [Step(5)]
    assert steps(made, "each") == [Step(1), Step(2), Step(3), Step(4), Step(5)]
    assert steps(made, "user") == [Step(1), Step(3), Step(5)]
    assert steps(made, [2, 2, 3]) == [Step(2), Step(2), Step(3)]
    with pytest.raises(UsageError, match="Cannot replay 'all'"):
        steps(made, "all")


def test_state_is_carried_from_turn_to_turn() -> None:
    found = turns(scenario(*ROLLING, chat=CHAT), range(1, 6))
    assert [assembly.admitted[-1].content for assembly in found] == ["1", "2", "3", "4", "5"]
    assert found[-1].state.local["n"] in {5, "5"}


def test_steps_without_a_report_run_but_are_not_given_out() -> None:
    made = scenario(*ROLLING, chat=CHAT)
    silent = turns(made, [Step(1, report=False), Step(2, report=False), Step(3)])
    assert [assembly.upto for assembly in silent] == [3]
    assert silent[0].state == turns(made, [1, 2, 3])[-1].state


def test_a_replay_goes_on_from_a_state() -> None:
    simulation = Simulation(scenario(*ROLLING, chat=CHAT), COUNTER)
    whole = list(replay(simulation, steps(simulation.scenario, "each")))
    rest = list(replay(simulation, [Step(4), Step(5)], whole[2].state))
    assert [(assembly.admitted, assembly.decisions, assembly.state) for assembly in rest] == [
        (assembly.admitted, assembly.decisions, assembly.state) for assembly in whole[3:]
    ]


def test_a_turn_changes_neither_its_state_nor_later_looks_at_it() -> None:
    simulation = Simulation(scenario(*ROLLING, chat=CHAT), COUNTER)
    start = simulation.initial_state()
    first = simulation.assemble(Step(1), start)
    assert start == simulation.initial_state()
    again = simulation.assemble(Step(1), start)
    assert (first.admitted, first.draws, first.state) == (again.admitted, again.draws, again.state)
    assert first.expand("{{getvar::n}} {{incvar::n}} {{getvar::n}}") == first.expand(
        "{{getvar::n}} {{incvar::n}} {{getvar::n}}"
    )


def test_the_random_stream_runs_on_or_starts_anew() -> None:
    chat = ["cat"] * 3
    rolling = entry(1, "cat", probability=50)
    runs_on = turns(scenario(rolling, chat=chat), [1, 2, 3])
    values = [assembly.draws[0].value for assembly in runs_on]
    assert len(set(values)) == 3
    per_turn = turns(scenario(rolling, chat=chat, random=RandomSource(1, per_turn=True)), [1, 2, 3])
    assert [assembly.draws[0].value for assembly in per_turn] == [values[0]] * 3
    step = turns(scenario(rolling, chat=chat), [1, Step(2, random=RandomSource(numbers=(0.25,))), 3])
    assert step[1].draws[0].value == 0.25
    assert (step[1].exhausted, step[2].exhausted) == (False, True)


def test_going_back_and_repeating_lengths() -> None:
    found = turns(scenario(entry(1, "cat", cooldown=3), chat=["cat"] * 5), [3, 3, 1, 4])
    assert [uids(assembly) for assembly in found] == [[1], [1], [1], [1]] or [
        len(uids(assembly)) for assembly in found
    ][:3] == [1, 1, 1]
