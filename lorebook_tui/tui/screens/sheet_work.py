"""Work on the sheet: many entries at once, each change seen before it is made."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.model.field_names import named_field
from lorebook_tui.tui.screens.arranged import SHEET
from lorebook_tui.tui.screens.asking import Confirmation, Question, said
from lorebook_tui.tui.screens.deciding import Decision
from lorebook_tui.tui.screens.editing import Editing
from lorebook_tui.tui.search import Candidate
from lorebook_tui.tui.targets import ToField
from lorebook_tui.tui.views.changes import change_blocks, hit_blocks
from lorebook_tui.tui.views.sheet_table import offered, with_column
from lorebook_tui.tui.widgets.sheet import EntrySheet
from lorebook_tui.workspace import bulk, bulk_changes, edits, field_input, guards
from lorebook_tui.workspace.renumbering import Numbering, renumber
from lorebook_tui.workspace.replacing import replace_text, replacement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.targets import Target
    from lorebook_tui.workspace.edits import Edited, FieldChange
    from lorebook_tui.workspace.facts import LoreFacts, TurnFacts
    from lorebook_tui.workspace.workspace import Workspace

    Changes = Callable[[Workspace], Sequence[FieldChange]]

_FIELDS: Final = {
    "a": ("content", "key", "secondary", "title"),
    "c": ("content",),
    "k": ("key", "secondary"),
    "t": ("title",),
}
"""Where to replace, by the key that chooses it."""


class SheetWork(Editing):
    """The part of the workbench."""

    @property
    def entry_sheet(self) -> EntrySheet:
        """The sheet."""
        return self.query_one(EntrySheet)

    def action_to_sheet(self) -> None:
        """The sheet in place of the form."""
        self.go_to_pane(SHEET)

    def go_to_pane(self, pane: str) -> None:
        """Whatever brings the sheet into sight draws its rows, as actions from the palette work on them."""
        super().go_to_pane(pane)
        if pane == SHEET:
            self.show_sheet()

    def show_sheet(self) -> None:
        """The rows anew, if the sheet is in sight."""
        scene, sheet = self.scene, self.entry_sheet
        if scene is None or SHEET not in self.in_sight():
            return
        sheet.set_scene(scene, self.glyphs)
        look = sheet.look
        assert look is not None  # noqa: S101 - just set
        counter = self.counter
        look.tokens = counter.count if counter is not None else _about
        look.marks = self.marks()
        look.picked = self.layer_tree.marked
        turns = self.turn_facts()
        look.fired = turns.fired if turns is not None else {}
        lore = self.lore_facts()
        look.folders = lore.folder if lore is not None else lambda _: ""
        found = self.layer_tree.found
        sheet.show(list(scene.refs()) if found is None else list(found), self.chosen)

    def show_turn(self) -> None:
        """The sheet follows the turn."""
        super().show_turn()
        self.show_sheet()

    def lore_facts(self) -> LoreFacts | None:
        """What is known of entries beside their fields."""
        raise NotImplementedError

    def turn_facts(self) -> TurnFacts | None:
        """What the replay knows of them."""
        raise NotImplementedError

    def meant(self) -> tuple[EntryRef, ...]:
        """The marked entries, else the one under the cursor."""
        target = self.entry_sheet.target
        return tuple(self.layer_tree.marked) or ((target.ref,) if target is not None else ())

    # Columns

    def action_column_left(self) -> None:
        """The column at the left."""
        self._go_to_column(-1)

    def action_column_right(self) -> None:
        """The column at the right."""
        self._go_to_column(1)

    def _go_to_column(self, step: int) -> None:
        look = self.entry_sheet.look
        if look is not None:
            look.at = max(0, min(look.at + step, len(look.columns) - 1))
            self.entry_sheet.redraw()

    def action_sort(self) -> None:
        """Up, down, as in the tree."""
        look = self.entry_sheet.look
        if look is None:
            return
        name = look.columns[look.at].name
        if look.sorted_by != name:
            look.sorted_by, look.is_descending = name, False
        elif not look.is_descending:
            look.is_descending = True
        else:
            look.sorted_by = ""
        self.show_sheet()

    def action_columns(self) -> None:
        """A list of all columns; choosing one shows or hides it."""
        look = self.entry_sheet.look
        if look is None:
            return
        from lorebook_tui.tui.screens.chooser import Chooser  # noqa: PLC0415 - late, so that the screen stands sooner

        shown = {each.name for each in look.columns}
        candidates = [
            Candidate(each.label, ToField(each.name), "shown" if each.name in shown else "") for each in offered()
        ]

        def chosen(target: Target | None) -> None:
            if isinstance(target, ToField):
                look.columns = with_column(look.columns, target.name)
                look.at = min(look.at, len(look.columns) - 1)
                self.show_sheet()

        self.app.push_screen(Chooser("Columns", candidates, self.glyphs), chosen)

    # Marks

    def action_pick(self) -> None:
        """Mark the row under the cursor, and go on."""
        target = self.entry_sheet.target
        if target is not None:
            marked = self.layer_tree.marked
            rest = [ref for ref in marked if ref != target.ref]
            self.layer_tree.mark(rest if len(rest) < len(marked) else [*marked, target.ref])
            self._marks_changed()
            self.entry_sheet.rows.action_down()

    def action_pick_all(self) -> None:
        """All rows, or none if all are marked."""
        refs = self.entry_sheet.refs
        is_all = set(refs) <= set(self.layer_tree.marked)
        self.layer_tree.mark(() if is_all else refs)
        self._marks_changed()

    def _marks_changed(self) -> None:
        look = self.entry_sheet.look
        if look is not None:
            look.picked = self.layer_tree.marked
            self.entry_sheet.redraw()

    # Changes of many entries

    def action_edit_cell(self) -> None:
        """The field of the column."""
        look, refs = self.entry_sheet.look, self.meant()
        if look is None or not refs or self.desk is None:
            return
        name = {"title": "comment"}.get(look.columns[look.at].name, look.columns[look.at].name)
        row = named_field(name)
        if row is None or name == "uid":
            self.tell(f"{look.columns[look.at].label} cannot be set.", severity="warning")
            return
        first = edits.entry_at(self.desk.workspace, refs[0])
        from lorebook_tui.tui.views.form_values import editable_text  # noqa: PLC0415 - late, so that the screen stands sooner

        value = editable_text(row.field, first.get(name)) if len(refs) == 1 else ""
        about = [said(f"{row.field.help}", "muted")]
        title = f"{row.field.label or name} of {edits.counted(len(refs))}"

        def check(text: str) -> object:
            return field_input.row_input(row.field, text)

        def answered(text: str | None) -> None:
            if text is not None:
                given = field_input.row_input(row.field, text)
                self.preview(lambda workspace: bulk.set_value(workspace, refs, given))

        self.app.push_screen(Question(title, about, value=value, check=check), answered)

    def action_set_fields(self) -> None:
        """Several fields at once, as the command line writes them."""
        refs = self.meant()
        if not refs:
            return

        def changes(text: str) -> Changes:
            given = [field_input.assignment(part) for part in _parts(text)]
            return lambda workspace: bulk.merged(
                change for each in given for change in bulk.set_value(workspace, refs, each)
            )

        self._ask(f"Set fields of {edits.counted(len(refs))}", "order=+10 sticky=3 key=+bell", changes)

    def action_renumber(self) -> None:
        """New orders: the lowest, the step, and how."""
        refs = self.meant() if len(self.meant()) > 1 else tuple(self.entry_sheet.refs)

        def changes(text: str) -> Changes:
            numbering = _numbering(text)
            return lambda workspace: renumber(workspace, refs, numbering)

        hint = "lowest step [down] [tree] [book|folder|group]"
        self._ask(f"New orders for {edits.counted(len(refs))}", hint, changes, value="100 10")

    def action_fill_titles(self) -> None:
        """First keys as titles."""
        refs = self.meant() if self.layer_tree.marked else tuple(self.entry_sheet.refs)
        self.preview(lambda workspace: bulk.fill_titles(workspace, refs))

    def action_tidy_keys(self) -> None:
        """Keys that are there twice."""
        refs = self.meant() if self.layer_tree.marked else tuple(self.entry_sheet.refs)
        self.preview(lambda workspace: bulk.dedupe_keys(workspace, refs))

    def _ask(self, title: str, hint: str, changes: Callable[[str], Changes], *, value: str = "") -> None:
        """Ask for a line, and show what it would change."""

        def check(text: str) -> None:
            try:
                changes(text)
            except LorebookError as error:
                if not (error.expected and error.found):
                    raise
                # What the field is for, which is the hint, helps less than what it takes.
                raise UsageError(f"{error.message} Expected: {error.expected}; found: {error.found}.") from error

        def answered(text: str | None) -> None:
            if text is not None:
                self.preview(changes(text))

        self.app.push_screen(Question(title, value=value, check=check, placeholder=hint), answered)

    def preview(self, changes: Changes) -> None:
        """Show every change, and make them if the user says so."""
        desk = self.desk
        if desk is None:
            return
        self.flush_form()
        try:
            found = tuple(changes(desk.workspace))
            edited = edits.set_fields(desk.workspace, found)
            files = bulk_changes.differences(desk.workspace, edited.workspace)
            guards.check([change for file in files for change in file.entries])
        except LorebookError as error:
            self.tell_error(error)
            return
        if not files:
            self.tell("Nothing would change.")
            return
        count = sum(len(change.fields) for file in files for change in file.entries)
        self._confirm(count, change_blocks(files), desk.workspace, edited)

    def _confirm(self, count: int, blocks: Sequence[Any], before: Workspace, edited: Edited) -> None:
        def make(workspace: Workspace) -> Edited:
            if workspace is not before:  # a file may be read again from the disk while the dialog stands
                raise UsageError("The files have changed meanwhile.", hint="Nothing was done. Look once more.")
            return edited

        def answered(is_wanted: bool | None) -> None:
            if is_wanted and self.edit(make):
                self.show_sheet()

        title = "1 change" if count == 1 else f"{count:,} changes"
        self.app.push_screen(Confirmation(title, blocks, yes="make them"), answered)

    # Find and replace

    def action_find_replace(self) -> None:
        """What to find, what to put, where."""
        refs = self.meant() if self.layer_tree.marked else tuple(self.entry_sheet.refs)

        def found(find: str | None) -> None:
            if find is None:
                return

            def put(text: str | None) -> None:
                if text is not None:
                    self._ask_where(refs, find, text)

            told = [said(f"Instead of {quote(find)}; of a pattern, $1 is its first group.", "muted")]
            self.app.push_screen(Question("Put", told, placeholder="a text; nothing deletes", takes_blank=True), put)

        told = [said("A text, or a pattern such as /bells?/i.", "muted")]
        asked = Question(f"Find in {edits.counted(len(refs))}", told, check=_pattern, takes_blank=True)
        self.app.push_screen(asked, found)

    def _ask_where(self, refs: tuple[EntryRef, ...], find: str, put: str) -> None:
        ways = (("a", "everywhere"), ("c", "in texts"), ("k", "in keys"), ("t", "in titles"))

        def answered(key: str | None) -> None:
            if key is not None:
                self._preview_hits(refs, find, put, _FIELDS[key])

        told = [said(f"{quote(find)} becomes {quote(put)}." if put else f"{quote(find)} is deleted.")]
        self.app.push_screen(Decision("Where?", told, ways, usual="a"), answered)

    def _preview_hits(self, refs: tuple[EntryRef, ...], find: str, put: str, fields: tuple[str, ...]) -> None:
        desk = self.desk
        if desk is None:
            return
        try:
            replaced = replace_text(desk.workspace, refs, replacement(find, put, fields))
            told = f"replace {quote(find)} by {quote(put)}" if put else f"delete {quote(find)}"
            edited = edits.set_fields(desk.workspace, replaced.changes, told)
            files = bulk_changes.differences(desk.workspace, edited.workspace)
            guards.check([change for file in files for change in file.entries])
        except LorebookError as error:
            self.tell_error(error)
            return
        if not replaced.hits:
            self.tell(f"{quote(find)} is nowhere to be found.")
            return
        titles = [edits.entry_at(desk.workspace, hit.ref).title for hit in replaced.hits]
        self._confirm(len(replaced.hits), hit_blocks(replaced.hits, titles), desk.workspace, edited)


def _about(text: str) -> int:
    from lorebook_tui.tokens.estimate import EstimateCounter  # noqa: PLC0415 - only until the vocabulary is there

    return EstimateCounter().count(text)


def _pattern(text: str) -> object:
    return replacement(text, "", ("content",))


def _parts(text: str) -> list[str]:
    """`order=+10 sticky=3` as its parts; quotes keep blanks together.

    Raises:
        UsageError: quotes that do not end.
    """
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError("The quotes do not end.", expected="field=value, in quotes if it has blanks") from error


def _numbering(text: str) -> Numbering:
    """`100 10 down tree book` as a numbering.

    Raises:
        UsageError: a word that cannot be meant.
    """
    numbers: list[float] = []
    given: dict[str, Any] = {}
    for word in text.split():
        if word in {"down", "descending"}:
            given["descending"] = True
        elif word in {"order", "tree"}:
            given["sequence"] = word
        elif word in {"all", "book", "folder", "group"}:
            given["within"] = word
        elif word not in {"up", "ascending"}:
            try:
                numbers.append(float(word))
            except ValueError:
                words = f"{quote(word)} says nothing here."
                raise UsageError(words, expected="100 10 [down] [tree] [book|folder|group]", found=word) from None
    given |= zip(("start", "step"), numbers, strict=False)
    numbering = Numbering(**given)
    if numbering.step <= 0:
        raise UsageError("The step leads nowhere.", expected="a number above 0")
    return numbering
