"""Dialogs of the chat: a box to write a message in, a list that takes what is typed, and a list of files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import on
from textual.containers import Vertical
from textual.screen import ModalScreen

from lorebook_tui.tui.actions import Scope, footer, named
from lorebook_tui.tui.ink import Drawn, Span, fit
from lorebook_tui.tui.screens.chooser import Chooser
from lorebook_tui.tui.search import Candidate, Finder
from lorebook_tui.tui.targets import ToAction, ToChoice
from lorebook_tui.tui.widgets.edges import KeyLine, OneLine
from lorebook_tui.tui.widgets.line_view import LineView
from lorebook_tui.tui.widgets.message_line import MessageArea

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult

    from lorebook_tui.glyphs import Glyphs

LORE_FILES: Final = frozenset({".json", ".jsonl", ".png", ".charx", ".txt"})
_MOST_FILES: Final = 300


@dataclass(frozen=True, slots=True)
class Written:
    """What was written in a box."""

    text: str
    is_user: bool
    kept: bool
    """False: the box was left; the text is a draft."""


class TextBox(ModalScreen[Written]):
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
        typed: what stands in the input line at first.
    """

    def __init__(
        self,
        title: str,
        offers: Callable[[str], Sequence[Candidate]],
        glyphs: Glyphs,
        *,
        placeholder: str = "type to find",
        typed: str = "",
        title_cells: int = 34,
    ) -> None:
        super().__init__(title, offers(typed), glyphs, placeholder=placeholder, key_cells=4, title_cells=title_cells)
        self.offers = offers
        self.typed = typed

    def on_mount(self) -> None:
        """What stands in the line at first."""
        super().on_mount()
        if self.typed:
            from textual.widgets import Input  # noqa: PLC0415 - only here

            line = self.query_one("#query", Input)
            line.value = self.typed
            line.cursor_position = len(self.typed)

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


def file_offers(start: Path) -> Callable[[str], Sequence[Candidate]]:
    """Files and folders for a path that is being typed, relative to a folder or absolute."""

    def offered(query: str) -> Sequence[Candidate]:
        typed = Path(query.strip()).expanduser() if query.strip() else Path()
        is_folder = not query.strip() or query.rstrip().endswith(("/", os.sep))
        folder = start / (typed if is_folder else typed.parent)
        wanted = "" if is_folder else typed.name.casefold()
        shown = typed if is_folder else typed.parent
        found = _listed(folder, wanted)
        return [
            Candidate(
                f"{shown / path.name}{'/' if is_dir else ''}"
                if str(shown) != "."
                else f"{path.name}{'/' if is_dir else ''}",
                ToChoice("folder" if is_dir else "file", str(path)),
                "folder" if is_dir else "",
            )
            for path, is_dir in found
        ]

    return offered


def _listed(folder: Path, wanted: str) -> list[tuple[Path, bool]]:
    """What a folder holds that can be lore or leads to it, and whether it is a folder; those that begin so first."""
    try:
        items = sorted(folder.iterdir(), key=lambda path: path.name.casefold())
        listed = [(item, item.is_dir()) for item in items[: _MOST_FILES * 10] if not item.name.startswith(".")]
    except OSError:
        return []
    fitting = [
        (item, is_dir)
        for item, is_dir in listed
        if wanted in item.name.casefold() and (is_dir or item.suffix.lower() in LORE_FILES)
    ]
    fitting.sort(key=lambda found: (not found[0].name.casefold().startswith(wanted), found[1]))
    return fitting[:_MOST_FILES]
