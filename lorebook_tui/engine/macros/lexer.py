"""Splits a text into the tokens of SillyTavern 1.19's macro language.

The language is read in modes: plain text, the head of a macro (`{{`, flags, name), the place behind a name, arguments,
and the parts of a variable shorthand (`{{.hp += 2}}`). A mode that meets something foreign hands it back to the mode
below; only behind a name are foreign characters dropped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from lorebook_tui.model.js import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Callable

PLAIN: Final = "plain"
START: Final = "start"
END: Final = "end"
FLAG: Final = "flag"
PREFIX: Final = "prefix"
NAME: Final = "name"
VARIABLE: Final = "variable"
OPERATOR: Final = "operator"
DOUBLE_COLON: Final = "double colon"
WORD: Final = "word"
COLON: Final = "colon"
EOF: Final = "end of text"

STEPS: Final = frozenset({"++", "--"})
"""Operators that take no value."""

_SPACES = re.compile(f"[{WHITE_SPACE}]*")
_HEAD = re.compile(r"(?P<end>\}\})|(?P<flag>[!?~#>]|/(?!/))|(?P<prefix>[.$])|(?P<name>//|[a-zA-Z][\w-]*)", re.ASCII)
_BEHIND_NAME = re.compile(rf"\}}|[:|{WHITE_SPACE}]")
_ARGUMENT = re.compile(
    r"(?P<end>\}\})|(?P<start>\{\{)|(?P<double>::)|(?P<colon>:)|(?P<word>[\w-]+|.)", re.ASCII | re.DOTALL
)
_VARIABLE = re.compile(r"[a-zA-Z](?:[\w-]*\w)?", re.ASCII)
_OPERATOR = re.compile(r"\+\+|--|\|\|=|\?\?=|\+=|-=|==|!=|>=|<=|\|\||\?\?|>|<|=")
_ARGUMENT_TYPES = {"end": END, "start": START, "double": DOUBLE_COLON, "colon": COLON, "word": WORD}
_HEAD_TYPES = {"end": END, "flag": FLAG, "prefix": PREFIX, "name": NAME}


class Token(NamedTuple):
    """One token; the text of it is `text[start:end]`."""

    type: str
    start: int
    end: int


class _Lexer:
    """Reads one text; `modes` is the stack of reading functions, plain text below."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.tokens: list[Token] = []
        self.modes: list[Callable[[], None]] = [self.plain]

    def run(self) -> list[Token]:
        """All tokens, with one `EOF` at the end."""
        length = len(self.text)
        while self.place < length:
            self.modes[-1]()
        self.tokens.append(Token(EOF, length, length))
        return self.tokens

    def add(self, kind: str, end: int) -> None:
        self.tokens.append(Token(kind, self.place, end))
        self.place = end

    def skip_spaces(self) -> bool:
        """Step over white space; whether anything is left."""
        found = _SPACES.match(self.text, self.place)
        self.place = found.end() if found else self.place
        return self.place < len(self.text)

    def plain(self) -> None:
        """Text up to the next `{{`; of more than two braces the last two count."""
        begin = self.text.find("{{", self.place)
        if begin < 0:
            self.add(PLAIN, len(self.text))
            return
        while self.text.startswith("{", begin + 2):
            begin += 1
        if begin > self.place:
            self.add(PLAIN, begin)
        self.add(START, begin + 2)
        self.modes.append(self.head)

    def head(self) -> None:
        """Flags, then a name or the prefix of a variable."""
        if not self.skip_spaces():
            return
        found = _HEAD.match(self.text, self.place)
        if found is None:
            self.modes.pop()
            return
        kind = _HEAD_TYPES[str(found.lastgroup)]
        self.add(kind, found.end())
        if kind == END:
            self.modes.pop()
        elif kind == PREFIX:
            self.modes.append(self.variable)
        elif kind == NAME:
            self.modes[-1] = self.arguments if found.group() == "//" else self.behind_name

    def behind_name(self) -> None:
        """SillyTavern drops what may not stand behind a name: `{{user!}}` is `{{user}}`."""
        found = _BEHIND_NAME.search(self.text, self.place)
        self.place = found.start() if found else len(self.text)
        self.modes[-1] = self.arguments

    def arguments(self) -> None:
        """Everything up to `}}`; a `{{` opens a nested macro."""
        if not self.skip_spaces():
            return
        found = _ARGUMENT.match(self.text, self.place)
        if found is None:  # pragma: no cover - the pattern takes any character
            return
        kind = _ARGUMENT_TYPES[str(found.lastgroup)]
        self.add(kind, found.end())
        if kind == END:
            self.modes.pop()
        elif kind == START:
            self.modes.append(self.head)

    def variable(self) -> None:
        """The name of a variable behind `.` or `$`."""
        if not self.skip_spaces():
            return
        found = _VARIABLE.match(self.text, self.place)
        if found is None:
            self.modes.pop()
            return
        self.add(VARIABLE, found.end())
        self.modes[-1] = self.operator

    def operator(self) -> None:
        """What is done with the variable."""
        if not self.skip_spaces():
            return
        found = _OPERATOR.match(self.text, self.place)
        if found is None:
            self.modes.pop()
            return
        self.add(OPERATOR, found.end())
        if found.group() not in STEPS:
            self.modes[-1] = self.value

    def value(self) -> None:
        """The value of an operator: as arguments, but `}}` belongs to the head."""
        if not self.skip_spaces():
            return
        if self.text.startswith("}}", self.place):
            self.modes.pop()
            return
        found = _ARGUMENT.match(self.text, self.place)
        if found is None:  # pragma: no cover - the pattern takes any character
            return
        kind = _ARGUMENT_TYPES[str(found.lastgroup)]
        self.add(kind, found.end())
        if kind == START:
            self.modes.append(self.head)


def tokens_of(text: str) -> list[Token]:
    """All tokens of a text, without white space inside macros, closed by one `EOF`."""
    return _Lexer(text).run()
