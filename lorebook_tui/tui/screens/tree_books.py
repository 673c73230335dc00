"""Work on branches of the tree: books and folders made, named, moved, attached and detached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.model.folder_edits import FolderEdit
from lorebook_tui.model.folders import Folder, joined, order_of, parent_of, tree
from lorebook_tui.model.layers import Layer
from lorebook_tui.tui.screens.tree_files import TreeFiles
from lorebook_tui.tui.search import Candidate
from lorebook_tui.tui.targets import ToBranch, ToEntry
from lorebook_tui.workspace import book_edits, edits, folder_edits
from lorebook_tui.workspace.edits import opened_at
from lorebook_tui.workspace.exchange import SHAPES
from lorebook_tui.workspace.placing import Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block
    from lorebook_tui.tui.widgets.tree_mouse import Drop
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.workspace import Workspace

_NEW_FOLDER: Final = "\0"
"""In front of the path of a folder that is not there yet; by itself: one whose name is still to be asked for."""


class TreeBooks(TreeFiles):
    """The part of the workbench."""

    # Books

    def action_new_book(self) -> None:
        """A new book in the layer under the cursor: format, then name."""
        self.in_new_book(self.layer_here, lambda place: self.layer_tree.point_at(ToBranch(place.layer, place.book)))

    def in_new_book(self, layer: Layer, then: Callable[[Place], object]) -> None:
        """Ask for a new book in a layer, make it in memory, and go on with it."""
        numbers = {number: name for number, (name, _, _) in enumerate(SHAPES)}
        offers = [Candidate(title, ToBranch(layer, number), about) for number, (_, title, about) in enumerate(SHAPES)]
        title = f"New book in the layer {layer.value}"
        self.choose_among(
            title, offers, lambda branch: self._ask_book_name(layer, numbers[branch.book or 0], then), cells=18
        )

    def _ask_book_name(self, layer: Layer, format_name: str, then: Callable[[Place], object]) -> None:
        from lorebook_tui.tui.screens import asking  # noqa: PLC0415 - only for the question

        folder = self.folder_of_files()
        told: list[Block] = [
            asking.said("What is the book called? Its file gets the same name."),
            asking.said(f"It is written into {folder.absolute()} when it is saved.", "muted"),
        ]

        def made(answer: str | None) -> None:
            if answer is None:
                return
            if self.edit(lambda workspace: book_edits.new_book(workspace, layer, format_name, folder, answer)):
                books = self.desk.workspace.of(layer) if self.desk else ()
                self.layer_tree.choose_branch(ToBranch(layer, len(books) - 1))
                then(Place(layer, len(books) - 1))

        def check(answer: str) -> object:
            workspace = self.desk.workspace if self.desk is not None else None
            return book_edits.new_path(workspace, folder, answer) if workspace is not None else None

        self.app.push_screen(asking.Question("New book", told, check=check, placeholder="name, such as harbour"), made)

    def rename_branch(self, branch: ToBranch) -> None:
        """A book or folder under another name, typed over its row."""
        layer, book, folder = branch.layer, branch.book, branch.folder
        if book is None:
            self.tell("A layer keeps its name.")
        elif folder:

            def renamed(workspace: Workspace, typed: str) -> Edited:
                return folder_edits.rename_folder(workspace, layer, book, folder, typed)

            self.name_in_place(branch, folder.rpartition("/")[2], renamed)
        else:

            def named(workspace: Workspace, typed: str) -> Edited:
                return book_edits.rename_book(workspace, layer, book, typed)

            self.name_in_place(branch, self.book_name(layer, book), named)

    def delete_branch(self, branch: ToBranch) -> None:
        """A folder goes and its entries stay; a book leaves its layer and its file stays."""
        layer, book = branch.layer, branch.book
        if book is None:
            self.tell("A layer stays. Delete on a book takes it out of its layer.")
        elif branch.folder:
            self.try_edit(lambda workspace: folder_edits.delete_folder(workspace, layer, book, branch.folder))
        elif self.desk is not None:
            self._ask_detach(layer, book, opened_at(self.desk.workspace, layer, book).source)

    def _ask_detach(self, layer: Layer, book: int, source: Source) -> None:
        from lorebook_tui.tui.screens import asking  # noqa: PLC0415 - only for the question

        told: list[Block] = [
            asking.said(f"Take {quote(self.book_name(layer, book))} out of the layer {layer.value}?"),
            asking.said(f"The file {source.path} stays on the disk.", "muted"),
        ]
        if self.desk is not None and self.desk.is_dirty(source):
            told.append(asking.said("It has changes that are not saved; they are kept until you leave.", "near"))
        self.app.push_screen(
            asking.Confirmation("Detach a book", told, yes="take it out", no="keep"),
            lambda yes: self.try_edit(lambda workspace: edits.detach(workspace, layer, book)) if yes else None,
        )

    def move_book_to(self, branch: ToBranch) -> None:
        """A book into another layer."""
        layer, book = branch.layer, branch.book or 0

        def go(target: ToBranch) -> None:
            self.try_edit(lambda workspace: book_edits.move_book(workspace, layer, book, target.layer))

        self.choose_among(f"Move {self.book_title(branch)} to the layer", self.layer_places(layer), go, cells=12)

    def copy_book_to(self, branch: ToBranch) -> None:
        """A book in one more layer."""
        layer, book = branch.layer, branch.book or 0

        def go(target: ToBranch) -> None:
            self.try_edit(lambda workspace: book_edits.copy_book(workspace, layer, book, target.layer))

        title = f"Attach {self.book_title(branch)} to one more layer"
        self.choose_among(title, self.layer_places(layer), go, cells=12)

    def book_title(self, branch: ToBranch) -> str:
        """A book's name for the title of a dialog, which is markup to Textual."""
        from rich.markup import escape  # noqa: PLC0415 - only for titles of dialogs

        from lorebook_tui.display import elide, plain  # noqa: PLC0415 - as above

        name = elide(plain(self.book_name(branch.layer, branch.book or 0), " "), 24)
        return "the book" if escape(name) != name or "[" in name else name

    def shift_branch(self, branch: ToBranch, step: int) -> None:
        """A book among those of its layer, or a folder among those beside it, one place up or down."""
        layer, book = branch.layer, branch.book
        if book is None:
            self.tell("The layers keep their order.")
        elif branch.folder:
            if self.edit(lambda workspace: shifted_folder(workspace, layer, book, branch.folder, step)):
                self.layer_tree.point_at(branch)
        else:
            count = len(self.scene.layers.of(layer)) if self.scene is not None else 0
            if not 0 <= book + step < count:
                self.tell("It is the first one already." if step < 0 else "It is the last one already.")
                return
            before = book - 1 if step < 0 else book + 2
            if self.edit(lambda workspace: book_edits.move_book(workspace, layer, book, layer, before)):
                self.layer_tree.point_at(ToBranch(layer, book + step))

    def drop_branch(self, dragged: ToBranch, drop: Drop, *, is_copy: bool) -> None:
        """A book dragged to another place or layer, or a folder into another one."""
        onto = drop.onto
        if not isinstance(onto, ToBranch) or dragged.book is None:
            return
        layer, book = dragged.layer, dragged.book
        if dragged.folder:
            self._drop_folder(dragged, onto)
        elif is_copy and onto.layer is not layer:
            self.try_edit(lambda workspace: book_edits.copy_book(workspace, layer, book, onto.layer))
        else:
            before = None if onto.book is None else onto.book + drop.is_after
            self.try_edit(lambda workspace: book_edits.move_book(workspace, layer, book, onto.layer, before))

    def _drop_folder(self, dragged: ToBranch, onto: ToBranch) -> None:
        layer, book = dragged.layer, dragged.book or 0
        if (onto.layer, onto.book) == (layer, book):
            self.try_edit(
                lambda workspace: folder_edits.move_folder(workspace, layer, book, dragged.folder, onto.folder)
            )
        else:
            self.tell("A folder stays in its book. Mark its entries with v and move them with b.", severity="warning")

    # Folders

    def action_folder(self) -> None:
        """Entries into a folder, old or new; on a book or folder: a new folder in it."""
        branch = self.row_branch
        if not self.layer_tree.marked and branch is not None:
            if branch.book is None:
                self.tell("Folders are in books: go to one.")
            else:
                self._ask_folder(branch, ())
            return
        refs = self.require_picked("put into a folder")
        if len({(ref.layer, ref.book) for ref in refs}) > 1:
            self.tell("Entries of several books cannot go into one folder.", severity="warning")
        elif refs:
            self._choose_folder(refs)

    def _choose_folder(self, refs: tuple[EntryRef, ...]) -> None:
        layer, book = refs[0].layer, refs[0].book
        root = self.layer_tree.order(layer, book).root
        paths = order_of(root) if root is not None else ()
        offers = [Candidate("a new folder", ToBranch(layer, book, _NEW_FOLDER), section="")]
        offers += [Candidate(path, ToBranch(layer, book, path), section="Folders") for path in paths]
        if paths:
            offers.append(Candidate("out of all folders", ToBranch(layer, book), section="Folders"))

        def made(name: str) -> Candidate:
            return Candidate(f"new folder {quote(name)}", ToBranch(layer, book, f"{_NEW_FOLDER}{name}"))

        def go(target: ToBranch) -> None:
            if target.folder == _NEW_FOLDER:
                self._ask_folder(ToBranch(layer, book), refs)
            else:
                path = target.folder.removeprefix(_NEW_FOLDER)
                self.try_edit(lambda workspace: folder_edits.put_into_folder(workspace, refs, path))

        self.choose_among(f"Put {edits.counted(len(refs))} into", offers, go, maker=made)

    def _ask_folder(self, branch: ToBranch, refs: tuple[EntryRef, ...]) -> None:
        """A name for a new folder; it takes the entries if there are any."""
        from lorebook_tui.tui.screens import asking  # noqa: PLC0415 - only for the question

        layer, book = branch.layer, branch.book or 0
        where = f"inside {quote(branch.folder)}" if branch.folder else f"in {quote(self.book_name(layer, book))}"

        def made(answer: str | None) -> None:
            if answer is None:
                return
            path = joined(branch.folder, answer)
            if refs:
                self.try_edit(lambda workspace: folder_edits.put_into_folder(workspace, refs, path))
            else:
                self.try_edit(lambda workspace: folder_edits.new_folder(workspace, layer, book, path))

        told: list[Block] = [asking.said(f"What is the new folder {where} called? A / makes folders in folders.")]
        self.app.push_screen(asking.Question("New folder", told, placeholder="name, such as NPCs"), made)

    # What is not saved

    def show_dirty(self) -> None:
        """The marks of books with changes that are not saved, and the one at the top."""
        desk = self.desk
        if desk is None:
            return
        dirty = {source.ident for source in desk.dirty}
        if self.is_unsaved != bool(dirty):
            self.is_unsaved = bool(dirty)
            self.show_status()
        self.layer_tree.set_dirty(
            {
                (layer, number)
                for layer in Layer
                for number, opened in enumerate(desk.workspace.of(layer))
                if opened.source.ident in dirty
            }
        )

    def require_picked(self, what: str) -> tuple[EntryRef, ...]:
        """The entries that are meant; says so if there are none."""
        refs = self.picked
        if not refs:
            row = self.row
            hint = "" if isinstance(row, ToEntry) else " Go to an entry, or mark some with v."
            self.tell(f"There is no entry here to {what}.{hint}")
        return refs


def shifted_folder(workspace: Workspace, layer: Layer, book: int, path: str, step: int) -> Edited:
    """A folder one place up or down among those beside it.

    Raises:
        UsageError: it is at that end already.
    """
    root = tree(opened_at(workspace, layer, book).book)
    parent = root.find(parent_of(path)) or root
    beside = [folder.path for folder in parent.folders]
    place = beside.index(path)
    if not 0 <= place + step < len(beside):
        raise UsageError("It is the first folder already." if step < 0 else "It is the last folder already.")
    beside[place], beside[place + step] = beside[place + step], beside[place]
    listed = _walked(root, parent.path, beside)
    return folder_edits.applied(
        workspace, layer, book, FolderEdit(f"move the folder {quote(path)}", listed=tuple(listed))
    )


def _walked(folder: Folder, changed: str, beside: list[str]) -> list[str]:
    """The paths of all folders from top to bottom, with those of one parent in another order."""
    inner = folder.folders
    if folder.path == changed:
        inner = tuple(sorted(inner, key=lambda each: beside.index(each.path)))
    found = [folder.path] if folder.path else []
    for each in inner:
        found += _walked(each, changed, beside)
    return found
