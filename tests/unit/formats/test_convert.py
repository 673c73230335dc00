"""Books change their shape and come back; what that costs is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.errors import UnreadableError, UnsupportedError, UsageError
from lorebook_tui.formats import convert as convert_module
from lorebook_tui.formats.aside import put_aside, taken_back
from lorebook_tui.formats.convert import V2, V3, WORLD, convert
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.formats.losses import Converted, Fate
from lorebook_tui.model.fields import template


def loaded(value: object, name: str = "harrow.json") -> Any:
    return load(json.dumps(value).encode(), name)


def value_of(made: Converted) -> Any:
    return json.loads(dump(made.loaded))


def told(made: Converted) -> set[tuple[str, str, Fate]]:
    return {(loss.code, loss.field, loss.fate) for loss in made.losses}


def world(*entries: dict[str, Any], **root: Any) -> dict[str, Any]:
    return {"entries": {str(n): {**template(), "uid": n, **fields} for n, fields in enumerate(entries)}, **root}


def v2(*entries: dict[str, Any], **root: Any) -> dict[str, Any]:
    usual = {"keys": ["bell"], "content": "A bell.", "extensions": {}, "enabled": True, "insertion_order": 5}
    return {"name": "Harrow", "extensions": {}, "entries": [{**usual, **fields} for fields in entries], **root}


def test_a_plain_entry_costs_nothing() -> None:
    made = convert(loaded(world({"key": ["bell"], "content": "A bell.", "comment": "Bell", "order": 7})), V2)
    assert made.losses == ()
    assert made.loaded.format.name == V2
    book = value_of(made)
    assert book["name"] == "harrow"
    (entry,) = book["entries"]
    assert (entry["keys"], entry["insertion_order"], entry["position"]) == (["bell"], 7, "before_char")
    assert "use_regex" not in entry
    assert entry["extensions"]["use_group_scoring"] is None


def test_what_only_sillytavern_reads_is_told_field_by_field() -> None:
    fields = {
        "key": ["bell", "/x/"], "content": "A", "comment": "Bell", "sticky": 3, "group": "g", "probability": 40,
        "position": 4, "depth": 2, "keysecondary": ["a"], "selectiveLogic": 2, "cooldown": 0,
        "characterFilter": {"isExclude": False, "names": ["mira"], "tags": []}, "colour": "red",
    }  # fmt: skip
    made = convert(loaded(world(fields)), V2)
    assert told(made) == {
        ("sillytavern-only", "sticky", Fate.BENT),
        ("sillytavern-only", "group", Fate.BENT),
        ("sillytavern-only", "probability", Fate.BENT),
        ("position", "position", Fate.BENT),
        ("logic", "selectiveLogic", Fate.BENT),
        ("pattern", "key", Fate.BENT),
        ("character-filter", "characterFilter", Fate.ASIDE),
        ("member", "colour", Fate.ASIDE),
    }
    assert {loss.entry for loss in made.losses} == {"Bell"}
    assert made.summary()[0][0].fate is Fate.ASIDE


def test_equal_losses_are_counted() -> None:
    made = convert(loaded(world({"sticky": 1}, {"sticky": 2}, {"delay": 3})), V2)
    assert [(loss.field, count) for loss, count in made.summary()] == [("sticky", 2), ("delay", 1)]


def test_v3_needs_use_regex_and_says_it_only_of_patterns() -> None:
    made = convert(loaded(world({"key": ["/a/"]}, {"key": ["a"]}, {"key": ["/a/", "b"]}, {"key": []})), V3)
    book = value_of(made)
    assert book["spec"] == "lorebook_v3"
    assert [entry["use_regex"] for entry in book["data"]["entries"]] == [True, False, False, False]
    assert [loss.field for loss in made.losses if loss.code == "use-regex"] == ["use_regex"]


def test_other_members_of_a_world() -> None:
    folders = {"lorebook_tui": {"folders": ["A"]}, "x": 1}
    made = convert(loaded(world({}, name="N", colour=1, originalData={"entries": []}, extensions=folders)), V2)
    assert told(made) == {("original-data", "originalData", Fate.LOST), ("book", "colour", Fate.ASIDE)}
    book = value_of(made)
    assert book["name"] == "N"
    assert book["extensions"] == {"lorebook_tui": {"folders": ["A"], "sillytavern": {"colour": 1}}, "x": 1}
    back = value_of(convert(made.loaded, WORLD))
    assert (back["name"], back["colour"], back["extensions"]) == ("N", 1, folders)


def test_wrong_types_are_told_as_lost() -> None:
    made = convert(loaded(world({"key": "bell", "content": None})), V2)
    assert {("type", "key", Fate.LOST), ("type", "content", Fate.LOST)} <= told(made)
    assert value_of(made)["entries"][0]["keys"] == []


def test_a_card_book_becomes_a_world() -> None:
    book = v2(
        {"id": 3, "priority": 9, "case_sensitive": True, "name": "Bell", "secondary_keys": ["x"], "selective": True},
        {"id": 3, "name": "N", "comment": "C", "colour": 1, "content": "@@depth 3\n@@activate\nText"},
        {"id": "abc", "extensions": {"depth": 2, "case_sensitive": False}, "case_sensitive": True, "use_regex": True},
        scan_depth=4, description="D",
    )  # fmt: skip
    made = convert(loaded(book), WORLD)
    assert told(made) == {
        ("priority", "priority", Fate.ASIDE),
        ("case", "case_sensitive", Fate.ADAPTED),
        ("member", "name", Fate.ASIDE),
        ("member", "colour", Fate.ASIDE),
        ("decorator", "depth", Fate.BENT),
        ("id", "uid", Fate.ADAPTED),
        ("book", "scan_depth", Fate.ASIDE),
        ("book", "description", Fate.ASIDE),
    }
    entries = value_of(made)["entries"]
    assert list(entries) == ["3", "0", "1"]
    assert [entry["uid"] for entry in entries.values()] == [3, 0, 1]
    first, second, third = entries.values()
    assert (first["caseSensitive"], first["comment"], first["addMemo"]) == (True, "Bell", True)
    assert first["extensions"] == {"priority": 9}
    assert second["extensions"] == {"lorebook_tui": {"v2_book": {"name": "N", "colour": 1}}}
    assert (third["depth"], third["caseSensitive"], third["key"]) == (2, False, ["bell"])
    assert "extensions" not in third
    back = value_of(convert(made.loaded, V2))
    assert (back["scan_depth"], back["description"], back["name"]) == (4, "D", "Harrow")
    assert [(each.get("priority"), each.get("colour"), each.get("name")) for each in back["entries"]] == [
        (9, None, None), (None, 1, "N"), (None, None, None),
    ]  # fmt: skip


def test_patterns_of_the_specification_get_slashes() -> None:
    book = v2(
        {"use_regex": True, "keys": ["be+ll", "a/b", r"c\/d", "/x/i", " "], "secondary_keys": ["y"]},
        {"use_regex": True, "keys": ["be+ll"], "case_sensitive": True},
        {"use_regex": True, "keys": ["/x/i"]},
        {"use_regex": False, "comment": "C", "name": "C", "content": "@@depth 2"},
        {"use_regex": True, "keys": "a"},
    )
    made = convert(loaded({"spec": "lorebook_v3", "data": book}), WORLD)
    entries = list(value_of(made)["entries"].values())
    assert entries[0]["key"] == ["/be+ll/i", r"/a\/b/i", r"/c\/d/i", "/x/i", " "]
    assert entries[0]["keysecondary"] == ["/y/i"]
    assert entries[1]["key"] == ["/be+ll/"]
    assert entries[2]["key"] == ["/x/i"]
    assert sum(loss.code == "use-regex" for loss in made.losses) == 2


def test_shapes_of_the_specification_become_each_other() -> None:
    book = v2({"id": "a"}, {"id": 1, "colour": 1}, {"id": 1})
    made = convert(loaded({"spec": "lorebook_v3", "data": book}), V2, "other.json")
    assert [entry["id"] for entry in value_of(made)["entries"]] == [0, 1, 2]
    assert made.loaded.name == "other.json"
    assert value_of(made)["name"] == "Harrow"
    three = value_of(convert(made.loaded, V3))
    assert [entry["use_regex"] for entry in three["data"]["entries"]] == [False] * 3
    assert three["data"]["entries"][1]["colour"] == 1


def test_the_book_of_a_card_comes_out_of_it() -> None:
    card = {"spec": "chara_card_v2", "data": {"name": "Mira", "character_book": v2({"comment": "Bell"})}}
    for to in (WORLD, V2, V3):
        made = convert(loaded(card), to)
        assert [entry.title for entry in made.loaded.require_book().entries] == ["Bell"]


def test_a_world_stays_one() -> None:
    value = world({"colour": 1}, originalData={"entries": []}, x=1)
    made = convert(loaded(value), WORLD)
    assert (made.losses, value_of(made)) == ((), value)


def test_odd_worlds() -> None:
    made = convert(loaded([{"uid": 5, "key": ["a"]}, {"uid": 5, "keys": ["b"]}]), WORLD)
    assert [entry["uid"] for entry in value_of(made)["entries"].values()] == [5, 1]
    made = convert(loaded({"entries": {"x": {"uid": "x", "key": ["a"]}}}), WORLD)
    assert list(value_of(made)["entries"]) == ["0"]


def test_refusals() -> None:
    with pytest.raises(UnsupportedError):
        convert(loaded(world({})), "novelai")
    with pytest.raises(UnreadableError):
        convert(loaded({"spec": "chara_card_v2", "data": {"name": "Mira"}}), WORLD)
    with pytest.raises(UsageError):
        convert(loaded(world({})), V2, position=1)


@pytest.mark.parametrize(("spec", "has_regex"), [("chara_card_v2", False), ("chara_card_v3", True)])
def test_a_book_goes_into_a_card_and_nothing_else_of_it_changes(spec: str, *, has_regex: bool) -> None:
    card = {"spec": spec, "data": {"name": "Mira", "extensions": {"world": "w"}, "tags": [1.50]}}
    book = loaded(world({"key": ["bell"], "comment": "Bell", "sticky": 2}))
    made = convert_module.embedded(loaded(card, "mira.json"), book)
    value = value_of(made)
    inside = value["data"].pop("character_book")
    assert value == card
    assert ("use_regex" in inside["entries"][0]) is has_regex
    assert [entry.get("sticky") for entry in made.loaded.require_book().entries] == [2]
    assert told(made) == {("sillytavern-only", "sticky", Fate.BENT)}
    again = convert_module.embedded(made.loaded, book)
    assert ("replaced", "character_book", Fate.LOST) in told(again)


@pytest.mark.parametrize("value", [{"name": "A", "personality": "", "scenario": ""}, world({})])
def test_what_cannot_hold_a_book(value: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedError):
        convert_module.embedded(loaded(value), loaded(world({})))


def test_a_book_goes_into_an_image(png: Any, card_chunk: Any) -> None:
    image = png(card_chunk({"spec": "chara_card_v2", "data": {"name": "Mira"}}))
    made = convert_module.embedded(load(image, "mira.png"), loaded(world({"comment": "Bell"})))
    again = load(dump(made.loaded), "mira.png")
    assert [entry.title for entry in again.require_book().entries] == ["Bell"]
    assert again.card is not None
    assert again.card.character.name == "Mira"


def test_asides() -> None:
    assert put_aside(None, "v2_book", {}) == {}
    kept = put_aside({"x": 1, "lorebook_tui": {"folder": "A"}}, "v2_book", {"name": "N"})
    assert taken_back(kept, "v2_book") == ({"x": 1, "lorebook_tui": {"folder": "A"}}, {"name": "N"})
    assert taken_back({"lorebook_tui": {"v2_book": {"a": 1}}}, "v2_book") == ({}, {"a": 1})
    assert taken_back({"lorebook_tui": 3}, "v2_book") == ({"lorebook_tui": 3}, {})
    assert taken_back([1], "v2_book") == ({}, {})


TEXTS = st.text(max_size=6)
FIELDS = st.fixed_dictionaries(
    {"key": st.lists(TEXTS, max_size=3), "content": TEXTS, "comment": TEXTS},
    optional={
        "keysecondary": st.lists(TEXTS, max_size=2), "selectiveLogic": st.integers(0, 3), "order": st.integers(-5, 900),
        "position": st.integers(0, 7), "constant": st.booleans(), "disable": st.booleans(), "selective": st.booleans(),
        "sticky": st.none() | st.integers(0, 5), "caseSensitive": st.none() | st.booleans(), "group": TEXTS,
        "useGroupScoring": st.none() | st.booleans(), "probability": st.integers(0, 100), "role": st.none() | st.integers(0, 2),
        "characterFilter": st.fixed_dictionaries({"isExclude": st.booleans(), "names": st.lists(TEXTS, min_size=1, max_size=1), "tags": st.just([])}),
        "extensions": st.dictionaries(st.sampled_from(["x", "priority"]), st.integers(), min_size=1),
        "colour": st.integers(), "triggers": st.lists(st.sampled_from(["normal", "quiet"]), max_size=2), "outletName": TEXTS,
    },
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(FIELDS, max_size=4), st.sampled_from([V2, V3]))
def test_a_world_comes_back_from_the_specifications_shape(entries: list[dict[str, Any]], shape: str) -> None:
    value = world(*entries)
    for number, fields in enumerate(value["entries"].values()):
        fields["displayIndex"] = number
        fields["addMemo"] = bool(fields["comment"])
        fields["role"] = fields["role"] or 0  # null is read as 0, and comes back as that
    back = value_of(convert(convert(loaded(value), shape).loaded, WORLD))
    assert back["entries"] == value["entries"]
