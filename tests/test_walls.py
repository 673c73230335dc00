"""Walls that import-linter cannot draw: who may touch the outside world, and which rooms there are.

Enforced here: everything below `workspace` reaches no file, clock, chance, network, process or environment. The exceptions
are named in `ALLOWED`, each with its reason.
"""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "lorebook_tui"
MODULES = sorted(PACKAGE.rglob("*.py"))
PURE_ROOMS = ("model", "formats", "tokens", "matching", "engine", "semantic", "lint", "errors", "display")
OUTSIDE = {
    "os",
    "pathlib",
    "shutil",
    "tempfile",
    "glob",
    "random",
    "secrets",
    "time",
    "socket",
    "ssl",
    "http",
    "urllib",
    "subprocess",
    "multiprocessing",
    "asyncio",
    "sys",
    "locale",
    "webbrowser",
}
ALLOWED: dict[str, set[str]] = {
    "lorebook_tui.tokens.sillytavern": {"pathlib"},  # reads a tokenizer model whose path the user has given
}
CLOCKS = {"now", "utcnow", "today", "fromtimestamp"}


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


PURE = [path for path in MODULES if room_of(path) in PURE_ROOMS]


def imported(tree: ast.AST) -> set[str]:
    """Top-level names of everything a module imports when it runs, wherever it does so."""
    names: set[str] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize("path", PURE, ids=name_of)
def test_pure_rooms_do_not_touch_the_outside(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert imported(tree) & OUTSIDE - ALLOWED.get(name_of(path), set()) == set()
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert [call.id for call in calls if isinstance(call, ast.Name) and call.id in {"open", "print", "input"}] == []
    clocks = [call for call in calls if isinstance(call, ast.Attribute) and call.attr in CLOCKS]
    assert [ast.unparse(call) for call in clocks] == []


def test_every_exception_is_still_needed() -> None:
    for path in PURE:
        if wanted := ALLOWED.get(name_of(path)):
            assert wanted <= imported(ast.parse(path.read_text("utf-8")))
    assert set(ALLOWED) <= {name_of(path) for path in PURE}


@pytest.mark.parametrize("path", [p for p in MODULES if room_of(p) in {"cli", "tui"}], ids=name_of)
def test_screen_and_command_line_open_formats_through_the_workspace(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert [module for module in modules if module.startswith("lorebook_tui.formats")] == []


def test_every_room_stands_in_the_layers() -> None:
    """A new room is walled in from its first day."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = " ".join(layer for contract in contracts for layer in contract.get("layers", ()))
    rooms = {room_of(path) for path in MODULES} - {"__init__"}
    named = {part.strip("()").removeprefix("lorebook_tui.") for part in layers.replace("|", " ").split()}
    assert rooms - named == set()
