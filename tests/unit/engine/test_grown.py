from __future__ import annotations

from dataclasses import replace

import pytest

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.grown import GrownPlan, can_grow, grown, same_value
from lorebook_tui.model.cast import Cast, Character, Group, Persona
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import ForcedEntry, Scenario
from tests.unit.engine.lore import COUNTER, book, entry, messages, scenario

CAT, DOG, MILL = entry(0, "cat", order=102), entry(1, "dog", order=101), entry(2, "mill", order=100, scanDepth=4)


def base() -> Simulation:
    return Simulation(scenario(CAT, DOG, MILL), COUNTER)


def test_entries_that_did_not_change_keep_their_compiled_form() -> None:
    old = base()
    new = grown(old, scenario(CAT, entry(1, "dog", "cat", order=50), MILL))
    cat, mill, dog = new.plan().entries
    assert isinstance(new.plan(), GrownPlan)
    assert cat is old.plan().entries[0]
    assert mill is not old.plan().entries[2]
    assert mill.keys is old.plan().entries[2].keys
    assert (mill.index, dog.index) == (1, 2)
    assert [loaded.index for loaded in old.plan().entries] == [0, 1, 2]


def test_a_window_that_nobody_has_any_more_shows_nothing_and_can_come_back() -> None:
    old = base()
    asks = entry(2, "mill", order=100, matchScenario=True)
    second = grown(old, scenario(CAT, DOG, asks))
    third = grown(second, scenario(CAT, DOG, MILL))
    assert any(window.sources for window in second.plan().windows)
    assert not any(window.sources for window in third.plan().windows)
    fourth = grown(third, scenario(CAT, DOG, asks))
    loaded = fourth.plan().entries[2]
    assert fourth.plan().windows[loaded.window].sources


def test_another_message_or_setting_shares_the_plan_or_the_entries() -> None:
    old = base()
    plan = old.plan()
    longer = replace(old.scenario, transcript=replace(old.scenario.transcript, messages=messages("a", "b")))
    assert grown(old, longer).plan() is plan
    deeper = replace(old.scenario, settings=old.scenario.settings.with_values({"world_info_depth": 5}))
    assert grown(old, deeper).plan() is not plan
    assert grown(old, deeper).plan().entries[0] is plan.entries[0]


def test_an_unused_simulation_in_between_is_never_compiled() -> None:
    old = base()
    old.plan()
    between = grown(old, scenario(CAT, DOG))
    new = grown(between, scenario(CAT, DOG, MILL))
    assert new.plan().entries[0] is old.plan().entries[0]
    assert between._plans == {}


@pytest.mark.parametrize(
    "change",
    [
        {"settings": {"world_info_case_sensitive": True}},
        {"settings": {"world_info_match_whole_words": False}},
        {"cast": Cast(Persona("Eve"), Character("Anna", "anna.png"))},
        {"macro_engine": "legacy"},
    ],
)
def test_what_keys_are_read_by_makes_everything_new(change: dict[str, object]) -> None:
    old = base()
    new = scenario(CAT, DOG, MILL, **change)  # type: ignore[arg-type]
    assert not can_grow(old, new)
    assert grown(old, new).plan().entries[0] is not old.plan().entries[0]


def test_forced_entries_of_the_old_one_make_everything_new() -> None:
    old = Simulation(scenario(CAT, forced=(ForcedEntry("lore", 0, {"key": ["new key"]}),)), COUNTER)
    assert not can_grow(old, scenario(CAT))


def test_books_of_cards_are_lore_and_no_names() -> None:
    def made(*listed: object) -> Scenario:
        lore = book(*listed, name="own")  # type: ignore[arg-type]
        group = Group((Character("Anna", "anna.png", books=(lore,)),))
        return replace(scenario(), layers=Layers(), cast=Cast(Persona("User"), None, group))

    old = Simulation(made(CAT), COUNTER)
    new = grown(old, made(CAT, DOG))
    assert len(new.plan().entries) == 2
    assert new.plan().entries[0] is old.plan().entries[0]


def test_values_that_macros_tell_apart_are_not_the_same() -> None:
    assert same_value({"v": 1}, {"v": 1})
    assert not same_value({"v": 1}, {"v": True})
    assert not same_value(1, 1.0)
