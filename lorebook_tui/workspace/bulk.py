"""Changes of many entries at once, as a preview of what each would become; `edits.set_fields` applies it.

Each function gives the changes of the entries that really change, in the order of the entries it was given. A value is
what the entry's own file gives back once it is written: a card's book turns null into its default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.formats.json_edit import changed, has_step
from lorebook_tui.formats.json_patch import same
from lorebook_tui.formats.v2_book import changes_of, fields_of
from lorebook_tui.matching import ecma
from lorebook_tui.model.fields import field_named, json_name
from lorebook_tui.model.js import MISSING, nullish, trim
from lorebook_tui.workspace.edits import FieldChange, entry_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.field_input import FieldInput
    from lorebook_tui.workspace.workspace import Workspace

KEY_FIELDS: Final = ("key", "keysecondary")


def change_to(ref: EntryRef, entry: Entry, name: str, value: Json) -> FieldChange | None:
    """One change, if it changes anything.

    Raises:
        UsageError: the entry's file cannot hold the field; names the entry.
    """
    try:
        written = given_back(entry, name, value)
    except UsageError as error:
        raise _about(entry, error) from error
    return None if same(written, entry.get(name)) else FieldChange(ref, name, written)


def given_back(entry: Entry, name: str, value: Json) -> Json:
    """What an entry's file gives back for a field after a value was written there; `MISSING` removes it.

    Raises:
        UsageError: the file cannot hold it.
    """
    row = field_named(name)
    if entry.source is None:
        if row is not None and json_name(row, "sillytavern") not in {name, None}:
            raise UsageError(
                f"SillyTavern's entries have no field {name}.", expected="a field of SillyTavern", found=name,
                hint=f"It is kept in their extension data: {json_name(row, 'sillytavern')}.",
            )  # fmt: skip
        return value
    places = [place for place in changes_of(entry.source, name, value) if _can_be(entry.source, place)]
    place = entry.path[-1] if entry.path and isinstance(entry.path[-1], int) else 0
    back = fields_of(changed(entry.source, places), entry.uid, place).get(name, MISSING)
    if same(back, value) or nullish(value):
        return back
    raise UsageError(
        f"A card's book cannot hold {name}.",
        expected="a field that the card specification or SillyTavern's extensions have",
        found=name,
        hint="Move the entry to a world of its own if it needs this.",
    )


def _can_be(raw: Any, change: tuple[tuple[str | int, ...], Json]) -> bool:
    """Whether a change has something to do: what is not there cannot be removed."""
    path, value = change
    if value is not MISSING:
        return True
    for step in path:
        if not has_step(raw, step):
            return False
        raw = raw[step]
    return True


def _about(entry: Entry, error: UsageError) -> UsageError:
    """The same error with the entry it is about in front."""
    title = " ".join(entry.title.split())
    error.where = f"entry {quote(title)}" + (f", {error.where}" if error.where else "")
    return error


def changes_by(
    workspace: Workspace, refs: Iterable[EntryRef], name: str, new: Callable[[Entry], Json]
) -> tuple[FieldChange, ...]:
    """The changes of one field, its new value made from each entry.

    Raises:
        UsageError: an entry cannot have its new value; names the entry.
    """
    found: list[FieldChange] = []
    for ref in dict.fromkeys(refs):
        entry = entry_at(workspace, ref)
        try:
            value = new(entry)
        except UsageError as error:
            raise _about(entry, error) from error
        change = change_to(ref, entry, name, value)
        if change is not None:
            found.append(change)
    return tuple(found)


def set_value(workspace: Workspace, refs: Sequence[EntryRef], given: FieldInput) -> tuple[FieldChange, ...]:
    """A value for a field, as it was written: `field_input.assignment("order=+10")`.

    Raises:
        UsageError: an entry cannot have it; names the entry.
    """
    name = given.row.name
    return changes_by(workspace, refs, name, lambda entry: given.new(entry.get(name)))


def fill_titles(workspace: Workspace, refs: Sequence[EntryRef]) -> tuple[FieldChange, ...]:
    """Titles for entries without one: their first plain key, else their first pattern as it stands."""

    def title(entry: Entry) -> Json:
        stands = entry.get("comment")
        if not nullish(stands) and (not isinstance(stands, str) or stands.strip()):
            return stands
        keys = [trim(key) for key in entry.keys if trim(key)]
        plain = next((key for key in keys if ecma.parse_key(key) is None), "")
        return plain or next(iter(keys), "") or stands

    return changes_by(workspace, refs, "comment", title)


def dedupe_keys(workspace: Workspace, refs: Sequence[EntryRef]) -> tuple[FieldChange, ...]:
    """Keys that an entry has twice, and blank ones, taken out; the first of equal ones stays.

    Plain keys are equal without blanks around them and, unless the entry is case-sensitive, without case.
    """
    found: list[FieldChange] = []
    for name in KEY_FIELDS:
        found += changes_by(workspace, refs, name, lambda entry, name=name: _deduped(entry, entry.get(name)))  # type: ignore[misc]
    return tuple(found)


def _deduped(entry: Entry, keys: Json) -> Json:
    if not isinstance(keys, list):
        return keys
    kept: dict[str, Json] = {}
    for number, key in enumerate(keys):
        if not isinstance(key, str):
            kept[f"\0{number}"] = key
        elif plain := trim(key):
            is_exact = entry.is_on("caseSensitive") or ecma.parse_key(plain) is not None
            kept.setdefault(plain if is_exact else plain.casefold(), key)
    return list(kept.values()) if len(kept) < len(keys) else keys


def merged(changes: Iterable[FieldChange]) -> tuple[FieldChange, ...]:
    """Changes of the same field of the same entry become the last one, at the place of the first."""
    found: dict[tuple[EntryRef, str], FieldChange] = {}
    for change in changes:
        found[change.ref, change.name] = change
    return tuple(found.values())


class NothingFoundError(LorebookError):
    """A question for entries to change that no entry answers."""

    code = "NOTHING_FOUND"
