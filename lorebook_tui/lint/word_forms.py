"""Forms of words that a key misses: the English plural, and what is left of a Russian noun without its ending."""

from __future__ import annotations

import re
from typing import Final

_ENGLISH: Final = re.compile(r"[a-z]{3,}")
_RUSSIAN: Final = re.compile(r"[а-яё]{5,}")
_NO_NOUN: Final = re.compile(r"(?:s|ed|ing|ly|ness|ful|less|ish|ous|able)$")
_ENDINGS: Final = ("ия", "ие", "ий", "ый", "ой", "ая", "ое", "а", "я", "о", "е", "ь", "й")
_LEAST_STEM: Final = 4
_IRREGULAR: Final = {
    "man": "men", "woman": "women", "child": "children", "foot": "feet", "tooth": "teeth", "goose": "geese",
    "mouse": "mice", "wolf": "wolves", "elf": "elves", "dwarf": "dwarves", "knife": "knives", "thief": "thieves",
    "wife": "wives", "leaf": "leaves", "half": "halves", "shelf": "shelves", "loaf": "loaves",
    "sheep": "", "deer": "", "fish": "", "magic": "", "gold": "", "silver": "", "iron": "",
}  # fmt: skip


def plural_of(word: str) -> str:
    """The plural of an English noun in lower case; "" if it has none, or the word looks like no noun."""
    if not _ENGLISH.fullmatch(word):
        return ""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if _NO_NOUN.search(word):
        return ""
    if word.endswith(("x", "ch", "sh", "z")):
        return f"{word}es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def stem_of(word: str) -> str:
    """A Russian noun or adjective in lower case without its ending; "" if its forms hold it as it stands."""
    if not _RUSSIAN.fullmatch(word):
        return ""
    ending = next((each for each in _ENDINGS if word.endswith(each)), "")
    stem = word.removesuffix(ending)
    return stem if ending and len(stem) >= _LEAST_STEM else ""
