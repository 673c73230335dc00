"""Screens and commands get at the clipboard and the shapes of books through the workspace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lorebook_tui.errors import UnreadableError, UnsupportedError, UsageError
from lorebook_tui.formats.detect import load
from lorebook_tui.model.folders import folders_of
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace import clips, shapes
from lorebook_tui.workspace.edits import attach
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.workspace import Workspace

WORLD = {
    "entries": {
        "0": {"uid": 0, "key": ["bell"], "comment": "Bell", "content": "A bell."},
        "1": {"uid": 1, "key": [], "comment": "--- NPCs ---", "content": "", "disable": True},
        "2": {"uid": 2, "key": ["mira"], "comment": "Mira", "content": "A pilot."},
    }
}


def opened() -> Workspace:
    source = Source(Path("harrow.json"), load(json.dumps(WORLD).encode(), "harrow.json"))
    return attach(Workspace(), source, Layer.CHAT).workspace


def refs(*places: int) -> list[EntryRef]:
    return [EntryRef(Layer.CHAT, 0, place) for place in places]


def test_entries_are_copied_in_the_order_of_the_references() -> None:
    found = clips.read(clips.copied(opened(), refs(2, 0)))
    assert [fields["comment"] for fields in found.entries] == ["Mira", "Bell"]
    assert found.book == "harrow"
    assert clips.copied(opened(), []) == ""
    with pytest.raises(UsageError):
        clips.copied(opened(), refs(9))


def test_some_entries_are_exported_with_their_folders() -> None:
    made = shapes.exported(opened(), Layer.CHAT, 0, "v2_book", refs(2))
    book = made.loaded.require_book()
    assert [entry.title for entry in book.entries] == ["Mira"]
    assert folders_of(book) == ("NPCs",)
    assert load(shapes.bytes_of(made), "x.json").require_book().entries[0].keys == ("mira",)
    assert len(shapes.exported(opened(), Layer.CHAT, 0, "lorebook_v3").loaded.require_book().entries) == 3
    assert len(shapes.exported(opened(), Layer.CHAT, 0, "sillytavern", refs(0)).loaded.require_book().entries) == 1
    with pytest.raises(UnsupportedError):
        shapes.exported(opened(), Layer.CHAT, 0, "novelai")


def test_a_book_goes_into_a_card() -> None:
    card = load(json.dumps({"spec": "chara_card_v2", "data": {"name": "Mira"}}).encode(), "mira.json")
    made = shapes.embedded(opened(), Layer.CHAT, 0, Source(Path("mira.json"), card))
    assert [entry.title for entry in made.loaded.require_book().entries] == ["Bell", "--- NPCs ---", "Mira"]


def test_every_shape_can_be_made() -> None:
    for name in shapes.SHAPES:
        assert shapes.new_book(name, "x").format.name == name


def test_another_products_file_becomes_a_world_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.lorebook"
    path.write_text(json.dumps({"lorebookVersion": 5, "entries": [{"text": "t", "keys": ["a"]}]}))
    made = shapes.import_file(path)
    assert made.source.path == tmp_path / "mine.json"
    assert not made.source.path.exists()
    for name in ("mine.json", "mine (2).json"):
        (tmp_path / name).write_text("{}")
    assert shapes.import_file(path).source.path.name == "mine (3).json"


def test_what_cannot_be_imported_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "world.json"
    path.write_text(json.dumps(WORLD))
    with pytest.raises(UnsupportedError) as told:
        shapes.import_file(path)
    assert told.value.where.startswith(str(path))
    with pytest.raises(UnreadableError):
        shapes.import_file(tmp_path / "nowhere.lorebook")
