"""Edits of entries, told in SillyTavern's names, in files of every dialect."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UnreadableError, UsageError
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.formats.entry_edits import with_entries, with_fields, without_entries
from lorebook_tui.model.fields import template
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded

V2 = {"keys": ["bell"], "content": "x", "extensions": {}, "enabled": True, "insertion_order": 10}


def world(**second: Any) -> Loaded:
    first = {"uid": 0, "key": ["a"], "content": "x"}
    return load(json.dumps({"entries": {"0": first, "1": {**first, "uid": 1, **second}}}, indent=4).encode())


def card(*entries: dict[str, Any]) -> Loaded:
    book = {"name": "B", "entries": list(entries)}
    return load(json.dumps({"spec": "chara_card_v2", "data": {"name": "M", "character_book": book}}).encode())


def test_fields_of_a_world() -> None:
    made = world(depth=4)
    first, second = made.books[0].entries
    changed = with_fields(made, [(first, "constant", True), (second, "depth", MISSING), (second, "role", MISSING)])
    assert [dict(entry.fields) for entry in changed.books[0].entries] == [
        {"uid": 0, "key": ["a"], "content": "x", "constant": True},
        {"uid": 1, "key": ["a"], "content": "x"},
    ]
    assert with_fields(made, []).document is made.document


def test_fields_of_a_card() -> None:
    made = card({**V2, "id": 3, "extensions": {"depth": 1}}, {"keys": ["b"], "content": ""})
    first, second = made.books[0].entries
    changed = with_fields(
        made,
        [
            (first, "depth", 7),
            (first, "disable", True),
            (first, "position", 4),
            (second, "sticky", 2),
            (second, "cooldown", 3),
        ],
    )
    assert changed.document.value["data"]["character_book"]["entries"] == [
        {**V2, "id": 3, "enabled": False, "extensions": {"depth": 7, "position": 4}, "position": "after_char"},
        {"keys": ["b"], "content": "", "extensions": {"sticky": 2, "cooldown": 3}},
    ]
    again = changed.books[0].entries
    assert (again[0].get("depth"), again[0].get("disable"), again[0].get("position")) == (7, True, 4)
    assert (again[1].get("sticky"), again[1].get("cooldown")) == (2, 3)


def test_many_edits_are_made_at_once() -> None:
    entries = {str(number): {**template(), "uid": number} for number in range(300)}
    made = load(json.dumps({"entries": entries}).encode())
    changed = with_fields(made, [(entry, "order", index) for index, entry in enumerate(made.books[0].entries)])
    assert [entry.get("order") for entry in changed.books[0].entries] == list(range(300))


def test_entries_go() -> None:
    made = world()
    assert [entry.key for entry in without_entries(made, [made.books[0].entries[0]]).books[0].entries] == ["1"]
    made = card({**V2, "id": 1}, {**V2, "id": 2}, {**V2, "id": 3})
    left = without_entries(made, [made.books[0].entries[0], made.books[0].entries[2]])
    assert [entry.uid for entry in left.books[0].entries] == [2]
    assert dump(left) == dump(card({**V2, "id": 2}))


def test_entries_come() -> None:
    made = with_entries(world(), [{"key": ["new"], "content": "n"}])[0]
    assert made.document.value["entries"]["2"] == {"uid": 2, "key": ["new"], "content": "n"}
    made = with_entries(card({**V2, "id": 0, "use_regex": True}), [{"key": ["new"], "content": "n", "scanDepth": 2}])[0]
    entry = made.books[0].entries[1]
    assert (entry.uid, entry.keys, entry.get("scanDepth"), entry.get("order")) == (1, ("new",), 2, 100)
    raw = made.document.value["data"]["character_book"]["entries"][1]
    assert (raw["id"], raw["use_regex"], raw["enabled"]) == (1, True, True)
    made = with_entries(card(V2), [{"key": ["new"], "content": "n", "uid": 9}])[0]
    assert "use_regex" not in made.document.value["data"]["character_book"]["entries"][1]
    assert made.books[0].entries[1].uid == 9


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"entries": {}}, ("entries", "0")),
        ({"entries": []}, ("entries", 0)),
        ({"spec": "lorebook_v3", "data": {"entries": []}}, ("data", "entries", 0)),
        (
            {"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"entries": []}}},
            ("data", "character_book", "entries", 0),
        ),
        ({"name": "M", "first_mes": "", "character_book": {"entries": []}}, ("character_book", "entries", 0)),
    ],
)
def test_the_first_entry_of_a_book(value: object, path: tuple[str | int, ...]) -> None:
    made = with_entries(load(json.dumps(value).encode()), [{"key": ["new"], "content": "n"}])[0]
    assert made.document.has(path)
    assert made.books[0].entries[0].keys == ("new",)
    assert made.books[0].entries[0].path == path


def test_edits_that_have_no_place() -> None:
    no_entries = load(b'{"spec": "chara_card_v2", "data": {"name": "M", "character_book": {}}}')
    with pytest.raises(UsageError, match="no place"):
        with_entries(no_entries, [{}])[0]
    with pytest.raises(UnreadableError, match="without a lorebook"):
        with_entries(load(b'{"name": "M", "first_mes": ""}'), [{}])[0]
    stranger = card(V2).books[0].entries[0]
    with pytest.raises(UsageError, match="nothing at"):
        with_fields(world(), [(stranger, "order", 1)])
    mixed = load(b'{"entries": {"0": 5, "1": {"uid": 1, "key": [], "content": ""}}}')
    outside = world().books[0].entries[0]
    with pytest.raises(UsageError, match="not of this file"):
        with_fields(mixed, [(outside, "order", 1)])
