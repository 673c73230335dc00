"""Carries the changes of one JSON value over to another that is nearly the same (the two cards in an image)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from lorebook_tui.formats.json_patch import same
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from lorebook_tui.model.js import Json


def _corresponds(one: Json, two: Json) -> TypeGuard[list[Json]]:
    """Whether two lists hold the same entries, in the same places."""
    return (
        isinstance(one, list)
        and isinstance(two, list)
        and len(one) == len(two)
        and all(
            isinstance(here, dict) and isinstance(there, dict) and "id" in here and same(here["id"], there.get("id"))
            for here, there in zip(one, two, strict=True)
        )
    )


def carried_over(base: Json, changed: Json, other: Json) -> Json:
    """`other` with everything changed that differs between `base` and `changed`.

    Objects are compared member by member, lists of entries that are the same ones entry by entry; other arrays and
    plain values are taken over as a whole.
    """
    if base is changed or same(base, changed):
        return other
    if _corresponds(base, changed) and _corresponds(base, other):
        return [carried_over(*three) for three in zip(base, changed, other, strict=True)]
    if not (isinstance(base, dict) and isinstance(changed, dict) and isinstance(other, dict)):
        return changed
    result = {}
    for name, value in other.items():
        if name in changed:
            result[name] = carried_over(base[name], changed[name], value) if name in base else changed[name]
        elif name not in base:
            result[name] = value
    for name, value in changed.items():
        if name not in result and not same(base.get(name, MISSING), value):
            result[name] = value
    return result
