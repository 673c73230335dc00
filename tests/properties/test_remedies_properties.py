from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from lorebook_tui.engine.assemble import Simulation, replay
from lorebook_tui.engine.remedies import EntryChange, SettingChange, margin, proposals, trials
from lorebook_tui.engine.remedies.remedy_json import remedies_json
from lorebook_tui.engine.remedies.trials import Trials, in_prompt
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.model.book import Book
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import Scenario, Step
from lorebook_tui.tokens.registry import counter
from tests.properties.strategies import MEANT, meant_scenarios, plain_keys, texts, wild_scenarios

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.engine.remedies import Change, Proposal
    from lorebook_tui.model.entry import Entry

COUNTER = counter("estimate")
MANY = settings(max_examples=80)
FEW = settings(max_examples=40)
FOUND = 0.95
"""The share of silent entries for which something has to be found."""
BEFORE_THE_KEYS = {Reason.WAITS_FOR_RECURSION, Reason.LEVEL_NOT_OPEN, Reason.EXCLUDED_FROM_RECURSION}

fields_and_values = st.one_of(
    *(st.tuples(st.just(name), values) for name, values in MEANT.items()),
    st.tuples(st.just("key"), plain_keys),
    st.tuples(st.just("content"), texts),
)
setting_values = st.sampled_from(
    [
        ("world_info_depth", 3), ("world_info_budget", 50), ("world_info_budget_cap", 20), ("world_info_recursive", True),
        ("world_info_min_activations", 3), ("world_info_max_recursion_steps", 2), ("world_info_use_group_scoring", True),
        ("world_info_character_strategy", 0), ("world_info_case_sensitive", True), ("world_info_match_whole_words", False),
        ("world_info_include_names", True), ("max_context", 60), ("note_interval", 1),
    ]
)  # fmt: skip


def last_turn(scenario: Scenario) -> tuple[Simulation, Step, State, Assembly]:
    """The turn after the whole chat, after all turns before it."""
    simulation = Simulation(scenario, COUNTER)
    state = simulation.initial_state()
    for assembly in replay(simulation, [Step(upto) for upto in range(1, len(scenario.transcript))], state):
        state = assembly.state
    step = Step(len(scenario.transcript))
    return simulation, step, state, simulation.assemble(step, state)


def swapped(scenario: Scenario, assembly: Assembly, changes: Iterable[Change]) -> tuple[Scenario, dict[int, Entry]]:
    """The scenario with all changes made by hand, and the new entries by the identity of the old ones."""
    new: dict[int, Entry] = {}
    for change in changes:
        if isinstance(change, EntryChange):
            old = assembly.entry(change.index).entry
            assert repr(old.get(change.field)) == repr(change.old)
            entry = new.get(id(old), old)
            new[id(old)] = replace(entry, fields={**entry.fields, change.field: change.new})
    values: dict[str, Any] = {change.name: change.new for change in changes if isinstance(change, SettingChange)}
    context = values.pop("max_context", scenario.max_context)
    interval = values.pop("note_interval", scenario.note.interval)

    def books(listed: tuple[Book, ...]) -> tuple[Book, ...]:
        return tuple(Book(book.name, tuple(new.get(id(entry), entry) for entry in book.entries)) for book in listed)

    layers = scenario.layers
    changed = replace(
        scenario,
        layers=Layers(books(layers.global_), books(layers.character), books(layers.persona), books(layers.chat)),
        settings=scenario.settings.with_values(values),
        max_context=context,
        note=replace(scenario.note, interval=interval),
    )
    return changed, new


def names_in(assembly: Assembly, old: dict[int, Entry]) -> Counter[int]:
    """The entries in the prompt, by the identity of the unchanged object."""
    back = {id(new): number for number, new in old.items()}
    entries = (assembly.entry(index).entry for index in in_prompt(assembly))
    return Counter(back.get(id(entry), id(entry)) for entry in entries)


def check(scenario: Scenario, state: State, assembly: Assembly, index: int, proposal: Proposal) -> None:
    """Make the changes by hand in a new simulation and compare."""
    changed, new = swapped(scenario, assembly, proposal.changes)
    simulation = Simulation(changed, COUNTER)
    again = simulation.assemble(Step(assembly.upto), state)
    before, after = names_in(assembly, {}), names_in(again, new)
    target = id(assembly.entry(index).entry)
    assert after[target], proposal
    told = Counter(id(assembly.entry(effect.index).entry) for effect in proposal.side_effects)
    assert told == {
        number: count for number, count in ((before - after) + (after - before)).items() if number != target
    }
    for effect in proposal.side_effects:
        twins = [item.index for item in assembly.plan.entries if item.entry is assembly.entry(effect.index).entry]
        assert effect.before in {verdict(assembly, twin).reason for twin in twins}
        assert (effect.before is Reason.IN_PROMPT) != (effect.after is Reason.IN_PROMPT)
    assert proposal.verdict_after.reason is Reason.IN_PROMPT
    assert proposal.verdict_after.index == index


@MANY
@given(st.data(), meant_scenarios)
def test_a_varied_plan_runs_as_books_compiled_anew(data: st.DataObject, scenario: Scenario) -> None:
    simulation, step, state, assembly = last_turn(scenario)
    if not assembly.plan.entries:
        return
    index = data.draw(st.integers(0, len(assembly.plan.entries) - 1))
    field, value = data.draw(fields_and_values)
    changes: list[Change] = [EntryChange(index, field, assembly.entry(index).entry.get(field), value)]
    if data.draw(st.booleans()):
        name, number = data.draw(setting_values)
        changes.append(SettingChange(name, None, number))
    fast = Trials(simulation, step, state, assembly).run(tuple(changes))
    kept = trials._VARIABLE_ENGINES
    trials._VARIABLE_ENGINES = frozenset()  # type: ignore[misc]
    try:
        slow = Trials(simulation, step, state, assembly).run(tuple(changes))
    finally:
        trials._VARIABLE_ENGINES = kept  # type: ignore[misc]
    assert told(fast, index) == told(slow, index)


def told(trial: trials.Trial, changed: int) -> object:
    """What a turn decided, by the load indices of the turn that was asked about.

    Passes that had no cause to judge the changed entry may have judged it all the same, so that its keys are what
    stopped it and not a later gate.
    """
    assembly = trial.assembly
    entries = range(len(assembly.plan.entries))
    reasons = [trial.verdict(index).reason for index in entries]
    if reasons[changed] in BEFORE_THE_KEYS:
        reasons[changed] = Reason.NO_KEY_IN_TEXT
    return (
        reasons,
        [trial.verdict(index).place for index in entries],
        [(trial.back(admitted.index), admitted.content, admitted.tokens) for admitted in assembly.admitted],
        [(trial.back(row.index), row.total, row.admitted) for row in assembly.ledger],
        [(draw.value, draw.source, draw.passed) for draw in assembly.draws],
        assembly.note, assembly.error, assembly.state.random, len(assembly.passes),
    )  # fmt: skip


@MANY
@given(meant_scenarios)
def test_every_proposal_does_what_it_says(scenario: Scenario) -> None:
    scenario = replace(scenario, transcript=replace(scenario.transcript, messages=scenario.transcript.messages[:4]))
    simulation = Simulation(scenario, COUNTER)
    step, state = Step(len(scenario.transcript)), simulation.initial_state()
    assembly = simulation.assemble(step, state)
    inside = in_prompt(assembly)
    for index in range(len(assembly.plan.entries)):
        found = proposals(simulation, step, state, assembly, index, most=20)
        assert index not in inside or not found
        assert len(found) <= 20
        assert len({str(proposal.changes) for proposal in found}) == len(found)
        assert [proposal.cost for proposal in found] == sorted(proposal.cost for proposal in found)
        for proposal in found:
            check(scenario, state, assembly, index, proposal)


@FEW
@given(meant_scenarios)
def test_a_proposal_tried_from_the_beginning_holds_in_the_whole_chat(scenario: Scenario) -> None:
    simulation, step, state, assembly = last_turn(scenario)
    turns = [Step(upto) for upto in range(1, step.upto)]
    for index in range(len(assembly.plan.entries)):
        found = proposals(simulation, step, state, assembly, index, earlier=lambda made: replay(made, turns))
        for proposal in found:
            changed, new = swapped(scenario, assembly, proposal.changes)
            again = last_turn(changed)[-1]
            assert names_in(again, new)[id(assembly.entry(index).entry)], proposal


@pytest.mark.parametrize("replayed", [False, True])
def test_almost_every_silent_entry_has_a_remedy(*, replayed: bool) -> None:
    """On its turn alone, and with the changes made before the first turn, as `why` tries them."""
    seen: Counter[bool] = Counter()

    @settings(max_examples=120, derandomize=True, database=None, phases=[Phase.generate])
    @given(meant_scenarios)
    def look(scenario: Scenario) -> None:
        simulation, step, state, assembly = last_turn(scenario)
        turns = [Step(upto) for upto in range(1, step.upto)]
        earlier = (lambda made: replay(made, turns)) if replayed else None
        for index in range(len(assembly.plan.entries)):
            if verdict(assembly, index).reason not in {Reason.DISABLED, Reason.IN_PROMPT}:
                seen[bool(proposals(simulation, step, state, assembly, index, most=1, earlier=earlier))] += 1

    look()
    assert seen.total() > 300
    assert seen[True] >= FOUND * seen.total()


@FEW
@given(wild_scenarios)
def test_no_json_makes_the_search_fail_or_lie(scenario: Scenario) -> None:
    simulation = Simulation(scenario, COUNTER)
    step, state = Step(len(scenario.transcript)), simulation.initial_state()
    assembly = simulation.assemble(step, state)
    for index in range(len(assembly.plan.entries)):
        for proposal in proposals(simulation, step, state, assembly, index):
            check(scenario, state, assembly, index, proposal)
            json.dumps(remedies_json([proposal], None))
        found = margin(simulation, step, state, assembly, index)
        assert (found is not None) == (Trials(simulation, step, state, assembly).run(()).is_in(index))


@FEW
@given(meant_scenarios)
def test_a_margin_is_as_wide_as_it_says(scenario: Scenario) -> None:
    simulation = Simulation(scenario, COUNTER)
    step, state = Step(len(scenario.transcript)), simulation.initial_state()
    assembly = simulation.assemble(step, state)
    for index in in_prompt(assembly):
        found = margin(simulation, step, state, assembly, index)
        assert found is not None
        entry = assembly.entry(index).entry

        def stays(*changes: Change, entry: Entry = entry) -> bool:
            changed, new = swapped(scenario, assembly, changes)
            again = Simulation(changed, COUNTER).assemble(step, state)
            return bool(names_in(again, new)[id(entry)])

        if found.tokens_left is not None:
            room = assembly.budget - found.tokens_left
            assert stays(*limit(scenario, room))
            assert not stays(*limit(scenario, room - 1))
        if found.lowest_order is not None:
            assert stays(EntryChange(index, "order", entry.get("order"), found.lowest_order))
        for key in found.keys:
            kept = [other for other in entry.fields["key"] if other != key]
            assert not stays(EntryChange(index, "key", entry.get("key"), kept))
        assert found.without == tuple(sorted(found.without, key=lambda effect: effect.index))


def limit(scenario: Scenario, tokens: int) -> tuple[Change, ...]:
    """Settings that make the budget so many tokens."""
    return (
        SettingChange("world_info_budget", None, 100),
        SettingChange("world_info_budget_cap", None, tokens),
        SettingChange("max_context", None, max(scenario.max_context, tokens)),
    )
