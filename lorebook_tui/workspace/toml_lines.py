"""Where something stands in a TOML file: tomllib gives values without places, so the lines are found again."""

from __future__ import annotations

import re
from typing import Final

_HEADER: Final = re.compile(r"\s*\[\[?\s*(?P<name>[^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY: Final = re.compile(r"""\s*(?P<name>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)|\(at end of document\)")


def line_of(text: str, path: tuple[str, ...], value: str | None = None) -> int | None:
    """The line, from 1, of a key or of a text in its value; of a table: its header. None if it cannot be found.

    Args:
        text: the whole file.
        path: tables and the key, outermost first.
        value: a text to look for from the key on, such as one of several files.
    """
    lines = text.splitlines()
    number = _line_of_key(lines, path)
    if number is None or value is None:
        return number
    quoted = (f'"{value}"', f"'{value}'", '"' + value.replace("\\", "\\\\") + '"')
    for later in range(number, len(lines) + 1):
        line = lines[later - 1]
        if any(spelling in line for spelling in quoted):
            return later
        if later > number and (_HEADER.match(line) or _KEY.match(line)):
            break
    return number


def _line_of_key(lines: list[str], path: tuple[str, ...]) -> int | None:
    table: tuple[str, ...] = ()
    for number, line in enumerate(lines, 1):
        if header := _HEADER.match(line):
            table = _parts(header["name"])
            if table == path:
                return number
        elif (key := _KEY.match(line)) and _leads_to((*table, *_parts(key["name"])), path):
            return number
    return None


def _leads_to(found: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether a key is the one, belongs to the wanted table, or holds it in an inline table."""
    shorter = min(len(found), len(path))
    return found[:shorter] == path[:shorter]


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in name.split("."))


def place_of_error(message: str) -> tuple[str, int | None]:
    """What tomllib says is wrong, without the place, and the line (None: the end of the file)."""
    found = _PLACE.search(message)
    words = _PLACE.sub("", message).strip()
    return words, int(found[1]) if found and found[1] else None
