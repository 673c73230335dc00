"""All rules by code, found in the modules of `rules`."""

from __future__ import annotations

import difflib
import pkgutil
from functools import cache
from importlib import import_module

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.lint import rules
from lorebook_tui.lint.rule import Rule

_CLOSE_ENOUGH = 0.6


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by family and number."""
    for module in pkgutil.iter_modules(rules.__path__, f"{rules.__name__}."):
        import_module(module.name)
    found: list[Rule] = []
    waiting: list[type[Rule]] = [Rule]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if hasattr(kind, "code") and kind.__module__.startswith(rules.__name__):
                found.append(kind())
    return tuple(sorted(found, key=lambda rule: (families().index(family(rule.code)), rule.code)))


def families() -> tuple[str, ...]:
    """The families in the order of reports and reference."""
    return ("FMT", "KEY", "RX", "ACT", "GRP", "ORD", "BUD", "REC", "CNT", "PORT", "UNO", "YUM")


def family(code: str) -> str:
    """`KEY` of `KEY002`."""
    return code.rstrip("0123456789")


def rule_named(text: str) -> Rule:
    """The rule with a code or name, whatever its case.

    Raises:
        UsageError: there is none; says which was probably meant.
    """
    wanted = text.strip().casefold()
    known = {name.casefold(): rule for rule in all_rules() for name in (rule.code, rule.name)}
    if wanted in known:
        return known[wanted]
    close = difflib.get_close_matches(wanted, known, 1, _CLOSE_ENOUGH)
    hint = f"Did you mean {known[close[0]].code}, {known[close[0]].name}?" if close else "`--list` shows all."
    raise UsageError(
        f"There is no rule {quote(text)}.", expected="a code such as KEY002, or a name", found=text, hint=hint
    )


def is_selected(code: str, patterns: tuple[str, ...]) -> bool:
    """Whether a code begins with one of the patterns; `ALL` means every code."""
    return any(pattern == "ALL" or code.startswith(pattern) for pattern in patterns)
