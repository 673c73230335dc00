"""Comparing is fair: nothing differs from itself, and what is seen from one side is seen from the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.engine.assemble import Simulation, replay
from lorebook_tui.engine.budget_curve import in_prompt
from lorebook_tui.engine.compare import Comparison, Kind, compare_turn
from lorebook_tui.engine.pairing import pairing_of
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import RandomSource, Step
from tests.unit.engine.lore import COUNTER, book, entry, scenario

WORDS = ("cat", "dog", "owl")
STEPS = [Step(1), Step(2), Step(3)]


@st.composite
def entries(draw: st.DrawFn) -> Any:
    uid = draw(st.integers(0, 5))
    return replace(
        entry(
            uid,
            draw(st.sampled_from(WORDS)),
            content=draw(st.sampled_from(["one", "a dog", "{{roll:d6}}"])),
            order=draw(st.integers(1, 4)),
            position=draw(st.sampled_from([0, 0, 0, 1, 4, 7, 9])),
            depth=draw(st.sampled_from([0, 4])),
            outletName=draw(st.sampled_from(["", "a"])),
            probability=draw(st.sampled_from([100, 50])),
            sticky=draw(st.sampled_from([None, 2])),
        ),
        key=str(draw(st.integers(0, 9))),
    )


@st.composite
def sides(draw: st.DrawFn) -> Any:
    def some_book(name: str) -> Any:
        listed = {item.key: item for item in draw(st.lists(entries(), max_size=6))}
        return book(*listed.values(), name=name)

    names = draw(st.permutations(["a", "b", "c"]))
    layers = Layers((some_book(names[0]),), chat=(some_book(names[1]),))
    made = scenario(
        chat=("A cat.", "A dog.", "A cat, an owl."),
        settings={"world_info_budget": 100, "world_info_budget_cap": draw(st.sampled_from([6, 20, 1000]))},
    )
    return replace(made, layers=layers, random=RandomSource(draw(st.integers(0, 3))))


def compared(left: Any, right: Any) -> Comparison:
    ours, theirs = Simulation(left, COUNTER), Simulation(right, COUNTER)
    pairing = pairing_of(ours, theirs)
    turns = zip(replay(ours, STEPS), replay(theirs, STEPS), strict=True)
    return Comparison(tuple(compare_turn(first, second, pairing) for first, second in turns))


@given(sides())
@settings(max_examples=40)
def test_nothing_differs_from_itself(made: Any) -> None:
    found = compared(made, made)
    assert found.is_same
    assert found.counts() == {}


@given(sides(), sides())
@settings(max_examples=80)
def test_both_directions_tell_the_same(left: Any, right: Any) -> None:
    there, back = compared(left, right), compared(right, left)
    assert there.flipped() == back
    assert there.is_same == back.is_same


@given(sides(), sides())
@settings(max_examples=60)
def test_left_and_the_changes_make_right(left: Any, right: Any) -> None:
    ours, theirs = Simulation(left, COUNTER), Simulation(right, COUNTER)
    pairing = pairing_of(ours, theirs)
    for first, second in zip(replay(ours, STEPS), replay(theirs, STEPS), strict=True):
        found = compare_turn(first, second, pairing)
        stayed = in_prompt(first) - {change.left.index for change in found.of(Kind.WENT)}
        came = {change.right.index for change in found.of(Kind.CAME)}
        assert {pairing.to_right[index] for index in stayed} | came == in_prompt(second)
        texts = {pairing.to_right[index]: first.admitted_by_index[index].content for index in stayed}
        changed = {change.right.index for change in found.of(Kind.REWRITTEN)}
        for index, text in texts.items():
            assert (text != second.admitted_by_index[index].content) is (index in changed)
