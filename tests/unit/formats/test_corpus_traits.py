"""What real public files were seen to hold: it must survive, and what is odd must be told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UnsupportedError
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.model.fields import template

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded

BIG = "Лор. " * 30_000


def entry(uid: object = 0, **fields: Any) -> dict[str, Any]:
    return {**template(), "uid": uid, "key": ["bell"], "content": "x", **fields}


def v2(**fields: Any) -> dict[str, Any]:
    return {
        "keys": ["bell"],
        "content": "x",
        "extensions": {},
        "enabled": True,
        "insertion_order": 10,
        "id": 0,
        **fields,
    }


def without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name not in names}


def world(*entries: dict[str, Any], **root: Any) -> dict[str, Any]:
    return {"entries": {str(index): item for index, item in enumerate(entries)}, **root}


def card(*entries: dict[str, Any], **book: Any) -> dict[str, Any]:
    made = {"name": "B", "extensions": {}, "entries": list(entries), **book}
    return {
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "data": {"name": "M", "first_mes": "", "character_book": made},
    }


def read(value: object) -> Loaded:
    data = json.dumps(value, ensure_ascii=False, indent=4).encode()
    made = load(data, "lore.json")
    assert dump(made) == data
    return made


TRAITS: dict[str, tuple[dict[str, Any], set[str], dict[str, Any]]] = {
    "null role": (world(entry(role=None)), set(), {"role": None}),
    "null characterFilter": (world(entry(characterFilter=None)), set(), {"characterFilter": None}),
    "null timed effects": (world(entry(sticky=None, cooldown=None, delay=None)), set(), {"sticky": None}),
    "null probability in a card": (
        card(v2(extensions={"probability": None, "useProbability": False, "group_weight": None})),
        {"type"},
        {"probability": 100, "useProbability": False, "groupWeight": 100},
    ),
    "null book settings": (card(v2(), token_budget=None, scan_depth=None), set(), {}),
    "delayUntilRecursion true": (world(entry(delayUntilRecursion=True)), set(), {"delayUntilRecursion": True}),
    "delayUntilRecursion 1": (world(entry(delayUntilRecursion=1)), set(), {"delayUntilRecursion": 1}),
    "useGroupScoring false": (world(entry(useGroupScoring=False)), set(), {"useGroupScoring": False}),
    "card position 0": (card(v2(position=0)), {"range"}, {"position": 1}),
    "card position 1": (card(v2(position=1)), {"range"}, {"position": 1}),
    'card position "2"': (card(v2(position="2")), {"range"}, {"position": 1}),
    "card position empty": (card(v2(position="")), {"range"}, {"position": 1}),
    "card position char": (card(v2(position="char")), {"range"}, {"position": 1}),
    "card position before_char_defs": (card(v2(position="before_char_defs")), {"range"}, {"position": 1}),
    "card position beside the true one": (
        card(v2(position="after_char", extensions={"position": 4})),
        set(),
        {"position": 4},
    ),
    "world position 10": (world(entry(position=10)), {"range"}, {"position": 10}),
    "card entry without content": (card(without(v2(), "content")), {"missing"}, {}),
    "card entry without keys": (card(without(v2(), "keys")), {"missing"}, {}),
    "card entry without enabled": (card(without(v2(), "enabled")), {"missing-enabled"}, {"disable": True}),
    "card entry without insertion_order": (card(without(v2(), "insertion_order")), {"missing"}, {}),
    "card entry without extensions": (card(without(v2(), "extensions")), {"missing"}, {"depth": 4, "extensions": {}}),
    "uid as text": (world(entry("0")), {"type"}, {"uid": "0"}),
    "depth as text": (world(entry(depth="4")), {"type"}, {"depth": "4"}),
    "displayIndex as text": (world(entry(displayIndex="3")), {"type"}, {"displayIndex": "3"}),
    "extensions.depth as text": (card(v2(extensions={"depth": "6"})), {"type"}, {"depth": "6"}),
    "extensions.weight as text": (card(v2(extensions={"weight": "6"})), set(), {}),
    "card id as text": (card(v2(id="7f3a")), {"type"}, {"uid": "7f3a"}),
    "comment as an array": (card(v2(comment=["a", "b"])), {"type"}, {"comment": ["a", "b"], "addMemo": True}),
    "numeric comment": (world(entry(comment=5)), {"type"}, {"comment": 5}),
    "both dialects on one entry": (world({**v2(keys=["other"]), **entry()}), {"both-dialects"}, {"key": ["bell"]}),
    "camel-case twins": (card(v2(secondaryKeys=["a"], secondary_keys=[])), {"twin"}, {"keysecondary": []}),
    "both spellings in extensions": (
        card(v2(extensions={"selectiveLogic": 3, "exclude_recursion": True, "excludeRecursion": False})),
        {"twin"},
        {"selectiveLogic": 3, "excludeRecursion": True},
    ),
    "huge uid": (world(entry(994_624)), {"key-differs"}, {"uid": 994_624}),
    "name is not the uid": ({"entries": {"7": entry(3)}}, {"key-differs"}, {"uid": 3}),
    "gaps in names": ({"entries": {"5": entry(5), "9": entry(9)}}, set(), {"uid": 5}),
    "repeated displayIndex": (world(entry(0, displayIndex=1), entry(1, displayIndex=1)), {"repeated-place"}, {}),
    "order as a time stamp": (world(entry(order=1_768_391_766_155)), set(), {"order": 1_768_391_766_155}),
    "sticky 9999": (world(entry(sticky=9999)), set(), {"sticky": 9999}),
    "depth 10000": (world(entry(depth=10_000)), {"range"}, {"depth": 10_000}),
    "scan depth 1000": (world(entry(scanDepth=1000)), set(), {"scanDepth": 1000}),
    "use_regex on plain keys": (card(v2(use_regex=True, keys=["plain", "/x/i"])), set(), {"key": ["plain", "/x/i"]}),
    "old copy": (
        world(entry(), originalData={"name": "x", "entries": [v2(content="older"), v2(id=1)]}),
        {"stale-copy"},
        {"content": "x"},
    ),
    "old copy as an object": (world(entry(), originalData={"entries": {"0": v2()}}), set(), {}),
    "odd keys": (
        world(entry(key=["a, b,c", "/and/or", "魔", "{{user}}", "two\nlines", " outer ", "k" * 304, "", "a*"])),
        set(),
        {},
    ),
    "158 keys": (world(entry(key=[f"key {number}" for number in range(158)])), set(), {}),
    "a very long content": (world(entry(content=BIG)), set(), {"content": BIG}),
    "CR in content": (world(entry(content="a\r\nb\rc")), set(), {"content": "a\r\nb\rc"}),
    "controls and zero-width characters": (
        world(entry(content="a\x01\u200b\ufeff")),
        set(),
        {"content": "a\x01\u200b\ufeff"},
    ),
    "V2 extensions left in a world": (world(entry(extensions={"position": 1, "weight": "3"})), set(), {}),
    "unknown fields": (world(entry(characterFilterTwo={}, vectorWeight=1, title="x")), set(), {"title": "x"}),
    "foreign root fields": (world(entry(), folders=[], stlo={}, is_creation=False, scanDepth=2), set(), {}),
    "an empty world": (world(), set(), {}),
    "an empty list": ({"entries": []}, set(), {}),
    "a hidden duplicate of constant": (world(entry(triggers=[], group="1", automationId="a")), set(), {"group": "1"}),
}


@pytest.mark.parametrize("trait", TRAITS)
def test_trait_survives_and_is_reported(trait: str) -> None:
    value, codes, fields = TRAITS[trait]
    made = read(value)
    entries = made.require_book().entries
    assert {finding.code for finding in made.report} == codes
    for finding in made.report:
        assert finding.line is not None
        assert finding.line >= 1
    for name, expected in fields.items():
        assert entries[0].get(name) == expected
        assert type(entries[0].get(name)) is type(expected)


def test_null_book_and_text_for_tags() -> None:
    made = read(
        {"spec": "chara_card_v3", "data": {"name": "M", "first_mes": "", "character_book": None, "tags": "a, b"}}
    )
    assert made.books == ()
    assert {finding.code for finding in made.report} == {"no-book", "type"}


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([{"key": ["a"], "keysRaw": "a", "content": "x", "id": "u", "insertion_order": 50}], "JanitorAI"),
        ([{"keys": "a, b", "entry": "", "id": "1", "hidden": False}], "AI Dungeon"),
        ([{"key": "a", "secondkey": "", "insertorder": 9_999_999, "mode": "normal", "content": ""}], "RisuAI"),
    ],
)
def test_other_top_level_arrays_are_named(value: object, what: str) -> None:
    with pytest.raises(UnsupportedError, match=what):
        load(json.dumps(value).encode())


def test_a_bare_list_of_card_entries_is_read() -> None:
    assert read([v2(), v2(id=1)]).require_book().entries[1].uid == 1


def test_ten_thousand_entries_are_read_and_kept() -> None:
    made = read(world(*[entry(number, displayIndex=number) for number in range(10_000)]))
    assert len(made.require_book().entries) == 10_000
    assert len(made.report) == 0
