"""Whatever is done on the desk: undoing all of it gives the same bytes again, doing it again the same as before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats import detect
from lorebook_tui.model.folders import order_of, tree
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace import book_edits, edits, folder_edits, order_edits, placing
from lorebook_tui.workspace.desk import Desk
from lorebook_tui.workspace.edits import FieldChange
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.placing import Place
from lorebook_tui.workspace.workspace import OpenedBook, Workspace

if TYPE_CHECKING:
    from lorebook_tui.workspace.edits import Edited

LAYERS = list(Layer)
NAMES = st.sampled_from(["one", "NPCs", "a/b", "ключ", "--- x ---", ""])


def world(count: int, *, indices: bool) -> dict[str, Any]:
    return {
        "entries": {
            str(uid): {"uid": uid, "key": [f"k{uid}"], "comment": f"title {uid}", "content": "…", "order": 100}
            | ({"displayIndex": uid} if indices else {})
            for uid in range(count)
        },
        "name": "kept",
    }


def card(count: int, *, ids: bool) -> dict[str, Any]:
    entries = [
        {"keys": [f"c{place}"], "content": "", "comment": f"card {place}", "enabled": True, "insertion_order": 1.50}
        | {"extensions": {}}
        | ({"id": place * 2} if ids else {})
        for place in range(count)
    ]
    data = {"name": "Mira", "first_mes": "", "character_book": {"name": "hers", "entries": entries}}
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}


def start(sizes: list[int], flags: list[bool]) -> Workspace:
    values = [
        world(sizes[0], indices=flags[0]),
        world(sizes[1], indices=not flags[0]),
        card(sizes[2], ids=flags[1]),
    ]
    books, sources = [], []
    for number, value in enumerate(values):
        loaded = detect.load(json.dumps(value, indent=2 + number, ensure_ascii=number > 1).encode(), f"f{number}.json")
        source = Source(Path(f"f{number}.json"), loaded)
        sources.append(source)
        books.append(OpenedBook(LAYERS[number // 2], loaded.require_book(), source))
    return Workspace(tuple(books), sources=tuple(sources))


def state(workspace: Workspace) -> list[object]:
    """Everything of a workspace that a user can see or save."""
    files = [(source.path, source.ident, detect.dump(source.loaded)) for source in workspace.sources]
    books = [
        (opened.layer, opened.source.ident, opened.book.name, [entry.fields for entry in opened.book.entries])
        for opened in workspace.books
    ]
    return [files, books]


class Hand:
    """Does something at random."""

    def __init__(self, data: st.DataObject, workspace: Workspace) -> None:
        self.data = data
        self.workspace = workspace
        self.spots = [(opened.layer, place) for layer in LAYERS for place, opened in enumerate(workspace.of(layer))]

    def draw(self, strategy: st.SearchStrategy[Any]) -> Any:
        return self.data.draw(strategy)

    def spot(self) -> tuple[Layer, int]:
        return self.draw(st.sampled_from(self.spots))  # type: ignore[no-any-return]

    def refs(self, spot: tuple[Layer, int]) -> list[EntryRef]:
        entries = self.workspace.of(spot[0])[spot[1]].book.entries
        chosen = self.draw(st.lists(st.integers(0, max(0, len(entries) - 1)), min_size=1, max_size=3, unique=True))
        return [EntryRef(*spot, place) for place in chosen]

    def edit(self) -> Edited:
        layer, number = spot = self.spot()
        book = self.workspace.of(layer)[number].book
        before = self.draw(st.none() | st.integers(0, max(0, len(book.entries) - 1)))
        other = self.spot()
        place = Place(*other, None, self.draw(st.none() | NAMES), keeps_order=self.draw(st.booleans()))
        folder = self.draw(st.sampled_from([*order_of(tree(book)), "none"]))
        work, name = self.workspace, self.draw(NAMES)
        make = self.draw(
            st.sampled_from(
                [
                    lambda: edits.set_fields(work, [FieldChange(ref, "comment", name) for ref in self.refs(spot)]),
                    lambda: placing.insert(work, place, [{"comment": name, "key": ["n"], "content": name}]),
                    lambda: edits.delete_entries(work, self.refs(spot)),
                    lambda: order_edits.duplicate_entries(work, self.refs(spot)),
                    lambda: order_edits.place_entries(work, self.refs(spot), before),
                    lambda: placing.move(work, self.refs(spot), place),
                    lambda: placing.copy(work, [*self.refs(spot), *self.refs(other)], place),
                    lambda: folder_edits.put_into_folder(work, self.refs(spot), name),
                    lambda: folder_edits.new_folder(work, *spot, name),
                    lambda: folder_edits.rename_folder(work, *spot, folder, name),
                    lambda: folder_edits.delete_folder(work, *spot, folder),
                    lambda: book_edits.rename_book(work, *spot, name),
                    lambda: book_edits.move_book(work, *spot, self.draw(st.sampled_from(LAYERS))),
                    lambda: book_edits.copy_book(work, *spot, self.draw(st.sampled_from(LAYERS))),
                    lambda: (
                        edits.detach(work, *spot)
                        if len(self.spots) > 1
                        else edits.delete_entries(work, self.refs(spot))
                    ),
                ]
            )
        )
        return make()  # type: ignore[no-any-return]


@settings(max_examples=120, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=3, max_size=3), st.lists(st.booleans(), min_size=2, max_size=2), st.data())
def test_undo_and_redo_of_any_edits(sizes: list[int], flags: list[bool], data: st.DataObject) -> None:
    desk = Desk(start(sizes, flags))
    states = [state(desk.workspace)]
    for _ in range(data.draw(st.integers(1, 7))):
        before = state(desk.workspace)
        hand = Hand(data, desk.workspace)
        try:
            edited = hand.edit()
        except LorebookError:
            assert state(desk.workspace) == before
            continue
        assert state(desk.workspace) == before, "the workspace before is untouched"
        revision = desk.revision
        desk.do(edited)
        if desk.revision != revision:
            assert edited.told
            states.append(state(desk.workspace))
        for ref in edited.focus:
            assert ref.entry < len(desk.workspace.of(ref.layer)[ref.book].book.entries)
        for source in desk.workspace.sources:
            again = detect.load(detect.dump(source.loaded), source.name)
            assert [each.fields for each in again.books[0].entries] == [
                each.fields for each in source.loaded.books[0].entries
            ]
    for expected in reversed(states[:-1]):
        assert desk.undo()
        assert state(desk.workspace) == expected
    assert desk.undo() is None
    assert not desk.dirty
    for expected in states[1:]:
        assert desk.redo()
        assert state(desk.workspace) == expected
    assert desk.redo() is None
