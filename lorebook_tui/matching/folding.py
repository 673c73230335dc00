"""Which characters of a pattern can be looked for in lower-cased text, although the pattern may ignore case.

A JavaScript pattern with the flag i compares by upper case (by simple case folding with u), a prefilter by lower case.
For the characters here both agree, but for the few relatives named, which keep their own lower case.
"""

from __future__ import annotations

from typing import Final

NOTHING: Final[frozenset[str]] = frozenset()

_RANGES: Final = (
    (0x00, 0x7F),
    (0xC0, 0x17E),
    (0x391, 0x3CE),
    (0x400, 0x52F),
    (0x5D0, 0x5EA),
    (0x620, 0x6FF),
    (0x900, 0xEFF),
    (0x1100, 0x11FF),
    (0x2010, 0x205E),
    (0x3000, 0x30FF),
    (0x3400, 0x9FFF),
    (0xAC00, 0xD7A3),
)
_UNSAFE: Final = frozenset("İΣσςΐΰ")
"""Letters whose lower case depends on their place, is two characters, or folds into a precomposed twin."""
_RELATIVES: Final = {
    "в": "ᲀ", "д": "ᲁ", "о": "ᲂ", "с": "ᲃ", "т": "ᲄᲅ", "ъ": "ᲆ", "ѣ": "ᲇ",
    "β": "ϐ", "ε": "ϵ", "θ": "ϑ", "ι": "\u0345\u1fbe", "κ": "ϰ", "μ": "µ", "π": "ϖ", "ρ": "ϱ", "φ": "ϕ",
}  # fmt: skip
_RELATIVES_OF_UNICODE: Final = {"s": "ſ"}
_SIGMAS: Final = "Σσς"
_WIDE_FROM: Final = "\u3040"
_WIDE_TO: Final = "\ud7a3"


def lowered(char: str, *, ignore_case: bool, unicode: bool) -> tuple[str, frozenset[str]] | None:
    """The lower case of a pattern's character, and other lower-cased characters that it may have matched instead.

    None if the character promises nothing about the lower-cased text.
    """
    if not ignore_case:
        lower = char.lower()
        return None if len(lower) != 1 or char in _SIGMAS else (lower, NOTHING)
    if char in _UNSAFE or not any(first <= ord(char) <= last for first, last in _RANGES):
        return None
    lower = char.lower()
    relatives = _RELATIVES.get(lower, "")
    if unicode:
        relatives += _RELATIVES_OF_UNICODE.get(lower, "")
    return lower, frozenset(relatives)


def weight(literal: str) -> int:
    """How much a literal tells: 4 for an ideograph, kana or Hangul syllable, 2 for a letter or digit, else 1."""
    return sum(4 if _WIDE_FROM <= char <= _WIDE_TO else 2 if char.isalnum() else 1 for char in literal)
