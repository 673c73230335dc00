"""Cases of the form."""

from __future__ import annotations

from tests.tui.action_cases.base import Case

CASES: dict[str, Case] = {}
