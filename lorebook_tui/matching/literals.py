"""All plain keys at once: which of many literals occur in one text.

Whole-word literals follow SillyTavern 1.19: a neighbour is a boundary unless it is one of A-Z, a-z, 0-9 or _; the
edges of the text are boundaries too. Texts and literals are compared as they are: normalise case before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

try:
    import ahocorasick as _ahocorasick
except ImportError:  # no wheel for the platform: the slower path takes its place
    _ahocorasick = None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WORD_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class LiteralSet:
    """A set of literals, each with the number that stands for it.

    Args:
        substrings: literal to number, found anywhere.
        words: literal to number, found only between boundaries.
        accelerated: use the Aho-Corasick automaton if the machine has one.
    """

    __slots__ = ("_automaton", "_literals", "_substrings", "_words")

    def __init__(self, substrings: dict[str, int], words: dict[str, int], *, accelerated: bool = True) -> None:
        self._substrings = substrings
        self._words = words
        self._literals = [text for text in (substrings.keys() | words.keys() if words else substrings) if text]
        self._automaton: Any = (
            _build(self._literals) if accelerated and self._literals and _ahocorasick is not None else None
        )

    def __len__(self) -> int:
        return len(self._literals)

    def numbers_in(self, text: str) -> frozenset[int]:
        """The numbers of all literals that occur in the text; cost follows the text and its hits."""
        if self._automaton is None:
            return frozenset(self._one_by_one(text))
        found: set[int] = set()
        substrings, words = self._substrings, self._words
        last = len(text) - 1
        for end, length in self._automaton.iter(text):
            literal = text[end - length + 1 : end + 1]
            if literal in substrings:
                found.add(substrings[literal])
            if (
                literal in words
                and (end == last or text[end + 1] not in WORD_CHARACTERS)
                and (end < length or text[end - length] not in WORD_CHARACTERS)
            ):
                found.add(words[literal])
        return frozenset(found)

    def _one_by_one(self, text: str) -> Iterator[int]:
        for literal in self._literals:
            if literal in text:
                if literal in self._substrings:
                    yield self._substrings[literal]
                if literal in self._words and occurs_as_word(text, literal):
                    yield self._words[literal]


def _build(literals: Iterable[str]) -> Any:
    """An automaton that tells the length of each literal it meets; an empty one must not be searched."""
    automaton = _ahocorasick.Automaton(_ahocorasick.STORE_LENGTH)
    for literal in literals:
        automaton.add_word(literal)
    automaton.make_automaton()
    return automaton


def occurs_as_word(text: str, literal: str) -> bool:
    """Whether the literal occurs between two boundaries."""
    start = text.find(literal)
    while start >= 0:
        end = start + len(literal)
        if (start == 0 or text[start - 1] not in WORD_CHARACTERS) and (
            end == len(text) or text[end] not in WORD_CHARACTERS
        ):
            return True
        start = text.find(literal, start + 1)
    return False
