"""The dialog that merges field by field: mine or theirs, where both sides changed the same field."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Vertical

from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.ink import Row, Span
from lorebook_tui.tui.screens.asking import Told
from lorebook_tui.tui.screens.dialog import Dialog
from lorebook_tui.tui.targets import ToAction, ToSide
from lorebook_tui.tui.views.conflict import choice_blocks
from lorebook_tui.tui.widgets.line_view import LineView
from lorebook_tui.workspace.conflict import Side

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.workspace.conflict import Place, ThreeWay

_KEYS = (
    ("space", "take this one"),
    ("m", "all mine"),
    ("t", "all from the disk"),
    ("s", "save so"),
    ("esc", "leave it"),
)


class Choices(LineView):
    """Rows for each field: mine, theirs, and both where that can be."""


class Merging(Dialog["dict[Place, Side] | None"]):
    """Chooses for every field that both sides changed; None if the user steps back.

    Args:
        ways: whose change is whose.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.DIALOG))
    AUTO_FOCUS = "#sides"

    def __init__(self, ways: ThreeWay) -> None:
        super().__init__()
        self.ways = ways
        self.choices: dict[Place, Side] = dict.fromkeys(ways.conflicts, Side.MINE)

    def compose(self) -> ComposeResult:
        """The fields, and the keys."""
        with Vertical(id="dialog"):
            yield Choices(id="sides")
            yield Told(id="asking-keys")

    def on_mount(self) -> None:
        """Everything stands."""
        self.query_one("#dialog").border_title = "Both changed these: mine, or what is on the disk?"
        self._draw()
        self.sides.cursor = next(place for place, block in enumerate(self.sides.blocks) if block.target is not None)
        spans = [
            span
            for key, words in _KEYS
            for span in (Span(f" {key} ", "key-name", ToAction(key)), Span(f"{words}  ", "muted", ToAction(key)))
        ]
        self.query_one("#asking-keys", Told).show([Row(tuple(spans))])

    @property
    def sides(self) -> Choices:
        """The list."""
        return self.query_one(Choices)

    def on_key(self, event: events.Key) -> None:
        """Letters choose for all, or end it."""
        if event.key in {"m", "t", "s", "space"}:
            event.stop()
            self._do(event.key)

    def _do(self, key: str) -> None:
        if key in {"m", "t"}:
            self.choices = dict.fromkeys(self.choices, Side.MINE if key == "m" else Side.THEIRS)
            self._draw()
        elif key == "s":
            self.dismiss(self.choices)
        elif key == "space":
            self.sides.action_choose()
        elif key == "esc":
            self.dismiss(None)

    @on(LineView.Chosen)
    def _chosen(self, event: LineView.Chosen) -> None:
        event.stop()
        if isinstance(event.target, ToSide):
            place = self.ways.conflicts[event.target.number]
            self.choices[place] = Side(event.target.side)
            self._draw()
        elif isinstance(event.target, ToAction):
            self._do(event.target.name)

    @on(LineView.Pointed)
    def _pointed(self, event: LineView.Pointed) -> None:
        """Moving chooses nothing."""
        event.stop()

    def _draw(self) -> None:
        self.sides.show(choice_blocks(self.ways, self.choices))

    @property
    def moved(self) -> Choices:
        """The cursor keys move it."""
        return self.sides

    def action_accept(self) -> None:
        """Take what the cursor stands on."""
        self.sides.action_choose()
