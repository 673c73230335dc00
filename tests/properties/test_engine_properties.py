from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lorebook_tui.engine.assemble import Simulation, replay
from lorebook_tui.engine.document_json import json_value
from lorebook_tui.engine.evidence import evidence, message_hits
from lorebook_tui.engine.explain import explain
from lorebook_tui.engine.keys import DynamicKey, PatternKey
from lorebook_tui.engine.phase_views import phase_views
from lorebook_tui.engine.phases.buffer import Buffer
from lorebook_tui.engine.phases.keys import match_text
from lorebook_tui.engine.trace import Cause, PassKind, Reason
from lorebook_tui.engine.verdicts import counts, verdicts
from lorebook_tui.matching.literals import LiteralSet
from lorebook_tui.model.js import trim
from lorebook_tui.tokens.registry import counter
from tests.properties.strategies import WORDS, meant_scenarios, odd_texts, replays, wild_scenarios

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.model.scenario import Scenario, Step

COUNTER = counter("estimate")
BUSY_MACHINE = [HealthCheck.too_slow]
MANY = settings(max_examples=70, suppress_health_check=BUSY_MACHINE)
FEW = settings(max_examples=50, suppress_health_check=BUSY_MACHINE)


def simulate(scenario: Scenario, steps: list[Step]) -> list[Assembly]:
    return list(replay(Simulation(scenario, COUNTER), steps))


def trace(assembly: Assembly) -> str:
    """Everything a turn decided, as text."""
    return repr(
        (
            assembly.passes, assembly.decisions, assembly.ledger, assembly.admitted, assembly.slots, assembly.note, assembly.budget,
            assembly.overflowed, assembly.tokens, assembly.draws, assembly.error, assembly.state.timed, assembly.state.random,
            assembly.state.local, assembly.state.globals, [repr(found) for found in verdicts(assembly)],
        )
    )  # fmt: skip


def look_at_everything(assembly: Assembly) -> None:
    """Ask for all that can be asked."""
    for index in range(len(assembly.plan.entries)):
        told = explain(assembly, index)
        assert told.sentence.startswith(("IN: ", "OUT: ", "NOT IN THE PROMPT: "))
        assert told.sentence.startswith("IN: ") == (told.verdict.place is not None)
    views = phase_views(assembly)
    assert len(views) == 7
    for message, spans in message_hits(assembly).items():
        text = assembly.chat.messages[message].text
        assert all(0 <= start < end <= len(text) for start, end, _ in spans)


@MANY
@given(st.data(), wild_scenarios)
def test_no_json_makes_the_engine_fail(data: st.DataObject, scenario: Scenario) -> None:
    for assembly in simulate(scenario, data.draw(replays(scenario))):
        look_at_everything(assembly)
        json.dumps(json_value(dict(assembly.state.local)))


@FEW
@given(st.data(), wild_scenarios | meant_scenarios)
def test_the_same_input_gives_the_same_trace(data: st.DataObject, scenario: Scenario) -> None:
    steps = data.draw(replays(scenario))
    first = [trace(assembly) for assembly in simulate(scenario, steps)]
    simulation = Simulation(scenario, COUNTER)
    again = []
    for assembly in replay(simulation, steps):
        look_at_everything(assembly)
        again.append(trace(assembly))
    assert again == first


@FEW
@given(st.data(), meant_scenarios)
def test_any_turn_can_be_replayed_alone_and_in_any_order(data: st.DataObject, scenario: Scenario) -> None:
    steps = data.draw(replays(scenario))
    simulation = Simulation(scenario, COUNTER)
    whole = list(replay(simulation, steps))
    before = [simulation.initial_state(), *(assembly.state for assembly in whole)]
    fresh = Simulation(scenario, COUNTER)
    for place in data.draw(st.permutations(range(len(steps)))):
        assert trace(fresh.assemble(steps[place], before[place])) == trace(whole[place])
    cut = data.draw(st.integers(0, len(steps)))
    rest = replay(Simulation(scenario, COUNTER), steps[cut:], before[cut])
    assert [trace(assembly) for assembly in rest] == [trace(assembly) for assembly in whole[cut:]]


@MANY
@given(st.data(), meant_scenarios | wild_scenarios)
def test_counts_are_the_verdicts_of_all_loaded_entries(data: st.DataObject, scenario: Scenario) -> None:
    for assembly in simulate(scenario, data.draw(replays(scenario))):
        found = list(verdicts(assembly))
        assert [verdict.index for verdict in found] == list(range(len(assembly.plan.entries)))
        assert counts(assembly) == Counter(verdict.reason for verdict in found)
        inside = {verdict.index for verdict in found if verdict.admitted}
        assert inside == ({admitted.index for admitted in assembly.admitted} if not assembly.error else set())
        for verdict in found:
            assert (verdict.reason is Reason.IN_PROMPT) == (verdict.place is not None)


@MANY
@given(st.data(), meant_scenarios)
def test_evidence_agrees_with_the_verdict(data: st.DataObject, scenario: Scenario) -> None:
    for assembly in simulate(scenario, data.draw(replays(scenario))):
        for verdict in verdicts(assembly):
            proof = evidence(assembly, verdict.index)
            matched = [finding for finding in proof.keys if finding.matched]
            if any(isinstance(key, DynamicKey) for key in assembly.entry(verdict.index).keys):
                continue
            if verdict.cause is Cause.KEY and (verdict.admitted is None or not was_forced(assembly, verdict.index)):
                assert matched
                assert any(finding.hits or finding.note for finding in matched)
            if verdict.reason is Reason.NO_KEY_IN_TEXT:
                assert not matched
            if verdict.reason is Reason.SECONDARY_FAILED:
                assert matched
                logic = assembly.entry(verdict.index).logic
                hits = [finding.matched for finding in proof.secondary]
                assert not {0: any(hits), 1: not all(hits), 2: not any(hits), 3: all(hits)}[int(logic)]
            for finding in (*proof.keys, *proof.secondary):
                assert all(0 <= hit.start <= hit.end <= len(hit.text) for hit in finding.hits)
                assert not (finding.near and finding.matched)


def was_forced(assembly: Assembly, index: int) -> bool:
    """Whether the given object of a forced activation stands for the entry, so that its own keys did not count."""
    return any(decision.forced for decision in assembly.decisions_of(index))


@MANY
@given(st.data(), meant_scenarios)
def test_what_can_never_be(data: st.DataObject, scenario: Scenario) -> None:
    for assembly in simulate(scenario, data.draw(replays(scenario))):
        for admitted in assembly.admitted:
            gates = assembly.entry(admitted.index).gates
            assert not gates.closed
            assert gates.triggers is None or assembly.turn.trigger in gates.triggers
        for row in assembly.ledger:
            assert row.ignores_budget or row.admitted == (row.total < assembly.budget)
        for turn_pass in assembly.passes:
            rows = [row for row in assembly.ledger if row.turn_pass == turn_pass.number]
            assert rows == [] or rows[0].total == turn_pass.base_tokens + rows[0].tokens
            assert [row.total - row.tokens for row in rows[1:]] == [row.total for row in rows[:-1]]
        assert len({assembly.entry(admitted.index).identity for admitted in assembly.admitted}) == len(
            assembly.admitted
        )


def fires_by_looking(assembly: Assembly, entry: CompiledEntry, buffer: Buffer, kind: PassKind) -> bool:
    """Whether a primary key occurs in the joined text, one key after the other, without index, gates or windows."""
    view = buffer.view(entry.window, with_recursion=kind is not PassKind.MIN_ACTIVATIONS)
    stored = entry.entry.fields.get("key")
    keys = [assembly.expand(key) for key in stored] if isinstance(stored, list) else []
    return any(
        match_text(
            trim(key),
            view,
            assembly.plan.case_sensitive(entry.entry),
            whole_words=assembly.plan.whole_words(entry.entry),
        )
        for key in keys
        if key
    )


@MANY
@given(st.data(), meant_scenarios)
def test_the_search_for_candidates_misses_nobody(data: st.DataObject, scenario: Scenario) -> None:
    """Entries that no pass judged have no key in any text, and those that were stopped by no other gate agree."""
    for assembly in simulate(scenario, data.draw(replays(scenario))):
        buffer = Buffer(assembly.plan, assembly.turn)
        activated: set[str] = set()
        for turn_pass in assembly.passes:
            buffer.skew = turn_pass.depth - assembly.plan.settings.world_info_depth
            judged = {
                decision.index: decision
                for decision in reversed(assembly.decisions)
                if decision.turn_pass == turn_pass.number
            }
            for entry in assembly.plan.entries:
                if (
                    entry.identity in activated
                    or entry.gates.closed
                    or any(isinstance(key, DynamicKey) for key in entry.keys)
                ):
                    continue
                occurs = fires_by_looking(assembly, entry, buffer, turn_pass.kind)
                first = judged.get(entry.index)
                if first is None:
                    assert not occurs or rolled_out_earlier(assembly, entry.index, turn_pass.number)
                elif first.reason is Reason.NO_KEY_IN_TEXT:
                    assert not occurs
                elif first.cause is Cause.KEY or first.reason is Reason.SECONDARY_FAILED:
                    assert occurs
            if turn_pass.recursed:
                buffer.feed([text for _, text in turn_pass.recursed])
            activated |= {
                assembly.entry(admitted.index).identity
                for admitted in assembly.admitted
                if admitted.turn_pass <= turn_pass.number
            }


def rolled_out_earlier(assembly: Assembly, index: int, turn_pass: int) -> bool:
    """Whether an earlier pass barred the entry for the rest of the scan, or its given object was tried instead."""
    return any(
        (decision.reason is Reason.ROLL_FAILED and decision.turn_pass < turn_pass) or decision.forced
        for decision in assembly.decisions_of(index)
    ) or bool(assembly.plan.identified(assembly.entry(index).identity)[1:])


@settings(max_examples=300)
@given(
    st.lists(st.sampled_from(WORDS) | odd_texts, max_size=6),
    st.lists(st.sampled_from(WORDS) | odd_texts, max_size=6),
    odd_texts,
)
def test_the_automaton_and_the_plain_search_agree(substrings: list[str], words: list[str], text: str) -> None:
    numbers = {literal: number for number, literal in enumerate(dict.fromkeys(substrings))}
    whole = {literal: 100 + number for number, literal in enumerate(dict.fromkeys(words))}
    fast, slow = (LiteralSet(numbers, whole, accelerated=accelerated).numbers_in(text) for accelerated in (True, False))
    assert fast == slow
    assert {literal for literal, number in numbers.items() if number in fast} == {
        literal for literal in numbers if literal and literal in text
    }


def test_the_worlds_are_worth_looking_at() -> None:
    """The strategies reach the rarer things: most reasons, several passes, draws, overflow."""
    seen: Counter[Any] = Counter()

    @settings(max_examples=100, database=None, derandomize=True)
    @given(st.data(), meant_scenarios)
    def collect(data: st.DataObject, scenario: Scenario) -> None:
        for assembly in simulate(scenario, data.draw(replays(scenario))):
            seen.update(verdict.reason for verdict in verdicts(assembly))
            seen.update(
                ["late"] * (len(assembly.passes) > 2)
                + ["overflow"] * assembly.overflowed
                + ["draws"] * bool(assembly.draws)
            )
            seen.update(
                "pattern" for entry in assembly.plan.entries for key in entry.keys if isinstance(key, PatternKey)
            )

    collect()
    assert min(seen[thing] for thing in ("late", "overflow", "draws", "pattern")) > 20
    assert len([reason for reason in Reason if seen[reason]]) >= 16
