from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.scenario import ForcedEntry
from tests.unit.engine.lore import entry, index_of, scenario, turn, turns, uids

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.trace import Decision

ALONE = {"world_info_recursive": False}


def member(uid: int, group: str = "g", **fields: Any) -> Entry:
    return entry(uid, "cat", **{"order": 100 - uid, "group": group, **fields})


def decided(assembly: Assembly, index: int) -> Decision:
    decision = verdict(assembly, index).decision
    assert decision is not None
    return decision


@pytest.mark.parametrize(("value", "winner"), [(0.0, 1), (0.25, 1), (0.2501, 2), (0.9999, 2)])
def test_the_roll_is_weighted_and_reaches_the_running_sum(value: float, winner: int) -> None:
    assembly = turn(member(1, groupWeight=50), member(2, groupWeight=150), numbers=[value])
    assert uids(assembly) == [winner]
    assert [(draw.value, draw.source, draw.group, draw.index) for draw in assembly.draws] == [
        (value, "group", "g", winner - 1)
    ]


@pytest.mark.parametrize(
    ("weights", "value", "winner"), [((None, 100), 0.6, 2), ((0, 0), 0.9, 1), ((100, 100), 0.5, 1)]
)
def test_missing_weights_are_100_and_all_zeros_choose_the_first(
    weights: tuple[Any, Any], value: float, winner: int
) -> None:
    assembly = turn(member(1, groupWeight=weights[0]), member(2, groupWeight=weights[1]), numbers=[value])
    assert uids(assembly) == [winner]


def test_weights_that_are_no_numbers_choose_nobody_and_keep_all() -> None:
    assembly = turn(member(1, groupWeight={}), member(2), numbers=[0.5])
    assert uids(assembly) == [1, 2]
    assert assembly.draws[0].index is None


def test_a_group_of_one_makes_no_roll() -> None:
    assembly = turn(member(1), entry(2, "cat"), entry(3, "dog", group="g"))
    assert (uids(assembly), assembly.draws) == ([2, 1], ())


def test_groups_are_settled_integers_first_then_by_first_appearance() -> None:
    assembly = turn(
        member(1, "b"),
        member(2, "b"),
        member(3, "10"),
        member(4, "10"),
        member(5, "2"),
        member(6, "2"),
        numbers=[0, 0, 0],
    )
    assert [draw.group for draw in assembly.draws] == ["2", "10", "b"]


def test_names_are_split_at_commas_and_keep_a_blank_before_one() -> None:
    assembly = turn(
        member(1, "a ,  b,,"), member(2, "b"), member(3, "a"), member(4, "a "), numbers=[0, 0], settings=ALONE
    )
    assert [draw.group for draw in assembly.draws] == ["a ", "b"]
    assert uids(assembly) == [1, 3]


def test_an_override_wins_by_order_and_the_first_of_equals() -> None:
    assembly = turn(
        member(1),
        member(2, groupOverride=True, order=5),
        member(3, groupOverride=True, order=50),
        member(4, groupOverride=True, order=50),
    )
    assert uids(assembly) == [3]
    assert {verdict(assembly, index_of(assembly, uid)).reason for uid in (1, 2, 4)} == {Reason.GROUP_OVERRIDE}
    assert assembly.draws == ()
    later = turn(member(1, order=500), member(2, groupOverride=True, order=5), member(3, groupOverride=True, order=50))
    assert uids(later) == [3]


def test_scoring_keeps_the_best_and_members_that_do_not_use_it() -> None:
    assembly = turn(
        entry(1, "cat", "dog", group="g", useGroupScoring=True), entry(2, "cat", group="g", useGroupScoring=True),
        entry(3, "cat", group="g", useGroupScoring=False), chat=["cat dog"], numbers=[0.9],
    )  # fmt: skip
    assert uids(assembly) == [3]
    assert [verdict(assembly, index).reason for index in range(3)] == [
        Reason.GROUP_ROLL,
        Reason.GROUP_SCORE,
        Reason.IN_PROMPT,
    ]
    assert decided(assembly, 1).score == 1


@pytest.mark.parametrize(
    ("logic", "secondary", "points"),
    [
        (0, ["dog", "x"], 2),
        (3, ["dog", "bird"], 3),
        (3, ["dog", "x"], 1),
        (1, ["dog", "x"], 1),
        (2, ["dog"], 1),
        (0, [""], 2),
        (9, ["dog"], 1),
    ],
)
def test_scores_count_secondary_keys_by_logic_without_looking_at_selective(
    logic: int, secondary: list[str], points: int
) -> None:
    rival = entry(2, "cat", "dog", "bird", "fish", "/c.t/", group="g", order=1)
    assembly = turn(
        entry(1, "cat", keysecondary=secondary, selectiveLogic=logic, selective=False, group="g"), rival,
        chat=["cat dog bird fish"], settings={"world_info_use_group_scoring": True},
    )  # fmt: skip
    assert verdict(assembly, 0).reason is Reason.GROUP_SCORE
    assert decided(assembly, 0).score == points


def test_a_constant_without_keys_scores_nothing_and_raw_keys_count() -> None:
    assembly = turn(
        entry(1, group="g", constant=True, keysecondary=["cat"]), entry(2, "{{char}}", "cat", group="g"),
        chat=["cat {{char}}"], settings={"world_info_use_group_scoring": True},
    )  # fmt: skip
    assert uids(assembly) == [2]
    assert decided(assembly, 0).score == 0


def test_a_taken_group_is_closed_in_later_passes_by_exact_name_only() -> None:
    assembly = turn(
        entry(1, "cat", content="dog", group="g"), entry(2, "dog", group="g"), entry(3, "dog", group="g, h"), entry(4, "dog", group="h"),
        numbers=[0],
    )  # fmt: skip
    assert verdict(assembly, 1).reason is Reason.GROUP_TAKEN
    assert decided(assembly, 1).winner == 0
    assert uids(assembly)[0] == 1
    listed = turn(entry(1, "cat", content="dog", group="g, h"), entry(2, "dog", group="g"), entry(3, "dog", group="h"))
    assert uids(listed) == [1, 2, 3]


def test_losing_twice_takes_the_last_candidate_along() -> None:
    assembly = turn(member(1, "a"), member(2, "a, b"), member(3, "b"), entry(9, "cat", order=1), numbers=[0, 0.9])
    assert uids(assembly) == [1, 3]
    lost, stranger = verdict(assembly, index_of(assembly, 2)), verdict(assembly, index_of(assembly, 9))
    assert lost.reason is Reason.GROUP_ROLL
    assert stranger.reason is Reason.GROUP_COLLATERAL
    assert stranger.decision
    assert stranger.decision.winner == index_of(assembly, 2)


def test_losing_twice_with_nobody_left_is_harmless() -> None:
    assembly = turn(member(1, "a"), member(2, "a, b"), member(3, "b", probability=0), numbers=[0, 0.9, 0.5])
    assert uids(assembly) == [1]
    alone = turn(member(1, "a, b"), member(2, "a, b"), numbers=[0, 0.9])
    assert uids(alone) == []


def test_an_entry_that_is_gone_can_still_win_a_group() -> None:
    assembly = turn(member(1, "a"), member(2, "a, b"), member(3, "b"), numbers=[0, 0.1])
    assert uids(assembly) == [1]


def test_a_sticky_member_ends_the_contest() -> None:
    made = scenario(
        entry(1, "cat", sticky=3, group="g"), entry(2, "dog", group="g", order=200), entry(3, "dog", group="g", useGroupScoring=True),
        chat=["cat", "dog cat"], settings={"world_info_depth": 1},
    )  # fmt: skip
    later = turns(made, [1, 2])[1]
    assert uids(later) == [1]
    assert [verdict(later, index_of(later, uid)).reason for uid in (2, 3)] == [Reason.GROUP_STICKY_MEMBER] * 2


def test_a_sticky_member_on_cooldown_is_put_out_by_its_own_group() -> None:
    made = scenario(
        entry(1, "cat", sticky=5, cooldown=3, group="g"), chat=["cat", "x", "x"], settings={"world_info_depth": 1}
    )
    later = turns(made, [1, 2])[1]
    assert uids(later) == []
    assert verdict(later, 0).reason is Reason.GROUP_COOLDOWN


def test_losers_come_back_if_the_winner_failed_its_roll() -> None:
    assembly = turn(
        member(1, probability=10), member(2, groupWeight=0), entry(3, content="cat", constant=True), numbers=[0, 0.5]
    )
    assert uids(assembly) == [3, 2]


@pytest.mark.parametrize("name", ["constructor", "toString", "__proto__"])
def test_a_name_that_every_object_has_stops_the_scan(name: str) -> None:
    assembly = turn(member(1, name), entry(2, "cat"))
    assert name in assembly.error
    assert (assembly.admitted, verdict(assembly, 0).reason, verdict(assembly, 1).reason) == (
        (),
        Reason.STOPPED,
        Reason.STOPPED,
    )


def test_a_group_or_a_scored_key_that_is_no_text_stops_the_scan() -> None:
    assert "no text" in turn(member(1, group=5)).error  # type: ignore[arg-type]
    scored = turn(
        entry(1, "cat", group="g", useGroupScoring=True),
        Entry({**entry(2, "cat", group="g").fields, "key": ["cat", 5]}, "2"),
    )
    assert "no text" in scored.error


def test_a_forced_object_takes_part_with_its_own_group() -> None:
    made = scenario(entry(1, "cat"), entry(2, "dog"), chat=["cat"], numbers=[0.9])
    forced = replace(made, forced=(ForcedEntry("lore", 2, {"group": "g"}), ForcedEntry("lore", 1, {"group": "g"})))
    assembly = turns(forced, [1])[0]
    assert len(uids(assembly)) == 1
    assert [draw.group for draw in assembly.draws] == ["g"]
