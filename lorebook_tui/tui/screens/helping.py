"""Help that teaches: keys, references, the palette, the tour, letters to jump by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.model.layers import EntryRef
from lorebook_tui.tui.actions import Scope, named
from lorebook_tui.tui.screens.arranged import ENTRY, LAYERS, SCOPES
from lorebook_tui.tui.screens.touring import Touring
from lorebook_tui.tui.targets import ToAction, ToBook, ToBranch, ToEntry, ToField, ToReference, ToSetting, ToTheme
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from types import ModuleType

    from textual.screen import Screen

    from lorebook_tui.model.field_types import Field
    from lorebook_tui.tui.action_types import Action
    from lorebook_tui.tui.screens.jumping import Spot
    from lorebook_tui.tui.search import Candidate
    from lorebook_tui.tui.targets import Target

_MOST_NOTICES = 3
_SHORT = 12
"""Rows below which the lines of panes and keys give way."""
_PANES = {scope: pane for pane, scope in SCOPES.items()}


class Helping(Touring):
    """The part of the workbench."""

    def on_mount(self) -> None:
        """What the configuration says about this screen, and what is wrong with it."""
        # Textual calls the handler of each class by itself, and a class above may call this one again.
        preferences = getattr(self.app, "preferences", None)
        if preferences is not None:
            self.simulate_after = preferences.delay / 1000
        self.tour_is_due = getattr(self.app, "tour_is_due", False)
        found: list[str] = getattr(self.app, "start_notices", [])
        notices = list(found)
        found.clear()
        for notice in notices[:_MOST_NOTICES]:
            self.tell(notice, title="Configuration", severity="warning")
        if len(notices) > _MOST_NOTICES:
            more = len(notices) - _MOST_NOTICES
            self.tell(f"{more} more: `lorebook config --check` lists them.", title="Configuration", severity="warning")

    def settle_panes(self) -> None:
        """Where there is hardly room the pane and the status line are all that is shown."""
        self.set_class(self.size.height < _SHORT, "-short")
        super().settle_panes()

    # Asking and answering

    def ask(self, dialog: Screen[Target | None]) -> None:
        """Show a dialog, and do what is chosen in it."""
        self.app.push_screen(dialog, self._answered)

    async def _answered(self, target: Target | None) -> None:
        if target is None:
            return
        reason = self.why_not(named(target.name)) if isinstance(target, ToAction) else ""
        if reason:
            self.tell(reason, title="Not now")
        else:
            await self.follow_target(target)

    async def follow_target(self, target: Target) -> None:
        """Do what a click or Enter on a place means."""
        raise NotImplementedError

    def follow_teaching(self, target: Target) -> None:
        """Do what choosing a book, field, setting or theme means."""
        match target:
            case ToBook(layer, book):
                self.show_book(layer, book)
            case ToField(name):
                self.open_field(name)
            case ToReference(name):
                self.show_field_help(name)
            case ToSetting(name):
                self.open_setting(name)
            case ToTheme(name):
                self._use_theme(name)
            case _:
                raise TypeError(target)

    def _use_theme(self, name: str) -> None:
        choose: Any = getattr(self.app, "choose_theme", None)
        if choose is not None:
            choose(name)

    async def do(self, name: str) -> None:
        """Do what the key of an action would do, in the pane where it works."""
        action = named(name)
        pane = _PANES.get(action.scope)
        place: Any = self.focused if action.scope is not Scope.GLOBAL and self.focused is not None else self
        if pane is not None and pane != self.pane_of_focus():
            self.go_to_pane(pane)
            place = self.widget_of(pane)
        await self.app.run_action(action.call or action.name, default_namespace=place)

    def why_not(self, action: Action) -> str:
        """Why an action can do nothing now, as a sentence; "" if it can.

        A part of the screen says so by a method `why_not_NAME`.
        """
        asked = getattr(self, f"why_not_{action.name}", None)
        return str(asked()) if callable(asked) else ""

    def why_not_previous_turn(self) -> str:
        """At the first turn."""
        return "" if self.turn > 0 else "This is the first turn."

    why_not_first_turn = why_not_previous_turn

    def why_not_next_turn(self) -> str:
        """At the last turn."""
        last = len(self.replay.steps) - 1 if self.replay else 0
        return "" if self.turn < last else "This is the last turn."

    why_not_last_turn = why_not_next_turn

    def why_not_go_to_turn(self) -> str:
        """Before the chat is read."""
        return "" if self.replay is not None else "The chat is still being read."

    def why_not_flip(self) -> str:
        """Where everything stands beside everything."""
        return "The screen shows both already." if self.has_class("-wide") else ""

    def why_not_undo(self) -> str:
        """With an empty history."""
        return "" if self.desk is not None and self.desk.undo_told else "There is nothing to undo."

    def why_not_redo(self) -> str:
        """With nothing taken back."""
        return "" if self.desk is not None and self.desk.redo_told else "There is nothing to redo."

    def why_not_theme(self) -> str:
        """Without colour."""
        return "There is no colour: NO_COLOR is set, or --no-color was given." if self.app.no_color else ""

    # Dialogs

    @property
    def scope_of_focus(self) -> Scope:
        """The scope of the pane that has the focus."""
        return SCOPES[self.pane_of_focus()]

    def action_help(self) -> None:
        """Keys of the pane that has the focus, then the signs."""
        self.ask(dialogs().help_dialog(self.scope_of_focus, self.glyphs))

    def action_palette(self) -> None:
        """Everything that has a name."""
        offers = dialogs()
        listed = offers.action_offers(self.scope_of_focus, self.why_not)

        def later() -> list[Candidate]:
            places = offers.place_offers(self.scene, self.replay, self.marks(), self.glyphs)
            themes = offers.theme_offers(getattr(self.app, "offered_themes", ()), self.app.theme)
            return [*places, *themes]

        self.ask(offers.palette(listed, self.glyphs, later))

    def action_go_to_turn(self) -> None:
        """The list of turns."""
        if self.scene is not None and self.replay is not None:
            self.ask(dialogs().turn_dialog(self.scene, self.replay, self.turn, self.glyphs))

    # Jumping

    def action_jump(self) -> None:
        """A letter on everything in sight that can be gone to."""
        from lorebook_tui.tui.screens.jumping import Jumping, spots  # noqa: PLC0415 - late, so that the screen stands sooner

        found = spots(self)
        if found:
            self.app.push_screen(Jumping(found), self._jumped)

    def _jumped(self, spot: Spot | None) -> None:
        """Go to what was named: a pane or field takes the focus, a tab is chosen, a row gets the cursor."""
        if spot is None:
            return
        view = spot.widget
        if spot.pane:
            self.go_to_pane(spot.pane)
        elif not isinstance(view, LineView):
            if view is not None:
                view.focus()
        elif spot.target is not None:
            if not view.can_focus:
                view.post_message(LineView.Chosen(view, spot.target))
                return
            view.focus(scroll_visible=False)
            view.point_at(spot.target)
            view.post_message(LineView.Pointed(view, spot.target))

    # References

    def action_reference(self) -> None:
        """The reference of the field that has the focus; of the entry's fields; else the help of the pane."""
        name = self.field_of_focus()
        if name:
            self.show_field_help(name)
        elif self.pane_of_focus() == ENTRY:
            self.ask(dialogs().field_dialog(self.glyphs))
        else:
            self.action_help()

    def field_of_focus(self) -> str:
        """The name of the entry's field that has the focus: a widget or one around it says it as `field_name`."""
        widget: Any = self.focused
        while widget is not None and widget is not self:
            name = getattr(widget, "field_name", "")
            if isinstance(name, str) and name:
                return name
            widget = widget.parent
        return ""

    def show_field_help(self, name: str) -> None:
        """The reference of a field of the entry: what it does, the engine's exact rule, its value here.

        Args:
            name: SillyTavern's name; an unknown one shows the list of all fields.
        """
        from lorebook_tui.model.fields import field_named  # noqa: PLC0415 - late, so that the screen stands sooner

        row = field_named(name)
        if row is None:
            self.ask(dialogs().field_dialog(self.glyphs))
        else:
            self._explain(row)

    def open_field(self, name: str) -> None:
        """Go to a field; where the entry has no form, to its reference."""
        self.show_field_help(name)

    def open_setting(self, name: str) -> None:
        """Go to a setting; where there is nothing to set it with, to its reference."""
        from lorebook_tui.model.fields import setting_named  # noqa: PLC0415 - late, so that the screen stands sooner

        row = setting_named(name)
        if row is not None:
            self._explain(row)

    def _explain(self, row: Field) -> None:
        from lorebook_tui.tui.screens.reader import Reader  # noqa: PLC0415 - late, so that the screen stands sooner
        from lorebook_tui.tui.views.helping import Standing, field_blocks  # noqa: PLC0415 - as above

        scene = self.scene
        entry = scene.entry(self.chosen) if scene is not None and self.chosen is not None else None
        settings = scene.scenario.settings if scene is not None else None
        standing = Standing(entry, settings, scene.scenario.engine if scene is not None else "sillytavern")
        self.ask(Reader(f"Reference: {row.label or row.name}", field_blocks(row, standing), self.glyphs))

    def show_book(self, layer: Any, book: int) -> None:
        """Bring a book into sight in the tree, opened."""
        self.go_to_pane(LAYERS)
        self.layer_tree.branches = self.layer_tree.branches.opened(layer, book)
        self.layer_tree.rebuild()
        self.layer_tree.point_at(ToBranch(layer, book))
        if self.scene is not None and self.scene.book(layer, book).entries:
            self.layer_tree.point_at(ToEntry(EntryRef(layer, book, 0)))
            self.layer_tree.point_at(ToBranch(layer, book))


def dialogs() -> ModuleType:
    """The module of the dialogs, loaded when the first one is asked for."""
    from lorebook_tui.tui.screens import offers  # noqa: PLC0415 - late, so that the screen stands sooner

    return offers
