from __future__ import annotations

from lorebook_tui.engine.trace import Reason
from tests.unit.engine.lore import entry, scenario
from tests.unit.remedies.asking import about, ask, changed, only


def test_a_sure_roll_or_a_lucky_one() -> None:
    found = about(entry(1, "cat", probability=10), numbers=[0.423])
    assert only(found["probability"]) == ("probability", 10, 100)
    assert only(found["luck"]) == ("probability", 10, 43)
    assert found["luck"].sentence == "With a probability of 43 % (its roll was 42.3) it is in."
    assert found["probability"].cost < found["luck"].cost


def test_no_percentage_below_all_beats_the_worst_roll() -> None:
    assert list(about(entry(1, "cat", probability=10), numbers=[0.999])) == ["probability"]


def test_a_lost_roll_of_a_group() -> None:
    found = about(entry(2, "cat", group="g", order=200), entry(1, "cat", group="g", groupWeight=50), numbers=[0.5])
    assert only(found["group_override"]) == ("groupOverride", False, True)
    assert only(found["group_weight"]) == ("groupWeight", 50, 101)
    assert only(found["group_left"]) == ("group", "g", "")
    assert [effect.before for effect in found["group_weight"].side_effects] == [Reason.IN_PROMPT]
    assert found["group_weight"].sentence == "With a group weight of 101 it is in (then “e2” loses its group)."
    assert found["group_left"].sentence == "Outside the group “g” it is in."


def test_a_group_of_several_is_left_alone() -> None:
    found = about(entry(2, "cat", group="g", order=200), entry(1, "cat", group="h, g"), numbers=[0.1])
    assert only(found["group_left"]) == ("group", "h, g", "h")


def test_an_override_needs_the_higher_order() -> None:
    found = about(entry(2, "cat", group="g", groupOverride=True, order=150), entry(1, "cat", group="g"))
    (made,) = [proposal for key, proposal in found.items() if key == "group_override"]
    assert [changed(change) for change in made.changes] == [("groupOverride", False, True), ("order", 100, 151)]
    assert made.sentence == "With order 151 and the override of its group it is in (then “e2” loses its group)."
    found = about(
        entry(2, "cat", group="g", groupOverride=True, order=150), entry(1, "cat", group="g", groupOverride=True)
    )
    assert only(found["order"]) == ("order", 100, 151)


def test_too_few_points() -> None:
    found = about(
        entry(2, "cat", "a", group="g"), entry(1, "cat", group="g"), settings={"world_info_use_group_scoring": True},
        numbers=[0.1],
    )  # fmt: skip
    assert only(found["group_scoring"]) == ("useGroupScoring", None, False)
    assert only(found["group_left"])[2] == ""


def test_a_group_taken_in_an_earlier_pass() -> None:
    found = about(entry(2, "cat", content="A dog.", group="g"), entry(1, "dog", group="g"))
    assert list(found) == ["group_left"]


def test_a_sticky_rival() -> None:
    made = scenario(
        entry(2, "cat", group="g", sticky=9), entry(1, "dog", group="g"), chat=("cat", "-", "dog"),
        settings={"world_info_depth": 1},
    )  # fmt: skip
    found = {proposal.kind.value: proposal for proposal in ask(made, 1)}
    assert only(found["group_rival"]) == ("sticky", 9, 0)
    assert found["group_rival"].sentence == ("Without the sticky effect of “e2” it is in (then “e2” drops out).")
    assert only(found["group_left"])[2] == ""


def test_its_own_cooldown_in_its_group() -> None:
    made = scenario(
        entry(1, "cat", group="g", sticky=5, cooldown=4), chat=("cat", "cat", "cat"), settings={"world_info_depth": 1}
    )
    found = {proposal.kind.value: proposal for proposal in ask(made, 1)}
    assert only(found["cooldown"]) == ("cooldown", 4, 2)
    assert only(found["group_left"]) == ("group", "g", "")


def test_taken_out_with_one_who_lost_twice() -> None:
    found = about(
        entry(4, "cat", group="a", groupOverride=True, order=300),
        entry(3, "cat", group="b", groupOverride=True, order=300),
        entry(2, "cat", group="a, b", order=200, comment="Loser"),
        entry(1, "cat"),
    )
    assert only(found["group_rival"]) == ("group", "a, b", "a")
    assert found["group_rival"].sentence == "With “Loser” in fewer groups it is in."
    assert only(found["order"]) == ("order", 100, 300)
