"""The dialog that finds things: a line to type, a list that follows, and what the choice means as the result.

The palette, the list of turns and the help are this dialog with other candidates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Vertical
from textual.widgets import Input

from lorebook_tui.tui.actions import Scope, bindings, footer, named
from lorebook_tui.tui.ink import BLANK, Paragraph, Row, Span, heading, padded, width_of
from lorebook_tui.tui.screens.dialog import Dialog
from lorebook_tui.tui.search import Finder
from lorebook_tui.tui.targets import Target, ToAction
from lorebook_tui.tui.widgets.edges import KeyLine, OneLine, PlainInput
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.search import Candidate

_MOST_UNTYPED = 500


class ChoiceList(LineView, can_focus=False):
    """The candidates; the input line keeps the focus."""


class Chooser(Dialog[Target | None]):
    """Type, move, Enter.

    Args:
        title: of the dialog, in our own words.
        candidates: what is offered, in the order in which it stands while nothing is typed.
        glyphs: signs or letters.
        footnotes: stand behind the candidates while nothing is typed.
        key_cells: room for the key in front of each candidate.
        title_cells: room for the title; the detail stands behind it.
        cursor: what the cursor stands on at first.
        placeholder: in the empty input line.
        later: makes more candidates once the dialog stands, for lists that take a moment to make.
        maker: makes a candidate of what is typed, for what is not there yet; None: nothing can be made of it.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.DIALOG))
    AUTO_FOCUS = "#query"
    SCOPE: ClassVar[Scope] = Scope.DIALOG
    """Whose keys the footer shows."""

    def __init__(
        self,
        title: str,
        candidates: Sequence[Candidate],
        glyphs: Glyphs,
        footnotes: Sequence[Block] = (),
        *,
        key_cells: int = 0,
        title_cells: int = 30,
        cursor: Target | None = None,
        placeholder: str = "type to find",
        later: Callable[[], Sequence[Candidate]] | None = None,
        maker: Callable[[str], Candidate | None] | None = None,
    ) -> None:
        super().__init__()
        self.heading = title
        self.candidates = candidates
        self.later = later
        self.maker = maker
        self.made: Candidate | None = None
        """What the maker made of what is typed."""
        self.finder = Finder(candidates)
        self.glyphs = glyphs
        self.footnotes = footnotes
        self.key_cells = key_cells
        self.title_cells = title_cells
        self.first_cursor = cursor
        self.placeholder = placeholder

    def compose(self) -> ComposeResult:
        """Input, list, keys."""
        with Vertical(id="dialog"):
            yield PlainInput(id="query", placeholder=self.placeholder, compact=True)
            yield ChoiceList(id="choices")
            yield OneLine(id="detail")
            yield KeyLine(id="dialog-keys")

    def on_mount(self) -> None:
        """Everything is offered."""
        self.query_one("#dialog").border_title = self.heading
        self.query_one(KeyLine).tell(footer(self.SCOPE), self.glyphs)
        self._offer("")
        if self.first_cursor is not None:
            self.call_after_refresh(self._point_at, self.first_cursor)
        if self.later is not None:
            self.call_after_refresh(self._complete)

    def _complete(self) -> None:
        """Add what could wait; what is typed already is looked for anew."""
        if self.later is None:
            return
        self.candidates = [*self.candidates, *self.later()]
        self.later = None
        self.finder = Finder(self.candidates)
        place = self.choices.cursor
        self._offer(self.query_one("#query", PlainInput).value)
        blocks = self.choices.blocks
        if place is not None and place < len(blocks) and blocks[place].target is not None:
            self.choices.cursor = place

    def _point_at(self, target: Target) -> None:
        self.choices.point_at(target, center=True)
        self._tell_detail()

    @property
    def choices(self) -> ChoiceList:
        """The list."""
        return self.query_one(ChoiceList)

    @property
    def moved(self) -> ChoiceList:
        """The cursor keys move it."""
        return self.choices

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._offer(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    @on(LineView.Pointed)
    def _pointed(self, event: LineView.Pointed) -> None:
        event.stop()
        self._tell_detail()

    def _tell_detail(self) -> None:
        """The detail of the candidate under the cursor in full, for lists too narrow to hold it."""
        place = self.choices.cursor
        target = self.choices.blocks[place].target if place is not None else None
        candidate = next((offer for offer in self._all() if offer.target == target), None)
        detail = candidate.reason or candidate.detail or candidate.title if candidate else ""
        self.query_one("#detail", OneLine).show([Paragraph((Span(detail, "muted"),), most=2)])

    @on(LineView.Chosen)
    async def _chosen(self, event: LineView.Chosen) -> None:
        event.stop()
        if event.view is self.choices:
            self.dismiss(event.target)
        elif isinstance(event.target, ToAction):
            await self.run_action(named(event.target.name).name)

    def _all(self) -> Iterator[Candidate]:
        yield from self.candidates
        if self.made is not None:
            yield self.made

    def _found(self, query: str) -> list[Candidate]:
        """What fits; what can be made comes last, or first where everything else is only similar."""
        found = self.finder.find(query)
        wanted = query.strip().casefold()
        self.made = self.maker(query.strip()) if self.maker is not None and wanted else None
        if self.made is None or any(offer.title.casefold() == wanted for offer in self.candidates):
            return found
        is_meant = any(wanted in offer.title.casefold() for offer in found)
        return [*found, self.made] if is_meant else [self.made, *found]

    def _offer(self, query: str) -> None:
        found = self._found(query)
        blocks: list[Block] = []
        section = ""
        for candidate in found[:_MOST_UNTYPED]:
            if candidate.section != section and not query.strip():
                section = candidate.section
                blocks += [BLANK, heading(section)] if blocks else [heading(section)]
            blocks.append(self._row(candidate))
        if not found:
            blocks.append(Paragraph((Span("Nothing fits.", "muted"),)))
        elif len(found) > _MOST_UNTYPED:
            blocks.append(Paragraph((Span(f"and {len(found) - _MOST_UNTYPED:,} more: type to find them", "muted"),)))
        if not query.strip():
            blocks += self.footnotes
        self.choices.show(blocks, keep_place=False)
        self.choices.cursor = next((place for place, block in enumerate(blocks) if block.target is not None), None)
        self._tell_detail()

    def _row(self, candidate: Candidate) -> Block:
        key = padded((Span(candidate.key, "key-name"),), self.key_cells)
        if 0 < self.key_cells <= width_of((Span(candidate.key),)):
            key = (*key, Span(" "))  # whatever fills its column would run into the title
        sign = (Span(f"{candidate.sign} ", candidate.ink),) if candidate.sign else ()
        title: Line = (Span(candidate.title, "faint" if candidate.reason else "text"),)
        detail = candidate.reason or candidate.detail
        if detail:
            ink = "near" if candidate.reason else "muted"
            title = (*padded(title, self.title_cells), Span("  "), Span(detail, ink))
        return Row((Span(" "), *key, *sign, *title), target=candidate.target)

    def action_accept(self) -> None:
        """Take what the cursor stands on."""
        self.choices.action_choose()
