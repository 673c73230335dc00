"""Actions that teach: help, reference, tour, jump labels."""

from __future__ import annotations

from typing import Final

from lorebook_tui.tui.action_types import Action

ROWS: Final[tuple[Action, ...]] = (
    Action("reference", ("f1",), "reference", "Explain the field that has the focus, with the engine's exact rule."),
    Action("jump", ("g",), "jump", "Show a letter on every pane, tab, field and row; type it to go there.", footer=5),
    Action("tour", ("f7",), "tour", "Show the way round in six steps; escape ends it."),
)
