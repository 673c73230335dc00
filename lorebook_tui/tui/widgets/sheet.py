"""The sheet of entries: a head that stays, and rows under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical

from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.ink import Drawn, Paragraph, Span
from lorebook_tui.tui.targets import ToEntry
from lorebook_tui.tui.views.sheet_table import FIRST, SheetLook, SheetRow, column, head_line, sorted_refs
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.scene import Scene


class SheetHead(LineView, can_focus=False):
    """The names of the columns."""

    MOVES_CURSOR = False


class SheetRows(LineView):
    """One row for each entry."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.SHEET))


class EntrySheet(Vertical):
    """Entries as rows."""

    look: SheetLook | None = None

    def compose(self) -> ComposeResult:
        """Head over rows."""
        yield SheetHead(id="sheet-head")
        yield SheetRows(id="sheet-rows")

    @property
    def rows(self) -> SheetRows:
        """The rows."""
        return self.query_one(SheetRows)

    def set_scene(self, scene: Scene, glyphs: Glyphs) -> None:
        """Take other entries; columns and order stay."""
        if self.look is None:
            self.look = SheetLook(scene, glyphs, tuple(map(column, FIRST)))
        self.look.scene = scene
        self.look.glyphs = glyphs

    def show(self, refs: Sequence[EntryRef], cursor: EntryRef | None = None) -> None:
        """Draw these entries.

        Args:
            refs: in the order of the tree.
            cursor: where the cursor goes; None: where it was.
        """
        look = self.look
        if look is None:
            return
        rows = [SheetRow(look, ref) for ref in sorted_refs(look, refs)]
        if rows:
            self.rows.show(rows, cursor=ToEntry(cursor) if cursor is not None else self.target)
        else:
            self.rows.show([Paragraph((Span("No entry. n in the tree makes one.", "muted"),))])
        self.query_one(SheetHead).show([Drawn(lambda width: [head_line(look, width)], 1)])

    @property
    def target(self) -> ToEntry | None:
        """What the cursor stands on."""
        rows = self.rows
        if rows.cursor is None or rows.cursor >= len(rows.blocks):
            return None
        target = rows.blocks[rows.cursor].target
        return target if isinstance(target, ToEntry) else None

    @property
    def refs(self) -> list[EntryRef]:
        """The entries that have a row, in the order shown."""
        return [block.target.ref for block in self.rows.blocks if isinstance(block.target, ToEntry)]

    def redraw(self) -> None:
        """The same rows look different now."""
        self.rows.forget_layouts()
        self.query_one(SheetHead).forget_layouts()
