from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.plan import Window
from lorebook_tui.engine.verdicts import counts, verdicts
from lorebook_tui.errors import UsageError
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import Scenario, Step
from lorebook_tui.model.settings import ScanSettings
from tests.unit.engine.lore import COUNTER, book, entry, run, scenario, turn


@pytest.mark.parametrize("content", [5, ["x"], {"a": 1}, True])
def test_one_content_that_is_no_text_stops_the_loading_of_all_books(content: Any) -> None:
    assembly = run(
        scenario(layers=Layers((book(entry(1, "cat"), entry(2, content=content)), book(entry(3, "cat"), name="other"))))
    )
    assert "entry 2 in 'lore'" in assembly.plan.load_error
    assert (assembly.plan.entries, assembly.admitted, list(verdicts(assembly)), counts(assembly)) == ([], (), [], {})


@pytest.mark.parametrize("content", [None, 0, "", False])
def test_a_content_that_is_false_is_empty(content: Any) -> None:
    assembly = turn(entry(1, "cat", content=content))
    assert assembly.plan.load_error == ""
    assert assembly.admitted[0].content == ""


def test_a_plan_is_kept_until_books_or_settings_change() -> None:
    simulation = Simulation(scenario(entry(1, "cat"), chat=["x", "y"]), COUNTER)
    start = simulation.initial_state()
    first = simulation.assemble(Step(1), start)
    same = simulation.assemble(Step(2), first.state)
    changed = simulation.assemble(Step(2, settings={"world_info_depth": 9}), same.state)
    stays = simulation.assemble(Step(2), changed.state)
    assert first.plan is same.plan
    assert changed.plan is not first.plan
    assert changed.plan.settings.world_info_depth == 9
    assert stays.plan is changed.plan
    assert simulation.plan() is first.plan


def test_books_that_a_step_changes_stay_changed() -> None:
    simulation = Simulation(scenario(entry(1, "x"), chat=["x", "y"]), COUNTER)
    changed = Layers((book(entry(2, "x")),))
    first = simulation.assemble(Step(1, layers=changed), simulation.initial_state())
    second = simulation.assemble(Step(1), first.state)
    assert [assembly.plan.entries[0].uid for assembly in (first, second)] == [2, 2]
    assert first.plan is second.plan


def test_fingerprints_recognise_any_edit_and_nothing_else() -> None:
    def fingerprint(*, name: str = "lore", **fields: Any) -> str:
        made = scenario(layers=Layers((book(entry(1, "cat", **fields), name=name),)))
        return Simulation(made, COUNTER).plan().entries[0].fingerprint

    assert fingerprint() == fingerprint()
    others = [
        fingerprint(comment="edited"),
        fingerprint(order=5),
        fingerprint(extra=1),
        fingerprint(name="b"),
        fingerprint(comment="\ud83d"),
    ]
    assert len({fingerprint(), *others}) == 6


def test_a_window_wakes_each_entry_of_a_literal() -> None:
    window = Window(None, ())
    for literal, index in ((1, 4), (1, 4), (2, 4), (1, 7), (1, 9)):
        window.wake(literal, index)
    assert list(window.woken({1})) == [4, 7, 9]
    assert set(window.woken({1, 2, 3})) == {4, 7, 9}
    single = Window(None, ())
    single.wake(1, 0)
    assert list(single.woken([1, 5])) == [0]


def test_entries_with_the_same_gates_share_a_profile() -> None:
    plan = Simulation(
        scenario(entry(1, "a"), entry(2, "b"), entry(3, "c", disable=True), entry(4, "d", delay=2)), COUNTER
    ).plan()
    assert sorted(plan.profiles.values()) == [1, 1, 2]
    assert sum(gates.closed for gates in plan.profiles) == 1


def test_the_names_of_an_entry_in_the_plan() -> None:
    plan = Simulation(scenario(entry(1, "a"), Entry({"key": ["b"]}, "x")), COUNTER).plan()
    assert [(loaded.uid, loaded.identity) for loaded in plan.entries] == [(1, "lore.1"), (None, "lore.undefined")]
    assert plan.source_name(4) == "scenario"
    assert plan.identified("lore.9") == []


def test_an_engine_nobody_knows_is_refused() -> None:
    with pytest.raises(UsageError, match="There is no engine 'tavern'") as refused:
        Simulation(Scenario(engine="tavern"), COUNTER)
    assert refused.value.expected.startswith("sillytavern")


def test_only_judged_entries_have_decisions() -> None:
    many = [entry(number, f"word{number}") for number in range(50)]
    assembly = turn(*many, chat=["word7 and word9"], settings={"world_info_recursive": False})
    assert {decision.index for decision in assembly.decisions} == {7, 9}
    assert len(list(verdicts(assembly))) == 50


def test_settings_of_the_plan_are_the_scenarios() -> None:
    made = scenario(settings={"world_info_budget_cap": 7})
    assert Simulation(made, COUNTER).plan().settings == ScanSettings(
        world_info_budget_cap=7, world_info_include_names=False
    )
