"""Which registered literals occur in which piece of text, remembered per piece: a message never changes.

Keys that ignore case are kept lower-cased and looked for in the lower-cased piece. Pieces are what a scan buffer is
joined from (messages, card fields, recursed contents); no plain key can reach over the mark between two of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.matching.literals import LiteralSet

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_PIECES = 50_000


class HitIndex:
    """Literals with numbers, and the hits of every piece asked for.

    Register everything first; the automata are built at the first question.

    Attributes:
        spans_lines: some literal holds a line feed, so that lines cannot be asked for one by one.
    """

    __slots__ = ("_count", "_folded", "_hits", "_sets", "_strict", "spans_lines")

    def __init__(self) -> None:
        self._folded: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._strict: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._count = 0
        self.spans_lines = False
        self._sets: tuple[LiteralSet, LiteralSet] | None = None
        self._hits: dict[str, frozenset[int]] = {}

    def register(self, literal: str, *, case_sensitive: bool, whole_word: bool) -> int:
        """The number of a literal (lower-cased already unless case-sensitive); the same for the same question."""
        table = (self._strict if case_sensitive else self._folded)[1 if whole_word else 0]
        number = table.get(literal)
        if number is None:
            number = table[literal] = self._count
            self._count += 1
            self.spans_lines = self.spans_lines or "\n" in literal
            self._sets = None
            self._hits.clear()
        return number

    def hits(self, piece: str) -> frozenset[int]:
        """Numbers of the literals that occur in the piece."""
        found = self._hits.get(piece)
        if found is None:
            if len(self._hits) >= MOST_PIECES:
                self._hits.clear()
            found = self._hits[piece] = self._find(piece)
        return found

    def union(self, pieces: Iterable[str]) -> set[int]:
        """Numbers of the literals that occur in any of the pieces."""
        found: set[int] = set()
        for piece in pieces:
            found |= self.hits(piece)
        return found

    def _find(self, piece: str) -> frozenset[int]:
        if self._sets is None:
            self._sets = (LiteralSet(*self._folded), LiteralSet(*self._strict))
        folded, strict = self._sets
        found = folded.numbers_in(piece.lower())
        return found | strict.numbers_in(piece) if len(strict) else found
