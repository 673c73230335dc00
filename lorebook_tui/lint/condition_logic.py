"""Whether comparisons of variables with values can all hold, or one of them always does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from lorebook_tui.display import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lorebook_tui.model.js import Json

ORDERINGS: Final = ("gt", "gte", "lt", "lte")
OPERATORS: Final = ("eq", "neq", *ORDERINGS, "contains")
_SIGNS: Final = {"eq": "=", "neq": "≠", "gt": ">", "gte": "≥", "lt": "<", "lte": "≤", "contains": "contains"}


class Condition(NamedTuple):
    """One comparison that can be read."""

    variable: str
    operator: str
    value: Json

    @property
    def told(self) -> str:
        """`hp < 20`. Holds foreign text."""
        return f"{self.variable} {_SIGNS[self.operator]} {self.value}"


def readable(conditions: Iterable[Mapping[str, Json]]) -> list[Condition]:
    """Those that say something: a variable, an operator that is known, a value it can compare."""
    found = []
    for each in conditions:
        variable, operator, value = each.get("variableId"), each.get("operator"), each.get("value")
        if isinstance(variable, str) and variable and fault_of(each) == "" and isinstance(operator, str):
            found.append(Condition(variable, operator, value))
    return found


def fault_of(condition: Mapping[str, Json]) -> str:
    """What is wrong with a condition by itself, as half a sentence; "" for nothing."""
    variable, operator, value = (condition.get(name) for name in ("variableId", "operator", "value"))
    if not isinstance(variable, str) or not variable.strip():
        return "names no variable"
    if operator not in OPERATORS:
        return f"has the operator {quote(operator)}; there are {', '.join(OPERATORS)}"
    if "value" not in condition:
        return "has no value to compare with"
    if operator in ORDERINGS and not is_number(value):
        return f"compares by size with {quote(value)}, which is no number"
    if operator == "contains" and not isinstance(value, str):
        return f"looks for {quote(value)} inside of a text, but that is no text"
    return ""


def is_number(value: Json) -> bool:
    """A number, no truth value."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def contradiction(conditions: Sequence[Condition]) -> tuple[Condition, Condition] | None:
    """Two conditions that cannot both hold; None if none do so plainly."""
    for place, one in enumerate(conditions):
        for other in conditions[place + 1 :]:
            if one.variable == other.variable and not _agree(one, other):
                return one, other
    return None


def _agree(one: Condition, other: Condition) -> bool:
    """Whether some value meets both."""
    if other.operator == "eq" and one.operator != "eq":
        one, other = other, one
    if one.operator == "eq":
        return _meets(one.value, other)
    if one.operator in ORDERINGS and other.operator in ORDERINGS:
        (low, opens), (high, closes) = _bounds(one), _bounds(other)
        least, most = max(low[0], high[0]), min(low[1], high[1])
        return least < most or (least == most and opens and closes)
    return not ("contains" in {one.operator, other.operator} and {one.operator, other.operator} & {*ORDERINGS})


def _meets(value: Json, condition: Condition) -> bool:
    """Whether a value meets a condition; strictly, as Yumina compares: 20 is not "20"."""
    wanted, operator = condition.value, condition.operator
    if operator in {"eq", "neq"}:
        is_same = type(value) is type(wanted) and value == wanted
        if is_number(value) and is_number(wanted):
            is_same = value == wanted
        return is_same is (operator == "eq")
    if operator == "contains":
        return isinstance(value, str) and isinstance(wanted, str) and wanted in value
    if not is_number(value):
        return False
    low, high = float(value), float(wanted)
    return {"gt": low > high, "gte": low >= high, "lt": low < high, "lte": low <= high}[operator]


def _bounds(condition: Condition) -> tuple[tuple[float, float], bool]:
    """The range in which an ordering holds, and whether its end belongs to it."""
    value = float(condition.value)
    ends = (value, math.inf) if condition.operator in {"gt", "gte"} else (-math.inf, value)
    return ends, condition.operator in {"gte", "lte"}


def always(conditions: Sequence[Condition]) -> tuple[Condition, Condition] | None:
    """Two conditions of which one holds for every number, or for every value."""
    for place, one in enumerate(conditions):
        for other in conditions[place + 1 :]:
            if one.variable == other.variable and _covers(one, other):
                return one, other
    return None


def _covers(one: Condition, other: Condition) -> bool:
    operators = {one.operator, other.operator}
    if operators == {"eq", "neq"}:
        return bool(one.value == other.value)
    lower = next((each for each in (one, other) if each.operator in {"lt", "lte"}), None)
    upper = next((each for each in (one, other) if each.operator in {"gt", "gte"}), None)
    if lower is None or upper is None:
        return False
    return bool(upper.value < lower.value or (upper.value == lower.value and operators & {"lte", "gte"}))
