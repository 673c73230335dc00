"""Actions on files and history: save, undo, redo."""

from __future__ import annotations

from typing import Final

from lorebook_tui.tui.action_types import Action

ROWS: Final[tuple[Action, ...]] = (
    Action("undo", ("u", "ctrl+z"), "undo", "Take back the last edit, in whatever book it was."),
    Action("redo", ("ctrl+y",), "redo", "Make the edit again that was taken back last."),
    Action(
        "save", ("f2", "ctrl+s"), "save",
        "Save the file of the chosen entry, in the chat pane that of the chat; a backup is kept.", footer=8,
    ),
    Action("save_all", ("f10",), "save all", "Save every file with changes."),
    Action(
        "save_as", ("f12",), "save as",
        "Save the file of the chosen entry under another name, and go on with that.",
    ),
    Action(
        "save_options", ("ctrl+w",), "save settings",
        "Save settings, engine, seed, cast and who lies in which layer in the workspace file.",
    ),
)  # fmt: skip
