"""Actions on the form of the chosen entry."""

from __future__ import annotations

from typing import Final

from lorebook_tui.tui.action_types import Action, Scope

_FIELDS: Final = (
    Action(
        "edit_field", ("enter",), "edit",
        "Edit the field under the cursor: type its value, choose it from a list, switch it, open the group.",
        Scope.ENTRY, footer=1, shadows=("choose",),
    ),
    Action(
        "toggle_field", ("space",), "switch", "Switch the field on or off, or take its next choice.",
        Scope.ENTRY, footer=2,
    ),
    Action(
        "step_down", ("left",), "step down", "A smaller number, the choice before, the item or group to the left.",
        Scope.ENTRY, footer=3,
    ),
    Action(
        "step_up", ("right",), "step up", "A greater number, the next choice, the item or group to the right.",
        Scope.ENTRY, footer=3,
    ),
    Action("add_item", ("a",), "add key", "Add keys, or items to the list under the cursor.", Scope.ENTRY, footer=4),
    Action(
        "reset_field", ("backspace", "delete"), "reset",
        "Delete the item under the cursor; give a field its usual value; the second time take it out of the file.",
        Scope.ENTRY, footer=6,
    ),
    Action(
        "move_back", ("b", "alt+left", "less_than_sign"), "move back", "Move the item one place back in its list.",
        Scope.ENTRY,
    ),
    Action(
        "move_on", ("f", "alt+right", "greater_than_sign"), "move on", "Move the item one place on in its list.",
        Scope.ENTRY,
    ),
    Action("write_text", ("i",), "write", "Write in the text of the entry; escape leads back.", Scope.ENTRY, footer=5),
    Action(
        "edit_outside", ("e",), "own editor", "Edit the text in your own editor ($VISUAL or $EDITOR).",
        Scope.ENTRY, call="screen.edit_outside", footer=7,
    ),
    Action(
        "full_text", ("f9",), "full text", "Write in the text of the entry, alone on the screen.", Scope.ENTRY,
        call="screen.full_text",
    ),
    Action("raw_json", ("j",), "raw JSON", "Edit the whole entry as JSON.", Scope.ENTRY, call="screen.raw_json"),
    Action("fold_groups", ("o",), "open groups", "Open all groups of fields, or close them all.", Scope.ENTRY),
)  # fmt: skip
_LINE: Final = (
    Action(
        "take_value", ("enter",), "take", "Take the value; after a new key type the next one.",
        Scope.FIELD, footer=1,
    ),
    Action(
        "give_up", ("escape",), "put aside", "Leave the stored value; what was typed is kept and offered again.",
        Scope.FIELD, footer=2, shadows=("back",),
    ),
    Action("take_and_up", ("up",), "field before", "Take the value and go to the field before.", Scope.FIELD, footer=3),
    Action(
        "take_and_down", ("down",), "field behind", "Take the value and go to the next field.",
        Scope.FIELD, footer=3,
    ),
)  # fmt: skip
_TEXT: Final = (
    Action(
        "leave_text", ("escape",), "fields", "Back from the text to the fields.", Scope.WRITING,
        call="screen.leave_text", footer=1, shadows=("back",),
    ),
    Action(
        "full_text", ("f9",), "full text", "The text alone on the screen, and back.", Scope.WRITING,
        call="screen.full_text", footer=2,
    ),
    Action(
        "edit_outside", ("ctrl+g",), "own editor", "Edit the text in your own editor ($VISUAL or $EDITOR).",
        Scope.WRITING, call="screen.edit_outside", footer=3,
    ),
    Action(
        "insert_snippet", ("ctrl+n",), "snippet", "Put a snippet where the caret stands: macros, decorators, shapes.",
        Scope.WRITING, call="screen.insert_snippet", footer=3,
    ),
)  # fmt: skip
_JSON: Final = (
    Action("accept_json", ("ctrl+r",), "take", "Check the JSON and make the entry so.", Scope.JSON, footer=1),
    Action("renew_json", ("f5",), "begin anew", "Drop what was typed: the entry's own JSON.", Scope.JSON, footer=3),
    Action(
        "close_json", ("escape",), "put aside", "Leave the entry as it is; what was typed is kept.",
        Scope.JSON, footer=2,
    ),
)  # fmt: skip
_TREE: Final = (
    Action(
        "edit_outside", ("e",), "own editor", "Edit the text of the entry in your own editor ($VISUAL or $EDITOR).",
        Scope.LAYERS, call="screen.edit_outside",
    ),
)  # fmt: skip
ROWS: Final[tuple[Action, ...]] = (*_TREE, *_FIELDS, *_LINE, *_TEXT, *_JSON)
