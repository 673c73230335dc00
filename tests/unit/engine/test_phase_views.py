from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.engine.phase_views import phase_views
from lorebook_tui.engine.trace import Outcome, Phase
from lorebook_tui.model.cast import AuthorsNote, InjectedPrompt
from lorebook_tui.model.scenario import ForcedEntry
from tests.unit.engine.lore import entry, scenario, turn, turns

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.phase_views import PhaseView


def view(assembly: Assembly, phase: Phase) -> PhaseView:
    views = phase_views(assembly)
    assert [found.phase for found in views] == list(Phase)
    return views[phase - 1]


def lines(found: PhaseView) -> list[tuple[str, str]]:
    return [(row.title, row.detail) for row in found.rows]


def test_buffer_holds_messages_prompts_recursed_text_and_sources() -> None:
    assembly = turn(
        entry(1, "cat", content="a dog"), entry(2, "x", matchScenario=True), chat=["old", "cat", "new"],
        injected=(InjectedPrompt("memory", "remember", scan=True),), scan_data={"scenario": "a mill"},
    )  # fmt: skip
    found = view(assembly, Phase.BUFFER)
    assert lines(found) == [
        ("new", "message 3"),
        ("cat", "message 2"),
        ("remember", "injected prompt memory"),
        ("a dog", "recursion after pass 1"),
        ("a mill", "scenario (only for entries that ask for it)"),
    ]
    assert [row.message for row in found.rows] == [2, 1, None, None, None]
    assert found.count == "5"


def test_buffer_of_a_depth_of_zero_is_empty() -> None:
    assert lines(view(turn(entry(1, "cat"), settings={"world_info_depth": 0}), Phase.BUFFER)) == []
    nothing = view(
        turn(entry(1, "cat", matchScenario=True), settings={"world_info_max_recursion_steps": -1}), Phase.BUFFER
    )
    assert lines(nothing) == [("A cat.", "message 1")]


def test_keys_list_who_was_woken_and_whom_a_secondary_key_stopped() -> None:
    assembly = turn(
        entry(1, "cat", content="dog", order=9), entry(2, constant=True, order=8), entry(3, content="@@activate\nx", order=7),
        entry(4, "dog", order=6), entry(5, "cat", keysecondary=["zebra"], order=5), entry(6, "zebra", order=4), entry(7, order=3),
        forced=(ForcedEntry("lore", 7),),
    )  # fmt: skip
    found = view(assembly, Phase.KEYS)
    assert lines(found) == [
        ("e1", "key"), ("e2", "constant"), ("e3", "@@activate"), ("e4", "key, pass 2"), ("e5", "secondary keys do not let it in"),
        ("e7", "activated from outside"),
    ]  # fmt: skip
    assert found.count == "5"
    made = scenario(entry(1, "cat", sticky=3), chat=["cat", "x"], settings={"world_info_depth": 1})
    assert lines(view(turns(made, [1, 2])[1], Phase.KEYS)) == [("e1", "sticky")]


def test_filters_list_who_was_stopped_and_the_draws() -> None:
    assembly = turn(
        entry(1, "cat", probability=40), entry(2, "cat", group="g"), entry(3, "cat", group="g"), entry(4, "cat", delay=5), entry(5, "cat", probability=80),
        numbers=[0.2, 0.625, 0.5], settings={"world_info_recursive": False},
    )  # fmt: skip
    found = view(assembly, Phase.FILTERS)
    assert lines(found) == [
        ("e1", "roll failed"), ("e3", "group roll"), ("e4", "delayed"), ("group g", "roll 0.200"),
        ("e1", "roll 62.5 of 40 %: failed"), ("e5", "roll 50.0 of 80 %: passed"),
    ]  # fmt: skip
    assert (found.count, found.rows[0].mark, found.rows[2].mark) == ("−3", Outcome.ROLLED_OUT, Outcome.WAITING)
    macro = turn(entry(1, "{{roll:1d1}}"), chat=["1"], settings={"world_info_recursive": False})
    assert [draw.source for draw in macro.draws] == ["macro"]
    assert (view(macro, Phase.FILTERS).count, lines(view(macro, Phase.FILTERS))) == ("0", [])


def test_recursion_lists_the_passes_and_who_came_of_each() -> None:
    assembly = turn(entry(1, "cat", content="dog"), entry(2, "dog", content=""), entry(3, "dog", excludeRecursion=True))
    found = view(assembly, Phase.RECURSION)
    assert lines(found) == [
        ("Pass 1: first pass", "1 candidates, 1 texts recursed, then recursion"),
        ("e1", "admitted"),
        ("Pass 2: recursion", "1 candidates, then recursion"),
        ("e2", "admitted"),
        ("Pass 3: recursion", "0 candidates, then the end"),
        ("e3", "excluded from recursion"),
    ]
    assert found.count == "+1"
    assert view(turn(entry(1, "zebra")), Phase.RECURSION).count == "0"


def test_budget_is_the_ledger_and_those_behind_the_cut() -> None:
    assembly = turn(
        entry(1, "cat", content="a" * 5, order=40), entry(2, "cat", content="b" * 50, order=30), entry(3, "cat", order=20),
        entry(4, "cat", content="d", order=10, ignoreBudget=True),
        settings={"world_info_budget": 100}, max_context=40,
    )  # fmt: skip
    found = view(assembly, Phase.BUDGET)
    assert [(row.title, row.detail, row.mark, row.tokens) for row in found.rows] == [
        ("e1", "6 of 40", Outcome.IN, 6),
        ("e2", "57 of 40", Outcome.CUT, 51),
        ("e4", "59 of 40, ignores the budget", Outcome.IN, 2),
        ("e3", "not tried", Outcome.CUT, None),
    ]
    assert found.count == "−2"
    assert "budget full" in lines(view(assembly, Phase.RECURSION))[0][1]
    assert view(turn(entry(1, "cat")), Phase.BUDGET).count == "0"


def test_order_is_lowest_first() -> None:
    assembly = turn(entry(1, "cat", order=30), entry(2, "cat", order=10), entry(3, "cat", order=20))
    found = view(assembly, Phase.ORDER)
    assert lines(found) == [("e2", "order 10, global"), ("e3", "order 20, global"), ("e1", "order 30, global")]
    assert [row.tokens for row in found.rows] == [7, 7, 7]


def test_inject_shows_every_slot_as_it_reads() -> None:
    placed = [
        entry(1, constant=True, position=0), entry(2, constant=True, position=1), entry(3, constant=True, position=2),
        entry(4, constant=True, position=3), entry(5, constant=True, position=4, depth=2, role=1), entry(6, constant=True, position=5),
        entry(7, constant=True, position=6), entry(8, constant=True, position=7, outletName="x"), entry(9, constant=True, position=9),
    ]  # fmt: skip
    found = view(turn(*placed, note=AuthorsNote("note")), Phase.INJECT)
    assert lines(found) == [
        ("Before the character definitions", "1 texts, 7 tokens"), ("e1", "text 1"),
        ("After the character definitions", "1 texts, 7 tokens"), ("e2", "text 2"),
        ("Top of the author's note", "1 texts, 7 tokens"), ("e3", "text 3"),
        ("Bottom of the author's note", "1 texts, 7 tokens"), ("e4", "text 4"),
        ("Before the example messages", "1 texts, 7 tokens"), ("e6", "text 6"),
        ("After the example messages", "1 texts, 7 tokens"), ("e7", "text 7"),
        ("At depth 2 as user", "1 texts, 7 tokens"), ("e5", "text 5"),
        ("In outlet “x”", "1 texts, 7 tokens"), ("e8", "text 8"),
        ("e9", "unknown position"),
    ]  # fmt: skip
    assert found.count == "8"
    late = view(turn(*placed, note=AuthorsNote("note", interval=2)), Phase.INJECT)
    assert late.count == "6"
    assert [row for row in lines(late) if row[1] == "note not due"] == [("e3", "note not due"), ("e4", "note not due")]
