from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.trace import Reason
from lorebook_tui.model.layers import Layers
from tests.unit.engine.lore import book, entry, scenario
from tests.unit.remedies.asking import about, ask, changed, only

if TYPE_CHECKING:
    from lorebook_tui.engine.remedies import Proposal

TEN = "ten chars."
"""Eleven tokens with its line feed."""


def budget(tokens: int, **settings: Any) -> dict[str, Any]:
    """Settings of a budget in tokens: a share of a context of 1000 less a cap."""
    return {"settings": {"world_info_budget": 100, "world_info_budget_cap": tokens, **settings}, "max_context": 1000}


def cut_third(uid: int) -> dict[str, Proposal]:
    return about(
        entry(2, "cat", content=TEN, order=130), entry(3, "cat", content=TEN, order=120, comment="Third"),
        entry(uid, "cat", content=TEN), uid=uid, **budget(30),
    )  # fmt: skip


def test_the_smallest_order_that_is_not_cut() -> None:
    made = cut_third(9)["order"]
    assert only(made) == ("order", 100, 121)
    assert made.sentence == "With order 121 it is in (then “Third” is cut)."
    (effect,) = made.side_effects
    assert (effect.index, effect.before, effect.after) == (1, Reason.IN_PROMPT, Reason.BUDGET_CUT)
    assert effect.is_loss
    assert made.verdict_after.reason is Reason.IN_PROMPT
    assert made.verdict_after.index == 2


def test_an_equal_order_is_enough_where_the_book_puts_it_first() -> None:
    assert only(cut_third(1)["order"]) == ("order", 100, 120)


def test_no_order_passes_another_layer() -> None:
    made = scenario(entry(1, "cat", content=TEN), **budget(12))
    made = made.with_layers(Layers((book(entry(1, "cat", content=TEN)),), (book(entry(2, "cat"), name="own"),)))
    found = {proposal.kind.value: proposal for proposal in ask(made, 1)}
    assert "order" not in found
    assert only(found["strategy"]) == ("world_info_character_strategy", 1, 0)
    assert found["strategy"].sentence.endswith("it is in (then “e2” is cut).")


def test_room_for_everything() -> None:
    found = about(entry(2, "cat", content=TEN, order=130), entry(1, "cat", content=TEN), **budget(20))
    assert only(found["budget_cap"]) == ("world_info_budget_cap", 20, 23)
    assert found["budget_cap"].sentence == "With a budget cap of 23 tokens it is in."
    assert only(found["ignore_budget"]) == ("ignoreBudget", False, True)
    assert "budget" not in found


@pytest.mark.parametrize(("percent", "larger", "context"), [(1, 3, 2250), (2, 3, 1125)])
def test_a_larger_share_or_context(percent: int, larger: int, context: int) -> None:
    found = about(
        entry(2, "cat", content=TEN, order=130), entry(1, "cat", content=TEN),
        settings={"world_info_budget": percent}, max_context=1000,
    )  # fmt: skip
    assert only(found["budget"]) == ("world_info_budget", percent, larger)
    assert only(found["context"]) == ("max_context", 1000, context)
    assert found["budget"].sentence.startswith(f"With a budget of {larger} % of the context it is in")


def test_share_and_cap_together() -> None:
    found = about(
        entry(2, "cat", content=TEN, order=130), entry(1, "cat", content=TEN),
        settings={"world_info_budget": 2, "world_info_budget_cap": 15}, max_context=1000,
    )  # fmt: skip
    assert [changed(change) for change in found["budget"].changes] == [
        ("world_info_budget", 2, 3),
        ("world_info_budget_cap", 15, 23),
    ]
    assert found["budget"].sentence == "With a budget of 3 % of the context and a budget cap of 23 tokens it is in."


def test_less_text() -> None:
    found = about(
        entry(2, "cat", content=TEN, order=130, comment="Second"), entry(1, "cat", content=TEN + TEN), **budget(30)
    )
    made = found["shorten"]
    assert only(made) == ("content", TEN + TEN, (TEN + TEN)[:17])
    assert made.sentence == "Shortened to 18 tokens (3 fewer), it is in."
    assert made.is_example
    assert "shorten_other" not in found


def test_less_text_of_the_one_that_does_not_fit() -> None:
    found = about(
        entry(2, "cat", content=TEN * 4, order=130, comment="Long"), entry(1, "cat", content=TEN), **budget(40)
    )
    made = found["shorten_other"]
    assert made.sentence == "With “Long” shortened to 28 tokens (13 fewer) it is in (then “Long” comes in)."
    assert made.changes[0].index == 0  # type: ignore[union-attr]
    assert "shorten" not in found


def test_decorators_stay_above_a_shorter_text() -> None:
    text = f"@@activate\n{TEN}{TEN}"
    found = about(entry(2, "cat", content=TEN, order=130), entry(1, content=text), **budget(30))
    assert only(found["shorten"])[2] == text[:-3]


def test_no_text_is_cut_to_a_stump() -> None:
    found = about(entry(2, "cat", content=TEN, order=130), entry(1, "cat", content=TEN * 9), **budget(30))
    assert "shorten" not in found


def test_budget_and_shorter_texts_are_minimal() -> None:
    entries = (entry(2, "cat", content=TEN, order=130), entry(1, "cat", content=TEN + TEN))
    needed = only(about(*entries, **budget(20))["budget_cap"])[2]
    assert ask(scenario(*entries, **budget(needed)), 1) == []
    assert ask(scenario(*entries, **budget(needed - 1)), 1) != []


def test_behind_the_cut_with_a_percentage_too() -> None:
    found = about(
        entry(2, "cat", content=TEN * 2, order=130), entry(1, "cat", content=TEN, probability=0), **budget(12),
        numbers=[0.5],
    )  # fmt: skip
    assert {"order+probability", "ignore_budget+probability"} <= set(found)


def test_a_full_budget_that_stops_recursion() -> None:
    found = about(
        entry(2, "cat", content="A dog. " + TEN, order=130), entry(3, "cat", content=TEN * 3),
        entry(1, "dog", content="-"), **budget(40),
    )  # fmt: skip
    assert only(found["budget_cap"])[0] == "world_info_budget_cap"
    assert found["budget_cap"].side_effects[0].index == 2
    assert "recursion_on" not in found


def test_an_entry_longer_than_any_budget_allows() -> None:
    found = about(entry(1, "cat", content=TEN * 200), settings={"world_info_budget": 100}, max_context=50)
    assert set(found) == {"ignore_budget", "context"}
    assert only(found["context"])[2] == 2002


def test_a_text_of_macros_is_shortened_by_trial() -> None:
    """The raw text is no measure of its tokens: the right length is found by running the turn."""
    text = "{{setvar::a::xxxxxxxxxxxxxxxxxxxx}}" + "word " * 8
    found = about(entry(2, "cat", content=TEN, order=130), entry(1, "cat", content=text), **budget(45))
    assert only(found["shorten"])[2] == text[: len(only(found["shorten"])[2])]
    assert found["shorten"].verdict_after.reason is Reason.IN_PROMPT


def test_without_rivals_no_order_helps() -> None:
    assert "order" not in about(entry(1, "cat", content=TEN), **budget(5))
