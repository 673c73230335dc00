"""Reports for machines: JSON, SARIF, GitHub annotations, JUnit, Markdown; each makes one text of a result."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lorebook_tui.lint.told import CheckResult

FORMATS: Final = ("json", "sarif", "github", "junit", "markdown")


def rendered(name: str, result: CheckResult) -> str:
    """The report in one of `FORMATS`."""
    module = import_module(f"{__name__}.{name}_report")
    return str(module.render(result))
