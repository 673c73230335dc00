"""Settings of a scenario: what is no number runs as the program runs it, where a workspace file is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.model.js import to_number
from lorebook_tui.model.settings import ScanSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

_SWITCHES = {name for name, kind in ScanSettings.__annotations__.items() if kind == "bool"}


@dataclass(frozen=True, slots=True)
class LooseSettings(ScanSettings):
    """The same settings, but a number may be NaN."""

    def with_values(self, values: Mapping[str, Any]) -> ScanSettings:
        """A copy with some settings changed; NaN where a value is no number."""
        endless: dict[str, Any] = {
            name: math.nan for name, value in values.items() if name not in _SWITCHES and math.isnan(to_number(value))
        }
        read = ScanSettings.with_values(self, {name: value for name, value in values.items() if name not in endless})
        return replace(read, **endless)
