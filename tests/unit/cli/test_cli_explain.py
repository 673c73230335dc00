"""`lorebook explain`: every rule with its words and its example."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lorebook_tui.lint.catalogue import all_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer.testing import Result

    from lorebook_tui.lint.rule import Rule

    Run = Callable[..., Result]


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_every_rule_is_explained(run: Run, rule: Rule) -> None:
    shown = run("explain", rule.code)
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.startswith(f"{rule.code} {rule.name}")
    assert "Why:" in shown.stdout
    assert "Ellipsis" not in shown.stdout


def test_an_example_leaves_out_what_is_not_there(run: Run) -> None:
    shown = run("explain", "FMT011").stdout
    assert 'Found here:\n  {"key": ["a"]}\n' in shown
    assert '{"outletName": "", "ignoreBudget": false}' in shown


def test_a_line_break_that_breaks_a_file_is_to_be_seen(run: Run) -> None:
    broken, _, mended = run("explain", "FMT001").stdout.partition("After the fix:")
    assert '"It↵grinds."' in broken
    assert '"It\\ngrinds."' in mended
    assert "↵" not in run("explain", "UNO008").stdout
