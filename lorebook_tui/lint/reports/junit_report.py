"""The report as JUnit XML: a suite for each file, a failing case for each finding that is worse than a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from lorebook_tui.display import plain
from lorebook_tui.lint.findings import Severity

if TYPE_CHECKING:
    from lorebook_tui.lint.told import CheckResult, Told, ToldFile


def render(result: CheckResult) -> str:
    """One document."""
    root = ET.Element("testsuites", name="lorebook check")
    for file in result.files:
        if not file.passed_over:
            _suite(root, file)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode")


def _suite(root: ET.Element, file: ToldFile) -> None:
    failures = sum(1 for told in file.findings if told.severity is not Severity.INFO)
    suite = ET.SubElement(
        root,
        "testsuite",
        name=_text(file.name),
        tests=str(max(1, len(file.findings))),
        failures=str(failures),
        errors="1" if file.untold else "0",
    )
    if file.untold:
        case = ET.SubElement(suite, "testcase", name="readable", classname=_text(file.name))
        ET.SubElement(case, "error", message=_text(file.untold))
    elif not file.findings:
        ET.SubElement(suite, "testcase", name="no findings", classname=_text(file.name))
    for told in file.findings:
        _case(suite, told)


def _case(suite: ET.Element, told: Told) -> None:
    place = f":{told.line}:{told.column}" if told.line is not None else ""
    case = ET.SubElement(
        suite, "testcase", name=_text(f"{told.code} {told.name} {told.entry}".rstrip()), classname=_text(told.file)
    )
    text = f"{told.file}{place}: {told.message}"
    if told.severity is Severity.INFO:
        ET.SubElement(case, "system-out").text = _text(text)
    else:
        failure = ET.SubElement(case, "failure", message=_text(told.message), type=told.severity.value)
        failure.text = _text(text)


def _text(text: str) -> str:
    """Text without what XML cannot hold."""
    return plain(text, "\n").encode("utf-8", "replace").decode("utf-8")
