"""What a person writes as a field's value, read by the field's row of THE table: one change for any number of entries.

`100`, `yes`, `at depth`, `null`; `+10`, `-10`, `*2` reckon with the number that stands there; `bell, gong` is a list,
`+gong, -bell` adds and removes. One more `=` in front takes the rest as it is: `order==-10`, `title==null`.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.formats.base import seen
from lorebook_tui.model.field_names import close_names, named_field
from lorebook_tui.model.field_reference import choices_text, range_text, type_text
from lorebook_tui.model.fields import ENTRY_FIELDS, choice_labelled, type_matches
from lorebook_tui.model.folder_edits import entry_extensions
from lorebook_tui.model.folders import cleaned
from lorebook_tui.model.js import MISSING, nullish, to_number, trim, truthy
from lorebook_tui.model.locks import lock_extensions
from lorebook_tui.workspace.kinds import WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.model.field_types import Field
    from lorebook_tui.model.js import Json

_NULL_WORDS: Final = frozenset({"null", "none"})
_EMPTY_LIST_WORDS: Final = frozenset({"null", "none", "[]"})
_DEFAULT: Final = "default"
_TOGGLE: Final = "toggle"
_RECKONING: Final = re.compile(r"([+*/-])\s*([0-9]+(?:\.[0-9]+)?)")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
_ITEM: Final = re.compile(
    r'\s*(?:(?P<pattern>/(?:[^/\\]|\\.)+/[a-z]*)|"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<plain>[^,]*))\s*(?:,|$)', re.DOTALL
)
_SIGNED: Final = re.compile(
    r'(?:^|,)\s*(?P<sign>[+-]?)\s*(?P<rest>/(?:[^/\\]|\\.)+/[a-z]*(?=\s*(?:,|$))|"(?:[^"\\]|\\.)*"|[^,]*)', re.DOTALL
)
_IN_BOOK: Final = ("uid",)


@dataclass(frozen=True, slots=True)
class FieldInput:
    """A value somebody wrote for a field."""

    row: Field
    text: str
    """As it was written."""
    new: Callable[[Json], Json]
    """The new value, from what stands there (`MISSING`: nothing). Raises `UsageError` if it cannot be."""
    is_literal: bool = True
    """The new value does not depend on the old one."""

    @property
    def told(self) -> str:
        """What is done, for people: `order +10`."""
        return f"{self.row.name} {self.text}" if not self.is_literal else f"{self.row.name} = {self.text}"


def assignment(text: str) -> FieldInput:
    """`FIELD=VALUE` as a change.

    Raises:
        UsageError: no equals sign, no such field, or a value that it cannot have.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(
            f"{quote(text)} sets nothing.", expected="FIELD=VALUE, such as order=100", found=text,
            hint="`lorebook fields` lists all fields.",
        )  # fmt: skip
    return field_input(name, value)


def field_input(name: str, text: str) -> FieldInput:
    """A value as it was written for a field that was named in any way.

    Raises:
        UsageError: no such field, or a value that it cannot have; says what would be right.
    """
    plain = name.strip().casefold()
    if plain in _KEPT_IN_EXTENSIONS:
        return _KEPT_IN_EXTENSIONS[plain](text)
    found = named_field(name)
    if found is None:
        close = close_names(name, tuple(_KEPT_IN_EXTENSIONS))
        hint = f"Did you mean {' or '.join(close)}? " if close else ""
        raise UsageError(
            f"There is no field {quote(name.strip())}.", expected="a field of an entry", found=name,
            hint=f"{hint}`lorebook fields` lists all fields.",
        )  # fmt: skip
    return row_input(found.field, text, is_opposite=found.is_opposite)


def row_input(row: Field, text: str, *, is_opposite: bool = False) -> FieldInput:
    """A value as it was written for a field.

    Args:
        row: the field.
        text: what was written.
        is_opposite: it was written for the opposite, as `enabled` is of `disable`.

    Raises:
        UsageError: the field cannot have it; says what would be right.
    """
    if row.name in _IN_BOOK:
        raise UsageError(
            f"{row.name} is what chats know an entry by; it cannot be set.",
            hint="Copy or move the entry: a book gives each of its entries a number of its own.",
        )
    if text.startswith("="):
        value = _literal(row, text[1:], is_opposite=is_opposite)
        return FieldInput(row, text[1:], lambda _: value)
    if "strings" in row.types:
        return _list_input(row, text)
    if row.name == "characterFilter":
        return _filter_input(row, text)
    word = text.strip().casefold()
    if "string" not in row.types and word == _DEFAULT:
        return FieldInput(row, text.strip(), lambda _: _fresh(row.default))
    if "boolean" in row.types and word == _TOGGLE:
        return FieldInput(row, _TOGGLE, lambda old: not truthy(old), is_literal=False)
    if ("number" in row.types or "integer" in row.types) and (sum_ := _RECKONING.fullmatch(text.strip())):
        return _reckoning(row, sum_[1], float(sum_[2]))
    value = _literal(row, text, is_opposite=is_opposite)
    if "string" in row.types and word in _NULL_WORDS and value is not None and not row.choices:
        raise UsageError(
            f"{row.name} is a text and cannot be null.", expected="a text", found=text.strip(),
            hint=f"{row.name}= empties it; {row.name}=={text.strip()} writes that word.",
        )  # fmt: skip
    return FieldInput(row, text, lambda _: value)


def _folder_input(text: str) -> FieldInput:
    """The folder that entries name; empty for outside of all, null to leave it to separators."""
    path = None if text.strip().casefold() in _NULL_WORDS else cleaned(text.removeprefix("="))
    return FieldInput(_extensions(), text, lambda old: entry_extensions(old, path), is_literal=False)


def _lock_input(text: str) -> FieldInput:
    switch = WORDS.get(text.strip().casefold())
    if switch is None:
        raise UsageError("An entry is locked or not.", expected="yes or no", found=text)
    return FieldInput(_extensions(), text, lambda old: lock_extensions(old, locked=switch), is_literal=False)


def _extensions() -> Field:
    return next(row for row in ENTRY_FIELDS if row.name == "extensions")


_KEPT_IN_EXTENSIONS: Final[dict[str, Callable[[str], FieldInput]]] = {"folder": _folder_input, "locked": _lock_input}
"""What is set by a name of its own, though it is only a part of a field."""


def _fresh(default: Json) -> Json:
    return default if default is MISSING else json.loads(json.dumps(default))


def _literal(row: Field, text: str, *, is_opposite: bool = False) -> Json:
    """The value that a text is."""
    word = text.strip()
    if "strings" in row.types:
        return checked(row, _items(word))
    if "object" in row.types or "objects" in row.types:
        return checked(row, _from_json(row, word))
    if "string" in row.types and not row.choices:
        return text
    if "null" in row.types and word.casefold() in _NULL_WORDS:
        return None
    numeric = {"1": True, "0": False} if "integer" not in row.types else {}
    if "boolean" in row.types and (switch := WORDS.get(word.casefold(), numeric.get(word))) is not None:
        return switch is not is_opposite
    if row.choices and (choice := choice_labelled(row, word)) is not None:
        return choice.value
    return checked(row, _number(word) if _NUMBER.fullmatch(word) else text)


def _number(word: str) -> Json:
    value = float(word)
    return int(word) if word.lstrip("+-").isdigit() and len(word) < len("1000000000000000") else value


def checked(row: Field, value: Json) -> Json:
    """A value if type, choices and range of the field's row allow it; a whole number is an int.

    Raises:
        UsageError: says what would be right.
    """
    if value is MISSING:
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    if not type_matches(row, value):
        raise _wrong(row, value)
    allowed = [choice.value for choice in row.choices]
    items = value if isinstance(value, list) else [value]
    if allowed and value is not None and any(item not in allowed for item in items):
        raise _wrong(row, next(item for item in items if item not in allowed))
    if not isinstance(value, bool) and isinstance(value, (int, float)):
        too_low = row.minimum is not None and value < row.minimum
        too_high = row.maximum is not None and value > row.maximum
        if too_low or too_high or not math.isfinite(value):
            raise _wrong(row, value)
    return value


def _wrong(row: Field, value: Json) -> UsageError:
    expected = choices_text(row) or ", ".join(part for part in (type_text(row), range_text(row)) if part)
    if "boolean" in row.types:
        expected = (
            f"yes or no{', null' if 'null' in row.types else ''}{', or a level' if 'integer' in row.types else ''}"
        )
    return UsageError(f"{row.name} cannot have this value.", expected=expected, found=seen(value), hint=row.help)


def _from_json(row: Field, text: str) -> Json:
    if text.casefold() in _NULL_WORDS and "null" in row.types:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{row.name} is written as JSON.", expected=type_text(row), found=text[:80], hint=row.help
        ) from error


def _reckoning(row: Field, sign: str, number: float) -> FieldInput:
    """A change that reckons with the number that stands there."""

    def new(old: Json) -> Json:
        value = to_number(old) if not nullish(old) else math.nan
        if math.isnan(value) or (sign == "/" and not number):
            raise UsageError(
                f"{row.name} cannot be reckoned with here.",
                expected="a number that stands there",
                found=seen(old) if old is not MISSING else "nothing",
                hint=f"Leave such entries out with -{row.name}:none, or set a number first.",
            )
        result = {"+": value + number, "-": value - number, "*": value * number}.get(sign)
        result = value / number if result is None else result
        return checked(row, round(result, 10))

    return FieldInput(row, f"{sign}{number:g}", new, is_literal=False)


def split_items(text: str) -> list[str]:
    """The items of a list, trimmed: commas are between them, not inside of quotes and /patterns/."""
    found: list[str] = []
    for match in _ITEM.finditer(text):
        quoted = match["quoted"]
        item = match["pattern"] or (match["plain"] if quoted is None else re.sub(r'\\(["\\])', r"\1", quoted))
        found.append(trim(item))
    return [item for item in found if item]


def _items(text: str) -> list[str]:
    """The list that a text is: JSON, or items with commas between them."""
    if text.casefold() in _EMPTY_LIST_WORDS:
        return []
    if text.startswith("["):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return value
    return split_items(text)


def _list_input(row: Field, text: str) -> FieldInput:
    """A list, or what is added to or taken from the one that stands there."""
    word = text.strip()
    if word[:1] not in {"+", "-"}:
        value = _literal(row, word)
        return FieldInput(row, word, lambda _: value)
    signed = _signed(word)
    if not signed:
        raise UsageError(f"Nothing is named to {'add' if word[0] == '+' else 'remove'}.", found=text)
    named = [(sign, _named_items(row, [item])) for sign, item in signed]

    def new(old: Json) -> Json:
        stands = _strings(old)
        for sign, items in named:
            stands = _added(stands, items) if sign == "+" else _removed(stands, items)
        return stands

    return FieldInput(row, word, new, is_literal=False)


def _signed(text: str) -> list[tuple[str, str]]:
    """Items with their signs; one without a sign has that of the one before. In quotes a sign is part of the item."""
    found: list[tuple[str, str]] = []
    sign = "+"
    for match in _SIGNED.finditer(text):
        sign = match["sign"] or sign
        found += [(sign, item) for item in split_items(match["rest"])]
    return found


def _strings(value: Json) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _named_items(row: Field, items: list[str]) -> list[str]:
    """Items with choices by their labels."""
    named = [choice.value if (choice := choice_labelled(row, item)) else item for item in items]
    return [str(item) for item in checked(row, named)]


def _added(stands: list[str], items: list[str]) -> list[str]:
    return [*stands, *(item for item in dict.fromkeys(items) if item not in stands)]


def _removed(stands: list[str], items: list[str]) -> list[str]:
    gone = {trim(item).casefold() for item in items}
    return [item for item in stands if trim(item).casefold() not in gone]


def _filter_input(row: Field, text: str) -> FieldInput:
    """The character filter: names with commas between them, `+` and `-` names, JSON, or null."""
    word = text.strip()
    if word.startswith("{") or word.casefold() in {*_NULL_WORDS, _DEFAULT}:
        value = MISSING if word.casefold() == _DEFAULT else _literal(row, word)
        return FieldInput(row, word, lambda _: value)
    items = split_items(word.lstrip("+-") if word[:1] in {"+", "-"} else word)
    if not items:
        raise UsageError(f"{row.name} names nobody.", expected="names with commas between them, or null", found=text)

    def new(old: Json) -> Json:
        stands = old if isinstance(old, dict) else {"isExclude": False, "names": [], "tags": []}
        names = _strings(stands.get("names"))
        named = {"+": _added, "-": _removed}.get(word[0])
        return {**stands, "names": items if named is None else named(names, items)}

    return FieldInput(row, word, new, is_literal=word[0] not in "+-")
