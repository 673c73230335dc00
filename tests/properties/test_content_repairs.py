"""Repairs of contents: whatever the text, the second one changes nothing, and no rule stumbles over it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lorebook_tui.lint.balance import loose_brackets, mended
from lorebook_tui.lint.catalogue import rule_named
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import SetField
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.subjects import World
from lorebook_tui.lint.waste import trimmed, without_markup
from lorebook_tui.model.fields import template
from tests.unit.lint.examples import file_of

if TYPE_CHECKING:
    from lorebook_tui.lint.rule import Rule

PIECES = st.sampled_from(
    [
        "a", " ", "\n", "\r\n", "\r", "\t", "[", "]", "(", ")", "{", "}", "{{", "}}", "user", "chra", "{{char}}", ":", ";", "a: b;",
        "@@depth 2\n", "@@@role user\n", "@@note\n", "======", "# A\n", "<br>", "&nbsp;", "&amp;", "\u200b", "\u200d", "\u00ad", "“", "»",
        '"', "TODO", "{{.x += 1}}", "::", "字", "::random", "-", "1)", ":)", "x" * 30,
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=14).map("".join)
CODES = ("BUD010", "CNT002", "CNT005", "CNT006", "CNT007", "CNT011", "CNT013", "CNT014", "CNT019")


def repaired(rule: Rule, content: str) -> str | None:
    """The content after the first repair of a rule; None if it has nothing to repair."""
    fields = {"uid": 0, **template(), "key": ["a"], "content": content}
    file = file_of("f.json", json.dumps({"entries": {"0": fields}}).encode())
    linter = Linter(LintConfig(select=(rule.code,)), rules=(rule,))
    for finding in linter.check(World((file,), file.books)).findings:
        for change in finding.fix.changes if finding.fix else ():
            if isinstance(change, SetField) and change.name == "content":
                return str(change.value)
    return None


@pytest.mark.parametrize("code", CODES)
@settings(max_examples=150, deadline=None)
@given(content=TEXTS)
@example("{:)")
def test_a_repair_ends(code: str, content: str) -> None:
    """A repaired text has nothing more to repair, or less and less of it."""
    rule = rule_named(code)
    seen = [content]
    while (better := repaired(rule, seen[-1])) is not None:
        assert better not in seen
        seen.append(better)
        assert len(seen) < 12


@pytest.mark.parametrize("code", ["CNT005", "CNT013", "CNT014", "CNT019"])
@settings(max_examples=150, deadline=None)
@given(content=TEXTS)
def test_a_safe_repair_is_made_once(code: str, content: str) -> None:
    rule = rule_named(code)
    better = repaired(rule, content)
    assert better is None or repaired(rule, better) is None


@settings(max_examples=300, deadline=None)
@given(content=TEXTS)
def test_helpers_settle(content: str) -> None:
    assert trimmed(trimmed(content)) == trimmed(content)
    assert without_markup(content).count("<br>") == 0
    loose = loose_brackets(content)
    better = mended(content, loose)
    assert better is None or not loose_brackets(better)
