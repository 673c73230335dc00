from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.trace import Reason
from lorebook_tui.model.cast import AuthorsNote, Cast, Persona
from lorebook_tui.model.entry import Entry
from tests.unit.engine.lore import entry, scenario
from tests.unit.remedies.asking import about, ask, changed, only


def test_an_empty_text() -> None:
    found = about(entry(1, "cat", content=""))
    assert list(found) == ["content"]
    assert only(found["content"]) == ("content", "", "…")
    assert found["content"].sentence == "With any text it is in."
    assert found["content"].is_example


def test_an_empty_text_under_a_decorator_keeps_it() -> None:
    found = about(entry(1, content="@@activate\n"))
    assert only(found["content"])[2] == "@@activate\n…"


@pytest.mark.parametrize("position", [9, "0", None])
def test_a_position_that_does_not_exist(position: Any) -> None:
    found = about(entry(1, "cat", position=position))
    assert only(found["position"]) == ("position", position, 0)
    assert found["position"].sentence == "With a position before the character definitions it is in."


def test_a_depth_is_given_with_the_position() -> None:
    other, depth = ask(scenario(entry(1, "cat", position=2, depth=None), cast=Cast(Persona("User"))), 1)[:2]
    assert [changed(change) for change in depth.changes] == [("position", 2, 4), ("depth", None, 4)]
    assert only(other) == ("position", 2, 0)


def test_an_outlet_that_is_read() -> None:
    note = AuthorsNote("Today: {{outlet::weather}}")
    found = about(entry(1, "cat", position=7), note=note)
    assert only(found["outlet_name"]) == ("outletName", "", "weather")
    assert found["outlet_name"].sentence == "With the outlet name “weather” it is in."
    assert only(found["position"])[2] == 0


def test_an_outlet_that_others_fill_or_a_new_one() -> None:
    other = entry(2, position=7, outletName="sky")
    assert only(about(entry(1, "cat", position=7), other)["outlet_name"])[2] == "sky"
    assert only(about(entry(1, "cat", position=7, comment="The Salt Tithe"))["outlet_name"])[2] == "the-salt-tithe"


def test_a_note_that_is_not_due() -> None:
    found = about(entry(1, "cat", position=2), note=AuthorsNote("x", interval=3), chat=("-", "-", "cat"))
    assert only(found["note_interval"]) == ("note_interval", 3, 2)
    assert found["note_interval"].sentence == "With an interval of 2 for the author's note it is in."
    assert only(found["position"]) == ("position", 2, 4)
    assert found["position"].sentence == "With the position at depth 4 it is in."


def test_the_place_of_a_note_at_another_depth() -> None:
    made = scenario(entry(1, "cat", position=3), note=AuthorsNote("x", interval=0, depth=1))
    depths = [proposal for proposal in ask(made, 1) if len(proposal.changes) == 2]
    assert [changed(change) for change in depths[0].changes] == [("position", 3, 4), ("depth", 4, 1)]
    assert depths[0].sentence == "With the position at depth 1, where the note stands it is in."


def test_without_a_card_there_is_no_note() -> None:
    found = about(entry(1, "cat", position=2), cast=Cast(Persona("User")))
    assert "note_interval" not in found
    assert only(found["position"])[2] == 4


def test_two_entries_with_one_uid() -> None:
    twin = Entry({**entry(1, "cat", comment="Second").fields}, "x")
    made = scenario(entry(1, "cat", comment="First"), twin, entry(0, "cat"))
    simulated = ask(made, 1)
    assert [only(found) for found in simulated if found.kind.value == "uid"] == [("uid", 1, 2)]
    assert simulated[0].sentence == "With a uid of its own (2) it is in."
    assert simulated[0].side_effects == ()


def test_a_turn_that_stops_with_an_error() -> None:
    found = about(entry(1, "cat"), entry(2, "cat", group="a, constructor"), entry(3, "cat", group=["x"]))
    assert [changed(change) for change in found["group_name"].changes] == [
        ("group", "a, constructor", "a, constructor group"),
        ("group", ["x"], "x"),
    ]
    assert {effect.before for effect in found["group_name"].side_effects} == {Reason.STOPPED}


def test_keys_at_which_group_scoring_stops() -> None:
    found = about(
        entry(1, "cat", group="g"), entry(2, "cat", group="g", keysecondary=[7]),
        settings={"world_info_use_group_scoring": True}, chat=("Cat 7.",), uid=2,
    )  # fmt: skip
    assert only(found["key_type"]) == ("keysecondary", [7], ["7"])
