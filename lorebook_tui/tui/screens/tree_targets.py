"""What an action on the tree is meant for, where things go, and the line in place for names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual import on
from textual.message import Message
from textual.widgets import Input

from lorebook_tui.display import plain
from lorebook_tui.model.folders import joined, parent_of
from lorebook_tui.model.layers import Layer
from lorebook_tui.tui.screens.tree_filter import TreeFilter
from lorebook_tui.tui.search import Candidate
from lorebook_tui.tui.targets import ToBranch, ToEntry
from lorebook_tui.tui.widgets.edges import PlainInput
from lorebook_tui.workspace.placing import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from textual import events

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.targets import Target
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.workspace import Workspace

NEW_BOOK: Final = -1
"""In place of a book's number: a book that is not there yet."""
_LEAST_ROOM = 12


class InPlace(PlainInput):
    """A line over a row of the tree."""

    class Cancelled(Message):
        """Escape was pressed in it."""

    async def on_key(self, event: events.Key) -> None:
        """Escape gives up."""
        if event.key == "escape":
            event.stop()
            event.prevent_default()
            self.post_message(self.Cancelled())


class TreeTargets(TreeFilter):
    """The part of the workbench."""

    _renamed: tuple[ToBranch | ToEntry, str, Callable[[Workspace, str], Edited]] | None = None
    """What the line in place names, its name before, and the edit."""

    # What is meant

    @property
    def row(self) -> Target | None:
        """What the cursor of the tree stands on."""
        return self.layer_tree.cursor_target

    @property
    def row_branch(self) -> ToBranch | None:
        """The layer, book or folder under the cursor; None on an entry."""
        row = self.row
        return row if isinstance(row, ToBranch) else None

    @property
    def picked(self) -> tuple[EntryRef, ...]:
        """The entries that an action is meant for, as the tree has them: marked ones, else those under the cursor."""
        tree, row = self.layer_tree, self.row
        if tree.marked:
            return tuple(self.in_tree_order(tree.marked))
        if isinstance(row, ToEntry):
            return (row.ref,)
        return tuple(tree.inside(row)) if isinstance(row, ToBranch) and row.folder else ()

    def in_tree_order(self, refs: Sequence[EntryRef]) -> Iterator[EntryRef]:
        """Entries as the tree shows them from top to bottom."""
        wanted = set(refs)
        for layer, book in sorted({(ref.layer, ref.book) for ref in refs}, key=lambda key: (key[0].number, key[1])):
            yield from (ref for ref in self.layer_tree.inside(ToBranch(layer, book)) if ref in wanted)

    @property
    def here(self) -> Place | None:
        """The end of the folder or book that the cursor is in; None if there is no book at all."""
        row = self.row
        if isinstance(row, ToEntry):
            ref = row.ref
            return Place(ref.layer, ref.book, None, self.layer_tree.folder_of(ref) or None)
        layer = row.layer if isinstance(row, ToBranch) else Layer.GLOBAL
        if isinstance(row, ToBranch) and row.book is not None:
            return Place(layer, row.book, None, row.folder or None)
        books = self.desk.workspace.of(layer) if self.desk else ()
        return Place(layer, 0) if books else None

    @property
    def layer_here(self) -> Layer:
        """The layer that the cursor is in."""
        row = self.row
        return row.ref.layer if isinstance(row, ToEntry) else row.layer if isinstance(row, ToBranch) else Layer.GLOBAL

    def book_name(self, layer: Layer, book: int) -> str:
        """What a book is called; foreign text."""
        return self.scene.book(layer, book).name if self.scene is not None else ""

    # Where things go

    def places(self, *, with_folders: bool, leave_out: frozenset[tuple[Layer, int]] = frozenset()) -> list[Candidate]:
        """Every book, with its folders, and a new book in every layer."""
        if self.scene is None:
            return []
        found = []
        for layer in Layer:
            for number, book in enumerate(self.scene.layers.of(layer)):
                path = f"{layer.value.capitalize()} {self.glyphs.step} {book.name}"
                if (layer, number) not in leave_out:
                    detail = f"{len(book.entries):,} entries" if len(book.entries) != 1 else "1 entry"
                    found.append(Candidate(path, ToBranch(layer, number), detail, section="Books"))
                root = self.layer_tree.order(layer, number).root if with_folders else None
                for folder in root.walk() if root is not None else ():
                    if folder.path:
                        target = ToBranch(layer, number, folder.path)
                        found.append(Candidate(f"{path} {self.glyphs.step} {folder.path}", target, section="Books"))
        for layer in Layer:
            title = f"{layer.value.capitalize()} {self.glyphs.step} a new book"
            found.append(Candidate(title, ToBranch(layer, NEW_BOOK), section="New books"))
        return found

    def layer_places(self, leave_out: Layer | None = None) -> list[Candidate]:
        """Every layer."""
        about = {
            Layer.GLOBAL: "in every chat",
            Layer.CHARACTER: "with this character",
            Layer.PERSONA: "with this persona",
            Layer.CHAT: "in this chat",
        }
        return [
            Candidate(layer.value.capitalize(), ToBranch(layer), about[layer], str(layer.number))
            for layer in Layer
            if layer is not leave_out
        ]

    def choose_among(
        self,
        title: str,
        offers: Sequence[Candidate],
        then: Callable[[ToBranch], object],
        *,
        cells: int = 44,
        maker: Callable[[str], Candidate | None] | None = None,
    ) -> None:
        """Let the user choose a branch, or have one made of what was typed."""
        from lorebook_tui.tui.screens.chooser import Chooser  # noqa: PLC0415 - late, so that the screen stands sooner

        def chosen(target: Target | None) -> None:
            if isinstance(target, ToBranch):
                then(target)

        keyed = 3 if any(offer.key for offer in offers) else 0
        dialog = Chooser(title, offers, self.glyphs, key_cells=keyed, title_cells=cells, maker=maker)
        self.app.push_screen(dialog, chosen)

    # The line in place

    def name_in_place(self, target: ToBranch | ToEntry, name: str, make: Callable[[Workspace, str], Edited]) -> None:
        """Let the user type another name over the row.

        Args:
            target: whose name it is.
            name: as it is now; foreign text.
            make: the edit, given what was typed.
        """
        self.end_naming()
        tree = self.layer_tree
        row = tree.find(target)
        if row is None:
            return
        tree.bring(row)
        self._renamed = (target, plain(name, " "), make)
        line = InPlace(self._renamed[1], id="inplace", compact=True, select_on_focus=True)
        pane, content = tree.parent, tree.content_region
        indent = _indent_of(target, tree.blocks[row])
        left = content.x - (pane.content_region.x if pane is not None else 0) + indent  # type: ignore[attr-defined]
        top = content.y - (pane.content_region.y if pane is not None else 0) + row - tree.scroll_offset.y  # type: ignore[attr-defined]
        line.styles.offset = (left, top)
        line.styles.width = max(_LEAST_ROOM, content.width - indent)
        self.query_one("#layers").mount(line)
        line.focus()

    @on(Input.Submitted, "#inplace")
    def _name_taken(self, event: Input.Submitted) -> None:
        event.stop()
        if self._make_name(event.value):
            self.end_naming()

    @on(Input.Blurred, "#inplace")
    def _name_left(self, event: Input.Blurred) -> None:
        """Leaving the line takes what was typed, if it can be taken."""
        event.stop()
        if self._renamed is not None and (not event.value.strip() or self._make_name(event.value)):
            self.end_naming(refocus=False)

    @on(InPlace.Cancelled)
    def _name_given_up(self, event: InPlace.Cancelled) -> None:
        event.stop()
        self.end_naming()

    def _make_name(self, typed: str) -> bool:
        """Make the edit; whether the line can go."""
        if self._renamed is None:
            return True
        target, before, make = self._renamed
        if typed == before:
            return True
        is_made = self.edit(lambda workspace: make(workspace, typed))
        if is_made and isinstance(target, ToBranch) and target.folder:
            path = joined(parent_of(target.folder), typed.strip())
            self.layer_tree.choose_branch(ToBranch(target.layer, target.book, path))
        return is_made

    def end_naming(self, *, refocus: bool = True) -> None:
        """Take the line away."""
        self._renamed = None
        for line in self.query(InPlace):
            line.remove()
        if refocus:
            self.layer_tree.focus(scroll_visible=False)

    def in_new_book(self, layer: Layer, then: Callable[[Place], object]) -> None:
        """Ask for a new book in a layer, and go on with it."""
        raise NotImplementedError

    def at_place(self, branch: ToBranch, then: Callable[[Place], object]) -> None:
        """Go on with the place that was chosen, after a new book was made if that was."""
        if branch.book is None or branch.book == NEW_BOOK:
            self.in_new_book(branch.layer, then)
        else:
            then(Place(branch.layer, branch.book, None, branch.folder or None))

    def try_edit(self, make: Callable[[Workspace], Edited]) -> None:
        """Make an edit and say what it was."""
        before = self.desk.revision if self.desk else 0
        if self.edit(make) and self.desk is not None and self.desk.revision != before:
            self.tell(f"Did: {self.desk.undo_told}. ({self.undo_key} takes it back)")

    @property
    def undo_key(self) -> str:
        """The key that takes an edit back."""
        from lorebook_tui.tui.actions import effective, named  # noqa: PLC0415 - the user's key may be another one

        return effective(named("global.undo")).key_text


def _indent_of(target: ToBranch | ToEntry, row: object) -> int:
    """Cells in front of the name in its row."""
    if isinstance(target, ToEntry):
        return 2 * (getattr(row, "depth", 0) + 1) + 4
    return 2 * (target.folder.count("/") + 2) + 2 if target.folder else 4
