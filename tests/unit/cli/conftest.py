"""The commands run in process, with a width of their own; `--update-golden` writes the goldens anew, to be read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

GOLDEN = Path(__file__).parents[2] / "golden" / "cli"

Run = Callable[..., Result]


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest tests/unit/cli --update-golden`."""
    parser.addoption(
        "--update-golden", action="store_true", default=False, help="Write the goldens of the commands anew."
    )


@pytest.fixture(autouse=True, scope="session")
def commands_are_built_once() -> Iterator[None]:
    """Building all commands takes Typer longer than most of them run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", cache(get_command))
        yield


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command is run from the top of the project, without colour, 100 cells wide."""
    monkeypatch.chdir(Path(__file__).parents[3])
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def run() -> Run:
    """`run("ls", "world.json")` runs `lorebook ls world.json`."""
    from lorebook_tui.cli.app import app

    def invoke(*arguments: str, text: str | None = None) -> Result:
        result = CliRunner().invoke(app, list(arguments), input=text, prog_name="lorebook")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return invoke


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden("name", text)` compares with `tests/golden/cli/name.txt`."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / f"{name}.txt"
        if request.config.getoption("--update-golden", default=False):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        assert text == path.read_text("utf-8"), f"read it, then: pytest {os.path.relpath(__file__)} --update-golden"

    return compare
