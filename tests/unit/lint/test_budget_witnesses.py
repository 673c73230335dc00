"""What rules about orders, budget and contents claim, run with the engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.engine.assemble import Simulation, steps
from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.budgeting import CUT, came_in, kept_out
from lorebook_tui.lint.catalogue import rule_named
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import Severity
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.witness import reason_of, run, scenario_of
from lorebook_tui.model.cast import AuthorsNote, Cast, Character, Persona
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import Scenario
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.tokens.estimate import EstimateCounter
from lorebook_tui.workspace.check_workspace import world_from
from lorebook_tui.workspace.checking import Around, read_file
from lorebook_tui.workspace.checking import world_of as single
from tests.unit.lint.examples import world_of

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.subjects import EntryView


def findings(code: str, number: int = 0) -> tuple[Finding, ...]:
    """What a rule says of one of its invalid examples."""
    rule = rule_named(code)
    example = rule.invalid[number]
    config = LintConfig(select=(code,), options={code: example.options}, preview=True)
    return Linter(config, rules=(rule,)).check(world_of(example)).findings


def played(finding: Finding) -> Assembly:
    assert finding.witness is not None
    return run(finding.witness)


def subject(finding: Finding) -> EntryView:
    assert finding.entry is not None
    return finding.entry


def texts(assembly: Assembly, slot: str) -> list[str]:
    return [text for _, text in getattr(assembly.slots, slot)]


def test_of_equal_orders_the_later_stands_above() -> None:
    (finding,) = findings("ORD001")
    assert texts(played(finding), "before") == ["y", "x"]


def test_roles_are_not_interleaved() -> None:
    (finding,) = findings("ORD003")
    assert sorted(record.texts for record in played(finding).slots.depths) == [("x", "z"), ("y",)]


def test_outlets_have_the_highest_order_first() -> None:
    (finding,) = findings("ORD014")
    assert [text for _, text in played(finding).slots.outlets["news"]] == ["y", "x"]


@pytest.mark.parametrize(
    ("code", "number"),
    [("ORD002", 0), ("ORD002", 1), ("BUD003", 0), ("BUD003", 1), ("BUD004", 0), ("CNT004", 0), ("CNT004", 1)],
)
def test_the_entry_is_cut_in_its_scene(code: str, number: int) -> None:
    (finding,) = findings(code, number)
    assert reason_of(played(finding), subject(finding)) in CUT


def test_constants_cut_each_other_when_nothing_is_said() -> None:
    (finding,) = findings("BUD002", 1)
    assert finding.severity.value == "error"
    assembly = played(finding)
    assert len(kept_out(assembly, finding.others)) == 1
    assert len(came_in(assembly, finding.others)) == 1


def test_the_smaller_ones_would_come_in_without_the_big_one() -> None:
    (finding,) = findings("BUD004")
    assert kept_out(played(finding), finding.others) == list(finding.others)
    scenario = scenario_of(finding.witness.scenario) if finding.witness else None
    assert scenario is not None
    book = scenario.layers.global_[0]
    rest = tuple(entry for entry in book.entries if entry.key != subject(finding).entry.key)
    smaller = Scenario(
        layers=Layers((type(book)(book.name, rest),)), settings=scenario.settings, cast=scenario.cast,
        transcript=scenario.transcript, max_context=scenario.max_context, tokenizer="estimate",
    )  # fmt: skip
    simulation = Simulation(smaller, EstimateCounter())
    assembly = simulation.assemble(steps(smaller, None)[0], simulation.initial_state())
    assert came_in(assembly, finding.others) == list(finding.others)


def test_those_that_ignore_the_budget_cut_a_small_constant() -> None:
    (finding,) = findings("BUD005")
    assembly = played(finding)
    assert came_in(assembly, [subject(finding), *finding.others]) == [subject(finding), *finding.others]
    assert assembly.overflowed


def test_a_context_of_4k_cuts_what_one_of_8k_has() -> None:
    for finding in findings("BUD007"):
        assembly = played(finding)
        assert assembly.turn.max_context == 4096
        assert reason_of(assembly, subject(finding)) in CUT


def test_more_comes_in_than_the_budget_allows() -> None:
    (finding,) = findings("BUD008")
    assembly = played(finding)
    assert assembly.tokens > assembly.budget
    assert not assembly.overflowed


def test_a_half_of_the_shell_stays_alone() -> None:
    (finding,) = findings("CNT004")
    assembly = played(finding)
    assert reason_of(assembly, finding.others[0]) is Reason.IN_PROMPT
    assert "]" in texts(assembly, "before")
    assert "[" not in texts(assembly, "before")


def test_a_variable_counts_every_turn() -> None:
    (finding,) = findings("CNT009")
    assert played(finding).state.local["days"] == 2


@pytest.mark.parametrize(
    ("interval", "reason"), [(0, Reason.NOTE_NOT_DUE), (4, Reason.NOTE_NOT_DUE), (1, Reason.IN_PROMPT)]
)
def test_a_note_that_is_not_due_loses_its_lore(interval: int, reason: Reason) -> None:
    world = world_of(rule_named("ORD011").invalid[0])
    scenario = Scenario(
        layers=Layers((world.books[0].book,)), cast=Cast(Persona("You"), Character("Mira")),
        transcript=Transcript((Message("a", is_user=True),)), note=AuthorsNote("Note.", interval),
    )  # fmt: skip
    simulation = Simulation(scenario, EstimateCounter())
    assembly = simulation.assemble(steps(scenario, None)[0], simulation.initial_state())
    assert reason_of(assembly, world.books[0].entries[0]) is reason


@pytest.mark.parametrize("code", ["BUD002", "BUD003", "BUD004", "BUD005"])
def test_without_settings_a_fresh_installation_is_only_assumed(code: str) -> None:
    """What is an error under given settings is one step milder where they are a guess."""
    rule = rule_named(code)
    given = findings(code)
    assert {finding.severity for finding in given} <= {rule.severity}
    assumed = [finding for number in range(len(rule.invalid)) if rule.invalid[number].settings is None
               for finding in findings(code, number)]  # fmt: skip
    assert all(finding.severity.rank > 0 for finding in assumed)
    assert all("fresh installation" in finding.message for finding in assumed)


def test_a_shell_that_only_many_entries_cut_apart_is_mentioned() -> None:
    rule = rule_named("CNT004")
    config = LintConfig(select=("CNT004",), options={"CNT004": {"together": 0}})
    (finding,) = Linter(config, rules=(rule,)).check(world_of(rule.invalid[0])).findings
    assert finding.severity is Severity.INFO


SAMPLES = Path(__file__).parents[3] / "sample_books"


@pytest.mark.parametrize("folder", ["harrowmere", "mossford", "support"])
def test_nothing_above_info_is_said_of_the_samples(folder: str) -> None:
    """As workspaces, with settings, prompt, cast, note and chat, and file by file without them."""
    linter = Linter(LintConfig(select=("ALL",)))
    worlds = [world_from(SAMPLES / folder / "lorebook.toml")]
    worlds += [single(read_file(path), Around()) for path in SAMPLES.glob(f"{folder}/*.*") if path.suffix != ".toml"]
    told = [finding for world in worlds for finding in linter.check(world).findings]
    assert [finding.message for finding in told if finding.severity is not Severity.INFO] == []
