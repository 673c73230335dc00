"""World files, bare books and standalone V3 books."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorebook_tui.errors import UnreadableError
from lorebook_tui.formats.base import Loaded, Severity
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.model.fields import template


def entry(uid: object = 0, **fields: Any) -> dict[str, Any]:
    return {**template(), "uid": uid, "key": ["bell"], "content": "x", **fields}


def loaded(value: object, name: str = "lore.json") -> Loaded:
    data = json.dumps(value, ensure_ascii=False).encode()
    made = load(data, name)
    assert dump(made) == data
    return made


def codes(made: Loaded) -> list[str]:
    return [finding.code for finding in made.report]


def test_a_world_is_read_as_it_stands() -> None:
    value = {"name": "inner", "entries": {"10": entry(10), "2": entry(2, role=None, order="5")}, "x": 1}
    made = loaded(value, "folder/My lore.json")
    book = made.require_book()
    assert (made.format.name, made.container.kind, book.name, book.format) == (
        "sillytavern",
        "json",
        "My lore",
        "sillytavern",
    )
    assert book.extras == {"name": "inner", "x": 1}
    assert [item.key for item in book.entries] == ["10", "2"]
    assert [item.key for item in book.walked] == ["2", "10"]
    assert book.entries[1].fields is made.document.value["entries"]["2"]
    assert book.entries[1].path == ("entries", "2")
    assert book.entries[1].source is None
    (finding,) = made.report
    assert (finding.code, finding.path, finding.expected, finding.found) == (
        "type",
        ("entries", "2", "order"),
        "a number",
        'the text "5"',
    )


def test_findings_have_lines() -> None:
    value = {"entries": {"0": entry(0), "1": entry(1, constant="yes")}}
    made = load(json.dumps(value, indent=4).encode())
    (finding,) = made.report
    lines = json.dumps(value, indent=4).splitlines()
    assert finding.line is not None
    assert lines[finding.line - 1].strip() == '"constant": "yes",'


def test_a_current_world_has_nothing_to_report() -> None:
    assert codes(loaded({"entries": {"0": entry(0, displayIndex=0), "1": entry(1, displayIndex=1)}})) == []
    assert codes(loaded({"entries": {}})) == []
    assert codes(loaded({"entries": []})) == []


@pytest.mark.parametrize(
    ("fields", "path", "code", "severity"),
    [
        ({"key": "bell"}, "key", "type", Severity.WARNING),
        ({"key": ["a", 1]}, "key", "type", Severity.WARNING),
        ({"content": None}, "content", "type", Severity.WARNING),
        ({"uid": "0"}, "uid", "type", Severity.WARNING),
        ({"depth": 4.5}, "depth", "type", Severity.WARNING),
        ({"constant": 1}, "constant", "type", Severity.WARNING),
        ({"position": 10}, "position", "range", Severity.WARNING),
        ({"position": True}, "position", "type", Severity.WARNING),
        ({"triggers": ["normal", "often"]}, "triggers", "range", Severity.WARNING),
        ({"depth": 10000}, "depth", "range", Severity.INFO),
        ({"probability": -1}, "probability", "range", Severity.INFO),
        ({"groupWeight": 20000}, "groupWeight", "range", Severity.INFO),
        ({"extensions": []}, "extensions", "type", Severity.WARNING),
    ],
)
def test_odd_values_are_kept_and_reported(fields: dict[str, Any], path: str, code: str, severity: Severity) -> None:
    made = loaded({"entries": {"0": entry(**fields)}})
    (finding,) = made.report
    assert (finding.code, finding.path, finding.severity) == (code, ("entries", "0", path), severity)
    assert finding.expected
    assert finding.found
    assert made.books[0].entries[0].get(path) == fields[path]


@pytest.mark.parametrize(
    "fields",
    [
        {"role": None},
        {"characterFilter": None},
        {"delayUntilRecursion": True},
        {"delayUntilRecursion": 3},
        {"useGroupScoring": None},
        {"order": 1768391766155},
        {"order": -1.5},
        {"depth": 4.0},
        {"sticky": 9999},
        {"groupWeight": None},
        {"triggers": ["quiet"]},
        {"unknown": {}},
    ],
)
def test_values_that_are_right_are_not_reported(fields: dict[str, Any]) -> None:
    assert codes(loaded({"entries": {"0": entry(**fields)}})) == []


def test_missing_fields_that_matter() -> None:
    made = loaded({"entries": {"0": {"comment": "x"}}})
    assert [(finding.code, finding.path[-1], finding.found) for finding in made.report] == [
        ("missing", "uid", "nothing"),
        ("missing", "key", "nothing"),
        ("missing", "content", "nothing"),
    ]


def test_broken_entries_do_not_sink_the_rest() -> None:
    made = loaded({"entries": {"0": entry(0), "1": None, "2": "text", "3": [], "4": entry(4)}})
    assert [item.key for item in made.books[0].entries] == ["0", "4"]
    assert [(finding.code, finding.path, finding.found) for finding in made.report] == [
        ("broken-entry", ("entries", "1"), "null"),
        ("broken-entry", ("entries", "2"), 'the text "text"'),
        ("broken-entry", ("entries", "3"), "an array of 0"),
    ]


def test_keys_uids_and_places_that_disagree() -> None:
    made = loaded({"entries": {"0": entry(5), "1": entry(1, displayIndex=3), "2": entry(1, displayIndex=3)}})
    assert codes(made) == ["key-differs", "key-differs", "duplicate-uid", "repeated-place"]
    assert [item.uid for item in made.books[0].entries] == [5, 1, 1]
    assert made.report.of("duplicate-uid")[0].path == ("entries", "2", "uid")


def test_entries_as_an_array() -> None:
    made = loaded({"entries": [entry(3), entry(1)]})
    assert [(item.key, item.uid, item.path) for item in made.books[0].entries] == [
        ("0", 3, ("entries", 0)),
        ("1", 1, ("entries", 1)),
    ]
    assert codes(made) == ["entries-array"]


def test_a_bare_array_of_entries() -> None:
    made = loaded([entry(3), entry(1)])
    assert made.format.name == "sillytavern"
    assert made.books[0].entries[1].path == (1,)
    made = loaded([{"keys": ["a"], "content": "x", "enabled": True, "insertion_order": 1, "extensions": {}}])
    assert made.format.name == "v2_book"
    assert made.books[0].entries[0].path == (0,)


def test_an_old_copy_is_noticed() -> None:
    copy = {"entries": [{"id": 0, "content": "old"}, {"id": 7, "content": "gone"}, None]}
    made = loaded({"entries": {"0": entry(0)}, "originalData": copy})
    (finding,) = made.report
    assert (finding.code, finding.found) == ("stale-copy", "2 entries beside 1, 1 with another content")
    same = {"entries": {"0": {"content": "x"}}}
    assert codes(loaded({"entries": {"0": entry(0)}, "originalData": same})) == []
    assert codes(loaded({"entries": {"0": entry(0)}, "originalData": None})) == []


def v2(**fields: Any) -> dict[str, Any]:
    return {"keys": ["bell"], "content": "x", "extensions": {}, "enabled": True, "insertion_order": 10, **fields}


def test_a_bare_book() -> None:
    made = loaded({"name": "Inner", "scan_depth": 3, "entries": [v2(id=4), v2(), v2(keys=["c"], comment="C")]})
    book = made.require_book()
    assert (made.format.name, book.name, book.extras) == ("v2_book", "lore", {"name": "Inner", "scan_depth": 3})
    assert [(item.key, item.uid, item.get("order")) for item in book.entries] == [
        ("4", 4, 10),
        ("1", 1, 10),
        ("2", 2, 10),
    ]
    assert book.entries[2].source is made.document.value["entries"][2]
    assert book.entries[2].title == "C"
    assert codes(made) == ["not-a-world"]


def test_both_dialects_on_one_entry() -> None:
    both = {**v2(), **entry(0, key=["st"])}
    made = loaded({"entries": {"0": both, "1": entry(1)}})
    assert made.format.name == "sillytavern"
    assert made.books[0].entries[0].keys == ("st",)
    assert codes(made) == ["both-dialects"]


def test_a_stranger_among_the_entries_is_read_by_its_own_names() -> None:
    made = loaded({"entries": {"0": entry(0), "1": v2(keys=["v2"]), "z": v2(keys=["z"]), "2": entry(2)}})
    assert [(item.key, item.uid, item.keys) for item in made.books[0].entries] == [
        ("0", 0, ("bell",)),
        ("1", 1, ("v2",)),
        ("z", "z", ("z",)),
        ("2", 2, ("bell",)),
    ]
    assert codes(made)[0] == "hybrid"
    card_like = loaded({"entries": [v2(), v2(), entry(1, key=["st"]), {"key": ["no uid"], "content": ""}]})
    assert [(item.key, item.keys) for item in card_like.books[0].entries] == [
        ("0", ("bell",)),
        ("1", ("bell",)),
        ("1'", ("st",)),
        ("3", ("no uid",)),
    ]
    assert "hybrid" in codes(card_like)


def test_wyverns_fields_are_named() -> None:
    made = loaded({"entries": [v2(entry_id="e", key_logic="and_any")]})
    assert made.report.of("foreign-fields")[0].found == "entry_id, key_logic"


def test_card_entries_that_lack_or_bend_something() -> None:
    odd = {
        "keys": ["a"],
        "secondaryKeys": ["x"],
        "secondary_keys": ["b"],
        "comment": ["a", "b"],
        "position": "after_char_defs",
        "extensions": {"probability": None, "depth": "4", "excludeRecursion": True, "exclude_recursion": True},
    }
    made = loaded({"entries": [odd, {"keys": [], "content": "", "enabled": True, "insertion_order": 1}]})
    found = {(finding.code, finding.path[2:], finding.severity) for finding in made.report if finding.path[1:]}
    assert found == {
        ("type", ("comment",), Severity.WARNING),
        ("type", ("extensions", "probability"), Severity.INFO),
        ("type", ("extensions", "depth"), Severity.WARNING),
        ("twin", ("extensions", "excludeRecursion"), Severity.INFO),
        ("twin", ("secondaryKeys",), Severity.WARNING),
        ("missing", ("content",), Severity.WARNING),
        ("missing", ("insertion_order",), Severity.WARNING),
        ("missing-enabled", ("enabled",), Severity.WARNING),
        ("missing-selective", ("selective",), Severity.WARNING),
        ("range", ("position",), Severity.WARNING),
        ("missing", ("extensions",), Severity.INFO),
    }
    assert len(made.books[0].entries) == 2


def test_a_standalone_v3_book() -> None:
    value = {"spec": "lorebook_v3", "data": {"name": "B", "extensions": {}, "entries": [v2(id="a", use_regex=False)]}}
    made = loaded(value, "b.json")
    (item,) = made.require_book().entries
    assert (made.format.name, item.key, item.path) == ("lorebook_v3", "a", ("data", "entries", 0))
    assert made.books[0].extras == {"name": "B", "extensions": {}}
    assert codes(made) == ["not-a-world", "type"]
    with pytest.raises(UnreadableError, match="no book in `data`"):
        load(b'{"spec": "lorebook_v3", "data": []}')
    empty = load(b'{"spec": "lorebook_v3", "data": {}}')
    assert empty.require_book().entries == ()
    assert [finding.code for finding in empty.report] == ["not-a-world", "no-entries"]


def test_members_named_twice_are_reported_and_survive() -> None:
    data = b'{"entries": {"0": {"uid": 0, "key": ["a"],\n "content": "x",\n "content": "y"}}}'
    made = load(data)
    assert made.books[0].entries[0].content == "y"
    finding = made.report.of("doubled-name")[0]
    assert (finding.line, finding.path) == (2, ("entries", "0", "content"))
    edited = made.edited(made.document.set(("entries", "0", "content"), "z"))
    assert dump(edited) == data.replace(b'"y"', b'"z"')
    assert codes(edited) == ["doubled-name"]


def test_findings_stay_until_their_entry_is_right() -> None:
    made = loaded({"entries": {"0": entry(0, order="5"), "1": entry(1), "2": entry(2)}})
    later = made.edited(made.document.insert(("entries", "3"), entry(3, order="6")))
    assert [finding.path[1] for finding in later.report] == ["0", "3"]
    assert later.books[0].entries[0] is made.books[0].entries[0]
    again = later.edited(later.document.set(("entries", "0", "order"), 5).set(("entries", "1", "order"), "7"))
    assert [finding.path[1] for finding in again.report] == ["1", "3"]
    assert [finding.line for finding in again.report] == [again.document.line(finding.path) for finding in again.report]
    book = loaded({"entries": [v2(id=1), v2(id=1), v2(id="x")]})
    assert codes(book.edited(book.document.set(("entries", 0, "content"), "new"))) == codes(book)


def test_an_edit_leaves_other_entries_the_same_objects() -> None:
    made = loaded({"entries": {"0": entry(0), "1": entry(1), "2": entry(2)}})
    edited = made.edited(made.document.set(("entries", "1", "content"), "new"))
    before, after = made.books[0].entries, edited.books[0].entries
    assert [old is new for old, new in zip(before, after, strict=True)] == [True, False, True]
    assert after[1].content == "new"
    book = loaded({"entries": [v2(), v2(), v2()]})
    changed = book.edited(book.document.set(("entries", 1, "content"), "new"))
    pairs = zip(book.books[0].entries, changed.books[0].entries, strict=True)
    assert [old is new for old, new in pairs] == [True, False, True]
    shorter = book.edited(book.document.remove(("entries", 0)))
    assert [item.path for item in shorter.books[0].entries] == [("entries", 0), ("entries", 1)]
    assert [item.key for item in shorter.books[0].entries] == ["0", "1"]
