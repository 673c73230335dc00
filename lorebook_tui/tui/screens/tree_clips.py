"""Cut, copy and paste of entries: the program's own clipboard, the terminal's by OSC 52, and what is pasted into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError
from lorebook_tui.tui.screens.tree_targets import TreeTargets
from lorebook_tui.tui.targets import ToBranch
from lorebook_tui.tui.widgets.layer_tree import LayerTree
from lorebook_tui.workspace import edits, placing

if TYPE_CHECKING:
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.clips import Clip
    from lorebook_tui.workspace.placing import Place

_KIBIBYTE = 1024
_LARGEST_CLIP = 512 * _KIBIBYTE
"""Bytes that are offered to the terminal's clipboard."""


class TreeClips(TreeTargets):
    """The part of the workbench."""

    @property
    def clipped(self) -> tuple[EntryRef, ...]:
        """What copy and cut are meant for: as for any action, and on a book all of its entries."""
        branch = self.row_branch
        if not self.picked and branch is not None:
            return tuple(self.layer_tree.inside(branch))
        return self.picked

    def action_copy(self) -> None:
        """Entries onto the clipboard, as JSON."""
        refs = self.clipped
        size = self._clip(refs)
        if size:
            where = "" if "only here" in size else ", here and to the clipboard of your terminal"
            self.tell(f"Copied {edits.counted(len(refs))} ({size}){where}.")

    def action_cut(self) -> None:
        """Entries onto the clipboard and out of their books."""
        refs = self.clipped
        if not self._clip(refs):
            return
        told = f"cut {edits.counted(len(refs))}"
        if self.edit(lambda workspace: edits.delete_entries(workspace, refs, told)):
            self.tell(f"Cut {edits.counted(len(refs))}: paste puts them anywhere, {self.undo_key} back.")

    def _clip(self, refs: tuple[EntryRef, ...]) -> str:
        """Put entries onto the clipboards; how much that was, "" if there is nothing."""
        if not refs or self.desk is None:
            self.tell("There is no entry here to copy.")
            return ""
        from lorebook_tui.workspace.clips import copied  # noqa: PLC0415 - only where something is copied

        text = copied(self.desk.workspace, refs)
        size = len(text.encode("utf-8", "replace"))
        told = f"{size:,} bytes" if size < _KIBIBYTE else f"{size / _KIBIBYTE:,.0f} KiB"
        if size > _LARGEST_CLIP:
            self.app._clipboard = text  # noqa: SLF001 - no terminal takes so much
            return f"{told}, too much for a terminal: only here"
        self.app.copy_to_clipboard(text)
        return told

    def action_paste(self) -> None:
        """What was copied in this program."""
        text = self.app.clipboard
        if text:
            self.paste(text, "what was copied here")
        else:
            self.tell("Nothing was copied here yet. Your terminal's own paste key brings what other programs copied.")

    @on(LayerTree.Pasted)
    def _tree_pasted(self, event: LayerTree.Pasted) -> None:
        event.stop()
        self.paste(event.text, "the system's clipboard")

    def paste(self, text: str, origin: str) -> None:
        """Entries, or a text as a new entry, to the end of the folder or book under the cursor.

        Args:
            text: JSON of entries, of a world, book or card, or any text.
            origin: where it comes from, in words.
        """
        from lorebook_tui.workspace.clips import read  # noqa: PLC0415 - only where something is pasted

        try:
            found = read(text)
        except LorebookError as error:
            error.message = f"What is on the clipboard cannot be pasted. {error.message}"
            self.tell_error(error)
            return
        place = self.here
        if place is None:
            self.in_new_book(self.layer_here, lambda made: self._put_clip(found, origin, made))
        else:
            self._put_clip(found, origin, place)

    def _put_clip(self, found: Clip, origin: str, place: Place) -> None:
        from lorebook_tui.workspace.clips import PLAIN_TEXT, for_paste  # noqa: PLC0415 - only where something is pasted

        fields = for_paste(found)
        told = f"paste {edits.counted(len(fields))}"
        if not self.edit(lambda workspace: placing.insert(workspace, place, fields, told)):
            return
        self.layer_tree.choose_branch(ToBranch(place.layer, place.book, place.folder or ""), only_open=True)
        if self.chosen is not None:
            self.layer_tree.choose(self.chosen)
        if found.format == PLAIN_TEXT:
            self.tell(f"The text from {origin} is the content of a new entry.")
        else:
            source = f", from {quote(found.book)}" if found.book else ""
            self.tell(f"Pasted {edits.counted(len(fields))} from {origin}{source}.")
