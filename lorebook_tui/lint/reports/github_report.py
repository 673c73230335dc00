"""The report as workflow commands, which GitHub Actions shows as annotations in the changed files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.display import plain
from lorebook_tui.lint.findings import Severity

if TYPE_CHECKING:
    from lorebook_tui.lint.told import CheckResult, Told

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(result: CheckResult) -> str:
    """A line for each finding, and for each file that cannot be read."""
    lines = [
        f"::error file={_property(file.name)},title=unreadable::{_data(file.untold)}"
        for file in result.files
        if file.untold
    ]
    return "\n".join([*lines, *(_line(told) for told in result.findings)])


def _line(told: Told) -> str:
    place = f",line={told.line},col={told.column}" if told.line is not None else ""
    title = f"{told.code} {told.name}"
    text = f"{told.entry}: {told.message}" if told.entry else told.message
    return f"::{_COMMANDS[told.severity]} file={_property(told.file)}{place},title={_property(title)}::{_data(text)}"


def _data(text: str) -> str:
    """Text that cannot end the command or begin another one."""
    return plain(text, " ").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
