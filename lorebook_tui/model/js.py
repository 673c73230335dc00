"""The rules of JavaScript that lore files rely on: truth, identity, key order, numbers as text, white space.

Values are parsed JSON: None, bool, int, float, str, list, dict. `MISSING` stands for `undefined`.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Json: TypeAlias = Any
JsonObject: TypeAlias = "Mapping[str, Any]"
JsonPath: TypeAlias = "tuple[str | int, ...]"


class _Missing:
    """The type of `MISSING`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Final = _Missing()

WHITE_SPACE: Final = (
    "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_MAX_INDEX = 2**32 - 2
_TOO_LARGE = 10**308
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|Infinity)")
_BASED = re.compile(r"0([xXoObB])([0-9a-fA-F]+)")
_BASES = {"x": 16, "o": 8, "b": 2}
_LONGEST_BASED = 250
_EXPONENT_FROM = 1e21
_EXPONENT_BELOW = 1e-6


def truthy(value: Json) -> bool:
    """Whether JavaScript takes the value as true: not undefined, null, false, 0, NaN or ""."""
    if isinstance(value, (list, dict)):
        return True
    if isinstance(value, float) and math.isnan(value):
        return False
    return bool(value)


def nullish(value: Json) -> bool:
    """Whether the value is null or undefined, so that `??` takes the other side."""
    return value is None or value is MISSING


def same(left: Json, right: Json) -> bool:
    """JavaScript's `===` for plain values (a boolean never equals a number)."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    return type(left) is type(right) and bool(left == right)


def to_number(value: Json) -> float:
    """JavaScript's `Number(value)`; NaN where there is no number. A list reads as its text does."""
    if isinstance(value, (bool, int, float)):
        if isinstance(value, int) and abs(value) >= _TOO_LARGE:
            return math.inf if value > 0 else -math.inf
        return float(value)
    if value is None:
        return 0.0
    if value is MISSING or isinstance(value, dict):
        return math.nan
    text = trim(text_of(value))
    if not text:
        return 0.0
    if _DECIMAL.fullmatch(text):
        return float(text)
    based = _BASED.fullmatch(text)
    return float(int(based[2], _BASES[based[1].lower()])) if based and _digits_fit(based) else math.nan


def _digits_fit(based: re.Match[str]) -> bool:
    base = _BASES[based[1].lower()]
    return len(based[2]) < _LONGEST_BASED and all(int(digit, 16) < base for digit in based[2])


def plus(left: Json, right: Json) -> Json:
    """JavaScript's `left + right`: numbers are added, but as soon as one side is no number, texts are joined."""
    if isinstance(left, (str, list, dict)) or isinstance(right, (str, list, dict)):
        return text_of(left) + text_of(right)
    return to_number(left) + to_number(right)


def greater(left: Json, right: Json) -> bool:
    """JavaScript's `left > right`: two texts (or lists, which read as text) by their letters, all else by number."""
    if isinstance(left, (str, list, dict)) and isinstance(right, (str, list, dict)):
        return text_of(left) > text_of(right)
    return to_number(left) > to_number(right)


def number_text(value: float) -> str:
    """A number as JavaScript prints it: `1.0` is "1", `1e21` is "1e+21"."""
    if isinstance(value, int) and abs(value) < _EXPONENT_FROM:
        return str(value) if abs(value) <= 2**53 else number_text(float(value))
    value = to_number(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value.is_integer() and abs(value) < _EXPONENT_FROM:
        return _integer_text(value)
    text = repr(value)
    if "e" in text:
        mantissa, _, exponent = text.partition("e")
        power = int(exponent)
        if value and abs(value) >= _EXPONENT_BELOW and power < 0:
            return f"{value:.{max(0, len(mantissa.replace('.', '').lstrip('-')) - 1 - power)}f}"
        return f"{mantissa}e{'+' if power > 0 else '-'}{abs(power)}"
    return text


def _integer_text(value: float) -> str:
    """The shortest digits of a whole double, filled up with zeros as JavaScript does."""
    text = repr(value)
    if "e" not in text:
        return text.removesuffix(".0").replace("-0", "0") if value == 0 else text.removesuffix(".0")
    mantissa, _, exponent = text.partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    digits = mantissa.lstrip("-").replace(".", "")
    return sign + digits + "0" * (int(exponent) + 1 - len(digits))


def text_of(value: Json) -> str:
    """JavaScript's `String(value)` for JSON values."""
    if value is MISSING:
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, list):
        return ",".join("" if nullish(item) else text_of(item) for item in value)
    if isinstance(value, dict):
        return "[object Object]"
    return str(value)


def is_index(key: str) -> bool:
    """Whether a property name is an array index, which JavaScript lists first and by number."""
    return key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and int(key) <= _MAX_INDEX


def key_order(keys: Iterable[str]) -> list[str]:
    """Property names in the order JavaScript walks them: indices ascending, then the others as they came."""
    names = list(keys)
    indices = sorted((name for name in names if is_index(name)), key=int)
    return indices + [name for name in names if not is_index(name)]


def trim(text: str) -> str:
    """JavaScript's `trim()`: Unicode spaces, line ends and the byte order mark, but not the separators 1C-1F, 85."""
    return text.strip(WHITE_SPACE)


def length(text: str) -> int:
    """The length in UTF-16 units, as JavaScript counts."""
    return len(text) + sum(1 for char in text if char > "\uffff") if not text.isascii() else len(text)
