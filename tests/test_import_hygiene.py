"""What starting costs: modules are loaded by fresh interpreters, and what they drag in is looked at."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "lorebook_tui"
QUICK_ROOMS = ("model", "matching", "engine", "formats", "errors", "display", "tokens")
HEAVY = {
    "textual",
    "typer",
    "click",
    "rich",
    "tiktoken",
    "tokenizers",
    "sentencepiece",
    "asyncio",
    "ssl",
    "http",
    "requests",
    "pydantic",
    "multiprocessing",
    "subprocess",
    "numpy",
}
has_command_line = pytest.mark.skipif(not (PACKAGE / "__main__.py").exists(), reason="the command is not written yet")


def loaded_by(statement: str) -> set[str]:
    """Names of the modules that a statement adds to a fresh interpreter."""
    code = (
        "import sys, json\n"
        "before = set(sys.modules)\n"
        f"try:\n    {statement}\n"
        "except SystemExit:\n    pass\n"
        "sys.stderr.write(json.dumps(sorted(set(sys.modules) - before)))"
    )
    # The suite's own measuring of coverage would load modules of its own into the interpreter.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "COVERAGE_"))}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment, encoding="utf-8"
    )
    return set(json.loads(done.stderr))


def modules_of(room: str) -> list[str]:
    """Names of the modules of a room, the room itself first."""
    return sorted(
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0].removesuffix(".py") == room
    )


def top(names: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def test_the_package_itself_loads_nothing() -> None:
    assert loaded_by("import lorebook_tui") == {"lorebook_tui"}


@pytest.mark.parametrize("room", QUICK_ROOMS)
def test_quick_rooms_load_nothing_heavy(room: str) -> None:
    """All modules in one interpreter: none loads a heavy one exactly if all together load none."""
    modules = modules_of(room)
    loaded = loaded_by(f"import {', '.join(modules)}")
    assert set(modules) <= loaded
    heavy = top(loaded) & HEAVY
    blamed = [module for module in modules if top(loaded_by(f"import {module}")) & HEAVY] if heavy else []
    assert heavy == set(), f"loaded by {', '.join(blamed)}"


@has_command_line
@pytest.mark.parametrize("option", ["--version", "--help"])
def test_version_and_help_load_neither_the_screen_nor_vocabularies(option: str) -> None:
    started = loaded_by(f"import lorebook_tui.__main__ as m; sys.argv = ['lorebook', {option!r}]; m.main()")
    assert (
        top(started) & {"textual", "tiktoken", "ahocorasick", "corvus_regex_ecma262", "rapidfuzz", "asyncio"} == set()
    )


@has_command_line
def test_version_is_printed_without_the_command_line_library() -> None:
    started = loaded_by("import lorebook_tui.__main__ as m; sys.argv = ['lorebook', '--version']; m.main()")
    assert top(started) & {"typer", "rich"} == set()
