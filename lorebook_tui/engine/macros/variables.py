"""Variables of a chat and of all chats, with the values JavaScript would make of them."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final

from lorebook_tui.model.js import MISSING, Json, key_order, text_of, trim, truthy

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_RADIX = re.compile(r"0[xX]([0-9a-fA-F]+)|0[oO]([0-7]+)|0[bB]([01]+)")
_LONE = re.compile("[\ud800-\udfff]")
_ENDLESS = {"Infinity": math.inf, "+Infinity": math.inf, "-Infinity": -math.inf}
_FUNCTIONS = (
    "toString",
    "toLocaleString",
    "valueOf",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
)
INHERITED: Final = {
    "constructor": "function Object() { [native code] }",
    "__proto__": "{}",
    **{name: f"function {name}() {{ [native code] }}" for name in _FUNCTIONS},
}
"""What every JavaScript object has: SillyTavern finds these names in an empty store."""
_FALSE = frozenset({"", "0", "false", "off"})


def number_of(value: Json) -> float:
    """JavaScript's `Number(value)` in full: other bases, endless numbers and lists too."""
    if isinstance(value, list):
        value = text_of(value)
    if value is None:
        return 0.0
    if isinstance(value, (bool, int, float)):
        return _as_double(value)
    if not isinstance(value, str):
        return math.nan
    text = trim(value)
    if not text:
        return 0.0
    if _DECIMAL.fullmatch(text):
        return float(text)
    found = _RADIX.fullmatch(text)
    if found:
        base = {1: 16, 2: 8, 3: 2}[found.lastindex or 1]
        return _as_double(int(found[found.lastindex or 1], base))
    return _ENDLESS.get(text, math.nan)


def _as_double(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def json_text(value: Json) -> str:
    """JavaScript's `JSON.stringify(value)`."""
    if isinstance(value, list):
        return f"[{','.join(json_text(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{json_text(key)}:{json_text(value[key])}' for key in key_order(value))}}}"
    if isinstance(value, str):
        return _LONE.sub(lambda found: f"\\u{ord(found[0]):x}", json.dumps(value, ensure_ascii=False))
    if isinstance(value, float) and not math.isfinite(value):
        return "null"
    return text_of(value)


def shown(value: Json) -> str:
    """A value as a macro puts it into the text."""
    return json_text(value) if isinstance(value, (list, dict)) else text_of(value)


def is_true(text: str) -> bool:
    """Whether a condition holds: not empty, and not one of 0, false, off."""
    return text != "" and trim(text).lower() not in _FALSE - {""}


class Variables:
    """One store of variables; the mapping behind it is changed in place."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def has(self, name: str) -> bool:
        """Whether there is such a variable."""
        return name in self._values or name in INHERITED

    def get(self, name: str) -> Json:
        """The value; whatever JavaScript can read as a number is one. "" if there is none."""
        value = self._values.get(name, INHERITED.get(name, MISSING))
        blank = isinstance(value, str) and not trim(value)
        number = math.nan if blank or value is MISSING else number_of(value)
        if not math.isnan(number):
            return number
        return value if truthy(value) else ""

    def set(self, name: str, value: Json) -> None:
        """Give a variable a value."""
        if name != "__proto__":
            self._values[name] = value

    def delete(self, name: str) -> None:
        """Forget a variable."""
        self._values.pop(name, None)

    def add(self, name: str, value: Json) -> Json:
        """Add a number to a number, an item to a list in JSON, or text to text.

        Returns:
            The new value.
        """
        current = self.get(name)
        current = current if truthy(current) else 0
        items = _list_in(current)
        if items is not None:
            grown = [*items, value]
            self.set(name, json_text(grown))
            return grown
        step = number_of(value)
        if math.isnan(step) or math.isnan(number_of(current)):
            text = (text_of(current) if truthy(current) else "") + text_of(value)
            self.set(name, text)
            return text
        total = number_of(current) + step
        if math.isnan(total):
            return ""
        self.set(name, total)
        return total


def _list_in(value: Json) -> list[Any] | None:
    """The list that a text holds as JSON."""
    if not isinstance(value, (str, list)):
        return None
    try:
        found = json.loads(text_of(value), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def _refuse(name: str) -> None:
    raise ValueError(name)


def compared(left: Json, operator: str, right: str) -> bool:
    """A comparison of a shorthand: `==` and `!=` by text, the others by number."""
    if operator in {"==", "!="}:
        return (shown(left) == right) is (operator == "==")
    one, two = number_of(shown(left)), number_of(right)
    return {">": one > two, ">=": one >= two, "<": one < two, "<=": one <= two}[operator]
