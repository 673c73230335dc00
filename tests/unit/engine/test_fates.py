from __future__ import annotations

import pytest

from lorebook_tui.engine.fates import Fate, Timers, fate_of, fates, running, timers
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import verdict
from tests.unit.engine.lore import entry, index_of, scenario, turn, turns


def test_each_cell_of_one_turn() -> None:
    assembly = turn(
        entry(0, "cat", content="a" * 20, order=120),
        entry(1, "cat", content="", order=119),
        entry(2, "cat", content="b" * 200, order=50),
        entry(3, "cat", content="c", order=49),
        entry(4, "cat", useProbability=True, probability=0, order=118),
        entry(5, "cat", group="g", order=117),
        entry(6, "cat", group="g", groupOverride=True, content="x", order=116),
        entry(7, "cat", delay=9, order=115),
        entry(8, "cat", delayUntilRecursion=True, order=114),
        entry(9, "cat", keysecondary=["zebra"], selective=True, order=113),
        entry(10, "zebra", order=112),
        entry(11, "cat", disable=True, order=111),
        settings={"world_info_budget": 100, "world_info_recursive": False, "world_info_max_recursion_steps": 1},
        max_context=60,
        numbers=[0.5],
    )
    found = {assembly.entry(index).uid: fate for index, fate in fates(assembly).items()}
    assert found == {
        0: Fate.IN, 1: Fate.CLOSED, 2: Fate.CUT, 3: Fate.BEHIND, 4: Fate.ROLLED, 5: Fate.GROUP, 6: Fate.IN,
        7: Fate.DELAY, 8: Fate.LEVEL, 9: Fate.SECONDARY,
    }  # fmt: skip


def test_waiters_are_told_though_no_pass_looked_at_them() -> None:
    assembly = turn(entry(0, "zebra", delay=9), entry(1, "zebra"))
    assert fates(assembly) == {}
    assert fates(assembly, [0, 1]) == {0: Fate.DELAY}


def test_effects_run_down_message_by_message() -> None:
    made = scenario(
        entry(0, "cat", sticky=2, cooldown=2), chat=["cat", "x", "x", "x", "x", "x"], settings={"world_info_depth": 1}
    )
    told = [(fates(assembly).get(0), timers(assembly, 0)) for assembly in turns(made, range(1, 7))]
    assert told == [
        (Fate.IN, Timers(sticky=2, cooldown=2)),
        (Fate.STICKY, Timers(sticky=1, cooldown=1)),
        (Fate.COOLDOWN, Timers(cooldown=2)),
        (Fate.COOLDOWN, Timers(cooldown=1)),
        (None, Timers()),
        (None, Timers()),
    ]
    assert told[0][1].is_running
    assert not told[4][1].is_running


def test_what_runs_is_listed_for_all_entries() -> None:
    made = scenario(
        entry(0, "cat", sticky=3, order=103), entry(1, "cat", delay=9, order=102), entry(2, "cat", order=101),
        entry(3, "zebra", delay=9, order=100), chat=["cat"],
    )  # fmt: skip
    (assembly,) = turns(made, [1])
    assert running(assembly) == {0: Timers(sticky=3), 1: Timers(delay=8)}
    assert running(assembly, fates(assembly, [3])) == {0: Timers(sticky=3), 1: Timers(delay=8), 3: Timers(delay=8)}


def test_a_delay_tells_how_many_messages_are_missing() -> None:
    assembly = turn(entry(0, "cat", delay=9), entry(1, "cat"), entry(2, "cat", delay="never"))
    assert timers(assembly, index_of(assembly, 0)) == Timers(delay=8)
    assert timers(assembly, index_of(assembly, 1)) == Timers()
    assert timers(assembly, index_of(assembly, 2)) == Timers()


def test_a_sticky_effect_of_another_version_is_nobodys() -> None:
    made = scenario(entry(0, "cat", sticky=9), chat=["cat", "x"], timed={"sticky": {"lore.0": {"start": 0, "end": 9}}})
    first, _ = turns(made, [1, 2])
    assert timers(first, 0).sticky == 8
    stranger = turns(scenario(entry(0, "zebra", sticky=9), chat=["x"]), [1])[0]
    stranger.effects.sticky.update(first.effects.sticky)
    assert timers(stranger, 0).sticky == 0


@pytest.mark.parametrize("length", [float("inf"), 10**40])
def test_an_effect_without_end_is_told_as_a_large_number(length: float) -> None:
    made = scenario(entry(0, "cat", sticky=length), chat=["cat"])
    assert timers(turns(made, [1])[0], 0).sticky == 10**9


def test_every_reason_of_a_group_or_the_budget_has_a_cell() -> None:
    assembly = turn(entry(0, "cat"))
    plain = verdict(assembly, 0)
    for reason in Reason:
        told = fate_of(type(plain)(0, reason, None))
        if reason.code.startswith("group_"):
            assert told in {Fate.GROUP, Fate.COOLDOWN}
        if reason.outcome.value in {"cut", "rolled_out", "waiting", "in", "closed_exit"}:
            assert told is not None, reason
    assert Fate.STICKY.in_prompt
    assert not Fate.CUT.in_prompt
    assert Fate.BEHIND.is_cut
