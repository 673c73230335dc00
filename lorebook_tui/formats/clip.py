"""Entries on the clipboard: written as JSON that says what it is, read from that and from all that people copy.

Read are also a SillyTavern entry or a list of them, a whole world, book or card, entries of a card's book, lorebooks of
other products, and plain text, which becomes the content of one entry.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from lorebook_tui.errors import UnreadableError
from lorebook_tui.formats.base import DEFAULT_LIMITS, seen
from lorebook_tui.formats.detect import load
from lorebook_tui.formats.json_errors import JsonSyntaxError
from lorebook_tui.formats.json_text import parse
from lorebook_tui.formats.product_import import converted, product_in
from lorebook_tui.formats.v2_book import fields_of
from lorebook_tui.model.fields import ENTRY_FIELDS, json_name, template
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.formats.base import Limits, Loaded
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json

KIND: Final = "lorebook-entries"
VERSION: Final = 1
PLAIN_TEXT: Final = "text"
"""The format of a clip that was plain text."""
OWN_OF_A_FILE: Final = ("uid", "displayIndex")
"""Fields that only mean something in the file an entry came from; a copy gets its own."""

_LOOKS_LIKE_JSON: Final = re.compile(r'\s*(?:\{\s*"|\[\s*\{\s*")')
_TELLING: Final = 2
"""So many members of an entry's names make an object an entry, even without keys."""
_SILLYTAVERN_NAMES: Final = frozenset(row.name for row in ENTRY_FIELDS)
_V2_NAMES: Final = frozenset(
    place.removeprefix("!").partition(".")[0] for row in ENTRY_FIELDS if (place := json_name(row, "v2"))
) | {"name", "use_regex", "case_sensitive"}
_TITLE_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Clip:
    """Entries that were copied."""

    entries: tuple[dict[str, Any], ...]
    """SillyTavern's fields of each."""
    book: str = ""
    """Name of the book they are from, "" if nobody knows; foreign text."""
    format: str = ""
    """Name of that book's format, or `PLAIN_TEXT`."""


def write(entries: Iterable[Entry], book: Book) -> str:
    """The clipboard's text for entries of a book: JSON with `kind`, `version`, where they are from, and all fields."""
    value = {
        "kind": KIND,
        "version": VERSION,
        "book": book.name,
        "format": book.format,
        "entries": [dict(entry.fields) for entry in entries],
    }
    text = json.dumps(value, ensure_ascii=False, indent=2)
    # a clipboard takes no half surrogate pairs, JSON escapes carry them
    return text if _is_unicode(text) else json.dumps(value, indent=2)


def _is_unicode(text: str) -> bool:
    return text.isascii() or not re.search("[\ud800-\udfff]", text)


def read(text: str, limits: Limits = DEFAULT_LIMITS) -> Clip:
    """The entries in a clipboard's text.

    Text that is no JSON and does not look like it (`{{char}} is tall`, `[Elf: old]`) is plain text.

    Raises:
        UnreadableError: nothing to paste, or JSON that holds no entry (`JsonSyntaxError`: broken JSON).
        UnsupportedError: another product's lore that cannot be read yet, by name.
        LimitError: a ceiling was reached.
    """
    if not text.strip():
        raise UnreadableError("There is nothing to paste.", expected="entries or text", found=seen(text))
    try:
        value = parse(text, limits).value
    except JsonSyntaxError:
        if _LOOKS_LIKE_JSON.match(text):
            raise
        return _plain(text)
    if isinstance(value, dict):
        return _from_object(value, text, limits)
    if isinstance(value, list) and (not value or any(isinstance(item, dict) for item in value)):
        return _from_list(value, text, limits)
    return _plain(text)


def for_paste(clip: Clip) -> tuple[dict[str, Any], ...]:
    """The fields without those that belong to the old file: the book they go to gives each a uid of its own."""
    return tuple(
        {name: value for name, value in fields.items() if name not in OWN_OF_A_FILE} for fields in clip.entries
    )


def _plain(text: str) -> Clip:
    """One entry with the text as its content; a short first line of several is its title."""
    content = text.strip("\r\n").replace("\r\n", "\n")
    first, _, rest = content.partition("\n")
    title = first.strip() if rest.strip() and len(first.strip()) <= _TITLE_CHARACTERS else ""
    fields = {**template(), "comment": title, "addMemo": bool(title), "content": content}
    return Clip((fields,), format=PLAIN_TEXT)


def _from_object(value: dict[str, Json], text: str, limits: Limits) -> Clip:
    if value.get("kind") == KIND:
        return _own(value)
    product = product_in(value)
    if product is not None:
        return Clip(tuple(_entries_of(converted(value, product).loaded)), format=product)
    if "entries" not in value and "spec" not in value and (fields := _entry_fields(value, 0)) is not None:
        return Clip((fields,))
    return _from_file(text, limits)


def _from_list(value: list[Json], text: str, limits: Limits) -> Clip:
    if not value:
        raise UnreadableError("The list holds no entry.", expected="a list of entries", found=seen(value))
    product = product_in(value)
    if product is not None:
        return Clip(tuple(_entries_of(converted(value, product).loaded)), format=product)
    found = [_entry_fields(item, index) if isinstance(item, dict) else None for index, item in enumerate(value)]
    if all(fields is not None for fields in found):
        return Clip(tuple(fields for fields in found if fields is not None))
    return _from_file(text, limits)


def _own(value: Mapping[str, Json]) -> Clip:
    """What this program wrote, of this version or an older one."""
    version = value.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or not 1 <= version <= VERSION:
        raise UnreadableError(
            "The clipboard holds entries of another version of this program.",
            where="version",
            expected=f"a number from 1 to {VERSION}",
            found=seen(version if "version" in value else MISSING),
            hint="Copy them with the same version of lorebook-tui.",
        )
    entries = value.get("entries", MISSING)
    if not isinstance(entries, list) or not entries:
        raise UnreadableError(
            "The clipboard holds no entries.", where="entries", expected="a list of entries", found=seen(entries)
        )
    for index, fields in enumerate(entries):
        if not isinstance(fields, dict):
            raise UnreadableError(
                "An entry is no object.", where=f"entries.{index}", expected="an object", found=seen(fields)
            )
    return Clip(tuple(entries), _text(value.get("book")), _text(value.get("format")))


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _entry_fields(value: dict[str, Json], index: int) -> dict[str, Json] | None:
    """SillyTavern's fields of a lone entry in either dialect; None if the object is none."""
    if _texts(value.get("keys")) and "key" not in value:
        return fields_of(value, value.get("id", index), index)
    if _texts(value.get("key")):
        return value
    if not isinstance(value.get("content"), str):
        return None
    names = value.keys()
    if len(names & _SILLYTAVERN_NAMES) >= max(_TELLING, len(names & _V2_NAMES)) and "enabled" not in value:
        return value
    return fields_of(value, value.get("id", index), index) if len(names & _V2_NAMES) >= _TELLING else None


def _texts(value: Json) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _entries_of(loaded: Loaded) -> list[dict[str, Any]]:
    return [dict(entry.fields) for entry in loaded.require_book().entries]


def _from_file(text: str, limits: Limits) -> Clip:
    """All entries of the first book in a whole file that was copied."""
    loaded = load(text.encode("utf-8", "surrogatepass"), limits=limits)
    book = loaded.require_book()
    if not book.entries:
        raise UnreadableError(
            f"This is {loaded.format.title} without entries.", expected="at least one entry", found=loaded.format.title
        )
    named = book.extras.get("name")
    clip = Clip(tuple(_entries_of(loaded)), format=book.format)
    return replace(clip, book=named) if isinstance(named, str) else clip
