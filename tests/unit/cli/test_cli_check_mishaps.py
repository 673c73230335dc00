"""`lorebook check` when something goes wrong that nobody foresaw: it costs one file, and is told without a traceback."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.lint.catalogue import rule_named
from lorebook_tui.workspace.mishap import in_short
from tests.unit.lint.examples import world_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from typer.testing import Result

    from lorebook_tui.lint.shelf import Shelf

    Run = Callable[..., Result]

BLANK: dict[str, Any] = {"key": ["mill", ""], "content": "The mill grinds."}
ONLY = ("--select", "KEY002,KEY003,FMT016", "--jobs", "1")
SAID = "a mistake of lorebook-tui stopped it (KeyError"


def put(path: Path, *entries: dict[str, Any]) -> Path:
    path.write_text(world_text(entries), "utf-8")
    return path


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that fails on entries about bells, and on nothing else."""
    rule: Any = type(rule_named("KEY002"))
    usual = rule.check

    def check(self: Any, entry: Any, context: Any) -> Any:
        if "bell" in entry.entry.content:
            raise KeyError("a secret text")
        return usual(self, entry, context)

    monkeypatch.setattr(rule, "check", check)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    put(tmp_path / "a.json", {"key": ["bell"], "content": "The bell tolls."})
    put(tmp_path / "b.json", BLANK)
    return tmp_path


@pytest.mark.usefixtures("failing")
def test_a_mistake_costs_one_file(run: Run, files: Path) -> None:
    shown = run("check", str(files), *ONLY)
    assert shown.exit_code == 3
    text = " ".join(shown.stdout.split())
    assert f"It could not be checked: {SAID}" in text
    assert "KEY003" in text
    assert "Traceback" not in shown.output
    assert "secret" not in shown.output


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("name", ["json", "sarif", "github", "junit", "markdown"])
def test_every_report_tells_it(run: Run, files: Path, name: str) -> None:
    shown = run("check", str(files), *ONLY, "--format", name)
    assert shown.exit_code == 3
    assert "could not be checked" in shown.stdout
    assert "KEY003" in shown.stdout


@pytest.mark.usefixtures("failing")
def test_files_of_a_workspace_are_told_apart_then(run: Run, files: Path) -> None:
    (files / "lorebook.toml").write_text('[books]\nglobal = ["a.json", "b.json"]\n', "utf-8")
    shown = run("check", str(files), *ONLY, "--format", "json")
    assert shown.exit_code == 3
    told = json.loads(shown.stdout)
    assert [bool(file["unreadable"]) for file in told["files"]] == [True, False]
    assert [each["code"] for each in told["files"][1]["findings"]] == ["KEY003"]
    assert SAID in told["skipped"][0]["why"]


def test_a_mistake_about_all_files_leaves_what_each_has(run: Run, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(_: object, shelf: Shelf, __: object) -> tuple[()]:
        if len(shelf.items) > 1:
            raise KeyError("a secret text")
        return ()

    monkeypatch.setattr(type(rule_named("FMT016")), "check", check)
    shown = run("check", str(files), *ONLY, "--format", "json")
    assert shown.exit_code == 3
    told = json.loads(shown.stdout)
    assert SAID in told["skipped"][0]["why"]
    assert [each["code"] for file in told["files"] for each in file["findings"]] == ["KEY003"]


def test_a_mishap_names_a_place_in_the_program() -> None:
    with pytest.raises(UsageError) as caught:
        rule_named("nothing like it")
    assert "(UsageError in lint/catalogue.py, line " in in_short(caught.value)
    assert in_short(KeyError("x")) == "a mistake of lorebook-tui stopped it (KeyError). Please report it"


@pytest.mark.parametrize(
    "content", ["{{random::a::" * 200 + "x" + "}}" * 200, "{{random::" * 2000], ids=["closed", "open"]
)
def test_deeply_nested_macros_are_checked(run: Run, tmp_path: Path, content: str) -> None:
    path = put(tmp_path / "a.json", {"key": ["mill"], "content": f"The mill. {content}"})
    for command in (("check", str(path)), ("simulate", str(path), "--say", "The mill."), ("show", "0", str(path))):
        shown = run(*command)
        assert shown.exit_code in {0, 1}, shown.output
        assert shown.exception is None or isinstance(shown.exception, SystemExit)


def test_links_that_lead_nowhere_are_told(run: Run, files: Path) -> None:
    try:
        (files / "gone.json").symlink_to(files / "nothing.json")
    except OSError:
        pytest.skip("no links here")
    shown = run("check", str(files), "--select", "KEY003")
    assert shown.exit_code == 3
    assert "There is no such file." in shown.stdout
    assert "KEY003" in shown.stdout
