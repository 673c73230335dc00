"""Keys made ready for matching: plain ones numbered in the hit index, patterns compiled, macros resolved or kept.

SillyTavern 1.19: macros are replaced first; an empty result never matches; then it is trimmed and read as a
pattern if it has the form `/…/flags`, else as plain text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lorebook_tui.matching import ecma
from lorebook_tui.matching.jstext import lower, split_white_space
from lorebook_tui.matching.required import required_literals
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.matching.index import HitIndex


class PlainKey(NamedTuple):
    """A literal; matching asks the hit index for its number. Books hold many: a tuple is made fastest."""

    raw: str
    literal: str
    """Trimmed and, unless case-sensitive, lower-cased."""
    number: int
    case_sensitive: bool
    whole_word: bool
    crosses: bool = False
    """It holds the mark between pieces or half a surrogate pair, so it has to be looked for in the whole text."""


@dataclass(frozen=True, slots=True)
class PatternKey:
    """A JavaScript regular expression; tested on the unchanged text."""

    raw: str
    source: str
    flags: str
    gates: tuple[int, ...] | None
    """Numbers of literals of which every match holds at least one; None: always test it."""


@dataclass(frozen=True, slots=True)
class BlankKey:
    """White space only: trimmed to nothing, it matches every text."""

    raw: str


@dataclass(frozen=True, slots=True)
class EmptyKey:
    """Nothing after macro replacement: it never matches."""

    raw: str


@dataclass(frozen=True, slots=True)
class DynamicKey:
    """A key whose macros can give another text at every test."""

    raw: str
    case_sensitive: bool
    whole_words: bool


Key = PlainKey | PatternKey | BlankKey | EmptyKey | DynamicKey


@dataclass(frozen=True, slots=True)
class KeyReader:
    """Turns key texts into keys and registers their literals.

    Args:
        index: where literals get their numbers.
        resolve: the text with its macros replaced if they can never change, None if they can.
        dynamic: the macro engine acts at every test of every key, whether it holds a macro or not.
    """

    index: HitIndex
    resolve: Callable[[str], str | None]
    dynamic: bool = False

    def read(self, raw: str, *, case_sensitive: bool, whole_words: bool) -> Key:
        """One key under the entry's case and whole-word options."""
        if self.dynamic and raw:
            return DynamicKey(raw, case_sensitive, whole_words)
        if raw.isalnum():
            return self._literal(raw, raw, case_sensitive=case_sensitive, whole_word=whole_words)
        text: str | None = raw
        if "{" in raw or "<" in raw or "\\" in raw:
            text = self.resolve(raw)
            if text is None:
                return DynamicKey(raw, case_sensitive, whole_words)
        return self.read_resolved(raw, text or "", case_sensitive=case_sensitive, whole_words=whole_words)

    def read_resolved(self, raw: str, text: str, *, case_sensitive: bool, whole_words: bool) -> Key:
        """One key whose macros are replaced already."""
        if not text:
            return EmptyKey(raw)
        trimmed = trim(text)
        if not trimmed:
            return BlankKey(raw)
        if trimmed[0] == "/":
            pattern = ecma.parse_key(trimmed)
            if pattern is not None:
                return self._pattern(raw, pattern.source, pattern.flags)
        whole_word = whole_words and len(split_white_space(trimmed)) == 1
        return self._literal(
            raw, trimmed, case_sensitive=case_sensitive, whole_word=whole_word, crosses=_crosses(trimmed)
        )

    def _literal(
        self, raw: str, trimmed: str, *, case_sensitive: bool, whole_word: bool, crosses: bool = False
    ) -> PlainKey:
        literal = trimmed if case_sensitive else lower(trimmed)
        number = self.index.register(literal, case_sensitive=case_sensitive, whole_word=whole_word)
        return PlainKey(raw, literal, number, case_sensitive, whole_word, crosses)

    def _pattern(self, raw: str, source: str, flags: str) -> PatternKey:
        literals = required_literals(source, flags)
        gates = (
            None
            if literals is None
            else tuple(self.index.register(text, case_sensitive=False, whole_word=False) for text in literals)
        )
        return PatternKey(raw, source, flags, gates)


def _crosses(literal: str) -> bool:
    """Whether pieces alone cannot answer for the literal."""
    return "\x01" in literal or (not literal.isascii() and any("\ud800" <= char <= "\udfff" for char in literal))
