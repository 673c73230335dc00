"""Actions on the sheet: entries as rows, edited many at once."""

from __future__ import annotations

from typing import Final

from lorebook_tui.tui.action_types import Action, Scope


def _row(name: str, keys: tuple[str, ...], label: str, text: str, footer: int = 0) -> Action:
    return Action(name, keys, label, text, Scope.SHEET, call=f"screen.{name}", footer=footer)


ROWS: Final[tuple[Action, ...]] = (
    Action("to_sheet", ("f6",), "sheet", "Show entries as rows of a sheet, to sort them and edit many at once."),
    _row("column_left", ("left",), "column left", "Go to the column at the left."),
    _row("column_right", ("right",), "column right", "Go to the column at the right."),
    _row("sort", ("o",), "sort", "Sort by the column; again: the other way round; again: as in the tree.", 2),
    _row("columns", ("i",), "columns", "Choose which columns are shown.", 5),
    _row("edit_cell", ("e",), "edit", "Set the field of this column for the marked entries, or for this one.", 1),
    _row("set_fields", ("f",), "set fields", "Set fields of the marked entries: order=+10 sticky=3 key=+bell.", 3),
    _row("find_replace", ("h",), "replace", "Find and replace in keys, texts, titles; each place is shown first.", 4),
    _row("renumber", ("n",), "renumber", "Give the marked entries new orders, evenly spaced."),
    _row("fill_titles", ("b",), "fill titles", "Give entries without a title their first key as one."),
    _row("tidy_keys", ("d",), "tidy keys", "Remove keys that an entry has twice."),
    _row("pick", ("space", "v"), "mark", "Mark the entry, or take the mark away.", 6),
    _row("pick_all", ("a",), "mark all", "Mark all entries shown, or none."),
)  # fmt: skip
