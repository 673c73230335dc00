"""One entry as the engine reads it: a frozen view over SillyTavern-shaped fields. Nothing missing is filled in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lorebook_tui.model.js import MISSING, text_of, truthy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.model.js import Json, JsonPath


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a book.

    Equality is identity of the fields object, so that a snapshot is cheap to compare.
    """

    fields: Mapping[str, Any]
    """The entry under SillyTavern's field names, values as they stand in the file."""
    key: str
    """Its property name in `entries` (for lists: the index as text)."""
    path: JsonPath = ()
    """Where it stands in its file, for reports and edits."""
    source: Mapping[str, Any] | None = field(default=None, compare=False)
    """The object in the file if the file has another shape (a card's book); None if it is `fields` itself."""

    def get(self, name: str, default: Json = MISSING) -> Json:
        """The stored value of a field, or `default` (`MISSING`) if the file has none."""
        return self.fields.get(name, default)

    @property
    def uid(self) -> Json:
        """The entry's own `uid`, whatever its type; `MISSING` if it has none."""
        return self.fields.get("uid", MISSING)

    @property
    def uid_text(self) -> str:
        """The `uid` as text, as it stands in an identity `BOOK.UID`."""
        return text_of(self.uid)

    @property
    def content(self) -> str:
        """The text, "" if it is missing or no string."""
        value = self.fields.get("content")
        return value if isinstance(value, str) else ""

    @property
    def keys(self) -> tuple[str, ...]:
        """Primary keys that are strings."""
        return _strings(self.fields.get("key"))

    @property
    def secondary_keys(self) -> tuple[str, ...]:
        """Secondary keys that are strings."""
        return _strings(self.fields.get("keysecondary"))

    @property
    def title(self) -> str:
        """What people call it: the comment, else the first key, else its uid."""
        comment = self.fields.get("comment")
        if isinstance(comment, str) and comment.strip():
            return comment
        if isinstance(comment, (int, float)) and not isinstance(comment, bool):
            return text_of(comment)
        return next((key for key in self.keys if key.strip()), f"#{self.uid_text}")

    def is_on(self, name: str) -> bool:
        """Whether a flag is set, in JavaScript's sense of true."""
        value = self.fields.get(name, MISSING)
        return value if value is True or value is False else truthy(value)


def _strings(value: Json) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
