"""The shapes that the expressions of the legacy macro engine have, each as a function from text to text.

They do what SillyTavern's regular expressions do, in time that grows with the text and not with its square.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Rule = Callable[[str], str]
    Reader = Callable[["Scan", int], "tuple[str, int] | None"]

_MARKS = {
    "brace": re.compile(r"\}"),
    "close": re.compile(r"\}\}"),
    "line end": re.compile("[\n\r\u2028\u2029]"),
    "colon": re.compile(":"),
    "separator": re.compile("::"),
}
_WIDTH = 2
"""Of `}}` and `::`."""


class RefusedError(Exception):
    """A replacement gave up, as an error does in SillyTavern: the rule's text stays, its effects on variables too."""


class Scan:
    """Finds the next mark behind a place; places must not go back."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._known = dict.fromkeys(_MARKS, -1)

    def next(self, mark: str, place: int) -> int:
        """Where the mark comes next; one beyond the end if it does not."""
        if self._known[mark] < place:
            found = _MARKS[mark].search(self.text, place)
            self._known[mark] = found.start() if found else len(self.text) + 1
        return self._known[mark]

    def has(self, place: int) -> bool:
        """Whether a place that `next` gave is in the text."""
        return place <= len(self.text)

    def closes(self, place: int) -> bool:
        """Whether `}}` stands at a place."""
        return self.text.startswith("}}", place)


def named(name: str, value: Callable[[], str]) -> Rule:
    """`{{name}}`, whatever its case; every occurrence asks for the value."""
    return matched(re.escape(f"{{{{{name}}}}}"), value)


def matched(expression: str, value: Callable[[], str]) -> Rule:
    """A fixed expression, whatever its case."""
    pattern = re.compile(expression, re.IGNORECASE)
    return lambda text: pattern.sub(lambda _: value(), text)


def _headed(head: str, reader: Reader) -> Rule:
    """Heads are looked for from left to right; where the reader is content, it tells replacement and end."""
    pattern = re.compile(head, re.IGNORECASE)

    def rule(text: str) -> str:
        scan = Scan(text)
        pieces: list[str] = []
        place = 0
        found = pattern.search(text)
        while found:
            result = reader(scan, found.end())
            if result:
                pieces += (text[place : found.start()], result[0])
                place = result[1]
            found = pattern.search(text, max(place, found.start() + 1))
        return "".join((*pieces, text[place:]))

    return rule


def braced(head: str, value: Callable[[str], str], *, least: int = 1) -> Rule:
    """From a head (an expression) to the next `}`, which must be a `}}`.

    Args:
        head: the beginning, up to the last colon or blank.
        value: makes the replacement from what is between.
        least: how many characters must be between.
    """

    def reader(scan: Scan, start: int) -> tuple[str, int] | None:
        end = scan.next("brace", start)
        if end - start < least or not scan.closes(end):
            return None
        return value(scan.text[start:end]), end + _WIDTH

    return _headed(head, reader)


def listed(head: str, value: Callable[[str, int], str]) -> Rule:
    """`{{random:` and `{{pick:`: a second colon belongs to the head if something is behind it.

    Args:
        head: the name; one white space may stand before the colon.
        value: makes the replacement from the list and the place of the head in the text.
    """
    pattern = re.compile(rf"\{{\{{{head}\s?:", re.IGNORECASE)

    def rule(text: str) -> str:
        scan = Scan(text)
        pieces: list[str] = []
        place = 0
        found = pattern.search(text)
        while found:
            start = found.end()
            end = scan.next("brace", start)
            if end > start and scan.closes(end):
                start += text.startswith(":", start) and end > start + 1
                pieces += (text[place : found.start()], value(text[start:end], found.start()))
                place = end + _WIDTH
            found = pattern.search(text, max(place, found.start() + 1))
        return "".join((*pieces, text[place:]))

    return rule


def assigned(head: str, value: Callable[[str, str], str], *, least: int) -> Rule:
    """`{{setvar::NAME::VALUE}}`: a name without colons, a value without `}`.

    Args:
        head: an expression.
        value: makes the replacement from name and value.
        least: how many characters the value must have.
    """

    def reader(scan: Scan, start: int) -> tuple[str, int] | None:
        colon = scan.next("colon", start)
        if colon == start or not scan.text.startswith("::", colon):
            return None
        begin = colon + _WIDTH
        end = scan.next("brace", begin)
        if end - begin < least or not scan.closes(end):
            return None
        return value(scan.text[start:colon], scan.text[begin:end]), end + _WIDTH

    return _headed(head, reader)


def enclosed(head: str, value: Callable[[str], str]) -> Rule:
    """From a head to the next `}}` behind at least one character, on one line."""

    def reader(scan: Scan, start: int) -> tuple[str, int] | None:
        end = scan.next("close", start + 1)
        if not scan.has(end) or scan.next("line end", start) < end:
            return None
        return value(scan.text[start:end]), end + _WIDTH

    return _headed(head, reader)


def paired(head: str, value: Callable[[str, str], str]) -> Rule:
    """`{{timeDiff::ONE::TWO}}` on one line; each may be empty, the first `::` parts them."""

    def reader(scan: Scan, start: int) -> tuple[str, int] | None:
        middle = scan.next("separator", start)
        end = scan.next("close", middle + _WIDTH)
        if not scan.has(end) or scan.next("line end", start) < end:
            return None
        return value(scan.text[start:middle], scan.text[middle + _WIDTH : end]), end + _WIDTH

    return _headed(head, reader)


def removed(head: str) -> Rule:
    """Everything from a head to the next `}}` goes, over any number of lines."""

    def reader(scan: Scan, start: int) -> tuple[str, int] | None:
        end = scan.next("close", start)
        return ("", end + _WIDTH) if scan.has(end) else None

    return _headed(head, reader)


def quoted(head: str, tail: str) -> Rule:
    """Everything from a head to the last tail on the line goes."""

    def reader(scan: Scan, start: int) -> tuple[str, int] | None:
        end = scan.text.rfind(tail, start, scan.next("line end", start))
        return ("", end + len(tail)) if end >= 0 else None

    return _headed(head, reader)
