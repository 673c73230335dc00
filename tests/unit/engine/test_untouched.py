from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.assemble import Simulation, replay, steps
from lorebook_tui.engine.chance import RandomState
from lorebook_tui.engine.grown import grown
from lorebook_tui.engine.timed import Effect, TimedState
from lorebook_tui.engine.untouched import PlanChange, moved_effects, plan_change, trail_of
from lorebook_tui.model.transcript import Message
from lorebook_tui.tokens.registry import counter
from tests.unit.engine.lore import COUNTER, entry, scenario

if TYPE_CHECKING:
    from lorebook_tui.engine.untouched import Trail
    from lorebook_tui.model.entry import Entry

CHAT = ["a cat", "a dog", "a mill", "x", "a cat"]
CAT, DOG, MILL, ZEBRA = (
    entry(number, word, order=110 - number) for number, word in enumerate(["cat", "dog", "mill", "zebra"])
)


def base(*listed: Entry, **parts: Any) -> tuple[Simulation, list[Trail]]:
    made = scenario(*listed, chat=CHAT, settings={"world_info_depth": 1}, **parts)
    simulation = Simulation(made, COUNTER)
    return simulation, [trail_of(assembly) for assembly in replay(simulation, steps(made, "each"))]


def changed(old: Simulation, *listed: Entry) -> PlanChange:
    new = scenario(*listed, chat=CHAT, settings={"world_info_depth": 1})
    change = plan_change(old, grown(old, replace(old.scenario, layers=new.layers)))
    assert change is not None
    return change


def kept(change: PlanChange, trails: list[Trail]) -> list[int]:
    """Turns that can be taken over if all turns before them left what they left before."""
    return [number for number, trail in enumerate(trails) if change.kept(trail, trail.before) is not None]


def test_only_turns_that_looked_at_the_entry_or_would_are_touched() -> None:
    old, trails = base(CAT, DOG, MILL, ZEBRA)
    assert kept(changed(old, CAT, DOG, MILL, ZEBRA), trails) == [0, 1, 2, 3, 4]
    assert kept(changed(old, CAT, DOG, entry(2, "mill", order=108, content="new"), ZEBRA), trails) == [0, 1, 3, 4]
    assert kept(changed(old, CAT, DOG, MILL, entry(3, "dog", order=107)), trails) == [0, 2, 3, 4]
    assert kept(changed(old, CAT, DOG, MILL), trails) == [0, 1, 2, 3, 4]
    assert kept(changed(old, CAT, DOG, ZEBRA), trails) == [0, 1, 3, 4]
    assert kept(changed(old, CAT, DOG, MILL, ZEBRA, entry(9, "x", order=200)), trails) == [0, 1, 2, 4]


@pytest.mark.parametrize(
    "fields",
    [
        {"constant": True},
        {"content": "@@activate\nx"},
        {"delay": 9},
        {"delay": 1},
        {"key": ["/x*/"]},
        {"key": ["{{getvar::x}}"]},
        {"key": [" "]},
    ],
)
def test_what_is_always_looked_at_touches_every_turn(fields: dict[str, Any]) -> None:
    old, trails = base(CAT, DOG)
    fresh = entry(5, **{"key": ["zebra"], "order": 90} | fields)
    assert kept(changed(old, CAT, DOG, fresh), trails) == []
    closed = entry(5, **{**fields, "key": ["cat"], "order": 90, "disable": True})
    assert kept(changed(old, CAT, DOG, closed), trails) == [0, 1, 2, 3, 4]


def test_another_set_of_delay_levels_touches_everything() -> None:
    old, _ = base(CAT, DOG)
    new = scenario(CAT, DOG, entry(5, "zebra", delayUntilRecursion=2), chat=CHAT, settings={"world_info_depth": 1})
    assert plan_change(old, grown(old, replace(old.scenario, layers=new.layers))) is None


def test_texts_of_recursion_wake_new_entries_too() -> None:
    fed = entry(0, "cat", content="salt", order=110)
    old, trails = base(fed, DOG)
    assert trails[0].recursed == (("salt",),)
    assert kept(changed(old, fed, DOG, entry(7, "salt", order=1)), trails) == [1, 2, 3]
    assert kept(changed(old, fed, DOG, entry(7, "sal\nt", order=1)), trails) == [0, 1, 2, 3, 4]


def test_entries_that_change_places_are_others() -> None:
    old, trails = base(CAT, DOG, MILL)
    turned = (CAT, entry(1, "dog", order=50), MILL)
    change = changed(old, *turned)
    assert change.gone == frozenset({1})
    assert kept(change, trails) == [0, 2, 3, 4]
    assert change.moved({0: "a", 1: "b", 2: "c"}) == {0: "a", 1: "c"}
    again = change.kept(trails[2], trails[2].before)
    assert again is not None
    assert again.judged == frozenset({1})


def test_entries_that_were_only_moved_count_as_others_too_as_few_as_can_be() -> None:
    listed = [
        replace(entry(number, word, order=100), key=str(number))
        for number, word in enumerate(("cat", "dog", "mill", "x"))
    ]
    old, trails = base(*listed)
    turned = [listed[3], listed[0], listed[1], listed[2]]
    change = changed(old, *(replace(item, key=str(place)) for place, item in enumerate(turned)))
    assert change.gone == frozenset({3})
    assert [loaded.index for loaded in change.fresh] == [0]
    assert change.places == {0: 1, 1: 2, 2: 3}
    assert kept(change, trails) == [0, 1, 2, 4]
    back = changed(old, *(replace(item, key=str(place)) for place, item in enumerate(reversed(listed))))
    assert len(back.gone) == 3
    assert len(back.fresh) == 3


def test_what_was_told_of_an_entry_that_is_gone_is_left_out() -> None:
    old, _ = base(CAT, DOG)
    change = changed(old, CAT, entry(1, "dog", order=109, content="new"))
    assert change.places is None
    assert change.moved({0: "a", 1: "b"}) == {0: "a"}
    told = {0: "a"}
    assert change.moved(told) is told


def test_a_running_effect_of_the_entry_touches_turns_until_it_is_over() -> None:
    held = entry(1, "dog", order=109, sticky=2)
    old, trails = base(CAT, held, MILL)
    assert kept(changed(old, CAT, entry(1, "zebra", order=109, sticky=2), MILL), trails) == [0, 4]


def test_a_new_entry_with_the_uid_of_one_whose_effect_runs_touches_these_turns() -> None:
    held = entry(1, "dog", order=109, sticky=2)
    old, trails = base(CAT, held, MILL)
    twin = replace(entry(1, "zebra", order=50), key="other")
    assert kept(changed(old, CAT, held, MILL, twin), trails) == [0, 1, 4]


def test_another_stream_of_numbers_only_matters_where_one_is_drawn() -> None:
    rolls = entry(1, "dog", order=109, useProbability=True, probability=50)
    old, trails = base(CAT, rolls, MILL)
    change = changed(old, CAT, rolls, MILL)
    other = RandomState(99)
    told = [change.kept(trail, replace(trail.before, random=other)) for trail in trails]
    assert [trail is not None for trail in told] == [True, False, True, True, True]
    assert told[0] is not None
    assert told[0].after.random == other
    dice = replace(trails[0].before.standing, dice=other)
    kept_dice = change.kept(trails[0], replace(trails[0].before, standing=dice))
    assert kept_dice is not None
    assert kept_dice.after.standing.dice == other
    outlets = replace(trails[0].before.standing, outlets={"x": "y"})
    assert change.kept(trails[0], replace(trails[0].before, standing=outlets)) is None


def test_dice_beside_the_scan_are_looked_at_as_well() -> None:
    old, trails = base(CAT, quiet_prompt="{{roll:6}}")
    other = replace(trails[0].before.standing, dice=RandomState(99))
    assert changed(old, CAT).kept(trails[0], replace(trails[0].before, standing=other)) is None


HELD = TimedState({"lore.5": Effect("somebody", 0, 9)}, {})


@pytest.mark.parametrize(
    "difference", [{"local": {"v": 1}}, {"globals": {"v": 1}}, {"generated": True}, {"timed": HELD}]
)
def test_other_variables_effects_or_a_first_generation_matter(difference: dict[str, Any]) -> None:
    old, trails = base(CAT)
    assert changed(old, CAT).kept(trails[0], replace(trails[0].before, **difference)) is None


def test_turns_before_another_message_are_kept() -> None:
    old, trails = base(CAT, DOG, MILL)
    chat = old.scenario.transcript
    for place, expected in ((4, [0, 1, 2, 3]), (0, [])):
        listed = list(chat.messages)
        listed[place] = Message("another", is_user=True)
        new = replace(old.scenario, transcript=replace(chat, messages=tuple(listed)))
        change = plan_change(old, grown(old, new))
        assert change is not None
        assert kept(change, trails) == expected
        first = change.kept(trails[0], trails[0].before)
        assert first is None or first.turn.lines is not trails[0].turn.lines


@pytest.mark.parametrize(
    "difference",
    [
        {"max_context": 99},
        {"trigger": "swipe"},
        {"dry_run": True},
        {"settings": {"world_info_depth": 7}},
        {"quiet_prompt": "x"},
        {"tokenizer": "none"},
    ],
)
def test_what_every_turn_depends_on_touches_all(difference: dict[str, Any]) -> None:
    old, _ = base(CAT)
    settings = difference.get("settings")
    made = {"settings": old.scenario.settings.with_values(settings)} if settings else difference
    assert plan_change(old, grown(old, replace(old.scenario, **made))) is None


def test_another_counter_or_no_books_touch_all() -> None:
    old, _ = base(CAT)
    assert plan_change(old, grown(old, old.scenario, counter("none"))) is None
    empty = grown(old, replace(old.scenario, layers=scenario().layers))
    assert plan_change(old, empty) is None


def test_a_turn_that_stopped_is_never_kept() -> None:
    old, trails = base(entry(0, "cat", group="constructor"), DOG)
    assert trails[0].stopped
    assert kept(changed(old, old.plan().entries[0].entry, DOG, ZEBRA), trails) == [1, 2, 3]


def test_effects_follow_an_entry_to_its_new_form() -> None:
    held = entry(1, "dog", order=109, sticky=9)
    old, trails = base(CAT, held)
    change = changed(old, CAT, entry(1, "dog", order=109, sticky=9, content="new"))
    moved = moved_effects(change, old.plan(), trails[1].after)
    assert moved.timed.sticky["lore.1"].fingerprint == change.fresh[0].fingerprint
    assert moved_effects(changed(old, CAT, held, ZEBRA), old.plan(), trails[1].after) is trails[1].after
    gone = moved_effects(changed(old, CAT), old.plan(), trails[1].after)
    assert gone.timed.sticky == trails[1].after.timed.sticky
