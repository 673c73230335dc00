"""THE table: complete rows, SillyTavern's defaults, names in other formats."""

from __future__ import annotations

from dataclasses import fields as dataclass_fields
from typing import Any

import pytest

from lorebook_tui.model.fields import (
    ENTRY_FIELDS,
    SETTING_FIELDS,
    Field,
    FieldGroup,
    choice_labelled,
    field_named,
    json_name,
    setting_named,
    suggest,
    template,
    type_matches,
)
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.scenario import TRIGGERS
from lorebook_tui.model.settings import ScanSettings

KNOWN_TYPES = {"string", "number", "integer", "boolean", "null", "strings", "object", "objects"}
ALL_ROWS = [*ENTRY_FIELDS, *SETTING_FIELDS]

# SillyTavern 1.19: the template of a new entry.
TEMPLATE: dict[str, Any] = {
    "key": [],
    "keysecondary": [],
    "comment": "",
    "addMemo": False,
    "automationId": "",
    "content": "",
    "constant": False,
    "vectorized": False,
    "selective": True,
    "selectiveLogic": 0,
    "order": 100,
    "position": 0,
    "disable": False,
    "ignoreBudget": False,
    "excludeRecursion": False,
    "preventRecursion": False,
    "delayUntilRecursion": 0,
    "matchPersonaDescription": False,
    "matchCharacterDescription": False,
    "matchCharacterPersonality": False,
    "matchCharacterDepthPrompt": False,
    "matchScenario": False,
    "matchCreatorNotes": False,
    "probability": 100,
    "useProbability": True,
    "depth": 4,
    "role": 0,
    "outletName": "",
    "group": "",
    "groupOverride": False,
    "groupWeight": 100,
    "scanDepth": None,
    "caseSensitive": None,
    "matchWholeWords": None,
    "useGroupScoring": None,
    "sticky": None,
    "cooldown": None,
    "delay": None,
    "triggers": [],
}
# SillyTavern 1.19: an entry of a card's book, as the program writes it.
CARD_NAMES = {
    "uid": "id",
    "key": "keys",
    "keysecondary": "secondary_keys",
    "comment": "comment",
    "content": "content",
    "constant": "constant",
    "selective": "selective",
    "order": "insertion_order",
    "disable": "!enabled",
    "extensions": "extensions",
    "position": "extensions.position",
    "excludeRecursion": "extensions.exclude_recursion",
    "preventRecursion": "extensions.prevent_recursion",
    "delayUntilRecursion": "extensions.delay_until_recursion",
    "displayIndex": "extensions.display_index",
    "probability": "extensions.probability",
    "useProbability": "extensions.useProbability",
    "depth": "extensions.depth",
    "selectiveLogic": "extensions.selectiveLogic",
    "outletName": "extensions.outlet_name",
    "group": "extensions.group",
    "groupOverride": "extensions.group_override",
    "groupWeight": "extensions.group_weight",
    "useGroupScoring": "extensions.use_group_scoring",
    "scanDepth": "extensions.scan_depth",
    "matchWholeWords": "extensions.match_whole_words",
    "caseSensitive": "extensions.case_sensitive",
    "automationId": "extensions.automation_id",
    "role": "extensions.role",
    "vectorized": "extensions.vectorized",
    "sticky": "extensions.sticky",
    "cooldown": "extensions.cooldown",
    "delay": "extensions.delay",
    "matchPersonaDescription": "extensions.match_persona_description",
    "matchCharacterDescription": "extensions.match_character_description",
    "matchCharacterPersonality": "extensions.match_character_personality",
    "matchCharacterDepthPrompt": "extensions.match_character_depth_prompt",
    "matchScenario": "extensions.match_scenario",
    "matchCreatorNotes": "extensions.match_creator_notes",
    "triggers": "extensions.triggers",
    "ignoreBudget": "extensions.ignore_budget",
}


@pytest.mark.parametrize("row", ALL_ROWS, ids=lambda row: row.name)
def test_every_row_is_complete(row: Field) -> None:
    assert row.types
    assert set(row.types) <= KNOWN_TYPES
    assert row.label
    for sentence in (row.help, row.absent):
        assert sentence.endswith(".")
        assert sentence[0].isupper() or sentence[0] == "`"
        assert len(sentence) > 8
    assert isinstance(row.group, FieldGroup)
    assert set(row.engines) <= {"sillytavern", "guide", "unorouter", "yumina"}
    if row.default is not MISSING:
        assert type_matches(row, row.default)


@pytest.mark.parametrize("row", ALL_ROWS, ids=lambda row: row.name)
def test_ranges_and_choices_are_sane(row: Field) -> None:
    numeric = {"number", "integer"} & set(row.types)
    if row.minimum is not None or row.maximum is not None or row.unit:
        assert numeric
    if row.minimum is not None and row.maximum is not None:
        assert row.minimum < row.maximum
    if row.default is not MISSING and isinstance(row.default, (int, float)) and not isinstance(row.default, bool):
        assert row.minimum is None or row.default >= row.minimum
        assert row.maximum is None or row.default <= row.maximum
    values = [choice.value for choice in row.choices]
    assert len(set(values)) == len(values)
    if numeric and values:
        assert (row.minimum, row.maximum) == (min(values), max(values))
        assert row.default in values


def test_names_are_unique_and_found() -> None:
    names = [row.name for row in ALL_ROWS]
    assert len(set(names)) == len(names)
    assert [field_named(row.name) for row in ENTRY_FIELDS] == list(ENTRY_FIELDS)
    assert field_named("nonsense") is None
    assert setting_named("world_info_depth") is setting_named("depth")
    assert setting_named("nonsense") is None


def test_the_template_is_sillytaverns_and_fresh_each_time() -> None:
    new = template()
    assert new == TEMPLATE
    new["key"].append("bell")
    assert template()["key"] == []


def test_settings_are_those_of_the_scan_with_the_same_defaults() -> None:
    scan = ScanSettings()
    assert {row.name: row.default for row in SETTING_FIELDS} == {
        item.name: getattr(scan, item.name) for item in dataclass_fields(scan)
    }
    for row in SETTING_FIELDS:
        assert type(row.default) is type(getattr(scan, row.name))


def test_card_names_are_those_that_sillytavern_writes() -> None:
    assert {row.name: path for row in ENTRY_FIELDS if (path := json_name(row, "v2"))} == {
        **CARD_NAMES,
        "priority": "priority",
    }


@pytest.mark.parametrize("format_name", sorted({name for row in ENTRY_FIELDS for name in row.json_names}))
def test_no_two_fields_share_a_place_in_a_format(format_name: str) -> None:
    paths = [row.json_names[format_name].lstrip("!") for row in ENTRY_FIELDS if format_name in row.json_names]
    assert len(set(paths)) == len(paths)


def test_json_name_of_the_own_format_is_the_name_itself() -> None:
    order, filters = field_named("order"), field_named("characterFilter")
    assert order is not None
    assert filters is not None
    assert json_name(order, "sillytavern") == "order"
    assert json_name(order, "agnai") == "weight"
    assert json_name(filters, "v2") is None


def test_what_sillytavern_does_not_have_is_kept_under_extensions() -> None:
    elsewhere = {row.name for row in ENTRY_FIELDS if json_name(row, "sillytavern") != row.name}
    assert elsewhere == {"priority", "section", "useFuzzyMatch", "conditions", "conditionLogic"}
    for row in ENTRY_FIELDS:
        if row.name in elsewhere:
            assert str(json_name(row, "sillytavern")).startswith("extensions.")
            assert "sillytavern" not in row.engines


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("key", [[], ["a"]], [["a", 1], "a", None, {}, 1]),
        ("content", ["", "text"], [None, 1, ["a"], True]),
        ("order", [1, -2, 2.5, 1_768_391_766_155], ["1", None, True, []]),
        ("position", [4, 4.0], [4.5, "4", True, None]),
        ("role", [0, None], ["system", False]),
        ("constant", [True, False], [1, 0, "true", None]),
        ("scanDepth", [None, 3], ["3", 2.5, False]),
        ("characterFilter", [None, {"names": []}], [[], "x"]),
        ("delayUntilRecursion", [True, False, 0, 2], [None, "1", 1.5]),
        ("groupWeight", [100, None, 0.5], ["100"]),
        ("probability", [0, 33.3], [None, "100", True]),
        ("extensions", [{}], [None, []]),
        ("conditions", [[], [{"variable": "hp"}]], [{}, ["hp"], None]),
    ],
)
def test_type_matches(name: str, right: list[Any], wrong: list[Any]) -> None:
    row = field_named(name)
    assert row is not None
    assert [value for value in right if not type_matches(row, value)] == []
    assert [value for value in wrong if type_matches(row, value)] == []


def test_nothing_and_no_number_have_no_type() -> None:
    order, uid = field_named("order"), field_named("uid")
    assert order is not None
    assert uid is not None
    assert not type_matches(order, MISSING)
    assert not type_matches(uid, float("inf"))
    assert not type_matches(uid, float("nan"))


def test_triggers_are_the_kinds_a_scenario_knows() -> None:
    row = field_named("triggers")
    assert row is not None
    assert tuple(choice.value for choice in row.choices) == TRIGGERS


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("position", "at depth", 4),
        ("position", "AT_DEPTH", 4),
        ("position", " 4 ", 4),
        ("position", "outlet", 7),
        ("position", "-1", None),
        ("position", "", None),
        ("selectiveLogic", "and-any", 0),
        ("selectiveLogic", "NOT ALL", 1),
        ("role", "Assistant", 2),
        ("content", "system", None),
    ],
)
def test_choice_labelled(field: str, text: str, value: int | None) -> None:
    row = field_named(field)
    assert row is not None
    found = choice_labelled(row, text)
    assert (found.value if found else None) == value


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("keysecondry", "keysecondary"),
        ("scandepth", "scanDepth"),
        ("insertion_order", "order"),
        ("secondary_keys", "keysecondary"),
        ("enabled", "disable"),
        ("probabilty", "probability"),
        ("world_info_recursiv", "world_info_recursive"),
        ("sticky", "sticky"),
        ("zzzz", None),
    ],
)
def test_suggest(typed: str, meant: str | None) -> None:
    assert suggest(typed) == meant
