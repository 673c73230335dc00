"""Lorebooks of other products become worlds; what they cannot say there is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorebook_tui.errors import UnreadableError, UnsupportedError
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.formats.json_errors import JsonSyntaxError
from lorebook_tui.formats.losses import Converted, Fate
from lorebook_tui.formats.product_import import imported, product_in
from lorebook_tui.matching.ecma import compile as compiled
from lorebook_tui.matching.ecma import parse_key
from lorebook_tui.model.folders import folders_of


def read(value: object, name: str = "mine.lorebook") -> Converted:
    return imported(json.dumps(value).encode(), name)


def entries(made: Converted) -> list[dict[str, Any]]:
    again = load(dump(made.loaded), made.loaded.name)
    assert again.format.name == "sillytavern"
    assert not again.report.findings
    return [dict(entry.fields) for entry in again.require_book().entries]


def told(made: Converted) -> set[tuple[str, str, Fate]]:
    return {(loss.code, loss.field, loss.fate) for loss in made.losses}


NOVELAI = {
    "lorebookVersion": 5,
    "entries": [
        {
            "text": "Green.", "displayName": "Mossford", "keys": ["mossford", "/moss.*/i"], "id": "u1", "enabled": True,
            "forceActivation": True, "searchRange": 1000, "nonStoryActivatable": True, "category": "c1",
            "contextConfig": {"prefix": "[", "suffix": "]\n", "budgetPriority": 600, "tokenBudget": 2048},
        },
        {"text": "B", "keys": ["b"], "searchRange": 500, "category": "c2", "keyRelative": True, "enabled": True},
        {"text": "", "keys": ["c"], "enabled": False},
    ],
    "categories": [{"id": "c1", "name": "Towns/Villages"}, {"id": "c2", "name": "Off", "enabled": False}],
    "settings": {"orderByKeyLocations": False},
    "note": "x",
}  # fmt: skip


def test_novelai() -> None:
    made = read(NOVELAI)
    first, second, third = entries(made)
    assert (first["comment"], first["content"], first["key"]) == ("Mossford", "[Green.]", ["mossford", "/moss.*/i"])
    assert (first["constant"], first["excludeRecursion"], first["order"]) == (True, False, 600)
    assert (second["disable"], second["excludeRecursion"], second["matchWholeWords"], second["order"]) == (
        True,
        True,
        True,
        400,
    )
    assert (third["disable"], third["content"]) == (True, "")
    assert folders_of(made.loaded.require_book()) == ("Towns\u2215Villages", "Off", "")
    assert first["extensions"]["lorebook_tui"]["novelai"]["contextConfig"] == {"tokenBudget": 2048}
    assert told(made) == {
        ("affixes", "contextConfig", Fate.ADAPTED),
        ("category", "category", Fate.ADAPTED),
        ("member", "searchRange", Fate.ASIDE),
        ("member", "keyRelative", Fate.ASIDE),
        ("book", "note", Fate.ASIDE),
    }
    assert made.loaded.name == "mine.json"


def test_agnai() -> None:
    book = {
        "kind": "memory", "name": "Harrow",
        "entries": [
            {"name": "Elf", "entry": "Old.", "keywords": ["elv*", "el?", "C++", "a.b*"], "priority": 5, "weight": 7, "enabled": True},
            {
                "name": "B", "entry": "b", "keywords": ["b"], "enabled": False, "position": "after_char", "id": 4, "mood": "m",
                "secondaryKeys": ["x"], "selective": True, "selectiveLogic": 2,
            },
        ],
    }  # fmt: skip
    made = read(book, "")
    first, second = entries(made)
    assert made.loaded.name == "Harrow.json"
    assert first["key"] == ["/\\belv\\w*\\b/i", "/\\bel\\w\\b/i", "C++", "/\\ba\\.b\\w*\\b/i"]
    pattern = parse_key(first["key"][0])
    assert pattern is not None
    assert compiled(pattern.source, pattern.flags).test("two Elves")
    assert (first["order"], first["extensions"]) == (7, {"priority": 5})
    assert (second["disable"], second["position"], second["keysecondary"], second["selectiveLogic"]) == (
        True,
        1,
        ["x"],
        2,
    )
    assert told(made) == {
        ("priority", "priority", Fate.ASIDE), ("wildcard", "keywords", Fate.ADAPTED), ("member", "mood", Fate.ASIDE),
    }  # fmt: skip


def test_risu() -> None:
    book = {
        "type": "risu", "ver": 1,
        "data": [
            {"mode": "folder", "key": "\uf000folder:1", "comment": "NPCs"},
            {
                "key": "elf, forest elf,", "secondkey": "x,y", "comment": "Elf", "content": "@@depth 2\nOld.",
                "selective": True, "insertorder": 30, "activationPercent": 0, "folder": "\uf000folder:1",
                "extentions": {"risu_case_sensitive": True},
            },
            {"key": "/a{1,2}/i", "useRegex": True, "content": "", "mode": "constant", "alwaysActive": False, "rank": 2},
        ],
    }  # fmt: skip
    made = read(book)
    first, second = entries(made)
    assert (first["key"], first["keysecondary"], first["probability"]) == (["elf", "forest elf"], ["x", "y"], 0)
    assert (first["useProbability"], first["caseSensitive"], first["order"]) == (True, True, 30)
    assert (second["key"], second["constant"]) == (["/a{1,2}/i"], True)
    assert folders_of(made.loaded.require_book()) == ("NPCs", "")
    assert told(made) == {("decorator", "content", Fate.BENT), ("member", "rank", Fate.ASIDE)}


def test_kobold() -> None:
    listed = [
        {"key": "a,b,", "keysecondary": "", "keyanti": "c", "content": "A", "selective": True, "wigroup": "Places"},
        {"key": "a", "keysecondary": "x", "keyanti": "c", "content": "B", "selective": True, "widisabled": True},
        {"key": "", "content": ""},
        {"key": "d", "content": "D", "probability": 50, "constant": False, "comment": "Dee"},
    ]
    for value in (listed, {"worldinfo": listed, "gamestarted": True}):
        made = read(value)
        first, second, third = entries(made)
        assert (first["key"], first["keysecondary"], first["selectiveLogic"]) == (["a", "b"], ["c"], 2)
        assert (second["keysecondary"], second["selectiveLogic"], second["disable"]) == (["x"], 0, True)
        assert (third["probability"], third["comment"]) == (50, "Dee")
        assert [first["order"], second["order"], third["order"]] == [100, 101, 102]
        assert folders_of(made.loaded.require_book()) == ("Places", "", "")
        assert ("anti-keys", "keyanti", Fate.BENT) in told(made)


def test_members_of_wrong_types_are_no_obstacle() -> None:
    odd: dict[str, Any] = {"keys": "a", "text": 3, "contextConfig": 1, "enabled": "yes", "displayName": None}
    (first,) = entries(read({"lorebookVersion": 5, "entries": [odd, 3, None], "categories": [3]}))
    assert (first["key"], first["content"], first["order"]) == ([], "", 400)
    (first,) = entries(
        read({"kind": "memory", "entries": [{"weight": True, "selectiveLogic": True, "keywords": None}]})
    )
    assert first["order"] == 100
    (first,) = entries(read({"type": "risu", "data": [{"key": ["x", 3], "secondkey": 3, "insertorder": "7"}]}))
    assert (first["key"], first["order"]) == (["x"], 100)


@pytest.mark.parametrize("value", [{"entries": {}}, [], [1], {}, 3, [{"key": "a"}], [{"key": ["a"], "content": ""}]])
def test_what_is_no_such_lorebook(value: object) -> None:
    assert product_in(value) is None
    with pytest.raises(UnsupportedError):
        read(value)


@pytest.mark.parametrize("value", [{"lorebookVersion": 5}, {"type": "risu", "data": []}, {"worldinfo": [3]}])
def test_without_entries(value: object) -> None:
    with pytest.raises(UnreadableError):
        read(value)


def test_broken_json() -> None:
    with pytest.raises(JsonSyntaxError):
        imported(b"{")
