"""The one-line widgets at the edges: breadcrumb, pane bar, keys, and the input line of the filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Input

from lorebook_tui.display import plain
from lorebook_tui.tui.ink import Drawn
from lorebook_tui.tui.views.status import breadcrumb, key_line, pane_bar
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.actions import Action
    from lorebook_tui.tui.views.status import Status


class OneLine(LineView, can_focus=False):
    """A line view of one line that nobody can focus."""

    MOVES_CURSOR = False


class Breadcrumb(OneLine):
    """Where we are, and what the turn cost."""

    def tell(self, status: Status, glyphs: Glyphs) -> None:
        """Show a status."""
        self.show([Drawn(lambda width: [breadcrumb(status, glyphs, width)], 1)])


class PaneBar(OneLine):
    """The panes by name, for arrangements that do not show them all."""

    def tell(self, panes: Sequence[tuple[str, str, str]], shown: set[str], focused: str) -> None:
        """Show which panes there are, which are in sight, and which has the focus."""
        self.show([Drawn(lambda _: [pane_bar(panes, shown, focused)], 1)])


class KeyLine(OneLine):
    """What can be done here; each key can be clicked."""

    def tell(self, actions: Sequence[Action], glyphs: Glyphs) -> None:
        """Show actions."""
        self.show([Drawn(lambda width: [key_line(actions, glyphs, width)], 1)])


class PlainInput(Input):
    """An input line into which no control character can be pasted."""

    def _on_paste(self, event: events.Paste) -> None:
        """Take the first line, as `Input` does, with pictures in place of controls."""
        if event.text:
            self.insert_text_at_cursor(plain(event.text.splitlines()[0]))
        event.prevent_default()
        event.stop()
