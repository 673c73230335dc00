"""The shorthand of variables: `{{.hp}}`, `{{.hp += 2}}`, `{{$name ?? nobody}}`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lorebook_tui.engine.macros.variables import Variables, compared, is_true, number_of, shown

if TYPE_CHECKING:
    from collections.abc import Callable


def shorthand(variables: Variables, name: str, operator: str, value: Callable[[], str]) -> str:
    """What a shorthand gives, and does.

    Args:
        variables: the local ones for `.`, the global ones for `$`.
        name: of the variable.
        operator: "" to read it.
        value: replaces the macros behind the operator; `||` and `??` ask for it only when they need it.
    """
    if operator in {"++", "--"}:
        return shown(variables.add(name, 1 if operator == "++" else -1))
    if operator in {"||", "??", "||=", "??="}:
        return _fallback(variables, name, operator, value)
    if not operator:
        return shown(variables.get(name))
    if operator in {"=", "+=", "-="}:
        _change(variables, name, operator, value())
        return ""
    return "true" if compared(variables.get(name), operator, value()) else "false"


def _fallback(variables: Variables, name: str, operator: str, value: Callable[[], str]) -> str:
    current = shown(variables.get(name))
    if is_true(current) if operator.startswith("|") else variables.has(name):
        return current
    other = value()
    if operator.endswith("="):
        variables.set(name, other)
    return other


def _change(variables: Variables, name: str, operator: str, right: str) -> None:
    if operator == "=":
        variables.set(name, right)
    elif operator == "+=":
        variables.add(name, right)
    elif not math.isnan(number_of(right)):
        variables.add(name, -number_of(right))
