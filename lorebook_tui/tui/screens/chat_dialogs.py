"""Dialogs of the chat: a box to write a message in, and a list that takes what is typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical

from lorebook_tui.tui.actions import Scope, footer, named
from lorebook_tui.tui.ink import Drawn, Span, fit
from lorebook_tui.tui.screens.chooser import Chooser
from lorebook_tui.tui.screens.dialog import Dialog
from lorebook_tui.tui.search import Finder
from lorebook_tui.tui.targets import ToAction
from lorebook_tui.tui.widgets.edges import KeyLine, OneLine
from lorebook_tui.tui.widgets.line_view import LineView
from lorebook_tui.tui.widgets.message_line import MessageArea

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.search import Candidate


@dataclass(frozen=True, slots=True)
class Written:
    """What was written in a box."""

    text: str
    is_user: bool
    kept: bool
    """False: the box was left; the text is a draft."""


class TextBox(Dialog[Written]):
    """Write a text of many lines.

    Args:
        title: of the box; may hold foreign text.
        text: what stands in it at first.
        glyphs: signs or letters.
        names: of the user and of the other one; None: nobody says it.
        is_user: who says it at first.
    """

    AUTO_FOCUS = "#text-area"

    def __init__(
        self,
        title: str,
        text: str,
        glyphs: Glyphs,
        *,
        names: tuple[str, str] | None = None,
        is_user: bool = True,
    ) -> None:
        super().__init__()
        self.heading = title
        self.text = text
        self.glyphs = glyphs
        self.names = names
        self.is_user = is_user

    def compose(self) -> ComposeResult:
        """Who, text, keys."""
        with Vertical(id="text-box"):
            yield OneLine(id="text-who")
            yield MessageArea(self.text, many_lines=True, id="text-area")
            yield KeyLine(id="text-keys")

    def on_mount(self) -> None:
        """The cursor starts behind the text."""
        self.area.move_cursor(self.area.document.end)
        self._tell_who()
        shown = [action for action in footer(Scope.MESSAGE) if action.scope is Scope.MESSAGE]
        hidden = {"change_lines"} | (set() if self.names else {"change_speaker"})
        self.query_one(KeyLine).tell([action for action in shown if action.name not in hidden], self.glyphs)

    @property
    def area(self) -> MessageArea:
        """Where one writes."""
        return self.query_one(MessageArea)

    def _tell_who(self) -> None:
        who: tuple[Span, ...] = ()
        if self.names is not None:
            name = self.names[0 if self.is_user else 1]
            who = (Span("  said by ", "muted"), Span(name, "label"))
        line = (Span(self.heading, "heading"), *who)
        self.query_one("#text-who", OneLine).show([Drawn(lambda width: [fit(line, width)], 1)])

    @on(MessageArea.SpeakerWanted)
    def _speaker_wanted(self, event: MessageArea.SpeakerWanted) -> None:
        event.stop()
        if self.names is not None:
            self.is_user = not self.is_user
            self._tell_who()

    @on(MessageArea.LinesChanged)
    def _lines_changed(self, event: MessageArea.LinesChanged) -> None:
        event.stop()
        self.area.set_lines(many=True)

    @on(MessageArea.Kept)
    def _kept(self, event: MessageArea.Kept) -> None:
        event.stop()
        self._answer(kept=True)

    @on(MessageArea.Left)
    def _left(self, event: MessageArea.Left) -> None:
        event.stop()
        self._answer(kept=False)

    def _answer(self, *, kept: bool) -> None:
        """Once, however often the key was pressed."""
        if self.is_current:
            self.dismiss(Written(self.area.text, self.is_user, kept=kept))

    @on(LineView.Chosen)
    async def _key_clicked(self, event: LineView.Chosen) -> None:
        event.stop()
        if isinstance(event.target, ToAction):
            action = named(event.target.name)
            await self.app.run_action(action.call or action.name, default_namespace=self.area)


class OpenChooser(Chooser):
    """A list that also takes what is typed, or whose candidates depend on it.

    Args:
        title: of the dialog.
        offers: from what is typed to the candidates; they are shown in that order.
        glyphs: signs or letters.
        placeholder: in the empty input line.
    """

    def __init__(
        self,
        title: str,
        offers: Callable[[str], Sequence[Candidate]],
        glyphs: Glyphs,
        *,
        placeholder: str = "type to find",
        title_cells: int = 34,
    ) -> None:
        super().__init__(title, offers(""), glyphs, placeholder=placeholder, key_cells=4, title_cells=title_cells)
        self.offers = offers

    def _offer(self, query: str) -> None:
        self.candidates = self.offers(query)
        self.finder = Finder(self.candidates)
        super()._offer("")


def named_offers(
    offers: Sequence[Candidate], typed: Callable[[str], Candidate] | None
) -> Callable[[str], Sequence[Candidate]]:
    """Candidates that fit what is typed, and behind them what is typed itself as a new name."""
    finder = Finder(offers)

    def offered(query: str) -> Sequence[Candidate]:
        words = query.strip()
        if not words:
            return offers
        found = finder.find(words)
        return found if typed is None or any(each.title == words for each in found) else [*found, typed(words)]

    return offered
