"""Which registered literals occur in which piece of text, remembered per piece: a message never changes.

Keys that ignore case are kept lower-cased and looked for in the lower-cased piece. Pieces are what a scan buffer is
joined from (messages, card fields, recursed contents); no plain key can reach over the mark between two of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.literals import LiteralSet

if TYPE_CHECKING:
    from collections.abc import Iterable

_Tables = tuple[dict[str, int], dict[str, int]]

MOST_PIECES = 50_000
MOST_ABOVE = 256
"""Literals of a fork beyond which it and what it stands on become one again."""


class HitIndex:
    """Literals with numbers, and the hits of every piece asked for.

    Register everything first; the automata are built at the first question. A fork takes further literals in without
    a change to what it was made from, and uses its hits again.

    Attributes:
        folded: literals that ignore case with their numbers: found anywhere, and found between boundaries.
        strict: the same for literals that do not.
        spans_lines: some literal holds a line feed, so that lines cannot be asked for one by one.
    """

    __slots__ = ("_base", "_count", "_hits", "_is_shared", "_sets", "folded", "spans_lines", "strict")

    def __init__(self) -> None:
        self.folded: _Tables = ({}, {})
        self.strict: _Tables = ({}, {})
        self._count = 0
        self.spans_lines = False
        self._sets: tuple[LiteralSet, LiteralSet] | None = None
        self._hits: dict[str, frozenset[int]] = {}
        self._base: HitIndex | None = None
        """What a fork stands on: never registers anything any more."""
        self._is_shared = False
        """Sets and hits are those of another fork too."""

    def fork(self) -> HitIndex:
        """An index with the same numbers that can grow by itself; this one must not grow afterwards."""
        made = HitIndex()
        made._count, made.spans_lines = self._count, self.spans_lines
        if self._base is None:
            made._base = self
        elif len(self) <= MOST_ABOVE:
            made._base = self._base
            made.folded, made.strict = _copied(self.folded), _copied(self.strict)
            made._sets, made._hits, made._is_shared = self._sets, self._hits, True
        else:
            made.folded = _joined(self._base.folded, self.folded)
            made.strict = _joined(self._base.strict, self.strict)
        return made

    def __len__(self) -> int:
        """Literals, those of the base aside."""
        return sum(map(len, (*self.folded, *self.strict)))

    def register(self, literal: str, *, case_sensitive: bool, whole_word: bool) -> int:
        """The number of a literal (lower-cased already unless case-sensitive); the same for the same question."""
        table = (self.strict if case_sensitive else self.folded)[1 if whole_word else 0]
        number = table.get(literal)
        if number is None and self._base is not None:
            below = self._base.strict if case_sensitive else self._base.folded
            number = below[1 if whole_word else 0].get(literal)
        if number is None:
            number = table[literal] = self._count
            self._count += 1
            self.spans_lines = self.spans_lines or "\n" in literal
            self._sets = None
            if self._is_shared:
                self._hits, self._is_shared = {}, False
            self._hits.clear()
        return number

    def hits(self, piece: str) -> frozenset[int]:
        """Numbers of the literals that occur in the piece."""
        found = self._hits.get(piece)
        if found is None:
            if len(self._hits) >= MOST_PIECES:
                self._hits.clear()
            found = self._hits[piece] = self._find(piece)
        return found if self._base is None else found | self._base.hits(piece)

    def union(self, pieces: Iterable[str]) -> set[int]:
        """Numbers of the literals that occur in any of the pieces."""
        found: set[int] = set()
        for piece in pieces:
            found |= self.hits(piece)
        return found

    def _find(self, piece: str) -> frozenset[int]:
        if self._sets is None:
            self._sets = (LiteralSet(*self.folded), LiteralSet(*self.strict))
        folded, strict = self._sets
        found = folded.numbers_in(lower(piece)) if len(folded) else frozenset()
        return found | strict.numbers_in(piece) if len(strict) else found


def _copied(tables: _Tables) -> _Tables:
    return dict(tables[0]), dict(tables[1])


def _joined(below: _Tables, above: _Tables) -> _Tables:
    return below[0] | above[0], below[1] | above[1]
