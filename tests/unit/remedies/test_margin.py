from __future__ import annotations

from lorebook_tui.engine.remedies import SideEffect
from lorebook_tui.engine.trace import Reason
from tests.unit.engine.lore import entry, scenario
from tests.unit.remedies.asking import margin_of

TEN = "ten chars."


def test_an_entry_that_is_out_has_none() -> None:
    assert margin_of(scenario(entry(1, "zebra")), 1) is None
    assert margin_of(scenario(entry(1, "cat", position=7)), 1) is None


def test_room_before_the_cut() -> None:
    made = scenario(
        entry(1, "cat", content=TEN, order=200), entry(2, "cat", content=TEN), settings={"world_info_budget_cap": 30}
    )
    found = margin_of(made, 2)
    assert found is not None
    assert found.tokens_left == 7
    assert found.sentences[0] == "7 tokens more can stand before it or in it before the budget cuts it."
    tight = margin_of(scenario(entry(1, "cat", content=TEN), settings={"world_info_budget_cap": 12}), 1)
    assert tight is not None
    assert tight.tokens_left == 0
    assert tight.sentences[0] == "One token more before it or in it, and the budget cuts it."


def test_no_budget_cuts_what_ignores_it() -> None:
    found = margin_of(scenario(entry(1, "cat", ignoreBudget=True)), 1)
    assert found is not None
    assert found.tokens_left is None
    assert "budget" not in " ".join(found.sentences)


def test_how_low_its_order_may_be() -> None:
    entries = (
        entry(3, "cat", content=TEN, order=200), entry(4, "cat", content=TEN, order=120),
        entry(5, "cat", content=TEN, order=90, comment="Fifth"),
    )  # fmt: skip
    made = scenario(*entries, settings={"world_info_budget_cap": 30})
    found = margin_of(made, 3)
    assert found is not None
    assert found.lowest_order == 90
    assert "It is in down to order 90." in found.sentences
    assert found.without == (SideEffect(2, Reason.BUDGET_CUT, Reason.IN_PROMPT),)
    assert found.sentences[-1] == "Without it “Fifth” comes in."
    last = margin_of(made, 4)
    assert last is not None
    assert last.lowest_order == 90
    free = margin_of(scenario(*entries), 3)
    assert free is not None
    assert free.lowest_order is None
    edge = margin_of(scenario(*entries[:2], settings={"world_info_budget_cap": 20}), 3)
    assert edge is not None
    assert edge.lowest_order == 120
    odd = margin_of(scenario(entry(1, "cat", order="x")), 1)
    assert odd is not None
    assert odd.lowest_order is None


def test_an_order_that_must_not_be_lower() -> None:
    made = scenario(
        entry(2, "cat", content=TEN), entry(1, "cat", content=TEN, order=100), settings={"world_info_budget_cap": 20}
    )
    found = margin_of(made, 1)
    assert found is not None
    assert found.lowest_order == 100


def test_the_key_it_hangs_on() -> None:
    found = margin_of(scenario(entry(1, "cat", "zebra")), 1)
    assert found is not None
    assert (found.keys, found.keys_matched) == (("cat",), 1)
    assert "Without its key “cat” it is out." in found.sentences
    found = margin_of(scenario(entry(1, "cat", "A cat")), 1)
    assert found is not None
    assert (found.keys, found.keys_matched) == ((), 2)
    assert "2 of its keys match; it can lose any one of them." in found.sentences


def test_keys_do_not_matter_to_a_constant() -> None:
    found = margin_of(scenario(entry(1, "cat", constant=True)), 1)
    assert found is not None
    assert (found.keys, found.keys_matched) == ((), 0)


def test_the_dice_it_survived() -> None:
    found = margin_of(scenario(entry(1, "cat", probability=30), numbers=[0.125]), 1)
    assert found is not None
    (roll,) = found.rolls
    assert (roll.source, roll.odds, roll.value) == ("probability", 0.3, 0.125)
    assert "It passed its roll at odds of 30 % (it was 12.5)." in found.sentences


def test_the_roll_of_its_group() -> None:
    made = scenario(
        entry(1, "cat", group="g", groupWeight=100), entry(2, "cat", group="g", groupWeight=300, comment="Other"),
        numbers=[0.5],
    )  # fmt: skip
    found = margin_of(made, 2)
    assert found is not None
    (roll,) = found.rolls
    assert (roll.source, roll.group, roll.odds) == ("group", "g", 0.75)
    assert "It won the roll of its group “g” at odds of 75 %." in found.sentences
    assert found.sentences[-1] == "Without it “e1” comes in."
