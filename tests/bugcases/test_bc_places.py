"""Bug cases, group 4: order and position. The outcomes are SillyTavern's."""

from __future__ import annotations

import pytest

from tests.bugcases.lore import entry, run_row, turn, turns


def constant(content: str, **fields: object) -> dict[str, object]:
    return entry(content=content, constant=True, **fields)


def test_BC_044_the_low_number_is_on_top() -> None:
    book = {"A": constant("30", order=30), "B": constant("10", order=10), "C": constant("20", order=20)}
    assert turn(book, "u: x").before == ["10", "20", "30"]


def test_BC_045_depth_then_role_then_order() -> None:
    roles = {"A": (1, 0), "B": (2, 2), "C": (3, 1), "D": (4, 0)}
    book = {name: constant(name, position=4, depth=0, order=order, role=role) for name, (order, role) in roles.items()}
    records = turn(book, "u: x").raw["WIDepthEntries"]
    assert {record["role"]: record["entries"] for record in records} == {0: ["A", "D"], 1: ["C"], 2: ["B"]}


@pytest.mark.parametrize(
    ("layers", "kept"),
    [
        ({"global": ["b"], "character": ["b"]}, "global"),
        ({"character": ["b"], "chat": ["b"]}, "chat"),
        ({"persona": ["b"], "chat": ["b"]}, "chat"),
    ],
)
def test_BC_046_a_book_bound_twice_is_used_once(layers: dict[str, list[str]], kept: str) -> None:
    del kept
    row = {
        "id": "case",
        "books": {"b": {"entries": {"0": {"constant": True, "content": "once"}}}},
        "layers": layers,
        "chat": [{"mes": "x"}],
    }
    (found,) = run_row(row)
    assert found.raw["order"] == [["b", 0]]
    assert found.before == ["once"]


@pytest.mark.parametrize(
    ("strategy", "admitted"),
    [
        (0, ["chat", "persona", "global", "char"]),
        (1, ["chat", "persona", "char", "global"]),
        (2, ["chat", "persona", "global", "char"]),
    ],
)
def test_BC_047_the_strategy_decides_who_is_admitted_first_and_order_the_place(
    strategy: int, admitted: list[str]
) -> None:
    def book(name: str, order: int) -> dict[str, object]:
        return {"name": name, "entries": {"0": {"constant": True, "content": name, "order": order}}}

    row = {
        "id": "case",
        "settings": {"world_info_character_strategy": strategy},
        "layers": {
            "global": [book("global", 999)], "character": [book("char", 50)],
            "persona": [book("persona", 1)], "chat": [book("chat", 60)],
        },
        "chat": [{"mes": "x"}],
    }  # fmt: skip
    (found,) = run_row(row)
    assert [name for name, _ in found.raw["activated"]] == admitted
    assert found.before == ["persona", "char", "chat", "global"]


def test_BC_048_authors_note_slots_close_when_the_note_is_not_due() -> None:
    book = {"A": constant("lore", position=2)}
    off = turn(book, "u: x", authors_note={"prompt": "note", "interval": 0})
    assert off.active == {"A"}
    assert off.raw["authors_note"]["value"] == ""
    third = turns(book, "u: 1", "u: 2", "u: 3", authors_note={"prompt": "note", "interval": 3}, turns="each")
    assert [found.raw["authors_note"]["value"] for found in third] == ["", "", "lore\nnote"]


def test_BC_049_texts_stay_in_their_slot_whatever_a_preset_does_with_it() -> None:
    found = turn({"A": constant("up"), "B": constant("down", position=1)}, "u: x")
    assert (found.raw["worldInfoBefore"], found.raw["worldInfoAfter"]) == ("up", "down")


def test_BC_050_an_outlet_in_a_card_field_is_empty_during_the_scan() -> None:
    book = {
        "A": constant("inside", position=7, outletName="Mood"),
        "B": entry("inside", matchCharacterDescription=True),
    }
    found = turn(
        book, "u: x", character={"name": "Mira", "description": "[{{outlet::Mood}}]"}, settings={"recursive": False}
    )
    assert found.active == {"A"}
    assert found.raw["outletEntries"] == {"Mood": ["inside"]}


def test_BC_051_outlet_names_are_taken_as_they_stand() -> None:
    book = {
        "A": constant("a", position=7, outletName="Mood"),
        "B": constant("b", position=7, outletName="Mood "),
        "C": constant("c", position=7),
    }
    found = turn(book, "u: x")
    assert found.raw["outletEntries"] == {"Mood": ["a"], "Mood ": ["b"]}
    assert found.active == {"A", "B", "C"}


@pytest.mark.parametrize("name", ["toString", "__class__", "constructor"])
def test_BC_052_an_unknown_outlet_called_like_a_built_in_is_empty(name: str) -> None:
    assert turn({"A": constant(f"[{{{{outlet::{name}}}}}]")}, "u: x").before == ["[]"]
