"""Edits of JSON: only the text of the value changes, and new text looks like its neighbours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.formats.json_edit import changed, inserted
from lorebook_tui.formats.json_merge import carried_over
from lorebook_tui.formats.json_text import JsonDocument, parse
from lorebook_tui.model.js import MISSING

WORLD = """{
    "entries": {
        "0": {
            "uid": 0,
            "key": [
                "bell",
                "ferry"
            ],
            "keysecondary": [],
            "order": 2.50,
            "content": "caf\u00e9"
        },
        "1": {
            "uid": 1,
            "depth": 1e3
        }
    },
    "name": "x"
}"""


def changed_lines(before: str, after: str) -> list[tuple[str, str]]:
    left, right = before.split("\n"), after.split("\n")
    assert len(left) == len(right)
    return [(old, new) for old, new in zip(left, right, strict=True) if old != new]


def is_sound(document: JsonDocument) -> bool:
    """Whether value and places are those of the text, read anew."""
    again = parse(document.dump())
    return again.value == document.value and spans(again) == spans(document)


def spans(document: JsonDocument) -> list[tuple[int, int]]:
    found = []
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), document.value)]
    while waiting:
        path, value = waiting.pop()
        found.append(document.span(path))
        if isinstance(value, dict):
            waiting += [((*path, name), item) for name, item in value.items()]
        if isinstance(value, list):
            waiting += [((*path, index), item) for index, item in enumerate(value)]
    return found


def test_one_edited_field_is_one_changed_line() -> None:
    document = parse(WORLD)
    edited = document.set(("entries", "0", "content"), 'new "text"\nhere')
    assert changed_lines(WORLD, edited.text) == [
        ('            "content": "café"', '            "content": "new \\"text\\"\\nhere"')
    ]
    assert is_sound(edited)
    assert document.text == WORLD
    assert document.value["entries"]["0"]["content"] == "café"


def test_what_an_edit_does_not_touch_is_shared() -> None:
    document = parse(WORLD)
    edited = document.set(("entries", "0", "order"), 7)
    assert edited.value["entries"]["1"] is document.value["entries"]["1"]
    assert edited.value["entries"]["0"] is not document.value["entries"]["0"]


@pytest.mark.parametrize("value", [2.5, None])
def test_setting_an_equal_value_changes_nothing(value: object) -> None:
    text = '{"a": 2.50, "b": null}'
    document = parse(text)
    path = ("a",) if value else ("b",)
    assert document.set(path, value) is document


def test_equal_means_of_the_same_type() -> None:
    document = parse('{"a": 1, "b": 1.0, "c": true, "d": 0.0, "e": {"x": 1, "y": 2}}')
    assert document.set(("a",), 1.0).text.startswith('{"a": 1.0,')
    assert '"b": 1,' in document.set(("b",), 1).text
    assert '"c": 1,' in document.set(("c",), 1).text
    assert '"d": -0.0,' in document.set(("d",), -0.0).text
    assert document.set(("e",), {"y": 2, "x": 1}).text.endswith('{"y": 2, "x": 1}}')


def test_a_new_member_follows_its_neighbours() -> None:
    edited = parse(WORLD).set(("entries", "1", "key"), ["a", "b"])
    assert edited.text == WORLD.replace(
        '"depth": 1e3\n',
        '"depth": 1e3,\n            "key": [\n                "a",\n                "b"\n            ]\n',
    )
    assert is_sound(edited)


def test_a_new_entry_follows_its_neighbours() -> None:
    edited = parse(WORLD).insert(("entries", "2"), {"uid": 2, "key": [], "on": {"x": True}})
    assert edited.text == WORLD.replace(
        '"depth": 1e3\n        }\n',
        '"depth": 1e3\n        },\n        "2": {\n            "uid": 2,\n            "key": [],\n            "on": {\n'
        '                "x": true\n            }\n        }\n',
    )
    assert is_sound(edited)


@pytest.mark.parametrize(
    ("path", "gone"),
    [
        (("entries", "0", "uid"), '"uid": 0,\n            '),
        (("entries", "0", "content"), ',\n            "content": "café"'),
        (("entries", "0", "order"), '            "order": 2.50,\n'),
        (("entries", "0", "key", 0), '                "bell",\n'),
        (("entries", "0", "key", 1), ',\n                "ferry"'),
        (("name",), ',\n    "name": "x"'),
    ],
)
def test_a_removed_member_takes_its_line_along(path: tuple[str | int, ...], gone: str) -> None:
    edited = parse(WORLD).remove(path)
    assert edited.text == WORLD.replace(gone, "", 1)
    assert is_sound(edited)


def test_removing_the_last_member_leaves_empty_brackets() -> None:
    edited = parse(WORLD).remove(("entries", "1", "depth")).remove(("entries", "1", "uid"))
    assert '"1": {}\n' in edited.text
    assert is_sound(edited)


def test_arrays_change_item_by_item() -> None:
    document = parse('["\\u0061", 2.50 , [1],  "x"]')
    assert document.insert((1,), "new").text == '["\\u0061", "new", 2.50 , [1],  "x"]'
    assert document.insert((0,), 0).text == '[0, "\\u0061", 2.50 , [1],  "x"]'
    assert document.insert((4,), 0).text == '["\\u0061", 2.50 , [1],  "x",  0]'
    assert document.set((2, 0), 9).text == '["\\u0061", 2.50 , [9],  "x"]'
    assert document.remove((0,)).text == '[2.50 , [1],  "x"]'
    assert document.set((), ["a", 2.5, "x"]).text == '["\\u0061", 2.50,  "x"]'


def test_a_changed_list_of_keys_keeps_the_other_keys() -> None:
    document = parse('{"key": ["caf\\u00e9", "b",\n "c"]}')
    edited = document.set(("key",), ["café", "B", "c", "d"])
    assert edited.text == '{"key": ["caf\\u00e9", "B",\n "c",\n "d"]}'
    assert is_sound(edited)


def test_moved_objects_keep_their_text() -> None:
    document = parse('[{"a":1.0},  {"b" : 2.50}, {"c":3}, 4]')
    first, second, third, four = document.value
    moved = document.set((), [second, first, third, four])
    assert moved.text == '[{"b" : 2.50},  {"a":1.0}, {"c":3}, 4]'
    assert is_sound(moved)
    shorter = document.set((), [third, first])
    assert shorter.value == [{"c": 3}, {"a": 1.0}]
    assert '{"a":1.0}' in shorter.text
    assert is_sound(shorter)


def test_an_item_that_changes_while_another_goes_keeps_its_style() -> None:
    document = parse('[{"a":1}, {"b" : 2.50, "c":[ 1 ]}, 3]')
    edited = document.set((), [{"b": 2.5, "c": [1, 2]}, 3])
    assert json.loads(edited.text) == [{"b": 2.5, "c": [1, 2]}, 3]
    assert is_sound(edited)


def test_members_in_another_order() -> None:
    document = parse('{"a": 1.0, "b":  2, "c": 3}')
    edited = document.set((), {"c": 3, "new": [], "a": 1.0})
    assert edited.text == '{"c": 3, "new": [], "a": 1.0}'
    assert list(parse(edited.text).value) == ["c", "new", "a"]
    assert is_sound(edited)


def test_new_members_go_where_the_new_order_says() -> None:
    document = parse('{"a":1,"b":2}')
    assert document.set((), {"x": 0, "a": 1, "y": 0, "b": 2, "z": 0}).text == '{"x":0,"a":1,"y":0,"b":2,"z":0}'


def test_hidden_members_stay_until_their_name_goes() -> None:
    document = parse('{"a": 1, "b": 2, "a": 3}')
    assert document.set(("a",), 4).text == '{"a": 1, "b": 2, "a": 4}'
    assert document.set(("c",), 5).text == '{"a": 1, "b": 2, "a": 3, "c": 5}'
    assert document.remove(("b",)).text == '{"a": 1, "a": 3}'
    assert document.remove(("a",)).text == '{"b": 2}'


@pytest.mark.parametrize(
    ("text", "path", "value", "expected"),
    [
        ('{"a": "x", "b": "\\u00e9"}', ("a",), "é", '{"a": "\\u00e9", "b": "\\u00e9"}'),
        ('{"a": "x", "b": "\\u00E9"}', ("a",), "é😀", '{"a": "\\u00E9\\uD83D\\uDE00", "b": "\\u00E9"}'),
        ('{"a": "x", "b": "é"}', ("a",), "ü", '{"a": "ü", "b": "é"}'),
        ('{"a": "\\u00e9", "b": "é"}', ("a",), "ü", '{"a": "\\u00fc", "b": "é"}'),
        ('{"a": "x", "b": "\\\\u00e9"}', ("a",), "ü", '{"a": "ü", "b": "\\\\u00e9"}'),
        ('{"a": "x"}', ("a",), "ü\u2028\x7f\x01", '{"a": "ü\u2028\x7f\\u0001"}'),
        ('{"a": "x"}', ("a",), "\ud800", '{"a": "\\ud800"}'),
        ('{"a": "<\\/b>"}', ("a",), "</i>", '{"a": "<\\/i>"}'),
        ('{"a": "</b>"}', ("a",), "</i>", '{"a": "</i>"}'),
        ('{"a": "x", "b": "<\\/b>"}', ("a",), "</i>", '{"a": "<\\/i>", "b": "<\\/b>"}'),
        ('{"a":"x"}', ("b",), [1, {"c": "d"}], '{"a":"x","b":[1,{"c":"d"}]}'),
        ('{"a": "x"}', ("b",), [1, {"c": "d"}], '{"a": "x", "b": [1, {"c": "d"}]}'),
        ('{ "a" : 1 }', ("b",), 2, '{ "a" : 1, "b" : 2 }'),
        ("{}", ("b",), 2, '{"b": 2}'),
        ("[]", (0,), 2, "[2]"),
        ("{\n}", ("b",), 2, '{\n    "b": 2\n}'),
        ('{\n\t"a": 1\n}', ("b",), {"c": 2}, '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}'),
        ('{\r\n  "a": 1\r\n}', ("b",), [2], '{\r\n  "a": 1,\r\n  "b": [\r\n    2\r\n  ]\r\n}'),
        ('{\n  "k": ["x"],\n  "l": []\n}', ("l",), ["y", "z"], '{\n  "k": ["x"],\n  "l": ["y", "z"]\n}'),
        ('{\n  "a": {"b": 1}\n}', ("a", "c"), [2], '{\n  "a": {"b": 1, "c": [2]}\n}'),
        ('{\n"a": 1\n}', ("b",), {"c": 2}, '{\n"a": 1,\n"b": {\n"c": 2\n}\n}'),
        ('["a"]', (1,), "b", '["a", "b"]'),
        ("[\n  1\n]", (1,), 2, "[\n  1,\n  2\n]"),
        ("12", (), {"a": 1}, '{"a": 1}'),
        ('{"a": [1]}', ("a",), {}, '{"a": {}}'),
        ('{"a": [1]}', ("a",), [], '{"a": []}'),
        ('{"a": 1}', ("a",), 12345678901234567890, '{"a": 12345678901234567890}'),
        ('{"a": 1}', ("a",), 1e21, '{"a": 1e+21}'),
        ('{"a": 1}', ("a",), False, '{"a": false}'),
        ('{"a": 1}', ("a",), None, '{"a": null}'),
    ],
)
def test_new_text_looks_like_its_neighbours(
    text: str, path: tuple[str | int, ...], value: object, expected: str
) -> None:
    document = parse(text)
    edited = (
        document.set(path, value) if document.has(path) or isinstance(path[-1], str) else document.insert(path, value)
    )
    assert edited.text == expected
    assert is_sound(edited)


def test_many_changes_at_once() -> None:
    document = parse(WORLD)
    edited = document.changed(
        [
            (("entries", "0", "uid"), 5),
            (("entries", "0", "key", 0), MISSING),
            (("entries", "1"), {"uid": 1}),
            (("entries", "1", "extra"), {}),
            (("entries", "1", "extra", "x"), 1),
            (("name",), MISSING),
        ]
    )
    assert edited.value == {
        "entries": {
            "0": {"uid": 5, "key": ["ferry"], "keysecondary": [], "order": 2.5, "content": "café"},
            "1": {"uid": 1, "extra": {"x": 1}},
        }
    }
    assert '"order": 2.50' in edited.text
    assert is_sound(edited)


def test_edits_after_edits_know_their_places() -> None:
    document = parse(WORLD)
    for step in range(6):
        document = document.set(("entries", "0", "content"), "long " * step)
        document = document.insert(("entries", f"n{step}"), {"uid": step, "key": ["k"] * step})
        document = document.set(("entries", f"n{step}", "key"), ["k", "l"])
        if step % 2:
            document = document.remove(("entries", f"n{step - 1}"))
        assert is_sound(document)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("nowhere", "a"), 1),
        (("a", "b"), 1),
        (("list", 3), 1),
        (("list", "x"), 1),
        ((0,), 1),
        (("list", 0, "x"), 1),
        (("a",), float("nan")),
        (("a",), float("inf")),
        (("a",), {1: 2}),
        (("a",), object()),
    ],
)
def test_impossible_edits_are_refused(path: tuple[str | int, ...], value: object) -> None:
    document = parse('{"a": 1, "list": [1]}')
    with pytest.raises(UsageError):
        document.set(path, value)


def test_impossible_insertions_and_removals_are_refused() -> None:
    document = parse('{"a": 1, "list": [1]}')
    for path in (("a",), ("list", 2), ("b", "c"), ("list", "x"), (), ("a", "b")):
        with pytest.raises(UsageError):
            document.insert(path, 1)
    for path in ((), ("b",), ("list", 1), ("a", "b")):
        with pytest.raises(UsageError):
            document.remove(path)


def test_changes_of_values() -> None:
    assert changed({"a": [1, 2, 3]}, [(("a", 0), MISSING), (("a", 2), 9)]) == {"a": [2, 9]}
    assert changed(1, []) == 1
    assert changed({"a": 1}, [((), {"b": 2}), (("b",), 3)]) == {"b": 3}
    assert changed({"a": {"b": 1}}, [(("a", "b"), 2), (("a",), 5)]) == {"a": 5}
    assert inserted({"a": []}, ("a", 0), 1) == {"a": [1]}


def test_entries_that_differ_in_the_other_card_keep_what_was_not_changed() -> None:
    base = [{"id": 0, "content": "a"}, {"id": 1, "keys": ["x", " "]}]
    changed = [base[0], {"id": 1, "keys": ["x"]}]
    other = [{"id": 0, "content": "another"}, base[1]]
    assert carried_over(base, changed, other) == [other[0], changed[1]]
    assert carried_over(base, changed, other[::-1]) == changed
    assert carried_over(base, changed[:1], other) == changed[:1]
    assert carried_over([{"a": 1}], [{"a": 2}], [{"b": 3}]) == [{"a": 2}]


def test_carried_over() -> None:
    base = {"spec": "v3", "data": {"book": {"entries": [1]}, "name": "A", "old": 1}, "same": 1}
    changed_base = {"spec": "v3", "data": {"book": {"entries": [1, 2]}, "name": "A", "new": 2}, "same": 1}
    other = {"spec": "v2", "data": {"book": {"entries": [1]}, "name": "B", "old": 1, "own": 3}}
    assert carried_over(base, changed_base, other) == {
        "spec": "v2",
        "data": {"book": {"entries": [1, 2]}, "name": "B", "own": 3, "new": 2},
    }
    assert carried_over(base, base, other) is other
    assert carried_over({"a": 1}, {"a": 2}, [1]) == {"a": 2}
    assert carried_over({}, {"x": 1}, {"x": 0}) == {"x": 1}


def test_leading_commas() -> None:
    document = parse('{ "a": 1\n, "b": 2\n  , "c": []\n}')
    edited = document.set(("c",), ["x", "y"]).set(("d",), {"e": 1})
    assert edited.text.startswith('{ "a": 1\n, "b": 2\n  , "c": [')
    assert edited.value == {"a": 1, "b": 2, "c": ["x", "y"], "d": {"e": 1}}
    assert is_sound(edited)


@pytest.mark.parametrize("step", ["a", 0])
def test_edits_reach_the_deepest_level(step: str | int) -> None:
    opening, closing = ('{"a":', "}") if step == "a" else ("[", "]")
    text = opening * 99 + '{"x": 1}' + closing * 99
    document = parse(text)
    path = (step,) * 99
    assert document.set((*path, "y"), 2).text == text.replace('"x": 1', '"x": 1, "y": 2')
    assert document.set((*path, "x"), 2).line_column((*path, "x"))[0] == 1
    both = {"new": 0, **document.value} if step == "a" else [0, *document.value]
    assert is_sound(document.replaced(both))
    assert is_sound(document.replaced(parse(text.replace("1", "2")).value))
