from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.odds import EntryOdds, Odds
from lorebook_tui.engine.remedies import Margin
from lorebook_tui.engine.turn_diff import turn_diff
from lorebook_tui.tui.replay import Prospect
from lorebook_tui.tui.views.chances import percent, short_odds, short_room, told_odds
from lorebook_tui.tui.views.turn_diff import Diffs, diff_blocks, news, short_count, told_change
from tests.unit.engine.lore import entry
from tests.unit.tui.views import LETTERS, SIGNS, drawn, last, ref_of, replayed, text_of

if TYPE_CHECKING:
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.tui.replay import Picture

CAT, DOG = entry(1, "cat"), entry(2, "dog")
RULES = entry(0, constant=True, order=200)


def told(before: Picture, now: Picture) -> str:
    line = news(turn_diff(before.assembly, now.assembly), now.assembly, before.assembly, LETTERS)
    return text_of([line])


def now_and_before(*after: Entry, before: tuple[Entry, ...], **parts: Any) -> tuple[Picture, Picture]:
    return last(*before, **parts), last(*after, **parts)


def test_what_came_and_went_is_one_line() -> None:
    before, now = now_and_before(CAT, RULES, before=(CAT, DOG), chat=["cat dog"])
    assert told(before, now) == "+ e0, - e2"
    assert short_count(turn_diff(before.assembly, now.assembly)) == "+1−1"


def test_other_turns_are_told_where_this_one_is_the_same() -> None:
    picture = last(CAT).assembly
    same = turn_diff(picture, picture)
    assert text_of([news(same, picture, picture, LETTERS, 1)]) == "no change at this turn, but at 1 other turn"
    assert text_of([news(same, picture, picture, LETTERS, 3)]).endswith(", but at 3 other turns")


def test_many_names_are_counted() -> None:
    many = tuple(entry(number, "cat") for number in range(5))
    before, now = now_and_before(*many, before=())
    assert told(before, now) == "+ e0, + e1, + 3 more, 35 tokens more"
    assert told(now, before) == "- e0, - e1, - 3 more, 35 tokens fewer"


def test_what_is_neither_in_nor_out_is_told_in_short() -> None:
    before, now = now_and_before(CAT, entry(3, "cat", order=1), before=(CAT, entry(3, "cat", order=300)))
    assert told(before, now) == "1 entry moved"
    before, now = now_and_before(CAT, entry(2, "dog", disable=True), before=(CAT, entry(2, "dog", "x", delay=9)))
    assert told(before, now) == "no change at this turn"
    before, now = now_and_before(entry(1, "cat", content="longer text"), before=(CAT,))
    assert told(before, now) == "5 tokens more"
    assert short_count(turn_diff(before.assembly, now.assembly)) == "1"
    assert short_count(turn_diff(now.assembly, now.assembly)) == "0"


def test_blocks_tell_both_comparisons() -> None:
    replay = replayed(CAT, DOG, RULES, chat=["cat", "x", "dog"], settings={"world_info_depth": 1})
    earlier = replayed(CAT, RULES, chat=["cat", "x", "dog"], settings={"world_info_depth": 1}).picture(2)
    now, before = replay.picture(2), replay.picture(0)
    diffs = Diffs(
        now.assembly,
        turn_diff(earlier.assembly, now.assembly),
        earlier.assembly,
        "add 'e2'",
        (2, 3),
        ((earlier.replay.turns[0], replay.turns[0]), (earlier.replay.turns[0], replay.turns[2])),
        turn_diff(before.assembly, now.assembly),
        before.assembly,
    )
    text = drawn(diff_blocks(diffs, lambda index: ref_of(now, index), LETTERS), 140)
    assert "Since the last edit" in text
    assert "1 of 3 turns run again" in text
    assert "Add 'e2'." in text
    assert text.index("+ e2") < text.index("Since the turn before") < text.index("- e1")
    assert "new, before the character definitions" in text
    assert "out: no key in text" in text
    assert "2 other turns are different too:" in text
    assert "  turn 1  other entries or other reasons" in text
    assert diffs.count == "+1"
    assert Diffs(now.assembly).count == ""


def test_blocks_before_there_is_anything_to_compare() -> None:
    picture = last(CAT)
    assert "Working it out." in drawn(diff_blocks(None, lambda _: None, SIGNS))
    text = drawn(diff_blocks(Diffs(picture.assembly), lambda _: None, SIGNS))
    assert "Nothing has been edited yet." in text
    assert "This is the first turn." in text
    same = Diffs(picture.assembly, turn_diff(picture.assembly, picture.assembly), picture.assembly)
    assert "No difference." in drawn(diff_blocks(same, lambda _: None, SIGNS))


def test_every_kind_of_change_has_words() -> None:
    settings = {"settings": {"world_info_budget": 100}, "max_context": 20}
    big = entry(9, constant=True, order=900, content="x" * 15)
    before, now = now_and_before(CAT, big, before=(CAT,), **settings)
    changes = {change.index: told_change(change) for change in turn_diff(before.assembly, now.assembly).changes}
    assert changes[0].startswith("new, ")
    assert changes[1] == "out: budget cut"
    back = {change.index: told_change(change) for change in turn_diff(now.assembly, before.assembly).changes}
    assert "was out: budget cut; now before the character definitions" in back.values()
    assert "not among the books any more" in back.values()


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0%"), (1, "100%"), (0.004, "<1%"), (0.999, ">99%"), (0.5, "50%"), (0.375, "38%")]
)
def test_percent(share: float, text: str) -> None:
    assert percent(share) == text


def prospect(chance: float, low: float, high: float, margin: Margin | None = None) -> Prospect:
    why = "" if low == high else "there are too many ways"
    return Prospect(0, EntryOdds(0, Odds(chance, low, high), {}), why, margin)


def test_odds_tell_whether_they_are_exact() -> None:
    assert short_odds(None, SIGNS) == "·"
    assert short_odds(prospect(0.5, 0.5, 0.5), SIGNS) == "50%"
    assert short_odds(prospect(0.62, 0.55, 0.69), SIGNS) == "≈62%"
    assert short_odds(prospect(0.62, 0.55, 0.69), LETTERS) == "~62%"
    assert told_odds(prospect(0.375, 0.375, 0.375), SIGNS) == "37.5 %, worked out exactly."
    assert told_odds(prospect(1, 1, 1), SIGNS) == "100%, however the dice fall."
    assert told_odds(prospect(0.62, 0.55, 0.69), SIGNS).startswith("62% ± 7, from throws of the dice (there are")


def test_room_is_told_where_it_is_known() -> None:
    def margin(tokens: int | None) -> Prospect:
        return prospect(1, 1, 1, Margin(0, tokens, None, (), 0, (), (), ()))

    assert short_room(None, SIGNS) == short_room(prospect(1, 1, 1), SIGNS) == "·"
    assert short_room(margin(1200), SIGNS) == "1,200"
    assert short_room(margin(None), SIGNS) == "any"
