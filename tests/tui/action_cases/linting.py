"""Cases of findings. In the small workspace the mill is larger than the budget, "Nowhere" has no text, two orders agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.lint.findings import Severity
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tui.screens.deciding import Decision
from lorebook_tui.tui.screens.finding_list import FindingList
from lorebook_tui.tui.screens.reader import Reader
from tests.tui.action_cases.base import Case

if TYPE_CHECKING:
    from typing import Any

MEANING = EntryRef(Layer.GLOBAL, 0, 7)


def entry(bench: Any) -> Any:
    return bench.screen.scene.entry(MEANING)


def at_fault(bench: Any, place: int) -> bool:
    """Whether form and tree show the fault at a place of the list, hints left out."""
    note = [note for note in bench.screen.notes.listed if note.severity is not Severity.INFO][place]
    return bool(bench.screen.chosen == note.ref and bench.screen.form.rows.field_name == note.field)


def is_repaired(bench: Any) -> bool:
    return bool(
        entry(bench).get("order") != 100 and bench.screen.desk.undo_told.startswith("give them different orders")
    )


def lets_pass(bench: Any) -> bool:
    return "ORD001" in entry(bench).get("extensions")["lorebook"]["ignore"] and isinstance(
        bench.app.screen, FindingList
    )


_LISTED = ("exclamation_mark", *"ORD001")
CASES: dict[str, Case] = {
    "global.next_finding": Case(lambda bench: at_fault(bench, 0)),
    "global.previous_finding": Case(lambda bench: at_fault(bench, -1)),
    "global.findings": Case(lambda bench: isinstance(bench.app.screen, FindingList) and "ACT016" in bench.text()),
    "global.fix_finding": Case(is_repaired, (*_LISTED, "enter")),
    "findings.repair_one": Case(
        lambda bench: is_repaired(bench) and isinstance(bench.app.screen, FindingList), _LISTED
    ),
    "findings.let_pass": Case(lets_pass, _LISTED),
    "findings.repair_all": Case(
        lambda bench: isinstance(bench.app.screen, Decision) and "In the file" in bench.text(), ("exclamation_mark",)
    ),
    "findings.explain_rule": Case(
        lambda bench: isinstance(bench.app.screen, Reader) and "Why" in bench.text(), ("exclamation_mark",)
    ),
}
