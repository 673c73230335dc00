from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.engine.fates import Fate
from lorebook_tui.glyphs import Mark
from lorebook_tui.tui.chronicle import Chronicle
from lorebook_tui.tui.replay import Replay
from lorebook_tui.tui.scene import Scene
from tests.unit.engine.lore import COUNTER, entry, scenario

if TYPE_CHECKING:
    from lorebook_tui.model.scenario import Scenario


def replayed(made: Scenario) -> Replay:
    replay = Replay(Scene("test", made), COUNTER, "each")
    replay.prepare()
    while not replay.complete:
        replay.advance()
    return replay


def small() -> Scenario:
    return scenario(
        entry(0, "dog", order=109),
        entry(1, "cat", sticky=2, cooldown=1, order=108),
        entry(2, "zebra", order=107),
        entry(3, "wolf", delay=3, order=106),
        entry(4, constant=True, content="x" * 200, order=1),
        chat=["a cat", "x", "dog", "x"],
        settings={"world_info_depth": 1, "world_info_budget": 100},
        max_context=100,
    )


def test_only_entries_that_had_something_are_in_the_grid() -> None:
    replay = replayed(small())
    chronicle = Chronicle(replay.turns)
    assert chronicle.count == 4
    assert chronicle.entries == (0, 1, 3, 4)
    assert {index: chronicle.facts(index).fates for index in chronicle.entries} == {
        0: {2: Fate.IN},
        1: {0: Fate.IN, 1: Fate.STICKY, 2: Fate.COOLDOWN},
        3: {0: Fate.DELAY, 1: Fate.DELAY},
        4: dict.fromkeys(range(4), Fate.CUT),
    }
    assert chronicle.by_first() == (1, 0, 3, 4)


def test_facts_over_the_chat() -> None:
    chronicle = Chronicle(replayed(small()).turns)
    facts = chronicle.facts(1)
    assert (facts.fired, facts.fired_count, facts.first_fired) == ((0, 1), 2, 0)
    assert facts.last is Fate.COOLDOWN
    assert chronicle.facts(4).cut == 4
    never = chronicle.facts(2)
    assert (never.fired_count, never.first_fired, never.last) == (0, None, None)
    assert chronicle.facts(1) is facts


def test_marks_of_a_turn_follow_its_cells() -> None:
    turn = replayed(small()).turns[2]
    assert turn.marks == {0: Mark.IN, 1: Mark.WAITING, 4: Mark.CUT}
