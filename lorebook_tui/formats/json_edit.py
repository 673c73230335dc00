"""Edits of a JSON value by path: copies along the path, everything beside it is shared with the old value."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lorebook_tui.errors import UsageError
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.model.js import Json, JsonPath


def path_text(path: Sequence[str | int]) -> str:
    """A path for people: `entries.3.key`, names with dots or spaces in quotes."""
    return ".".join(
        str(step) if isinstance(step, int) or (step and not set(step) & set('." \t\r\n')) else json.dumps(step)
        for step in path
    )


def has_step(value: Json, step: str | int) -> bool:
    """Whether a value has such a member or item."""
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)


def inserted(value: Json, path: JsonPath, new: Json) -> Json:
    """A value with a new member at the end of an object, or a new item before an index of an array.

    Raises:
        UsageError: there is such a member, or no such place.
    """
    parent = _parent(value, path)
    step = path[-1]
    if isinstance(parent, dict) and isinstance(step, str):
        if step in parent:
            raise UsageError(f"There is already something at {path_text(path)}.", where=path_text(path))
        return _put(value, path[:-1], {**parent, step: new})
    if isinstance(parent, list) and isinstance(step, int) and 0 <= step <= len(parent):
        return _put(value, path[:-1], [*parent[:step], new, *parent[step:]])
    raise _no_place(path)


def _parent(value: Json, path: JsonPath) -> Json:
    if not path:
        raise UsageError("The whole document has no place to insert it into.")
    for depth, step in enumerate(path[:-1]):
        if not has_step(value, step):
            raise _no_place(path[: depth + 1])
        value = value[step]
    return value


def _no_place(path: JsonPath) -> UsageError:
    return UsageError(f"There is no place for {path_text(path)}.", where=path_text(path))


def _put(value: Json, path: JsonPath, new: Json) -> Json:
    return changed(value, [(path, new)])


class _Changes:
    """What changes at a value and below it."""

    __slots__ = ("below", "new")

    def __init__(self) -> None:
        self.new: Json = _SAME
        self.below: dict[str | int, _Changes] = {}


_SAME = object()
"""No new value: only something below changes."""


def changed(value: Json, changes: Iterable[tuple[JsonPath, Json]]) -> Json:
    """A value with many changes, as if made one after the other; every container is copied once.

    Args:
        value: the value.
        changes: a path and its new value; `MISSING` removes what is there (indices of arrays count before all
            changes). A missing member of an object is added.

    Raises:
        UsageError: a path has no place in the value.
    """
    root = _Changes()
    for path, new in changes:
        here = root
        for depth, step in enumerate(path):
            if here.new is not _SAME:
                here.new = changed(here.new, [(path[depth:], new)])
                break
            here = here.below.setdefault(step, _Changes())
        else:
            here.new, here.below = new, {}
    return _applied(value, root, ())


def _applied(value: Json, changes: _Changes, path: JsonPath) -> Json:
    if changes.new is not _SAME:
        return changes.new
    if not changes.below:
        return value
    if isinstance(value, dict):
        members = dict(value)
        for step, below in changes.below.items():
            if not isinstance(step, str) or (step not in value and below.new is _SAME):
                raise _no_place((*path, step))
            if step not in value and below.new is MISSING:
                raise _nothing((*path, step))
            members[step] = _applied(value.get(step), below, (*path, step))
        return {name: item for name, item in members.items() if item is not MISSING}
    if isinstance(value, list):
        items = list(value)
        for step, below in changes.below.items():
            if not has_step(value, step) or isinstance(step, str):
                raise _no_place((*path, step))
            items[step] = _applied(value[step], below, (*path, step))
        return [item for item in items if item is not MISSING]
    raise _no_place((*path, next(iter(changes.below))))


def _nothing(path: JsonPath) -> UsageError:
    return UsageError(f"There is nothing at {path_text(path)}.", where=path_text(path))
