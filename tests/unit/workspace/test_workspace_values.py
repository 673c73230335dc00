"""Settings by name and value, as people write them."""

from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.workspace.values import assignment, checked, setting


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("world_info_depth=4", "world_info_depth", 4),
        ("depth=4.0", "world_info_depth", 4),
        ("world-info-budget = 12.5", "world_info_budget", 12.5),
        ("recursive=off", "world_info_recursive", False),
        ("world_info_recursive=YES", "world_info_recursive", True),
        ("case_sensitive=1", "world_info_case_sensitive", True),
        ("character_strategy=2", "world_info_character_strategy", 2),
        ("character_strategy=character first", "world_info_character_strategy", 1),
    ],
)
def test_an_assignment_is_read(text: str, name: str, value: object) -> None:
    read = assignment(text)
    assert read == (name, value)
    assert type(read[1]) is type(value)
    assert getattr(ScanSettings().with_values(dict([read])), name) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("depth", "NAME=VALUE"),
        ("depth=deep", "integer, 0 to 1000 messages"),
        ("depth=-1", "0 to 1000"),
        ("depth=2.5", "integer"),
        ("depth=nan", "integer"),
        ("budget=nan", "1 to 100"),
        ("budget=101", "1 to 100"),
        ("recursive=2", "true or false"),
        ("character_strategy=9", "0 evenly, 1 character first, 2 global first"),
    ],
)
def test_a_wrong_value_says_what_would_be_right(text: str, expected: str) -> None:
    with pytest.raises(UsageError) as caught:
        assignment(text)
    assert expected in caught.value.expected
    assert caught.value.found


def test_a_misspelt_setting_is_suggested() -> None:
    with pytest.raises(UsageError) as caught:
        setting("world_info_recursiv")
    assert "Did you mean world_info_recursive?" in caught.value.hint


def test_a_field_of_entries_is_no_setting() -> None:
    with pytest.raises(UsageError) as caught:
        setting("sticky")
    assert "belongs to each entry" in caught.value.hint


@pytest.mark.parametrize("value", [True, "4", None, [4]])
def test_a_value_of_another_type_is_no_number(value: Any) -> None:
    with pytest.raises(UsageError):
        checked(setting("world_info_depth"), value)
