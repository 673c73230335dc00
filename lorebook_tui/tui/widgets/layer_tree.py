"""The tree of layers, books and entries with their marks at the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.geometry import Region
from textual.message import Message

from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.targets import ToBranch, ToEntry
from lorebook_tui.tui.views.layers import Branches, TreeLook, tree_blocks
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.binding import BindingType

    from lorebook_tui.tui.glyphs import Glyphs, Mark
    from lorebook_tui.tui.scene import Scene

_OPEN_AT_FIRST = 400
"""Books are open from the start if they hold no more entries than this together."""


class LayerTree(LineView):
    """Branches are filled when they are opened; marks change without new rows."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.LAYERS))

    class Scrolled(Message):
        """Other rows are in sight."""

        def can_replace(self, message: Message) -> bool:
            """Only the last position matters."""
            return isinstance(message, LayerTree.Scrolled)

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.branches = Branches()
        self.look: TreeLook | None = None
        self.found: Sequence[EntryRef] | None = None
        """What the filter found; None: no filter."""
        self.marked: list[EntryRef] = []
        """Entries that are selected together, in the order in which they were."""

    def set_scene(self, scene: Scene, glyphs: Glyphs) -> None:
        """Take other books; what was open stays open."""
        if self.look is None:
            books = [(layer, number) for layer in Layer for number in range(len(scene.layers.of(layer)))]
            if scene.entry_count > _OPEN_AT_FIRST:
                books = books[:1]
            self.branches = Branches(books=frozenset(books))
        self.look = TreeLook(scene, glyphs)
        self.rebuild()

    def set_marks(self, marks: Mapping[EntryRef, Mark]) -> None:
        """What became of the entries at this turn; entries without a mark are not in it."""
        if self.look is None:
            return
        counts: dict[tuple[Layer, int], int] = {}
        for ref, mark in marks.items():
            if mark.in_prompt:
                counts[ref.layer, ref.book] = counts.get((ref.layer, ref.book), 0) + 1
        look = self.look
        changed = {ref for ref in {*look.marks, *marks} if look.marks.get(ref) is not marks.get(ref)}
        same_counts = look.counts == counts
        look.marks, look.counts = marks, counts
        self.flow.forget_layouts()
        self._refresh_rows(changed, with_branches=not same_counts)

    def _refresh_rows(self, changed: set[EntryRef], *, with_branches: bool) -> None:
        """Draw again only what has changed and is in sight."""
        top = self.scroll_offset.y
        for line, block in enumerate(self.blocks[top : top + self.size.height]):
            target = block.target
            if target.ref in changed if isinstance(target, ToEntry) else with_branches:
                self.refresh(Region(0, line, self.size.width, 1))

    def set_glyphs(self, glyphs: Glyphs) -> None:
        """Signs or letters."""
        if self.look is not None:
            self.look.glyphs = glyphs
            self.forget_layouts()

    def set_found(self, found: Sequence[EntryRef] | None) -> None:
        """Show only these entries; None: all."""
        self.found = found
        self.rebuild()

    def rebuild(self) -> None:
        """Rows anew; the cursor stays on what it stood on."""
        if self.look is None:
            return
        target = self.blocks[self.cursor].target if self.cursor is not None else None
        self.show(tree_blocks(self.look, self.branches, self.found))
        if target is not None:
            self.cursor = self.find(target)
        if self.cursor is None and self.blocks:
            self.cursor = 0

    def choose(self, ref: EntryRef) -> None:
        """Put the cursor on an entry, its branches opened; a filter that hides it is left alone."""
        if self.found is None and not self.branches.is_open(ToBranch(ref.layer, ref.book)):
            self.branches = self.branches.opened(ref.layer, ref.book)
            self.rebuild()
        if not self.point_at(ToEntry(ref)) and self.found is None:
            self.branches = self.branches.opened(ref.layer, ref.book)
            self.rebuild()
            self.point_at(ToEntry(ref))

    def toggle(self, branch: ToBranch) -> None:
        """Open or close a branch."""
        self.branches = self.branches.toggled(branch)
        self.rebuild()
        self.point_at(branch)

    def go_to_layer(self, number: int) -> None:
        """Open a layer and its first book, and bring its row to the top."""
        layer = list(Layer)[number - 1]
        has_books = self.look is not None and bool(self.look.scene.layers.of(layer))
        self.branches = self.branches.opened(layer, 0 if has_books else None)
        self.rebuild()
        target = ToBranch(layer)
        if self.point_at(target) and self.cursor is not None:
            self.jump(self.flow.top(self.cursor))

    def listed(self) -> list[EntryRef]:
        """The entries that have a row now."""
        return [block.target.ref for block in self.blocks if isinstance(block.target, ToEntry)]

    def in_sight(self) -> list[EntryRef]:
        """The entries whose rows are in the window, or within one page of it."""
        height = self.size.height
        first = max(0, self.scroll_offset.y - height)
        blocks = self.blocks[first : first + 3 * height]
        return [block.target.ref for block in blocks if isinstance(block.target, ToEntry)]

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Other rows come into sight."""
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())

    def action_expand(self) -> None:
        """Open the branch, or go into it."""
        branch = self._branch()
        if branch is not None and not self.branches.is_open(branch):
            self.toggle(branch)
        else:
            self.action_down()

    def action_collapse(self) -> None:
        """Close the branch, or go to the one above."""
        branch = self._branch()
        if branch is not None and self.branches.is_open(branch) and self.found is None:
            self.toggle(branch)
            return
        target = self.blocks[self.cursor].target if self.cursor is not None and self.blocks else None
        above: ToBranch | None = None
        if isinstance(target, ToEntry):
            above = ToBranch(target.ref.layer, target.ref.book)
        elif isinstance(target, ToBranch) and target.book is not None:
            above = ToBranch(target.layer)
        if above is not None and self.point_at(above):
            self.post_message(self.Pointed(self, above))

    def _branch(self) -> ToBranch | None:
        target = self.blocks[self.cursor].target if self.cursor is not None and self.blocks else None
        return target if isinstance(target, ToBranch) else None
