"""Numbers and words as other languages write them, and what JSON would say."""

from __future__ import annotations

import re
from typing import Final

NUMBER: Final = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d*)?|\.\d+(?:[eE][+-]?\d*)?)"
    r"|-(?=\s*(?:[,\]}]|\Z))"
)
WORD: Final = re.compile(r"[^\W\d]\w*")
_RIGHT_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORDS: Final = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
    "None": "null",
    "Null": "null",
    "NULL": "null",
    "nil": "null",
    "undefined": "null",
    "NaN": "null",
    "Infinity": "null",
}
_LITERALS: Final = ("true", "false", "null")


def mended_number(text: str) -> tuple[str, str] | None:
    """The number as JSON writes it, and what is wrong with it as it stands; None if nothing is."""
    if _RIGHT_NUMBER.fullmatch(text):
        return None
    cause = f"JSON does not write the number {text} so."
    if text.endswith("Infinity"):
        return "null", f"{text} is no JSON value."
    sign = "-" if text.startswith("-") else ""
    bare = text.lstrip("+-").replace("_", "")
    if bare[:2] in {"0x", "0X"}:
        return f"{sign}{int(bare, 16)}", cause
    base, mark, power = bare.replace("E", "e").partition("e")
    whole, _, part = base.partition(".")
    made = sign + (whole.lstrip("0") or "0") + (f".{part}" if part else "")
    return (f"{made}e{power}" if mark and power.lstrip("+-") else made), cause


def mended_word(text: str, *, is_last: bool) -> tuple[str, str] | None:
    """What JSON says for a word, and why; None for a word that says nothing to it.

    Args:
        text: the word.
        is_last: whether the text ends with it, so that it may be cut off.
    """
    if text in _LITERALS:
        return text, ""
    if text in _WORDS:
        return _WORDS[text], f"{text} is no JSON value."
    whole = next((literal for literal in _LITERALS if literal.startswith(text)), None)
    return (whole, f"The word {whole} is cut off here.") if whole and is_last else None
