from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from lorebook_tui.engine.assemble import Simulation, replay
from lorebook_tui.engine.remedies import EntryChange, SettingChange, SideEffect, proposals, wording
from lorebook_tui.engine.remedies.case import Case
from lorebook_tui.engine.remedies.changes import merged
from lorebook_tui.engine.remedies.proposal import COSTS, Kind, cost_of
from lorebook_tui.engine.remedies.remedy_json import REMEDY_DEFS, remedies_json
from lorebook_tui.engine.remedies.trials import Trials
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.trace_schema import ENTRY_DEFS
from lorebook_tui.model.cast import Cast, Character, Group, Persona
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import ForcedEntry, Scenario, Step
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.turns import replay_of
from tests.unit.engine.lore import COUNTER, book, entry, index_of, run, scenario
from tests.unit.remedies.asking import about, ask, at, changed, margin_of, only

SAMPLE = Path(__file__).parents[3] / "sample_books" / "harrowmere"


def test_an_entry_that_is_in_needs_nothing() -> None:
    assert ask(scenario(entry(1, "cat")), 1) == []


def test_the_number_of_proposals_is_limited() -> None:
    made = scenario(entry(1, "Cat", caseSensitive=True), chat=("A cat.", "-", "A cat."))
    assert len(ask(made, 1)) > 2
    assert ask(made, 1, most=2) == ask(made, 1)[:2]


def test_three_changes_where_two_are_too_few() -> None:
    found = about(entry(1, "zebra", disable=True, triggers=["quiet"]))
    made = found["enable+triggers+constant"]
    assert made.sentence == "Enabled, with “normal” among its triggers and as a constant entry, it is in."
    assert [changed(change)[0] for change in made.changes] == ["disable", "triggers", "constant"]
    assert (made.kind, made.change) == (Kind.ENABLE, made.changes[0])
    assert made.cost == sum(COSTS[kind] for kind in made.kinds)


def test_a_value_that_is_changed_again_is_told_once() -> None:
    """A higher order wins the group, but a still higher one is needed for the budget."""
    rest = [entry(number, "cat", content="x" * 20, order=190) for number in (3, 4)]
    found = about(
        entry(1, "cat", group="g", groupOverride=True, content="x" * 20),
        entry(2, "cat", group="g", groupOverride=True, order=120, content="x" * 20),
        *rest,
        settings={"world_info_budget": 5},
        max_context=1000,
    )
    assert only(found["order"]) == ("order", 100, 190)
    assert found["order"].sentence.startswith("With order 190 it is in")


def test_merged_changes_keep_the_first_old_value() -> None:
    first = (EntryChange(1, "order", 100, 120), SettingChange("world_info_depth", 2, 3))
    assert merged(first, (EntryChange(1, "order", 120, 130), EntryChange(2, "order", 1, 2))) == (
        EntryChange(1, "order", 100, 130),
        SettingChange("world_info_depth", 2, 3),
        EntryChange(2, "order", 1, 2),
    )


def test_a_step_that_changes_settings_and_books_is_the_ground() -> None:
    made = scenario(entry(1, "dog"), chat=("A cat.", "-", "-"))
    simulation = Simulation(made, COUNTER)
    other = Layers((book(entry(1, "cat"), entry(2, "-", order=200)),))
    step = Step(3, settings={"world_info_depth": 1}, layers=other, max_context=500)
    state = simulation.initial_state()
    assembly = simulation.assemble(step, state)
    found = proposals(simulation, step, state, assembly, index_of(assembly, 1))
    assert only(found[0]) == ("scanDepth", None, 3)
    deeper = next(proposal for proposal in found if proposal.kind is Kind.GLOBAL_DEPTH)
    assert only(deeper) == ("world_info_depth", 1, 3)


def test_books_of_a_group_member_change_too() -> None:
    anna = Character(
        "Anna", "anna.png", books=(book(entry(1, "cat", order=10), entry(2, "cat", order=50), name="own"),)
    )
    made = scenario(
        settings={"world_info_budget": 1}, cast=Cast(Persona("User"), None, Group((anna,))), max_context=1000
    )
    found = {proposal.kind: proposal for proposal in ask(made, 1)}
    assert only(found[Kind.ORDER]) == ("order", 10, 50)
    assert [proposal for proposal in ask(made, 1, replayed=True) if proposal.kind is Kind.ORDER] != []
    alone = replace(made, cast=Cast(Persona("User"), anna))
    assert [proposal.sentence for proposal in ask(alone, 1)] == [proposal.sentence for proposal in ask(made, 1)]


def test_a_book_that_is_loaded_twice() -> None:
    lore = book(entry(1, "Cat", caseSensitive=True), entry(2, "cat"))
    made = scenario(chat=("A cat.",)).with_layers(Layers((lore, lore)))
    simulation, step, state, assembly = at(made)
    for index in (loaded.index for loaded in assembly.plan.entries if loaded.uid == 1):
        found = proposals(simulation, step, state, assembly, index)
        assert [proposal.kind for proposal in found] == [Kind.KEY_ADDED, Kind.CASE, Kind.CONSTANT]
        assert {proposal.side_effects for proposal in found} == {()}
        assert {proposal.verdict_after.reason for proposal in found} == {Reason.IN_PROMPT}


def test_an_entry_of_a_book_that_is_loaded_twice_is_changed_once() -> None:
    """Whichever of the two a step begins at, it is one entry of one file."""
    lore = book(entry(1, "cat", group="g, h"), entry(2, "cat", group="g"), entry(3, "cat", group="h"))
    made = scenario(chat=("A cat.",)).with_layers(Layers((lore, lore)))
    trials = Trials(*at(made))
    first, second = (loaded.index for loaded in trials.assembly.plan.entries if loaded.uid == 1)
    case = Case(trials, trials.run(()), second)
    assert case.change("group", "h", second) == EntryChange(first, "group", "g, h", "h")
    later = Case(trials, case.run(case.change("group", "h", second)), first)
    assert later.with_changes((later.change("group", ""),)) == (EntryChange(first, "group", "g, h", ""),)


def test_nothing_is_left_behind_in_the_plan() -> None:
    simulation, step, state, assembly = at(scenario(entry(1, "zebra"), entry(2, "cat", order=50), chat=("A cat.",)))
    plan = assembly.plan
    kept = (len(plan.windows), list(plan.always), dict(plan.profiles), list(plan.entries), vars(plan).keys())
    trial = Trials(simulation, step, state, assembly).run(
        (
            EntryChange(0, "scanDepth", None, 7),
            EntryChange(0, "key", ["zebra"], ["/c.t/"]),
            EntryChange(0, "order", 100, 1),
        )
    )
    assert trial.is_in(0)
    assert trial.places == {0: 1, 1: 0}
    assert kept == (len(plan.windows), list(plan.always), dict(plan.profiles), list(plan.entries), vars(plan).keys())
    assert simulation.assemble(step, state).decisions == assembly.decisions


def test_each_set_of_changes_runs_once() -> None:
    simulation, step, state, assembly = at(scenario(entry(1, "zebra")))
    trials = Trials(simulation, step, state, assembly)
    change = EntryChange(0, "constant", False, True)
    assert trials.run((change,)) is trials.run((change,))
    assert trials.run(()).assembly is assembly
    assert trials.count == 1


@pytest.mark.parametrize(
    ("made", "matters"),
    [
        (scenario(entry(1, "cat")), False),
        (scenario(entry(1, "cat", sticky=2)), True),
        (scenario(entry(1, "cat", probability=50), chat=("cat", "cat")), True),
        (scenario(entry(1, "cat"), local_variables={"v": 1}), True),
    ],
)
def test_when_earlier_turns_matter(made: Scenario, *, matters: bool) -> None:
    trials = Trials(*at(made))
    assert trials.history_matters(trials.run(())) is matters


@pytest.mark.parametrize(
    "change",
    [
        EntryChange(0, "constant", False, True),
        EntryChange(0, "sticky", None, 2),
        EntryChange(0, "content", "", "{{setvar::a::b}}"),
    ],
    ids=lambda change: change.field,
)
def test_earlier_turns_matter_as_soon_as_a_change_would_have_left_something_there(change: EntryChange) -> None:
    """Among others a member of a group: one that comes in at each turn has the group drawn for at each turn."""
    fellows = (entry(0, "zebra", group="g"), entry(1, "cat", group="g"))
    made = scenario(*(fellows if change.field == "constant" else (entry(0, "cat"),)), chat=("dog", "cat"))
    trials = Trials(*at(made))
    assert not trials.history_matters(trials.run(()))
    assert trials.history_matters(trials.run((change,)))


def test_without_history_nothing_is_replayed() -> None:
    made = scenario(entry(1, "Cat", caseSensitive=True), chat=("-", "A cat."))
    assert [proposal.replayed for proposal in ask(made, 1, replayed=True)] == [False] * len(ask(made, 1))


def test_consequences_in_words() -> None:
    titles = list("ABCDEFG").__getitem__
    gain = [SideEffect(number, Reason.NO_KEY_IN_TEXT, Reason.IN_PROMPT) for number in range(5)]
    losses = [
        SideEffect(5, Reason.IN_PROMPT, Reason.BEHIND_THE_CUT),
        SideEffect(6, Reason.IN_PROMPT, Reason.BUDGET_CUT),
    ]
    assert wording.consequences([], titles) == ""
    assert wording.consequences(gain[:1], titles) == "“A” comes in"
    assert wording.consequences([*gain, *losses], titles) == "“F” and “G” are cut and “A”, “B”, “C” and 2 more come in"
    words = {
        Reason.ROLL_FAILED: "loses its roll", Reason.GROUP_ROLL: "loses its group", Reason.ON_COOLDOWN: "has to wait",
        Reason.NO_KEY_IN_TEXT: "drops out", Reason.GROUP_COOLDOWN: "has to wait",
    }  # fmt: skip
    for reason, verb in words.items():
        assert wording.consequences([SideEffect(0, Reason.IN_PROMPT, reason)], titles) == f"“A” {verb}"


def test_what_costs_more() -> None:
    gain = SideEffect(0, Reason.NO_KEY_IN_TEXT, Reason.IN_PROMPT)
    loss = SideEffect(0, Reason.IN_PROMPT, Reason.BUDGET_CUT)
    assert cost_of(()) < cost_of((gain,)) < cost_of((loss,)) < cost_of((gain, loss))
    assert set(COSTS) == set(Kind)
    assert max(COSTS.values()) == COSTS[Kind.CONSTANT]


def test_the_further_back_the_dearer() -> None:
    near = about(entry(1, "cat"), chat=("A cat.", "-", "-"))["scan_depth"]
    far = about(entry(1, "cat"), chat=("A cat.", *("-",) * 12))["scan_depth"]
    assert (near.cost, far.cost) == (1, 3)


def test_json_obeys_its_schema() -> None:
    made = scenario(
        entry(1, "cat", order=50), entry(2, "cat", probability=50, order=120), settings={"world_info_budget": 1},
        max_context=1000, numbers=[0.1],
    )  # fmt: skip
    schema = {"$ref": "#/$defs/remedies", "$defs": {**ENTRY_DEFS, **REMEDY_DEFS}}
    out = remedies_json(ask(made, 1), margin_of(made, 1))
    inside = remedies_json(ask(made, 2), margin_of(made, 2))
    for document in (out, inside):
        jsonschema.validate(json.loads(json.dumps(document)), schema)
    assert out["margin"] is None
    assert out["proposals"][0]["changes"] == [{"entry": 1, "field": "order", "setting": None, "old": 50, "new": 120}]
    assert {change["setting"] for proposal in out["proposals"] for change in proposal["changes"]} > {
        None,
        "max_context",
    }
    assert inside["proposals"] == []
    assert inside["margin"]["rolls"] == [{"for": "probability", "group": None, "odds": 0.5, "value": 0.1}]


def test_what_cannot_be_helped() -> None:
    """The object of a forced activation brings its own percentage along."""
    forced = (ForcedEntry("lore", 1, {"probability": 0}),)
    assert ask(scenario(entry(1, "cat"), forced=forced, numbers=[0.5]), 1) == []


def test_dear_ways_are_left_out_once_there_is_enough() -> None:
    made = scenario(
        entry(1, "Cat", caseSensitive=True, content="x" * 20), entry(2, "cat", order=150, content="x" * 20),
        settings={"world_info_budget_cap": 30}, chat=("A cat.",),
    )  # fmt: skip
    assert ask(made, 1, most=1) == ask(made, 1)[:1]


def test_an_engine_whose_plan_cannot_be_varied(monkeypatch: pytest.MonkeyPatch) -> None:
    from lorebook_tui.engine.remedies import trials

    made = scenario(
        entry(1, "cat", content="x" * 9),
        entry(2, "cat", order=130, content="x" * 9),
        settings={"world_info_budget_cap": 15},
    )
    expected = ask(made, 1)
    monkeypatch.setattr(trials, "_VARIABLE_ENGINES", frozenset())
    assert [proposal.sentence for proposal in ask(made, 1)] == [proposal.sentence for proposal in expected]


def test_the_sample_s_tithe_is_cut_by_eleven_tokens() -> None:
    replayed = replay_of(open_workspace([SAMPLE]))
    simulation, state = replayed.simulation, replayed.simulation.initial_state()
    before = [Step(turn) for turn in replayed.turns if turn < 14]
    for assembly in replay(simulation, before, state):
        state = assembly.state
    assembly = simulation.assemble(Step(14), state)
    index = next(loaded.index for loaded in assembly.plan.entries if loaded.entry.title == "The salt tithe")
    found = proposals(simulation, Step(14), state, assembly, index, earlier=lambda changed: replay(changed, before))
    sentences = {proposal.kind: proposal.sentence for proposal in found}
    assert sentences[Kind.SHORTEN] == "Shortened to 103 tokens (11 fewer), it is in."
    assert sentences[Kind.ORDER] == "With order 110 it is in (then “The Reeve” is cut)."
    assert sentences[Kind.BUDGET] == "With a budget of 26 % of the context it is in."
    assert all(proposal.replayed for proposal in found)
    trials = Trials(simulation, Step(14), state, assembly)
    assert [trials.run((EntryChange(index, "order", 100, order),)).is_in(index) for order in (109, 110, 121)] == [
        False, True, True,
    ]  # fmt: skip


def test_a_turn_without_any_pass_has_no_remedy() -> None:
    assembly = run(scenario(entry(1, "cat", content=7)))
    assert assembly.plan.load_error
    assert assembly.plan.entries == []
