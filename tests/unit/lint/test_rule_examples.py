"""Every rule proves itself: its examples are found or left alone, its fixes repair and do so once."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.formats.detect import dump
from lorebook_tui.lint.catalogue import all_rules, families, family
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import Grade, ReplaceText, Scope
from lorebook_tui.lint.repairs import repaired, replaced_text
from lorebook_tui.lint.rule import BookRule, EntryRule, FileRule, GroupRule, ShelfRule, WorldRule
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.witness import scenario_of
from tests.unit.lint.examples import file_of, source_of, world_of

if TYPE_CHECKING:
    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.rule import Example, Rule

RULES = all_rules()
VALID = [pytest.param(rule, each, id=f"{rule.code}-{n}") for rule in RULES for n, each in enumerate(rule.valid)]
INVALID = [pytest.param(rule, each, id=f"{rule.code}-{n}") for rule in RULES for n, each in enumerate(rule.invalid)]
PARTS = ("Why:", "Example:", "Do:", "Source:")
KINDS: dict[Scope, type[Rule] | tuple[type[Rule], ...]] = {
    Scope.FILE: FileRule,
    Scope.ENTRY: EntryRule,
    Scope.SET: (WorldRule, ShelfRule),
    Scope.CHATS: WorldRule,
}


def findings_of(rule: Rule, example: Example, source: bytes | None = None) -> tuple[Finding, ...]:
    config = LintConfig(select=(rule.code,), options={rule.code: example.options}, preview=True)
    return Linter(config, rules=(rule,)).check(world_of(example, source)).findings


def fixed(example: Example, findings: tuple[Finding, ...]) -> bytes:
    file = file_of(example.name, source_of(example))
    if file.loaded is None:
        changes = [
            change for each in findings if each.fix for change in each.fix.changes if isinstance(change, ReplaceText)
        ]
        return replaced_text(file.text, changes).encode()
    own = [each for each in findings if each.file.name == example.name]
    others = {each.name: each.loaded for each in world_of(example).files if each.loaded is not None}
    done = repaired(file.loaded, own, others.__getitem__)
    assert done.applied
    return dump(done.loaded)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_rule_says_who_it_is(rule: Rule) -> None:
    assert re.fullmatch(r"[A-Z]+\d{3}", rule.code)
    assert family(rule.code) in families()
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", rule.name)
    assert isinstance(rule, KINDS.get(rule.scope, (GroupRule, BookRule)))
    text = inspect.cleandoc(rule.__doc__ or "")
    assert text.splitlines()[0].endswith(".")
    places = [text.find(f"\n{part} ") for part in PARTS]
    assert -1 not in places, f"{rule.code} lacks {PARTS[places.index(-1)]}"
    assert places == sorted(places)
    assert rule.valid, f"{rule.code} has no valid example"
    assert rule.invalid, f"{rule.code} has no invalid example"


def test_codes_and_names_are_unique() -> None:
    assert len({rule.code for rule in RULES}) == len(RULES)
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(("rule", "example"), VALID)
def test_valid_example_is_left_alone(rule: Rule, example: Example) -> None:
    assert [finding.message for finding in findings_of(rule, example)] == []


@pytest.mark.parametrize(("rule", "example"), INVALID)
def test_invalid_example_is_found(rule: Rule, example: Example) -> None:
    found = findings_of(rule, example)
    assert len(found) == example.findings
    for finding in found:
        assert finding.code == rule.code
        assert finding.message.endswith((".", "?"))
        assert finding.fix is None or finding.fix.grade is not Grade.NONE
        if finding.witness is not None:
            scenario_of(finding.witness.scenario)
    best = {finding.fix.grade for finding in found if finding.fix}
    assert rule.grade is not Grade.NONE or not best, f"{rule.code} offers a fix, but its grade says none"


@pytest.mark.parametrize(("rule", "example"), INVALID)
def test_fix_repairs_and_does_so_once(rule: Rule, example: Example) -> None:
    found = findings_of(rule, example)
    is_repaired = example.fixed is not None or example.fixed_source is not None
    assert is_repaired == any(finding.fix for finding in found)
    if not is_repaired:
        return
    after = fixed(example, found)
    if example.fixed_source is not None:
        wanted = example.fixed_source
        assert after == (wanted.encode() if isinstance(wanted, str) else wanted)
    if example.fixed is not None:
        loaded = file_of(example.name, after).loaded
        assert loaded
        entries = loaded.books[0].entries
        assert len(entries) == len(example.fixed)
        for entry, fields in zip(entries, example.fixed, strict=True):
            assert shown(entry.fields, fields) == dict(fields)
    assert [finding.message for finding in findings_of(rule, example, after) if finding.fix] == []


def shown(entry: Any, fields: Any) -> dict[str, Any]:
    """The named fields; `...` stands for one that is not there."""
    return {name: entry.get(name, ...) for name in fields}


def test_every_rule_has_a_fixed_example_if_it_can_fix() -> None:
    forgotten = [
        rule.code
        for rule in RULES
        if rule.grade is not Grade.NONE
        and not any(each.fixed is not None or each.fixed_source is not None for each in rule.invalid)
    ]
    assert forgotten == []
