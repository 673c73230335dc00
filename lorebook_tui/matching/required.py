"""Literals that every match of a JavaScript pattern must hold, so that a pattern is only tried where one occurs.

A conservative reading: where a construct is not understood it promises nothing. The text is lower-cased before the
literals are looked for, piece by piece; so no literal reaches over the mark (line feed, U+0001) between two pieces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from lorebook_tui.matching.folding import NOTHING, lowered, weight

_LEAST_WEIGHT: Final = 4
_MOST_LITERALS: Final = 256
_LONGEST_LITERAL: Final = 64
_DEEPEST: Final = 60

_QUANTIFIER: Final = re.compile(r"(?:([*+?])|\{(\d+)(,\d*)?\})\??")
_GROUP: Final = re.compile(r"\?(?:(:)|(<?[=!])|<[^>=!]+>|([ims]*)(?:-([ims]*))?:)")
_ESCAPED_CODE: Final = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})")
_ESCAPED_CODE_POINT: Final = re.compile(r"u\{([0-9A-Fa-f]{1,6})\}")
_OPAQUE_ESCAPE: Final = re.compile(r"[dDsSwW]|\d+|k(?:<[\w$]+>)?|[pP](?:\{[\w=]+\})?|c[A-Za-z]?")
_CONTROL_ESCAPES: Final = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_BETWEEN_PIECES: Final = "\n\x01"
_LAST_BMP: Final = "\uffff"


class _TooDeep(Exception):  # noqa: N818 - a signal inside this module, never seen outside
    """The pattern nests deeper than is worth reading."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What is known about every match of a part of a pattern."""

    exact: str | None = None
    """The lower-cased text that it always is, "" if it takes no room; None if it varies."""
    relatives: frozenset[str] = NOTHING
    """Single characters, one of which the match holds if it is not `exact`."""
    needs: frozenset[str] | None = None
    """Literals, one of which every match holds; None if nothing is known."""
    rank: int = 0
    """Weight of the least telling of `needs`, relatives left aside."""


_OPAQUE: Final = _Part()
_NO_WIDTH: Final = _Part(exact="")


@lru_cache(maxsize=8192)
def required_literals(source: str, flags: str) -> tuple[str, ...] | None:
    """Lower-cased literals, at least one of which occurs in `lower(text)` of every text that the valid pattern matches.

    None if no such set is known, then the pattern must always be tried.
    """
    reader = _Reader(source, ignore_case="i" in flags, unicode="u" in flags)
    try:
        part = reader.alternatives()
    except (_TooDeep, IndexError):
        return None
    if part.needs is None or reader.place < len(source):
        return None
    return tuple(sorted(part.needs))


@dataclass(slots=True)
class _Sequence:
    """Parts one after the other: joins exact neighbours to a run and keeps the most telling set of literals."""

    run: str = ""
    relatives: frozenset[str] = NOTHING
    varies: bool = False
    best: _Part = field(default=_OPAQUE)

    def add(self, part: _Part, least: int, *, repeats: bool) -> None:
        """One more part, that occurs `least` times, or more if it repeats."""
        if part.exact is None or (part.exact and (repeats or not least or len(part.exact) * least > _LONGEST_LITERAL)):
            if least and part.exact is not None:
                copies = max(1, min(least, _LONGEST_LITERAL // len(part.exact)))
                self._append(part.exact * copies, part.relatives)
                self._end_run()
                if least == copies:
                    self._append(part.exact * copies, part.relatives)
            else:
                self._end_run()
                if least:
                    self._offer(part)
            self.varies = True
        else:
            self._append(part.exact * least, part.relatives)

    def whole(self) -> _Part:
        """What is known about the sequence as one part."""
        run, relatives = self.run, self.relatives
        self._end_run()
        if self.varies or self.best.needs is None:
            return self.best if self.varies else _Part(run, relatives)
        return _Part(run, relatives, self.best.needs, self.best.rank)

    def _append(self, text: str, relatives: frozenset[str]) -> None:
        self.run += text
        self.relatives |= relatives
        if len(self.run) > _LONGEST_LITERAL:
            self._end_run()
            self.varies = True

    def _end_run(self) -> None:
        rank = weight(self.run)
        if rank >= _LEAST_WEIGHT:
            self._offer(_Part(needs=self.relatives | {self.run}, rank=rank))
        self.run, self.relatives = "", NOTHING

    def _offer(self, part: _Part) -> None:
        if part.needs is not None and (part.rank, -len(part.needs)) > (self.best.rank, -len(self.best.needs or ())):
            self.best = _Part(needs=part.needs, rank=part.rank)


@dataclass(slots=True)
class _Reader:
    """A recursive reader of a pattern that JavaScript has accepted."""

    source: str
    ignore_case: bool
    unicode: bool
    place: int = 0
    depth: int = 0

    def alternatives(self) -> _Part:
        """Sequences between bars, up to the end or a closing parenthesis."""
        branches = [self._sequence()]
        while self._peek() == "|":
            self.place += 1
            branches.append(self._sequence())
        if len(branches) == 1:
            return branches[0]
        needs: frozenset[str] = NOTHING
        for branch in branches:
            if branch.needs is None:
                return _OPAQUE
            needs |= branch.needs
        if len(needs) > _MOST_LITERALS:
            return _OPAQUE
        return _Part(needs=needs, rank=min(branch.rank for branch in branches))

    def _sequence(self) -> _Part:
        sequence = _Sequence()
        while self._peek() not in {"", "|", ")"}:
            part = self._atom()
            least, repeats = self._quantifier()
            sequence.add(part, least, repeats=repeats)
        return sequence.whole()

    def _peek(self) -> str:
        return self.source[self.place : self.place + 1]

    def _quantifier(self) -> tuple[int, bool]:
        """How often the atom before occurs at least, and whether it can occur more often."""
        found = _QUANTIFIER.match(self.source, self.place)
        if found is None:
            return 1, False
        self.place = found.end()
        sign, least, more = found.groups()
        if sign:
            return (1, True) if sign == "+" else (0, True)
        return int(least), more is not None and more != f",{least}"

    def _atom(self) -> _Part:
        char = self.source[self.place]
        self.place += 1
        if char == "(":
            return self._group()
        if char == "[":
            return self._class()
        if char == "\\":
            return self._escape()
        if char in "^$":
            return _NO_WIDTH
        return _OPAQUE if char == "." else self._literal(char)

    def _group(self) -> _Part:
        """The rest of a group; assertions take no room and promise nothing here."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _TooDeep
        ignore_case = self.ignore_case
        prefix = _GROUP.match(self.source, self.place)
        if prefix is not None:
            self.place = prefix.end()
            self.ignore_case = (ignore_case or "i" in (prefix[3] or "")) and "i" not in (prefix[4] or "")
        inner = self.alternatives()
        if self._peek() != ")":
            raise IndexError
        self.place += 1
        self.depth -= 1
        self.ignore_case = ignore_case
        return _NO_WIDTH if prefix is not None and prefix[2] else inner

    def _class(self) -> _Part:
        """The rest of a character class; `[Дд]` is as good as a letter, others promise nothing."""
        start = self.place
        members: list[_Part] = []
        while self._peek() != "]":
            char = self.source[self.place]
            self.place += 1
            if char == "\\":
                char = self.source[self.place]
                self.place += 1
                members.append(_OPAQUE if char.isalnum() else self._literal(char))
            else:
                members.append(_OPAQUE if char == "-" else self._literal(char))
        self.place += 1
        exact = {member.exact for member in members}
        if len(exact) != 1 or self.source[start] == "^":
            return _OPAQUE
        return _Part(exact.pop(), NOTHING.union(*(member.relatives for member in members)))

    def _escape(self) -> _Part:
        """The rest of an escape outside a class."""
        char = self.source[self.place]
        if char in "bB":
            self.place += 1
            return _NO_WIDTH
        opaque = _OPAQUE_ESCAPE.match(self.source, self.place)
        if opaque is not None:
            self.place = opaque.end()
            return _OPAQUE
        code = _ESCAPED_CODE.match(self.source, self.place)
        if code is None and self.unicode:
            code = _ESCAPED_CODE_POINT.match(self.source, self.place)
        if code is not None:
            self.place = code.end()
            return self._literal(chr(int(code[code.lastindex or 0], 16)))
        self.place += 1
        return self._literal(_CONTROL_ESCAPES.get(char, char))

    def _literal(self, char: str) -> _Part:
        """A character that stands for itself. Surrogates and pairs depend on the flag u, so they promise nothing."""
        if char in _BETWEEN_PIECES or char > _LAST_BMP or "\ud800" <= char <= "\udfff":
            return _OPAQUE
        known = lowered(char, ignore_case=self.ignore_case, unicode=self.unicode)
        return _OPAQUE if known is None else _Part(*known)
