"""The drawer of settings: the budget's bar, rows that slide, and what the setting under the cursor does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.containers import Vertical
from textual.message import Message

from lorebook_tui.errors import LorebookError
from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.ink import Paragraph
from lorebook_tui.tui.targets import ToValue
from lorebook_tui.tui.views.sliders import FAR, Form, slider_help
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.tui.ink import Block
    from lorebook_tui.tui.views.sliders import SliderRow

_MOST_DIGITS = 16


class SettingsBar(LineView, can_focus=False):
    """The budget, so that it is seen to change wherever the phases have no room beside the drawer."""

    MOVES_CURSOR = False


class SliderRows(LineView):
    """The settings, a row each."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.SETTINGS))

    class Moved(Message):
        """A setting is to have another value."""

        def __init__(self, name: str, value: Any) -> None:
            super().__init__()
            self.name = name
            self.value = value

    class ResetAll(Message):
        """All settings are to be as in the file."""

    class Left(Message):
        """The drawer is to be closed."""

    class Typed(Message):
        """Something was typed, or cannot be taken."""

        def __init__(self, objection: str = "") -> None:
            super().__init__()
            self.objection = objection

    rows: Sequence[SliderRow] = ()
    typed: str = ""
    """Digits for the setting under the cursor that are not taken yet."""
    _key: str = ""

    def show_rows(self, rows: Sequence[SliderRow]) -> None:
        """Take the settings as they are now; what is half-typed stays."""
        self.rows = rows
        shown = [replace(row, typed=self.typed) if number == self.cursor else row for number, row in enumerate(rows)]
        self.show(shown)

    @property
    def row(self) -> SliderRow | None:
        """The setting under the cursor."""
        return self.rows[self.cursor] if self.cursor is not None and self.cursor < len(self.rows) else None

    def drop_typed(self) -> None:
        """Forget what is half-typed."""
        if self.typed:
            self.typed = ""
            self.show_rows(self.rows)

    def on_key(self, event: events.Key) -> None:
        """Remember the key: all digits are one action."""
        self._key = event.character or ""

    def action_type_value(self) -> None:
        """A digit more."""
        row = self.row
        is_digit = self._key.isascii() and self._key.isdigit()  # the palette calls this without a digit
        if row is None or not is_digit or row.slider.form not in {Form.TRACK, Form.NUMBER}:
            return
        self.typed = (self.typed + self._key)[:_MOST_DIGITS]
        self.show_rows(self.rows)
        self.post_message(self.Typed())

    def action_lower_value(self) -> None:
        """One step down."""
        self._slide(-1)

    def action_raise_value(self) -> None:
        """One step up."""
        self._slide(1)

    def action_lower_far(self) -> None:
        """Many steps down."""
        self._slide(-FAR)

    def action_raise_far(self) -> None:
        """Many steps up."""
        self._slide(FAR)

    def action_reset_value(self) -> None:
        """A digit less, else what the file says."""
        row = self.row
        if self.typed:
            self.typed = self.typed[:-1]
            self.show_rows(self.rows)
            self.post_message(self.Typed())
        elif row is not None and row.differs:
            self.post_message(self.Moved(row.slider.name, row.of_file))

    def action_reset_all(self) -> None:
        """What the file says, everywhere."""
        self.drop_typed()
        self.post_message(self.ResetAll())

    def action_take_typed(self) -> None:
        """Take the digits; without any, switch."""
        row = self.row
        if row is None:
            return
        if self.typed:
            try:
                value = row.slider.parsed(self.typed)
            except LorebookError as error:
                self.post_message(self.Typed(error.message))
                return
            self.drop_typed()
            self.post_message(self.Moved(row.slider.name, value))
        elif row.slider.form is Form.SWITCH:
            self.post_message(self.Moved(row.slider.name, not row.value))

    def action_leave_settings(self) -> None:
        """Drop the digits, else close."""
        if self.typed:
            self.drop_typed()
            self.post_message(self.Typed())
        else:
            self.post_message(self.Left())

    def _slide(self, steps: int) -> None:
        row = self.row
        if row is None:
            return
        self.drop_typed()
        value = row.slider.moved(row.value, steps)
        if value != row.value:
            self.post_message(self.Moved(row.slider.name, value))


class Settings(Vertical):
    """Bar, rows, help."""

    def compose(self) -> ComposeResult:
        """All three."""
        yield SettingsBar(id="settings-bar")
        yield SliderRows(id="settings-rows")
        yield SettingsBar(id="settings-help")

    def on_mount(self) -> None:
        """The title in our own words."""
        self.border_title = "Settings"

    @property
    def slider_rows(self) -> SliderRows:
        """The rows."""
        return self.query_one(SliderRows)

    def tell(self, bar: Sequence[Block], height: int, rows: Sequence[SliderRow]) -> None:
        """Show everything as it is now.

        Args:
            bar: the budget.
            height: its lines; 0 hides it.
            rows: the settings.
        """
        view = self.query_one("#settings-bar", SettingsBar)
        view.display = bool(height)
        view.styles.height = max(1, height)
        view.show(bar)
        self.slider_rows.show_rows(rows)
        self._tell_help()

    def _tell_help(self, objection: str = "") -> None:
        row = self.slider_rows.row
        if row is not None:
            shown = Paragraph(slider_help(row, objection), most=2)
            self.query_one("#settings-help", SettingsBar).show([shown])

    @on(LineView.Chosen)
    def _clicked(self, event: LineView.Chosen) -> None:
        """A click on a track moves it; one on the bar goes to the entry."""
        if isinstance(event.target, ToValue):
            event.stop()
            if event.target.value is not None:
                self.slider_rows.drop_typed()
                self.post_message(SliderRows.Moved(event.target.name, event.target.value))
            self._tell_help()

    @on(LineView.Pointed)
    def _pointed(self, event: LineView.Pointed) -> None:
        event.stop()
        self.slider_rows.typed = ""
        self.slider_rows.show_rows(self.slider_rows.rows)
        self._tell_help()

    @on(SliderRows.Typed)
    def _typed(self, event: SliderRows.Typed) -> None:
        event.stop()
        self._tell_help(event.objection)
