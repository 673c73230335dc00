"""Entries put at a place, and what a folder holds for choosing a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.model.folders import folders_of
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace import book_edits, folder_edits, placing
from lorebook_tui.workspace.folder_listing import Found, complete, listing, look_into
from lorebook_tui.workspace.placing import Place
from tests.unit.workspace.test_edits import card, opened, refs, shown, titles, workspace, world

if TYPE_CHECKING:
    from pathlib import Path

GLOBAL, CHARACTER = Layer.GLOBAL, Layer.CHARACTER


def test_inserted_entries_stand_where_they_shall() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("one", "two", indices=True)))
    made = placing.insert(before, Place(GLOBAL, 0, 1, "NPCs"), [{"comment": "new", "key": []}], "add one")
    assert shown(made.workspace) == ["one", "new", "two"]
    assert folders_of(made.workspace.of(GLOBAL)[0].book) == ("", "", "NPCs")
    assert made.told == "add one"
    assert made.focus == tuple(refs(2))


def test_moving_within_a_book_keeps_the_order_or_changes_it() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("one", "two", "three", indices=True)))
    ordered = placing.move(before, refs(2), Place(GLOBAL, 0, 0))
    assert shown(ordered.workspace) == ["three", "one", "two"]
    assert ordered.told == "move 'three' in the order"
    kept = placing.move(before, refs(0, 2), Place(GLOBAL, 0, None, "x", keeps_order=True))
    assert shown(kept.workspace) == ["one", "two", "three"]
    assert folders_of(kept.workspace.of(GLOBAL)[0].book) == ("x", "", "x")
    assert kept.told == "move 2 entries to the folder 'x'"
    out = placing.move(kept.workspace, refs(0), Place(GLOBAL, 0, None, "", keeps_order=True))
    assert folders_of(out.workspace.of(GLOBAL)[0].book) == ("", "", "x")
    assert out.told == "move 'one' out of its folder"


def test_entries_of_several_books_are_gathered_in_one_edit() -> None:
    before = workspace(
        opened(GLOBAL, "a.json", world("one", "two", indices=True)), opened(CHARACTER, "m.json", card("x", "y"))
    )
    chosen = [*refs(1), *refs(0, layer=CHARACTER)]
    made = placing.move(before, chosen, Place(GLOBAL, 0, 0))
    assert shown(made.workspace) == ["two", "x", "one"]
    assert titles(made.workspace, CHARACTER) == ["y"]
    assert made.told == "move 2 entries to a"
    assert made.focus == (EntryRef(GLOBAL, 0, 1), EntryRef(GLOBAL, 0, 2))


def test_copies_keep_their_originals() -> None:
    before = workspace(
        opened(GLOBAL, "a.json", world("one", "two", indices=True)), opened(CHARACTER, "m.json", card("x"))
    )
    made = placing.copy(before, refs(1), Place(CHARACTER, 0, 0))
    assert titles(made.workspace, CHARACTER) == ["two", "x"]
    assert shown(made.workspace) == ["one", "two"]


def test_a_file_in_two_layers_is_one_file() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("one")))
    both = book_edits.copy_book(before, GLOBAL, 0, CHARACTER).workspace
    with pytest.raises(UsageError, match="in this file already"):
        placing.move(both, refs(0), Place(CHARACTER, 0))


def test_several_edits_as_one() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("one")))
    first = folder_edits.new_folder(before, GLOBAL, 0, "x")
    made = placing.chained(
        first, lambda edited: folder_edits.put_into_folder(edited.workspace, refs(0), "x"), told="both"
    )
    assert made.told == "both"
    assert folders_of(made.workspace.of(GLOBAL)[0].book) == ("x",)


def test_listing_begins_like_what_is_typed(tmp_path: Path) -> None:
    (tmp_path / "Books").mkdir()
    (tmp_path / ".hidden").mkdir()
    for name in ("bell.json", "ferry.png", "notes.md", ".secret.json"):
        (tmp_path / name).write_text("{}")
    folder, found, trouble = listing(f"{tmp_path}/")
    assert (folder, trouble) == (tmp_path, "")
    assert [each.path.name for each in found] == ["Books", "bell.json", "ferry.png"]
    assert [each.path.name for each in listing(f"{tmp_path}/b")[1]] == ["Books", "bell.json"]
    assert [each.path.name for each in listing(f"{tmp_path}/erry")[1]] == ["ferry.png"], "else what holds it"
    assert [each.path.name for each in listing(f"{tmp_path}/.")[1]] == [".hidden", ".secret.json"]
    assert listing(f"{tmp_path}/none/x")[2].startswith("The folder cannot be read")
    assert listing("\0/")[2]


def test_completion_goes_as_far_as_it_can(tmp_path: Path) -> None:
    names = ("harbour.json", "harvest.json", "mira")
    found = tuple(Found(tmp_path / name, is_folder=name == "mira") for name in names)
    assert complete("x/h", found, None) == "x/har"
    assert complete("x/har", found, None) == "x/har"
    assert complete("x/har", found, tmp_path / "harvest.json") == "x/harvest.json"
    assert complete("m", found, None) == "mira/"
    assert complete("zz", found, tmp_path / "mira") == "mira/"
    assert complete("zz", found, tmp_path / "else") == "zz"


def test_what_a_file_holds_in_a_few_words(tmp_path: Path) -> None:
    samples = {
        "w.json": json.dumps(world("one", "two")),
        "c.json": json.dumps(card("x")),
        "bare.json": json.dumps({"spec": "chara_card_v2", "data": {"name": "Mira", "first_mes": "Hello"}}),
        "chat.jsonl": '{"user_name":"a","character_name":"b","create_date":"x"}\n{"name":"a","mes":"hi","is_user":true}\n',
        "broken.json": "{",
        "lorebook.toml": "",
        "other.toml": "",
    }
    words = {}
    for name, content in samples.items():
        (tmp_path / name).write_text(content)
        words[name] = look_into(Found(tmp_path / name))
    assert words["w.json"] == "SillyTavern world, 2 entries"
    assert words["c.json"].endswith("1 entry")
    assert words["bare.json"].endswith("without a lorebook")
    assert words["chat.jsonl"].endswith("1 message")
    assert (words["broken.json"], words["other.toml"]) == ("", "")
    assert words["lorebook.toml"] == "a workspace file"
    assert look_into(Found(tmp_path / "gone.json")) == ""
