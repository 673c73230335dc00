from __future__ import annotations

from lorebook_tui.engine.budget_line import Standing, budget_line
from tests.unit.engine.lore import COUNTER, entry, turn


def test_segments_follow_admission_and_the_cut_stands_between() -> None:
    assembly = turn(
        entry(0, constant=True, content="a" * 9, order=105),
        entry(1, "cat", content="b" * 19, order=104),
        entry(2, "cat", content="c" * 39, order=103),
        entry(3, "cat", content="d" * 4, order=102),
        entry(4, "cat", content="e" * 14, ignoreBudget=True, order=101),
        settings={"world_info_budget": 100},
        max_context=50,
    )
    line = budget_line(assembly, COUNTER.count)
    told = [
        (assembly.entry(part.index).uid, part.standing, part.tokens, part.start, part.total) for part in line.segments
    ]
    assert told == [
        (0, Standing.ADMITTED, 10, 0, 10),
        (1, Standing.ADMITTED, 20, 10, 30),
        (4, Standing.ADMITTED, 15, 30, 85),
        (2, Standing.CUT, 40, 45, 70),
        (3, Standing.BEHIND, 5, 85, 0),
    ]
    assert (line.budget, line.used, line.lost, line.free, line.over, line.cut_at) == (50, 45, 45, 5, 21, 3)
    assert line.stopper == line.segments[3].index
    assert [part.constant for part in line.segments] == [True, False, False, False, False]
    assert [part.ignores_budget for part in line.segments] == [False, False, True, False, False]
    last = line.segments[-1]
    assert (last.end, last.turn_pass, line.of(last.index)) == (90, 0, last)
    assert line.of(99) is None


def test_without_a_cut_nothing_is_lost() -> None:
    line = budget_line(turn(entry(0, "cat", content="abc")), COUNTER.count)
    assert (line.used, line.lost, line.stopper, line.over, line.cut_at) == (4, 0, None, 0, 1)
    assert line.free == line.budget - 4


def test_an_entry_that_is_tried_in_two_passes_stands_once_by_what_it_got() -> None:
    assembly = turn(
        entry(0, "cat", content="dog " + "a" * 20, order=101),
        entry(1, "cat", content="b" * 60, order=100),
        entry(2, "cat", content="c", delayUntilRecursion=2, order=99),
        entry(3, "zebra", delayUntilRecursion=1, order=98),
        settings={"world_info_budget": 100},
        max_context=60,
    )
    assert len(assembly.passes) == 2
    line = budget_line(assembly, COUNTER.count)
    assert [part.index for part in line.segments] == [0, 1, 2]
    assert [part.standing for part in line.segments] == [Standing.ADMITTED, Standing.CUT, Standing.BEHIND]


def test_macros_of_what_was_not_tried_are_counted_as_they_would_read() -> None:
    assembly = turn(
        entry(0, "cat", content="a" * 60, order=101), entry(1, "cat", content="{{user}}!", order=100),
        settings={"world_info_budget": 100}, max_context=50,
    )  # fmt: skip
    assert budget_line(assembly, COUNTER.count).segments[1].tokens == len("User!\n")


def test_more_than_the_budget_leaves_nothing_free() -> None:
    assembly = turn(
        entry(0, "cat", content="a" * 60, ignoreBudget=True), settings={"world_info_budget": 100}, max_context=50
    )
    line = budget_line(assembly, COUNTER.count)
    assert (line.used, line.free) == (61, 0)
