from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.trace import Reason
from lorebook_tui.model.cast import Cast, Character, Persona
from tests.unit.engine.lore import entry, scenario
from tests.unit.remedies.asking import about, ask, changed, only

ANNA = Cast(Persona("User"), Character("Anna", "miss-anna.png", tags=("elf", "sad")))


def test_a_disabled_entry_is_enabled() -> None:
    found = about(entry(1, "cat", disable=True))
    assert only(found["enable"]) == ("disable", True, False)
    assert found["enable"].sentence == "Enabled, it is in."
    assert list(found) == ["enable"]


def test_triggers_get_the_kind_of_this_generation() -> None:
    found = about(entry(1, "cat", triggers=["quiet"]), trigger="continue")
    assert only(found["triggers"]) == ("triggers", ["quiet"], ["quiet", "continue"])
    assert found["triggers"].sentence == "With “continue” among its triggers it is in."


@pytest.mark.parametrize(
    ("stored", "kept"),
    [
        ({"names": ["bert"], "tags": [], "isExclude": False}, ["bert", "miss-anna"]),
        ({"names": ["miss-anna", "bert"], "tags": [], "isExclude": True}, ["bert"]),
    ],
)
def test_names_of_a_character_filter(stored: dict[str, Any], kept: list[str]) -> None:
    found = about(entry(1, "cat", characterFilter=stored), cast=ANNA)
    assert only(found["character_filter"]) == ("characterFilter", stored, {**stored, "names": kept})
    assert only(found["no_character_filter"])[2] == {"isExclude": False, "names": [], "tags": []}
    assert found["character_filter"].cost < found["no_character_filter"].cost


@pytest.mark.parametrize(
    ("stored", "kept"),
    [
        ({"names": [], "tags": ["orc"], "isExclude": False}, ["orc", "elf"]),
        ({"names": [], "tags": ["orc", "sad"], "isExclude": True}, ["orc"]),
    ],
)
def test_tags_of_a_character_filter(stored: dict[str, Any], kept: list[str]) -> None:
    found = about(entry(1, "cat", characterFilter=stored), cast=ANNA)
    assert only(found["character_filter"]) == ("characterFilter", stored, {**stored, "tags": kept})


def test_without_a_card_only_the_filter_can_go() -> None:
    stored = {"names": ["anna"], "tags": [], "isExclude": False}
    found = about(entry(1, "cat", characterFilter=stored), cast=Cast())
    assert list(found) == ["no_character_filter"]


def test_a_card_without_a_file_cannot_be_named() -> None:
    stored = {"names": ["anna"], "tags": [], "isExclude": False}
    nameless = Cast(Persona("User"), Character("Anna", ""))
    assert list(about(entry(1, "cat", characterFilter=stored), cast=nameless)) == ["no_character_filter"]


def test_one_change_is_proposed_before_two() -> None:
    stored = {"names": ["bert"], "tags": ["orc"], "isExclude": False}
    assert list(about(entry(1, "cat", characterFilter=stored), cast=ANNA)) == ["no_character_filter"]


def test_a_delay_that_ends_now() -> None:
    found = about(entry(1, "cat", delay=9), chat=("a", "b", "cat"))
    assert only(found["delay"]) == ("delay", 9, 3)
    assert found["delay"].sentence == "With a delay of 3 messages it is in."
    assert only(about(entry(1, "cat", delay=9, constant=True), chat=())["delay"])[2] == 0


def test_a_decorator_goes_and_the_text_stays() -> None:
    found = about(entry(1, "cat", content="@@dont_activate\nA cat."))
    assert only(found["decorator"]) == ("content", "@@dont_activate\nA cat.", "A cat.")
    assert found["decorator"].sentence == "Without its decorator @@dont_activate it is in."


def test_a_fallback_decorator_goes_too() -> None:
    found = about(entry(1, "cat", content="@@other\n@@@dont_activate\nA cat."))
    assert only(found["decorator"])[2] == "@@other\nA cat."


def test_exclusion_from_recursion() -> None:
    waker = entry(2, "cat", content="A dog.")
    found = about(waker, entry(1, "dog", excludeRecursion=True))
    assert only(found["recursion_flag"]) == ("excludeRecursion", True, False)
    assert found["recursion_flag"].sentence == "With “non-recursable” off it is in."


def test_what_waits_for_recursion() -> None:
    late = entry(1, "cat", delayUntilRecursion=True)
    found = about(late, entry(2, "cat", preventRecursion=True))
    assert only(found["recursion_flag"]) == ("delayUntilRecursion", True, False)
    assert only(found["waker"]) == ("preventRecursion", True, False)
    assert found["waker"].sentence == "With “prevent further recursion” off in “e2” it is in."
    found = about(late, entry(2, "cat"), settings={"world_info_recursive": False})
    assert only(found["recursion_on"]) == ("world_info_recursive", False, True)
    found = about(late, entry(2, "cat"), settings={"world_info_max_recursion_steps": 1})
    assert only(found["recursion_steps"]) == ("world_info_max_recursion_steps", 1, 2)


def test_a_level_that_opens() -> None:
    found = about(
        entry(1, "cat", delayUntilRecursion=3),
        entry(2, "cat", delayUntilRecursion=1),
        entry(3, "cat"),
        settings={"world_info_max_recursion_steps": 2},
    )
    assert only(found["recursion_level"]) == ("delayUntilRecursion", 3, 1)
    assert found["recursion_level"].sentence == "With the recursion level 1 it is in."
    assert only(found["recursion_flag"])[2] is False
    assert only(found["recursion_steps"]) == ("world_info_max_recursion_steps", 2, 4)


def cooling(**fields: Any) -> Any:
    """A chat in which the entry fires at length 1 and would fire again at length 4."""
    return scenario(entry(1, "cat", **fields), chat=("cat", "-", "-", "cat"), settings={"world_info_depth": 1})


@pytest.mark.parametrize("replayed", [False, True])
def test_the_longest_cooldown_that_is_over(*, replayed: bool) -> None:
    (found,) = ask(cooling(cooldown=5), 1, replayed=replayed)
    assert only(found) == ("cooldown", 5, 3)
    assert found.sentence == "With a cooldown of 3 messages it is in."
    assert found.replayed is replayed


def test_a_sticky_effect_that_has_just_ended_could_be_longer() -> None:
    made = scenario(entry(1, "cat", sticky=2, cooldown=9), chat=("cat", "-", "-"), settings={"world_info_depth": 1})
    found = {proposal.kind.value: proposal for proposal in ask(made, 1)}
    assert only(found["sticky"]) == ("sticky", 2, 3)
    assert "cooldown" not in found


def test_a_longer_sticky_effect_needs_the_turns_before() -> None:
    made = scenario(entry(1, "cat"), chat=("cat", "-", "-"), settings={"world_info_depth": 1})
    assert "sticky" not in {proposal.kind.value for proposal in ask(made, 1)}
    found = {proposal.kind.value: proposal for proposal in ask(made, 1, replayed=True)}
    assert only(found["sticky"]) == ("sticky", None, 3)
    assert found["sticky"].replayed
    assert found["sticky"].sentence == "With a sticky effect of 3 messages it is in."


def test_what_the_turns_before_would_undo_is_not_proposed() -> None:
    """With a deeper window the entry fires a turn earlier as well, and is on cooldown now."""
    made = scenario(
        entry(1, "cat", cooldown=3), chat=("-", "cat", "-", "-", "-", "-"), settings={"world_info_depth": 1}
    )
    alone, whole = ask(made, 1), ask(made, 1, replayed=True)
    assert [only(found) for found in alone if found.kind.value == "scan_depth"] == [("scanDepth", None, 5)]
    assert [found for found in whole if found.kind.value == "scan_depth"] == []


def test_what_the_turns_before_would_undo_gets_a_remedy_too() -> None:
    """Whatever wakes the entry now wakes it at the first turn as well, so it is on cooldown until that is shortened."""
    made = scenario(entry(1, "cat", cooldown=9), chat=("-", "-", "-", "-"), settings={"world_info_depth": 1})
    whole = ask(made, 1, replayed=True)
    assert {proposal.kinds[-1].value for proposal in whole} == {"cooldown"}
    shortest = whole[0]
    assert shortest.sentence == "As a constant entry and with a cooldown of 3 messages it is in."
    assert [changed(change) for change in shortest.changes] == [("constant", False, True), ("cooldown", 9, 3)]


def test_two_closed_gates_need_two_changes() -> None:
    found = about(entry(1, "cat", disable=True, triggers=["quiet"]))
    assert [changed(change) for change in found["enable+triggers"].changes] == [
        ("disable", True, False),
        ("triggers", ["quiet"], ["quiet", "normal"]),
    ]
    assert found["enable+triggers"].sentence == "Enabled and with “normal” among its triggers, it is in."
    assert found["enable+triggers"].verdict_after.reason is Reason.IN_PROMPT
