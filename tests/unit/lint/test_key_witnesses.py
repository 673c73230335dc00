"""Witnesses of rules about keys show what they claim."""

from __future__ import annotations

import pytest

from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.rules.key_people import LateFilter
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.witness import reason_of, run
from tests.unit.lint.examples import world_of


@pytest.mark.parametrize("number", range(len(LateFilter.invalid)))
def test_a_filter_that_is_too_late_lets_its_entry_in(number: int) -> None:
    world = world_of(LateFilter.invalid[number])
    (finding,) = Linter(LintConfig(select=("KEY027",))).check(world).findings
    assert finding.entry is not None
    assert finding.witness is not None
    assembly = run(finding.witness)
    assert reason_of(assembly, finding.entry) is Reason.IN_PROMPT
    assert all(reason_of(assembly, other) is Reason.IN_PROMPT for other in finding.others)
