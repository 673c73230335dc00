"""Where keys and values stand in a TOML text, to the character, so that one can be changed and all else stays.

The text must be valid TOML; the scanner only finds its way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

KeyPath = tuple[str, ...]

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_PART: Final = re.compile(r"""[ \t]*(?:(?P<bare>[\w-]+)|"(?P<basic>(?:[^"\\\n]|\\.)*)"|'(?P<literal>[^'\n]*)')[ \t]*""")
_STRINGS: Final = (
    re.compile(r'"""(?:[^\\]|\\.)*?"""(?:""?)?', re.DOTALL),
    re.compile(r"'''.*?'''(?:''?)?", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)
_WORD: Final = re.compile(r"[^#\r\n]*")
_COMMENT: Final = re.compile(r"#[^\n]*")
_LINE_REST: Final = re.compile(r"[^\n]*\n?")


@dataclass(frozen=True, slots=True)
class KeyValue:
    """One `key = value`. Places are characters of the text."""

    path: KeyPath
    """With the table it stands in."""
    table: KeyPath
    line: int
    """Where its line begins."""
    start: int
    """Where its value begins."""
    end: int
    """Where its value ends."""
    after: int
    """Where the next line begins."""


@dataclass(frozen=True, slots=True)
class Table:
    """One header, `[a.b]` or `[[a.b]]`."""

    path: KeyPath
    line: int
    """Where its line begins."""
    after: int
    """Where the next line begins."""
    is_item: bool
    """Whether it is one of several, with double brackets."""


@dataclass(slots=True)
class Spans:
    """Everything in a text, in its order."""

    values: list[KeyValue] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def value(self, path: KeyPath) -> KeyValue | None:
        """The key of exactly this path."""
        return next((each for each in self.values if each.path == path), None)

    def holder(self, path: KeyPath) -> KeyValue | None:
        """The key whose value, an inline table, holds the path."""
        return next(
            (each for each in self.values if len(each.path) < len(path) and path[: len(each.path)] == each.path), None
        )

    def table(self, path: KeyPath) -> Table | None:
        """The header of exactly this path."""
        return next((each for each in self.tables if each.path == path and not each.is_item), None)


def spans(text: str) -> Spans:
    """Where everything stands."""
    found = Spans()
    table: KeyPath = ()
    place = _after(_BLANK, text, 0)
    while place < len(text):
        line = text.rfind("\n", 0, place) + 1
        if text[place] == "[":
            is_item = text.startswith("[[", place)
            table, end = _key(text, place + 1 + is_item)
            after = _after(_LINE_REST, text, end)
            found.tables.append(Table(table, line, after, is_item))
        else:
            key, end = _key(text, place)
            start = end + 1
            start += len(text[start:]) - len(text[start:].lstrip(" \t"))
            end = value_end(text, start)
            after = _after(_LINE_REST, text, end)
            found.values.append(KeyValue((*table, *key), table, line, start, end, after))
        place = _after(_BLANK, text, after)
    return found


def value_end(text: str, start: int) -> int:
    """Where the value that begins here ends."""
    if text[start] in "\"'":
        return _string_end(text, start)
    if text[start] in "[{":
        return _brackets_end(text, start)
    word = _WORD.match(text, start)
    return start + len(word.group().rstrip()) if word else start


def _string_end(text: str, start: int) -> int:
    return next(found.end() for pattern in _STRINGS if (found := pattern.match(text, start)))


def _brackets_end(text: str, start: int) -> int:
    depth = 0
    place = start
    while place < len(text):
        char = text[place]
        if char in "\"'":
            place = _string_end(text, place)
            continue
        if char == "#":
            place = _after(_COMMENT, text, place)
            continue
        depth += (char in "[{") - (char in "]}")
        place += 1
        if not depth:
            break
    return place


def _key(text: str, place: int) -> tuple[KeyPath, int]:
    """A key with dots, and where it ends."""
    parts: list[str] = []
    while True:
        found = _PART.match(text, place)
        if found is None:
            raise AssertionError("the scanner was given no TOML")
        parts.append(_part(found))
        place = found.end()
        if text[place : place + 1] != ".":
            return tuple(parts), place
        place += 1


def _part(found: re.Match[str]) -> str:
    if found["bare"] is not None:
        return found["bare"]
    if found["literal"] is not None:
        return found["literal"]
    import tomllib  # noqa: PLC0415 - for keys with escapes only

    name: str = tomllib.loads(f'x = "{found["basic"]}"')["x"]
    return name


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place
