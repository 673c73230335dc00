"""Locked entries: kept in the extension data, so that changes of many at once leave them alone.

An entry says `extensions.lorebook_tui.locked: true`; no engine reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.model.folders import NAMESPACE
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json

_LOCKED: Final = "locked"


def is_locked(entry: Entry) -> bool:
    """Whether the entry says that it is to be left alone."""
    extensions = entry.get("extensions")
    ours = extensions.get(NAMESPACE) if isinstance(extensions, dict) else None
    return isinstance(ours, dict) and ours.get(_LOCKED) is True


def lock_extensions(extensions: Json, *, locked: bool) -> Json:
    """An entry's `extensions` with the lock on or off; `MISSING` if nothing is left of them.

    Raises:
        UsageError: the entry has something else there.
    """
    if extensions is not MISSING and extensions is not None and not isinstance(extensions, dict):
        raise UsageError(
            "There is no place for a lock: `extensions` is no object.", where="extensions", expected="an object"
        )
    outer: dict[str, Any] = dict(extensions) if isinstance(extensions, dict) else {}
    held = outer.get(NAMESPACE)
    inner = {name: item for name, item in (held if isinstance(held, dict) else {}).items() if name != _LOCKED}
    if locked:
        inner[_LOCKED] = True
    if inner:
        outer[NAMESPACE] = inner
    else:
        outer.pop(NAMESPACE, None)
    return outer if outer or extensions in ({}, None) else MISSING
