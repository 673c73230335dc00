"""Public reports about importing, exporting and identity: each with the input that it describes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # its types are a package of their own

from lorebook_tui.errors import EXIT_UNREADABLE, UnreadableError
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.formats.json_text import JsonSyntaxError
from lorebook_tui.formats.v2_book import character_book_of, world_of
from lorebook_tui.model.fields import template

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded

V2_BOOK = {
    "type": "object",
    "required": ["extensions", "entries"],
    "properties": {
        "name": {"type": "string"},
        "description": {"type": "string"},
        "scan_depth": {"type": "number"},
        "token_budget": {"type": "number"},
        "recursive_scanning": {"type": "boolean"},
        "extensions": {"type": "object"},
        "entries": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["keys", "content", "extensions", "enabled", "insertion_order"],
                "properties": {
                    "keys": {"type": "array", "items": {"type": "string"}},
                    "content": {"type": "string"},
                    "extensions": {"type": "object"},
                    "enabled": {"type": "boolean"},
                    "insertion_order": {"type": "number"},
                    "case_sensitive": {"type": "boolean"},
                    "use_regex": {"type": "boolean"},
                    "name": {"type": "string"},
                    "priority": {"type": "number"},
                    "id": {"type": "number"},
                    "comment": {"type": "string"},
                    "selective": {"type": "boolean"},
                    "secondary_keys": {"type": "array", "items": {"type": "string"}},
                    "constant": {"type": "boolean"},
                    "position": {"enum": ["before_char", "after_char"]},
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}
"""The V2 specification of a book; `use_regex` is V3's, which SillyTavern always writes."""


def loaded(value: object, name: str = "lore.json") -> Loaded:
    data = json.dumps(value).encode()
    made = load(data, name)
    assert dump(made) == data
    return made


def card(entries: object, **data: Any) -> Loaded:
    book = {"name": "B", "extensions": {}, "entries": entries}
    return loaded({"spec": "chara_card_v2", "data": {"name": "M", "character_book": book, **data}})


def v2(**fields: Any) -> dict[str, Any]:
    return {"keys": ["ash"], "content": "..", "extensions": {}, "enabled": True, "insertion_order": 10, **fields}


def test_bc_075_a_spec_array_is_detected_converted_and_reported() -> None:
    made = loaded({"entries": [{"keys": ["ash"], "content": "..", "enabled": True, "insertion_order": 10, "id": 0}]})
    (entry,) = made.require_book().entries
    assert made.format.name == "v2_book"
    assert (entry.keys, entry.content, entry.get("order"), entry.get("disable"), entry.uid) == (
        ("ash",),
        "..",
        10,
        False,
        0,
    )
    assert made.report.of("not-a-world")[0].path == ("entries",)


def test_bc_076_an_object_map_with_spec_names_is_read_as_a_hybrid() -> None:
    made = loaded({"name": "x", "scan_depth": 2, "entries": {"0": v2(), "1": v2(keys=["ember"])}})
    assert [(entry.key, entry.uid, entry.keys) for entry in made.require_book().entries] == [
        ("0", 0, ("ash",)),
        ("1", 1, ("ember",)),
    ]
    (finding,) = made.report.of("hybrid")
    assert (finding.path, finding.expected) == (("entries",), "an array")


def test_bc_077_an_export_keeps_to_the_specification() -> None:
    host = {
        **template(),
        "uid": 3,
        "key": ["ash"],
        "position": 4,
        "depth": 2,
        "sticky": 3,
        "characterFilter": {"names": []},
        "addMemo": True,
        "displayIndex": 1,
    }
    book = character_book_of({"3": host, "4": {"key": "x"}}, "lore", strict=False)
    Draft202012Validator(V2_BOOK).validate(book)
    assert book["entries"][0]["extensions"]["sticky"] == 3
    assert book["entries"][0]["extensions"]["position"] == 4
    strict = character_book_of({"3": {"uid": 3, "key": "x"}}, "lore")
    assert not Draft202012Validator(V2_BOOK).is_valid(strict)


def test_bc_079_one_bad_entry_does_not_sink_nine_good_ones() -> None:
    entries = [v2(id=number, content=None if number == 4 else f"text {number}") for number in range(10)]
    made = card(entries)
    good = [entry for entry in made.require_book().entries if entry.content]
    assert len(good) == 9
    (finding,) = made.report.of("type")
    assert finding.path == ("data", "character_book", "entries", 4, "content")
    assert (finding.expected, finding.found) == ("a text", "null")


def test_bc_079_a_legacy_copy_is_not_injected_twice() -> None:
    legacy = {"character_book": {"entries": [v2(content="legacy")]}}
    made = card([v2(content="converted")], extensions=legacy)
    assert [entry.content for book in made.books for entry in book.entries] == ["converted"]
    assert made.report.of("second-book")[0].path == ("data", "extensions", "character_book")


def test_bc_080_a_file_without_entries_says_why() -> None:
    with pytest.raises(UnreadableError) as caught:
        load(b'{"name": "lore", "items": []}')
    assert "`entries`" in caught.value.message
    assert "`entries`" in caught.value.expected
    assert caught.value.found == "an object with name, items"


def test_bc_080_an_entry_without_key_and_a_key_that_is_a_text() -> None:
    entries = {
        "0": {"uid": 0, "content": "x"},
        "1": {"uid": 1, "key": "ash", "content": "x"},
        "2": {"uid": 2, "key": [], "content": ""},
    }
    made = load(json.dumps({"entries": entries}, indent=2).encode())
    assert [(finding.path, finding.expected, finding.found, finding.line) for finding in made.report] == [
        (("entries", "0", "key"), "an array of texts", "nothing", 3),
        (("entries", "1", "key"), "an array of texts", 'the text "ash"', 9),
    ]


def test_bc_080_broken_json_tells_line_expected_and_found() -> None:
    text = json.dumps({"entries": {str(number): {"uid": number} for number in range(20)}}, indent=2)
    lines = text.split("\n")
    lines[39] = lines[39].rstrip(",") + ",,"
    with pytest.raises(JsonSyntaxError) as caught:
        load("\n".join(lines).encode())
    assert (caught.value.line, caught.value.where.partition(",")[0]) == (40, "line 40")
    assert caught.value.expected == "valid JSON"
    assert caught.value.found == ","
    assert caught.value.exit_status == EXIT_UNREADABLE


def test_bc_081_a_missing_enabled_disables_and_is_reported() -> None:
    entry = v2()
    del entry["enabled"]
    made = card([entry, v2()])
    assert [item.is_on("disable") for item in made.require_book().entries] == [True, False]
    assert [finding.path[-2:] for finding in made.report.of("missing-enabled")] == [(0, "enabled")]


def test_bc_082_duplicate_ids_are_renumbered_and_reported() -> None:
    entries = [v2(id=1, content="first"), v2(id=1, content="second"), v2(id=2, content="third")]
    made = card(entries)
    assert [(entry.uid, entry.content) for entry in made.require_book().entries] == [
        (1, "first"),
        (0, "second"),
        (2, "third"),
    ]
    (finding,) = made.report.of("duplicate-id")
    assert finding.path == ("data", "character_book", "entries", 1, "id")
    world = world_of({"entries": entries})
    assert [entry["content"] for entry in world["entries"].values()] == ["second", "third"]
    strict = load(dump(made), strict=True)
    assert [(entry.uid, entry.content) for entry in strict.require_book().walked] == [(1, "second"), (2, "third")]
    assert [finding.path for finding in strict.report.of("duplicate-id")] == [
        ("data", "character_book", "entries", 1, "id")
    ]


def test_bc_083_a_duplicate_uid_in_a_world_is_kept_and_reported() -> None:
    made = loaded(
        {"entries": {"0": {"uid": 0, "key": ["a"], "content": "x"}, "1": {"uid": 0, "key": ["a"], "content": "y"}}}
    )
    assert [(entry.key, entry.uid) for entry in made.require_book().walked] == [("0", 0), ("1", 0)]
    assert made.report.of("duplicate-uid")[0].path == ("entries", "1", "uid")


def test_bc_084_without_selective_secondary_keys_are_inert() -> None:
    made = card([v2(secondary_keys=["wood"]), v2(secondary_keys=["wood"], selective=True), v2(secondary_keys=[])])
    assert [entry.get("selective") for entry in made.require_book().entries] == [False, True, False]
    assert [finding.path[-2:] for finding in made.report.of("missing-selective")] == [(0, "selective")]


def test_bc_088_entries_are_walked_as_javascript_does() -> None:
    fields = {"key": ["x"], "content": ""}
    made = loaded(
        {
            "entries": {
                "10": {"uid": 10, **fields},
                "2": {"uid": 2, **fields},
                "a": {"uid": "a", **fields},
                "02": {"uid": 5, **fields},
            }
        }
    )
    book = made.require_book()
    assert [entry.key for entry in book.walked] == ["2", "10", "a", "02"]
    assert [entry.key for entry in book.entries] == ["10", "2", "a", "02"]


def test_bc_114_a_v1_card_has_no_book() -> None:
    made = loaded(
        {"name": "M", "description": "d", "personality": "p", "scenario": "s", "first_mes": "Hi", "mes_example": ""},
        "m.json",
    )
    assert made.card is not None
    assert made.card.character.name == "M"
    with pytest.raises(UnreadableError, match="V1 card cannot hold one") as caught:
        made.require_book()
    assert caught.value.exit_status == EXIT_UNREADABLE
