"""Actions on findings: what the linter says of the books while they are written."""

from __future__ import annotations

from typing import Final

from lorebook_tui.tui.action_types import Action, Scope

ROWS: Final[tuple[Action, ...]] = (
    Action(
        "next_finding", ("f8",), "next finding",
        "Go to the next fault the linter has found: its entry, and the field it is about.",
    ),
    Action("previous_finding", ("P", "ctrl+k"), "finding before", "Go to the fault before."),
    Action(
        "findings", ("exclamation_mark", "f11"), "findings",
        "List everything the linter has to say: go there, repair it, or let it pass.",
    ),
    Action(
        "fix_finding", ("F", "ctrl+o"), "repair",
        "Repair the finding at the cursor, or the first of the entry that can be repaired; undo takes it back.",
    ),
    Action(
        "repair_one", ("ctrl+r",), "repair", "Repair the finding under the cursor; undo takes it back.",
        Scope.FINDINGS, footer=3,
    ),
    Action(
        "let_pass", ("ctrl+l",), "let pass",
        "Write into the extension data of the entry, or of its book, that the finding is fine.",
        Scope.FINDINGS, footer=4,
    ),
    Action(
        "repair_all", ("ctrl+g",), "repair the file",
        "Show all safe repairs of the file of the finding, each proved to leave the chat as it is, and make them.",
        Scope.FINDINGS, footer=5,
    ),
    Action(
        "explain_rule", ("ctrl+t",), "why", "Explain the rule of the finding: why it matters, and what to do.",
        Scope.FINDINGS, footer=6,
    ),
)  # fmt: skip
