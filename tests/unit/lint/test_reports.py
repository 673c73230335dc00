"""The reports for machines: their shapes, their goldens, and that no foreign text breaks out of them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema  # type: ignore[import-untyped] # its types are a package of their own
import pytest

from lorebook_tui import __version__
from lorebook_tui.lint.findings import Grade, Severity
from lorebook_tui.lint.reports import FORMATS, rendered
from lorebook_tui.lint.reports.schema import SCHEMA
from lorebook_tui.lint.told import CheckResult, Told, ToldFile

GOLDEN = Path(__file__).parents[2] / "golden" / "check"
NASTY = "\x1b[31mred\x1b[0m\r\n::error::gotcha \u202edlrow <b>|`*_[x](y)]]> %0A & \x00\ud800 end"
"""Escapes, line ends, commands, bidi, markup, XML, control characters, half a character."""
ENDINGS = {"json": "json", "sarif": "sarif.json", "github": "txt", "junit": "xml", "markdown": "md"}


def finding(**more: Any) -> Told:
    usual: dict[str, Any] = {
        "file": "books/ost.json", "code": "KEY002", "name": "blank-key", "severity": Severity.ERROR,
        "message": "A key is nothing but white space: it is found in every text.", "line": 12, "column": 7,
        "path": "entries.3.key.0", "entry": "Lamps", "uid": "3", "fix": "remove the blank key", "grade": Grade.SAFE,
        "frame": '   "key": [" "],', "caret": 10, "length": 3, "fingerprint": "KEY002\0books/ost.json\x003\0A key.",
    }  # fmt: skip
    return Told(**{**usual, **more})


def result(text: str = "plain") -> CheckResult:
    """A bit of everything."""
    files = (
        ToldFile(
            "books/ost.json",
            (
                finding(),
                finding(code="FMT008", name="editor-places", severity=Severity.INFO, entry="", uid="", line=1, column=1,
                        message="The places leave gaps.", fix="number the places anew", fingerprint="FMT008\0x"),
                finding(code="KEY009", name="comma-key", severity=Severity.WARNING, message=f"It says {text}.",
                        entry=text, grade=Grade.OFFERED, fix=f"split {text}", others=(text,), line=None, column=None,
                        fingerprint=f"KEY009\0{text}", witness={"lorebook_witness": 1, "shows": text}),
            ),
            entries=4, kind="a SillyTavern world", suppressed=1, known=2, digest="ab" * 32,
        ),
        ToldFile("books/clean.json", entries=1, kind="a SillyTavern world"),
        ToldFile(f"books/{text}.json", unreadable=f"This is {text}."),
        ToldFile(
            "broken.json",
            (finding(file="broken.json", code="FMT001", name="broken-json", entry="", uid="", grade=Grade.NONE, fix=""),),
            unreadable="The JSON is broken at line 12, column 7: a comma is missing.",
        ),
        ToldFile("settings.json", passed_over="This is SillyTavern's settings file, not lore."),
        ToldFile("mended.json", fixed=(finding(file="mended.json"),), diff="-a\n+b\n", backup="/b/1.json", kind="a card",
                 note="It holds no lorebook."),
    )  # fmt: skip
    return CheckResult(files, (("no chat was given", ("KEY028", "ACT017")),))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("kind", ["plain", "nasty"])
def test_golden(name: str, kind: str) -> None:
    text = rendered(name, result("plain" if kind == "plain" else NASTY)).replace(__version__, "VERSION") + "\n"
    path = GOLDEN / f"{kind}.{ENDINGS[name]}"
    if os.environ.get("LOREBOOK_UPDATE_GOLDEN"):
        path.write_bytes(text.encode("utf-8"))
    assert text == path.read_bytes().decode("utf-8"), "read it, then set LOREBOOK_UPDATE_GOLDEN=1"


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_foreign_acts_on_a_terminal(name: str) -> None:
    text = rendered(name, result(NASTY))
    text.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


@pytest.mark.parametrize("text", ["plain", NASTY])
def test_json_follows_its_schema(text: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    value = json.loads(rendered("json", result(text)))
    jsonschema.validate(value, SCHEMA)
    assert value["summary"] == {
        "files": 5, "passed_over": 1, "unreadable": 2, "error": 2, "warning": 1, "info": 1, "fixed": 1,
    }  # fmt: skip
    assert value["files"][0]["findings"][2]["entry"] == text
    assert value["files"][0]["findings"][2]["witness"] == {"lorebook_witness": 1, "shows": text}


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("C:on.json", "C%3Aon.json"),
        ("books/C:on.json", "books/C:on.json"),
        ("C:\\books\\a b.json", "file:///C:/books/a%20b.json"),
        ("/home/a.json", "/home/a.json"),
    ],
)
def test_sarif_tells_names_that_are_no_schemes(name: str, uri: str) -> None:
    value = json.loads(rendered("sarif", CheckResult((ToldFile(name, (finding(file=name),)),))))
    (found,) = value["runs"][0]["results"]
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_sarif_has_the_shape_of_its_standard() -> None:
    value = json.loads(rendered("sarif", result(NASTY)))
    assert value["version"] == "2.1.0"
    assert value["$schema"].endswith("sarif-2.1.0.json")
    (run,) = value["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["FMT001", "FMT008", "KEY002", "KEY009"]
    assert all(rule["shortDescription"]["text"] and rule["help"]["text"] for rule in rules)
    for found in run["results"]:
        assert rules[found["ruleIndex"]]["id"] == found["ruleId"]
        assert found["level"] in {"error", "warning", "note"}
        assert found["message"]["text"]
        assert re.fullmatch("[0-9a-f]{64}", found["partialFingerprints"]["lorebook/v1"])
        (location,) = found["locations"]
        physical = location["physicalLocation"]
        assert re.fullmatch("[A-Za-z0-9._~:/%-]+", physical["artifactLocation"]["uri"])
        assert all(type(number) is int and number >= 1 for number in physical.get("region", {}).values())
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("This is")


def test_junit_is_xml_with_a_suite_for_each_file() -> None:
    root = ET.fromstring(rendered("junit", result(NASTY)).partition("\n")[2])  # noqa: S314 - our own
    suites = {suite.get("name"): suite for suite in root}
    assert len(suites) == 5
    first = suites["books/ost.json"]
    assert (first.get("tests"), first.get("failures"), first.get("errors")) == ("3", "2", "0")
    assert len(first.findall("testcase/failure")) == 2
    assert len(suites["broken.json"].findall("testcase/failure")) == 1
    assert [suite.get("errors") for suite in root] == ["0", "0", "1", "0", "0"]


def test_github_has_one_command_for_each_finding() -> None:
    lines = rendered("github", result(NASTY)).split("\n")
    assert len(lines) == 5
    assert all(re.match(r"::(error|warning|notice) file=[^:]*::", line) for line in lines)
    assert "::error file=books/ost.json,line=12,col=7,title=KEY002 blank-key::Lamps: A key is nothing" in "\n".join(
        lines
    )
    assert sum(line.count("::error::") for line in lines) <= sum(line.count("gotcha") for line in lines)
    assert not any(line.startswith("::error::") for line in lines)


def test_markdown_keeps_its_tables() -> None:
    text = rendered("markdown", result(NASTY))
    rows = [line for line in text.split("\n") if line.startswith("| ")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 7 for row in rows)
    assert not re.search(r"(?<!\\)<b>", text)
