"""The finished prompt as blocks: a strip of its sources, then message after message, then what is not in it.

Every piece carries the letter of its source and its name, so that no colour is needed. Knows no Textual.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.prompt.settings import Api
from lorebook_tui.engine.prompt.sources import Source
from lorebook_tui.engine.prompt.views import left_out
from lorebook_tui.tui.ink import BLANK, Drawn, Paragraph, Row, Span, heading
from lorebook_tui.tui.targets import ToEntry, ToMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lorebook_tui.engine.prompt.views import LeftOut, PromptPiece, PromptRow, PromptView
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.targets import Target

SHAPES: Final = {Api.CHAT: "chat completion", Api.TEXT: "text completion"}
_INDENT: Final = "  "
_ROLE_CELLS: Final = 9
_INLINE: Final = "goes on in the same line"


def ink_of(source: Source) -> str:
    """The ink of a source."""
    return f"source-{source.code}"


@dataclass(frozen=True)
class PromptBlocks:
    """The blocks of one prompt.

    Args:
        view: the rows.
        ref_of: the entry behind a load index.
        glyphs: the signs.
        most: greatest number of lines of a text; None: all.
    """

    view: PromptView
    ref_of: Callable[[int], EntryRef | None]
    glyphs: Glyphs
    most: int | None = None

    def blocks(self) -> list[Block]:
        """All of them."""
        view = self.view
        blocks = list(self._head())
        for row in view.rows:
            blocks.append(BLANK)
            blocks += self._row(row)
        lines = left_out(view)
        if lines:
            counted = "1 text" if len(lines) == 1 else f"{len(lines)} texts"
            blocks += [BLANK, heading("Not in the prompt", counted)]
            for line in lines:
                blocks += self._left_out(line)
        return blocks

    def _head(self) -> Iterator[Block]:
        view = self.view
        if view.error:
            text = "SillyTavern stops here with an error: " if view.stops else "SillyTavern complains: "
            yield Paragraph((Span(text + view.error, "cut"),))
        if view.changed:
            yield Paragraph((Span("SillyTavern runs this generation otherwise than it was asked to.", "waiting"),))
        shape = SHAPES[view.api]
        count = f", {_counted(view)}" if view.rows else ""
        room = f"{view.tokens:,} of {view.context:,} tokens"
        yield Row((Span(f"{shape}{count}", "muted"),), (Span(room, "muted"),))
        yield Drawn(PromptStrip(view, self.glyphs).lines, 1)
        yield Paragraph(tuple(_legend(view)))

    def _row(self, row: PromptRow) -> Iterator[Block]:
        """A line about the message, then its pieces; a single piece shares the line."""
        number = Span(f"{row.number:>3} ", "faint")
        role = Span(row.role.ljust(_ROLE_CELLS) + " ", "strong") if row.role else Span("")
        tokens = (Span(f"{row.tokens:,}", "number"),)
        name = (Span(f" as {row.name}", "faint"),) if row.name else ()
        if len(row.pieces) == 1:
            piece = row.pieces[0]
            title = row.title if row.title not in piece.label else ""
            behind = (Span(f", {title}", "muted"),) if title else ()
            yield Row((number, role, *_named(piece), *behind, *name), tokens, self._target(piece))
            yield self._text(piece)
            return
        yield Row((number, role, Span(row.title or "chat", "heading"), *name), tokens)
        for piece in row.pieces:
            inline = (Span(f"  {_INLINE}", "faint"),) if piece.is_inline else ()
            cost = (Span(f"{piece.tokens:,}", "faint"),)
            yield Row((Span(_INDENT), *_named(piece), *inline), cost, self._target(piece))
            yield self._text(piece)

    def _text(self, piece: PromptPiece) -> Block:
        """The text as the model reads it, its frames in their own ink."""
        target = self._target(piece)
        spans = tuple(Span(text, ink_of(source), target) for text, source in _without_last_line_end(piece))
        gutter = Span(f"{_INDENT}{self.glyphs.edge} ", ink_of(piece.source))
        return Paragraph(spans, None, (), 0, gutter, self.most)

    def _left_out(self, line: LeftOut) -> Iterator[Block]:
        target = self._target(line)
        tokens = (Span(f"{line.tokens:,}", "number"),) if line.tokens is not None else ()
        sign = Span(f"{_INDENT}{line.source.letter} ", ink_of(line.source))
        yield Row((sign, Span(line.label, "text")), tokens, target)
        yield Paragraph((Span(line.why, "muted", target),), None, (), 0, Span(_INDENT * 2))

    def _target(self, about: PromptPiece | LeftOut) -> Target | None:
        """What it is from: an entry, or a message of the chat."""
        ref = self.ref_of(about.index) if about.index is not None else None
        if ref is not None:
            return ToEntry(ref)
        return ToMessage(about.message) if about.message is not None else None


def _counted(view: PromptView) -> str:
    count = len(view.rows)
    word = "message" if view.api is Api.CHAT else "part"
    return f"1 {word}" if count == 1 else f"{count} {word}s"


def _named(piece: PromptPiece) -> Line:
    """The letter of the source, and what it is."""
    ink = ink_of(piece.source)
    return Span(f"{piece.source.letter} ", ink), Span(piece.label, ink)


def _without_last_line_end(piece: PromptPiece) -> Sequence[tuple[str, Source]]:
    """The spans as they are shown line by line."""
    spans = list(piece.spans)
    if spans and spans[-1][0].endswith("\n"):
        text, source = spans.pop()
        spans.append((text[:-1], source))
    return [(text, source) for text, source in spans if text]


def _legend(view: PromptView) -> Iterator[Span]:
    """The sources with their tokens; breaks between them only."""
    for number, (source, tokens) in enumerate(view.shares):
        if number:
            yield Span("  ")
        ink = ink_of(source)
        blank = "\N{NO-BREAK SPACE}"
        yield Span(f"{source.letter}{blank}{source.word.replace(' ', blank)}", ink)
        yield Span(f"{blank}{tokens:,}", "muted")


@dataclass(frozen=True)
class PromptStrip:
    """The context from the first token to the last: every cell shows the source that has most of it."""

    view: PromptView
    glyphs: Glyphs

    def lines(self, width: int) -> Sequence[Line]:
        """The one line."""
        view = self.view
        total = max(view.context, view.tokens, 1)
        shares: list[dict[Source, float]] = [{} for _ in range(max(1, width))]
        place = 0.0
        for source, tokens in _course(view):
            start, end = place / total * width, (place + tokens) / total * width
            for cell in range(int(start), min(len(shares), int(end) + 1)):
                overlap = min(end, cell + 1) - max(start, cell)
                shares[cell][source] = shares[cell].get(source, 0) + overlap
            place += tokens
        spans: list[Span] = []
        for share in shares:
            text, ink = self.glyphs.free, "bar-free"
            if sum(share.values()) > 0:
                source = max(share.items(), key=lambda item: item[1])[0]
                text, ink = source.letter, ink_of(source)
            if spans and spans[-1].ink == ink:
                spans[-1] = Span(spans[-1].text + text, ink)
            else:
                spans.append(Span(text, ink))
        return (tuple(spans),)


def _course(view: PromptView) -> Iterator[tuple[Source, int]]:
    """Sources and tokens in reading order; what a message costs beyond its pieces comes behind them."""
    for row in view.rows:
        rest = row.tokens
        for piece in row.pieces:
            if piece.source is not Source.MARKER:
                yield piece.source, piece.tokens
                rest -= piece.tokens
        yield Source.MARKER, max(0, rest)
