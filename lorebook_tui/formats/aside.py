"""Values that another format has no place for, kept in extension data so that they come back with that format.

They lie in `extensions.lorebook_tui.FORMAT`, of entries and of books.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.model.folders import NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.model.js import Json


def put_aside(extensions: Json, format_name: str, members: Mapping[str, Json]) -> dict[str, Any]:
    """The extensions with some members of a format in them; nothing is added for none."""
    outer: dict[str, Any] = dict(extensions) if isinstance(extensions, dict) else {}
    if members:
        held = outer.get(NAMESPACE)
        outer[NAMESPACE] = {**(held if isinstance(held, dict) else {}), format_name: dict(members)}
    return outer


def taken_back(extensions: Json, format_name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The extensions without the members of a format that were put aside, and those members."""
    outer: dict[str, Any] = dict(extensions) if isinstance(extensions, dict) else {}
    held = outer.get(NAMESPACE)
    if not isinstance(held, dict) or not isinstance(held.get(format_name), dict):
        return outer, {}
    rest = {name: value for name, value in held.items() if name != format_name}
    if rest:
        outer[NAMESPACE] = rest
    else:
        del outer[NAMESPACE]
    return outer, dict(held[format_name])
