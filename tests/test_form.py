"""Budgets of form: small files, small functions, and everything says what it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "lorebook_tui"
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST_FILE = 400
LONGEST_BODY = 40

Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the first to the last statement, without the docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def public(tree: ast.Module) -> list[Named]:
    """Functions and classes that others may use: of the module, and of its public classes."""
    found: list[Named] = []
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.If, ast.Try)):
            waiting += node.body + node.orelse
        if isinstance(node, Named) and not node.name.startswith("_"):
            found.append(node)
            waiting += node.body if isinstance(node, ast.ClassDef) else []
    return found


def is_overload_or_override(node: Named) -> bool:
    """Whether the description stands elsewhere: on the implementation, or on the method it replaces."""
    return any(ast.unparse(mark).rpartition(".")[2] in {"overload", "override"} for mark in node.decorator_list)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_form(path: Path) -> None:
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    assert source.count("\n") <= LONGEST_FILE
    assert [f"{node.name}: {body_lines(node)}" for node in functions if body_lines(node) > LONGEST_BODY] == []
    assert ast.get_docstring(tree), "the module does not say what it owns"
    silent = [node.name for node in public(tree) if not ast.get_docstring(node) and not is_overload_or_override(node)]
    assert silent == []
