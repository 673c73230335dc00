"""How a query is written: words, `field:value` terms, quotes, `/patterns/`, `-` and `not`, `or`, parentheses.

    constant:yes order:>100 key:/bell/i (title:"the guild" or folder:NPC) -fired:never

Terms in a row must all hold; `or` binds weaker than they do. This module knows no fields: it gives the tree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lorebook_tui.errors import UsageError

OPERATORS: Final = (":", "=", "!=", "<", "<=", ">", ">=")
QUERY_HINT: Final = "Words look in titles and keys; others are field:value, as in order:>100 key:/bell/i -fired:never."
_TERM: Final = re.compile(r'(?:"([^"]+)"|([^\W\d][\w.-]*))(:(?:!=|<=|>=|[=<>])?|!=|<=|>=|[=<>])')
_BLANK: Final = re.compile(r"\s*")
_PATTERN: Final = re.compile(r"/((?:[^/\\\n]|\\.)+)/(\w*)", re.DOTALL)
_SINGLE: Final = re.compile(r"'((?:[^'\\]|\\.)*)'(?=[\s,)]|$)", re.DOTALL)
_DOUBLE: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPED: Final = re.compile(r"""\\([\\"'])""")
_DEEPEST: Final = 50
_MOST_TERMS: Final = 500


class QueryError(UsageError):
    """A query that cannot be understood.

    Args:
        message: what is wrong.
        offset: characters of the query before the place.
        expected: what would have been right.
        found: what is there.
        hint: what to do.
    """

    def __init__(self, message: str, offset: int, *, expected: str = "", found: str = "", hint: str = "") -> None:
        where = f"character {offset + 1} of the query"
        super().__init__(message, where=where, expected=expected, found=found, hint=hint or QUERY_HINT)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Value:
    """What stands behind the operator of a term, or a word alone."""

    text: str
    """Quotes and escapes resolved; of a pattern its source."""
    offset: int
    form: str = "bare"
    """`bare`, `quoted` or `pattern`."""
    flags: str = ""

    @property
    def is_bare(self) -> bool:
        """Whether words such as `none` and signs such as `..` have their meaning."""
        return self.form == "bare"


@dataclass(frozen=True, slots=True)
class Word:
    """Something to find in titles and keys."""

    value: Value


@dataclass(frozen=True, slots=True)
class Term:
    """A field or fact compared with values, of which one has to fit."""

    name: str
    operator: str
    values: tuple[Value, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite."""

    part: Node


@dataclass(frozen=True, slots=True)
class All:
    """All parts hold; with none, everything does."""

    parts: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Any:
    """One of the parts holds."""

    parts: tuple[Node, ...]


Node = Word | Term | Not | All | Any


def parse_syntax(text: str) -> Node:
    """The tree of a query.

    Raises:
        QueryError: it cannot be understood; says where.
    """
    parser = _Parser(text)
    node = parser.either(0)
    if parser.place < len(text):
        raise QueryError("This parenthesis closes nothing.", parser.place, found=")")
    return node


class _Parser:
    """Reads one query from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.terms = 0
        self.skip()

    def skip(self) -> None:
        """Go over white space."""
        found = _BLANK.match(self.text, self.place)
        self.place = found.end() if found else self.place

    def at_end(self) -> bool:
        """Whether a row of terms ends here."""
        return self.place >= len(self.text) or self.text[self.place] == ")"

    def keyword(self, *names: str) -> bool:
        """Go over one of some words or signs, if it stands here alone."""
        for name in names:
            end = self.place + len(name)
            ends_word = not name.isalpha() or not (self.text[end : end + 1].strip() and self.text[end] not in "()")
            if self.text[self.place : end] in {name, name.upper()} and ends_word:
                self.place = end
                self.skip()
                return True
        return False

    def either(self, depth: int) -> Node:
        """Rows of terms with `or` between them."""
        if depth > _DEEPEST:
            raise QueryError(
                "The parentheses are nested too deeply.", self.place, expected=f"at most {_DEEPEST} levels"
            )
        start = self.place
        rows = [self.row(depth)]
        while True:
            before = self.place
            if not self.keyword("or", "||", "|"):
                break
            rows.append(self.row(depth))
            if rows[-1] == All() or rows[-2] == All():
                raise QueryError("`or` needs something on both sides.", before, expected="a term before and after it")
        if depth and rows == [All()]:
            raise QueryError("There is nothing in the parentheses.", start)
        return rows[0] if len(rows) == 1 else Any(tuple(rows))

    def row(self, depth: int) -> Node:
        """Terms that must all hold."""
        parts: list[Node] = []
        while not self.at_end():
            before = self.place
            if self.keyword("or", "||", "|"):
                self.place = before
                break
            if self.keyword("and", "&&", "&"):
                if not parts or self.at_end():
                    raise QueryError("`and` needs something on both sides.", before)
                continue
            parts.append(self.negated(depth))
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def negated(self, depth: int) -> Node:
        """A term with any number of signs in front that turn it round."""
        turns = 0
        start = self.place
        while True:
            if self.text[self.place : self.place + 1] in {"-", "!"}:
                self.place += 1
            elif not self.keyword("not"):
                break
            turns += 1
        if self.at_end() or (turns and self.text[self.place].isspace()):
            raise QueryError("Something is missing here.", start, expected="a term after the negation")
        part = self.single(depth)
        return Not(part) if turns % 2 else part

    def single(self, depth: int) -> Node:
        """A parenthesis, a term or a word."""
        self.terms += 1
        if self.terms > _MOST_TERMS:
            raise QueryError("The query is too long.", self.place, expected=f"at most {_MOST_TERMS} terms")
        if self.text[self.place] == "(":
            opened = self.place
            self.place += 1
            self.skip()
            node = self.either(depth + 1)
            if self.place >= len(self.text):
                raise QueryError("This parenthesis is never closed.", opened, expected=")")
            self.place += 1
            self.skip()
            return node
        offset = self.place
        found = _TERM.match(self.text, offset)
        if found is None:
            word = Word(self.value(commas=False))
            self.skip()
            return word
        self.place = found.end()
        values = [self.value(commas=True)]
        while self.text[self.place : self.place + 1] == ",":
            self.place += 1
            values.append(self.value(commas=True))
        self.skip()
        operator = found[3] if found[3] == ":" else found[3].removeprefix(":")
        return Term(found[1] or found[2], operator, tuple(values), offset)

    def value(self, *, commas: bool) -> Value:
        """A value: quoted, a pattern, or up to the next blank (or comma)."""
        start = self.place
        char = self.text[start : start + 1]
        if char == '"':
            return self.quoted(_DOUBLE.match(self.text, start))
        if char == "'" and (found := _SINGLE.match(self.text, start)):
            return self.quoted(found)
        if char == "/":
            return self.pattern()
        open_here = 0
        while self.place < len(self.text):
            char = self.text[self.place]
            if char.isspace() or (commas and char == "," and not open_here) or (char == ")" and not open_here):
                break
            if char == "(" and not commas:
                break
            open_here += {"(": 1, ")": -1}.get(char, 0)
            self.place += 1
        if self.place == start:
            raise QueryError("A value is missing here.", start, expected="something after the sign, without a blank")
        return Value(self.text[start : self.place], start)

    def quoted(self, found: re.Match[str] | None) -> Value:
        """A value in quotes."""
        if found is None:
            raise QueryError("This quotation mark is never closed.", self.place, expected='"')
        start, self.place = self.place, found.end()
        return Value(_ESCAPED.sub(r"\1", found[1]), start, "quoted")

    def pattern(self) -> Value:
        """A JavaScript pattern."""
        found = _PATTERN.match(self.text, self.place)
        if found is None:
            raise QueryError(
                "This pattern is never closed.",
                self.place,
                expected="/pattern/ or /pattern/flags, a slash inside as \\/",
                hint='To look for a text that begins with a slash, put it in quotes: "/…".',
            )
        start, self.place = self.place, found.end()
        following = self.text[self.place : self.place + 1]
        if following and not following.isspace() and following not in "),":
            raise QueryError(
                "Something stands behind the pattern.", self.place, expected="a blank or nothing", found=following
            )
        return Value(found[1].replace("\\/", "/"), start, "pattern", found[2])
