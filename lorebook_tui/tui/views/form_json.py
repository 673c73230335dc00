"""The whole entry as JSON: how it is written for the user, read back, and told as changes of fields."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

from lorebook_tui.errors import UsageError
from lorebook_tui.model.js import MISSING
from lorebook_tui.tui.views.form_values import same_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json

_DEEPEST: Final = 200


@dataclass(frozen=True, slots=True)
class JsonDraft:
    """A text that was put aside."""

    text: str
    base: Mapping[str, Json]
    """The fields of the entry when it was typed."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A draft, to be gone on with."""

    text: str
    changed: tuple[str, ...] = ()
    """Fields of the entry that were changed since."""
    both: tuple[str, ...] = ()
    """Of these, those that the draft changes, too: its values stand in the text."""
    is_outdated: bool = False
    """It cannot be read, so that what was changed since is not in it."""


def resumed(draft: JsonDraft, entry: Entry) -> Resumed:
    """A draft put into the entry as it is now."""
    changed = tuple(name for name, _ in changes_between(draft.base, entry.fields))
    if not changed:
        return Resumed(draft.text)
    try:
        typed = changes_between(draft.base, fields_in(draft.text))
    except UsageError:
        return Resumed(draft.text, changed, is_outdated=True)
    fields = {**entry.fields, **dict(typed)}
    text = written({name: value for name, value in fields.items() if value is not MISSING})
    return Resumed(text, changed, tuple(name for name, _ in typed if name in changed))


def json_of(entry: Entry) -> str:
    """The fields of an entry as they stand, one a line."""
    return written(entry.fields)


def written(fields: Mapping[str, Json]) -> str:
    """Fields, one a line."""
    return json.dumps(dict(fields), ensure_ascii=False, indent=4)


def fields_in(text: str) -> dict[str, Any]:
    """The fields that a text spells.

    Raises:
        UsageError: it is no JSON (says line and column), no object, or has a name twice.
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise UsageError(f"Line {error.lineno}, column {error.colno}: {_plainly(error.msg)}.") from error
    except RecursionError as error:
        raise UsageError(f"The JSON is nested deeper than {_DEEPEST} levels.") from error
    if not isinstance(value, dict):
        raise UsageError("An entry is an object: { … }.")
    return value


def _plainly(message: str) -> str:
    return message[0].lower() + message[1:]


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"The name {json.dumps(twice, ensure_ascii=False)} stands twice in one object.")
    return made


def _refuse(name: str) -> NoReturn:
    raise UsageError(f"{name} is no JSON.")


def changes_to(entry: Entry, fields: Mapping[str, Json]) -> list[tuple[str, Json]]:
    """What has to change so that the entry has these fields: name and value, `MISSING` for what goes."""
    return changes_between(entry.fields, fields)


def changes_between(old: Mapping[str, Json], new: Mapping[str, Json]) -> list[tuple[str, Json]]:
    """What makes one set of fields another: name and value, `MISSING` for what goes."""
    changed = [(name, value) for name, value in new.items() if not same_json(old.get(name, MISSING), value)]
    return changed + [(name, MISSING) for name in old if name not in new]
