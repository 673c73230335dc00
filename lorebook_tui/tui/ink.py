"""Lines as values: pieces of text with an ink (a style by name) and what a click on them means. Knows no Textual.

Blocks are laid out for a width only when somebody looks at them, so a pane may hold any number of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Protocol

from lorebook_tui.display import ELLIPSIS, cell_width, elide, plain, simple_emoji

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lorebook_tui.tui.targets import Target

_LEAST_TITLE: Final = 18
_MOST_PER_CELL: Final = 16
"""Characters that can share a cell at most: a letter with its heap of marks."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line. Foreign text may stand in it: it is made harmless where it is drawn and measured."""

    text: str
    ink: str = "text"
    """A name of `inks.INKS`."""
    target: Target | None = None
    """What a click on it means; None: what the block says."""


Line = tuple[Span, ...]


class Block(Protocol):
    """Something that takes one or more lines of a pane."""

    @property
    def target(self) -> Target | None:
        """What choosing it means; None: the cursor passes over it."""
        ...

    def estimate(self, width: int) -> int:
        """About how many lines it will take, at once."""
        ...

    def lines(self, width: int) -> Sequence[Line]:
        """Its lines for a pane of so many cells; at least one."""
        ...


def width_of(line: Iterable[Span]) -> int:
    """Cells that the spans take."""
    return sum(cell_width(span.text) for span in line)


def fit(spans: Iterable[Span], cells: int) -> Line:
    """The spans cut to so many cells, with an ellipsis where they are cut; the result is safe to show in columns."""
    kept: list[Span] = []
    for span in spans:
        shown = plain(simple_emoji(span.text[: _MOST_PER_CELL * (cells + 1)]), " ")
        width = cell_width(shown)
        if width <= cells:
            kept.append(replace(span, text=shown))
            cells -= width
            continue
        cut = elide(shown, cells) if cells > 0 else ""
        if cut:
            kept.append(replace(span, text=cut))
        elif kept:
            kept[-1] = replace(kept[-1], text=elide(kept[-1].text + ELLIPSIS, cell_width(kept[-1].text)))
        break
    return tuple(kept)


def padded(spans: Iterable[Span], cells: int) -> Line:
    """The spans as exactly so many cells; nothing at all for no cells."""
    if cells <= 0:
        return ()
    shown = fit(spans, cells)
    return (*shown, Span(" " * (cells - width_of(shown))))


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a left part that is elided, and a right part that stands at the edge."""

    left: tuple[Span, ...]
    right: tuple[Span, ...] = ()
    target: Target | None = None
    right_yields: bool = False
    """Cut the right part, not the left one, where both do not fit."""

    def estimate(self, width: int) -> int:
        """Always one."""
        del width
        return 1

    def lines(self, width: int) -> Sequence[Line]:
        """The one line."""
        gap = 1 if self.right and self.left else 0
        right = fit(self.right, width - gap - width_of(fit(self.left, width)) if self.right_yields else width)
        left = fit(self.left, width - width_of(right) - gap)
        blank = width - width_of(left) - width_of(right)
        return ((*left, Span(" " * max(0, blank)), *right),)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text that is wrapped, the later lines hanging."""

    spans: tuple[Span, ...]
    target: Target | None = None
    lead: tuple[Span, ...] = ()
    """Stands in front of the first line."""
    hang: int = 0
    """Cells that every line but the first is indented; the first starts behind `lead`."""
    gutter: Span | None = None
    """Stands at the left of every line, in front of lead and indent."""
    most: int | None = None
    """Greatest number of lines; the last one then ends with an ellipsis."""

    def estimate(self, width: int) -> int:
        """From the number of characters and line ends."""
        room = max(8, width - self.hang)
        characters = sum(len(span.text) for span in (*self.lead, *self.spans))
        lines = characters // room + 1 + sum(span.text.count("\n") for span in self.spans)
        return lines if self.most is None else min(lines, self.most)

    def lines(self, width: int) -> Sequence[Line]:
        """All lines, or the first `most` of them."""
        gutter = (self.gutter,) if self.gutter else ()
        width = max(4, width - width_of(gutter))
        lead = fit(self.lead, width)
        hang = min(self.hang, max(0, width - 8))
        text = "".join(plain(span.text, "\n") for span in self.spans)
        ranges = wrap(text, width - width_of(lead), width - hang, self.most)
        found: list[Line] = []
        for number, (start, end) in enumerate(ranges):
            front = lead if number == 0 else (Span(" " * hang),) if hang else ()
            found.append((*gutter, *front, *sliced(self.spans, start, end)))
        if self.most is not None and ranges and ranges[-1][1] < len(text.rstrip()):
            found[-1] = _continued(found[-1], width + width_of(gutter))
        return found


def _continued(line: Line, width: int) -> Line:
    """The line with one ellipsis behind it, in the place of its end where there is no room."""
    if width_of(line) >= width:
        cut = fit(line, width - 1)
        line = (*cut[:-1], replace(cut[-1], text=cut[-1].text.removesuffix(ELLIPSIS)))
    return (*line, Span(ELLIPSIS, "muted"))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A block that is made for a width by a function: bars, strips, tables."""

    draw: Callable[[int], Sequence[Line]]
    height: int
    target: Target | None = None

    def estimate(self, width: int) -> int:
        """As declared."""
        del width
        return self.height

    def lines(self, width: int) -> Sequence[Line]:
        """What the function draws."""
        return self.draw(width)


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a list with columns: sign, title, detail, number."""

    sign: Span
    title: Span
    detail: tuple[Span, ...]
    number: str = ""
    target: Target | None = None

    def estimate(self, width: int) -> int:
        """Always one."""
        del width
        return 1

    def lines(self, width: int) -> Sequence[Line]:
        """The one line; the titles of all records take the same room."""
        room = max(_LEAST_TITLE, width * 2 // 5)
        title = padded((self.title,), min(room, width - 2))
        right = (Span(self.number, "number"),) if self.number else ()
        return Row((self.sign, Span(" "), *title, Span("  "), *self.detail), right).lines(width)


BLANK: Final = Row(())


def heading(text: str, note: str = "") -> Row:
    """A section title of our own words, with a quiet note at the right."""
    return Row((Span(text, "heading"),), (Span(note, "faint"),) if note else (), right_yields=True)


def sliced(spans: Iterable[Span], start: int, end: int) -> Line:
    """The part of joined spans between two offsets, line ends shown by their signs."""
    found: list[Span] = []
    position = 0
    for span in spans:
        first, last = max(start, position), min(end, position + len(span.text))
        if first < last:
            text = span.text[first - position : last - position]
            found.append(replace(span, text=plain(text)))
        position += len(span.text)
        if position >= end:
            break
    return tuple(found)


def marked(text: str, marks: Iterable[tuple[int, int, str]], ink: str = "text") -> tuple[Span, ...]:
    """A text cut into spans: the ink of the last mark wins where marks overlap; ranges outside the text are ignored."""
    listed = [(max(0, start), min(len(text), end), mark) for start, end, mark in marks]
    listed = [mark for mark in listed if mark[0] < mark[1]]
    if not listed:
        return (Span(text, ink),)
    borders = sorted({0, len(text), *(mark[0] for mark in listed), *(mark[1] for mark in listed)})
    found = []
    for start, end in pairwise(borders):
        covering = [mark for first, last, mark in listed if first <= start and end <= last]
        found.append(Span(text[start:end], covering[-1] if covering else ink))
    return tuple(found)


def wrap(text: str, first: int, rest: int, most: int | None = None) -> list[tuple[int, int]]:
    """Offsets of lines: words are kept whole where they fit, line ends break, blanks at a break are dropped.

    Args:
        text: shown text (it went through `plain`, line feeds kept).
        first: cells of the first line.
        rest: cells of every other line.
        most: greatest number of lines.
    """
    found: list[tuple[int, int]] = []
    room = max(1, first)
    start = 0
    for paragraph_end in _line_ends(text):
        while True:
            if most is not None and len(found) >= most:
                return found
            end = _cut(text, start, paragraph_end, room)
            found.append((start, end))
            room = max(1, rest)
            if end >= paragraph_end:
                break
            start = end
            while start < paragraph_end and text[start] == " ":
                start += 1
            if start == paragraph_end:
                break
        start = paragraph_end + 1
    return found


def _line_ends(text: str) -> Iterable[int]:
    position = text.find("\n")
    while position >= 0:
        yield position
        position = text.find("\n", position + 1)
    yield len(text)


def _cut(text: str, start: int, end: int, cells: int) -> int:
    """Where a line that starts here ends: behind the last word that fits, or inside a word longer than a line."""
    limit = min(end, start + cells)
    piece = text[start:limit]
    if not piece.isascii():
        limit = start + _fitting(text, start, end, cells)
    if limit >= end:
        return end
    if text[limit] == " ":
        return limit
    space = text.rfind(" ", start, limit)
    return space if space > start and text[start:space].strip() else limit


def _fitting(text: str, start: int, end: int, cells: int) -> int:
    """How many characters from here fit into so many cells; at least one, marks stay with their letter."""
    position = start
    while position < end:
        width = 1 if text[position] == "\ufe0f" else cell_width(text[position])
        if width > cells and position > start:
            break
        cells -= width
        position += 1
    return max(1, position - start)
