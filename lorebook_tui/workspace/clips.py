"""The clipboard for screens and commands: entries of the workspace as text, and what a text to paste holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.formats.clip import PLAIN_TEXT, Clip, for_paste, read, write
from lorebook_tui.workspace.edits import entry_at, opened_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.workspace import Workspace

__all__ = ["PLAIN_TEXT", "Clip", "copied", "for_paste", "read"]


def copied(workspace: Workspace, refs: Sequence[EntryRef]) -> str:
    """The clipboard's text for some entries; "" for none. They are told to be from the book of the first.

    Raises:
        UsageError: an entry is not there.
    """
    if not refs:
        return ""
    return write([entry_at(workspace, ref) for ref in refs], opened_at(workspace, refs[0].layer, refs[0].book).book)
