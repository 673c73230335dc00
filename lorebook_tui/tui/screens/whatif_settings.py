"""The settings as sliders: a drawer in the column of the simulation, so that the picture is seen to follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import on

from lorebook_tui.engine.trace import Phase
from lorebook_tui.tui.actions import Scope, effective, named
from lorebook_tui.tui.ink import Drawn, Paragraph, Span
from lorebook_tui.tui.screens.arranged import CHAT, PHASES, TIMELINE, WHY
from lorebook_tui.tui.screens.whatif_views import WhatIfViews
from lorebook_tui.tui.views.budget import BudgetBar
from lorebook_tui.tui.views.sliders import SliderRow, sliders
from lorebook_tui.tui.widgets.sliders import Settings, SliderRows
from lorebook_tui.workspace.edits import Edited, set_options

if TYPE_CHECKING:
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block
    from lorebook_tui.tui.views.sliders import Slider
    from lorebook_tui.workspace.workspace import Workspace

_OPEN = "-settings"


class WhatIfSettings(WhatIfViews):
    """Moves settings; they reach the workspace file by `save settings` alone."""

    _sliders: tuple[Slider, ...] = ()

    @property
    def settings(self) -> Settings:
        """The drawer."""
        return self.query_one(Settings)

    @property
    def are_settings_open(self) -> bool:
        """Whether the drawer is there, even if another column hides it."""
        return self.has_class(_OPEN)

    @property
    def footer_scope(self) -> Scope:
        """The keys of the drawer while it has the focus."""
        return Scope.SETTINGS if isinstance(self.focused, SliderRows) else super().footer_scope

    @property
    def scope_of_focus(self) -> Scope:
        """The scope of what has the focus."""
        return Scope.SETTINGS if isinstance(self.focused, SliderRows) else super().scope_of_focus

    def on_descendant_focus(self) -> None:
        """The footer follows the focus into the drawer and out of it."""
        if self.are_settings_open:
            self.tell_keys()

    def action_settings(self) -> None:
        """Open the drawer and go there; close it from inside."""
        if self.are_settings_open and isinstance(self.focused, SliderRows):
            self._close_settings()
            return
        if self.desk is None:
            self.tell("There are no settings to change.", severity="warning")
            return
        self.size_mode = 0
        self.pane = self.beside = PHASES
        self.add_class(_OPEN)
        self.settle_panes()
        self.show_settings()
        rows = self.settings.slider_rows
        rows.cursor = rows.cursor or 0
        self.give_focus(rows)
        self.show_settings()

    def open_setting(self, name: str) -> None:
        """Open the drawer at a setting."""
        desk = self.desk
        if desk is None or not any(slider.name == name for slider in self._all_sliders(desk.workspace)):
            super().open_setting(name)  # type: ignore[misc] # what follows in the workbench has it
            return
        if not isinstance(self.focused, SliderRows):
            self.action_settings()
        rows = self.settings.slider_rows
        place = next((number for number, row in enumerate(rows.rows) if row.slider.name == name), None)
        if place is not None:
            rows.cursor = place
            rows.bring(place)
            self.show_settings()

    def _close_settings(self) -> None:
        self.remove_class(_OPEN)
        self.settings.slider_rows.typed = ""
        self.go_to_pane(self.pane)

    @on(SliderRows.Left)
    def _settings_left(self, event: SliderRows.Left) -> None:
        event.stop()
        self._close_settings()

    def go_to_pane(self, pane: str) -> None:
        """Bring a pane into sight; the drawer gives way where there is no room for both."""
        is_low, is_narrow = self.has_class("-low"), self.has_class("-narrow")
        if pane in {CHAT, WHY} or is_narrow or (is_low and pane in {PHASES, TIMELINE}):
            self.remove_class(_OPEN)
        super().go_to_pane(pane)

    # What is shown

    def show_phases(self) -> None:
        """The drawer has a bar of its own."""
        super().show_phases()
        if self.are_settings_open:
            self.show_settings()

    def show_settings(self) -> None:
        """The drawer as the workspace is now."""
        desk, picture = self.desk, self.picture
        if desk is None or not self.are_settings_open:
            return
        rows = [
            SliderRow(slider, slider.value(desk.workspace), slider.value(desk.opened), self.glyphs)
            for slider in self._all_sliders(desk.workspace)
        ]
        bar: list[Block] = [Paragraph((Span("Working it out.", "faint"),))]
        height = 1
        if picture is not None:
            drawn = BudgetBar(picture, self.ref_of, self.index_of(self.chosen), self.glyphs)
            bar, height = [Drawn(drawn.lines, drawn.height)], drawn.height
        is_seen = PHASES in self.in_sight() and self.phase_rows.phase == Phase.BUDGET
        self.settings.tell(bar, 0 if is_seen else height, rows)
        key, changed = effective(named("global.save_options")).key_text, sum(row.differs for row in rows)
        saved_by = f", {key} saves them in the workspace file" if key else ""
        self.settings.border_subtitle = f"{changed} not saved{saved_by}" if changed else ""

    def _all_sliders(self, workspace: Workspace) -> tuple[Slider, ...]:
        if not self._sliders:
            from lorebook_tui.engine.dialects import NAMES  # noqa: PLC0415 - with the engine, so that the screen stands sooner
            from lorebook_tui.tokens.registry import CHAT_PREFIX, names  # noqa: PLC0415 - as above

            whole = [name for name in names() if not name.startswith(CHAT_PREFIX)]
            self._sliders = sliders(NAMES, tuple(dict.fromkeys((*whole, workspace.tokenizer))))
        return self._sliders

    def show_status(self) -> None:
        """What was saved differs from nothing any more."""
        super().show_status()
        self.show_settings()

    # Moving them

    @on(SliderRows.Moved)
    def _moved(self, event: SliderRows.Moved) -> None:
        event.stop()
        slider = next(each for each in self._sliders if each.name == event.name)
        self.has_chosen = self.chosen is not None
        was_fresh = self.is_fresh and self._simulation is None

        def make(workspace: Workspace) -> Edited:
            told = f"set {slider.label.lower()} to {slider.told(event.value)}"
            return set_options(workspace, told, **slider.with_value(workspace, event.value))

        if self.edit(make, group=("setting", event.name)) and was_fresh:
            self.simulate_soon(at_once=True)

    @on(SliderRows.ResetAll)
    def _reset_all(self, event: SliderRows.ResetAll) -> None:
        event.stop()
        desk = self.desk
        if desk is None:
            return
        fields: dict[str, Any] = {
            slider.name if hasattr(desk.workspace, slider.name) else "settings": getattr(
                desk.opened, slider.name if hasattr(desk.workspace, slider.name) else "settings"
            )
            for slider in self._sliders
        }
        if all(getattr(desk.workspace, name) == value for name, value in fields.items()):
            self.tell("All settings are as in the file.")
            return
        self.has_chosen = self.chosen is not None
        if self.edit(lambda workspace: set_options(workspace, "set all settings back", **fields)):
            self.simulate_soon(at_once=True)

    def take_workspace(self, focus: tuple[EntryRef, ...] = ()) -> None:
        """The knobs follow at once."""
        super().take_workspace(focus)
        self.show_settings()
