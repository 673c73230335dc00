"""Reads tokens into macro calls, mending errors as SillyTavern 1.19's parser does.

The parser is a recursive descent with the usual three mends: one foreign token is dropped if the wanted one follows it;
a rule that cannot go on is ended where something stands that may follow it (in the nearest rule for which that holds);
what is left over on the ground level is text. A macro that never comes to its `}}` is text, but complete macros inside
it count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

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
    calls: tuple[Call, ...] = ()
    """Of the value of a shorthand: the macros in it, unfinished ones too."""


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
    unfinished: bool = False
    """It ended where it could not go on; the macro around it was closed."""
    endless: bool = False
    """Its end was taken as given because what stood there may follow an end."""

    @property
    def closing(self) -> bool:
        """Whether it is a closing tag, `{{/name}}`."""
        return "/" in self.flags and not self.prefix

    @property
    def key(self) -> str:
        """The name as macros are looked up: case does not count."""
        return self.name.lower()


class _StuckError(Exception):
    """A rule cannot go on; the rule that can be ended here catches it, and finds what was read of its macro."""

    def __init__(self, call: Call | None = None) -> None:
        super().__init__()
        self.call = call or Call(0, 0, "")


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.place = 0
        self.taken = 0
        """Behind the last token that belongs to something; those skipped since are in nothing."""

    def ahead(self, count: int = 0) -> str:
        place = self.place + count
        return self.tokens[place].type if place < len(self.tokens) else EOF

    def take(self) -> Token:
        token = self.tokens[self.place]
        self.place += 1
        self.taken = self.place
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
        place = self.place
        while self.tokens[place].type not in wanted and self.tokens[place].type != EOF:
            place += 1
        if self.tokens[place].type not in own:
            raise _StuckError
        self.place = place

    def document(self) -> tuple[Call, ...]:
        calls: list[Call] = []
        while self.ahead() != EOF:
            if self.ahead() == START and self.ahead(1) in _HEAD_TYPES:
                self.macro(calls, _GROUND, _GROUND)
            else:
                self.place += 1
        return tuple(calls)

    def macro(self, calls: list[Call], wanted: frozenset[str], own: frozenset[str]) -> Call:
        """One macro. Complete, it is added to `calls`; if not, the complete ones inside it are."""
        inner: list[Call] = []
        start = self.tokens[self.place].start
        try:
            call = self.head(inner, wanted, own)
        except _StuckError as stuck:
            calls.extend(replace(call, loose=True) for call in inner)
            end = self.tokens[self.taken - 1].end
            self.resume(wanted, own)
            return replace(stuck.call, start=start, end=end, unfinished=True)
        calls.append(call)
        return call

    def head(self, inner: list[Call], wanted: frozenset[str], own: frozenset[str]) -> Call:
        """What stands between the braces; macros inside are collected in `inner` in any case."""
        start = self.take().start
        flags = ""
        while self.ahead() == FLAG:
            flags += self._text(self.take())
        if self.ahead() == PREFIX:
            call = self.shorthand(inner, wanted)
        elif self.ahead() == NAME:
            name = self._text(self.take())
            call = Call(0, 0, name, arguments=self.arguments(inner))
            if name == COMMENT and call.arguments and call.arguments[0].lead == "/":
                flags += "/"
        else:
            raise _StuckError(Call(0, 0, "", flags))
        return self.ended(replace(call, start=start, flags=flags), own)

    def ended(self, call: Call, own: frozenset[str]) -> Call:
        """The call with its end; what may follow an end is not dropped in search of one."""
        if self.ahead() != END and self.ahead() in own:
            raise _StuckError(replace(call, endless=True))
        try:
            return replace(call, end=self.expect(END).end)
        except _StuckError:
            raise _StuckError(call) from None

    def shorthand(self, inner: list[Call], wanted: frozenset[str]) -> Call:
        prefix = self._text(self.take())
        try:
            name = self._text(self.expect(VARIABLE))
        except _StuckError:
            return self.nameless(Call(0, 0, "", prefix=prefix), wanted)
        operator = ""
        arguments: tuple[Argument, ...] = ()
        if self.ahead() == OPERATOR:
            operator = self._text(self.take())
            if operator not in STEPS:
                arguments = (self.content(inner, _CONTENT, keep=True),)
        return Call(0, 0, name, prefix=prefix, operator=operator, arguments=arguments)

    def nameless(self, call: Call, wanted: frozenset[str]) -> Call:
        """A shorthand without a name is over where its end is the next thing that anyone waits for."""
        try:
            self.resume(wanted | {END}, frozenset({END}))
        except _StuckError:
            raise _StuckError(call) from None
        return call

    def arguments(self, inner: list[Call]) -> tuple[Argument, ...]:
        """Arguments behind a name: a list after `::`, else one that reaches to the end."""
        if self.ahead() == DOUBLE_COLON:
            found = []
            while self.ahead() == DOUBLE_COLON:
                self.place += 1
                found.append(self.content(inner, _LIST_CONTENT))
            return tuple(found)
        if self.ahead() == COLON:
            self.place += 1
            return (self.content(inner, _CONTENT),)
        return (self.content(inner, _CONTENT),) if self.ahead() in _CONTENT else ()

    def content(self, inner: list[Call], types: frozenset[str], *, keep: bool = False) -> Argument:
        """One argument, white space around it left out; of a value its macros are kept."""
        start = end = self.place
        lead = ""
        calls: list[Call] = []
        while self.ahead() in types:
            if self.ahead() == START:
                calls.append(self.nested(inner, types))
            else:
                begin = self.take().start
                lead = lead or self.text[begin]
            end = self.taken
        if end == start:
            return Argument(self.tokens[start].start, self.tokens[start].start)
        found = tuple(calls) if keep else ()
        return Argument(self.tokens[start].start, self.tokens[end - 1].end, lead, found)

    def nested(self, calls: list[Call], types: frozenset[str]) -> Call:
        """A macro inside an argument; if it fails where the argument or the macro around may end, they end there."""
        own = types | ({DOUBLE_COLON, END} if types is _LIST_CONTENT else {END})
        return self.macro(calls, _NESTED, own)

    def _text(self, token: Token) -> str:
        return self.text[token.start : token.end]


@lru_cache(maxsize=_REMEMBERED_TEXTS)
def calls_of(text: str) -> tuple[Call, ...]:
    """The complete macros of a text in order; those of unfinished ones stand in their place, marked `loose`."""
    try:
        return _Parser(text).document()
    except RecursionError:
        return ()  # hundreds of macros inside each other, which SillyTavern's parser gives up on, too
