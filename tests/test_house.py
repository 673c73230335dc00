"""The house is in order: one version, reasons for exceptions, a README that says what is so, no foreign paths."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import lorebook_tui
from lorebook_tui import errors
from lorebook_tui.model.field_reference import markdown_table
from lorebook_tui.model.fields import ENTRY_FIELDS, SETTING_FIELDS
from lorebook_tui.tui.actions import key_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
TOP_LEVEL = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "lorebook_tui", "tests", "sample_books"}
MADE_BY_TOOLS = {"build", "dist", "snapshot_report.html"}


def between(text: str, name: str) -> str:
    """What stands between `<!-- NAME -->` and the next `<!-- end -->`."""
    found = re.search(rf"<!-- {re.escape(name)} -->\n(.*?)<!-- end -->", text, re.DOTALL)
    assert found, f"README.md has no marked place {name!r}"
    return found.group(1)


def test_version_is_the_top_of_the_change_log() -> None:
    versions = re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert versions[0] == lorebook_tui.__version__


def test_every_ignored_rule_has_its_reason() -> None:
    lists = re.findall(r"^(?:ignore|\"[^\"]+\") = \[\n(.*?)^\]", PYPROJECT, re.MULTILINE | re.DOTALL)
    rules = [line for block in lists for line in block.splitlines() if re.match(r'\s+"[A-Z]+\d*",', line)]
    assert len(rules) > 20
    assert [line.strip() for line in rules if not re.search(r"#\s*\w+", line)] == []


def test_every_exception_in_the_code_names_its_rule() -> None:
    bare = re.compile(r"#\s*noqa\s*(?!:)|#\s*type:\s*ignore\s*(?!\[)")
    sources = [*(ROOT / "lorebook_tui").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    here = Path(__file__)
    assert [str(path) for path in sources if path != here and bare.search(path.read_text("utf-8"))] == []


def test_sentences_quote_foreign_text_as_it_is_written() -> None:
    """What Python's own spelling does to a pattern, two backslashes for one, nobody can read: `display.quote` does it."""
    sources = (ROOT / "lorebook_tui").rglob("*.py")
    assert [str(path) for path in sources if "!r}" in path.read_text("utf-8")] == []


def test_nothing_else_stands_at_the_top() -> None:
    others = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")} - MADE_BY_TOOLS
    assert {name for name in others if not name.endswith(".egg-info")} <= TOP_LEVEL


def test_the_project_speaks_of_itself_alone() -> None:
    """No path of somebody's machine has slipped into a file."""
    foreign = re.compile("|".join((r"\.\./" + "shared", "(?<![\\w.])/" + "work/", "(?<![\\w.])/" + "tmp/w/")))
    places = [*(ROOT / "lorebook_tui").rglob("*"), *(ROOT / "tests").rglob("*"), *(ROOT / "sample_books").rglob("*")]
    places += [path for path in ROOT.iterdir() if path.suffix in {".md", ".toml"}]
    texts = [
        path for path in places if path.is_file() and path.suffix in {".py", ".md", ".toml", ".json", ".tcss", ".txt"}
    ]
    assert [str(path.relative_to(ROOT)) for path in texts if foreign.search(path.read_text("utf-8", "replace"))] == []


@pytest.mark.parametrize("name", ["demo", "test"])
def test_readme_commands_are_one_line_from_a_bare_python(name: str) -> None:
    lines = between(README, f"command: {name}").strip().splitlines()
    assert (lines[0], lines[-1], len(lines)) == ("```bash", "```", 3)
    assert lines[1].startswith("python3 -m venv .venv && .venv/bin/pip install ")


@pytest.mark.skipif(not shutil.which("bash"), reason="the check of a clean place is a bash script")
def test_ci_runs_the_very_command_of_the_readme() -> None:
    shown = subprocess.run(
        ["bash", str(ROOT / ".ci" / "run"), "--show"], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert shown.stdout.strip() == between(README, "command: test").strip().splitlines()[1]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_readme_reference_is_the_table() -> None:
    """If this fails after a change of a row: put the right side of the comparison into README.md."""
    assert between(README, "fields: entries").strip() == markdown_table(ENTRY_FIELDS)
    assert between(README, "fields: settings").strip() == markdown_table(SETTING_FIELDS, with_card_names=False)


def test_readme_tells_the_keys_of_the_registry() -> None:
    assert between(README, "keys").strip() == key_table()


def test_readme_tells_the_exit_statuses() -> None:
    told = {int(number) for number in re.findall(r"^\| (\d) \|", README, re.MULTILINE)}
    assert told == {errors.EXIT_FINE, errors.EXIT_FINDINGS, errors.EXIT_USAGE, errors.EXIT_UNREADABLE}


def test_readme_leaves_nothing_open() -> None:
    assert not re.search(r"TODO|FIXME|TBD|XXX|lorem ipsum", README + PYPROJECT, re.IGNORECASE)


def test_pictures_and_files_that_the_readme_names_exist() -> None:
    named = re.findall(r"!\[[^]]*\]\(([^)]+)\)", README) + re.findall(
        r"`((?:lorebook_tui|sample_books)/[\w./-]+\.\w+)`", README
    )
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_wheel_holds_the_sample_and_the_types() -> None:
    settings = tomllib.loads(PYPROJECT)["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert settings["force-include"] == {"sample_books": "lorebook_tui/sample_books"}
    assert (ROOT / "lorebook_tui" / "py.typed").exists()
