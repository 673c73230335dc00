"""Edits of a workspace: entries added, deleted, copied and moved; one entry of the file changes, the rest stays."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook_tui.errors import UsageError
from lorebook_tui.formats import detect
from lorebook_tui.model.folders import editor_order
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace import book_edits, edits, order_edits
from lorebook_tui.workspace.edits import FieldChange
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.workspace import OpenedBook, Workspace

GLOBAL, CHARACTER = Layer.GLOBAL, Layer.CHARACTER


def opened(layer: Layer, name: str, value: Any) -> OpenedBook:
    loaded = detect.load(json.dumps(value, indent=4).encode(), name)
    return OpenedBook(layer, loaded.require_book(), Source(Path("lore", name), loaded))


def world(*titles: str, indices: bool = False, **fields: Any) -> dict[str, Any]:
    return {
        "entries": {
            str(uid): {"uid": uid, "key": [title], "comment": title, "content": title, "order": 100}
            | ({"displayIndex": uid} if indices else {})
            | fields
            for uid, title in enumerate(titles)
        }
    }


def card(*titles: str, ids: bool = True) -> dict[str, Any]:
    entries = [
        {"keys": [title], "content": title, "comment": title, "enabled": True, "insertion_order": 100, "extensions": {}}
        | ({"id": place} if ids else {})
        for place, title in enumerate(titles)
    ]
    data = {"name": "Mira", "first_mes": "", "character_book": {"name": "lore of Mira", "entries": entries}}
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}


def workspace(*books: OpenedBook) -> Workspace:
    sources = tuple({book.source.ident: book.source for book in books}.values())
    return Workspace(tuple(sorted(books, key=lambda book: book.layer.number)), sources=sources)


def titles(made: Workspace, layer: Layer = GLOBAL, book: int = 0) -> list[str]:
    return [entry.title for entry in made.of(layer)[book].book.entries]


def shown(made: Workspace, layer: Layer = GLOBAL, book: int = 0) -> list[str]:
    held = made.of(layer)[book].book
    return [held.entries[place].title for place in editor_order(held)]


def text(made: Workspace, layer: Layer = GLOBAL, book: int = 0) -> str:
    return made.of(layer)[book].source.loaded.document.text


def changed_lines(before: Workspace, after: Workspace, layer: Layer = GLOBAL) -> int:
    old, new = text(before, layer).splitlines(), text(after, layer).splitlines()
    assert len(old) == len(new)
    return sum(1 for first, second in zip(old, new, strict=True) if first != second)


def refs(*places: int, layer: Layer = GLOBAL, book: int = 0) -> list[EntryRef]:
    return [EntryRef(layer, book, place) for place in places]


def test_a_field_changes_one_line_and_is_told() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("one", "two")))
    made = edits.set_fields(before, [FieldChange(refs(1)[0], "order", 7)])
    assert made.told == "set order of 'two'"
    assert changed_lines(before, made.workspace) == 1
    assert made.focus == tuple(refs(1))


def test_fields_of_many_entries_in_several_files_are_one_edit() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("one")), opened(CHARACTER, "m.json", card("two")))
    listed = [FieldChange(ref, "disable", value=True) for ref in (refs(0)[0], refs(0, layer=CHARACTER)[0])]
    made = edits.set_fields(before, listed)
    assert made.workspace.of(GLOBAL)[0].book.entries[0].is_on("disable")
    assert '"enabled": false' in text(made.workspace, CHARACTER)
    assert made.told.endswith("of 2 entries")
    gone = edits.set_fields(made.workspace, [FieldChange(refs(0)[0], "disable", MISSING)])
    assert text(gone.workspace) == text(before)


def test_what_is_not_there_cannot_be_edited() -> None:
    made = workspace(opened(GLOBAL, "a.json", world("one")))
    with pytest.raises(UsageError, match="no book 2"):
        edits.opened_at(made, GLOBAL, 1)
    with pytest.raises(UsageError, match="not there any more"):
        edits.delete_entries(made, refs(3))


def test_a_new_entry_is_the_last_one_for_the_editor_too() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("one", "two", indices=True)))
    made = edits.add_entries(before, GLOBAL, 0, [{"comment": "three", "key": []}, {"comment": "four", "key": []}])
    assert shown(made.workspace) == ["one", "two", "three", "four"]
    last = made.workspace.of(GLOBAL)[0].book.entries[-1]
    assert (last.uid, last.get("displayIndex"), last.key) == (3, 3, "3")
    assert text(made.workspace).startswith(text(before).rstrip("}\n "))
    bare = edits.add_entries(workspace(opened(GLOBAL, "a.json", world("one"))), GLOBAL, 0, [{"comment": "two"}])
    assert bare.workspace.of(GLOBAL)[0].book.entries[-1].get("displayIndex") is MISSING
    assert bare.told == "add 1 entry 'two'"


def test_deleting_chooses_the_neighbour() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("one", "two", "three")))
    made = edits.delete_entries(before, refs(1, 1))
    assert titles(made.workspace) == ["one", "three"]
    assert made.focus == tuple(refs(1))
    assert edits.delete_entries(before, refs(1, 2)).focus == tuple(refs(0))
    assert edits.delete_entries(before, refs(0, 1, 2)).focus == ()


def test_duplicates_stand_beside_their_originals() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("one", "two", "three", indices=True)))
    made = order_edits.duplicate_entries(before, refs(0, 2))
    assert shown(made.workspace) == ["one", "one (copy)", "two", "three", "three (copy)"]
    assert made.told == "duplicate 2 entries"
    assert made.focus == tuple(refs(3, 4))
    plain = order_edits.duplicate_entries(workspace(opened(GLOBAL, "a.json", world("one", "two"))), refs(0))
    assert shown(plain.workspace) == ["one", "two", "one (copy)"], "no place but the last without a changed line"
    listed = order_edits.duplicate_entries(
        workspace(opened(CHARACTER, "m.json", card("one", "two"))), refs(0, layer=CHARACTER)
    )
    assert titles(listed.workspace, CHARACTER) == ["one", "one (copy)", "two"]


def test_room_for_a_copy_may_cost_too_many_lines() -> None:
    before = workspace(opened(GLOBAL, "a.json", world(*(f"entry {number}" for number in range(150)), indices=True)))
    made = order_edits.duplicate_entries(before, refs(3))
    assert shown(made.workspace)[-1] == "entry 3 (copy)"
    assert "renumber 146 other entries" in made.note
    assert shown(order_edits.duplicate_entries(before, refs(100)).workspace)[101] == "entry 100 (copy)"


def test_an_untitled_entry_stays_untitled_when_duplicated() -> None:
    before = workspace(
        opened(GLOBAL, "a.json", {"entries": {"0": {"uid": 0, "key": ["k"], "comment": "", "content": ""}}})
    )
    made = order_edits.duplicate_entries(before, refs(0)).workspace
    assert [entry.get("comment") for entry in made.of(GLOBAL)[0].book.entries] == ["", ""]


def test_copies_and_moves_speak_the_language_of_the_other_file() -> None:
    before = workspace(
        opened(GLOBAL, "a.json", world("one", "two", indices=True)), opened(CHARACTER, "m.json", card("x"))
    )
    copied = edits.copy_entries(before, refs(0), CHARACTER, 0)
    assert titles(copied.workspace, CHARACTER) == ["x", "one"]
    assert titles(copied.workspace) == ["one", "two"]
    assert '"insertion_order": 100' in text(copied.workspace, CHARACTER).rpartition("one")[2]
    moved = edits.move_entries(before, refs(0, 1), CHARACTER, 0)
    assert titles(moved.workspace, CHARACTER) == ["x", "one", "two"]
    assert titles(moved.workspace) == []
    assert moved.told == "move 2 entries to lore of Mira"
    assert moved.focus == tuple(refs(1, 2, layer=CHARACTER))
    with pytest.raises(UsageError, match="in this file already"):
        edits.move_entries(before, refs(0), GLOBAL, 0)


@given(st.lists(st.none() | st.integers(-2, 7), max_size=6))
def test_fewest_numbers_are_fewest(numbers: list[int | None]) -> None:
    made = order_edits.fewest_numbers(numbers)
    assert sorted(set(made)) == made
    assert all(number >= 0 for number in made)
    least = min(
        sum(1 for old, new in zip(numbers, listed, strict=True) if old != new)
        for listed in combinations(range(14), len(numbers))
    )
    assert sum(1 for old, new in zip(numbers, made, strict=True) if old != new) == least


def test_order_of_a_world_is_its_display_index_and_changes_two_lines() -> None:
    before = workspace(opened(GLOBAL, "a.json", world(*"abcdef", indices=True)))
    made = order_edits.place_entries(before, refs(2), 1)
    assert shown(made.workspace) == list("acbdef")
    assert titles(made.workspace) == list("abcdef"), "the file keeps its own order"
    assert changed_lines(before, made.workspace) == 2
    assert made.note == ""
    assert made.told == "move 'c' in the order"
    last = order_edits.place_entries(before, refs(0, 3), None)
    assert shown(last.workspace) == list("bcefad")
    assert last.focus == tuple(refs(0, 3))


def test_order_of_a_list_is_its_own_and_ties_are_told() -> None:
    before = workspace(opened(CHARACTER, "m.json", card("a", "b", "c", ids=False)))
    made = order_edits.place_entries(before, refs(2, layer=CHARACTER), 0)
    assert titles(made.workspace, CHARACTER) == ["c", "a", "b"]
    assert made.focus == tuple(refs(0, layer=CHARACTER))
    assert "equal order" in made.note
    with_ids = workspace(opened(CHARACTER, "m.json", card("a", "b", "c")))
    named = order_edits.place_entries(with_ids, refs(2, layer=CHARACTER), 0)
    assert titles(named.workspace, CHARACTER) == ["c", "a", "b"]
    assert named.note == "", "entries with ids are walked by them"


def test_an_object_without_numbers_gets_them() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("a", "b")))
    made = order_edits.place_entries(before, refs(1), 0)
    assert shown(made.workspace) == ["b", "a"]
    assert [entry.get("displayIndex") for entry in made.workspace.of(GLOBAL)[0].book.entries] == [1, 0]


def test_an_order_that_is_so_already_changes_nothing() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("a", "b", indices=True)))
    assert order_edits.place_entries(before, refs(0), 1).workspace is before
    assert order_edits.place_entries(before, refs(0), 0).workspace is before
    with pytest.raises(UsageError, match="several books"):
        order_edits.place_entries(before, [*refs(0), *refs(0, book=1)], None)


def test_entries_dropped_between_others_of_another_book() -> None:
    before = workspace(
        opened(GLOBAL, "a.json", world("a", "b", indices=True)), opened(GLOBAL, "c.json", world("x", indices=True))
    )
    made = order_edits.at_place(edits.copy_entries(before, refs(0, book=1), GLOBAL, 0), 1)
    assert shown(made.workspace) == ["a", "x", "b"]
    assert made.told == "copy 'x' to a"
    assert order_edits.at_place(made, None) is made


def test_a_world_is_renamed_with_its_file() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("one")), opened(GLOBAL, "b.json", world("two")))
    made = book_edits.rename_book(before, GLOBAL, 0, " harbour ")
    source = made.workspace.of(GLOBAL)[0].source
    assert source.path == Path("lore", "harbour.json")
    assert source.ident == before.sources[0].ident
    assert made.workspace.sources[0] == source
    assert made.workspace.of(GLOBAL)[0].book.name == "harbour"
    assert text(made.workspace) == text(before)
    assert "when it is saved" in made.note
    assert book_edits.rename_book(before, GLOBAL, 0, "a").workspace is before
    for name in ("", "a/b", "nul", "b"):
        with pytest.raises(UsageError):
            book_edits.rename_book(before, GLOBAL, 0, name)


def test_a_card_keeps_its_file_and_its_book_gets_the_name() -> None:
    before = workspace(opened(CHARACTER, "m.json", card("one")))
    made = book_edits.rename_book(before, CHARACTER, 0, "a/b: c")
    assert made.workspace.of(CHARACTER)[0].book.name == "a/b: c"
    assert made.workspace.sources[0].path == before.sources[0].path
    assert changed_lines(before, made.workspace, CHARACTER) == 1


def test_books_move_between_layers_and_within_one() -> None:
    before = workspace(*(opened(GLOBAL, f"{name}.json", world(name)) for name in "abc"))
    names = [book.book.name for book in book_edits.move_book(before, GLOBAL, 2, GLOBAL, 0).workspace.of(GLOBAL)]
    assert names == ["c", "a", "b"]
    made = book_edits.move_book(before, GLOBAL, 0, CHARACTER)
    assert [book.book.name for book in made.workspace.of(GLOBAL)] == ["b", "c"]
    assert made.workspace.of(CHARACTER)[0].layer is CHARACTER
    assert made.told == "move the book 'a' to the layer character"
    assert book_edits.move_book(before, GLOBAL, 1, GLOBAL, 1).workspace is before
    both = book_edits.copy_book(before, GLOBAL, 0, CHARACTER)
    assert both.workspace.of(CHARACTER)[0].source is before.of(GLOBAL)[0].source
    for again in (book_edits.copy_book, book_edits.move_book):
        with pytest.raises(UsageError, match="already"):
            again(both.workspace, GLOBAL, 0, CHARACTER)


def test_attach_and_detach() -> None:
    before = workspace(opened(GLOBAL, "a.json", world("one")))
    other = opened(GLOBAL, "b.json", world("two")).source
    made = edits.attach(before, other, CHARACTER)
    assert titles(made.workspace, CHARACTER) == ["two"]
    assert made.workspace.sources == (*before.sources, other)
    gone = edits.detach(made.workspace, CHARACTER, 0)
    assert gone.workspace.of(CHARACTER) == ()
    assert gone.workspace.sources == made.workspace.sources, "what is not saved yet is kept"
    with pytest.raises(UsageError, match="already"):
        edits.attach(made.workspace, other, CHARACTER)
