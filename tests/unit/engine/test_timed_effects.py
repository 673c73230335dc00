from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.timed import Effect, TimedState, begin, finish
from lorebook_tui.engine.trace import Cause, Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import Step
from tests.unit.engine.lore import book, entry, scenario, turns, uids

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.model.scenario import Scenario

IDENTITY = "lore.1"


def chat(*hits: int, length: int = 12) -> list[str]:
    """Messages that hold the key at the given lengths of the chat."""
    return ["cat" if number in hits else "x" for number in range(1, length + 1)]


def world(hits: tuple[int, ...], **fields: Any) -> Scenario:
    return scenario(entry(1, "cat", **fields), chat=chat(*hits), settings={"world_info_depth": 1})


def active(assemblies: list[Assembly]) -> list[int]:
    return [assembly.turn.length for assembly in assemblies if assembly.admitted]


def test_sticky_lasts_for_n_messages_after_the_one_that_set_it() -> None:
    found = turns(world((2,), sticky=3), range(1, 8))
    assert active(found) == [2, 3, 4]
    assert [assembly.admitted[0].cause for assembly in found if assembly.admitted] == [
        Cause.KEY,
        Cause.STICKY,
        Cause.STICKY,
    ]
    assert found[1].state.timed.sticky[IDENTITY] == Effect(found[0].entry(0).fingerprint, 2, 5)
    assert found[4].state.timed.sticky == {}


def test_cooldown_blocks_n_minus_one_messages() -> None:
    found = turns(world(tuple(range(1, 13)), cooldown=3), range(1, 9))
    assert active(found) == [1, 4, 7]
    assert verdict(found[1], 0).reason is Reason.ON_COOLDOWN


def test_sticky_is_not_prolonged_and_may_start_anew_in_the_scan_in_which_it_ends() -> None:
    found = turns(world(tuple(range(1, 13)), sticky=3), range(1, 6))
    assert [assembly.admitted[0].cause for assembly in found] == [
        Cause.KEY,
        Cause.STICKY,
        Cause.STICKY,
        Cause.KEY,
        Cause.STICKY,
    ]
    assert found[3].state.timed.sticky[IDENTITY].start == 4


def test_a_protected_cooldown_follows_the_sticky_phase_in_the_very_scan_in_which_it_ends() -> None:
    found = turns(world(tuple(range(1, 13)), sticky=3, cooldown=2), range(1, 9))
    assert active(found) == [1, 2, 3, 6, 7, 8]
    assert verdict(found[3], 0).reason is Reason.ON_COOLDOWN
    assert found[3].state.timed.cooldown[IDENTITY] == Effect(found[0].entry(0).fingerprint, 4, 6, protected=True)


def test_cooldown_starts_at_activation_beside_the_sticky_phase() -> None:
    found = turns(world((1,), sticky=5, cooldown=2), [1, 2, 3])
    assert found[0].state.timed.cooldown[IDENTITY] == Effect(found[0].entry(0).fingerprint, 1, 3)
    assert active(found) == [1, 2, 3]
    assert found[2].state.timed.cooldown[IDENTITY].start == 3


def test_when_the_chat_does_not_advance_unprotected_effects_are_dropped() -> None:
    made = world((2,), sticky=3, cooldown=3)
    first, again, back = turns(made, [2, 2, 1])
    assert again.admitted[0].cause is Cause.KEY
    assert again.state.timed == first.state.timed
    assert (back.admitted, back.state.timed) == ((), TimedState.empty())


def test_a_protected_cooldown_survives_a_chat_that_does_not_advance() -> None:
    found = turns(world(tuple(range(1, 13)), sticky=2, cooldown=3), [1, 2, 3, 3, 2])
    assert [assembly.state.timed.cooldown[IDENTITY].protected for assembly in found[2:]] == [True] * 3
    assert [verdict(assembly, 0).reason for assembly in found[2:]] == [Reason.ON_COOLDOWN] * 3


def test_dry_runs_neither_honour_nor_change_effects() -> None:
    made = world((1,), sticky=3, cooldown=3)
    first, dry, real = turns(made, [1, Step(2, dry_run=True), 2])
    assert first.admitted
    assert not dry.admitted
    assert dry.state.timed == first.state.timed
    assert [admitted.cause for admitted in real.admitted] == [Cause.STICKY]
    started_dry = turns(made, [Step(1, dry_run=True)])[0]
    assert (len(started_dry.admitted), started_dry.state.timed) == (1, TimedState.empty())


def test_an_edited_entry_loses_its_effect_but_its_record_blocks_a_new_one() -> None:
    made = world(tuple(range(1, 13)), sticky=4)
    edited = Layers(global_=(book(entry(1, "cat", sticky=4, comment="edited")),))
    first, second, third, later = turns(made, [1, Step(2, layers=edited), 3, 5])
    assert first.state.timed.sticky[IDENTITY].start == 1
    assert [assembly.admitted[0].cause for assembly in (second, third, later)] == [Cause.KEY] * 3
    assert second.state.timed == third.state.timed == first.state.timed
    assert later.state.timed.sticky[IDENTITY].start == 5


def test_removing_the_field_removes_the_effect() -> None:
    loaded = turns(world((1,), sticky=4), [1])[0].entry(0)
    unstuck = turns(world((1,), sticky=0), [1])[0].entry(0)
    effects = begin(TimedState({IDENTITY: Effect("f", 1, 5)}, {}), 2, lambda *_: unstuck, dry_run=False)
    assert (effects.sticky, effects.sticky_now) == ({}, {})
    kept = begin(TimedState({IDENTITY: Effect("f", 1, 5)}, {}), 2, lambda *_: loaded, dry_run=False)
    assert list(kept.sticky_now) == ["f"]


@pytest.mark.parametrize(("length", "stays"), [(4, True), (5, False), (1, False)])
def test_a_record_without_its_entry_stays_until_its_end(length: int, stays: bool) -> None:
    effects = begin(TimedState({}, {IDENTITY: Effect("", 1, 5)}), length, lambda *_: None, dry_run=False)
    assert bool(effects.cooldown) is stays
    assert effects.cooldown_now == {}


def test_negative_numbers_end_at_the_next_scan() -> None:
    found = turns(world((1, 2), sticky=-2), [1, 2])
    assert found[0].state.timed.sticky[IDENTITY].end == -1
    assert [assembly.admitted[0].cause for assembly in found] == [Cause.KEY, Cause.KEY]


def test_an_effect_of_a_start_state_belongs_to_the_loaded_entry() -> None:
    made = replace(
        world((), sticky=3),
        timed={"sticky": {IDENTITY: {"start": 1, "end": 4}, "lore.9": {"start": 1, "end": 4, "protected": True}}},
    )
    found = turns(made, [2, 4])
    assert [assembly.turn.length for assembly in found if uids(assembly)] == [2]
    assert found[0].state.timed.sticky["lore.9"].protected
    assert found[1].state.timed.sticky == {}


def test_effects_start_only_where_no_record_stands() -> None:
    assembly = turns(world((1,), sticky=3, cooldown="4"), [1])[0]
    effects = begin(TimedState({IDENTITY: Effect("old", 0, 99)}, {}), 1, lambda *_: None, dry_run=False)
    finish(effects, [assembly.entry(0)], 1)
    assert effects.state().sticky == {IDENTITY: Effect("old", 0, 99)}
    assert effects.state().cooldown == {IDENTITY: Effect(assembly.entry(0).fingerprint, 1, 5)}
    plain = turns(world((1,)), [1])[0].entry(0)
    finish(effects, [plain], 1)
    assert len(effects.state().sticky) == 1


def test_a_sticky_entry_makes_no_roll_and_needs_no_key() -> None:
    made = scenario(
        entry(1, "cat", sticky=3, probability=50), chat=["cat", "x"], settings={"world_info_depth": 1}, numbers=[0.1]
    )
    found = turns(made, [1, 2])
    assert [len(assembly.draws) for assembly in found] == [1, 0]
    assert active(found) == [1, 2]
