"""What the keys of the form do to the field under the cursor: edit, step, switch, reset, move, fold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.errors import UsageError
from lorebook_tui.model.fields import field_named
from lorebook_tui.tui.targets import ToField, ToGroup, ToItem
from lorebook_tui.tui.views import form_state as views
from lorebook_tui.tui.views.form_lists import items_in, moved, switched_filter, with_items
from lorebook_tui.tui.views.form_values import FieldKind, kind_of_field, reset_value, same_json, stepped
from lorebook_tui.tui.widgets.form_typing import Typing

if TYPE_CHECKING:
    from lorebook_tui.model.field_types import Field
    from lorebook_tui.tui.targets import Target


class FieldEditing(Typing):
    """The part of the form that edits. The rest of the form draws, and holds the widgets."""

    # The field under the cursor

    @property
    def row_at_cursor(self) -> Field | None:
        """The row of THE table that the cursor stands on."""
        target = self.rows.target_under_cursor
        return field_named(target.name) if isinstance(target, ToField) else None

    def edit_at(self, target: Target | None) -> None:
        """Edit what a target means."""
        if isinstance(target, ToGroup):
            self.fold(target.name)
        elif isinstance(target, ToItem):
            self._edit_item(target.name, target.item)
        elif isinstance(target, ToField):
            name = self.list_at_cursor
            row = field_named(target.name)
            if name and not (self.subject and self.subject.is_many):
                self._edit_item(name, self.look.items.get(name, 0))
            elif target.name == views.CONTENT:
                self.write()
            elif target.name == "characterFilter" and not (self.subject and self.subject.is_many):
                self.toggle()
            elif row is not None:
                self._edit_field(row)

    def _edit_field(self, row: Field) -> None:
        kind = kind_of_field(row)
        if self.subject is not None and self.subject.is_many and kind in {FieldKind.JSON, FieldKind.FILTER}:
            self.say("Edited one entry at a time.")
        elif kind in {FieldKind.SWITCH, FieldKind.THREE_WAY}:
            self._step_value(row, 1)
        elif row.choices:
            self.ask("choice", row.name)
        else:
            self.begin(views.Place(row.name))

    def _edit_item(self, name: str, number: int) -> None:
        count = len(items_in(name, self.subject.value)) if self.subject else 0
        row = field_named(name)
        if row is not None and row.choices:
            self.ask("choice", name)
        else:
            self.begin(views.Place(name, number if number < count else views.NEW))

    def clicked(self, target: Target) -> None:
        """A click on a row or on an item."""
        if isinstance(target, ToItem):
            is_chosen = self.look.items.get(target.name, 0) == target.item and self.look.at == target.name
            self.rows.cursor = self.rows.find(ToField(target.name))
            self.choose_item(target.name, target.item)
            self.look.at = target.name
            self.draw()
            count = len(items_in(target.name, self.subject.value)) if self.subject else 0
            if is_chosen or target.item == count:
                self.edit_at(target)
        elif not (isinstance(target, ToField) and self.list_at_cursor):
            self.edit_at(target)

    def toggle(self) -> None:
        """The next value of a switch or choice; other fields are edited."""
        target, row = self.rows.target_under_cursor, self.row_at_cursor
        if row is not None and kind_of_field(row) in {FieldKind.SWITCH, FieldKind.THREE_WAY, FieldKind.CHOICE}:
            self._step_value(row, 1)
        elif row is not None and row.name == "characterFilter" and self.subject and not self.subject.is_many:
            self.commit([(row.name, switched_filter(self.subject.value(row.name)))])
        else:
            self.edit_at(target)

    def step(self, step: int) -> None:
        """Less or more; left or right."""
        target, row, name = self.rows.target_under_cursor, self.row_at_cursor, self.list_at_cursor
        if isinstance(target, ToGroup):
            if self.subject is not None and views.is_open(target.name, self.look, self.subject) is (step < 0):
                self.fold(target.name)
        elif name and self.subject is not None:
            count = len(items_in(name, self.subject.value))
            self.choose_item(name, max(0, min(self.look.items.get(name, 0) + step, count)))
            self.tell_help()
        elif row is not None and row.name != "characterFilter" and kind_of_field(row) not in {
            FieldKind.TEXT, FieldKind.JSON,
        }:  # fmt: skip
            self._step_value(row, step)

    def _step_value(self, row: Field, step: int) -> None:
        if self.subject is not None:
            value = stepped(row, self.subject.value(row.name), self.subject.settings, step)
            if not same_json(value, self.subject.value(row.name)) or not self.subject.is_common(row.name):
                self.commit([(row.name, value)], group=("step", self.key, row.name))

    def type_digit(self, character: str) -> bool:
        """Begin to type a number where the cursor stands on one; whether it does."""
        row = self.row_at_cursor
        if row is None or kind_of_field(row) is not FieldKind.NUMBER or not (character.isdigit() or character == "-"):
            return False
        self.begin(views.Place(row.name), character)
        return True

    def add_item(self) -> None:
        """Type a new item of the list under the cursor, else a key."""
        if self.subject is None or self.subject.is_many:
            return
        name = self.list_at_cursor or views.KEYS
        self.go_to_field(name)
        self.choose_item(name, len(items_in(name, self.subject.value)))
        self._edit_item(name, self.look.items[name])

    def reset(self) -> None:
        """Forget the draft; else delete the item; else give the field its usual value."""
        row, name = self.row_at_cursor, self.list_at_cursor
        if self.subject is None:
            return
        drafts = [place for place in self.look.drafts if place.name == (name or (row.name if row else ""))]
        if drafts:
            for place in drafts:
                self._forget_draft(place)
            self.draw()
            self.say("What was half-typed is forgotten.")
        elif name and not self.subject.is_many:
            self._delete_item(name)
        elif row is not None and row.name != views.CONTENT:
            self._reset_field(row)

    def _delete_item(self, name: str) -> None:
        assert self.subject is not None  # noqa: S101 - asked before
        items, number = items_in(name, self.subject.value), self.look.items.get(name, 0)
        if number < len(items):
            made = [*items[:number], *items[number + 1 :]]
            if self.commit([with_items(name, self.subject.value, made)]):
                self.choose_item(name, min(number, max(0, len(made) - 1)))
                self.say("Deleted; u takes it back.")

    def _reset_field(self, row: Field) -> None:
        assert self.subject is not None  # noqa: S101 - asked before
        before = self.subject.value(row.name)
        try:
            value = reset_value(row, before)
        except UsageError as error:
            self.refuse(error)
            return
        if not (same_json(value, before) and self.subject.is_common(row.name)):
            self.commit([(row.name, value)])

    def move_item(self, step: int) -> None:
        """The item of a list one place further."""
        name = self.list_at_cursor
        if name and self.subject is not None and not self.subject.is_many:
            number = self.look.items.get(name, 0)
            made = moved(items_in(name, self.subject.value), number, step)
            if made is not None and self.commit([with_items(name, self.subject.value, made)]):
                self.choose_item(name, number + step)
                self.tell_help()

    def fold(self, name: str) -> None:
        """Open or close a group; the group of the JSON opens the JSON."""
        if name == views.RAW:
            self.ask("raw_json")
            return
        if self.subject is not None:
            self._close_groups(self.look.folded ^ {views.fold_key(name, self.subject)})

    def fold_all(self) -> None:
        """Open all groups; if all are open, close them."""
        if self.subject is None:
            return
        groups = (*(group.value for group in views.GROUPS), views.UNUSED)
        names = frozenset(views.fold_key(name, self.subject) for name in groups)
        self._close_groups(self.look.folded - names if self.look.folded & names else self.look.folded | names)

    def _close_groups(self, names: frozenset[str]) -> None:
        """Exactly these groups are closed, and will be at the next start."""
        self.look.folded = names
        self.ask("remember_folds")
        self.draw()
