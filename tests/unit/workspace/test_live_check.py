"""The linter while somebody edits: notes by entry and book, what stands over edits, repairs and answers as edits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.formats import detect
from lorebook_tui.formats.detect import dump
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import Severity
from lorebook_tui.lint.runner import Linter
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace.edits import FieldChange, delete_entries, set_fields
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.lint_edits import carried_out, let_pass, planned, repaired
from lorebook_tui.workspace.live_check import LiveCheck, Note, Notes
from lorebook_tui.workspace.workspace import OpenedBook, Workspace
from tests.unit.lint.examples import world_text

MILL = {"comment": "Mill", "key": ["mill", " "], "content": "The mill grinds."}
POLE = {"comment": "Pole", "key": ["pole"], "content": ""}
CARD = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Mira",
        "extensions": {},
        "character_book": {
            "name": "hers",
            "extensions": {},
            "entries": [
                {"id": 5, "keys": ["oath", " "], "content": "She swore.", "extensions": {"depth": 4}, "enabled": True,
                 "insertion_order": 10, "name": "Oath"},
            ],
        },
    },
}  # fmt: skip


def source(name: str, value: dict[str, Any] | str) -> Source:
    data = value if isinstance(value, str) else json.dumps(value)
    return Source(Path(name), detect.load(data.encode(), name))


def workspace(*entries: dict[str, Any], layers: tuple[Layer, ...] = (Layer.GLOBAL,)) -> Workspace:
    lore = source("lore.json", world_text(entries or (MILL, POLE)))
    return Workspace(books=tuple(OpenedBook(layer, lore.loaded.books[0], lore) for layer in layers), sources=(lore,))


def checked(given: Workspace, live: LiveCheck | None = None, *, deep: bool = True) -> Notes:
    notes = (live or LiveCheck()).check(given, deep=deep)
    assert notes is not None
    return notes


def note_of(notes: Notes, code: str) -> Note:
    return next(note for note in notes.listed if note.finding.code == code)


def test_notes_say_entry_field_and_item_and_are_counted() -> None:
    notes = checked(workspace())
    blank, empty = note_of(notes, "KEY002"), note_of(notes, "ACT016")
    assert (blank.ref, blank.field, blank.item) == (EntryRef(Layer.GLOBAL, 0, 0), "key", 1)
    assert (empty.ref, empty.field) == (EntryRef(Layer.GLOBAL, 0, 1), "content")
    assert notes.worst[EntryRef(Layer.GLOBAL, 0, 0)] is Severity.ERROR
    assert notes.counts[Layer.GLOBAL, 0][0] == 2
    assert notes.is_whole


def test_fields_of_cards_go_by_sillytaverns_names() -> None:
    card = source("mira.json", CARD)
    given = Workspace(books=(OpenedBook(Layer.CHARACTER, card.loaded.books[0], card),), sources=(card,))
    note = note_of(checked(given), "KEY002")
    assert (note.ref, note.field, note.item) == (EntryRef(Layer.CHARACTER, 0, 0), "key", 1)
    after = repaired(given, note).workspace
    assert after.books[0].book.entries[0].keys == ("oath",)
    passed = let_pass(given, note).workspace
    raw = json.loads(dump(passed.sources[0].loaded))["data"]["character_book"]["entries"][0]
    assert raw["extensions"] == {"depth": 4, "lorebook": {"ignore": {"KEY002": ""}}}
    assert "KEY002" not in {each.finding.code for each in checked(passed).listed}


def test_a_file_in_two_layers_has_its_notes_in_both() -> None:
    notes = checked(workspace(layers=(Layer.GLOBAL, Layer.CHAT)))
    refs = {note.ref for note in notes.listed if note.finding.code == "KEY002"}
    assert refs == {EntryRef(Layer.GLOBAL, 0, 0), EntryRef(Layer.CHAT, 0, 0)}


def test_a_quick_check_keeps_what_slow_rules_said_of_entries_that_are_still_there() -> None:
    same = {"comment": "a", "key": ["pole"], "content": "A pole.", "order": 7}
    given, live = workspace(MILL, same, {**same, "comment": "b"}), LiveCheck()
    before = checked(given, live)
    slow = [note for note in before.listed if note.finding.code == "ORD001"]
    edited = set_fields(given, [FieldChange(EntryRef(Layer.GLOBAL, 0, 0), "content", "")]).workspace
    quick = checked(edited, live, deep=False)
    assert not quick.is_whole
    assert "ACT016" in {note.finding.code for note in quick.listed}
    assert [note.finding for note in quick.listed if note.finding.code == "ORD001"] == [note.finding for note in slow]
    gone = delete_entries(edited, [note.ref for note in slow if note.ref]).workspace
    assert "ORD001" not in {note.finding.code for note in checked(gone, live, deep=False).listed}


def test_a_stopped_check_says_nothing() -> None:
    assert LiveCheck().check(workspace(), is_stopped=lambda: True) is None


def test_a_broken_configuration_is_told_and_the_rules_run(tmp_path: Path) -> None:
    path = tmp_path / "lorebook.toml"
    path.write_text("[check]\nselect = 3\n", "utf-8")
    notes = checked(replace(workspace(), file=path))
    assert notes.trouble is not None
    assert notes.listed


def test_the_configuration_of_the_workspace_counts(tmp_path: Path) -> None:
    path = tmp_path / "lorebook.toml"
    path.write_text('[check]\nselect = ["KEY002"]\n', "utf-8")
    assert {note.finding.code for note in checked(replace(workspace(), file=path)).listed} == {"KEY002"}


def test_one_repair_is_an_edit_of_its_file() -> None:
    given = workspace()
    edited = repaired(given, note_of(checked(given), "KEY002"))
    assert edited.told == "remove the blank key in 'Mill'"
    assert edited.focus == (EntryRef(Layer.GLOBAL, 0, 0),)
    assert "may change which entries" in edited.note
    assert edited.workspace.books[0].book.entries[0].keys == ("mill",)


def test_what_was_changed_since_is_not_repaired() -> None:
    given = workspace()
    note = note_of(checked(given), "KEY002")
    elsewhere = set_fields(given, [FieldChange(EntryRef(Layer.GLOBAL, 0, 1), "content", "x")]).workspace
    assert repaired(elsewhere, note).workspace.books[0].book.entries[0].keys == ("mill",)
    here = set_fields(given, [FieldChange(EntryRef(Layer.GLOBAL, 0, 0), "content", "x")]).workspace
    with pytest.raises(UsageError, match="changed since"):
        repaired(here, note)
    with pytest.raises(UsageError, match="Nothing repairs"):
        repaired(given, note_of(checked(given), "ACT016"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, {"ACT016": ""}),
        ({"KEY001": "meant"}, {"KEY001": "meant", "ACT016": ""}),
        (["KEY001"], ["KEY001", "ACT016"]),
        ("KEY001, KEY004", ["KEY001", "KEY004", "ACT016"]),
    ],
)
def test_an_answer_joins_those_before(before: Any, after: Any) -> None:
    extensions = {"x": 1} if before is None else {"x": 1, "lorebook": {"folder": "a", "ignore": before}}
    given = workspace({**POLE, "extensions": extensions})
    edited = let_pass(given, note_of(checked(given), "ACT016"))
    made = edited.workspace.books[0].book.entries[0].get("extensions")
    assert made["lorebook"]["ignore"] == after
    assert made["x"] == 1
    assert checked(edited.workspace).suppressed == 1


def test_a_whole_book_can_let_a_rule_pass() -> None:
    given = workspace(POLE, {**POLE, "comment": "Other"})
    edited = let_pass(given, note_of(checked(given), "ACT016"), whole_book=True)
    root = json.loads(dump(edited.workspace.sources[0].loaded))
    assert root["extensions"] == {"lorebook": {"ignore": {"ACT016": ""}}}
    assert checked(edited.workspace).suppressed == 2


def test_what_is_about_no_book_cannot_be_answered_in_one() -> None:
    given = workspace()
    note = note_of(checked(given), "KEY002")
    with pytest.raises(UsageError, match="about no book"):
        let_pass(given, replace(note, book=None, ref=None))


def test_all_repairs_of_a_file_are_planned_and_made_at_once() -> None:
    given = workspace()
    plan = planned(given, given.sources[0], LintConfig())
    assert "KEY002" in {finding.code for finding in plan.applied}
    assert any(line.startswith("-") and line.endswith('" "') for line in plan.difference.splitlines())
    edited = carried_out(given, plan)
    assert len(plan.applied) == 1
    assert edited.told == "make 1 repair in lore.json"
    assert edited.workspace.books[0].book.entries[0].keys == ("mill",)
    changed = set_fields(given, [FieldChange(EntryRef(Layer.GLOBAL, 0, 1), "content", "x")]).workspace
    with pytest.raises(UsageError, match="changed since"):
        carried_out(changed, plan)


def test_what_files_say_of_each_other_is_told_and_repaired_too() -> None:
    """A card with an old copy of the world it is linked to takes the world as it stands in the workspace."""
    linked = json.loads(json.dumps(CARD))
    linked["data"]["extensions"]["world"] = "lore"
    card, lore = source("mira.json", linked), source("lore.json", world_text((MILL, POLE)))
    given = Workspace(
        books=(
            OpenedBook(Layer.GLOBAL, lore.loaded.books[0], lore),
            OpenedBook(Layer.CHARACTER, card.loaded.books[0], card),
        ),
        sources=(lore, card),
    )
    edited = set_fields(given, [FieldChange(EntryRef(Layer.GLOBAL, 0, 1), "content", "It leans.")]).workspace
    note = note_of(checked(edited), "FMT016")
    assert (note.ref, note.title) == (None, "mira.json")
    after = repaired(edited, note).workspace
    assert [entry.content for entry in after.books[1].book.entries] == ["The mill grinds.", "It leans."]
    assert "FMT016" not in {each.finding.code for each in checked(after).listed}


def test_a_copy_of_a_book_beside_it_is_found_in_the_workbench(tmp_path: Path) -> None:
    """The other file need not be open to take something from it."""
    (tmp_path / "a.json").write_text(world_text((MILL, POLE)), "utf-8")
    other = Source(tmp_path / "a.json", detect.load((tmp_path / "a.json").read_bytes(), "a.json"))
    mine = source("b.json", world_text((MILL,)))
    given = Workspace(
        books=(
            OpenedBook(Layer.GLOBAL, other.loaded.books[0], other),
            OpenedBook(Layer.GLOBAL, mine.loaded.books[0], mine),
        ),
        sources=(other, mine),
    )
    live = LiveCheck()
    live._linter = Linter(LintConfig(select=("FMT018",), options={"FMT018": {"alike": 50}}))
    note = note_of(checked(given, live), "FMT018")
    alone = replace(given, sources=(mine,), books=given.books[1:])
    after = repaired(alone, replace(note, ident=mine.ident)).workspace
    assert [entry.title for entry in after.books[0].book.entries] == ["Mill", "Pole"]
