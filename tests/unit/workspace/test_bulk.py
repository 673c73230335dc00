"""Changes of many entries as a preview: values, orders, texts, titles, keys; what is refused, and guards."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.formats import detect
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace import bulk, edits, guards
from lorebook_tui.workspace.bulk_changes import differences
from lorebook_tui.workspace.edits import Edited, FieldChange
from lorebook_tui.workspace.facts import LoreFacts
from lorebook_tui.workspace.field_input import assignment, split_items
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.renumbering import Numbering, renumber
from lorebook_tui.workspace.replacing import Replaced, expanded, replace_text, replacement, summary
from lorebook_tui.workspace.workspace import OpenedBook, Workspace

GLOBAL, CHARACTER = Layer.GLOBAL, Layer.CHARACTER


def opened(layer: Layer, name: str, value: Any) -> OpenedBook:
    loaded = detect.load(json.dumps(value, indent=4).encode(), name)
    return OpenedBook(layer, loaded.require_book(), Source(Path("lore", name), loaded))


def world(*entries: dict[str, Any], name: str = "town.json", layer: Layer = GLOBAL) -> OpenedBook:
    base = {"key": ["k"], "content": "", "comment": "t"}
    return opened(
        layer, name, {"entries": {str(uid): {"uid": uid, **base, **each} for uid, each in enumerate(entries)}}
    )


def card(*entries: dict[str, Any]) -> OpenedBook:
    base = {"keys": ["k"], "content": "", "comment": "t", "enabled": True, "insertion_order": 100, "extensions": {}}
    listed = [{"id": uid, **base, **each} for uid, each in enumerate(entries)]
    data = {"name": "Mira", "first_mes": "", "character_book": {"name": "Mira", "entries": listed}}
    return opened(CHARACTER, "mira.json", {"spec": "chara_card_v2", "data": data})


def workspace(*books: OpenedBook) -> Workspace:
    return Workspace(books, sources=tuple(book.source for book in books))


def refs(made: Workspace) -> list[EntryRef]:
    return list(LoreFacts(made).refs())


def becomes(text: str, *, in_card: bool = False, **fields: Any) -> Any:
    """What the field of one entry becomes; the old value if nothing changes."""
    made = workspace(card(fields) if in_card else world(fields))
    given = assignment(text)
    changes = bulk.set_value(made, refs(made), given)
    after = edits.set_fields(made, changes).workspace if changes else made
    value = after.books[0].book.entries[0].get(given.row.name)
    assert [change.value for change in changes] in ([], [value])
    return value


@pytest.mark.parametrize(
    ("text", "fields", "value"),
    [
        ("order=100", {}, 100),
        ("order=2.5", {}, 2.5),
        ("order=1e3", {}, 1000),
        ("order=+10", {"order": 100}, 110),
        ("order=-10", {"order": 5}, -5),
        ("order=*1.5", {"order": 3}, 4.5),
        ("order=/2", {"order": 100}, 50),
        ("order==-10", {"order": 5}, -10),
        ("order=default", {"order": 5}, 100),
        ("depth= 3 ", {}, 3),
        ("sticky=null", {"sticky": 3}, None),
        ("sticky=none", {"sticky": 3}, None),
        ("position=at depth", {}, 4),
        ("position=at-depth", {}, 4),
        ("position=4", {}, 4),
        ("role=assistant", {}, 2),
        ("logic=and all", {}, 3),
        ("constant=yes", {}, True),
        ("constant=0", {"constant": True}, False),
        ("constant=toggle", {"constant": True}, False),
        ("enabled=no", {}, True),
        ("enabled=yes", {"disable": True}, False),
        ("enabled=toggle", {"disable": True}, False),
        ("disabled=on", {}, True),
        ("caseSensitive=null", {"caseSensitive": True}, None),
        ("level=2", {}, 2),
        ("level=yes", {}, True),
        ("probability=50", {}, 50),
        ("title=The bell", {}, "The bell"),
        ("title=", {}, ""),
        ("title==null", {}, "null"),
        ("content= two  spaces ", {}, " two  spaces "),
        ("content=@@activate", {}, "@@activate"),
        ("content=a=b", {}, "a=b"),
        ("key=a, b ,, c", {}, ["a", "b", "c"]),
        ('key=["a, b", "c"]', {}, ["a, b", "c"]),
        ('key="a, b", c', {}, ["a, b", "c"]),
        ("key=/a{1,2}/i, c", {}, ["/a{1,2}/i", "c"]),
        ('key=["a", 5]', {}, ['["a"', "5]"]),
        ("key=[a, b", {}, ["[a", "b"]),
        ("key=none", {}, []),
        ("key=", {}, []),
        ("key=+gong", {}, ["k", "gong"]),
        ("key=+gong, k, gong", {}, ["k", "gong"]),
        ("key=-K", {"key": ["k", "l"]}, ["l"]),
        ("key=+a,-k", {}, ["a"]),
        ('key=+"-a"', {}, ["k", "-a"]),
        ("key==-a", {}, ["-a"]),
        ("secondary=+x", {}, ["x"]),
        ("triggers=normal, swipe", {}, ["normal", "swipe"]),
        ("triggers=-swipe", {"triggers": ["normal", "swipe"]}, ["normal"]),
        ("character=Mira, Kira", {}, {"isExclude": False, "names": ["Mira", "Kira"], "tags": []}),
        (
            "character=+Kira",
            {"characterFilter": {"isExclude": True, "names": ["Mira"], "tags": ["x"]}},
            {"isExclude": True, "names": ["Mira", "Kira"], "tags": ["x"]},
        ),
        ("character=-mira", {"characterFilter": {"names": ["Mira", 5], "tags": []}}, {"names": [], "tags": []}),
        ('character={"names": []}', {}, {"names": []}),
        ("character=null", {"characterFilter": {"names": []}}, None),
        ("character=default", {"characterFilter": {"names": []}}, MISSING),
        ('extensions={"a": 1}', {}, {"a": 1}),
        ("folder=NPC / Town", {}, {"lorebook_tui": {"folder": "NPC/Town"}}),
        ("folder=", {}, {"lorebook_tui": {"folder": ""}}),
        ("folder=null", {"extensions": {"lorebook_tui": {"folder": "x"}}}, MISSING),
        ("locked=yes", {}, {"lorebook_tui": {"locked": True}}),
        ("locked=no", {"extensions": {"a": 1, "lorebook_tui": {"locked": True}}}, {"a": 1}),
    ],
)
def test_values_as_they_are_written(text: str, fields: dict[str, Any], value: Any) -> None:
    made = becomes(text, **fields)
    assert (made, type(made)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("order", "FIELD=VALUE"),
        ("ordr=1", "order"),
        ("uid=5", "cannot be set"),
        ("order=high", "number"),
        ("order=1e999", "number"),
        ("order=yes", "number"),
        ("depth=2.5", "integer"),
        ("depth=-1", "reckoned"),
        ("depth==-1", "0 to 1000"),
        ("depth=1001", "0 to 1000"),
        ("probability=101", "0 to 100"),
        ("probability=*3", "0 to 100"),
        ("order=/0", "reckoned"),
        ("cooldown=+1", "reckoned"),
        ("groupWeight=0", "1 to 10000"),
        ("position=8", "7 outlet"),
        ("position=nowhere", "7 outlet"),
        ("constant=maybe", "yes or no"),
        ("constant=null", "yes or no"),
        ("caseSensitive=maybe", "null"),
        ("level=x", "level"),
        ("title=null", "title==null"),
        ("key=+", "named to add"),
        ("key=-,", "named to remove"),
        ("triggers=never", "swipe"),
        ("triggers=+never", "swipe"),
        ("character=", "nobody"),
        ("character={", "JSON"),
        ("extensions=5", "object"),
        ("extensions={", "JSON"),
        ("locked=maybe", "yes or no"),
        ("section=examples", "extension data"),
    ],
)
def test_what_a_field_cannot_have_is_refused_with_the_reason(text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        becomes(text, order=100, probability=50)
    error = caught.value
    found = f"{error.message} {error.expected} {error.hint}".replace("comment", "title")
    assert told in found


def test_an_entry_that_cannot_have_its_value_is_named() -> None:
    made = workspace(world({"comment": "First", "sticky": 1}, {"comment": "Second"}))
    with pytest.raises(UsageError) as caught:
        bulk.set_value(made, refs(made), assignment("sticky=+1"))
    assert caught.value.where == "entry 'Second'"


def test_only_entries_that_change_are_told() -> None:
    made = workspace(world({"order": 5}, {"order": 7}, {}))
    changes = bulk.set_value(made, [*refs(made), *refs(made)], assignment("order=5"))
    assert [(change.ref.entry, change.value) for change in changes] == [(1, 5), (2, 5)]


@pytest.mark.parametrize(
    ("text", "fields", "value"),
    [
        ("depth=7", {}, 7),
        ("enabled=no", {}, True),
        ("key=+x", {}, ["k", "x"]),
        ("position=at depth", {}, 4),
        ("role=null", {"extensions": {"role": 1}}, 0),
        ("sticky=null", {"extensions": {"sticky": 1}}, None),
        ("depth=default", {"extensions": {"depth": 9}}, 4),
        ("triggers=swipe", {}, ["swipe"]),
        ("level=default", {}, 0),
        ("displayIndex=default", {"extensions": {"display_index": 7}}, 0),
        ("displayIndex=default", {}, 0),
        ("title=", {}, ""),
    ],
)
def test_a_card_is_told_what_it_will_give_back(text: str, fields: dict[str, Any], value: Any) -> None:
    assert becomes(text, in_card=True, **fields) == value


@pytest.mark.parametrize("text", ["character=Mira", "section=examples", "addMemo=no"])
def test_a_card_cannot_hold_everything(text: str) -> None:
    with pytest.raises(UsageError, match="cannot hold"):
        becomes(text, in_card=True)


def test_items_of_a_list() -> None:
    assert split_items('a, "b, c" , /d,e/i, /f, "g"h') == ["a", "b, c", "/d,e/i", "/f", '"g"h']
    assert split_items(r'"a \"b\""') == ['a "b"']
    assert split_items(" , ") == []


def orders(made: Workspace, numbering: Numbering) -> list[Any]:
    changes = renumber(made, refs(made), numbering)
    after = edits.set_fields(made, changes).workspace if changes else made
    return [entry.get("order") for opened in after.books for entry in opened.book.entries]


@pytest.mark.parametrize(
    ("numbering", "result"),
    [
        (Numbering(), [120, 100, 110]),
        (Numbering(descending=True), [100, 120, 110]),
        (Numbering(sequence="tree"), [100, 110, 120]),
        (Numbering(sequence="tree", descending=True), [120, 110, 100]),
        (Numbering(start=0, step=0.5), [1, 0, 0.5]),
        (Numbering(start=-5, step=5), [5, -5, 0]),
    ],
)
def test_renumbering(numbering: Numbering, result: list[float]) -> None:
    assert orders(workspace(world({"order": 900}, {"order": 1}, {"order": 50})), numbering) == result


def test_renumbering_keeps_what_equal_orders_mean() -> None:
    """The earlier of two is scanned first and stands lower in the prompt, as a higher order would."""
    assert orders(workspace(world({"order": 5}, {"order": 5}, {"order": 1}, {})), Numbering()) == [130, 120, 110, 100]


def test_renumbering_goes_by_the_editor_s_order() -> None:
    made = workspace(world({"displayIndex": 2}, {"displayIndex": 0}, {"displayIndex": 1}))
    assert orders(made, Numbering(sequence="tree")) == [120, 100, 110]


def test_renumbering_each_book_folder_or_group_for_itself() -> None:
    in_folder = {"extensions": {"lorebook_tui": {"folder": "NPC"}}}
    made = workspace(
        world({"order": 1, "group": "a, b"}, {"order": 2, **in_folder}, {"order": 3, "group": "a"}),
        world({"order": 0}, {"order": 4}, name="second.json"),
    )
    assert orders(made, Numbering()) == [110, 120, 130, 100, 140]
    assert orders(made, Numbering(within="book")) == [100, 110, 120, 100, 110]
    assert orders(made, Numbering(within="folder")) == [100, 100, 110, 100, 110]
    assert orders(made, Numbering(within="group")) == [100, 2, 110, 0, 4]


@pytest.mark.parametrize("wrong", [Numbering(step=0), Numbering(step=-1), Numbering(step=float("inf"))])
def test_a_step_that_leads_nowhere(wrong: Numbering) -> None:
    with pytest.raises(UsageError, match="step"):
        renumber(workspace(world({})), [], wrong)
    for numbering in (Numbering(sequence="x"), Numbering(within="x")):
        with pytest.raises(UsageError, match="'x'"):
            renumber(workspace(world({})), [], numbering)


def replaced(
    find: str, put: str, *, fields: tuple[str, ...] = ("content",), in_entry: dict[str, Any], **how: Any
) -> Any:
    made = workspace(world(in_entry))
    found = replace_text(made, refs(made), replacement(find, put, fields, **how))
    after = edits.set_fields(made, found.changes).workspace if found.changes else made
    entry = after.books[0].book.entries[0]
    values = [
        entry.get({"keys": "key", "title": "comment", "secondary": "keysecondary"}.get(name, name)) for name in fields
    ]
    return values[0] if len(values) == 1 else values


@pytest.mark.parametrize(
    ("find", "put", "how", "text", "result"),
    [
        ("bell", "gong", {}, "a bell, a Bell, bells", "a gong, a Bell, gongs"),
        ("bell", "gong", {"ignore_case": True}, "a bell, a Bell", "a gong, a gong"),
        ("bell", "gong", {"whole_words": True}, "bell bells колbell bell_", "gong bells колbell bell_"),
        (".", "!", {}, "a.b", "a!b"),
        ("bell", r"\1$1", {}, "bell", r"\1$1"),
        ("/b(e)(l+)/", "$2$1", {}, "bell bel", "lle le"),
        ("/B/i", "x", {}, "bB", "xx"),
        ("/B/", "x", {"ignore_case": True}, "bB", "xx"),
        ("/(?<year>\\d+)/", "<$<year>>", {}, "in 1999", "in <1999>"),
        ("/^/", "> ", {}, "a", "> a"),
        ("/^/gm", "> ", {}, "a\nb", "> a\n> b"),
        ("/./", "x", {}, "a😀", "xx"),
        ("/a\\/b/", "c", {}, "a/b", "c"),
        ("/a/", "c", {"plain": True}, "a/a/b", "acb"),
        ("{{user}}", "{{char}}", {}, "{{user}} x", "{{char}} x"),
    ],
)
def test_replacing(find: str, put: str, how: dict[str, Any], text: str, result: str) -> None:
    assert replaced(find, put, in_entry={"content": text}, **how) == result


@pytest.mark.parametrize(
    ("template", "result"),
    [
        ("$$", "$"),
        ("$&", "ab"),
        ("[$`|$']", "[x|y]"),
        ("$1-$2", "a-"),
        ("$01", "a"),
        ("$10", "a0"),
        ("$3 $0 $", "$3 $0 $"),
        ("$<n>", "a"),
        ("$<nobody>.", "."),
    ],
)
def test_templates_of_javascript(template: str, result: str) -> None:
    from lorebook_tui.matching import ecma

    match = next(ecma.compile("(?<n>a)b(c)?", "").matches("xaby"))
    assert expanded(template, "xaby", match) == result


def test_a_name_means_nothing_where_no_group_has_one() -> None:
    assert replaced("/(a)/", "$<n>", in_entry={"content": "a"}) == "$<n>"


def test_replacing_in_keys_and_titles() -> None:
    entry = {"key": ["old bell", "/old (bell)/i", "new"], "keysecondary": ["bell"], "comment": "Old bell"}
    made = replaced("bell", "gong", fields=("keys", "secondary", "title"), in_entry=entry)
    assert made == [["old gong", "/old (gong)/i", "new"], ["gong"], "Old gong"]
    assert replaced("/.*bell.*/i", "", fields=("keys",), in_entry=entry) == ["new"]
    with pytest.raises(UsageError, match="no pattern any more"):
        replaced("(bell)", "(", fields=("keys",), in_entry=entry)


def test_every_hit_is_told_with_its_place() -> None:
    made = workspace(world({"content": "x" * 40 + "bell" + "y" * 40, "key": ["a", "bell"]}, {"content": "nothing"}))
    found = replace_text(made, refs(made), replacement("bell", "gong", ("content", "key")))
    assert [(hit.ref.entry, hit.name, hit.item, hit.start, hit.end, hit.found, hit.put) for hit in found.hits] == [
        (0, "content", None, 40, 44, "bell", "gong"),
        (0, "key", 1, 0, 4, "bell", "gong"),
    ]
    assert (found.hits[0].before, found.hits[0].after) == ("x" * 30, "y" * 30)
    assert summary(found) == "2 hits in 1 entry: 1 in content, 1 in key"
    assert summary(Replaced()) == "0 hits in 0 entries"
    assert replace_text(made, refs(made), replacement("bell", "bell")) == Replaced()


def test_a_pattern_that_hits_too_often_is_refused() -> None:
    made = workspace(world({"content": "a" * 100_001}))
    with pytest.raises(UsageError, match="too often"):
        replace_text(made, refs(made), replacement("/a/", "b"))


def test_what_cannot_be_replaced() -> None:
    with pytest.raises(UsageError, match="nothing to find"):
        replacement("", "x")
    with pytest.raises(UsageError, match="'order'"):
        replacement("a", "x", ["order"])
    with pytest.raises(UsageError, match="not valid") as caught:
        replacement("/(/", "x")
    assert "--plain" in caught.value.hint
    assert not replacement("/a", "x").is_pattern


def test_titles_from_first_keys() -> None:
    made = workspace(
        world(
            {"comment": "", "key": ["/bells?/i", " bell "]},
            {"comment": " ", "key": ["", "/gong/"]},
            {"comment": "has one"},
            {"comment": "", "key": []},
            {"comment": 5},
        )
    )
    changes = bulk.fill_titles(made, refs(made))
    assert [(change.ref.entry, change.name, change.value) for change in changes] == [
        (0, "comment", "bell"),
        (1, "comment", "/gong/"),
    ]


def test_doubled_keys_go() -> None:
    made = workspace(
        world(
            {"key": ["bell", "Bell ", "", "/a/", "/A/", "/a/"], "keysecondary": ["x", "x"]},
            {"key": ["bell", "Bell"], "caseSensitive": True},
            {"key": "no list"},
            {"key": [1, 1, "a"]},
        )
    )
    changes = bulk.dedupe_keys(made, refs(made))
    assert [(change.ref.entry, change.name, change.value) for change in changes] == [
        (0, "key", ["bell", "/a/", "/A/"]),
        (0, "keysecondary", ["x"]),
    ]


def test_later_changes_of_a_field_take_the_place_of_earlier_ones() -> None:
    first, second = EntryRef(GLOBAL, 0, 0), EntryRef(GLOBAL, 0, 1)
    changes = [FieldChange(first, "order", 1), FieldChange(second, "order", 2), FieldChange(first, "order", 3)]
    assert bulk.merged(changes) == (FieldChange(first, "order", 3), FieldChange(second, "order", 2))


def checked(before: Workspace, edited: Edited) -> None:
    guards.check([entry for change in differences(before, edited.workspace) for entry in change.entries])


def test_a_content_that_loses_most_of_its_text_is_guarded() -> None:
    made = workspace(world({"content": "word " * 20}, {"content": "short"}))
    everything = refs(made)
    checked(made, edits.set_fields(made, bulk.set_value(made, everything, assignment("content=" + "word " * 10))))
    shrinking = edits.set_fields(made, bulk.set_value(made, everything, assignment("content=word word")))
    with pytest.raises(guards.GuardError, match="most of its text: up to 91 %") as caught:
        checked(made, shrinking)
    assert caught.value.found == "town#0  t"
    checked(made, edits.delete_entries(made, everything))


def test_locked_entries_are_guarded() -> None:
    lock = {"extensions": {"lorebook_tui": {"locked": True}}}
    made = workspace(world(lock, {}))
    both = edits.set_fields(made, bulk.set_value(made, refs(made), assignment("order=5")))
    with pytest.raises(guards.GuardError, match="1 entry is locked"):
        checked(made, both)
    with pytest.raises(guards.GuardError, match="locked"):
        checked(made, edits.delete_entries(made, refs(made)[:1]))
    checked(made, edits.delete_entries(made, refs(made)[1:]))
    checked(made, edits.set_fields(made, bulk.set_value(made, refs(made), assignment("locked=no"))))


def test_differences_by_file_entry_and_field() -> None:
    made = workspace(world({"order": 1}, {"order": 2}, {"order": 3}), card({}, {}))
    edited = edits.set_fields(made, [FieldChange(EntryRef(GLOBAL, 0, 1), "order", 9)])
    (change,) = differences(made, edited.workspace)
    assert (change.source.name, change.lines) == ("town.json", 1)
    (entry,) = change.entries
    assert (entry.reference, entry.title) == ("town#1", "t")
    assert [(field.name, field.before, field.after) for field in entry.fields] == [("order", 2, 9)]
    moved = edits.move_entries(made, [EntryRef(GLOBAL, 0, 0)], CHARACTER, 0)
    gone, come = differences(made, moved.workspace)
    assert [(each.before is None, each.after is None) for each in gone.entries + come.entries] == [
        (False, True),
        (True, False),
    ]
    assert differences(made, made) == ()


def test_removing_from_a_list_changes_no_other_entry() -> None:
    listed = [{"keys": [str(n)], "content": "", "enabled": True, "insertion_order": 1} for n in range(3)]
    book = opened(GLOBAL, "bare.json", {"entries": listed})
    made = workspace(book)
    (change,) = differences(made, edits.delete_entries(made, refs(made)[:1]).workspace)
    assert [each.after is None for each in change.entries] == [True]


def test_a_title_of_a_card_is_one_change() -> None:
    made = workspace(card({"comment": ""}))
    edited = edits.set_fields(made, bulk.set_value(made, refs(made), assignment("title=new")))
    (change,) = differences(made, edited.workspace)
    assert [field.name for field in change.entries[0].fields] == ["comment"]


def count_of_lines(before: str, after: str) -> int:
    opcodes = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False).get_opcodes()
    return sum(max(to_old - old, to_new - new) for kind, old, to_old, new, to_new in opcodes if kind != "equal")


@pytest.mark.parametrize("in_card", [True, False])
@pytest.mark.parametrize("gone", [(0,), (1,), (2,), (0, 2), (1, 2), (0, 1, 2)])
def test_the_lines_of_a_file_that_change_are_counted(gone: tuple[int, ...], in_card: bool) -> None:
    words = ({"content": "one"}, {"content": "two"}, {"content": "three"})
    made = workspace(card(*words) if in_card else world(*words))
    ref = refs(made)[0]
    edited = [
        edits.delete_entries(made, [refs(made)[place] for place in gone]),
        edits.add_entries(made, ref.layer, ref.book, [{"key": ["x"], "content": "new", "comment": "n"}]),
        edits.set_fields(made, bulk.set_value(made, [refs(made)[place] for place in gone], assignment("key=+a,b"))),
    ]
    for each in edited:
        (change,) = differences(made, each.workspace)
        before, after = made.sources[0].loaded.document.text, each.workspace.sources[0].loaded.document.text
        assert change.lines >= count_of_lines(before, after) - (2 if len(gone) == 3 else 0)  # emptied braces move up
        assert change.lines <= count_of_lines(before, after) + 2 * len(gone)


def test_a_file_of_one_line_changes_in_one_line() -> None:
    loaded = detect.load(
        b'{"entries": {"0": {"uid": 0, "key": [], "content": ""}, "1": {"uid": 1, "key": [], "content": ""}}}', "a.json"
    )
    made = workspace(OpenedBook(GLOBAL, loaded.books[0], Source(Path("a.json"), loaded)))
    (change,) = differences(
        made, edits.set_fields(made, bulk.set_value(made, refs(made), assignment("order=5"))).workspace
    )
    assert change.lines == 1
