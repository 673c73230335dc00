"""The rows of the form, with a cursor; what their keys mean is for the form around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.targets import ToField
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from textual import events
    from textual.binding import BindingType

    from lorebook_tui.tui.targets import Target
    from lorebook_tui.tui.widgets.form import EntryForm


class FormRows(LineView):
    """The rows; what their keys mean is for the form around them."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.ENTRY))

    @property
    def form(self) -> EntryForm:
        """The form around the rows."""
        stack = self.parent
        assert stack is not None  # noqa: S101 - the rows stand in a form
        return cast("EntryForm", stack.parent)

    @property
    def field_name(self) -> str:
        """The field under the cursor, for whoever explains it; "" if there is none."""
        target = self.target_under_cursor
        return target.name.partition(".")[0] if isinstance(target, ToField) else ""

    @property
    def target_under_cursor(self) -> Target | None:
        """What the cursor stands on."""
        if self.cursor is None or self.cursor >= len(self.blocks):
            return None
        return self.blocks[self.cursor].target

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """What lies over the rows moves with them."""
        super().watch_scroll_y(old_value, new_value)
        self.form.lay_over()

    def on_resize(self) -> None:
        """Another height gives the text another one."""
        super().on_resize()
        self.on_show()
        self.form.fit()

    def on_show(self) -> None:
        """What was chosen meanwhile is drawn when the pane comes into sight."""
        if not self.form.is_hidden:
            self.form.catch_up()

    def on_focus(self) -> None:
        """The help tells about the row under the cursor."""
        super().on_focus()
        self.form.pointed()

    def on_blur(self) -> None:
        """The chosen item is not marked while the cursor is elsewhere."""
        super().on_blur()
        self.form.pointed()

    def on_key(self, event: events.Key) -> None:
        """Digits begin to type where the cursor stands on a number."""
        if event.character and self.form.type_digit(event.character):
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """A paste on a list adds its items."""
        event.stop()
        self.form.paste(event.text)

    def action_edit_field(self) -> None:
        """Edit what the cursor stands on."""
        self.form.edit_at(self.target_under_cursor)

    def action_toggle_field(self) -> None:
        """Switch it, or take the next choice."""
        self.form.toggle()

    def action_step_down(self) -> None:
        """Less, or to the left."""
        self.form.step(-1)

    def action_step_up(self) -> None:
        """More, or to the right."""
        self.form.step(1)

    def action_add_item(self) -> None:
        """Begin to type a new key or item."""
        self.form.add_item()

    def action_reset_field(self) -> None:
        """Delete the item, or give the field its usual value."""
        self.form.reset()

    def action_move_back(self) -> None:
        """The item one place back."""
        self.form.move_item(-1)

    def action_move_on(self) -> None:
        """The item one place on."""
        self.form.move_item(1)

    def action_write_text(self) -> None:
        """Write in the text."""
        self.form.write()

    def action_fold_groups(self) -> None:
        """All groups open, or all closed."""
        self.form.fold_all()
