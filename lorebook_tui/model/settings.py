"""The scan's settings under SillyTavern's names; defaults are those of a fresh install of 1.19.0."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.errors import UsageError

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
        """A copy with some settings changed.

        Raises:
            UsageError: a name that is no setting.
        """
        known = {item.name for item in fields(self)}
        for name in values:
            if name not in known:
                raise UsageError(
                    f"There is no setting {name!r}.",
                    expected="one of " + ", ".join(sorted(known)),
                    hint="`lorebook fields --settings` lists them with their ranges.",
                )
        return replace(self, **values)
