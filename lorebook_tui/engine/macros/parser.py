"""Reads tokens into macro calls, mending errors as SillyTavern 1.19's parser does.

The parser is a recursive descent with the usual three mends: one foreign token is dropped if the wanted one follows it;
a rule that cannot go on is ended where something stands that may follow it (in the nearest rule for which that holds);
what is left over on the ground level is text. A macro that never comes to its `}}` is text, but complete macros inside
it count.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from lorebook_tui.engine.macros.lexer import (
    COLON,
    DOUBLE_COLON,
    END,
    EOF,
    FLAG,
    NAME,
    OPERATOR,
    PLAIN,
    PREFIX,
    START,
    STEPS,
    VARIABLE,
    WORD,
    Token,
    tokens_of,
)

if TYPE_CHECKING:
    from collections.abc import Generator

    _Made = TypeVar("_Made")
    _Rule = Generator[Any, None, _Made]
    """Gives the rules of macros inside, one after the other; the next step is taken when that one is done."""

_GROUND = frozenset({PLAIN, START, EOF})
_LIST_CONTENT = frozenset({START, WORD, COLON})
_CONTENT = _LIST_CONTENT | {DOUBLE_COLON}
_NESTED = _GROUND | _CONTENT | {END}
_HEAD_TYPES = frozenset({FLAG, PREFIX, NAME})
_REMEMBERED_TEXTS = 4096
COMMENT = "//"
"""The name of comments; their closing tag `{{///}}` reads as a comment that begins with a slash."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: where it stands in the text."""

    start: int
    end: int
    lead: str = ""
    """The first character outside of the macros in it."""


@dataclass(frozen=True, slots=True)
class Call:
    """One macro from `{{` to `}}`."""

    start: int
    end: int
    name: str
    """As written; of a shorthand the name of the variable."""
    flags: str = ""
    arguments: tuple[Argument, ...] = ()
    prefix: str = ""
    """`.` or `$` for the shorthand of a variable."""
    operator: str = ""
    loose: bool = False
    """It stands inside a macro that was never closed."""

    @property
    def closing(self) -> bool:
        """Whether it is a closing tag, `{{/name}}`."""
        return "/" in self.flags and not self.prefix

    @property
    def key(self) -> str:
        """The name as macros are looked up: case does not count."""
        return self.name.lower()


class _StuckError(Exception):
    """A rule cannot go on; the rule that can be ended here catches it."""


class _Parser:
    """Reads one text. Rules in which macros can stand are generators, worked off by `macro_at_ground`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.place = 0
        self.calls: list[Call] = []
        self.loose: list[tuple[int, int]] = []
        """Ranges of `calls` inside macros that were never closed, from left to right."""

    def ahead(self, count: int = 0) -> str:
        place = self.place + count
        return self.tokens[place].type if place < len(self.tokens) else EOF

    def take(self) -> Token:
        token = self.tokens[self.place]
        self.place += 1
        return token

    def expect(self, kind: str) -> Token:
        """Take a token of this type, dropping one foreign token if that helps."""
        if self.ahead() != kind:
            if self.ahead() == EOF or self.ahead(1) != kind:
                raise _StuckError
            self.place += 1
        return self.take()

    def resume(self, wanted: frozenset[str], own: frozenset[str]) -> None:
        """Go on at the next token that some open rule waits for, if the rule that waits is this one."""
        while self.ahead() not in wanted and self.ahead() != EOF:
            self.place += 1
        if self.ahead() not in own:
            raise _StuckError

    def document(self) -> tuple[Call, ...]:
        while self.ahead() != EOF:
            if self.ahead() == START and self.ahead(1) in _HEAD_TYPES:
                self.macro_at_ground()
            else:
                self.place += 1
        for start, end in self.loose:
            self.calls[start:end] = [replace(call, loose=True) for call in self.calls[start:end]]
        return tuple(self.calls)

    def macro_at_ground(self) -> None:
        """A macro with all that is in it; the rules are stacked here, as Python's own stack is too small for some."""
        stack = [self.macro(_GROUND, _GROUND)]
        is_stuck = False
        while stack:
            try:
                inner = stack[-1].throw(_StuckError()) if is_stuck else next(stack[-1])
                is_stuck = False
            except StopIteration:
                is_stuck = False
                stack.pop()
            except _StuckError:
                is_stuck = True
                stack.pop()
            else:
                stack.append(inner)

    def macro(self, wanted: frozenset[str], own: frozenset[str]) -> _Rule[None]:
        """One macro. Complete, it is added to the calls in the place of those inside; if not, they are loose."""
        mark = len(self.calls)
        call = None
        with suppress(_StuckError):
            call = yield from self.head(wanted)
        while self.loose and self.loose[-1][0] >= mark:
            self.loose.pop()
        if call is None:
            self.loose.append((mark, len(self.calls)))
            self.resume(wanted, own)
        else:
            self.calls[mark:] = [call]

    def head(self, wanted: frozenset[str]) -> _Rule[Call]:
        """What stands between the braces."""
        start = self.take().start
        flags = ""
        while self.ahead() == FLAG:
            flags += self._text(self.take())
        if self.ahead() == PREFIX:
            call = yield from self.shorthand(wanted)
        elif self.ahead() == NAME:
            name = self._text(self.take())
            call = Call(0, 0, name, arguments=(yield from self.arguments()))
            if name == COMMENT and call.arguments and call.arguments[0].lead == "/":
                flags += "/"
        else:
            raise _StuckError
        return replace(call, start=start, flags=flags, end=self.expect(END).end)

    def shorthand(self, wanted: frozenset[str]) -> _Rule[Call]:
        prefix = self._text(self.take())
        try:
            name = self._text(self.expect(VARIABLE))
        except _StuckError:
            self.resume(wanted | {END}, frozenset({END}))
            return Call(0, 0, "", prefix=prefix)
        operator = ""
        arguments: tuple[Argument, ...] = ()
        if self.ahead() == OPERATOR:
            operator = self._text(self.take())
            if operator not in STEPS:
                arguments = ((yield from self.content(_CONTENT)),)
        return Call(0, 0, name, prefix=prefix, operator=operator, arguments=arguments)

    def arguments(self) -> _Rule[tuple[Argument, ...]]:
        """Arguments behind a name: a list after `::`, else one that reaches to the end."""
        if self.ahead() == DOUBLE_COLON:
            found = []
            while self.ahead() == DOUBLE_COLON:
                self.place += 1
                found.append((yield from self.content(_LIST_CONTENT)))
            return tuple(found)
        if self.ahead() == COLON:
            self.place += 1
            return ((yield from self.content(_CONTENT)),)
        return ((yield from self.content(_CONTENT)),) if self.ahead() in _CONTENT else ()

    def content(self, types: frozenset[str]) -> _Rule[Argument]:
        """One argument, white space around it left out."""
        # A macro in it that fails where the argument or the macro around may end is ended there.
        own = types | ({DOUBLE_COLON, END} if types is _LIST_CONTENT else {END})
        start = end = self.place
        lead = ""
        while self.ahead() in types:
            if self.ahead() == START:
                yield self.macro(_NESTED, own)
            else:
                lead = lead or self.text[self.tokens[self.place].start]
                self.place += 1
            end = self.place
        if end == start:
            return Argument(self.tokens[start].start, self.tokens[start].start)
        return Argument(self.tokens[start].start, self.tokens[end - 1].end, lead)

    def _text(self, token: Token) -> str:
        return self.text[token.start : token.end]


@lru_cache(maxsize=_REMEMBERED_TEXTS)
def calls_of(text: str) -> tuple[Call, ...]:
    """The complete macros of a text in order; those of unfinished ones stand in their place, marked `loose`."""
    return _Parser(text).document()
