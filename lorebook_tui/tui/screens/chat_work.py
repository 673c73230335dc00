"""Work on the chat: messages edited and branched, swipes, who speaks to whom."""

from __future__ import annotations

from lorebook_tui.tui.screens.editing import Editing


class ChatWork(Editing):
    """The part of the workbench."""
