"""Findings on the screen: marks in tree and form, the way from one to the next, repairs, answers; and by themselves."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tui.scene import scene_of
from lorebook_tui.tui.screens import lint_work
from lorebook_tui.tui.screens.deciding import Decision
from lorebook_tui.tui.screens.finding_list import FindingList
from lorebook_tui.tui.screens.lint_work import LintWork, _rest
from lorebook_tui.workspace.edits import delete_entries
from tests.tui.conftest import book, entry, small_workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene

FAULTY = EntryRef(Layer.GLOBAL, 0, 0)


def faulty_scene() -> Scene:
    """One book with a blank key, an empty text and a strange position; one without a fault."""
    lore = book(
        Layer.GLOBAL,
        "lore",
        entry(0, "The mill", "The mill grinds.", "mill", " ", order=110),
        entry(1, "The pole", "", "pole", order=120),
        entry(2, "The bell", "The bell rings.", "bell", order=130, probability=50, useProbability=False),
    )
    fine = book(Layer.CHARACTER, "fine", entry(0, "An oath", "The oath holds.", "oath"))
    workspace = replace(small_workspace(), books=(lore, fine), sources=(lore.source, fine.source), context=4000)
    return scene_of(workspace)


@pytest.mark.parametrize("size", [(180, 50), (120, 40), (80, 24), (60, 16)])
async def test_findings_stand_beside_entries_and_fields(
    size: tuple[int, int], open_bench: Callable[..., Any], golden: Callable[[str, str], None]
) -> None:
    async with open_bench(faulty_scene(), size) as bench:
        await bench.press("f8")
        golden(f"findings-form-{size[0]}x{size[1]}", bench.text())
        await bench.press("escape", "l")
        golden(f"findings-tree-{size[0]}x{size[1]}", bench.text())


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 16)])
async def test_the_list_of_findings(
    size: tuple[int, int], open_bench: Callable[..., Any], golden: Callable[[str, str], None]
) -> None:
    async with open_bench(faulty_scene(), size) as bench:
        await bench.press("exclamation_mark")
        golden(f"findings-list-{size[0]}x{size[1]}", bench.text())


async def test_findings_without_colours_are_letters(
    open_bench: Callable[..., Any], golden: Callable[[str, str], None]
) -> None:
    async with open_bench(faulty_scene(), letters=True) as bench:
        await bench.press("f8")
        golden("findings-form-letters", bench.text())


async def test_the_way_leads_from_fault_to_fault_and_round(open_bench: Callable[..., Any]) -> None:
    async with open_bench(faulty_scene()) as bench:
        seen = []
        for _ in range(4):
            await bench.press("f8")
            seen.append((bench.title, bench.screen.form.rows.field_name))
        assert seen[0] == ("The mill", "key")
        assert seen[1] == ("The pole", "content")
        assert seen[2][0] == "The bell"
        assert seen[3] == seen[0]
        await bench.press("P")
        assert bench.title == "The bell"
        await bench.press("P", "P")
        assert bench.title == "The mill"


async def test_a_repair_is_one_edit_and_the_mark_goes(open_bench: Callable[..., Any]) -> None:
    async with open_bench(faulty_scene()) as bench:
        await bench.press("f8")
        assert "nothing but white space" in bench.text()
        assert "F repairs it" in bench.text()
        await bench.press("F")
        assert bench.screen.scene.entry(FAULTY).keys == ("mill",)
        assert bench.screen.desk.undo_told == "remove the blank key in 'The mill'"
        await bench.press("u")
        assert bench.screen.scene.entry(FAULTY).keys == ("mill", " ")


async def test_without_a_fault_nothing_happens(open_bench: Callable[..., Any]) -> None:
    async with open_bench(faulty_scene()) as bench:
        await bench.press("f8", "f8", "F")
        assert bench.screen.desk.undo_told == ""


async def test_what_an_author_lets_pass_is_written_beside_the_text(open_bench: Callable[..., Any]) -> None:
    async with open_bench(faulty_scene()) as bench:
        await bench.press("exclamation_mark", *"KEY002", "ctrl+l")
        changed = bench.screen.scene.entry(FAULTY)
        assert changed.get("extensions") == {"lorebook": {"ignore": {"KEY002": ""}}}
        assert changed.content == "The mill grinds."
        assert isinstance(bench.app.screen, FindingList)
        assert "KEY002" not in {note.finding.code for note in bench.screen.notes.listed}
        assert bench.screen.notes.suppressed == 1
        await bench.press("escape", "u")
        assert bench.screen.scene.entry(FAULTY).get("extensions", None) is None


async def test_the_repairs_of_a_file_are_shown_before_they_are_made(
    open_bench: Callable[..., Any], golden: Callable[[str, str], None]
) -> None:
    async with open_bench(faulty_scene()) as bench:
        await bench.press("exclamation_mark", "ctrl+g")
        assert isinstance(bench.app.screen, Decision)
        golden("findings-repairs-120x40", bench.text())
        before = bench.screen.desk.workspace
        await bench.press("escape")
        assert bench.screen.desk.workspace is before
        await bench.press("exclamation_mark", "ctrl+g", "r")
        assert bench.screen.desk.undo_told.endswith("repairs in lore.json")
        assert bench.screen.scene.entry(FAULTY).keys == ("mill",)
        await bench.press("u")
        assert bench.screen.desk.workspace is before


async def test_a_file_without_safe_repairs_says_so(open_bench: Callable[..., Any]) -> None:
    async with open_bench(faulty_scene()) as bench:
        await bench.press("exclamation_mark", "ctrl+g", "r", "exclamation_mark", *"ACT016", "ctrl+g")
        assert not isinstance(bench.app.screen, Decision)


async def test_enter_in_the_list_goes_to_the_field(open_bench: Callable[..., Any]) -> None:
    async with open_bench(faulty_scene()) as bench:
        await bench.press("exclamation_mark", *"ACT016", "enter")
        assert bench.title == "The pole"
        assert bench.screen.form.rows.field_name == "content"
        assert bench.screen.form.rows.has_focus


async def test_books_that_are_clean_have_nothing_to_go_to(open_bench: Callable[..., Any]) -> None:
    fine = faulty_scene().workspace
    assert fine
    only = scene_of(replace(fine, books=fine.books[1:], sources=fine.sources[1:]))
    async with open_bench(only) as bench:
        await bench.press("f8")
        assert bench.screen.notes is not None
        assert bench.screen.notes.counts == {}


async def test_edits_are_checked_by_themselves_and_marks_move_with_entries(
    open_bench: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LintWork, "check_after", 0.01)
    async with open_bench(faulty_scene()) as bench:
        tree = bench.screen.layer_tree
        await bench.pilot.pause(0.1)
        await bench.settle()
        assert {ref.entry for ref in tree.worst} >= {0, 1}
        errors = tree.faults[Layer.GLOBAL, 0][0]
        bench.screen.edit(lambda workspace: delete_entries(workspace, [FAULTY]))
        assert tree.worst == {}
        await bench.pilot.pause(0.1)
        await bench.settle()
        assert tree.faults[Layer.GLOBAL, 0][0] == errors - 1
        assert 0 in {ref.entry for ref in tree.worst}


async def test_foreign_text_in_findings_is_harmless(open_bench: Callable[..., Any]) -> None:
    hostile = "\x1b[31m[bold]x[/]\u202e"
    lore = book(Layer.GLOBAL, "lore", entry(0, hostile, "", hostile, "  "))
    workspace = replace(small_workspace(), books=(lore,), sources=(lore.source,))
    async with open_bench(scene_of(workspace)) as bench:
        await bench.press("f8", "exclamation_mark")
        assert "\x1b" not in bench.text()
        assert "\u202e" not in bench.text()
        await bench.press("ctrl+t")
        assert "\x1b" not in bench.text()
        assert json.loads(json.dumps(bench.text()))


def test_a_rest_ends_early_when_nobody_waits_for_it() -> None:
    asked: list[int] = []

    def is_over() -> bool:
        asked.append(1)
        return len(asked) > 2

    _rest(60, is_over)
    assert len(asked) == 3
    _rest(0, is_over)
    assert len(asked) == 3


async def test_large_books_are_checked_quickly_first(
    open_bench: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lint_work, "_LARGE", 1)
    monkeypatch.setattr(lint_work, "LONG_AFTER", 0.01)
    async with open_bench(faulty_scene()) as bench:
        bench.screen.check_now()
        await bench.settle()
        assert bench.screen.notes.is_whole
