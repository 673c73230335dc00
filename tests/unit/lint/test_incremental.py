"""After an edit only what it touches is looked at again, and the answer is that of a fresh check."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from lorebook_tui.formats import detect
from lorebook_tui.formats.entry_edits import with_entries, with_fields, with_sequence, without_entries
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import Finding, Scope, Severity
from lorebook_tui.lint.memory import CheckStopped
from lorebook_tui.lint.rule import EntryRule, GroupRule
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.subjects import FileView, World
from lorebook_tui.model.settings import ScanSettings
from tests.unit.lint.examples import world_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import EntryView

ENTRIES: tuple[dict[str, Any], ...] = (
    {"comment": "a", "key": ["mill", " "], "content": "x"},
    {"comment": "b", "key": ["Mill"], "content": ""},
    {"comment": "c", "key": ["el"], "content": "The mill.", "group": "g"},
    {"comment": "d", "key": ["bell"], "keysecondary": ["bell"], "content": "y", "group": "g"},
    {"comment": "e", "key": [], "content": "z"},
)


def world(*entries: dict[str, Any]) -> Loaded:
    text = world_text(tuple({"uid": number, **fields} for number, fields in enumerate(entries or ENTRIES)))
    return detect.load(text.encode(), "lore.json")


def listed() -> Loaded:
    """The same as a list."""
    entries = [
        {
            "id": number, "name": each["comment"], "keys": each["key"], "content": each["content"], "enabled": True,
            "insertion_order": 100, "secondary_keys": each.get("keysecondary", []), "selective": True,
            "extensions": {"group": each.get("group", "")},
        }
        for number, each in enumerate(ENTRIES)
    ]  # fmt: skip
    return detect.load(json.dumps({"entries": entries, "extensions": {}}).encode(), "lore.json")


def shown(findings: Iterable[Finding]) -> list[tuple[object, ...]]:
    return sorted(
        (each.code, each.message, str(each.path), each.title, str(each.fix), each.entry.number if each.entry else -1)
        for each in findings
    )


def seen(file: FileView) -> World:
    return World(files=(file,), books=file.books)


def some_edit(loaded: Loaded, dice: random.Random) -> Loaded:
    entries = loaded.books[0].entries
    kind = dice.randrange(5)
    if kind == 0 and len(entries) > 2:
        return without_entries(loaded, dice.sample(entries, dice.randint(1, 2)))
    if kind == 1:
        return with_entries(loaded, [dict(dice.choice(ENTRIES))], dice.randrange(len(entries) + 1))[0]
    if kind == 2 and isinstance(entries[0].path[-1], int):
        order = list(range(len(entries)))
        dice.shuffle(order)
        return with_sequence(loaded, loaded.books[0], order)
    source = dice.choice(ENTRIES)
    name = dice.choice(["key", "content", "group"])
    return with_fields(loaded, [(dice.choice(entries), name, source.get(name, ""))])


@pytest.mark.parametrize("made", [world, listed])
@pytest.mark.parametrize("deep", [True, False])
def test_checks_after_edits_say_what_fresh_ones_say(made: object, deep: bool) -> None:
    dice = random.Random(7)
    loaded: Loaded = made()  # type: ignore[operator]
    file, linter = FileView(loaded.name, loaded), Linter()
    for _ in range(60):
        assert linter.check(seen(file), deep=deep).findings
        loaded = some_edit(loaded, dice)
        file.renew(loaded)
        fresh = Linter().check(seen(FileView(loaded.name, loaded)), deep=deep)
        again = linter.check(seen(file), deep=deep)
        assert shown(again.findings) == shown(fresh.findings)
        assert all(
            each.entry is None or file.books[0].entries[each.entry.number] is each.entry for each in again.findings
        )
        assert again.counts == fresh.counts


class Counting(EntryRule):
    code = "KEY998"
    name = "counting-rule"
    severity = Severity.INFO
    seen: ClassVar[list[str]] = []

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        self.seen.append(entry.entry.title)
        yield self.finding(entry, f"{entry.entry.title} {context.settings.world_info_depth}.")


class Grouping(GroupRule):
    code = "KEY999"
    name = "grouping-rule"
    severity = Severity.INFO
    scope = Scope.BOOK
    seen: ClassVar[list[Hashable]] = []

    def keys(self, entry: EntryView, context: Context) -> Iterable[Hashable]:
        del context
        return {key.folded for key in entry.keys}

    def check(self, key: Hashable, members: Sequence[EntryView], context: Context) -> Iterator[Finding]:
        del context
        self.seen.append(key)
        yield self.finding(members[0], f"{key}: {len(members)}.")


@pytest.fixture
def linter() -> Linter:
    Counting.seen.clear()
    Grouping.seen.clear()
    return Linter(rules=(Counting(), Grouping()))


def test_only_the_edited_entry_and_its_groups_are_looked_at_again(linter: Linter) -> None:
    loaded = world()
    file = FileView(loaded.name, loaded)
    linter.check(seen(file))
    assert Counting.seen == ["a", "b", "c", "d", "e"]
    Counting.seen.clear()
    Grouping.seen.clear()
    file.renew(with_fields(loaded, [(loaded.books[0].entries[1], "key", ["bell"])]))
    report = linter.check(seen(file), deep=False)
    assert Counting.seen == ["b"]
    assert sorted(map(str, Grouping.seen)) == ["bell", "mill"]
    assert "bell: 2." in {each.message for each in report.findings}


def test_other_settings_have_everything_looked_at_again(linter: Linter) -> None:
    file = FileView("lore.json", world())
    linter.check(seen(file))
    changed = seen(file)
    changed.settings = ScanSettings(world_info_depth=9)
    assert {each.message for each in linter.check(changed).findings if each.code == "KEY998"} == {
        "a 9.", "b 9.", "c 9.", "d 9.", "e 9.",
    }  # fmt: skip


def test_a_check_can_be_stopped_and_goes_on_where_it_was(linter: Linter) -> None:
    loaded = world(*({"comment": f"e{number}", "key": [str(number)], "content": "x"} for number in range(100)))
    file = FileView(loaded.name, loaded)
    answers = iter([False, True])
    with pytest.raises(CheckStopped):
        linter.check(seen(file), is_stopped=lambda: next(answers))
    assert len(Counting.seen) == 32
    assert len(linter.check(seen(file)).findings) == 200
    assert len(Counting.seen) == 100


def test_a_book_that_lets_something_pass_from_now_on_is_asked_again() -> None:
    loaded = world()
    file, linter = FileView(loaded.name, loaded), Linter(LintConfig(select=("KEY002",)))
    assert linter.check(seen(file)).counts == {"KEY002": 1}
    root = json.loads(detect.dump(loaded)) | {"extensions": {"lorebook": {"ignore": ["KEY002"]}}}
    file.renew(loaded.edited(loaded.document.changed([(("extensions",), root["extensions"])])))
    report = linter.check(seen(file))
    assert (report.counts, report.suppressed) == ({}, 1)
