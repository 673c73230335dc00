"""What can be read off the source of a pattern: its parts outside of classes and escapes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

_ESCAPE: Final = r"x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|c[A-Za-z]|k<[^>]*>|[pP]\{[^}]*\}|."
_TOKEN: Final = re.compile(rf"\\(?:{_ESCAPE})|\[\^?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_OPPOSITES: Final = ({r"\s", r"\S"}, {r"\d", r"\D"}, {r"\w", r"\W"})


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a pattern: one character, an escape, or a whole class."""

    text: str
    start: int
    """Character of the source where it begins."""

    @property
    def is_class(self) -> bool:
        """Whether it is a class in brackets."""
        return len(self.text) > 1 and self.text[0] == "["


@lru_cache(8192)
def tokens(source: str) -> tuple[Token, ...]:
    """The pieces of a pattern, in order."""
    return tuple(Token(found[0], found.start()) for found in _TOKEN.finditer(source))


def can_cross_messages(source: str, flags: str) -> bool:
    r"""Whether a repeated part of a pattern takes any character, the mark between messages among them."""
    listed = tokens(source)
    for token, after in pairwise(listed):
        takes_all = (
            (token.text == "." and "s" in flags)
            or token.text in {r"\S", r"\W", r"\D"}
            or (token.is_class and _takes_mark(token.text))
        )
        if takes_all and after.text in {"*", "+", "{"}:
            return True
    return False


def _takes_mark(text: str) -> bool:
    r"""Whether a class holds the character U+0001 that parts messages."""
    inner = text[1:-1]
    names_it = any(name in inner for name in ("\\x01", "\\u0001", "\\cA", "\x01"))
    if inner.startswith("^"):
        return not names_it
    return names_it or any(
        pair <= set(re.findall(r"\\[sSdDwW]", inner)) for pair in ({r"\s", r"\S"}, {r"\d", r"\D"}, {r"\w", r"\W"})
    )
