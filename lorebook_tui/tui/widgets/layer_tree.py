"""The tree of layers, books, folders and entries with their marks at the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.geometry import Region
from textual.message import Message

from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.flow import RowFlow
from lorebook_tui.tui.targets import ToBranch, ToEntry
from lorebook_tui.tui.views.layers import Branches, TreeBuilder, TreeLook, TreeRows
from lorebook_tui.tui.widgets.tree_mouse import TreeMouse

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from textual import events
    from textual.binding import BindingType

    from lorebook_tui.glyphs import Glyphs, Mark
    from lorebook_tui.lint.findings import Severity
    from lorebook_tui.tui.flow import Flow
    from lorebook_tui.tui.ink import Block
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.tui.targets import Target
    from lorebook_tui.tui.views.book_order import BookOrder

    Identities = Mapping[tuple[Layer, int], Hashable]

_OPEN_AT_FIRST = 400
"""Books are open from the start if they hold no more entries than this together."""


class LayerTree(TreeMouse):
    """Branches are filled when they are opened; marks change without new rows."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.LAYERS))

    class Scrolled(Message):
        """Other rows are in sight."""

        def can_replace(self, message: Message) -> bool:
            """Only the last position matters."""
            return isinstance(message, LayerTree.Scrolled)

    class Pasted(Message):
        """Text came from the system's clipboard while the tree had the focus."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.branches = Branches()
        self.look: TreeLook | None = None
        self.found: Sequence[EntryRef] | None = None
        """What the filter found; None: no filter."""
        self.range_start: EntryRef | None = None
        """The entry that was marked or unmarked last: where a range begins."""
        self._orders: dict[tuple[Layer, int], BookOrder] = {}
        self._marked: dict[EntryRef, None] = {}

    # What is shown

    def flow_of(self, blocks: Sequence[Block]) -> Flow:
        """Every row is one line."""
        return RowFlow(blocks, self.scrollable_content_region.width)

    @property
    def rows(self) -> TreeRows | None:
        """The rows; None before there are any."""
        return self.blocks if isinstance(self.blocks, TreeRows) else None

    def find(self, target: Target) -> int | None:
        """The row of a place."""
        found = self.rows.find(target) if self.rows is not None else None
        return super().find(target) if found is None and not isinstance(target, (ToBranch, ToEntry)) else found

    def set_scene(self, scene: Scene, glyphs: Glyphs) -> None:
        """Take other books; what was open stays open, the cursor stays on what it stood on."""
        look = self.look
        if look is None:
            books = [(layer, number) for layer in Layer for number in range(len(scene.layers.of(layer)))]
            if scene.entry_count > _OPEN_AT_FIRST:
                books = books[:1]
            self.branches = Branches(books=frozenset(books))
            self.look = TreeLook(scene, glyphs)
        else:
            before, after = look.scene.identities, scene.identities
            if before != after:
                self._renumber(before, after)
            look.scene, look.glyphs = scene, glyphs
            if self.found is not None:
                self.found = [ref for ref in self.found if scene.has(ref)]
        self.rebuild()

    def _renumber(
        self, before: Mapping[tuple[Layer, int], Hashable], after: Mapping[tuple[Layer, int], Hashable]
    ) -> None:
        """Books came, went or changed places: open ones stay open, new ones are."""
        places = {(key[0], identity): key for key, identity in after.items()}
        elsewhere = {identity: key for key, identity in after.items()}
        moved = {}
        for key, identity in before.items():
            place = places.get((key[0], identity)) or elsewhere.get(identity)
            if place is not None:
                moved[key] = place
        new = [key for key in after if key not in moved.values()]
        branches = self.branches.renumbered(moved)
        for layer, number in new[:1]:
            branches = branches.opened(layer, number)
        self.branches = branches
        self._orders = {moved[key]: order for key, order in self._orders.items() if key in moved}

    def set_marks(self, marks: Mapping[EntryRef, Mark], notes: Mapping[EntryRef, str] | None = None) -> None:
        """What became of the entries at this turn; entries without a mark are not in it.

        Args:
            marks: by entry.
            notes: how many messages a sticky state or cooldown lasts, by entry.
        """
        look = self.look
        if look is None:
            return
        notes = notes or {}
        counts: dict[tuple[Layer, int], int] = {}
        for ref, mark in marks.items():
            if mark.in_prompt:
                counts[ref.layer, ref.book] = counts.get((ref.layer, ref.book), 0) + 1
        changed = {
            ref
            for ref in {*look.marks, *marks}
            if look.marks.get(ref) is not marks.get(ref) or look.notes.get(ref) != notes.get(ref)
        }
        same_counts = look.counts == counts
        look.marks, look.counts, look.notes = marks, counts, notes
        self._redraw(changed, with_branches=not same_counts)

    def keep_marks(self, books: AbstractSet[tuple[Layer, int]]) -> None:
        """Forget the marks of all other books, because entries changed places in them."""
        look = self.look
        if look is not None:
            marks = {ref: mark for ref, mark in look.marks.items() if (ref.layer, ref.book) in books}
            self.set_marks(marks, {ref: note for ref, note in look.notes.items() if ref in marks})

    def set_dirty(self, dirty: AbstractSet[tuple[Layer, int]]) -> None:
        """Which books have changes that are not saved."""
        if self.look is not None and self.look.dirty != dirty:
            self.look.dirty = dirty
            self._redraw(set(), with_branches=True)

    @property
    def worst(self) -> Mapping[EntryRef, Severity]:
        """The worst finding of each entry that has one."""
        return self.look.worst if self.look is not None else {}

    @property
    def faults(self) -> Mapping[tuple[Layer, int], tuple[int, int]]:
        """Errors and warnings, by book."""
        return self.look.faults if self.look is not None else {}

    def set_findings(
        self, worst: Mapping[EntryRef, Severity], faults: Mapping[tuple[Layer, int], tuple[int, int]]
    ) -> None:
        """What the linter has to say."""
        look = self.look
        if look is not None:
            changed = {ref for ref in {*look.worst, *worst} if look.worst.get(ref) is not worst.get(ref)}
            other_counts = look.faults != faults
            look.worst, look.faults = worst, faults
            self._redraw(changed, with_branches=other_counts)

    def _redraw(self, changed: set[EntryRef], *, with_branches: bool) -> None:
        """Draw again only what has changed and is in sight."""
        self.flow.forget_layouts()
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
        target, row = self.cursor_target, self.cursor or 0
        self.show(TreeBuilder(self.look, self.branches, self._orders).build(self.found))
        if target is not None:
            self.cursor = self.find(target)
        if self.cursor is None and self.blocks:
            near = range(min(row, len(self.blocks) - 1), -1, -1)
            self.cursor = next((place for place in near if self.blocks[place].target is not None), None)

    # Where things are

    def choose_branch(self, branch: ToBranch, *, only_open: bool = False) -> None:
        """Open a branch and all around it, and put the cursor on it unless it shall only be open."""
        self.branches = self.branches.opened(branch.layer, branch.book, branch.folder)
        self.rebuild()
        if not only_open:
            self.point_at(branch)

    @property
    def cursor_target(self) -> Target | None:
        """What the cursor stands on."""
        return self.blocks[self.cursor].target if self.cursor is not None and self.cursor < len(self.blocks) else None

    def choose(self, ref: EntryRef) -> None:
        """Put the cursor on an entry, its branches opened; a filter that hides it is left alone."""
        if self.found is None and self.find(ToEntry(ref)) is None:
            self.branches = self.branches.opened(ref.layer, ref.book, self.folder_of(ref))
            self.rebuild()
        self.point_at(ToEntry(ref))

    def order(self, layer: Layer, book: int) -> BookOrder:
        """The order and the folders of a book."""
        assert self.look is not None  # noqa: S101 - nobody asks before there is a book
        return TreeBuilder(self.look, self.branches, self._orders).order(layer, book)

    def folder_of(self, ref: EntryRef) -> str:
        """The folder an entry is in, "" for none."""
        order = self.order(ref.layer, ref.book)
        folders = order.root.walk() if order.root is not None else ()
        return next((folder.path for folder in folders if ref.entry in folder.entries), "")

    def beside(self, ref: EntryRef) -> list[EntryRef]:
        """The entries of the same folder of the same book, in their order, this one among them."""
        order = self.order(ref.layer, ref.book)
        folder = order.root.find(self.folder_of(ref)) if order.root is not None else None
        places = order.places if folder is None else order.of(folder)
        return [EntryRef(ref.layer, ref.book, place) for place in places]

    def inside(self, branch: ToBranch) -> list[EntryRef]:
        """All entries of a layer, book or folder, in their order."""
        if self.look is None:
            return []
        if branch.book is None:
            books = range(len(self.look.scene.layers.of(branch.layer)))
            return [ref for book in books for ref in self.inside(ToBranch(branch.layer, book))]
        order = self.order(branch.layer, branch.book)
        places = order.places
        if branch.folder:
            folder = order.root.find(branch.folder) if order.root is not None else None
            places = order.sorted(folder.everything) if folder is not None else ()
        return [EntryRef(branch.layer, branch.book, place) for place in places]

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
        return self.rows.entries() if self.rows is not None else []

    def in_sight(self) -> list[EntryRef]:
        """The entries whose rows are in the window, or within one page of it."""
        height = self.size.height
        first = max(0, self.scroll_offset.y - height)
        blocks = self.blocks[first : first + 3 * height]
        return [block.target.ref for block in blocks if isinstance(block.target, ToEntry)]

    # Marking

    @property
    def marked(self) -> list[EntryRef]:
        """Entries that are selected together, in the order in which they were."""
        return list(self._marked)

    def mark(self, refs: Iterable[EntryRef]) -> None:
        """Select exactly these together."""
        self._marked = dict.fromkeys(refs)
        if not self._marked:
            self.range_start = None
        if self.look is not None:
            self.look.picked = self._marked.keys()
        self.forget_layouts()

    def toggle_mark(self, ref: EntryRef) -> None:
        """One entry more or less."""
        marked = self._marked.copy()
        if marked.pop(ref, ref) is ref:
            marked[ref] = None
        self.range_start = ref
        self.mark(marked)

    def mark_to(self, ref: EntryRef) -> None:
        """All entries shown between the one that was marked last and this one."""
        listed = self.listed()
        end = listed.index(ref) if ref in listed else 0
        start = listed.index(self.range_start) if self.range_start in listed else end
        step = 1 if start <= end else -1
        self.mark((*self._marked, *listed[start : end + step if end + step >= 0 else None : step]))
        self.range_start = ref

    # Events and actions

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Other rows come into sight."""
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())

    def on_paste(self, event: events.Paste) -> None:
        """What the system's clipboard holds."""
        event.stop()
        # many terminals send a carriage return for every line end
        self.post_message(self.Pasted(event.text.replace("\r\n", "\n").replace("\r", "\n")))

    def action_expand(self) -> None:
        """Open the branch, or go into it."""
        branch = self.cursor_target
        if isinstance(branch, ToBranch) and self.found is None and not self.branches.is_open(branch):
            self.toggle(branch)
        else:
            self.action_down()

    def action_collapse(self) -> None:
        """Close the branch, or go to the one above."""
        target = self.cursor_target
        if isinstance(target, ToBranch) and self.branches.is_open(target) and self.found is None:
            self.toggle(target)
            return
        above = self._above(target)
        if above is not None and self.point_at(above):
            self.post_message(self.Pointed(self, above))

    def _above(self, target: Target | None) -> ToBranch | None:
        """The branch around a row."""
        if isinstance(target, ToEntry):
            ref = target.ref
            return ToBranch(ref.layer, ref.book, self.folder_of(ref) if self.found is None else "")
        if not isinstance(target, ToBranch) or target.book is None:
            return None
        if target.folder:
            return ToBranch(target.layer, target.book, target.folder.rpartition("/")[0])
        return ToBranch(target.layer)
