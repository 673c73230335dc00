"""The form of an entry: rows with a cursor, one line that edits in place, the text area, and the help under them.

The rows are drawn; only the text is a widget of its own all the time. The form changes no entry: it hands what was
typed to `commit` and is shown the new entry by the workbench.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Container
from textual.message import Message

from lorebook_tui.tui.ink import Paragraph
from lorebook_tui.tui.targets import ToField, ToGroup, ToItem
from lorebook_tui.tui.views.form_state import CONTENT, Place, label_cells
from lorebook_tui.tui.widgets.edges import OneLine
from lorebook_tui.tui.widgets.form_editing import FieldEditing
from lorebook_tui.tui.widgets.form_line import FieldLine
from lorebook_tui.tui.widgets.form_rows import FormRows
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.ink import Line
    from lorebook_tui.tui.views.form_state import Subject

_MOST_TEXT = 12
_LEAST_TEXT = 4
_TEXT_SHARE = 0.4
_DENSE = 15
"""Lines below which nothing stands between the parts of the form."""
_BESIDE_TITLE = 2
_BESIDE_ITEM = 6


class FormHelp(OneLine):
    """What the field under the cursor is, or why a value was refused."""

    def tell(self, line: Line) -> None:
        """Show a line, wrapped into the room there is."""
        self.show([Paragraph(line, most=2)], keep_place=False)


class EntryForm(FieldEditing):
    """All of it.

    Args:
        glyphs: signs or letters.
        id: of the pane.
        classes: of the pane.
    """

    class Asked(Message):
        """The user asks for something that the form cannot do itself."""

        def __init__(self, what: str, name: str = "") -> None:
            super().__init__()
            self.what = what
            """`choice`: from a list, for the field `name`; else an action of the workbench."""
            self.name = name

    def __init__(self, glyphs: Glyphs, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes=classes)
        self.rows = FormRows(id="form-rows")
        self.line = FieldLine(id="form-line")
        self.help = FormHelp(id="form-help")
        self.prepare_editing(glyphs)
        self.is_writing = False
        """The text has the focus: it takes the room it needs."""
        self.is_full = False
        """The text has all the room there is."""
        self.drawn_with: Glyphs | None = None
        """The signs of the last drawing."""
        self.waiting: tuple[Subject, object] | None = None
        """What is to be shown once the pane is in sight."""

    def compose(self) -> ComposeResult:
        """Rows with the line over them, the help below; the text area comes with the first entry."""
        with Container(id="form-stack"):
            yield self.rows
            yield self.line
        yield self.help

    def ask(self, what: str, name: str = "") -> None:
        """Leave something to the workbench."""
        self.post_message(self.Asked(what, name))

    # Showing

    def show(self, subject: Subject, key: object, *, at_once: bool = False) -> None:
        """Show an entry.

        Args:
            subject: the entry, or several.
            key: tells entries apart; another one starts at the top with an empty history of its text.
            at_once: even if the pane is out of sight, because it is about to come.
        """
        if self.is_hidden and not at_once:
            self.waiting = (subject, key)
            return
        self.waiting = None
        is_other = key != self.key
        if not is_other and subject.looks_like(self.subject) and self.drawn_with is self.look.glyphs:
            return
        self.drawn_with = self.look.glyphs
        if is_other:
            self.close_line()
            self.keep_text()
        self.subject, self.key = subject, key
        self.look.drafts = self.drafts.setdefault(key, {})
        if is_other:
            self.look.items = {}
        self._show_text(subject, is_other=is_other)
        self.fit(draw=False)
        self.draw(keep_place=not is_other)
        if is_other:
            self.rows.jump(0)

    def show_nothing(self) -> None:
        """There is no entry any more."""
        self.close_line()
        self.keep_text()
        self.waiting = self.subject = self.key = None
        self.look.drafts, self.look.items = {}, {}
        self.stored_text = ""
        if self.content is not None:
            self.content.load("")
            self.content.read_only = True
        self.rows.show([])

    @property
    def is_hidden(self) -> bool:
        """Whether the pane is out of sight: then nothing is drawn until it comes back."""
        return not all(node.display for node in self.ancestors_with_self)

    def catch_up(self) -> None:
        """Show what came while the pane was out of sight."""
        if self.waiting is not None:
            self.show(*self.waiting, at_once=True)
            self.ask("judge_entry")

    def _show_text(self, subject: Subject, *, is_other: bool) -> None:
        """Give the area the stored text; the very text that it holds already stays with its history."""
        area = self.content
        if area is None:
            from lorebook_tui.tui.widgets.form_text import ContentArea  # noqa: PLC0415 - late, so that the screen stands sooner

            area = self.content = ContentArea(id="content")
            self.query_one("#form-stack").mount(area, before=self.line)
        text = "" if subject.is_many else subject.entry.content
        if is_other or (text not in (self.stored_text, area.value)):
            area.set_waking({})
            area.load(text, keep_cursor=not is_other)
        self.stored_text = text
        refused = self.look.drafts.pop(Place(CONTENT), None) if is_other else None
        if refused is not None:
            area.replace_all(refused)

    def draw(self, *, keep_place: bool = True) -> None:
        """Draw the rows of what is shown; the cursor stays on its field."""
        if self.subject is None:
            return
        from lorebook_tui.tui.views.form import form_blocks  # noqa: PLC0415 - late, so that the screen stands sooner

        target = self.rows.target_under_cursor
        self.rows.show(form_blocks(self.subject, self.look), keep_place=keep_place)
        if target is not None:
            self.rows.cursor = self.rows.find(target)
        if self.rows.cursor is None:
            self.rows.cursor = next((n for n, block in enumerate(self.rows.blocks) if block.target is not None), None)
        self.lay_over()
        self.pointed()

    def fit(self, *, draw: bool = True) -> None:
        """Give the text its share of the height."""
        height = self.rows.size.height
        needed = self.content.wrapped_document.height + 1 if self.content is not None else 0
        wanted = max(_LEAST_TEXT, min(_MOST_TEXT, needed, int(height * _TEXT_SHARE)))
        if self.is_writing:
            wanted = max(wanted, min(needed + 1, height - 1))
        if self.is_full:
            wanted = max(_LEAST_TEXT, height - 1)
        is_dense = 0 < height < _DENSE
        if wanted != self.look.text_height or is_dense is not self.look.is_dense:
            self.look.text_height, self.look.is_dense = wanted, is_dense
            if draw:
                self.draw()
        elif draw:
            self.lay_over()
        if draw and self.is_writing:
            self.bring_text()

    def lay_over(self) -> None:
        """Put the text area and the line where their rows are."""
        rows, area, place = self.rows, self.content, self.look.editing
        top, width = rows.scroll_offset.y, rows.flow.width
        if area is not None:
            number = rows.find(ToField("content"))
            area.display = number is not None
            if number is not None:
                area.styles.offset = (0, rows.flow.top(number + 1) - top)
                area.styles.width, area.styles.height = max(1, width), self.look.text_height
        if place is not None:
            number = rows.find(ToField(place.name))
            if number is not None:
                left = _BESIDE_ITEM if place.item is not None else label_cells(width)
                left = min(_BESIDE_TITLE if place.name == "comment" else left, width // 2)
                self.line.styles.offset = (left, rows.flow.top(number + (place.item is not None)) - top)
                self.line.styles.width = max(1, width - left)

    def bring_line(self) -> None:
        """Scroll so that the row being edited is in sight."""
        place = self.look.editing
        number = self.rows.find(ToField(place.name)) if place is not None else None
        if number is not None and place is not None:
            self.rows.cursor = number
            self.rows.bring(number)
            if place.item is not None:
                self.rows.bring(number + 1)

    def bring_text(self) -> None:
        """Scroll so that the text is in sight, its heading above it."""
        number = self.rows.find(ToField("content"))
        if number is None:
            return
        self.rows.cursor = number
        self.rows.bring(number)
        bottom = self.rows.flow.top(number + 1) + self.look.text_height
        height = self.rows.size.height
        if bottom > self.rows.scroll_offset.y + height:
            self.rows.jump(min(self.rows.flow.top(number), bottom - height))

    def set_writing(self, *, writing: bool) -> None:
        """The text has the focus, or has lost it."""
        self.is_writing = writing
        self.fit()
        self.pointed()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Somebody goes into the text."""
        if event.widget is self.content:
            self.set_writing(writing=True)

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """Somebody leaves the text: it is taken."""
        if event.widget is self.content:
            self.take_text()
            if self.app.app_focus:
                self.set_writing(writing=False)

    def on_text_area_changed(self, event: Message) -> None:
        """Letters are typed into the text, or it was loaded."""
        event.stop()
        self.text_typed()
        if self.is_writing:
            self.fit()

    def on_text_area_selection_changed(self, event: Message) -> None:
        """The cursor of the text may stand in a key of another entry."""
        event.stop()
        if self.is_writing:
            self.tell_help()

    def on_content_area_wrapped(self, event: Message) -> None:
        """The text is as wide as it will be."""
        event.stop()
        self.fit()

    def on_input_changed(self, event: Message) -> None:
        """Letters are typed into the line."""
        event.stop()
        self.line_changed()

    def on_field_line_asked(self, event: FieldLine.Asked) -> None:
        """A key of the line."""
        event.stop()
        self.line_asked(event.what, event.text)

    # The cursor

    def go_to_field(self, name: str) -> bool:
        """Put the cursor on a field, its group opened; whether there is one."""
        if self.rows.find(ToField(name)) is None:
            self.look.folded = frozenset()
            self.draw()
        return self.rows.point_at(ToField(name), center=True)

    @on(LineView.Pointed)
    def _cursor_moved(self, event: LineView.Pointed) -> None:
        if event.view is self.rows:
            event.stop()
            self.pointed()

    @on(LineView.Chosen)
    def _row_chosen(self, event: LineView.Chosen) -> None:
        """A click: on an item it is chosen first and edited by the second click; on a switch it switches."""
        if isinstance(event.target, (ToField, ToGroup, ToItem)):
            event.stop()
            self.clicked(event.target)

    def pointed(self) -> None:
        """Tell about what the cursor stands on; mark the item of a list there."""
        target = self.rows.target_under_cursor
        has_cursor = self.rows.has_focus or self.look.editing is not None
        at = target.name if isinstance(target, ToField) and has_cursor else ""
        if at != self.look.at:
            self.look.at = at
            if self.subject is not None:
                self.draw()
                return
        self.tell_help()

    def tell_help(self) -> None:
        """Refusal, news of a key that is typed, or the help of the field."""
        self.help.tell(self.help_line())
