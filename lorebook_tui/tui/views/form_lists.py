"""Lists of a form: keys, kinds of generation, names and tags of a filter; pure edits of their items."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.model.fields import choice_labelled, field_named
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.model.js import Json

SEPARATORS: Final = ",，、"
"""Commas of every script that part keys in a typed list; the ideographic enumeration comma is one too."""
_EMPTY_FILTER: Final = {"isExclude": False, "names": [], "tags": []}


def items_in(name: str, value: Callable[[str], Json]) -> list[Json]:
    """The items of a list, as they are stored.

    Args:
        name: of the field, or `characterFilter.names`, `characterFilter.tags`.
        value: gives the stored value of a field.
    """
    field, _, part = name.partition(".")
    stored = value(field)
    if part:
        stored = stored.get(part) if isinstance(stored, dict) else None
    return list(stored) if isinstance(stored, list) else []


def with_items(name: str, value: Callable[[str], Json], items: Sequence[Json]) -> tuple[str, Json]:
    """The field to store so that the list has these items: its name and value."""
    field, _, part = name.partition(".")
    if not part:
        return field, list(items)
    stored = value(field)
    base: dict[str, Any] = dict(stored) if isinstance(stored, dict) else dict(_EMPTY_FILTER)
    return field, {**base, part: list(items)}


def switched_filter(stored: Json) -> dict[str, Any]:
    """The character filter turned round; an empty one where there was none."""
    if not isinstance(stored, dict):
        return dict(_EMPTY_FILTER)
    base: dict[str, Any] = dict(stored)
    return {**base, "isExclude": not base.get("isExclude")}


def added(name: str, items: Sequence[Json], text: str) -> list[Json]:
    """The list with what was typed or pasted at its end, parted by commas and line ends; nothing comes twice.

    Raises:
        UsageError: nothing of it is new, or an item is not allowed in this list.
    """
    wanted = [_checked(name, item) for item in split_keys(text)]
    fresh = [item for item in dict.fromkeys(wanted) if item not in items]
    if wanted and not fresh:
        raise UsageError(f"“{wanted[0]}” is there already.")
    return [*items, *fresh]


def edited_item(name: str, items: Sequence[Json], number: int, text: str) -> list[Json]:
    """The list with another text for an item; an empty one takes it out. A comma stays a part of it.

    Raises:
        UsageError: the text is not allowed in this list, or another item is the same.
    """
    if not trim(text):
        return [*items[:number], *items[number + 1 :]]
    checked = _checked(name, text)
    if checked in [*items[:number], *items[number + 1 :]]:
        raise UsageError(f"“{checked}” is there already.")
    return [*items[:number], checked, *items[number + 1 :]]


def moved(items: Sequence[Json], number: int, step: int) -> list[Json] | None:
    """The list with an item one place further; None if there is no such place."""
    place = number + step
    if not (0 <= number < len(items) and 0 <= place < len(items)):
        return None
    made = list(items)
    made.insert(place, made.pop(number))
    return made


def _checked(name: str, text: str) -> str:
    row = field_named(name)
    if row is None or not row.choices:
        return text
    choice = choice_labelled(row, text)
    if choice is None:
        raise UsageError(
            f"“{text}” is none of them.", hint="One of: " + ", ".join(choice.label for choice in row.choices) + "."
        )
    return str(choice.value)


def is_list(name: str) -> bool:
    """Whether a name is that of a list in the form."""
    row = field_named(name.partition(".")[0])
    return row is not None and ("strings" in row.types or name.startswith("characterFilter."))


def split_keys(text: str) -> list[str]:
    """The keys of a list that was typed or pasted: parted by commas of any script and by line ends.

    A comma inside `/…/flags` belongs to the pattern, as in SillyTavern's own plain-text mode.
    """
    return [key for line in text.splitlines() for key in _split_line(line)]


def _split_line(line: str) -> list[str]:
    keys: list[str] = []
    position = 0
    while position < len(line):
        end = _pattern_end(line, position)
        if end is None:
            end = next((place for place in range(position, len(line)) if line[place] in SEPARATORS), len(line))
        key = trim(line[position:end])
        if key:
            keys.append(key)
        position = end + 1
    return keys


_BEHIND_PATTERN: Final = re.compile(rf"[gimsuy]*\s*(?=[{SEPARATORS}]|$)")
"""The flags of a key and blanks, up to where the next key may begin."""


def _pattern_end(line: str, start: int) -> int | None:
    """Where a pattern that begins here ends, flags and blanks included; None if none does."""
    while start < len(line) and line[start].isspace():
        start += 1
    if start >= len(line) or line[start] != "/":
        return None
    place = start + 1
    while place < len(line):
        if line[place] == "\\":
            place += 2
            continue
        if line[place] == "/" and place > start + 1:
            tail = _BEHIND_PATTERN.match(line, place + 1)
            if tail is not None:
                return tail.end()
        place += 1
    return None
