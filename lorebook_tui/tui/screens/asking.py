"""Small dialogs: a question with one line to answer it, and a confirmation that says what will happen."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import on
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Input

from lorebook_tui.errors import LorebookError
from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.ink import BLANK, Paragraph, Row, Span
from lorebook_tui.tui.screens.dialog import Dialog
from lorebook_tui.tui.targets import ToAction
from lorebook_tui.tui.widgets.edges import PlainInput
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.tui.ink import Block

YES, NO = ToAction("yes"), ToAction("no")
Answer = TypeVar("Answer")


class Told(LineView, can_focus=False):
    """What a dialog says; places in it can be clicked."""

    MOVES_CURSOR = False


class Question(Dialog[str | None]):
    """One line to answer a question; the answer is None if there is none.

    Args:
        title: of the dialog, in our own words.
        told: what the answer is for; foreign text is harmless.
        value: stands in the line at first, selected as a whole.
        check: raises a `LorebookError` for an answer that cannot be taken; its words are shown while it is typed.
        placeholder: in the empty line.
        takes_blank: an empty line, or one of blanks, is an answer too.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.DIALOG))
    AUTO_FOCUS = "#answer"

    def __init__(
        self,
        title: str,
        told: Sequence[Block] = (),
        *,
        value: str = "",
        check: Callable[[str], object] | None = None,
        placeholder: str = "",
        takes_blank: bool = False,
    ) -> None:
        super().__init__()
        self.heading = title
        self.told = told
        self.takes_blank = takes_blank
        self.value = value
        self.check = check
        self.placeholder = placeholder

    def compose(self) -> ComposeResult:
        """What it is for, the line, what is wrong with it, the keys."""
        with Vertical(id="asking"):
            yield Told(id="told")
            yield PlainInput(self.value, id="answer", placeholder=self.placeholder, compact=True, select_on_focus=True)
            yield Told(id="objection")
            yield Told(id="asking-keys")

    def on_mount(self) -> None:
        """Everything stands."""
        self.query_one("#asking").border_title = self.heading
        told = self.query_one("#told", Told)
        told.show(self.told)
        told.display = bool(self.told)
        told.styles.height = height_of(self.told, self.app.size.width)
        self.query_one("#asking-keys", Told).show([_keys(("enter", "take it", YES), ("esc", "leave it", NO))])

    @on(Input.Changed, "#answer")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.value.strip() and event.value != self.value:
            self._objection(event.value)
        else:
            self._object("")

    def _objection(self, answer: str) -> bool:
        """Show what is wrong with an answer; whether something is."""
        words = ""
        if self.check is not None:
            try:
                self.check(answer)
            except LorebookError as error:
                words = f"{error.message} {error.hint}".strip()
        self._object(words)
        return bool(words)

    def _object(self, words: str) -> None:
        self.query_one("#objection", Told).show([Paragraph((Span(words, "near"),), most=2)])

    @on(Input.Submitted, "#answer")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    @on(LineView.Chosen)
    def _clicked(self, event: LineView.Chosen) -> None:
        event.stop()
        if event.target == YES:
            self.action_accept()
        elif event.target == NO:
            self.action_close()

    def action_accept(self) -> None:
        """Take the answer, if there is one that can be taken; otherwise say why it cannot."""
        answer = self.query_one("#answer", PlainInput).value
        if not (answer.strip() or self.takes_blank):
            self._object("Nothing stands in the line yet.")
        elif not self._objection(answer):
            self.dismiss(answer)


class Telling(Dialog[Answer]):
    """Says something that can be scrolled, with the ways out under it; subclasses know these.

    How much more there is below stands at its lower edge.

    Args:
        title: of the dialog, in our own words.
        told: what stands to decide; foreign text is harmless.
    """

    AUTO_FOCUS = "#told"
    KEYS: ClassVar[type[LineView]] = Told
    """What shows the ways out."""

    def __init__(self, title: str, told: Sequence[Block]) -> None:
        super().__init__()
        self.heading = title
        self.told = told

    def compose(self) -> ComposeResult:
        """What is told, and the ways out."""
        with Vertical(id="asking"):
            yield Told(id="told")
            yield self.KEYS(id="asking-keys")

    def on_mount(self) -> None:
        """Everything stands."""
        self.query_one("#asking").border_title = self.heading
        told = self.query_one("#told", Told)
        told.can_focus = True
        told.show([*self.told, BLANK])
        told.styles.height = height_of([*self.told, BLANK], self.app.size.width)
        told.focus()
        keys, rows = self.query_one("#asking-keys", LineView), self.ways_out()
        keys.show(rows)
        keys.styles.height = len(rows)
        for name in ("scroll_y", "virtual_size"):
            self.watch(told, name, self._tell_rest, init=False)
        self.call_after_refresh(self._tell_rest)

    def on_resize(self) -> None:
        """Another height shows more of it, or less."""
        self.call_after_refresh(self._tell_rest)

    def _tell_rest(self) -> None:
        """How many lines are below what is in sight."""
        told = self.query_one("#told", Told)
        rest = told.flow.height - 1 - told.scroll_offset.y - told.scrollable_content_region.height
        down = "down" if self.app.has_class("-letters") else "↓"
        self.query_one("#asking").border_subtitle = f"{rest:,} more, {down}" if rest > 0 else ""

    @property
    def moved(self) -> LineView:
        """The cursor keys move it."""
        return self.query_one("#told", Told)

    def ways_out(self) -> list[Block]:
        """A row of keys, or several."""
        raise NotImplementedError


class Confirmation(Telling[bool]):
    """Says what will happen, and asks whether it shall.

    Args:
        title: of the dialog, in our own words.
        told: what will happen; foreign text is harmless.
        yes: what `y` does, in a word or two.
        no: what every other way out does.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Scope.DIALOG),
        Binding("y", "accept", show=False),
        Binding("n,q", "close", show=False),
    ]

    def __init__(self, title: str, told: Sequence[Block], *, yes: str = "do it", no: str = "leave it") -> None:
        super().__init__(title, told)
        self.yes = yes
        self.no = no

    def ways_out(self) -> list[Block]:
        """Yes and no."""
        return [_keys(("y", self.yes, YES), ("n esc", self.no, NO))]

    @on(LineView.Chosen)
    def _clicked(self, event: LineView.Chosen) -> None:
        event.stop()
        if event.target in {YES, NO}:
            self.dismiss(event.target == YES)

    def action_accept(self) -> None:
        """It shall happen."""
        self.dismiss(result=True)

    def action_close(self) -> None:
        """It shall not."""
        self.dismiss(result=False)


def height_of(blocks: Sequence[Block], screen_width: int) -> int:
    """Lines that the blocks take in a small dialog; what is more can be scrolled."""
    width = min(72, screen_width) - 6
    return sum(len(block.lines(width)) for block in blocks[:40])


def listed(titles: Sequence[str], most: int = 8) -> list[Block]:
    """Titles one under the other, the first few and how many more; they may be foreign."""
    rows: list[Block] = [Row((Span("  "), Span(title, "strong"))) for title in titles[:most]]
    if len(titles) > most:
        rows.append(Row((Span(f"  and {len(titles) - most:,} more", "muted"),)))
    return rows


def said(text: str, ink: str = "text") -> Paragraph:
    """A sentence; it may hold foreign text."""
    return Paragraph((Span(text, ink),))


def _keys(*keys: tuple[str, str, ToAction]) -> Row:
    spans: list[Span] = []
    for key, words, target in keys:
        spans += [Span(f" {key} ", "key-name", target), Span(f"{words}  ", "muted", target)]
    return Row(tuple(spans))
