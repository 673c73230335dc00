"""Phase 1, buffer: the text each entry is matched against, piece by piece, joined only when somebody needs it whole.

SillyTavern 1.19: messages newest first, then extra sources, injected prompts and recursed contents, each behind a mark.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lorebook_tui.engine.plan import SOURCES
from lorebook_tui.matching import ecma

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.plan import Plan, Window
    from lorebook_tui.engine.turn import TurnInput

MARK = "\x01"
JOINER = "\n\x01"
MOST_DEPTH = 1000


@dataclass(frozen=True, slots=True)
class Piece:
    """One line of the buffer and where it came from."""

    text: str
    origin: str
    """message, source, prompt or recursion."""
    name: str = ""
    """Source or prompt name; for recursion the number of the pass that gave it."""
    message: int | None = None
    """Index of the message in the transcript."""


class View:
    """The text of one window in one pass: its pieces, the literals in them, and the joined text when asked for."""

    __slots__ = ("_late", "_text", "numbers", "pieces")

    def __init__(
        self, pieces: tuple[str, ...] | None, numbers: set[int], late: dict[tuple[str, str], ecma.PatternTimeout]
    ) -> None:
        self.pieces = pieces
        self.numbers = numbers
        self._late = late
        self._text: str | None = None

    @property
    def text(self) -> str:
        """The scan text; "" if the depth is 0, which also hides everything else."""
        if self._text is None:
            self._text = "" if self.pieces is None else MARK + JOINER.join(self.pieces)
        return self._text

    def matches(self, source: str, flags: str) -> bool:
        """Whether a pattern matches the text.

        Raises:
            PatternTimeout: no answer within the limit, now or earlier in this turn: a turn pays for it only once.
        """
        known = self._late.get((source, flags))
        if known is not None:
            raise known
        try:
            return ecma.compile(source, flags).test(self.text)
        except ecma.PatternTimeout as late:
            self._late[source, flags] = late
            raise


@dataclass(slots=True)
class Buffer:
    """The views of one turn, built window by window as they are asked for."""

    plan: Plan
    turn: TurnInput
    recursed: list[str] = field(default_factory=list)
    """One piece per pass that fed recursion, oldest first; made by `feed`."""
    skew: int = 0
    """Messages that min activations added to the global depth."""
    _base: dict[tuple[int, int], tuple[tuple[str, ...] | None, set[int]]] = field(default_factory=dict)
    _views: dict[tuple[int, int, int], View] = field(default_factory=dict)
    _recursed_numbers: set[int] = field(default_factory=set)
    _late: dict[tuple[str, str], ecma.PatternTimeout] = field(default_factory=dict)

    def feed(self, contents: Sequence[str]) -> None:
        """Let later passes scan contents, as one piece, a line feed between two of them.

        Contents come back turn after turn, so each is searched by itself where no literal can reach over a line feed.
        """
        piece = "\n".join(contents)
        self.recursed.append(piece)
        index = self.plan.index
        self._recursed_numbers |= index.hits(piece) if index.spans_lines else index.union(contents)

    def view(self, window: int, *, with_recursion: bool) -> View:
        """What the entries of a window see now."""
        count = len(self.recursed) if with_recursion else 0
        key = (window, self.skew, count)
        view = self._views.get(key)
        if view is None:
            pieces, numbers = self._base_of(window)
            if pieces is not None and count:
                pieces = (*pieces, *self.recursed)
                numbers = numbers | self._recursed_numbers
            view = self._views[key] = View(pieces, numbers, self._late)
        return view

    def _base_of(self, number: int) -> tuple[tuple[str, ...] | None, set[int]]:
        window = self.plan.windows[number]
        key = (number, self.skew if window.depth is None else 0)
        base = self._base.get(key)
        if base is None:
            pieces = window_pieces(self.turn, window, self.plan.settings.world_info_depth + self.skew)
            base = self._base[key] = (pieces, self.plan.index.union(pieces or ()))
        return base


def lines_seen(window: Window, global_depth: float) -> int | None:
    """How many messages a window holds; None: it is blind to everything. A depth that is no number sees no message."""
    depth = global_depth if window.depth is None else window.depth
    if depth <= 0:
        return None
    return 0 if math.isnan(depth) else int(min(depth, MOST_DEPTH))


def window_pieces(turn: TurnInput, window: Window, global_depth: float) -> tuple[str, ...] | None:
    """The pieces of a window before recursion; None if its depth is not above 0. No message is an empty piece."""
    count = lines_seen(window, global_depth)
    if count is None:
        return None
    return (
        *(turn.newest(count) or ("",)),
        *(text for source in window.sources if (text := turn.sources.get(SOURCES[source][1]))),
        *(prompt.text for prompt in turn.prompts),
    )


def described_pieces(
    turn: TurnInput, window: Window, global_depth: float, recursed: Sequence[tuple[int, str]]
) -> list[Piece]:
    """The same pieces with their origins, for people: the lines of phase 1."""
    count = lines_seen(window, global_depth)
    if count is None:
        return []
    lines = [
        Piece(text, "message", message=message)
        for text, message in zip(turn.newest(count), turn.newest_numbers(count), strict=True)
    ]
    for source in window.sources:
        name = SOURCES[source][1]
        if turn.sources.get(name):
            lines.append(Piece(turn.sources[name], "source", name))
    lines.extend(Piece(prompt.text, "prompt", prompt.name) for prompt in turn.prompts)
    lines.extend(Piece(text, "recursion", str(number)) for number, text in recursed)
    return lines
