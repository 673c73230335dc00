"""A card's book to SillyTavern's entries and back: as the real program did it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from lorebook_tui.errors import UnreadableError
from lorebook_tui.formats.detect import load
from lorebook_tui.formats.v2_book import changes_of, character_book_of, fields_of, identities, world_of
from lorebook_tui.model.fields import template
from lorebook_tui.model.js import MISSING

GOLDEN = Path(__file__).parents[2] / "golden" / "convert" / "character_book.jsonl.gz"
CASES: list[dict[str, Any]] = [json.loads(line) for line in gzip.decompress(GOLDEN.read_bytes()).splitlines()]
IMPORTS = {case["id"]: case for case in CASES if "import" in case}
EXPORTS = {case["id"]: case for case in CASES if "export" in case}


def exactly(value: object) -> str:
    """So that 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def test_there_are_cases() -> None:
    assert len(IMPORTS) > 45
    assert len(EXPORTS) > 25


@pytest.mark.parametrize("name", IMPORTS)
def test_import_gives_the_real_programs_world(name: str) -> None:
    case = IMPORTS[name]
    made = world_of(case["import"])
    assert exactly(made["entries"]) == exactly(case["book"]["entries"])
    assert list(made["entries"]) == list(case["book"]["entries"])
    if "originalData" in case["book"]:
        assert exactly(made["originalData"]) == exactly(case["book"]["originalData"])


@pytest.mark.parametrize("name", IMPORTS)
def test_a_strictly_loaded_card_gives_the_engine_the_same_fields(name: str) -> None:
    case = IMPORTS[name]
    card = {"spec": "chara_card_v2", "data": {"name": "N", "character_book": case["import"]}}
    book = load(json.dumps(card).encode(), "n.json", strict=True).require_book()
    assert exactly({entry.key: entry.fields for entry in book.walked}) == exactly(case["book"]["entries"])


@pytest.mark.parametrize("name", EXPORTS)
def test_export_gives_the_real_programs_book(name: str) -> None:
    case = EXPORTS[name]
    book = case["export"]["book"]
    entries = {}
    for key, fields in book["entries"].items():
        filled = fields if book.get("raw") else {**template(), **fields}
        entries[key] = {"uid": int(key) if key.isdecimal() else key, **filled}
    assert exactly(character_book_of(entries, case["export"]["name"])) == exactly(case["character_book"])


@pytest.mark.parametrize("entries", [None, {}, "x", [None], [1], [{}, "x"]])
def test_what_stops_sillytavern_is_refused(entries: object) -> None:
    with pytest.raises(UnreadableError):
        world_of({"entries": entries})
    with pytest.raises(UnreadableError):
        world_of({})


def test_equal_ids_overwrite_or_are_renumbered() -> None:
    book = {"entries": [{"id": 1, "content": "first"}, {"id": 0}, {"id": 1, "content": "second"}]}
    assert [entry["content"] for entry in world_of(book)["entries"].values() if "content" in entry] == ["second"]
    kept = world_of(book, strict=False)["entries"]
    assert {key: entry.get("content") for key, entry in kept.items()} == {"0": None, "1": "first", "2": "second"}
    assert kept["2"]["uid"] == 2


def test_identities_take_no_number_that_somebody_asks_for() -> None:
    assert identities([0, 0, 2, 0, 1]) == [0, 3, 2, 4, 1]
    assert identities(["1", 1]) == ["1", 0]
    assert identities([5, 5], strict=True) == [5, 5]


def test_defaults_are_not_shared_between_entries() -> None:
    first, second = fields_of({}, 0, 0), fields_of({}, 1, 1)
    assert first["triggers"] is not second["triggers"]


def test_a_lenient_export_holds_what_the_specification_demands() -> None:
    entries = {"7": {"key": "text", "content": None, "order": "5", "comment": 3, "constant": 1, "keysecondary": ""}}
    (entry,) = character_book_of(entries, "b", strict=False)["entries"]
    assert {name: entry[name] for name in ("id", "keys", "content", "insertion_order", "enabled")} == {
        "id": 7,
        "keys": [],
        "content": "",
        "insertion_order": 100,
        "enabled": True,
    }
    assert not {"comment", "constant", "selective", "secondary_keys"} & entry.keys()
    good = {"key": ["a"], "content": "x", "order": 2.5, "uid": 3, "keysecondary": ["b"], "selective": True}
    (entry,) = character_book_of({"3": good}, "b", strict=False)["entries"]
    assert (entry["keys"], entry["secondary_keys"], entry["insertion_order"]) == (["a"], ["b"], 2.5)


@pytest.mark.parametrize(
    ("raw", "name", "value", "expected"),
    [
        ({"extensions": {}}, "scanDepth", 3, [(("extensions", "scan_depth"), 3)]),
        ({}, "scanDepth", 3, [(("extensions",), {}), (("extensions", "scan_depth"), 3)]),
        (
            {"extensions": 1},
            "useProbability",
            False,
            [(("extensions",), {}), (("extensions", "useProbability"), False)],
        ),
        ({}, "key", ["a"], [(("keys",), ["a"])]),
        ({}, "order", 5, [(("insertion_order",), 5)]),
        ({}, "disable", True, [(("enabled",), False)]),
        ({}, "disable", MISSING, [(("enabled",), MISSING)]),
        ({"extensions": {}}, "position", 0, [(("extensions", "position"), 0), (("position",), "before_char")]),
        ({"extensions": {}}, "position", 4, [(("extensions", "position"), 4), (("position",), "after_char")]),
        ({"extensions": {}}, "position", MISSING, [(("extensions", "position"), MISSING)]),
        ({"extensions": {}}, "characterFilter", None, [(("extensions", "characterFilter"), None)]),
        ({}, "extensions", {"x": 1}, [(("extensions",), {"x": 1})]),
    ],
)
def test_where_a_field_is_written_in_a_card(raw: dict[str, Any], name: str, value: object, expected: object) -> None:
    assert changes_of(raw, name, value) == expected
