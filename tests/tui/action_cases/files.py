"""Cases of files and history."""

from __future__ import annotations

from tests.tui.action_cases.base import Case

CASES: dict[str, Case] = {
    "global.undo": Case(lambda bench: True),
    "global.redo": Case(lambda bench: True),
}
