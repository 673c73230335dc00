"""The dialog that only tells: a title and a page to scroll through."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Vertical

from lorebook_tui.tui.actions import Scope, bindings, footer, named
from lorebook_tui.tui.screens.dialog import Dialog
from lorebook_tui.tui.targets import Target, ToAction
from lorebook_tui.tui.widgets.edges import KeyLine
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.ink import Block


class Page(LineView, can_focus=False):
    """What is told; a place in it can be followed with a click."""

    MOVES_CURSOR = False


class Reader(Dialog[Target | None]):
    """A page over the workbench; Enter and escape close it.

    Args:
        title: of the dialog, in our own words.
        blocks: the page.
        glyphs: signs or letters.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.DIALOG))

    def __init__(self, title: str, blocks: Sequence[Block], glyphs: Glyphs) -> None:
        super().__init__()
        self.heading = title
        self.told = blocks
        self.glyphs = glyphs

    def compose(self) -> ComposeResult:
        """The page over the keys."""
        with Vertical(id="dialog"):
            yield Page(id="page")
            yield KeyLine(id="dialog-keys")

    def on_mount(self) -> None:
        """Show the page from its top."""
        self.query_one("#dialog").border_title = self.heading
        self.query_one(KeyLine).tell([action for action in footer(Scope.DIALOG) if action.name == "close"], self.glyphs)
        self.page.show(self.told, keep_place=False)

    @property
    def page(self) -> Page:
        """What is told."""
        return self.query_one(Page)

    @on(LineView.Chosen)
    async def _chosen(self, event: LineView.Chosen) -> None:
        event.stop()
        if event.view is self.page:
            self.dismiss(event.target)
        elif isinstance(event.target, ToAction):
            await self.run_action(named(event.target.name).name)

    @property
    def moved(self) -> Page:
        """The cursor keys move it."""
        return self.page

    def action_accept(self) -> None:
        """Close: there is nothing to choose."""
        self.dismiss(None)
