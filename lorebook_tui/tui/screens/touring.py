"""The tour: a card that points at a pane and waits for the key it teaches, while the workbench goes on working."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.glyphs import Mark
from lorebook_tui.tui.actions import effective, named
from lorebook_tui.tui.screens.arranged import LAYERS
from lorebook_tui.tui.screens.editing import Editing
from lorebook_tui.tui.tour_keys import TOUR_OFF, TOUR_ON
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from textual import events

    from lorebook_tui.engine.explain import Explanation
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.replay import Picture

CARD_CELLS: Final = 78
_ROOMY: Final = 100
"""Cells of a screen that has room beside the card."""
_FRAME: Final = 4
"""Cells of border and padding, both sides."""


class TourCard(LineView, can_focus=False):
    """What a step tells."""

    MOVES_CURSOR = False

    def on_click(self, event: events.Click) -> None:
        """A click on the card goes on."""
        event.stop()
        self.call_later(self.run_action, "screen.tour_on")


class Touring(Editing):
    """The part of the workbench."""

    tour_step: int | None = None
    """Number of the step, from 0; None: no tour."""
    tour_is_due: bool = False
    """Whether to begin as soon as the first turn is drawn."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter and escape belong to the tour while it runs, but not in a line of text."""
        if action in {TOUR_ON, TOUR_OFF}:
            return self.tour_step is not None and (self.focused is None or isinstance(self.focused, LineView))
        return super().check_action(action, parameters)

    def take_picture(self, picture: Picture, index: int | None, explanation: Explanation | None) -> None:
        """Begin the tour when there is something to show."""
        super().take_picture(picture, index, explanation)
        if self.tour_is_due:
            self.tour_is_due = False
            self.call_after_refresh(self.action_tour)

    def take_workspace(self, focus: tuple[EntryRef, ...] = ()) -> None:
        """An edit is what a step may wait for."""
        super().take_workspace(focus)
        self.notice_action("edited")

    def action_tour(self) -> None:
        """From the first step."""
        if not self.query(TourCard):
            self.mount(TourCard(id="tour"))
        self.tour_step = 0
        self.call_after_refresh(self._show_step, 0)

    def action_tour_on(self) -> None:
        """The next step, or the end."""
        from lorebook_tui.tui.tour_steps import STEPS  # noqa: PLC0415 - late, so that the screen stands sooner

        if self.tour_step is None:
            return
        if self.tour_step + 1 < len(STEPS):
            self._show_step(self.tour_step + 1)
        else:
            self.action_tour_off()

    def action_tour_off(self) -> None:
        """No more tour, now and at the next start."""
        self.tour_step = None
        self._point_at_pane("")
        self.query(TourCard).remove()
        remember: Any = getattr(self.app, "remember", None)
        if remember is not None:
            remember(tour_seen=True)

    def notice_action(self, name: str) -> None:
        """Something was done; if it is what the step waits for, the next one follows.

        Args:
            name: as Textual calls the action, or `EDITED`.
        """
        if self.tour_step is None:
            return
        from lorebook_tui.tui.tour_steps import STEPS  # noqa: PLC0415 - late, so that the screen stands sooner

        awaited = STEPS[self.tour_step].waits_for
        if name in awaited or any((named(item).call or named(item).name) == name for item in awaited if "." in item):
            self.action_tour_on()

    def _show_step(self, number: int) -> None:
        from lorebook_tui.tui.tour_steps import STEPS, step_blocks  # noqa: PLC0415 - as above

        step = STEPS[number]
        self.tour_step = number
        if step.wants_cut:
            self._show_a_cut()
        if step.pane != self.pane_of_focus():
            self.go_to_pane(step.pane)
        if step.field:
            self.call_after_refresh(self.open_field, step.field)
        self._point_at_pane(step.pane)
        card = self.query_one(TourCard)
        blocks = step_blocks(number, self.glyphs, _key_of)
        width = CARD_CELLS if self.size.width >= _ROOMY else self.size.width
        card.styles.width = width
        card.styles.height = sum(len(block.lines(width - _FRAME)) for block in blocks) + 2
        card.styles.offset = (self.size.width - width if step.pane == LAYERS else 0, 0)
        card.show(blocks, keep_place=False)

    def _point_at_pane(self, pane: str) -> None:
        for node in self.query(".-taught"):
            node.remove_class("-taught")
        if pane:
            self.query_one(f"#{pane}").add_class("-taught")

    def _show_a_cut(self) -> None:
        """Go to the first turn at which the budget cut an entry, and choose that entry."""
        turns = self.replay.turns if self.replay is not None else []
        for turn in turns:
            cut = next((index for index, mark in turn.marks.items() if mark is Mark.CUT), None)
            ref = self.ref_of(cut) if cut is not None else None
            if ref is not None:
                self.go_to_turn(turn.number)
                self.choose_entry(ref)
                return

    def go_to_turn(self, number: int) -> None:
        """Another turn."""
        raise NotImplementedError

    def open_field(self, name: str) -> None:
        """Go to a field of the entry."""
        raise NotImplementedError


def _key_of(name: str) -> str:
    try:
        return effective(named(name)).key_text
    except KeyError:
        return ""
