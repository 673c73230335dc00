"""Values of fields for people: shown, typed, stepped, reset; lists taken apart; JSON read back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook_tui.errors import UsageError
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.fields import ENTRY_FIELDS, field_named, type_matches
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.tui.views.form_json import changes_to, fields_in, json_of
from lorebook_tui.tui.views.form_lists import added, edited_item, is_list, items_in, moved, split_keys, with_items
from lorebook_tui.tui.views.form_values import (
    FieldKind,
    editable_text,
    kind_of_field,
    parse,
    reset_value,
    same_json,
    shown,
    stepped,
)

if TYPE_CHECKING:
    from lorebook_tui.model.field_types import Field

SETTINGS = ScanSettings(world_info_depth=7, world_info_case_sensitive=True)


def row(name: str) -> Field:
    found = field_named(name)
    assert found is not None
    return found


class TestShown:
    def test_null_shows_the_setting_in_force(self) -> None:
        assert shown(row("scanDepth"), None, SETTINGS).text == "7 messages"
        assert shown(row("caseSensitive"), MISSING, SETTINGS).text == "yes"
        assert shown(row("scanDepth"), None, SETTINGS).note == "from the settings"

    def test_a_missing_field_is_told_apart_from_a_stored_default(self) -> None:
        missing = shown(row("probability"), MISSING, SETTINGS)
        assert (missing.text, missing.note) == ("–", "not in the file: With the roll on, the entry never passes.")
        assert shown(row("probability"), 100, SETTINGS).text == "100 %"
        assert shown(row("probability"), 100, SETTINGS).is_usual
        assert not shown(row("probability"), 50, SETTINGS).is_usual

    def test_choices_have_their_names_and_units_their_plural(self) -> None:
        assert shown(row("position"), 4, SETTINGS).text == "at depth"
        assert shown(row("sticky"), 1, SETTINGS).text == "1 message"
        assert shown(row("sticky"), 2, SETTINGS).text == "2 messages"

    @pytest.mark.parametrize(
        ("name", "value", "note"),
        [
            ("depth", "deep", "should be a whole number"),
            ("position", 9, "no such choice"),
            ("probability", 300, "outside 0 to 100"),
            ("constant", 1, "should be yes or no"),
            ("sticky", -1, "outside 0 or more"),
        ],
    )
    def test_what_is_wrong_is_said(self, name: str, value: object, note: str) -> None:
        found = shown(row(name), value, SETTINGS)
        assert found.is_wrong
        assert found.note == note

    def test_character_filter_in_words(self) -> None:
        told = shown(row("characterFilter"), {"names": ["Mira"], "tags": ["sea"], "isExclude": False}, SETTINGS).text
        assert told == "only Mira, sea"
        assert shown(row("characterFilter"), {"names": ["Mira"], "isExclude": True}, SETTINGS).text == "all but Mira"
        assert shown(row("characterFilter"), {"names": 3}, SETTINGS).text == "–"


class TestParse:
    @pytest.mark.parametrize(
        ("name", "text", "value"),
        [
            ("order", "250", 250),
            ("order", " -3.5 ", -3.5),
            ("order", "\u22125", -5),
            ("order", "1e2", 100),
            ("probability", "50 %", 50),
            ("scanDepth", "", None),
            ("scanDepth", "null", None),
            ("scanDepth", "0", 0),
            ("delayUntilRecursion", "yes", True),
            ("delayUntilRecursion", "2", 2),
            ("position", "at depth", 4),
            ("position", "AT_DEPTH", 4),
            ("position", "4", 4),
            ("comment", " as it is ", " as it is "),
            ("group", "", ""),
            ("caseSensitive", "no", False),
            ("extensions", '{"a": 1}', {"a": 1}),
        ],
    )
    def test_what_may_be_typed(self, name: str, text: str, value: object) -> None:
        assert same_json(parse(row(name), text), value)

    @pytest.mark.parametrize(
        ("name", "text", "reason"),
        [
            ("order", "ten", "needs a number"),
            ("order", "", "needs a number"),
            ("order", "nan", "needs a number"),
            ("order", "1_000", "needs a number"),
            ("order", "9" * 400, "needs a number"),
            ("depth", "2.5", "a whole number"),
            ("probability", "101", "must be 0 to 100; 101 is not"),
            ("sticky", "-1", "must be 0 or more"),
            ("position", "above", "no such choice"),
            ("extensions", "{", "is no JSON"),
            ("extensions", "[]", "must be an object"),
            ("constant", "perhaps", "is yes or no"),
        ],
    )
    def test_what_is_refused_and_why(self, name: str, text: str, reason: str) -> None:
        with pytest.raises(UsageError, match=reason):
            parse(row(name), text)

    @given(st.sampled_from(ENTRY_FIELDS), st.text(max_size=20))
    def test_whatever_is_taken_is_a_value_of_the_field(self, field: Field, text: str) -> None:
        if kind_of_field(field) in {FieldKind.LIST, FieldKind.FILTER}:
            return
        try:
            value = parse(field, text)
        except UsageError:
            return
        assert type_matches(field, value)
        assert not shown(field, value, SETTINGS).is_wrong

    @given(st.sampled_from([each for each in ENTRY_FIELDS if kind_of_field(each) is FieldKind.NUMBER]), st.data())
    def test_a_stored_number_can_be_taken_as_it_is_shown(self, field: Field, data: st.DataObject) -> None:
        low = int(field.minimum) if field.minimum is not None else -(10**6)
        value = data.draw(st.integers(low, int(field.maximum) if field.maximum is not None else 10**6))
        assert parse(field, editable_text(field, value)) == value


class TestStep:
    @pytest.mark.parametrize(
        ("name", "value", "step", "result"),
        [
            ("order", 100, 1, 101),
            ("order", MISSING, -1, 99),
            ("scanDepth", None, 1, 8),
            ("scanDepth", 0, -1, 0),
            ("probability", 98, 1, 100),
            ("probability", 50, -1, 45),
            ("constant", False, 1, True),
            ("constant", True, 1, False),
            ("constant", MISSING, 1, True),
            ("caseSensitive", None, 1, True),
            ("caseSensitive", False, 1, None),
            ("caseSensitive", True, -1, None),
            ("position", 7, 1, 0),
            ("position", 0, -1, 7),
            ("position", "odd", 1, 1),
            ("depth", "odd", 1, 1),
            ("delayUntilRecursion", True, 1, 2),
            ("order", 1.5, 1, 2.5),
        ],
    )
    def test_step(self, name: str, value: Any, step: int, result: object) -> None:
        assert same_json(stepped(row(name), value, SETTINGS, step), result)


class TestReset:
    def test_first_the_usual_value_then_none(self) -> None:
        assert reset_value(row("probability"), 20) == 100
        assert reset_value(row("probability"), 100) is MISSING
        assert reset_value(row("scanDepth"), 3) is None
        assert reset_value(row("priority"), 3) is MISSING

    def test_the_identity_stays(self) -> None:
        with pytest.raises(UsageError, match="identity"):
            reset_value(row("uid"), 3)


class TestLists:
    @pytest.mark.parametrize(
        ("text", "keys"),
        [
            ("bell, ferry", ["bell", "ferry"]),
            ("森林，树林、湖", ["森林", "树林", "湖"]),
            ("one\ntwo\r\n\n three ", ["one", "two", "three"]),
            ("/a{1,2}b/i, next", ["/a{1,2}b/i", "next"]),
            (r"/a\/,b/ , x", [r"/a\/,b/", "x"]),
            ("/open, closed", ["/open", "closed"]),
            ("and/or, /x/", ["and/or", "/x/"]),
            ("//, a", ["//", "a"]),
            ("/a/ b, c", ["/a/ b", "c"]),
            (" , ,, ", []),
            ("", []),
        ],
    )
    def test_split(self, text: str, keys: list[str]) -> None:
        assert split_keys(text) == keys

    @given(st.lists(st.text(st.characters(exclude_characters="/,，、"), min_size=1).map(str.split).map(" ".join)))
    def test_what_is_joined_comes_apart(self, keys: list[str]) -> None:
        wanted = [key for key in keys if key and len(key.splitlines()) == 1]
        assert split_keys(", ".join(wanted)) == [key.strip("\ufeff") for key in wanted if key.strip("\ufeff")]

    def test_added_leaves_out_what_is_there(self) -> None:
        assert added("key", ["a"], "b, a, b, c") == ["a", "b", "c"]
        assert added("key", ["a"], " ") == ["a"]
        with pytest.raises(UsageError, match="“a” is there already"):
            added("key", ["a"], "a")

    def test_lists_with_choices_take_only_them(self) -> None:
        assert added("triggers", [], "Normal, swipe") == ["normal", "swipe"]
        with pytest.raises(UsageError, match="none of them"):
            added("triggers", [], "often")

    def test_an_edited_item_keeps_its_comma(self) -> None:
        assert edited_item("key", ["a", "b"], 1, "b, or c") == ["a", "b, or c"]
        assert edited_item("key", ["a", "b"], 0, "  ") == ["b"]
        with pytest.raises(UsageError, match="there already"):
            edited_item("key", ["a", "b"], 0, "b")

    def test_moved(self) -> None:
        assert moved(["a", "b", "c"], 0, 1) == ["b", "a", "c"]
        assert moved(["a", "b"], 1, 1) is None
        assert moved([], 0, 1) is None

    def test_the_lists_of_a_filter(self) -> None:
        value = {"characterFilter": {"names": ["Mira"], "isExclude": True, "more": 1}, "key": "no list"}.get
        assert items_in("characterFilter.names", value) == ["Mira"]
        assert items_in("characterFilter.tags", value) == []
        assert items_in("key", value) == []
        assert with_items("characterFilter.tags", value, ["x"]) == (
            "characterFilter",
            {"names": ["Mira"], "isExclude": True, "more": 1, "tags": ["x"]},
        )
        assert is_list("characterFilter.names")
        assert not is_list("characterFilter")


class TestJson:
    FIELDS: dict[str, Any] = {"uid": 1, "order": 2.0, "key": ["a"], "x": {"y": None}, "half": "\ud83d"}  # noqa: RUF012 - not changed

    def test_nothing_typed_changes_nothing(self) -> None:
        entry = Entry(self.FIELDS, "1")
        assert changes_to(entry, fields_in(json_of(entry))) == []

    def test_changes_are_told_by_field(self) -> None:
        entry = Entry(self.FIELDS, "1")
        fields = {"uid": True, "order": 2, "key": ["a"], "new": [], "half": "\ud83d"}
        assert changes_to(entry, fields) == [("uid", True), ("order", 2), ("new", []), ("x", MISSING)]

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ('{"a": 1,\n "b" 2}', "Line 2, column 6"),
            ("[1]", "is an object"),
            ('{"a": NaN}', "NaN is no JSON"),
            ('{"a": 1, "a": 2}', 'The name "a" stands twice'),
            ('{"x": {"b": 1, "b": 2}}', 'The name "b" stands twice'),
            ("", "Line 1, column 1"),
            ("[" * 100_000, "deep|Line"),
        ],
    )
    def test_what_is_refused_and_where(self, text: str, reason: str) -> None:
        with pytest.raises(UsageError, match=reason):
            fields_in(text)


def test_same_json_tells_types_apart() -> None:
    assert not same_json(True, 1)
    assert not same_json(1, 1.0)
    assert same_json(json.loads('{"a": [1, {"b": null}]}'), {"a": [1, {"b": None}]})
    assert same_json(MISSING, MISSING)
    assert not same_json(MISSING, None)
