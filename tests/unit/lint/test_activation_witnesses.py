"""Findings about activation, groups and recursion come with scenarios that show just that when they are run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.catalogue import all_rules, family
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.witness import reason_of, run
from tests.unit.lint.examples import world_of

if TYPE_CHECKING:
    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.rule import Example, Rule

OWN = {
    "ACT001": {Reason.ROLL_FAILED},
    "ACT002": {Reason.IN_PROMPT},
    "ACT003": {Reason.IN_PROMPT, Reason.ROLL_FAILED},
    "ACT004": {Reason.EXCLUDED_FROM_RECURSION},
    "ACT005": {Reason.WAITS_FOR_RECURSION},
    "ACT006": {Reason.IN_PROMPT},
    "ACT007": {Reason.IN_PROMPT},
    "ACT008": {Reason.ON_COOLDOWN},
    "ACT009": {Reason.NO_KEY_IN_TEXT},
    "ACT011": {Reason.NO_KEYS, Reason.NO_KEY_IN_TEXT},
    "ACT014": {Reason.TRIGGER},
    "ACT016": {Reason.EMPTY_TEXT},
    "ACT017": {Reason.DELAYED},
    "ACT018": {Reason.IN_PROMPT},
    "ACT020": {Reason.ON_COOLDOWN},
    "ACT022": {Reason.DISABLED},
    "ACT025": {Reason.NO_KEY_IN_TEXT, Reason.IN_PROMPT},
    "GRP002": {Reason.IN_PROMPT},
    "GRP003": {Reason.GROUP_OVERRIDE},
    "GRP007": {Reason.ROLL_FAILED},
    "GRP008": {Reason.ROLL_FAILED},
    "GRP009": {Reason.GROUP_ROLL},
    "GRP011": {Reason.GROUP_SCORE},
    "REC004": {Reason.IN_PROMPT},
    "REC005": {Reason.IN_PROMPT},
    "REC006": {Reason.NO_KEY_IN_TEXT},
    "REC008": {Reason.WAITS_FOR_RECURSION},
}
"""What becomes of the entry that the finding is about."""
OTHERS = {
    "GRP004": {Reason.GROUP_OVERRIDE},
    "GRP005": {Reason.GROUP_TAKEN},
    "GRP006": {Reason.IN_PROMPT},
    "GRP010": {Reason.GROUP_ROLL},
    "REC001": {Reason.IN_PROMPT},
    "REC002": {Reason.IN_PROMPT},
    "REC003": {Reason.IN_PROMPT},
}
"""What becomes of another entry of the finding."""
CASES = [
    pytest.param(rule, example, id=f"{rule.code}-{number}")
    for rule in all_rules()
    if family(rule.code) in {"ACT", "GRP", "REC"}
    for number, example in enumerate(rule.invalid)
]


def findings_of(rule: Rule, example: Example) -> tuple[Finding, ...]:
    config = LintConfig(select=(rule.code,), options={rule.code: example.options}, preview=True)
    return Linter(config, rules=(rule,)).check(world_of(example)).findings


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_witness_shows_what_the_finding_says(rule: Rule, example: Example) -> None:
    for finding in findings_of(rule, example):
        if finding.witness is None or rule.code == "REC007":
            continue
        assembly = run(finding.witness)
        assert not assembly.error
        if rule.code in OWN:
            assert finding.entry is not None
            assert reason_of(assembly, finding.entry) in OWN[rule.code]
        else:
            assert OTHERS[rule.code] & {reason_of(assembly, other) for other in finding.others}


@pytest.mark.parametrize("code", sorted({*OWN, *OTHERS, "REC007"}))
def test_rule_has_an_example_with_a_witness(code: str) -> None:
    rule = next(rule for rule in all_rules() if rule.code == code)
    assert any(finding.witness for example in rule.invalid for finding in findings_of(rule, example))


def test_steps_end_the_search_for_more() -> None:
    rule = next(rule for rule in all_rules() if rule.code == "REC007")
    (finding,) = findings_of(rule, rule.invalid[0])
    assert finding.witness is not None
    limited = finding.witness.scenario
    free = {**limited, "settings": {**limited["settings"], "world_info_max_recursion_steps": 0}}
    assert not run(finding.witness).admitted
    assert len(run(type(finding.witness)("", free)).admitted) == 1


def test_last_of_a_chain_comes_in_its_own_pass() -> None:
    rule = next(rule for rule in all_rules() if rule.code == "REC003")
    (finding,) = findings_of(rule, rule.invalid[0])
    assert finding.witness is not None
    assert [admitted.turn_pass for admitted in run(finding.witness).admitted] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("name", "example", "severity"),
    [
        ("ACT011", 0, "info"),
        ("ACT011", 1, "warning"),
        ("ACT004", 0, "error"),
        ("ACT004", 2, "warning"),
        ("ACT014", 0, "warning"),
        ("ACT014", 1, "info"),
        ("ACT016", 0, "error"),
        ("ACT016", 3, "info"),
        ("ACT025", 0, "warning"),
        ("ACT025", 1, "info"),
        ("GRP001", 0, "info"),
        ("GRP001", 1, "warning"),
    ],
)
def test_rules_with_two_severities_choose(name: str, example: int, severity: str) -> None:
    rule = next(rule for rule in all_rules() if rule.code == name)
    assert {finding.severity.value for finding in findings_of(rule, rule.invalid[example])} == {severity}
