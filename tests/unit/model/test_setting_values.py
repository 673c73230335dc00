"""Settings of another type than the editor writes: read as SillyTavern reads them, or refused."""

from __future__ import annotations

import math
from typing import Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.model.settings import ScanSettings


def test_settings_of_another_type_are_read_as_javascript_reads_them() -> None:
    read = ScanSettings().with_values(
        {
            "world_info_depth": "3",
            "world_info_budget": 12.5,
            "world_info_budget_cap": None,
            "world_info_min_activations": True,
            "world_info_recursive": "",
            "world_info_case_sensitive": [],
            "world_info_character_strategy": 2.0,
        }
    )
    assert (read.world_info_depth, read.world_info_budget, read.world_info_budget_cap) == (3, 12.5, 0)
    assert (read.world_info_min_activations, read.world_info_character_strategy) == (1, 2)
    assert (read.world_info_recursive, read.world_info_case_sensitive) == (False, True)
    assert type(read.world_info_character_strategy) is int


def test_an_infinite_setting_stays_one() -> None:
    assert ScanSettings().with_values({"world_info_depth": math.inf}).world_info_depth == math.inf


@pytest.mark.parametrize("value", ["three", {}, [1, 2]])
def test_a_setting_that_is_no_number_is_refused_by_name(value: Any) -> None:
    with pytest.raises(UsageError, match="world_info_depth is no number") as refusal:
        ScanSettings().with_values({"world_info_depth": value})
    assert refusal.value.expected == "a number"
