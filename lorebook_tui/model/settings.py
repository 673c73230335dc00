"""The scan's settings under SillyTavern's names; defaults are those of a fresh install of 1.19.0."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.model.js import text_of, to_number, truthy

if TYPE_CHECKING:
    from collections.abc import Mapping

STRATEGY_EVENLY = 0
STRATEGY_CHARACTER_FIRST = 1
STRATEGY_GLOBAL_FIRST = 2


@dataclass(frozen=True, slots=True)
class ScanSettings:
    """Global World Info settings. Depths and delays in messages, budgets in percent and tokens.

    Source: SillyTavern 1.19, shipped settings file over the module's values.
    """

    world_info_depth: int = 2
    world_info_budget: int = 25
    world_info_budget_cap: int = 0
    world_info_min_activations: int = 0
    world_info_min_activations_depth_max: int = 0
    world_info_max_recursion_steps: int = 0
    world_info_recursive: bool = True
    world_info_match_whole_words: bool = True
    world_info_case_sensitive: bool = False
    world_info_include_names: bool = True
    world_info_use_group_scoring: bool = False
    world_info_overflow_alert: bool = False
    world_info_character_strategy: int = STRATEGY_CHARACTER_FIRST

    def with_values(self, values: Mapping[str, Any]) -> ScanSettings:
        """A copy with some settings changed; switches and numbers of another type are read as JavaScript reads them.

        Raises:
            UsageError: a name that is no setting, or a value that is no number where one belongs.
        """
        known = {item.name: item.type for item in fields(self)}
        read: dict[str, Any] = {}
        for name, value in values.items():
            if name not in known:
                raise UsageError(
                    f"There is no setting {quote(name)}.",
                    expected="one of " + ", ".join(sorted(known)),
                    hint="`lorebook fields --settings` lists them with their ranges.",
                )
            read[name] = truthy(value) if known[name] == "bool" else _number(name, value)
        return replace(self, **read)


def _number(name: str, value: Any) -> float:
    """A number, whole if it can be."""
    if type(value) is int:
        return value
    number = to_number(value)
    if math.isnan(number):
        raise UsageError(
            f"The setting {name} is no number.", expected="a number", found=text_of(value), hint="Give it a number."
        )
    return int(number) if number.is_integer() else number
