from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.engine.trace import Cause, Reason
from lorebook_tui.engine.turn_diff import Shift, TurnDiff, turn_diff
from tests.unit.engine.lore import entry, scenario, turn, turns

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly


def told(diff: TurnDiff, before: Assembly, after: Assembly) -> list[tuple[object, tuple[Shift, ...]]]:
    found: list[tuple[object, tuple[Shift, ...]]] = []
    for change in diff.changes:
        side, index = (after, change.index) if change.index is not None else (before, change.index_before)
        assert index is not None
        found.append((side.entry(index).uid, change.shifts))
    return found


def test_from_turn_to_turn_entries_enter_leave_and_change_their_cause() -> None:
    made = scenario(
        entry(0, "cat", sticky=3, order=103),
        entry(1, "dog", order=102),
        entry(2, "cat", order=101),
        entry(3, "wolf", "dog", delay=3, order=100),
        chat=["a cat", "a dog", "a wolf"],
        settings={"world_info_depth": 1},
    )
    first, second, third = turns(made, [1, 2, 3])
    diff = turn_diff(first, second)
    assert told(diff, first, second) == [
        (1, (Shift.ENTERED,)),
        (2, (Shift.LEFT,)),
        (0, (Shift.REASON,)),
    ]
    assert diff.changes[2].causes == (Cause.KEY, Cause.STICKY)
    assert diff.changes[0].tokens == len("text 1\n")
    assert diff.changes[1].tokens == -len("text 2\n")
    back = turn_diff(third, second)
    assert back.changes[1].reasons == (Reason.IN_PROMPT, Reason.DELAYED)
    assert [third.entry(change.index_before or 0).uid for change in back.of(Shift.LEFT)] == [3]
    assert not diff.is_same
    assert turn_diff(first, first).is_same


def test_an_edit_is_paired_by_book_and_uid() -> None:
    kept = entry(1, "cat", order=90)
    old = turn(entry(0, "cat", order=100, content="short"), kept, entry(2, "cat", order=80))
    new = turn(entry(0, "cat", order=70, content="much longer"), kept, entry(2, "zebra", order=80))
    diff = turn_diff(old, new)
    assert told(diff, old, new) == [(2, (Shift.LEFT,)), (0, (Shift.MOVED, Shift.TOKENS))]
    moved = diff.changes[1]
    assert (moved.index_before, moved.index, moved.shift, moved.tokens) == (0, 2, Shift.MOVED, 6)
    before, after = moved.places
    assert before is not None
    assert after is not None
    assert (before.number, after.number) == (3, 1)
    assert diff.tokens == (old.tokens, new.tokens)


def test_another_text_of_the_same_length_and_another_slot_are_told() -> None:
    old = turn(entry(0, "cat", content="one", position=0), entry(1, "cat", content="two", position=0))
    new = turn(entry(0, "cat", content="six", position=0), entry(1, "cat", content="two", position=1))
    assert told(turn_diff(old, new), old, new) == [(1, (Shift.MOVED,)), (0, (Shift.TOKENS,))]


def test_new_and_deleted_entries_count_only_if_they_are_in() -> None:
    old = turn(entry(0, "cat"), entry(1, "zebra"), entry(2, "dog"))
    new = turn(entry(3, "cat"), entry(4, "zebra"), entry(2, "cat"))
    diff = turn_diff(old, new)
    assert told(diff, old, new) == [(2, (Shift.ENTERED,)), (3, (Shift.ENTERED,)), (0, (Shift.LEFT,))]
    assert diff.changes[1].before is None
    assert diff.changes[2].after is None
    assert (diff.changes[2].index, diff.changes[1].index_before) == (None, None)
    assert diff.changes[2].reasons == (Reason.IN_PROMPT, None)
    assert diff.changes[1].causes == (None, Cause.KEY)


def test_of_several_entries_with_one_uid_each_has_its_own_partner() -> None:
    twins = [entry(0, "cat", order=100), entry(0, "cat", order=99)]
    old, new = turn(*twins), turn(twins[0], entry(0, "cat", order=98))
    assert turn_diff(old, new).is_same


def test_an_error_is_a_difference() -> None:
    old, new = turn(entry(0, "zebra")), turn(entry(0, "zebra"), entry(1, "cat", group="constructor"))
    diff = turn_diff(old, new)
    assert not diff.is_same
    assert diff.errors[1]
