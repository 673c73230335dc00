"""Jump mode: a letter on everything that can be gone to; typing it goes there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from lorebook_tui.display import cell_width, plain
from lorebook_tui.tui.actions import named
from lorebook_tui.tui.jump_labels import assigned
from lorebook_tui.tui.screens.arranged import ORDER, PANES
from lorebook_tui.tui.screens.dialog import Dialog
from lorebook_tui.tui.targets import ToAction
from lorebook_tui.tui.widgets.edges import OneLine, PaneBar
from lorebook_tui.tui.widgets.line_view import LineView
from lorebook_tui.tui.widgets.panes import PhaseTabs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.tui.screens.arranged import Arranged
    from lorebook_tui.tui.targets import Target

_LETTERS: Final = {pane: key for pane, key, _ in PANES} | {"timeline": "t"}
"""Panes keep the letters of their keys."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Somewhere to go."""

    x: int
    y: int
    pane: str = ""
    """Id of a pane; "" if it is something else."""
    widget: Widget | None = None
    """A field that takes the focus, or the view that a place is in."""
    target: Target | None = None
    """A place in the view."""
    wish: str = ""
    """The letter it would like to have."""


class JumpLabel(Widget):
    """One letter or two over the workbench."""

    ALLOW_SELECT = False

    def __init__(self, text: str, spot: Spot) -> None:
        super().__init__()
        self.text = text
        self.spot = spot
        self.typed = 0
        self.styles.offset = (spot.x, spot.y)
        self.styles.width = len(text)

    def render_line(self, y: int) -> Strip:
        """The letters that are still to be typed."""
        del y
        return Strip([Segment(" " * self.typed + self.text[self.typed :], self.rich_style)])

    def on_click(self, event: events.Click) -> None:
        """A click goes there too."""
        event.stop()
        self.screen.dismiss(self.spot)


class Jumping(Dialog[Spot | None]):
    """Letters over the workbench until one is typed.

    Args:
        spots: where one can go.
    """

    BINDINGS: ClassVar[list[BindingType]] = [named("dialog.close").binding]

    def __init__(self, spots: Iterable[Spot]) -> None:
        super().__init__()
        self.spots = list(spots)
        self.typed = ""

    def compose(self) -> ComposeResult:
        """A label on each spot."""
        letters = assigned([spot.wish for spot in self.spots])
        for text, spot in zip(letters, self.spots, strict=True):
            if text:
                yield JumpLabel(text, spot)

    def on_key(self, event: events.Key) -> None:
        """Letters narrow the choice; what is no letter here ends it."""
        if event.key == "escape":
            return
        event.stop()
        event.prevent_default()
        if event.key == "backspace" and self.typed:
            self._narrow(self.typed[:-1])
            return
        typed = self.typed + (event.character or "").lower()
        fitting = [label for label in self.query(JumpLabel) if label.text.startswith(typed)]
        if typed == self.typed or not fitting:
            self.dismiss(None)
        elif fitting[0].text == typed:
            self.dismiss(fitting[0].spot)
        else:
            self._narrow(typed)

    def _narrow(self, typed: str) -> None:
        self.typed = typed
        for label in self.query(JumpLabel):
            label.visible = label.text.startswith(typed)
            label.typed = len(typed)
            label.refresh()

    def on_click(self) -> None:
        """A click beside all labels ends the choice."""
        self.dismiss(None)


def spots(bench: Arranged) -> list[Spot]:
    """Everything in sight that can be gone to: panes, tabs, fields, then rows, those of the focused pane first."""
    bars = [view for view in bench.query(PaneBar) if _is_in_sight(view)]
    found = [spot for bar in bars for spot in _tabs(bar)]
    named_panes = {spot.pane for spot in found}
    found += [spot for spot in _panes(bench) if spot.pane not in named_panes]
    for tabs in bench.query(PhaseTabs):
        if _is_in_sight(tabs):
            found += _tabs(tabs)
    found += _fields(bench)
    views = [
        view for view in bench.query(LineView) if _is_in_sight(view) and not isinstance(view, (OneLine, PhaseTabs))
    ]
    views.sort(key=lambda view: view is not bench.focused)
    for view in views:
        found += _rows(view)
    free: dict[tuple[int, int], Spot] = {}
    for spot in found:
        free.setdefault((spot.x, spot.y), spot)
    return list(free.values())


def _is_in_sight(widget: Widget) -> bool:
    return bool(widget.region) and all(node.display for node in widget.ancestors_with_self if isinstance(node, Widget))


def _panes(bench: Arranged) -> Iterator[Spot]:
    """The panes that are shown, at their titles."""
    for pane in ORDER:
        widget = bench.query_one(f"#{pane}")
        if _is_in_sight(widget):
            yield Spot(widget.region.x + 1, widget.region.y, pane, wish=_LETTERS.get(pane, ""))


def _tabs(view: LineView) -> Iterator[Spot]:
    """The places of a line that has several: tabs, panes by name."""
    place = view.content_region
    for y in range(place.height):
        if y + view.scroll_offset.y >= view.flow.height:
            return
        x = 0
        last: Target | None = None
        for span in view.flow.line(y + view.scroll_offset.y)[1]:
            if span.target is not None and span.target != last and x < place.width:
                pane = span.target.name.removeprefix("to_") if isinstance(span.target, ToAction) else ""
                pane = pane if pane in ORDER else ""
                yield Spot(place.x + x, place.y + y, pane, view, span.target, _LETTERS.get(pane, ""))
            last = span.target
            x += cell_width(plain(span.text))


def _fields(bench: Arranged) -> Iterator[Spot]:
    """What takes the focus and is no pane: fields of a form, the line of the filter."""
    for widget in bench.focus_chain:
        if not isinstance(widget, LineView) and _is_in_sight(widget):
            yield Spot(widget.region.x, widget.region.y, widget=widget)


def _rows(view: LineView) -> Iterator[Spot]:
    """The rows in sight that a cursor can stand on."""
    if not view.MOVES_CURSOR:
        return
    place = view.content_region
    seen = -1
    for y in range(place.height):
        line = y + view.scroll_offset.y
        if line >= view.flow.height:
            return
        number = view.flow.block_at(line)
        if number != seen and view.blocks[number].target is not None:
            yield Spot(place.x, place.y + y, widget=view, target=view.blocks[number].target)
        seen = number
