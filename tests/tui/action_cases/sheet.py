"""Cases of the sheet: ten entries of the harbour, then one each of the character and the persona."""

from __future__ import annotations

from typing import Any

from lorebook_tui.tui.screens.asking import Question
from tests.tui.action_cases.base import Case, dialog


def sheet(bench: Any) -> Any:
    return bench.screen.entry_sheet


def titles(bench: Any) -> list[str]:
    return [bench.screen.scene.entry(ref).title for ref in sheet(bench).refs]


def orders(bench: Any) -> list[int]:
    return [entry.get("order") for _, book in bench.screen.scene.layers for entry in book.entries]


def marked(bench: Any) -> int:
    return len(bench.screen.layer_tree.marked)


def asks(bench: Any, kind: type, words: str) -> bool:
    return isinstance(bench.app.screen, kind) and words in bench.text()


CASES: dict[str, Case] = {
    "global.to_sheet": Case(
        lambda bench: sheet(bench).rows.has_focus and "Title" in bench.text() and len(titles(bench)) == 12, ("w",)
    ),
    "sheet.column_left": Case(lambda bench: sheet(bench).look.at == 0, ("f6", "right")),
    "sheet.column_right": Case(lambda bench: sheet(bench).look.at == 1, ("f6",)),
    "sheet.sort": Case(lambda bench: titles(bench)[0] == "Later", ("f6", "right", "right")),
    "sheet.columns": Case(lambda bench: dialog(bench).heading == "Columns", ("f6",)),
    "sheet.edit_cell": Case(lambda bench: asks(bench, Question, "Order of 1 entry"), ("f6", "right", "right")),
    "sheet.set_fields": Case(lambda bench: asks(bench, Question, "Set fields of 1 entry"), ("f6",)),
    "sheet.find_replace": Case(lambda bench: asks(bench, Question, "Find in 12 entries"), ("f6",)),
    "sheet.renumber": Case(lambda bench: asks(bench, Question, "New orders for 12 entries"), ("f6",)),
    "sheet.fill_titles": Case(
        lambda bench: "Nothing would change" not in bench.text() and bench.screen.desk.dirty == (), ("f6",)
    ),
    "sheet.tidy_keys": Case(lambda bench: bench.screen.desk.dirty == () and sheet(bench).rows.has_focus, ("f6",)),
    "sheet.pick": Case(lambda bench: marked(bench) == 1, ("f6",)),
    "sheet.pick_all": Case(lambda bench: marked(bench) == 12, ("f6",)),
}
