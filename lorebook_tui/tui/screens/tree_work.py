"""Work on the tree: entries made, named, switched, deleted, moved, marked and put in order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual import on

from lorebook_tui.display import quote
from lorebook_tui.model.fields import template
from lorebook_tui.model.folders import editor_order
from lorebook_tui.tui.screens.tree_books import TreeBooks
from lorebook_tui.tui.targets import ToBranch, ToEntry
from lorebook_tui.tui.widgets.layer_tree import LayerTree
from lorebook_tui.workspace import edits, order_edits, placing
from lorebook_tui.workspace.edits import FieldChange
from lorebook_tui.workspace.placing import Place

if TYPE_CHECKING:
    from lorebook_tui.glyphs import Mark
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.workspace import Workspace


class TreeWork(TreeBooks):
    """The part of the workbench."""

    def take_workspace(self, focus: tuple[EntryRef, ...] = ()) -> None:
        """The filter and the dirty signs follow."""
        super().take_workspace(focus)
        # whoever edits knows where they are: the next picture does not move the cursor
        self.has_chosen = self.has_chosen or self.chosen is not None
        if self.layer_tree.found is not None:
            self.refresh_filter()
        self.show_dirty()

    def settle_marked(self, before: Scene, scene: Scene, focus: tuple[EntryRef, ...]) -> None:
        """What was marked together stays so: at its new places if an edit moved it."""
        tree = self.layer_tree
        marked = tree.marked
        kept: list[EntryRef] = []
        if marked and len(focus) > 1:
            kept = [ref for ref in focus if scene.has(ref)]
        elif marked:
            unmoved = scene.unmoved(before)
            kept = [ref for ref in marked if (ref.layer, ref.book) in unmoved]
        if kept != marked:
            tree.mark(kept)
            self._count_marked()

    def show_marks(self) -> None:
        """The marks of the tree, with the numbers of what lasts."""
        self.layer_tree.set_marks(self.marks(), self.lasting())

    def lasting(self) -> dict[EntryRef, str]:
        """How many messages a sticky state, a cooldown or a delay still lasts at the shown turn."""
        picture = self.picture
        if picture is None or picture.replay is not self.replay:
            return {}
        from lorebook_tui.tui.lasting import lasting  # noqa: PLC0415 - with the engine, so that the screen stands sooner

        found = lasting(picture).items()
        return {ref: str(left) for index, left in found if (ref := self.ref_of(index)) is not None}

    def marks(self) -> dict[EntryRef, Mark]:
        """The marks of all entries that have one at the shown turn; none while entries have changed places."""
        if self.picture is not None and self.replay is not None and self.picture.replay is not self.replay:
            return dict(self.layer_tree.look.marks) if self.layer_tree.look is not None else {}
        return super().marks()

    # Entries

    def action_new_entry(self) -> None:
        """A new entry at the end of the folder or book under the cursor; its title is typed at once."""
        place = self.here
        if place is None:
            self.in_new_book(self.layer_here, self._new_entry)
        else:
            self._new_entry(place)

    def _new_entry(self, place: Place) -> None:
        if self.edit(lambda workspace: placing.insert(workspace, place, [template()], "add an entry")):
            self.clear_filter()
            self.action_rename()

    def action_duplicate(self) -> None:
        """A copy of each entry, right behind it."""
        refs = self.require_picked("duplicate")
        if refs:
            self.try_edit(lambda workspace: order_edits.duplicate_entries(workspace, refs))

    def action_switch(self) -> None:
        """Off if any is on, else on."""
        refs, scene = self.require_picked("switch on or off"), self.scene
        if not refs or scene is None:
            return
        disable = any(not scene.entry(ref).is_on("disable") for ref in refs)
        named = quote(scene.entry(refs[0]).title) if len(refs) == 1 else edits.counted(len(refs))
        told = f"{'disable' if disable else 'enable'} {named}"
        changes = [FieldChange(ref, "disable", disable) for ref in refs]
        self.edit(lambda workspace: edits.set_fields(workspace, changes, told))

    def action_delete(self) -> None:
        """Entries, after a question; a folder, whose entries stay; a book, whose file stays."""
        branch = self.row_branch
        if not self.layer_tree.marked and branch is not None:
            self.delete_branch(branch)
            return
        refs, scene = self.require_picked("delete"), self.scene
        if not refs or scene is None:
            return
        from lorebook_tui.tui.screens import asking  # noqa: PLC0415 - only for the question

        what = "this entry" if len(refs) == 1 else edits.counted(len(refs))
        told = [
            asking.said(f"Delete {what}?"),
            *asking.listed([scene.entry(ref).title for ref in refs]),
            asking.said(f"The file changes when it is saved; {self.undo_key} takes it back.", "muted"),
        ]
        self.app.push_screen(
            asking.Confirmation("Delete", told, yes="delete", no="keep"),
            lambda yes: self.try_edit(lambda workspace: edits.delete_entries(workspace, refs)) if yes else None,
        )

    def action_rename(self) -> None:
        """Another title, book name or folder name, typed over the row."""
        row, scene = self.row, self.scene
        if isinstance(row, ToBranch):
            self.rename_branch(row)
        elif isinstance(row, ToEntry) and scene is not None:
            ref = row.ref
            comment = scene.entry(ref).get("comment")
            before = comment if isinstance(comment, str) else ""
            self.name_in_place(row, before, lambda workspace, typed: titled(workspace, ref, typed))

    # Other places

    def action_move_to(self) -> None:
        """Entries into another book or folder; a book into another layer."""
        branch = self.row_branch
        if not self.layer_tree.marked and branch is not None and branch.book is not None and not branch.folder:
            self.move_book_to(branch)
            return
        refs = self.require_picked("move")
        if refs:
            own = {(ref.layer, ref.book) for ref in refs}
            leave_out = frozenset(own) if len(own) == 1 else frozenset()
            offers = self.places(with_folders=True, leave_out=leave_out)

            def go(place: Place) -> None:
                stays = replace(place, keeps_order=True)
                self.try_edit(lambda workspace: placing.move(workspace, refs, stays))

            self.choose_among(f"Move {edits.counted(len(refs))} to", offers, lambda target: self.at_place(target, go))

    def action_copy_to(self) -> None:
        """Copies of entries in another book; a book in one more layer."""
        branch = self.row_branch
        if not self.layer_tree.marked and branch is not None and branch.book is not None and not branch.folder:
            self.copy_book_to(branch)
            return
        refs = self.require_picked("copy")
        if refs:

            def go(place: Place) -> None:
                self.try_edit(lambda workspace: placing.copy(workspace, refs, place))

            offers = self.places(with_folders=True)
            self.choose_among(f"Copy {edits.counted(len(refs))} to", offers, lambda target: self.at_place(target, go))

    @on(LayerTree.Dropped)
    def _dropped(self, event: LayerTree.Dropped) -> None:
        """Something was dragged: entries to another place, a book or a folder."""
        event.stop()
        onto, dragged = event.drop.onto, event.dragged
        if isinstance(dragged, ToBranch):
            self.drop_branch(dragged, event.drop, is_copy=event.is_copy)
            return
        marked = self.layer_tree.marked
        refs = tuple(self.in_tree_order(marked)) if dragged.ref in marked else (dragged.ref,)
        if isinstance(onto, ToBranch):
            if onto.book is None:
                return
            place = Place(onto.layer, onto.book, None, onto.folder or "")
        elif onto.ref in refs:
            return
        else:
            place = self._beside(onto.ref, refs, is_after=event.drop.is_after)
        self.choose_entry(refs[0])
        make = placing.copy if event.is_copy else placing.move
        self.try_edit(lambda workspace: make(workspace, refs, place))

    def _beside(self, ref: EntryRef, moved: tuple[EntryRef, ...], *, is_after: bool) -> Place:
        """The place right before or behind an entry, in its folder."""
        before: int | None = ref.entry
        if is_after:
            assert self.scene is not None  # noqa: S101 - something of it was dragged
            order = editor_order(self.scene.book(ref.layer, ref.book))
            gone = {each.entry for each in moved if (each.layer, each.book) == (ref.layer, ref.book)}
            behind = [place for place in order[order.index(ref.entry) + 1 :] if place not in gone]
            before = behind[0] if behind else None
        return Place(ref.layer, ref.book, before, self.layer_tree.folder_of(ref))

    # Order

    def action_raise(self) -> None:
        """One place up among its neighbours: entries, a folder or a book."""
        self._shift(-1)

    def action_lower(self) -> None:
        """One place down."""
        self._shift(1)

    def _shift(self, step: int) -> None:
        branch = self.row_branch
        if not self.layer_tree.marked and branch is not None:
            self.shift_branch(branch, step)
            return
        refs = self.require_picked("move")
        if not refs:
            return
        if self.layer_tree.found is not None:
            self.tell("The filter hides what stands between: escape shows all entries.", severity="warning")
            return
        folders = {(ref.layer, ref.book, self.layer_tree.folder_of(ref)) for ref in refs}
        if len(folders) > 1:
            self.tell("Entries of several books or folders cannot be moved up or down together.", severity="warning")
            return
        beside = self.layer_tree.beside(refs[0])
        places = [beside.index(ref) for ref in refs]
        neighbour = min(places) - 1 if step < 0 else max(places) + 1
        if not 0 <= neighbour < len(beside):
            neighbour = min(places) if step < 0 else max(places)
            if len(places) == max(places) - min(places) + 1:
                self.tell("It is the first one already." if step < 0 else "It is the last one already.")
                return
        target = self._beside(beside[neighbour], refs, is_after=step > 0)
        group = ("order", refs[0].layer, refs[0].book)
        self.edit(lambda workspace: order_edits.place_entries(workspace, refs, target.before), group=group)

    # Marking

    def action_mark(self) -> None:
        """Mark or unmark the entry under the cursor, or all of a branch, and go on."""
        row, tree = self.row, self.layer_tree
        if isinstance(row, ToEntry):
            tree.toggle_mark(row.ref)
            tree.action_down()
        elif isinstance(row, ToBranch):
            inside, marked = tree.inside(row), tree.marked
            is_whole = set(inside) <= set(marked)
            tree.mark([ref for ref in marked if ref not in set(inside)] if is_whole else [*marked, *inside])
        self.tell_marked()

    def action_mark_up(self) -> None:
        """Mark the entry under the cursor and go up."""
        self._mark_along(-1)

    def action_mark_down(self) -> None:
        """Mark the entry under the cursor and go down."""
        self._mark_along(1)

    def _mark_along(self, step: int) -> None:
        row, tree = self.row, self.layer_tree
        if isinstance(row, ToEntry):
            tree.mark([*tree.marked, row.ref])
        (tree.action_down if step > 0 else tree.action_up)()
        row = self.row
        if isinstance(row, ToEntry):
            tree.mark([*tree.marked, row.ref])
            tree.range_start = row.ref

    def action_mark_range(self) -> None:
        """Mark all entries from the one that was marked last to this one."""
        if isinstance(self.row, ToEntry):
            self.layer_tree.mark_to(self.row.ref)
            self.tell_marked()

    def action_mark_all(self) -> None:
        """Mark all that the filter shows, or all of the book; unmark them if they all are."""
        tree, row = self.layer_tree, self.row
        if tree.found is not None:
            wanted = tree.listed()
        elif isinstance(row, ToEntry):
            wanted = tree.inside(ToBranch(row.ref.layer, row.ref.book))
        else:
            wanted = tree.inside(row) if isinstance(row, ToBranch) else []
        marked = tree.marked
        is_whole = bool(wanted) and set(wanted) <= set(marked)
        tree.mark([ref for ref in marked if ref not in set(wanted)] if is_whole else [*marked, *wanted])
        self.tell_marked()

    def clear_marked(self) -> bool:
        """No entry is marked; whether any was."""
        had = bool(self.layer_tree.marked)
        if had:
            self.layer_tree.mark(())
            self.tell_marked()
        return had

    @on(LayerTree.MarkAsked)
    def _mark_asked(self, event: LayerTree.MarkAsked) -> None:
        event.stop()
        if event.is_range:
            if self.layer_tree.range_start is None:
                self.layer_tree.range_start = self.chosen
            self.layer_tree.mark_to(event.ref)
        else:
            self.layer_tree.toggle_mark(event.ref)
        self.tell_marked()

    def tell_marked(self) -> None:
        """The pane's title says how many are marked; the form shows what they have in common."""
        self.show_entry()
        self._count_marked()

    def _count_marked(self) -> None:
        count = len(self.layer_tree.marked)
        self.query_one("#layers").border_title = f"Layers: {count:,} marked" if count else "Layers"


def titled(workspace: Workspace, ref: EntryRef, title: str) -> Edited:
    """An entry with another title; SillyTavern shows it only with `addMemo`."""
    entry = edits.entry_at(workspace, ref)
    changes = [FieldChange(ref, "comment", title)]
    if title.strip() and "addMemo" in entry.fields and not entry.is_on("addMemo") and entry.source is None:
        changes.append(FieldChange(ref, "addMemo", value=True))
    return edits.set_fields(workspace, changes, f"rename {quote(entry.title)} to {quote(title)}")
