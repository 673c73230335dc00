"""Whose change is whose, and both together in their bytes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.formats import detect
from lorebook_tui.formats.entry_edits import with_entries, with_fields, with_sequence, without_entries
from lorebook_tui.model.js import MISSING
from lorebook_tui.workspace.conflict import ChangeKind, FieldWay, Side, Who, diff, diff_lines, three_way
from lorebook_tui.workspace.differences import ValueChange, change_text
from lorebook_tui.workspace.merging import merge

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded


def world(count: int = 4, **extra: Any) -> Loaded:
    entries = {
        str(n): {"uid": n, "key": [f"k{n}"], "content": f"text {n}", "comment": f"E{n}", "order": 100}
        for n in range(count)
    }
    return detect.load(json.dumps({"entries": entries, **extra}, indent=4).encode(), "a.json")


def book(count: int = 4) -> Loaded:
    entries = [
        {
            "id": n,
            "keys": [f"k{n}"],
            "comment": f"E{n}",
            "content": f"text {n}",
            "insertion_order": 1,
            "enabled": True,
            "extensions": {"depth": 4},
        }
        for n in range(count)
    ]
    return detect.load(json.dumps({"name": "B", "entries": entries, "extensions": {}}).encode(), "b.json")


def edit(loaded: Loaded, entry: int, **fields: Any) -> Loaded:
    target = loaded.books[0].entries[entry]
    return with_fields(loaded, [(target, name, value) for name, value in fields.items()])


def titles(loaded: Loaded) -> list[str]:
    return [entry.title for entry in loaded.books[0].entries]


def field(loaded: Loaded, title: str, name: str) -> Any:
    (entry,) = (entry for entry in loaded.books[0].entries if entry.title == title)
    return entry.get(name)


def test_no_difference() -> None:
    assert not diff(world(), world())
    assert diff_lines(diff(world(), world())) == ()
    assert three_way(world(), world(), world()).entries == ()


def test_lines_of_a_difference() -> None:
    old = world(name="Old")
    new = edit(old, 0, order=121, key=["k0", "bell"], content="x" * 100)
    new = without_entries(new, [new.books[0].entries[2]])
    new = with_entries(new, [{"key": ["new"], "comment": "New", "content": ""}])[0]
    new = new.edited(new.document.set(("name",), "New"))
    found = diff(old, new)
    assert [found.count(kind) for kind in ChangeKind] == [1, 1, 1]
    assert diff_lines(found) == (
        '~ E0: key +"bell"',
        f'~ E0: content "text 0" → "{"x" * 60}…" (+94 characters)',
        "~ E0: order 100 → 121",
        "+ New",
        "- E2",
        '~ name "Old" → "New"',
    )


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (MISSING, None, "f = null"),
        (True, MISSING, "f removed (was true)"),
        (["a", "b"], ["b", "c"], 'f −"a" +"c"'),
        (["a", "b"], ["b", "a"], 'f ["a", "b"] → ["b", "a"]'),
        ([], ["ж" * 80], f'f +"{"ж" * 58}…'),
        ("a\nb", "a\tb", 'f "a\\nb" → "a\\tb"'),
        (
            "s" * 50 + "old" + "t" * 90,
            "s" * 50 + "new" + "t" * 90,
            f'f "…{"s" * 12}old{"t" * 45}…" → "…{"s" * 12}new{"t" * 45}…" (+0 characters)',
        ),
    ],
)
def test_one_change_in_words(before: Any, after: Any, told: str) -> None:
    assert change_text(ValueChange((), "f", before, after)) == told


def test_a_card_s_fields_have_sillytavern_s_names() -> None:
    old = book()
    new = edit(old, 1, order=7, depth=2, disable=True)
    assert diff_lines(diff(old, new)) == ("~ E1: order 1 → 7", "~ E1: enabled true → false", "~ E1: depth 4 → 2")


def test_an_order_of_entries() -> None:
    old = book()
    new = with_sequence(old, old.books[0], [3, 0, 1, 2])
    found = diff(old, new)
    assert found.is_reordered
    assert diff_lines(found) == ("~ the entries stand in another order",)


def test_renumbered_entries_are_still_themselves() -> None:
    old = world(3)
    entries = {str(n + 1): {**dict(e.fields), "uid": n + 1} for n, e in enumerate(old.books[0].entries)}
    new = detect.load(json.dumps({"entries": entries}).encode(), "a.json")
    found = diff(old, new)
    assert [each.kind for each in found.entries] == [ChangeKind.CHANGED] * 3
    assert {change.name for each in found.entries for change in each.fields} == {"uid"}


def test_a_rewritten_and_renumbered_entry_is_known_by_its_text() -> None:
    text = "Under the landing hangs a bell that no one has cast."
    old = detect.load(
        json.dumps({"entries": {"3": {"uid": 3, "key": [], "content": text, "comment": "Bell"}}}).encode(), "a"
    )
    new = detect.load(
        json.dumps({"entries": {"9": {"uid": 9, "key": [], "content": text + " Yet.", "comment": "A bell"}}}).encode(),
        "a",
    )
    (change,) = diff(old, new).entries
    assert change.kind is ChangeKind.CHANGED
    other = detect.load(
        json.dumps({"entries": {"9": {"uid": 9, "key": [], "content": "Salt.", "comment": "Tithe"}}}).encode(), "a"
    )
    assert [each.kind for each in diff(old, other).entries] == [ChangeKind.ADDED, ChangeKind.REMOVED]


def test_fields_of_both_sides_come_together() -> None:
    base = world()
    mine = edit(base, 0, order=1, content="mine")
    theirs = edit(base, 0, key=["theirs"], probability=50)
    ways = three_way(base, theirs, mine)
    assert ways.conflicts == ()
    (way,) = ways.entries
    assert (way.kind, way.who) == (ChangeKind.CHANGED, Who.BOTH)
    assert {each.name: each.who for each in way.fields} == {
        "order": Who.MINE, "content": Who.MINE, "key": Who.THEIRS, "probability": Who.THEIRS,
    }  # fmt: skip
    made = merge(ways)
    assert dict(made.books[0].entries[0].fields) == {
        "uid": 0, "key": ["theirs"], "content": "mine", "comment": "E0", "order": 1, "probability": 50,
    }  # fmt: skip


def test_their_bytes_with_my_edit_in_them() -> None:
    base = world()
    theirs = detect.load(detect.dump(base).replace(b'"order": 100', b'"order" : 1e2', 1), "a.json")
    made = merge(three_way(base, theirs, edit(base, 2, content="mine")))
    assert detect.dump(made) == detect.dump(theirs).replace(b"text 2", b"mine")


def test_the_same_change_on_both_sides_is_no_conflict() -> None:
    base = world()
    both = edit(base, 0, order=7)
    ways = three_way(base, detect.load(detect.dump(both), "a.json"), both)
    assert [way.who for way in ways.entries] == [Who.BOTH]
    assert detect.dump(merge(ways)) == detect.dump(both)


@pytest.mark.parametrize(("side", "order"), [(Side.MINE, 1), (Side.THEIRS, 2)])
def test_a_conflict_is_chosen(side: Side, order: int) -> None:
    base = world()
    ways = three_way(base, edit(base, 1, order=2, content="theirs"), edit(base, 1, order=1, disable=True))
    assert ways.conflicts == ((0, ("order",)),)
    assert ways.entries[0].who is Who.CONFLICT
    way = ways.of(ways.conflicts[0])
    assert isinstance(way, FieldWay)
    assert (way.base, way.mine, way.theirs) == (100, 1, 2)
    with pytest.raises(UsageError, match="same field"):
        merge(ways)
    for made in (merge(ways, {ways.conflicts[0]: side}), merge(ways, default=side)):
        assert field(made, "E1", "order") == order
        assert field(made, "E1", "content") == "theirs"
        assert field(made, "E1", "disable") is True


def test_keys_that_both_sides_added() -> None:
    base = edit(world(), 1, key=["old", "gone"])
    theirs, mine = edit(base, 1, key=["old", "gone", "theirs"]), edit(base, 1, key=["mine", "old"])
    ways = three_way(base, theirs, mine)
    (place,) = ways.conflicts
    assert field(merge(ways, {place: Side.BOTH}), "E1", "key") == ["old", "theirs", "mine"]
    clash = three_way(base, edit(base, 1, order=1), edit(base, 1, order=2))
    way = clash.of(clash.conflicts[0])
    assert isinstance(way, FieldWay)
    assert not way.can_be_both
    assert field(merge(clash, default=Side.BOTH), "E1", "order") == 2
    fresh = three_way(base, edit(base, 1, keysecondary=["a"]), edit(base, 1, keysecondary=["b"]))
    assert field(merge(fresh, default=Side.BOTH), "E1", "keysecondary") == ["a", "b"]


def test_lists_of_objects_are_told_item_by_item() -> None:
    old = world(extensions={"rows": [{"a": 1}, {"a": 2}]})
    new = old.edited(old.document.set(("extensions", "rows"), [{"a": 1}, {"a": 3}, {"a": 4}]))
    assert diff_lines(diff(old, new)) == ("~ extensions.rows.1.a 2 → 3", '~ extensions.rows.2 = {"a": 4}')


def test_removed_by_one_and_untouched_by_the_other() -> None:
    base = world()
    mine = without_entries(base, [base.books[0].entries[0]])
    theirs = without_entries(base, [base.books[0].entries[3]])
    ways = three_way(base, theirs, mine)
    assert [(way.title, way.kind, way.who) for way in ways.entries] == [
        ("E3", ChangeKind.REMOVED, Who.THEIRS), ("E0", ChangeKind.REMOVED, Who.MINE),
    ]  # fmt: skip
    assert titles(merge(ways)) == ["E1", "E2"]


def test_removed_by_both() -> None:
    base = world()
    gone = without_entries(base, [base.books[0].entries[0]])
    ways = three_way(base, gone, gone)
    assert [way.who for way in ways.entries] == [Who.BOTH]
    assert detect.dump(merge(ways)) == detect.dump(gone)


@pytest.mark.parametrize("who_removed", [Side.MINE, Side.THEIRS])
@pytest.mark.parametrize("side", [Side.MINE, Side.THEIRS])
@pytest.mark.parametrize("make", [world, book])
def test_removed_by_one_and_changed_by_the_other(make: Any, who_removed: Side, side: Side) -> None:
    base = make()
    gone, kept = without_entries(base, [base.books[0].entries[1]]), edit(base, 1, content="changed")
    mine, theirs = (gone, kept) if who_removed is Side.MINE else (kept, gone)
    ways = three_way(base, theirs, mine)
    assert ways.conflicts == ((0, ()),)
    assert ways.of((0, ())) is ways.entries[0]
    assert ways.entries[0].who is Who.CONFLICT
    assert titles(merge(ways, default=Side.BOTH)) == ["E0", "E1", "E2", "E3"]
    made = merge(ways, {(0, ()): side})
    if side is who_removed:
        assert titles(made) == ["E0", "E2", "E3"]
    else:
        assert titles(made) == ["E0", "E1", "E2", "E3"]
        assert field(made, "E1", "content") == "changed"


@pytest.mark.parametrize("make", [world, book])
def test_entries_added_on_both_sides_keep_apart(make: Any) -> None:
    base = make()
    mine = with_entries(base, [{"key": ["m"], "comment": "Mine", "content": "my own"}])[0]
    theirs = with_entries(base, [{"key": ["t"], "comment": "Theirs", "content": "of another kind altogether"}])[0]
    ways = three_way(base, theirs, mine)
    assert [(way.title, way.kind, way.who) for way in ways.entries] == [
        ("Mine", ChangeKind.ADDED, Who.MINE), ("Theirs", ChangeKind.ADDED, Who.THEIRS),
    ]  # fmt: skip
    made = merge(ways)
    assert sorted(titles(made)) == ["E0", "E1", "E2", "E3", "Mine", "Theirs"]
    uids = [entry.uid for entry in made.books[0].entries]
    assert len(set(uids)) == len(uids)
    assert not [finding for finding in made.report if finding.code.startswith("duplicate")]


def test_the_same_entry_added_on_both_sides_is_there_once() -> None:
    base = world()
    mine = with_entries(base, [{"key": ["m"], "comment": "New", "content": "new", "order": 1}])[0]
    theirs = with_entries(base, [{"key": ["m"], "comment": "New", "content": "new", "order": 2}])[0]
    ways = three_way(base, theirs, mine)
    assert ways.conflicts == ((0, ("order",)),)
    assert field(merge(ways, default=Side.MINE), "New", "order") == 1
    assert three_way(base, mine, mine).entries == ()


@pytest.mark.parametrize(("mine_moves", "theirs_moves", "order"), [
    (True, False, ["E3", "E0", "E1", "E2"]), (False, True, ["E1", "E0", "E2", "E3"]), (True, True, ["E1", "E0", "E2", "E3"]),
])  # fmt: skip
def test_an_order_that_one_side_changed(mine_moves: bool, theirs_moves: bool, order: list[str]) -> None:
    base = book()
    mine = with_sequence(base, base.books[0], [3, 0, 1, 2]) if mine_moves else edit(base, 0, content="x")
    theirs = with_sequence(base, base.books[0], [1, 0, 2, 3]) if theirs_moves else edit(base, 1, content="y")
    assert titles(merge(three_way(base, theirs, mine))) == order


def test_an_added_entry_stands_behind_its_neighbour() -> None:
    base = book()
    from lorebook_tui.formats.entry_edits import with_entries

    mine, _ = with_entries(base, [{"key": ["m"], "comment": "Mine", "content": "m"}], before=2)
    theirs = without_entries(base, [base.books[0].entries[3]])
    assert titles(merge(three_way(base, theirs, mine))) == ["E0", "E1", "Mine", "E2"]
    first, _ = with_entries(base, [{"key": ["m"], "comment": "Mine", "content": "m"}], before=0)
    assert titles(merge(three_way(base, theirs, first))) == ["Mine", "E0", "E1", "E2"]


def test_what_is_no_entry_stays() -> None:
    base = detect.load(b'{"entries": {"0": 5, "1": {"uid": 1, "key": ["a"], "content": "x"}}}', "a.json")
    made = merge(three_way(base, base, edit(base, 0, content="y")))
    assert detect.dump(made) == detect.dump(base).replace(b'"x"', b'"y"')


def test_members_of_the_book() -> None:
    base = world(name="N", extensions={"a": 1, "b": {"c": 1}})
    mine = base.edited(base.document.set(("extensions", "b", "c"), 2).set(("extensions", "new"), [1]))
    theirs = base.edited(base.document.set(("extensions", "a"), 3).set(("name",), "T"))
    ways = three_way(base, theirs, mine)
    assert {each.name: each.who for each in ways.others} == {
        "extensions.a": Who.THEIRS, "extensions.b.c": Who.MINE, "extensions.new": Who.MINE, "name": Who.THEIRS,
    }  # fmt: skip
    assert merge(ways).document.value["extensions"] == {"a": 3, "b": {"c": 2}, "new": [1]}
    clash = three_way(base, theirs, base.edited(base.document.set(("name",), "M")))
    assert clash.conflicts == ((-1, ("name",)),)
    assert isinstance(clash.of((-1, ("name",))), FieldWay)
    assert merge(clash, default=Side.MINE).document.value["name"] == "M"
    assert merge(clash, default=Side.MINE).document.value["extensions"]["a"] == 3


def chat(count: int) -> Loaded:
    lines = [json.dumps({"name": "A", "mes": f"text {number}", "is_user": False}) for number in range(count)]
    return detect.load("\n".join(lines).encode(), "c.jsonl")


def test_a_chat_that_went_on_elsewhere() -> None:
    base = chat(3)
    mine = base.edited(base.documents[1].set(("mes",), "mine"), 1)
    theirs = chat(5)
    ways = three_way(base, theirs, mine)
    assert ways.conflicts == ()
    made = merge(ways)
    assert made.transcript is not None
    assert [message.text for message in made.transcript.messages] == ["text 0", "mine", "text 2", "text 3", "text 4"]
    assert merge(three_way(base, theirs, base)) is theirs


def test_chats_that_both_went_on_are_chosen_as_a_whole() -> None:
    base, mine, theirs = chat(3), chat(4), chat(5)
    ways = three_way(base, theirs, mine)
    assert ways.conflicts == ((-1, ()),)
    assert merge(ways, default=Side.MINE) is mine
    assert merge(ways, default=Side.THEIRS) is theirs
    assert merge(three_way(base, base, mine)) is mine
    text = "You: hi\nMira: hello\nYou: bye\nMira: bye"
    one = detect.load(text.encode(), "c.txt")
    other = detect.load((text + "\nYou: more").encode(), "c.txt")
    assert merge(three_way(one, one, other)) is other
    assert diff_lines(diff(one, other))[0].startswith('~ the file +"You: more"')


def test_files_of_two_kinds_are_chosen_as_a_whole() -> None:
    base = world()
    ways = three_way(base, book(), edit(base, 0, order=1))
    assert ways.conflicts == ((-1, ()),)
    assert merge(ways, default=Side.MINE) is ways.mine


def test_a_book_taken_out_of_a_card() -> None:
    card = {"spec": "chara_card_v2", "data": {"name": "M", "first_mes": "", "description": "", "character_book": None}}
    without = detect.load(json.dumps(card).encode(), "m.json")
    card["data"]["character_book"] = {"entries": [{"id": 1, "keys": ["a"], "content": "x"}]}  # type: ignore[index]
    with_book = detect.load(json.dumps(card).encode(), "m.json")
    found = diff(with_book, without)
    assert [each.kind for each in found.entries] == [ChangeKind.REMOVED]
    assert [each.kind for each in diff(without, with_book).entries] == [ChangeKind.ADDED]
    assert three_way(with_book, without, with_book).others[0].path == ()


def test_big_books_are_compared_quickly() -> None:
    old = world(3000)
    new = edit(old, 1500, order=1)
    assert diff_lines(diff(old, new)) == ("~ E1500: order 100 → 1",)
