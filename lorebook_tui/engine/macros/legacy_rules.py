"""The shapes that the expressions of the legacy macro engine have, each as a function from text to text.

They do what SillyTavern's regular expressions do, without their cost on hostile texts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Rule = Callable[[str], str]

CLOSE = "}}"
_LINE_END = re.compile("[\n\r\u2028\u2029]")


class RefusedError(Exception):
    """A replacement gave up, as an error does in SillyTavern: the rule's text stays, its effects on variables too."""


def named(name: str, value: Callable[[], str]) -> Rule:
    """`{{name}}`, whatever its case; every occurrence asks for the value."""
    pattern = re.compile(re.escape(f"{{{{{name}}}}}"), re.IGNORECASE)
    return lambda text: pattern.sub(lambda _: value(), text)


def matched(expression: str, value: Callable[[re.Match[str]], str]) -> Rule:
    """A plain expression."""
    pattern = re.compile(expression, re.IGNORECASE)
    return lambda text: pattern.sub(value, text)


def enclosed(head: str, value: Callable[[str], str], *, lines: bool = False, separator: str = "") -> Rule:
    """Everything from a head such as `{{reverse:` to the next `}}`: at least one character, and on one line.

    Args:
        head: the beginning; its case does not count.
        value: makes the replacement from what is between.
        lines: line ends may be between, or nothing at all.
        separator: must be between, the first one counts; then nothing may be beside it.
    """
    pattern = re.compile(re.escape(head), re.IGNORECASE)

    def end_of(text: str, start: int) -> int:
        if not separator:
            return text.find(CLOSE, start if lines else start + 1)
        middle = text.find(separator, start)
        return text.find(CLOSE, middle + len(separator)) if middle >= 0 else -1

    def rule(text: str) -> str:
        pieces: list[str] = []
        place = 0
        found = pattern.search(text)
        while found:
            end = end_of(text, found.end())
            if end < 0:
                break
            if lines or not _LINE_END.search(text, found.end(), end):
                pieces += (text[place : found.start()], value(text[found.end() : end]))
                place = end + len(CLOSE)
            found = pattern.search(text, max(place, found.start() + 1))
        return "".join((*pieces, text[place:]))

    return rule


def quoted(head: str, tail: str) -> Rule:
    """Everything from a head to the last tail on the line is taken away."""
    pattern = re.compile(re.escape(head), re.IGNORECASE)

    def rule(text: str) -> str:
        pieces: list[str] = []
        place = 0
        found = pattern.search(text)
        while found:
            line = _LINE_END.search(text, found.end())
            end = text.rfind(tail, found.end(), line.start() if line else len(text))
            if end < 0:
                found = pattern.search(text, line.end() if line else len(text))
                continue
            pieces.append(text[place : found.start()])
            place = end + len(tail)
            found = pattern.search(text, place)
        return "".join((*pieces, text[place:]))

    return rule
