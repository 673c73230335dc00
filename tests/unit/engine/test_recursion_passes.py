from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lorebook_tui.engine.trace import PassKind, Reason
from lorebook_tui.engine.verdicts import verdict
from tests.unit.engine.lore import entry, index_of, turn, uids

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly

INITIAL, RECURSION, MIN_ACTIVATIONS = PassKind.INITIAL, PassKind.RECURSION, PassKind.MIN_ACTIVATIONS


def kinds(assembly: Assembly) -> list[PassKind]:
    return [turn_pass.kind for turn_pass in assembly.passes]


def test_one_entry_pulls_in_the_next() -> None:
    assembly = turn(entry(1, "cat", content="dog"), entry(2, "dog", content="bird"), entry(3, "bird"), entry(4, "fish"))
    assert [(admitted.index, admitted.turn_pass) for admitted in assembly.admitted] == [(0, 1), (1, 2), (2, 3)]
    assert kinds(assembly) == [INITIAL, RECURSION, RECURSION, RECURSION]
    assert [turn_pass.next_kind for turn_pass in assembly.passes][-1] is PassKind.NONE
    assert assembly.passes[0].recursed == ((0, "dog"),)


def test_with_recursion_off_there_is_one_pass() -> None:
    assembly = turn(entry(1, "cat", content="dog"), entry(2, "dog"), settings={"world_info_recursive": False})
    assert (uids(assembly), kinds(assembly)) == ([1], [INITIAL])


def test_an_empty_content_opens_a_recursion_pass() -> None:
    assembly = turn(entry(1, "cat", content=""))
    assert kinds(assembly) == [INITIAL, RECURSION]
    assert assembly.passes[0].recursed == ()


def test_prevented_text_wakes_nobody_and_opens_no_pass() -> None:
    assembly = turn(entry(1, "cat", content="dog", preventRecursion=True), entry(2, "dog"))
    assert (uids(assembly), kinds(assembly)) == ([1], [INITIAL])


def test_excluded_entries_are_for_the_first_pass_only() -> None:
    assembly = turn(
        entry(1, "cat", content="dog"), entry(2, "dog", excludeRecursion=True), entry(3, "cat", excludeRecursion=True)
    )
    assert uids(assembly) == [1, 3]
    assert verdict(assembly, 1).reason is Reason.EXCLUDED_FROM_RECURSION


def test_steps_count_all_passes() -> None:
    chain = [entry(1, "cat", content="dog"), entry(2, "dog", content="bird"), entry(3, "bird")]
    for most, inside in ((1, [1]), (2, [1, 2]), (3, [1, 2, 3])):
        assert uids(turn(*chain, settings={"world_info_max_recursion_steps": most})) == inside
    limited = turn(
        entry(1, "dog"),
        chat=["dog", "x", "y"],
        settings={"world_info_max_recursion_steps": 1, "world_info_min_activations": 1},
    )
    assert kinds(limited) == [INITIAL]


def test_a_lone_delay_level_needs_something_that_recurses() -> None:
    late = entry(1, "cat", delayUntilRecursion=True)
    assert uids(turn(late)) == []
    assert verdict(turn(late), 0).reason is Reason.WAITS_FOR_RECURSION
    assert uids(turn(late, entry(2, "cat"))) == [2, 1]


def test_levels_open_one_at_a_time_when_all_else_is_done() -> None:
    assembly = turn(
        entry(1, "cat", content="dog", order=9), entry(2, "cat", delayUntilRecursion=1, content="two", order=8),
        entry(3, "cat", delayUntilRecursion=2, content="three", order=7), entry(4, "cat", delayUntilRecursion=5, order=6),
        entry(5, delayUntilRecursion=9, disable=True, order=1),
    )  # fmt: skip
    assert [(admitted.index, admitted.turn_pass) for admitted in assembly.admitted] == [(0, 1), (1, 2), (2, 4), (3, 6)]
    assert [turn_pass.level for turn_pass in assembly.passes] == [1, 1, 2, 2, 5, 5, 9, 9][: len(assembly.passes)]
    assert assembly.plan.levels == [1, 2, 5, 9]


def test_a_second_level_opens_even_with_recursion_off_and_scans_recursed_text() -> None:
    assembly = turn(
        entry(1, "cat", content="dog"), entry(2, "dog", delayUntilRecursion=1, excludeRecursion=True),
        entry(3, "bird", delayUntilRecursion=2), settings={"world_info_recursive": False},
    )  # fmt: skip
    assert kinds(assembly) == [INITIAL, RECURSION]
    assert uids(assembly) == [1, 2]
    assert verdict(assembly, 2).reason is Reason.NO_KEY_IN_TEXT


def test_a_level_that_was_never_opened_is_told_so() -> None:
    assembly = turn(
        entry(1, "cat", content="dog"), entry(2, "cat", delayUntilRecursion=1), entry(3, "cat", delayUntilRecursion=2),
        settings={"world_info_max_recursion_steps": 2},
    )  # fmt: skip
    assert verdict(assembly, 2).reason is Reason.LEVEL_NOT_OPEN


def test_an_overflow_ends_recursion_but_not_the_levels() -> None:
    assembly = turn(
        entry(1, "cat", content="dog " * 20), entry(2, "dog"), entry(3, delayUntilRecursion=1), entry(4, "dog", delayUntilRecursion=2, ignoreBudget=True),
        settings={"world_info_budget": 100}, max_context=50,
    )  # fmt: skip
    assert kinds(assembly) == [INITIAL, RECURSION]
    assert uids(assembly) == [4]


@pytest.mark.parametrize(
    ("wanted", "furthest", "depths"),
    [(0, 0, [1]), (1, 0, [1, 2, 3, 4, 5]), (1, 2, [1, 2, 3]), (1, 1, [1, 2]), (2, 0, [1, 2, 3, 4, 5])],
)
def test_min_activations_widens_the_window_one_message_beyond(wanted: int, furthest: int, depths: list[int]) -> None:
    assembly = turn(
        entry(1, "nothing"), chat=["a", "b", "c", "d"],
        settings={"world_info_depth": 1, "world_info_min_activations": wanted, "world_info_min_activations_depth_max": furthest},
    )  # fmt: skip
    assert [turn_pass.depth for turn_pass in assembly.passes] == depths


def test_min_activations_stop_when_enough_are_active_and_skip_own_depths() -> None:
    settings = {"world_info_depth": 1, "world_info_min_activations": 2, "world_info_recursive": False}
    assembly = turn(
        entry(1, constant=True),
        entry(2, "b"),
        entry(3, "a"),
        entry(4, "b", scanDepth=1),
        chat=["a", "b", "c"],
        settings=settings,
    )
    assert uids(assembly) == [1, 2]
    assert kinds(assembly) == [INITIAL, MIN_ACTIVATIONS]


def test_an_overflow_ends_min_activations() -> None:
    settings = {"world_info_depth": 1, "world_info_min_activations": 2, "world_info_budget": 100}
    assembly = turn(entry(1, "c", content="long text"), chat=["a", "b", "c"], settings=settings, max_context=5)
    assert kinds(assembly) == [INITIAL]


def test_an_entry_woken_by_its_own_text_is_no_news() -> None:
    assembly = turn(entry(1, "cat", content="cat"))
    assert kinds(assembly) == [INITIAL, RECURSION]
    assert len(assembly.admitted) == 1


def test_a_key_may_span_contents_of_one_pass() -> None:
    assembly = turn(
        entry(1, "cat", content="one", order=9),
        entry(2, "cat", content="two", order=8),
        entry(3, "one\ntwo"),
        entry(4, "two\none"),
    )
    assert uids(assembly) == [1, 2, 3]
    assert index_of(assembly, 3) in {admitted.index for admitted in assembly.admitted if admitted.turn_pass == 2}


def test_a_key_with_a_line_feed_is_found_across_contents_together_with_plain_ones() -> None:
    contents = [entry(1, "cat", content="a one", order=9), entry(2, "cat", content="two dogs", order=8)]
    keys = [entry(3, "one\ntwo"), entry(4, "dogs"), entry(5, "one")]
    assert set(uids(turn(*contents, *keys))) == {1, 2, 3, 4, 5}
    assert set(uids(turn(*contents, *keys[1:]))) == {1, 2, 4, 5}


def test_levels_are_distinct_values_and_lists_are_never_the_same() -> None:
    stored = [2, 1, True, 2.0, "2", "1", [1], [1]]
    assembly = turn(*(entry(number, "zebra", delayUntilRecursion=level) for number, level in enumerate(stored)))
    assert assembly.plan.levels == [1, "1", [1], [1], 2, "2"]
