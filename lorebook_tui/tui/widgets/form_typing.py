"""What is typed into the form: a value in the line, the text; when it is taken, refused, or kept for later.

Every change leaves through `commit`, at once and once; a value that is refused stays in the line with the reason, one
that is left half-typed is kept as a draft of its entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.containers import Vertical
from textual.widgets.text_area import Selection

from lorebook_tui.errors import UsageError
from lorebook_tui.model.fields import field_named
from lorebook_tui.tui.ink import Span
from lorebook_tui.tui.targets import ToField
from lorebook_tui.tui.views import form_state as views
from lorebook_tui.tui.views.form_lists import added, edited_item, is_list, items_in, with_items
from lorebook_tui.tui.views.form_values import (
    editable_text,
    parse,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.timer import Timer

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.js import Json
    from lorebook_tui.tui.ink import Line
    from lorebook_tui.tui.widgets.form_line import FieldLine
    from lorebook_tui.tui.widgets.form_rows import FormRows
    from lorebook_tui.tui.widgets.form_text import ContentArea

TEXT_AFTER: Final = 0.15
"""Seconds after the last letter until the text is taken."""


class Typing(Vertical):
    """The part of the form that takes what is typed: in the line, in the text. Drafts are kept by entry."""

    rows: FormRows
    line: FieldLine

    def prepare_editing(self, glyphs: Glyphs) -> None:
        """Nothing is shown and nothing edited yet."""
        self.look = views.Look(glyphs)
        self.subject: views.Subject | None = None
        self.key: object = None
        """Tells entries apart."""
        self.drafts: dict[object, dict[views.Place, str]] = {}
        """By entry: what was typed and neither taken nor given up."""
        self.refusal: UsageError | None = None
        """Why the value in the line was not taken."""
        self.news: Line = ()
        """About the key that is typed."""
        self.content: ContentArea | None = None
        self.stored_text = ""
        """The text as the entry has it."""
        self.commit: Callable[..., bool] = lambda *_, **__: False
        """Takes changes (name and value of fields), `group` and `told`; whether they were made."""
        self._timer: Timer | None = None

    # The line

    def begin(self, place: views.Place, text: str | None = None) -> None:
        """Edit a value in the line: what was half-typed before, or the stored value, selected.

        Args:
            place: field or item.
            text: what stands in the line instead.
        """
        if self.subject is None or (self.subject.is_many and place.name in views.IN_HEAD):
            return
        self.leave_line()
        self.look.editing, self.refusal, self.news = place, None, ()
        draft = self.look.drafts.get(place)
        shown = text if text is not None else draft if draft is not None else self.stored(place)
        self.draw()
        self.bring_line()
        self.line.open(place.name, shown, select=text is None)
        self.lay_over()
        self.pointed()

    def stored(self, place: views.Place) -> str:
        """The stored value as the line shows it."""
        if self.subject is None:
            return ""
        if place.item is not None:
            items = items_in(place.name, self.subject.value)
            item = items[place.item] if 0 <= place.item < len(items) else ""
            return item if isinstance(item, str) else ""
        row = field_named(place.name)
        value = self.subject.value(place.name)
        return editable_text(row, value) if row is not None and self.subject.is_common(place.name) else ""

    def take_line(self) -> bool:
        """Take what stands in the line; whether it was taken. What is refused stays, with the reason."""
        place = self.look.editing
        if place is None:
            return True
        try:
            changes = self._changes(place, self.line.value)
        except UsageError as error:
            self.refuse(error)
            return False
        if changes and not self.commit(changes):
            return False
        self._forget_draft(place)
        self.refusal = None
        return True

    def refuse(self, error: UsageError) -> None:
        """Say why, where it was typed."""
        self.refusal = error
        self.line.add_class("-refused")
        self.tell_help()

    def _changes(self, place: views.Place, text: str) -> list[tuple[str, Json]]:
        """What the text comes to; nothing if it is what is stored."""
        assert self.subject is not None  # noqa: S101 - nothing is edited without an entry
        if text == self.stored(place) and (place.item is not None or self.subject.is_common(place.name)):
            return []
        if place.item is not None:
            items = items_in(place.name, self.subject.value)
            if place.item == views.NEW:
                made = added(place.name, items, text)
            else:
                made = edited_item(place.name, items, place.item, text)
            return [] if made == items else [with_items(place.name, self.subject.value, made)]
        row = field_named(place.name)
        if row is None:
            return []
        return [(row.name, parse(row, text))]

    def line_changed(self) -> None:
        """Another letter: no refusal any more; what there is to say about the new value."""
        place = self.look.editing
        if place is None or self.subject is None:
            return
        self.refusal, self.news = None, ()
        self.line.remove_class("-refused")
        if place.name in {views.KEYS, views.SECONDARY}:
            self.ask("preview", self.line.value)
        elif place.item is None and self.line.value != self.stored(place):
            try:
                self._changes(place, self.line.value)
            except UsageError as error:
                self.news = (Span(f"{error.message} ", "near"), Span(error.hint, "muted"))
        self.tell_help()

    def leave_line(self) -> None:
        """Somebody goes elsewhere: take the value if it can be taken, else keep it as a draft."""
        place = self.look.editing
        if place is None:
            return
        text = self.line.value
        if not self.take_line():
            self.look.drafts[place] = text
        self.close_line()

    def put_aside(self) -> None:
        """Leave the stored value; keep what was typed."""
        place = self.look.editing
        if place is not None:
            if self.line.value not in {self.stored(place), ""}:
                self.look.drafts[place] = self.line.value
            else:
                self._forget_draft(place)
        self.close_line()
        self.rows.focus()

    def close_line(self) -> None:
        """The line goes; nothing is taken."""
        if self.look.editing is None:
            return
        self.look.editing, self.refusal, self.news = None, None, ()
        self.line.display = False
        self.draw()

    def _forget_draft(self, place: views.Place) -> bool:
        return self.look.drafts.pop(place, None) is not None

    def line_asked(self, what: str, text: str = "") -> None:
        """What a key in the line means."""
        place = self.look.editing
        if place is None:
            return
        if what == "give_up":
            self.put_aside()
        elif what == "left":
            self.leave_line()
        elif what == "paste":
            self.paste(text)
        elif self.take_line():
            goes_on = what == "take" and place.item == views.NEW and self.line.value.strip()
            self.close_line()
            if goes_on:
                self.choose_item(place.name, len(items_in(place.name, self.subject.value)) if self.subject else 0)
                self.begin(views.Place(place.name, views.NEW), "")
                return
            self.rows.focus()
            if what in {"up", "down"}:
                self.rows.action_up() if what == "up" else self.rows.action_down()

    # Lists

    def choose_item(self, name: str, number: int) -> None:
        """Put the cursor of a list on an item."""
        self.look.items[name] = number
        self.rows.forget_layouts()

    def paste(self, text: str) -> None:
        """Add the items of a pasted list; without a list under the cursor nothing."""
        name = self.look.editing.name if self.look.editing is not None else self.list_at_cursor
        if self.subject is None or not name or self.subject.is_many:
            return
        items = items_in(name, self.subject.value)
        try:
            made = added(name, items, text)
        except UsageError as error:
            self.refuse(error)
            return
        if self.commit([with_items(name, self.subject.value, made)]):
            self.say(f"{len(made) - len(items)} added.")

    @property
    def list_at_cursor(self) -> str:
        """The name of the list that the cursor stands on; "" for none."""
        target = self.rows.target_under_cursor
        return target.name if isinstance(target, ToField) and is_list(target.name) else ""

    # The text

    def write(self) -> None:
        """Go into the text: where one was, or behind what is there."""
        if self.content is not None and self.subject is not None and not self.subject.is_many:
            if self.content.selection == Selection():
                self.content.move_cursor(self.content.document.end)
            self.content.focus(scroll_visible=False)

    def text_typed(self) -> None:
        """The text was changed: take it once nobody types for a moment."""
        if self.content is None or self.content.value == self.stored_text:
            return
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(TEXT_AFTER, self.take_text)

    def take_text(self) -> None:
        """Take the text as it stands in the area."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        area, subject = self.content, self.subject
        if area is None or subject is None or subject.is_many or area.value == self.stored_text:
            return
        before, self.stored_text = self.stored_text, area.value
        if not self.commit([(views.CONTENT, self.stored_text)], group=("content", self.key)):
            self.stored_text = before

    def keep_text(self) -> None:
        """A text that could not be taken is kept as a draft of its entry, and tried again when one comes back to it."""
        area, subject = self.content, self.subject
        if area is None or subject is None or subject.is_many or area.read_only or area.value == self.stored_text:
            return
        self.look.drafts[views.Place(views.CONTENT)] = area.value

    def flush(self) -> None:
        """Take whatever is typed and can be taken; the rest is kept as a draft."""
        self.take_text()
        self.leave_line()

    # What is told

    def say(self, text: str) -> None:
        """Tell something in the line of the help, until the cursor moves."""
        self.news = (Span(text, "muted"),)
        self.tell_help()
        self.news = ()

    def help_line(self) -> Line:
        """Refusal, news of what is typed, or the help of the field."""
        if self.refusal is not None:
            return (
                Span(self.refusal.message, "cut"),
                Span(f" {self.refusal.hint}" if self.refusal.hint else "", "muted"),
            )
        if self.news:
            return self.news
        woken = self.content.waking_at_cursor() if self.content is not None and self.content.has_focus else ()
        if woken:
            return tuple(Span(text, ink) for text, ink in views.woken_words(woken))
        from lorebook_tui.tui.views.form_help import help_of  # noqa: PLC0415 - late, so that the screen stands sooner

        return help_of(self.rows.target_under_cursor, self.subject, self.look)

    # What the form does

    def draw(self) -> None:
        """Draw the rows."""
        raise NotImplementedError

    def lay_over(self) -> None:
        """Put the line where its row is."""
        raise NotImplementedError

    def bring_line(self) -> None:
        """Scroll to the row that is edited."""
        raise NotImplementedError

    def pointed(self) -> None:
        """Tell about the row under the cursor."""
        raise NotImplementedError

    def tell_help(self) -> None:
        """Tell about the row under the cursor, or why a value is refused."""
        raise NotImplementedError

    def go_to_field(self, name: str) -> bool:
        """Put the cursor on a field."""
        raise NotImplementedError

    def ask(self, what: str, name: str = "") -> None:
        """Leave something to the workbench."""
        raise NotImplementedError
