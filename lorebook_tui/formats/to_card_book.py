"""An entry of any book as one of a card's book (V2, V3), readable for programs other than SillyTavern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.formats.aside import put_aside, taken_back
from lorebook_tui.formats.losses import Fate, Loss
from lorebook_tui.formats.to_world import V2, WORLD, differs, is_pattern
from lorebook_tui.formats.v2_book import character_book_of
from lorebook_tui.model.fields import ENTRY_FIELDS, field_named, json_name
from lorebook_tui.model.js import MISSING, nullish

if TYPE_CHECKING:
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json

_BEFORE, _AFTER = 0, 1
_V3: Final = 3
_FILTER: Final = "characterFilter"
_HARMLESS: Final = frozenset(
    {"displayIndex", "automationId", "addMemo", "groupWeight", "role", "depth", "extensions", "uid"}
)
"""Fields whose loss changes nothing in another program, or that only matter with another one that is reported."""
_SAID_APART: Final = frozenset({"position", "selectiveLogic", "caseSensitive"})
_PRODUCT_FIELDS: Final = frozenset(  # the title is shown as soon as there is one
    row.name for row in ENTRY_FIELDS if json_name(row, "v2") is None and row.name not in {_FILTER, "addMemo"}
)


def card_entry(entry: Entry, losses: list[Loss], *, version: int) -> dict[str, Any]:
    """The entry for a card's book.

    Args:
        entry: of a world or a card's book.
        losses: receives what is not carried over as it is.
        version: 2 or 3 of the specification.
    """
    made = _from_world(entry, losses) if entry.source is None else dict(entry.source)
    if version == _V3 and not isinstance(made.get("use_regex"), bool):
        made["use_regex"] = _uses_regex(made, entry, losses)
    return made


def _from_world(entry: Entry, losses: list[Loss]) -> dict[str, Any]:
    fields = dict(entry.fields)
    extensions, back = taken_back(fields.get("extensions"), V2)
    others = {name: value for name, value in fields.items() if _has_no_place(name, value)}
    _report(entry, others, losses)
    for holder in (fields, extensions):
        if "priority" in holder:
            back["priority"] = holder.pop("priority")
    fields["extensions"] = put_aside(extensions, WORLD, others)
    made: dict[str, Any] = character_book_of({entry.key: fields}, "", strict=False)["entries"][0]
    del made["use_regex"]
    if nullish(fields.get("useGroupScoring", MISSING)):
        made["extensions"]["use_group_scoring"] = (
            None  # SillyTavern's own export makes it false, which is something else
        )
    if isinstance(fields.get("caseSensitive"), bool):
        made["case_sensitive"] = fields["caseSensitive"]
    return {**made, **{name: value for name, value in back.items() if name not in made}}


def _has_no_place(name: str, value: Json) -> bool:
    """Whether a card's book cannot hold a field, and the field says something."""
    if name == _FILTER:
        return isinstance(value, dict) and bool(value.get("names") or value.get("tags"))
    return field_named(name) is None or name in _PRODUCT_FIELDS


def _report(entry: Entry, others: dict[str, Json], losses: list[Loss]) -> None:
    """What other programs, or SillyTavern's import, do not get."""
    fields, title = entry.fields, entry.title

    def bent(code: str, told: str, field: str) -> None:
        losses.append(Loss(code, told, Fate.BENT, title, field))

    for name in others:
        code = "character-filter" if name == _FILTER else "member"
        told = "A card's book has no place for it, and SillyTavern's import loses it."
        losses.append(Loss(code, told, Fate.ASIDE, title, name))
    if differs(fields, "position", _BEFORE, _AFTER):
        bent("position", "Other programs put it after the character.", "position")
    has_secondary = bool(entry.secondary_keys) and entry.is_on("selective")
    if has_secondary and differs(fields, "selectiveLogic", 0):
        bent("logic", "Other programs want any one of the secondary keys.", "selectiveLogic")
    if any(is_pattern(key) for key in (*entry.keys, *entry.secondary_keys)):
        bent("pattern", "Other programs may take a key in slashes as plain text.", "key")
    for row in ENTRY_FIELDS:
        place = json_name(row, "v2") or ""
        if not place.startswith("extensions.") or row.name in _HARMLESS | {
            "position",
            "selectiveLogic",
            "caseSensitive",
        }:
            continue
        if differs(fields, row.name, row.default, *_unsaid(row.name)):
            bent("sillytavern-only", "Only SillyTavern reads it.", row.name)
    for name in ("key", "content", "keysecondary"):
        row_of = field_named(name)
        value = fields.get(name, MISSING)
        wanted = str if name == "content" else list
        if row_of is not None and value is not MISSING and not isinstance(value, wanted):
            losses.append(Loss("type", "It is of the wrong type and is left out.", Fate.LOST, title, name))


def _unsaid(name: str) -> tuple[Json, ...]:
    """Values besides the default that ask for nothing."""
    return (0, False, "") if name != "probability" else ()


def _uses_regex(made: dict[str, Any], entry: Entry, losses: list[Loss]) -> bool:
    """V3's `use_regex`: only true if every key is a pattern, because readers then take all of them as such."""
    keys = made.get("keys")
    patterns = [is_pattern(key) for key in keys] if isinstance(keys, list) else []
    if any(patterns) and not all(patterns):
        told = "Its keys are patterns and plain words; readers of V3 take all of them as plain."
        losses.append(Loss("use-regex", told, Fate.BENT, entry.title, "use_regex"))
    return bool(patterns) and all(patterns)
