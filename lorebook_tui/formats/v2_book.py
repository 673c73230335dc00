"""A card's book (V2, V3) and SillyTavern's entries: the conversion both ways, as the application does it.

Source: SillyTavern 1.19: importing the embedded book of a card, and saving a card that has a main book.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import UnreadableError
from lorebook_tui.formats.base import seen
from lorebook_tui.model.fields import ENTRY_FIELDS, field_named, json_name
from lorebook_tui.model.js import MISSING, key_order, nullish, text_of, to_number, truthy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lorebook_tui.model.js import Json, JsonPath

_EXTENSIONS: Final = "extensions."
_IMPORT_DEFAULTS: Final[Mapping[str, Json]] = {"delayUntilRecursion": False}
"""What the importer gives a missing extension where it is not the template's default."""
_EXPORT_DEFAULTS: Final[Mapping[str, Json]] = {
    "probability": None,
    "useProbability": False,
    "groupWeight": None,
    "useGroupScoring": False,
    "delayUntilRecursion": False,
    "position": MISSING,
    "excludeRecursion": MISSING,
    "displayIndex": MISSING,
}
"""What the exporter gives a missing field where it is not the template's default; `MISSING`: the member is left out."""
_BEFORE: Final = "before_char"
_AFTER: Final = "after_char"


@dataclass(frozen=True, slots=True)
class _Extension:
    """A field that a card's book keeps under `extensions`."""

    name: str
    tail: str
    on_import: Json
    on_export: Json


def _extensions() -> Iterator[_Extension]:
    for field in ENTRY_FIELDS:
        place = json_name(field, "v2") or ""
        if place.startswith(_EXTENSIONS):
            yield _Extension(
                field.name,
                place.removeprefix(_EXTENSIONS),
                _IMPORT_DEFAULTS.get(field.name, field.default),
                _EXPORT_DEFAULTS.get(field.name, field.default),
            )


_BY_EXTENSION: Final = tuple(_extensions())


def fields_of(raw: Mapping[str, Json], uid: Json, index: int) -> dict[str, Json]:
    """SillyTavern's fields for an entry of a card's book.

    Not read, as there: the entry's `name`, `priority`, `case_sensitive` and `use_regex`.

    Args:
        raw: the entry.
        uid: its identity (`id`, or the index without one).
        index: place in the book, from 0.
    """
    extensions = raw.get("extensions")
    inner: Mapping[str, Json] = extensions if isinstance(extensions, dict) else {}
    fields: dict[str, Json] = {"uid": uid}
    for name, member in (("key", "keys"), ("content", "content"), ("order", "insertion_order")):
        if member in raw:
            fields[name] = raw[member]
    comment = raw.get("comment")
    fields |= {
        "keysecondary": _or(raw.get("secondary_keys"), []),
        "comment": _or(comment, ""),
        "addMemo": truthy(comment),
        "constant": _or(raw.get("constant"), False),
        "selective": _or(raw.get("selective"), False),
        "disable": not truthy(raw.get("enabled", MISSING)),
    }
    for extension in _BY_EXTENSION:
        value = inner.get(extension.tail)
        fields[extension.name] = _fresh(extension.on_import) if value is None else value
    if inner.get("position") is None:
        fields["position"] = 0 if raw.get("position") == _BEFORE else 1
    if inner.get("display_index") is None:
        fields["displayIndex"] = index
    if not truthy(inner.get("triggers")):
        fields["triggers"] = []
    fields["extensions"] = {} if extensions is None else extensions
    return fields


def _or(value: Json, other: Json) -> Json:
    """JavaScript's `value || other`."""
    return value if truthy(value) else other


def _fresh(default: Json) -> Json:
    return [] if default == [] else default


def world_of(book: Mapping[str, Json], *, strict: bool = True) -> dict[str, Json]:
    """The world that SillyTavern makes of a card's book: `entries` by uid, and the book itself as `originalData`.

    Args:
        book: the `character_book` object.
        strict: of equal ids the later entry takes the place of the earlier one, as in SillyTavern; otherwise the
            later one gets the smallest free number.

    Raises:
        UnreadableError: `entries` is no array of objects; SillyTavern stops there too.
    """
    items = book.get("entries", MISSING)
    if not isinstance(items, list):
        raise UnreadableError(
            "The book has no array of entries.", where="entries", expected="an array of objects", found=seen(items)
        )
    for index, raw in enumerate(items):
        if not isinstance(raw, (dict, list)):
            raise UnreadableError(
                "An entry is no object.", where=f"entries.{index}", expected="an object", found=seen(raw)
            )
    uids = identities([_members(raw).get("id", index) for index, raw in enumerate(items)], strict=strict)
    entries = {
        text_of(uid): fields_of(_members(raw), uid, index)
        for index, (raw, uid) in enumerate(zip(items, uids, strict=True))
    }
    original = [
        raw if isinstance(raw, list) or "id" in raw else {**raw, "id": index} for index, raw in enumerate(items)
    ]
    ordered = {key: entries[key] for key in key_order(entries)}
    return {"entries": ordered, "originalData": {**book, "entries": original}}


def _members(raw: Json) -> Mapping[str, Json]:
    """An entry's members; an array is an object without any that count."""
    return raw if isinstance(raw, dict) else {}


def identities(wanted: Iterable[Json], *, strict: bool = False) -> list[Json]:
    """The uids of entries that ask for these ids, in their order.

    Args:
        wanted: ids as they stand in the file.
        strict: leave equal ones equal; otherwise a repeated one becomes the smallest number that nobody asks for.
    """
    asked = list(wanted)
    if strict:
        return asked
    reserved = {text_of(uid) for uid in asked}
    taken: set[str] = set()
    result: list[Json] = []
    free = 0
    for uid in asked:
        mine = uid
        if text_of(uid) in taken:
            while str(free) in reserved:
                free += 1
            mine = free
            reserved.add(str(free))
        taken.add(text_of(mine))
        result.append(mine)
    return result


def character_book_of(entries: Mapping[str, Mapping[str, Json]], name: str, *, strict: bool = True) -> dict[str, Json]:
    """The book that SillyTavern embeds into a card when it saves one with this main book.

    Lost, as there: `characterFilter`, `addMemo`, and everything of the world but its entries.

    Args:
        entries: SillyTavern's entries by property name.
        name: the book's name.
        strict: leave out members that an entry lacks, as SillyTavern does; otherwise the members that the V2
            specification demands are filled in where they are missing or of a wrong type.
    """
    made = [_exported(key, entries[key], strict=strict) for key in key_order(entries)]
    book: dict[str, Json] = {"entries": made, "name": name}
    return book if strict else {**book, "extensions": {}}


def _exported(key: str, fields: Mapping[str, Json], *, strict: bool) -> dict[str, Json]:
    members = {
        "id": fields.get("uid", MISSING),
        "keys": fields.get("key", MISSING),
        "secondary_keys": fields.get("keysecondary", MISSING),
        "comment": fields.get("comment", MISSING),
        "content": fields.get("content", MISSING),
        "constant": fields.get("constant", MISSING),
        "selective": fields.get("selective", MISSING),
        "insertion_order": fields.get("order", MISSING),
        "enabled": not truthy(fields.get("disable", MISSING)),
        "position": _BEFORE if _is_zero(fields.get("position", MISSING)) else _AFTER,
        "use_regex": True,
        "extensions": {
            name: value
            for name, value in (_spread(fields.get("extensions", MISSING)) | _exported_extensions(fields)).items()
            if value is not MISSING
        },
    }
    if not strict:
        members |= _demanded(key, members)
    return {name: value for name, value in members.items() if value is not MISSING}


def _exported_extensions(fields: Mapping[str, Json]) -> dict[str, Json]:
    """What goes under `extensions`; `MISSING`: not even what already is there by that name."""
    result: dict[str, Json] = {}
    for extension in _BY_EXTENSION:
        value = fields.get(extension.name, MISSING)
        if nullish(value) and extension.on_export is not MISSING:
            value = _fresh(extension.on_export)
        result[extension.tail] = value
    return result


def _spread(value: Json) -> dict[str, Json]:
    """JavaScript's `{...value}`."""
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, str):
        coded = value.encode("utf-16-le", "surrogatepass")
        value = [coded[place : place + 2].decode("utf-16-le", "surrogatepass") for place in range(0, len(coded), 2)]
    return {str(index): item for index, item in enumerate(value)} if isinstance(value, list) else {}


def _is_zero(value: Json) -> bool:
    """JavaScript's `value == 0`, which null and undefined are not."""
    return not nullish(value) and to_number(value) == 0


def _demanded(key: str, members: Mapping[str, Json]) -> dict[str, Json]:
    """Members that the V2 specification demands, where they are missing or wrong."""
    filled: dict[str, Json] = {}
    if not _all_texts(members["keys"]):
        filled["keys"] = []
    if not isinstance(members["content"], str):
        filled["content"] = ""
    order = members["insertion_order"]
    if isinstance(order, bool) or not isinstance(order, (int, float)):
        field = field_named("order")
        filled["insertion_order"] = field.default if field else 0
    if members["id"] is MISSING and key.isdecimal():
        filled["id"] = int(key)
    filled |= {name: MISSING for name in ("comment",) if not isinstance(members[name], str)}
    filled |= {name: MISSING for name in ("constant", "selective") if not isinstance(members[name], bool)}
    if not _all_texts(members["secondary_keys"]):
        filled["secondary_keys"] = MISSING
    return filled


def _all_texts(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def changes_of(raw: Mapping[str, Json], name: str, value: Json) -> list[tuple[JsonPath, Any]]:
    """Where a SillyTavern field is written in an entry of a card's book: places from the entry, and what goes there.

    Args:
        raw: the entry as it stands.
        name: SillyTavern's name of the field.
        value: the new value; `MISSING` removes it.

    Returns:
        Changes in order; a value of `MISSING` means removal.
    """
    field = field_named(name)
    place = (json_name(field, "v2") if field else None) or f"{_EXTENSIONS}{name}"
    opposite = place.startswith("!")
    path = tuple(place.removeprefix("!").split("."))
    written = value if value is MISSING or not opposite else not truthy(value)
    changes: list[tuple[JsonPath, Any]] = []
    if path[0] == "extensions" and len(path) > 1 and not isinstance(raw.get("extensions"), dict):
        changes.append((("extensions",), {}))
    changes.append((path, written))
    if name == "position" and value is not MISSING:
        changes.append((("position",), _BEFORE if _is_zero(value) else _AFTER))
    return changes
