"""Files for the tree: attach one to a layer, export a book or the marked entries, add entries from a template."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import on
from textual.message import Message

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError
from lorebook_tui.model.layers import Layer
from lorebook_tui.tui.screens.tree_clips import TreeClips
from lorebook_tui.tui.search import Candidate
from lorebook_tui.tui.targets import ToBranch
from lorebook_tui.workspace import edits, exchange, placing
from lorebook_tui.workspace.files import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.exchange import Converted
    from lorebook_tui.workspace.placing import Place
    from lorebook_tui.workspace.templates import Template
    from lorebook_tui.workspace.workspace import Workspace

_MOST_LOSSES: Final = 10


class FileRead(Message):
    """A file that was chosen is read, or cannot be."""

    def __init__(
        self,
        path: Path,
        layer: Layer,
        source: Source | None = None,
        error: LorebookError | None = None,
        imported: Converted | None = None,
    ) -> None:
        super().__init__()
        self.path = path
        self.layer = layer
        self.source = source
        self.error = error
        self.imported = imported
        """Another product's lorebook, made into a world."""


class TreeFiles(TreeClips):
    """The part of the workbench."""

    _picked_in: Path | None = None
    """The folder where a file was chosen last."""

    def folder_of_files(self) -> Path:
        """Where new files go: beside the workspace file, else beside the first open file, else where we are."""
        workspace = self.desk.workspace if self.desk is not None else None
        if workspace is not None and workspace.file is not None:
            return workspace.file.parent
        sources = workspace.sources if workspace is not None else ()
        return sources[0].path.parent if sources else Path()

    # Attach

    def action_attach(self) -> None:
        """Choose a file; its book joins the layer under the cursor."""
        from lorebook_tui.tui.screens.file_picker import FilePicker  # noqa: PLC0415 - late, as all dialogs

        layer = self.layer_here

        def chosen(path: Path | None) -> None:
            if path is not None:
                self._picked_in = path.parent
                self.work("attach", lambda: self.post_message(read_file(path, layer)))

        title = f"Attach a file to the layer {layer.value}"
        self.app.push_screen(FilePicker(title, self._picked_in or self.folder_of_files(), self.glyphs), chosen)

    @on(FileRead)
    def _file_read(self, event: FileRead) -> None:
        event.stop()
        source, layer = event.source, event.layer
        if event.imported is not None:
            self._tell_losses("Import", "It becomes a world:", event.imported, lambda made: self._import(made, layer))
        elif event.error is not None:
            self.tell_error(event.error)
        elif source is not None and self.desk is not None:
            known = exchange.known_source(self.desk.workspace, source)
            if known is source:
                self.desk.know(source)
            self._attach_source(known, layer)

    def _import(self, converted: Converted, layer: Layer) -> None:
        """A world made of another product's lorebook: a new file, beside the others once it is saved."""
        self._attach_source(exchange.new_source(converted, self.folder_of_files()), layer)

    def _attach_source(self, source: Source, layer: Layer) -> None:
        self.try_edit(lambda workspace: edits.attach(workspace, exchange.known_source(workspace, source), layer))
        books = self.desk.workspace.of(layer) if self.desk is not None else ()
        if books and books[-1].source.ident == source.ident:
            self.layer_tree.choose_branch(ToBranch(layer, len(books) - 1))

    # Export

    def action_export(self) -> None:
        """Write the marked entries, else the book under the cursor, as a file of a format; told first what is lost."""
        where, scene = self.here, self.scene
        marked = tuple(self.in_tree_order(self.layer_tree.marked))
        if self.desk is None or scene is None or (where is None and not marked):
            self.tell("There is no book here to export.")
            return
        layer, book = (marked[0].layer, marked[0].book) if marked else (where.layer, where.book)  # type: ignore[union-attr]
        if any((ref.layer, ref.book) != (layer, book) for ref in marked):
            self.tell("Entries of several books cannot be exported together.", severity="warning")
            return
        offers = [
            Candidate(title, ToBranch(layer, number), about) for number, (_, title, about) in enumerate(exchange.SHAPES)
        ]
        what = edits.counted(len(marked)) if marked else "the book"

        def go(target: ToBranch) -> None:
            self._export(layer, book, marked, exchange.SHAPES[target.book or 0])

        self.choose_among(f"Export {what} as", offers, go, cells=20)

    def _export(self, layer: Layer, book: int, marked: tuple[EntryRef, ...], target: tuple[str, str, str]) -> None:
        assert self.desk is not None  # noqa: S101 - asked before
        from lorebook_tui.workspace.shapes import exported  # noqa: PLC0415 - all formats, only where one is written

        try:
            converted = exported(self.desk.workspace, layer, book, target[0], marked)
        except LorebookError as error:
            self.tell_error(error)
            return
        self._tell_losses("Export", f"As a {target[1]}:", converted, self._ask_export_path)

    def _tell_losses(self, title: str, heading: str, converted: Converted, then: Callable[[Converted], None]) -> None:
        """Say what is lost or changed, and go on if that is fine."""
        lost = converted.summary()
        if not lost:
            then(converted)
            return
        from lorebook_tui.tui.ink import Paragraph, Row, Span  # noqa: PLC0415 - only for the question
        from lorebook_tui.tui.screens import asking  # noqa: PLC0415 - as above

        told: list[Block] = [asking.said(heading)]
        for loss, count in lost[:_MOST_LOSSES]:
            times = f" ({count:,} times)" if count > 1 else ""
            field = (Span(f"{loss.field}: ", "label"),) if loss.field else ()
            ink = "cut" if loss.fate.value == "lost" else "near"
            spans = (Span(f"{loss.fate.value} ", ink), *field, Span(loss.message + times))
            told.append(Paragraph(spans, lead=(Span("· " if not self.glyphs.letters else "- ", "faint"),), hang=2))
        if len(lost) > _MOST_LOSSES:
            told.append(Row((Span(f"  and {len(lost) - _MOST_LOSSES} more kinds", "muted"),)))
        self.app.push_screen(
            asking.Confirmation(title, told, yes="go on", no="stop"), lambda yes: then(converted) if yes else None
        )

    def _ask_export_path(self, converted: Converted) -> None:
        from lorebook_tui.tui.screens.file_picker import FilePicker  # noqa: PLC0415 - late, as all dialogs

        folder = self._picked_in or self.folder_of_files()
        name = exchange.free_name(folder, converted.loaded.name)

        def chosen(path: Path | None) -> None:
            if path is not None:
                self._picked_in = path.parent
                self._write_export(converted, path)

        self.app.push_screen(FilePicker("Export to", folder, self.glyphs, name=name), chosen)

    def _write_export(self, converted: Converted, path: Path, *, force: bool = False) -> None:
        from lorebook_tui.workspace.store_errors import FileThereError  # noqa: PLC0415 - only where something is written

        if self.desk is None:
            return
        try:
            written = exchange.write_export(self.desk.workspace, converted, path, force=force)
        except FileThereError:
            self._ask_replace(converted, path)
        except LorebookError as error:
            self.tell_error(error)
        else:
            count = sum(len(book.entries) for book in converted.loaded.books)
            self.tell(f"Exported {edits.counted(count)} to {written}.")

    def _ask_replace(self, converted: Converted, path: Path) -> None:
        from lorebook_tui.tui.screens import asking  # noqa: PLC0415 - only for the question

        kept = asking.said("A copy of it is kept as a backup.", "muted")
        told: list[Block] = [asking.said(f"There is a file {path} already."), kept]
        self.app.push_screen(
            asking.Confirmation("Replace a file", told, yes="replace it", no="stop"),
            lambda yes: self._write_export(converted, path, force=True) if yes else None,
        )

    # Templates

    def action_new_from(self) -> None:
        """Choose a template and fill in its blanks; its entries join the folder or book under the cursor."""
        from lorebook_tui.tui.screens.chooser import Chooser  # noqa: PLC0415 - late, as all dialogs
        from lorebook_tui.workspace import own_templates, places  # noqa: PLC0415 - as above

        shelf = own_templates.shelf(places.config_folder())
        for problem in shelf.problems[:1]:
            self.tell_error(problem)
        offers = [
            Candidate(each.title, ToBranch(Layer.GLOBAL, number), each.purpose, section=each.group)
            for number, each in enumerate(shelf.templates)
        ]

        def chosen(target: object) -> None:
            if isinstance(target, ToBranch):
                self._ask_blanks(shelf.templates[target.book or 0], {})

        self.app.push_screen(Chooser("Add from a template", offers, self.glyphs, title_cells=30), chosen)

    def _ask_blanks(self, template: Template, answers: Mapping[str, str]) -> None:
        """Ask for one blank after the other; an empty answer takes the example."""
        blank = next((each for each in template.blanks if each.name not in answers), None)
        if blank is None:
            place = self.here
            if place is None:
                self.in_new_book(self.layer_here, lambda made: self._add_template(template, answers, made))
            else:
                self._add_template(template, answers, place)
            return
        from lorebook_tui.tui.screens import asking  # noqa: PLC0415 - only for the question

        number = len(answers) + 1
        question = asking.said(f"{number} of {len(template.blanks)}: {blank.question}")
        told: list[Block] = [asking.said(template.purpose, "muted"), question]

        def answered(answer: str | None) -> None:
            if answer is not None:
                self._ask_blanks(template, {**answers, blank.name: answer})

        self.app.push_screen(asking.Question(template.title, told, value=blank.example), answered)

    def _add_template(self, template: Template, answers: Mapping[str, str], place: Place) -> None:
        def make(workspace: Workspace) -> Edited:
            return placing.insert(
                workspace, place, template.filled(answers), f"add {quote(template.title)} from a template"
            )

        if self.edit(make):
            for note in template.notes[:2]:
                self.tell(note, title=template.title)


def read_file(path: Path, layer: Layer) -> FileRead:
    """A file for a layer; for a thread, as it reads it."""
    try:
        found = exchange.opened_or_imported(path)
    except LorebookError as error:
        return FileRead(path, layer, error=error)
    return FileRead(path, layer, found) if isinstance(found, Source) else FileRead(path, layer, imported=found)
