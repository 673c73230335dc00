"""Actions on the tree: entries, books, folders, layers, the clipboard."""

from __future__ import annotations

from typing import Final

from lorebook_tui.tui.action_types import Action, Scope


def _row(
    name: str, keys: tuple[str, ...], label: str, told: str, *, footer: int = 0, shadows: tuple[str, ...] = ()
) -> Action:
    return Action(name, keys, label, told, Scope.LAYERS, call=f"screen.{name}", footer=footer, shadows=shadows)


ROWS: Final[tuple[Action, ...]] = (
    _row("new_entry", ("n",), "new", "Add an entry to the folder or book under the cursor, type its title.", footer=1),
    _row("new_from", ("ctrl+g", "T"), "template", "Add entries from a template: recipes, or an entry for a product."),
    _row("rename", ("r",), "rename", "Type another title of the entry, or name of the book or folder, in place."),
    _row("switch", ("space",), "on/off", "Disable the entries that are meant, or enable them again.", footer=2),
    _row(
        "delete", ("d", "delete"), "delete",
        "Delete entries after a question; take a folder away from its entries, or a book out of its layer.", footer=3,
    ),
    _row("duplicate", ("ctrl+d",), "duplicate", "Put a copy of each entry right behind it."),
    _row("move_to", ("b",), "move to", "Move entries to another book or folder, or a book to another layer.", footer=5),
    _row("copy_to", ("o",), "copy to", "Copy entries to another book, or attach a book to one more layer."),
    _row("raise", ("ctrl+up", "alt+up", "K"), "up in order", "Move entries, a folder or a book one place up."),
    _row("lower", ("ctrl+down", "alt+down", "J"), "down in order", "Move entries, a folder or a book one place down."),
    _row("folder", ("f",), "folder", "Put entries into a folder; on a book or folder make a new one in it."),
    _row("mark", ("v", "insert"), "mark", "Mark the entry for what follows and go on; again: unmark it.", footer=4),
    _row("mark_up", ("shift+up",), "mark up", "Mark this entry and the one above."),
    _row("mark_down", ("shift+down",), "mark down", "Mark this entry and the one below."),
    _row("mark_range", ("ctrl+r", "V"), "mark range", "Mark all from the entry that was marked last to this one."),
    _row("mark_all", ("a",), "mark all", "Mark all that the filter shows, else the whole book; again: unmark them."),
    _row("copy", ("y", "ctrl+c"), "copy", "Copy entries as JSON, also to the clipboard of your terminal."),
    _row("cut", ("ctrl+x",), "cut", "Copy entries and take them out of their books."),
    _row(
        "paste", ("ctrl+v",), "paste",
        "Add the entries that were copied; your terminal's own paste key brings those of other programs, and texts.",
    ),
    _row("new_book", ("ctrl+n",), "new book", "Make a new book in the layer under the cursor."),
    _row("attach", ("i",), "attach file", "Choose a file of lore and attach its book to the layer under the cursor."),
    _row("export", ("ctrl+e",), "export", "Write the book, or the marked entries, as a file of another format."),
)  # fmt: skip
