"""Settings as people give them, in a file or on the command line: checked against THE table, with what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.formats.base import seen
from lorebook_tui.model.field_reference import choices_text, range_text, type_text
from lorebook_tui.model.fields import choice_labelled, field_named, setting_named, suggest, type_matches
from lorebook_tui.workspace.kinds import WORDS

if TYPE_CHECKING:
    from lorebook_tui.model.field_types import Field

_LIST_HINT = "`lorebook fields --settings` lists all settings with their ranges."


def setting(name: str) -> Field:
    """The row of a setting, its name with or without `world_info_`.

    Raises:
        UsageError: there is no such setting; says which one was probably meant.
    """
    row = setting_named(name.strip().replace("-", "_"))
    if row is not None:
        return row
    close = suggest(name)
    hint = f"Did you mean {close}? {_LIST_HINT}" if close and setting_named(close) else _LIST_HINT
    if field_named(name) is not None:
        hint = f"{name} belongs to each entry, not to the settings. {_LIST_HINT}"
    raise UsageError(f"There is no setting {quote(name)}.", expected="the name of a setting", found=name, hint=hint)


def checked(row: Field, value: Any) -> Any:
    """A setting's value if its type and range are right; a whole number is an int.

    Raises:
        UsageError: says what would have been right.
    """
    found = value
    if isinstance(value, str) and (choice := choice_labelled(row, value)) is not None:
        found = choice.value
    if not type_matches(row, found):
        raise _wrong(row, seen(value))
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if row.choices and all(found != choice.value for choice in row.choices):
        raise _wrong(row, seen(value))
    if not isinstance(found, bool) and isinstance(found, (int, float)):
        too_low = row.minimum is not None and found < row.minimum
        too_high = row.maximum is not None and found > row.maximum
        if too_low or too_high or found != found:  # noqa: PLR0124 - NaN alone differs from itself
            raise _wrong(row, seen(value))
    return found


def parsed(row: Field, text: str) -> Any:
    """A setting's value from the command line: a number, `true`/`on`/`yes` and their opposites, or a choice's name.

    Raises:
        UsageError: says what would have been right.
    """
    word = text.strip()
    if "boolean" in row.types:
        numeric = {"1": True, "0": False}
        value: Any = WORDS.get(word.casefold(), numeric.get(word, word))
    else:
        value = _number(word)
    return checked(row, value)


def assignment(text: str) -> tuple[str, Any]:
    """`NAME=VALUE` as the setting's full name and its value.

    Raises:
        UsageError: no such setting, a wrong value, or no equals sign.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(
            f"{quote(text)} sets nothing.",
            expected="NAME=VALUE, such as world_info_depth=4",
            found=text,
            hint=_LIST_HINT,
        )
    row = setting(name)
    return row.name, parsed(row, value)


def _number(text: str) -> Any:
    """The number that a text is, or the text."""
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def _wrong(row: Field, found: str) -> UsageError:
    expected = choices_text(row) or ", ".join(part for part in (type_text(row), range_text(row)) if part)
    if row.types == ("boolean",):
        expected = "true or false"
    return UsageError(f"{row.name} cannot have this value.", expected=expected, found=found, hint=row.help)
