"""Which script letters belong to, and whether SillyTavern's whole-word switch can do anything in it."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

_NAMES: Final = (
    "LATIN", "CYRILLIC", "GREEK", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR", "ARABIC",
    "HEBREW", "DEVANAGARI", "ARMENIAN", "GEORGIAN",
)  # fmt: skip
WITHOUT_SPACES: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR"})
"""Scripts that part no words."""
ALIKE: Final = frozenset({"LATIN", "CYRILLIC", "GREEK"})
"""Scripts with letters that look the same."""


@lru_cache(4096)
def script_of(char: str) -> str:
    """The script of a letter, in capitals; "" for what is no letter."""
    if not char.isalpha():
        return ""
    name = unicodedata.name(char, "")
    return next((script for script in _NAMES if name.startswith(script)), "OTHER")


def scripts_of(text: str) -> set[str]:
    """The scripts of the letters of a text."""
    return {script for char in text if (script := script_of(char))}


def letters(text: str) -> int:
    """How many letters and digits a text has."""
    return sum(1 for char in text if char.isalnum())


def ascii_word_class_fails(text: str) -> bool:
    r"""Whether a word holds letters that JavaScript's `\w` and `\b` do not count as letters."""
    return any(char.isalpha() and not char.isascii() for char in text)
