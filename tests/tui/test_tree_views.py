"""Rows of the tree without a screen: what is drawn, what is kept through edits, where things are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.glyphs import Glyphs, Mark
from lorebook_tui.model.folders import tree
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tokens import registry as tokens
from lorebook_tui.tui.lasting import lasting
from lorebook_tui.tui.replay import Replay
from lorebook_tui.tui.scene import Scene, scene_of
from lorebook_tui.tui.targets import ToAction, ToBranch, ToEntry, ToTurn
from lorebook_tui.tui.views import book_order
from lorebook_tui.tui.views.book_order import order_of
from lorebook_tui.tui.views.layers import Branches, TreeBuilder, TreeLook, TreeRows
from lorebook_tui.workspace import edits, folder_edits, order_edits
from lorebook_tui.workspace.edits import FieldChange
from lorebook_tui.workspace.workspace import Workspace
from tests.tui.conftest import book, entry, small_workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.model.book import Book
    from lorebook_tui.model.folders import Folder
    from lorebook_tui.tui.views.book_order import BookOrder
    from lorebook_tui.workspace.edits import Edited

GLOBAL = Layer.GLOBAL


def look_of(scene: Scene, **more: Any) -> TreeLook:
    return TreeLook(scene, Glyphs(), **more)


def rows_of(workspace: Workspace, branches: Branches | None = None, **more: Any) -> TreeRows:
    open_all = Branches(books=frozenset((layer, number) for layer in Layer for number in range(3)))
    return TreeBuilder(look_of(scene_of(workspace), **more), branches or open_all, {}).build()


def drawn(rows: TreeRows, width: int = 30) -> list[str]:
    return ["".join(span.text for span in block.lines(width)[0]).rstrip() for block in rows]


def foldered() -> Workspace:
    made = small_workspace()
    for path, places in (("Places/Mills", (3,)), ("Folk", (4, 5))):
        made = folder_edits.put_into_folder(made, [EntryRef(GLOBAL, 0, place) for place in places], path).workspace
    return made


def test_rows_of_every_kind() -> None:
    ref = EntryRef(GLOBAL, 0, 1)
    rows = rows_of(
        foldered(), marks={ref: Mark.STICKY}, notes={ref: "2"}, picked={EntryRef(GLOBAL, 0, 3)}, dirty={(GLOBAL, 0)}
    )
    assert drawn(rows)[:14] == [
        "▾ 1 Global                0/10",
        "  ▾ harbour ●             0/10",
        "    ▾ Places                 1",
        "      ▾ Mills                1",
        "      ■ ○ The mill",
        "    ▾ Folk                   2",
        "      ○ The guild",
        "      ○ The crowd",
        "    ● World rules",
        "    ○ The bell              2━",
        "    ○ The ferry",
        "    – Old map",
        "    ◇ Meaning",
        "    ○ Nowhere",
    ]
    assert [len(block.lines(12)) for block in rows] == [1] * len(rows)


def test_letters_have_signs_of_their_own() -> None:
    scene = scene_of(foldered())
    look = TreeLook(scene, Glyphs(letters=True), picked={EntryRef(GLOBAL, 0, 0)}, dirty={(GLOBAL, 0)})
    rows = TreeBuilder(look, Branches(books=frozenset({(GLOBAL, 0)})), {}).build()
    assert all(line.isascii() for line in drawn(rows) if "Mira" not in line)
    assert any("harbour *" in line for line in drawn(rows))
    assert any("# * World rules" in line for line in drawn(rows))


def test_every_row_is_found_again() -> None:
    rows = rows_of(foldered())
    targets = [block.target for block in rows]
    assert [rows.find(target) for target in targets if target] == [n for n, target in enumerate(targets) if target]
    assert rows.find(ToEntry(EntryRef(GLOBAL, 0, 99))) is None
    assert rows.find(ToBranch(GLOBAL, 7)) is None
    assert rows.find(ToTurn(1)) is None
    assert rows[-1].target == targets[-1]
    assert [block.target for block in rows[2:5]] == targets[2:5]
    with pytest.raises(IndexError):
        rows[len(rows)]
    assert len(rows.entries()) == 12


def test_branches_open_shut_and_move_with_their_books() -> None:
    branches = Branches().opened(GLOBAL, 0)
    shut = branches.toggled(ToBranch(GLOBAL, 0, "Places"))
    assert not shut.is_open(ToBranch(GLOBAL, 0, "Places"))
    assert shut.is_open(ToBranch(GLOBAL, 0, "Folk"))
    assert shut.opened(GLOBAL, 0, "Places/Mills").is_open(ToBranch(GLOBAL, 0, "Places"))
    assert not shut.opened(GLOBAL, 0, "Placesque").is_open(ToBranch(GLOBAL, 0, "Places"))
    moved = shut.renumbered({(GLOBAL, 0): (Layer.CHAT, 2)})
    assert moved.is_open(ToBranch(Layer.CHAT, 2))
    assert not moved.is_open(ToBranch(Layer.CHAT, 2, "Places"))
    assert shut.renumbered({}).books == frozenset()
    layer = ToBranch(GLOBAL)
    assert not branches.toggled(layer).is_open(layer)
    assert "The mill" not in "\n".join(drawn(rows_of(foldered(), shut)))


def test_a_folder_headed_by_a_separator_leads_to_its_entry() -> None:
    made = small_workspace()
    world = book(
        GLOBAL, "parted",
        entry(0, "--- NPCs ---", "", disable=True), entry(1, "Mira", "", "mira"), entry(2, "-----", "", disable=True),
        entry(3, "The bell", "", "bell"),
    )  # fmt: skip
    rows = rows_of(Workspace((world,), sources=(world.source, *made.sources)))
    assert drawn(rows)[1:6] == [
        "  ▾ parted                 0/4",
        "    ▾ NPCs                   1",
        "      ○ Mira",
        "    – -----",
        "    ○ The bell",
    ]
    assert rows.find(ToEntry(EntryRef(GLOBAL, 0, 0))) == rows.find(ToBranch(GLOBAL, 0, "NPCs"))


def test_found_entries_stand_in_the_order_of_their_book() -> None:
    made = order_edits.place_entries(small_workspace(), [EntryRef(GLOBAL, 0, 9)], 0).workspace
    builder = TreeBuilder(look_of(scene_of(made)), Branches(), {})
    rows = builder.build([EntryRef(GLOBAL, 0, 1), EntryRef(GLOBAL, 0, 9)])
    assert drawn(rows) == [
        "▾ 1 Global                0/10",
        "  ▾ harbour               0/10",
        "    ○ Later",
        "    ○ The bell",
    ]
    assert drawn(TreeBuilder(look_of(scene_of(made)), Branches(), {}).build([])) == []


def test_empty_books_and_workspaces_say_what_to_do() -> None:
    empty = book(GLOBAL, "empty")
    rows = rows_of(Workspace((empty,), sources=(empty.source,)))
    assert "    no entries yet: n adds one" in drawn(rows)
    nothing = rows_of(Workspace())
    assert "Nothing is open yet." in drawn(nothing, 40)
    assert {block.target for block in nothing} >= {ToAction("layers.new_book"), ToAction("layers.attach")}


def count_trees(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    calls: list[int] = []

    def counted(book: Book) -> Folder:
        calls.append(1)
        return tree(book)

    monkeypatch.setattr(book_order, "tree", counted)
    return calls


def test_an_edit_of_a_field_keeps_order_and_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    made = foldered()
    before = order_of(made.of(GLOBAL)[0].book)
    calls = count_trees(monkeypatch)
    ref = EntryRef(GLOBAL, 0, 2)
    typed = edits.set_fields(made, [FieldChange(ref, "content", "other")]).workspace
    after = order_of(typed.of(GLOBAL)[0].book, before)
    assert calls == []
    assert after.root is before.root
    assert order_of(typed.of(GLOBAL)[0].book, after).places is after.places
    ref = EntryRef(GLOBAL, 0, 6)
    parting = {"comment": "--- X ---", "key": [], "content": ""}
    named = edits.set_fields(typed, [FieldChange(ref, name, value) for name, value in parting.items()]).workspace
    order_of(named.of(GLOBAL)[0].book, after)
    assert calls == [1], "an entry that becomes a separator is another matter"


def same(first: BookOrder, second: BookOrder) -> bool:
    return (list(first.places), first.root) == (list(second.places), second.root)


def test_what_is_kept_is_what_would_be_made_anew() -> None:
    made = small_workspace()
    order = order_of(made.of(GLOBAL)[0].book)
    steps: list[Callable[[Workspace], Edited]] = [
        lambda work: order_edits.place_entries(work, [EntryRef(GLOBAL, 0, 5)], 1),
        lambda work: edits.set_fields(work, [FieldChange(EntryRef(GLOBAL, 0, 0), "comment", "x")]),
        lambda work: folder_edits.new_folder(work, GLOBAL, 0, "Empty"),
        lambda work: folder_edits.put_into_folder(work, [EntryRef(GLOBAL, 0, 3)], "Full"),
        lambda work: order_edits.place_entries(work, [EntryRef(GLOBAL, 0, 7)], 0),
        lambda work: edits.delete_entries(work, [EntryRef(GLOBAL, 0, 3)]),
        lambda work: folder_edits.delete_folder(work, GLOBAL, 0, "Empty"),
    ]
    for step in steps:
        made = step(made).workspace
        held = made.of(GLOBAL)[0].book
        order = order_of(held, order)
        assert same(order, order_of(held))


def test_what_lasts_is_counted_in_messages() -> None:
    scene = scene_of(small_workspace())
    replay = Replay(scene, tokens.counter("estimate"))
    replay.prepare()
    while not replay.complete:
        replay.advance()
    assert replay.catalogue
    bell, later = (replay.catalogue.index(EntryRef(GLOBAL, 0, place)) for place in (1, 9))
    assert bell is not None
    assert later is not None
    left = [lasting(replay.picture(number)) for number in range(4)]
    assert [found.get(bell) for found in left] == [3, 1, None, None], "sticky for three messages, two a turn"
    assert [found.get(later) for found in left] == [4, 2, None, None], "it waits for the sixth message"


def test_a_cooldown_is_counted_too() -> None:
    made = small_workspace()
    ref = EntryRef(GLOBAL, 0, 1)
    changes = [FieldChange(ref, "sticky", 0), FieldChange(ref, "cooldown", 5)]
    scene = scene_of(edits.set_fields(made, changes).workspace)
    replay = Replay(scene, tokens.counter("estimate"))
    replay.prepare()
    while not replay.complete:
        replay.advance()
    assert replay.catalogue
    bell = replay.catalogue.index(ref)
    assert bell is not None
    assert [lasting(replay.picture(number)).get(bell) for number in range(4)] == [5, 3, 1, None]
