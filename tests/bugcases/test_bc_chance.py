"""Bug cases, group 5: groups and chance. The outcomes are SillyTavern's."""

from __future__ import annotations

import pytest

from tests.bugcases.lore import entry, turn, turns

MAGIC = {
    "A": entry("fire", content="fire and water", group="magic"),
    "B": entry("water", content="b", group="magic"),
    "C": entry("earth", content="c", group="magic"),
}


def test_BC_055_a_group_is_closed_in_later_passes() -> None:
    found = turn(MAGIC, "u: teach fire")
    assert found.active == {"A"}
    assert found.raw["rng"]["draws"] == 0


FULL = entry("Full Name", content="full", order=9999, group="p", groupOverride=True)
SHORT = entry(content="short", constant=True, order=0, group="p", groupWeight=1)


def test_BC_056_the_override_wins_while_both_come_in_one_pass() -> None:
    assert turn({"S": SHORT, "F": FULL}, "u: Full Name").active == {"F"}


def test_BC_056_the_early_weak_member_wins_if_the_name_comes_by_recursion() -> None:
    book = {"S": SHORT, "F": FULL, "X": entry("x", content="Full Name")}
    assert turn(book, "u: x").active == {"S", "X"}


def test_BC_057_sticky_holds_although_macros_change_the_text() -> None:
    book = {"A": entry("x", content="roll {{roll:1d100}}", sticky=5, group="g")}
    found = turns(book, "u: x", "c: y", "u: z", turns="each", settings={"depth": 1})
    assert [sorted(at.active) for at in found] == [["A"], ["A"], ["A"]]


def test_BC_058_a_sticky_member_with_delay_until_recursion_wins_in_the_first_pass() -> None:
    book = {
        "A": entry("x", content="a", sticky=9, delayUntilRecursion=True, group="g"),
        "B": entry("y", content="b", group="g"),
        "W": entry("start", content="x"),
    }
    found = turns(book, "u: start", "c: y", turns="each", settings={"depth": 1})
    assert found[0].active == {"W", "A"}
    assert found[1].active == {"A"}
    assert found[1].passes == 2


def test_BC_059_ten_per_cent_is_ten_per_cent() -> None:
    book = {"A": entry(constant=True, probability=10)}
    fired = sum(at.active == {"A"} for at in turns(book, "u: x", turns=[1] * 4000, rng={"seed": 5}))
    assert 320 <= fired <= 480


def test_BC_060_a_percentage_without_its_switch_is_not_rolled() -> None:
    assert turn({"A": entry(constant=True, probability=0, useProbability=False)}, "u: x").active == {"A"}


def test_BC_061_zero_per_cent_can_fire_on_a_draw_of_zero() -> None:
    book = {"A": entry(constant=True, probability=0)}
    assert turn(book, "u: x", rng=[0.0]).active == {"A"}
    assert turn(book, "u: x", rng=[0.001]).active == set()


def test_BC_062_a_failed_roll_is_remembered() -> None:
    book = {"A": entry("x", probability=50), "B": entry("x", content="x again")}
    found = turn(book, "u: x", rng=[0.9, 0.1])
    assert found.active == {"B"}
    assert found.raw["rng"]["draws"] == 1


def test_BC_063_group_first_chance_second() -> None:
    book = {"A": entry("x", group="g", groupOverride=True, probability=1), "B": entry("x", group="g")}
    assert turn(book, "u: x", rng=[0.5], settings={"recursive": False}).active == set()


@pytest.mark.parametrize(
    ("draws", "active"), [([0.9, 0.9], set()), ([0.1, 0.9], {"A"}), ([0.9, 0.1], {"B"}), ([0.1, 0.1], {"A", "B"})]
)
def test_BC_064_two_halves_of_a_coin_roll_apart(draws: list[float], active: set[str]) -> None:
    book = {"A": entry("lock", probability=50), "B": entry("lock", probability=50)}
    assert turn(book, "u: the lock", rng=draws).active == active


def test_BC_066_a_winner_of_two_groups_closes_neither() -> None:
    book = {"A": entry("x", content="then y", group="x, y"), "B": entry("y", group="x")}
    assert turn(book, "u: x").active == {"A", "B"}


def test_BC_067_removing_twice_removes_a_stranger() -> None:
    book = {
        "P": entry("k", group="x", groupOverride=True, order=300),
        "Q": entry("k", group="y", groupOverride=True, order=200),
        "A": entry("k", group="x, y", order=150),
        "Z": entry("k", order=100),
    }
    assert turn(book, "u: k", settings={"recursive": False}).active == {"P", "Q"}


def test_BC_068_group_scoring_counts_raw_keys() -> None:
    book = {"A": entry("{{char}}", "song", group="g"), "B": entry("song", group="g")}
    found = turn(
        book, "u: Mira sings a song", character={"name": "Mira"}, settings={"use_group_scoring": True}, rng=[0.75]
    )
    assert found.active == {"B"}, "equal scores, so the roll decides"
    assert found.raw["rng"]["log"][0]["source"] == "group"
