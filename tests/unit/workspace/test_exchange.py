"""Books that come and go in other shapes, and new books."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.errors import LorebookError, UnreadableError, UnsupportedError, UsageError
from lorebook_tui.formats import detect
from lorebook_tui.model.layers import Layer
from lorebook_tui.workspace import book_edits, exchange, shapes
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.store import FileThereError
from lorebook_tui.workspace.workspace import Workspace
from tests.unit.workspace.test_edits import opened, refs, workspace, world

if TYPE_CHECKING:
    from pathlib import Path

    from lorebook_tui.workspace.exchange import Converted

GLOBAL, CHARACTER = Layer.GLOBAL, Layer.CHARACTER
NOVELAI = {"lorebookVersion": 5, "entries": [{"text": "A bell.", "displayName": "Bell", "keys": ["bell"]}]}


@pytest.mark.parametrize("shape", [shape for shape, _, _ in exchange.SHAPES])
def test_new_books_are_empty_and_in_memory(shape: str, tmp_path: Path) -> None:
    made = book_edits.new_book(Workspace(), GLOBAL, shape, tmp_path, " harbour ").workspace
    source = made.of(GLOBAL)[0].source
    assert source.path == tmp_path / "harbour.json"
    assert not source.path.exists()
    assert made.of(GLOBAL)[0].book.entries == ()
    assert detect.load(detect.dump(source.loaded), "harbour.json").format.name == shape


def test_a_new_book_takes_no_others_place(tmp_path: Path) -> None:
    (tmp_path / "taken.json").write_text("{}")
    made = book_edits.new_book(Workspace(), GLOBAL, "sillytavern", tmp_path, "open.json").workspace
    for name in ("taken", "open", "a/b", "", "nul"):
        with pytest.raises(UsageError):
            book_edits.new_path(made, tmp_path, name)


def exported(to: str, *places: int) -> Converted:
    made = workspace(opened(GLOBAL, "a.json", world("one", "two", "three")))
    return shapes.exported(made, GLOBAL, 0, to, refs(*places) if places else ())


def test_export_of_some_entries_or_all() -> None:
    assert [entry.title for entry in exported("lorebook_v3", 0, 2).loaded.require_book().entries] == ["one", "three"]
    assert len(exported("v2_book").loaded.require_book().entries) == 3
    with pytest.raises(UnsupportedError):
        exported("novelai")


def test_an_export_never_writes_over_anything_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREBOOK_STATE_DIR", str(tmp_path / "state"))
    made, converted = Workspace(), exported("sillytavern")
    assert exchange.write_export(made, converted, tmp_path / "out") == tmp_path / "out.json"
    before = (tmp_path / "out.json").read_bytes()
    (tmp_path / "out.json").write_bytes(before + b"\n")
    with pytest.raises(FileThereError):
        exchange.write_export(made, converted, tmp_path / "out.json")
    exchange.write_export(made, converted, tmp_path / "out.json", force=True)
    assert (tmp_path / "out.json").read_bytes() == before
    source = exchange.opened_or_imported(tmp_path / "out.json")
    assert isinstance(source, Source)
    with pytest.raises(UsageError, match="is open here"):
        exchange.write_export(Workspace(sources=(source,)), converted, tmp_path / "." / "out.json", force=True)
    assert exchange.known_source(Workspace(sources=(source,)), Source(tmp_path / "out.json", source.loaded)) is source
    assert exchange.known_source(Workspace(), source) is source


def test_another_products_lorebook_becomes_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "bells.json"
    path.write_text(json.dumps(NOVELAI))
    found = exchange.opened_or_imported(path)
    assert not isinstance(found, Source)
    source = exchange.new_source(found, tmp_path)
    assert source.path == tmp_path / "bells-2.json"
    assert source.loaded.require_book().name == "bells-2"
    assert exchange.free_name(tmp_path, "") == "lorebook.json"


def test_what_is_no_lore_is_refused_as_before(tmp_path: Path) -> None:
    (tmp_path / "story.json").write_text(json.dumps({"storyContainerVersion": 1}))
    with pytest.raises(UnsupportedError, match="NovelAI story"):
        exchange.opened_or_imported(tmp_path / "story.json")
    (tmp_path / "chat.txt").write_text("Mira: hello")
    with pytest.raises(LorebookError):
        exchange.opened_or_imported(tmp_path / "chat.txt")
    with pytest.raises(UnreadableError):
        exchange.opened_or_imported(tmp_path / "gone.json")
