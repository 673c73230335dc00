"""Folders of open books: written into every kind of file, and nothing else changes."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.engine.assemble import Simulation, replay
from lorebook_tui.errors import UsageError
from lorebook_tui.formats.book_edits import member_of, with_member
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.model.folders import folders_of, order_of, tree
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.model.scenario import Step
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.workspace.edits import attach
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.folder_edits import (
    delete_folder,
    move_folder,
    new_folder,
    put_into_folder,
    rename_folder,
)
from lorebook_tui.workspace.workspace import Workspace, scenario

WORLD: dict[str, Any] = {
    "entries": {
        "0": {"uid": 0, "key": ["bell"], "comment": "Bell", "content": "It wakes the ferry."},
        "1": {"uid": 1, "key": [], "comment": "--- NPCs ---", "content": "", "disable": True},
        "2": {"uid": 2, "key": ["ferry"], "comment": "Ferry", "content": "Mira steers.", "sticky": 3, "cooldown": 2},
        "3": {"uid": 3, "key": ["mira"], "comment": "Mira", "content": "A pilot.", "group": "g", "order": 3},
        "4": {"uid": 4, "key": ["mira"], "comment": "Mira 2", "content": "A thief.", "group": "g", "probability": 50},
    }
}
V2 = {
    "name": "B",
    "extensions": {},
    "entries": [{"keys": ["a"], "content": "A", "enabled": True, "insertion_order": 1}],
}


def opened(value: object = WORLD) -> Workspace:
    text = json.dumps(value, indent=2)
    workspace = attach(Workspace(), Source(Path("harrow.json"), load(text.encode(), "harrow.json")), Layer.GLOBAL)
    return workspace.workspace


def refs(*places: int) -> list[EntryRef]:
    return [EntryRef(Layer.GLOBAL, 0, place) for place in places]


def text_of(workspace: Workspace) -> str:
    return dump(workspace.sources[0].loaded).decode()


def paths(workspace: Workspace) -> tuple[str, ...]:
    return folders_of(workspace.books[0].book)


def test_a_folder_is_a_few_lines_of_the_file() -> None:
    before = opened()
    edited = put_into_folder(before, refs(0, 3), "World/Sounds")
    assert paths(edited.workspace) == ("World/Sounds", "NPCs", "NPCs", "World/Sounds", "NPCs")
    was, now = (json.loads(text_of(each))["entries"] for each in (before, edited.workspace))
    assert {key: fields.pop("extensions") for key, fields in now.items() if "extensions" in fields} == {
        key: {"lorebook_tui": {"folder": "World/Sounds"}} for key in ("0", "3")
    }
    assert now == was
    lines = difflib.unified_diff(text_of(before).splitlines(), text_of(edited.workspace).splitlines(), n=0)
    assert sum(line.startswith("-") for line in lines) == 1 + 2, (
        "the comma behind the last member of each, and the head"
    )
    assert edited.focus == tuple(refs(0, 3))
    assert edited.told == "move 2 entries to the folder 'World/Sounds'"


def test_an_empty_folder_stands_in_the_book() -> None:
    edited = new_folder(opened(), Layer.GLOBAL, 0, "Gods")
    assert json.loads(text_of(edited.workspace))["extensions"] == {"lorebook_tui": {"folders": ["NPCs", "Gods"]}}
    assert order_of(tree(edited.workspace.books[0].book)) == ("NPCs", "Gods")
    gone = delete_folder(edited.workspace, Layer.GLOBAL, 0, "Gods")
    gone = delete_folder(gone.workspace, Layer.GLOBAL, 0, "NPCs")
    assert "extensions" not in json.loads(text_of(gone.workspace))
    assert [entry.uid for entry in gone.workspace.books[0].book.entries] == [0, 2, 3, 4]


def test_renaming_chooses_what_changed() -> None:
    edited = rename_folder(opened(), Layer.GLOBAL, 0, "NPCs", "People")
    assert edited.focus == tuple(refs(1))
    assert edited.workspace.books[0].book.entries[1].title == "--- People ---"


def test_a_separator_that_goes_moves_those_behind_it_up() -> None:
    edited = move_folder(put_into_folder(opened(), refs(0), "A").workspace, Layer.GLOBAL, 0, "NPCs", "A")
    assert paths(edited.workspace) == ("A", "A/NPCs", "A/NPCs", "A/NPCs")
    assert edited.focus == tuple(refs(1, 2, 3))


@pytest.mark.parametrize(
    "value",
    [
        V2,
        {"spec": "lorebook_v3", "data": V2},
        {"spec": "chara_card_v2", "data": {"name": "N", "character_book": V2}},
        {"spec": "chara_card_v2", "data": {"name": "N", "character_book": {"entries": []}}},
        {"spec": "lorebook_v3", "data": {"entries": []}},
        {"entries": {}},
    ],
)
def test_every_kind_of_book_keeps_folders(value: dict[str, Any]) -> None:
    workspace = opened(value)
    made = new_folder(workspace, Layer.GLOBAL, 0, "Gods").workspace
    if made.books[0].book.entries:
        made = put_into_folder(made, refs(0), "Gods/Old").workspace
        assert paths(made) == ("Gods/Old",)
    again = load(dump(made.sources[0].loaded), "again.json").require_book()
    assert order_of(tree(again))[0] == "Gods"
    if made.books[0].book.format != "sillytavern":
        emptied = made
        for path in reversed(order_of(tree(again))):
            emptied = delete_folder(emptied, Layer.GLOBAL, 0, path).workspace
        assert '"extensions": {}' in text_of(emptied)


def test_a_bare_list_keeps_folders_of_entries_but_no_empty_ones() -> None:
    workspace = opened(list(WORLD["entries"].values()))
    assert paths(put_into_folder(workspace, refs(0), "A").workspace)[0] == "A"
    with pytest.raises(UsageError):
        new_folder(workspace, Layer.GLOBAL, 0, "Gods")


def story(workspace: Workspace) -> list[Any]:
    """What six turns activate, and in which words."""
    chat = ("a bell rings", "yes", "and mira?", "mira smiles", "the ferry", "mira again")
    transcript = Transcript(tuple(Message(text, is_user=n % 2 == 0) for n, text in enumerate(chat)))
    made = scenario(Workspace(books=workspace.books, transcript=transcript, tokenizer="estimate"))
    simulation = Simulation(made, workspace.counter())
    told = []
    for assembly in replay(simulation, [Step(length) for length in range(1, len(chat) + 1)]):
        admitted = [assembly.entry(each.index).uid for each in assembly.admitted]
        told.append((admitted, [text for _, text in assembly.slots.before], sorted(assembly.state.timed.sticky)))
    return told


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["", "A", "A/B", "NPCs", "NPCs/A", "C"])), max_size=6))
def test_no_edit_of_folders_changes_what_is_activated(steps: list[tuple[int, str]]) -> None:
    workspace = opened()
    expected = story(workspace)
    assert any(admitted for admitted, _, _ in expected)
    for kind, path in steps:
        last = len(workspace.books[0].book.entries) - 1
        try:
            edited = (
                put_into_folder(workspace, refs(min(kind, last)), path) if kind in (0, 4)
                else new_folder(workspace, Layer.GLOBAL, 0, path) if kind == 1
                else delete_folder(workspace, Layer.GLOBAL, 0, path) if kind == 2
                else rename_folder(workspace, Layer.GLOBAL, 0, path, "R")
            )  # fmt: skip
        except UsageError:
            continue
        workspace = edited.workspace
        assert story(workspace) == expected


def test_entries_of_one_book_go_into_a_folder() -> None:
    for chosen in ([], [EntryRef(Layer.GLOBAL, 0, 0), EntryRef(Layer.GLOBAL, 1, 0)], refs(9), refs(-1)):
        with pytest.raises(UsageError):
            put_into_folder(opened(), chosen, "A")


def test_members_of_the_book_itself() -> None:
    loaded = opened({"name": "N", **WORLD}).sources[0].loaded
    book = loaded.require_book()
    assert member_of(loaded, book, "name") == "N"
    assert member_of(loaded, book, "nothing") is MISSING
    assert with_member(loaded, book, "nothing", MISSING) is loaded
    empty = load(json.dumps({"entries": []}).encode(), "x.json")
    assert with_member(empty, empty.require_book(), "name", "N").require_book().extras == {"name": "N"}
    bare = opened(list(WORLD["entries"].values())).sources[0].loaded
    assert member_of(bare, bare.require_book(), "name") is MISSING
