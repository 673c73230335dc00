"""Which rules run, how bad their findings are, and what is let pass: configuration, suppressions, baseline, preview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import Finding, Need, Scope, Severity
from lorebook_tui.lint.rule import Context, EntryRule, Option, WorldRule
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.subjects import World
from tests.unit.lint.examples import file_of, world_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.runner import Report
    from lorebook_tui.lint.subjects import EntryView


class Shouting(EntryRule):
    code = "CNT901"
    name = "shouting-text"
    severity = Severity.WARNING
    options = (Option("least", 3, "capitals"),)
    looked: ClassVar[list[str]] = []

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        self.looked.append(entry.entry.title)
        if sum(1 for char in entry.text if char.isupper()) >= context.options["least"]:
            yield self.finding(entry, "It shouts.", entry.path_of("content"))


class OnTrial(Shouting):
    code = "CNT902"
    name = "on-trial"
    preview = True


class Asleep(Shouting):
    code = "CNT903"
    name = "asleep-rule"
    severity = Severity.OFF


class Greedy(WorldRule):
    code = "ORD901"
    name = "greedy-rule"
    severity = Severity.ERROR
    scope = Scope.CHATS
    needs = frozenset({Need.CHATS, Need.SETTINGS})

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        del context
        yield self.finding(world.files[0], "It looked.")


RULES = (Shouting(), OnTrial(), Asleep(), Greedy())


def world(*entries: dict[str, Any], name: str = "folder/lore.json", text: str = "") -> World:
    file = file_of(name, (text or world_text(entries)).encode())
    return World(files=(file,), books=file.books)


def report(config: LintConfig, *entries: dict[str, Any], **more: Any) -> Report:
    listed = entries or ({"key": ["a"], "content": "HELLO"},)
    return Linter(config, rules=RULES).check(world(*listed, **more))


def codes(config: LintConfig, *entries: dict[str, Any], **more: Any) -> list[str]:
    return [finding.code for finding in report(config, *entries, **more).findings]


@pytest.mark.parametrize(
    ("config", "found"),
    [
        (LintConfig(), ["CNT901"]),
        (LintConfig(select=("CNT",)), ["CNT901"]),
        (LintConfig(select=("CNT9",), ignore=("CNT901",)), []),
        (LintConfig(select=("KEY",)), []),
        (LintConfig(preview=True), ["CNT901", "CNT902"]),
        (LintConfig(select=("CNT902",)), ["CNT902"]),
        (LintConfig(select=("CNT903",)), []),
        (LintConfig(severities={"CNT903": Severity.INFO}), ["CNT901", "CNT903"]),
        (LintConfig(severities={"CNT": Severity.OFF}), []),
        (LintConfig(severities={"CNT": Severity.OFF, "CNT901": Severity.ERROR}), ["CNT901"]),
        (LintConfig(options={"CNT901": {"least": 6}}), []),
        (LintConfig(per_file=(("*.json", ("CNT",)),)), []),
        (LintConfig(per_file=(("folder/*", ("CNT901",)),)), []),
        (LintConfig(per_file=(("lore.json", ("ALL",)),)), []),
        (LintConfig(per_file=(("other.json", ("ALL",)), ("*.json", ("KEY",)))), ["CNT901"]),
    ],
)
def test_what_is_looked_for(config: LintConfig, found: list[str]) -> None:
    assert codes(config) == found


def test_severities_are_those_of_the_longest_code() -> None:
    config = LintConfig(severities={"C": Severity.ERROR, "CNT": Severity.INFO, "ALL": Severity.ERROR})
    assert {finding.severity for finding in report(config).findings} == {Severity.INFO}
    config = LintConfig(severities={"ALL": Severity.ERROR, "KEY": Severity.INFO})
    assert {finding.severity for finding in report(config).findings} == {Severity.ERROR}


def test_rules_that_cannot_run_say_what_they_need() -> None:
    first = report(LintConfig())
    assert [(skipped.need, skipped.codes) for skipped in first.skipped] == [(Need.SETTINGS, ("ORD901",))]
    assert report(LintConfig(ignore=("ORD",))).skipped == ()


@pytest.mark.parametrize(
    "extensions",
    [
        {"lorebook": {"ignore": {"CNT901": "it is a battle cry"}}},
        {"lorebook": {"ignore": ["CNT"]}},
        {"lorebook": {"ignore": ["ALL"]}},
        {"lorebook": {"ignore": "CNT901"}},
        {"lorebook": {"ignore": "KEY004, CNT901 ORD"}},
    ],
)
def test_an_entry_lets_pass_what_its_author_has_answered(extensions: dict[str, Any]) -> None:
    found = report(
        LintConfig(), {"key": ["a"], "content": "HELLO", "extensions": extensions}, {"key": ["b"], "content": "HELLO"}
    )
    assert [finding.title for finding in found.findings] == ["b"]
    assert found.suppressed == 1


@pytest.mark.parametrize(
    "extensions",
    [None, [], "CNT901", {"lorebook": None}, {"lorebook": {"ignore": "KEY901"}}, {"lorebook": {"ignore": ""}}, {"lorebook": {"ignore": [1, None, ""]}}, {"lorebook": {"ignore": {"KEY901": ""}}}],
)  # fmt: skip
def test_extension_data_of_any_shape_lets_nothing_pass_by_mistake(extensions: Any) -> None:
    assert codes(LintConfig(), {"key": ["a"], "content": "HELLO", "extensions": extensions}) == ["CNT901"]


def test_a_book_lets_pass_for_all_of_its_entries() -> None:
    text = world_text(({"key": ["a"], "content": "HELLO"}, {"key": ["b"], "content": "HELLO"}))
    made = text.rstrip()[:-1] + ', "extensions": {"lorebook": {"ignore": ["CNT901"]}}}'
    found = report(LintConfig(), text=made)
    assert (found.findings, found.suppressed) == ((), 2)


def test_a_card_lets_pass_in_the_extensions_of_its_entries() -> None:
    entry = (
        '{"keys": ["a"], "content": "HELLO", "enabled": true, "insertion_order": 1, '
        '"extensions": {"lorebook": {"ignore": ["CNT901"]}}}'
    )
    found = report(
        LintConfig(),
        text=f'{{"spec": "chara_card_v2", "data": {{"name": "M", "character_book": {{"entries": [{entry}]}}}}}}',
    )
    assert (found.findings, found.suppressed) == ((), 1)


def test_a_baseline_knows_findings_wherever_they_stand_now() -> None:
    first = report(LintConfig(), {"key": ["a"], "content": "HELLO"})
    config = LintConfig(baseline=frozenset(finding.fingerprint for finding in first.findings))
    second = report(config, {"key": ["a"], "content": "HELLO"}, {"key": ["b"], "content": "HELLO AGAIN"})
    assert [finding.title for finding in second.findings] == ["b"]
    assert second.known == 1


def test_entries_that_stay_the_same_are_not_looked_at_again() -> None:
    linter = Linter(LintConfig(), rules=(Shouting(),))
    entries = ({"key": ["a"], "content": "HELLO"}, {"key": ["b"], "content": "hush"})
    given = world(*entries)
    Shouting.looked.clear()
    assert len(linter.check(given).findings) == 1
    assert len(linter.check(given).findings) == 1
    assert Shouting.looked == ["a", "b"]
    file = given.files[0]
    assert file.loaded is not None
    edited = file.loaded.edited(file.loaded.document.set(("entries", "1", "content"), "HELLO TOO"))
    file.renew(edited)
    assert len(linter.check(given).findings) == 2
    assert Shouting.looked == ["a", "b", "b"]


def test_quick_checks_leave_out_what_looks_at_everything() -> None:
    linter = Linter(LintConfig(), rules=(Greedy(),))
    given = world({"key": ["a"]})
    given.chats = ()
    assert linter.check(given, deep=False).findings == ()
    assert linter.check(given).skipped


def test_the_worst_severity_of_a_report() -> None:
    assert report(LintConfig()).worst is Severity.WARNING
    assert report(LintConfig(select=("KEY",))).worst is None
    assert [severity.rank for severity in Severity] == [0, 1, 2, 3]
