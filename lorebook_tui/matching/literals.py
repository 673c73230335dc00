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
    from collections.abc import Iterable

WORD_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_ABSENT: Final = -1


class LiteralSet:
    """A set of literals, each with the number that stands for it.

    Args:
        substrings: literal to number, found anywhere.
        words: literal to number, found only between boundaries.
        accelerated: use the Aho-Corasick automaton if the machine has one.
    """

    __slots__ = ("_automaton", "_pairs")

    def __init__(self, substrings: dict[str, int], words: dict[str, int], *, accelerated: bool = True) -> None:
        literals = dict.fromkeys([*substrings, *words])
        literals.pop("", None)
        self._pairs: tuple[tuple[str, int, int], ...] = tuple(
            (text, substrings.get(text, _ABSENT), words.get(text, _ABSENT)) for text in literals
        )
        self._automaton: Any = _build(self._pairs) if accelerated and _ahocorasick is not None else None

    def __len__(self) -> int:
        return len(self._pairs)

    def numbers_in(self, text: str) -> frozenset[int]:
        """The numbers of all literals that occur in the text; cost follows the text and its hits."""
        if not self._pairs:
            return frozenset()
        found: set[int] = set()
        if self._automaton is not None:
            last = len(text) - 1
            for end, (length, anywhere, word) in self._automaton.iter(text):
                if anywhere >= 0:
                    found.add(anywhere)
                if (
                    word >= 0
                    and (end == last or text[end + 1] not in WORD_CHARACTERS)
                    and (end < length or text[end - length] not in WORD_CHARACTERS)
                ):
                    found.add(word)
            return frozenset(found)
        for literal, anywhere, word in self._pairs:
            if literal in text:
                if anywhere >= 0:
                    found.add(anywhere)
                if word >= 0 and occurs_as_word(text, literal):
                    found.add(word)
        return frozenset(found)


def _build(pairs: Iterable[tuple[str, int, int]]) -> Any:
    """An automaton over the pairs; None if there are none (an empty automaton must not be searched)."""
    automaton = _ahocorasick.Automaton()
    empty = True
    for literal, anywhere, word in pairs:
        automaton.add_word(literal, (len(literal), anywhere, word))
        empty = False
    if empty:
        return None
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
