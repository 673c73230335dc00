"""Cases of the sheet."""

from __future__ import annotations

from tests.tui.action_cases.base import Case

CASES: dict[str, Case] = {}
