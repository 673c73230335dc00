"""The report as Markdown, for a pull request or a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.display import plain
from lorebook_tui.lint.findings import Grade, Severity

if TYPE_CHECKING:
    from lorebook_tui.lint.told import CheckResult, Told, ToldFile


def render(result: CheckResult) -> str:
    """A heading, a table for each file, and what was not checked."""
    counts = ", ".join(f"{result.count(severity)} {severity.value}" for severity in list(Severity)[:3])
    files = [file for file in result.files if not file.passed_over]
    lines = ["# Lorebook check", "", f"{len(files)} files: {counts}."]
    for file in files:
        lines += _file(file)
    if result.skipped:
        lines += ["", "## Not checked", ""]
        lines += [f"- {why}: {', '.join(codes)}" for why, codes in result.skipped]
    return "\n".join(lines)


def _file(file: ToldFile) -> list[str]:
    lines = ["", f"## {_cell(file.name)}", ""]
    if file.untold:
        return [*lines, f"Not readable: {_cell(file.untold)}"]
    if not file.findings:
        return [*lines, "Nothing to say."]
    lines += ["| where | | rule | entry | what | fix |", "| --- | --- | --- | --- | --- | --- |"]
    return [*lines, *(_row(told) for told in file.findings)]


def _row(told: Told) -> str:
    place = f"{told.line}:{told.column}" if told.line is not None else ""
    grade = f"{told.grade.value}, may change which entries come in" if told.alters else told.grade.value
    fix = f"{_cell(told.fix)} ({grade})" if told.grade is not Grade.NONE else ""
    cells = (place, told.severity.value, f"{told.code} {told.name}", _cell(told.entry), _cell(told.message), fix)
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    """Text that Markdown and HTML leave as it is."""
    shown = plain(text, " ").replace("\n", " ")
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|!" else char for char in shown)
