"""How people call the fields of THE table: by their own name, their label, another format's name, or in short."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from lorebook_tui.model.fields import ENTRY_FIELDS, field_named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.model.field_types import Field

_SHORT: Final[Mapping[str, str]] = {
    "title": "comment",
    "name": "comment",
    "memo": "comment",
    "text": "content",
    "id": "uid",
    "keyword": "key",
    "primary": "key",
    "secondary": "keysecondary",
    "secondarykey": "keysecondary",
    "filter": "keysecondary",
    "logic": "selectiveLogic",
    "vector": "vectorized",
    "case": "caseSensitive",
    "words": "matchWholeWords",
    "wholewords": "matchWholeWords",
    "chance": "probability",
    "trigger": "triggers",
    "character": "characterFilter",
    "char": "characterFilter",
    "characters": "characterFilter",
    "outlet": "outletName",
    "inclusiongroup": "group",
    "weight": "groupWeight",
    "scoring": "useGroupScoring",
    "recursionlevel": "delayUntilRecursion",
    "level": "delayUntilRecursion",
    "automation": "automationId",
}
"""Short names beside those that the table itself gives, without case, blanks and signs."""
_OPPOSITE_SHORT: Final[Mapping[str, str]] = {"on": "disable", "active": "disable"}
_OTHER_FORMATS: Final = ("v2", "risu", "novelai", "agnai", "kobold", "kobold_united", "wyvern", "unorouter", "yumina")
_CLOSE_ENOUGH = 0.7


@dataclass(frozen=True, slots=True)
class NamedField:
    """A field that somebody has called by some name."""

    field: Field
    is_opposite: bool = False
    """The name says the opposite, as `enabled` does of `disable`."""


def named_field(name: str) -> NamedField | None:
    """The field somebody means; case, blanks, `-` and `_` do not count. None if there is none of that name.

    A field's own name goes before labels, those before short names, and all of them before what other formats say.
    """
    return _names().get(_plain(name))


def close_names(name: str, more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Names that somebody may have meant, the likeliest first.

    Args:
        name: what was written.
        more: other names that would be right beside those of fields.
    """
    import difflib  # noqa: PLC0415 - only needed after a mistake

    shown = {_plain(other): other for other in more}
    shown |= {key: found.field.name if not found.is_opposite else key for key, found in _names().items()}
    close = difflib.get_close_matches(_plain(name)[:40], shown, n=2, cutoff=_CLOSE_ENOUGH)
    return tuple(dict.fromkeys(shown[key] for key in close))


@cache
def _names() -> Mapping[str, NamedField]:
    """Every name without case, blanks and signs."""
    found: dict[str, NamedField] = {}
    for row in ENTRY_FIELDS:
        found.setdefault(_plain(row.name), NamedField(row))
    for row in ENTRY_FIELDS:
        found.setdefault(_plain(row.label), NamedField(row))
    for names, is_opposite in ((_SHORT, False), (_OPPOSITE_SHORT, True)):
        for short, name in names.items():
            row_named = field_named(name)
            if row_named is not None:
                found.setdefault(short, NamedField(row_named, is_opposite))
    for format_name in _OTHER_FORMATS:
        for row in ENTRY_FIELDS:
            path = row.json_names.get(format_name, "")
            last = _plain(path.rpartition(".")[2])
            if last:
                found.setdefault(last, NamedField(row, path.startswith("!")))
    return found


def _plain(name: str) -> str:
    """The name without case, blanks and signs."""
    return "".join(char for char in name.casefold() if char.isalnum())
