"""What is known of a key by itself: its kind, its pattern, how it is looked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lorebook_tui.matching import ecma
from lorebook_tui.matching.jstext import lower
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from lorebook_tui.matching.ecma import Pattern, RegexKey

_KEPT: Final = 65_536


@dataclass(frozen=True, slots=True)
class KeyFact:
    """A key."""

    text: str
    """As it stands in the file."""
    place: int
    """Its place in the list, counted from 0."""
    trimmed: str
    folded: str
    """Trimmed, in JavaScript's lower case."""
    regex: RegexKey | None
    """What SillyTavern runs as a pattern; None: it is looked for as plain text."""
    fault: str
    """Why something that looks like a pattern is none, or ""."""

    @property
    def is_blank(self) -> bool:
        """Whether nothing is left after trimming."""
        return not self.trimmed

    @property
    def has_macro(self) -> bool:
        """Whether it is replaced before it is looked for."""
        return "{{" in self.text or "<" in self.text

    @property
    def is_plain(self) -> bool:
        """Whether it is looked for letter by letter, as it stands."""
        return self.regex is None and not self.has_macro and not self.is_blank

    def pattern(self) -> Pattern | None:
        """The compiled pattern; None if it is none."""
        return ecma.compile(self.regex.source, self.regex.flags) if self.regex else None


@lru_cache(_KEPT)
def key_fact(text: str, place: int) -> KeyFact:
    """The facts of a key at its place in the list."""
    trimmed = trim(text)
    return KeyFact(text, place, trimmed, lower(trimmed), ecma.parse_key(text), ecma.why_not_regex(text) or "")
