"""A file read again after an edit inside of entries says the same as if all of it were read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.formats import detect
from lorebook_tui.formats.entry_edits import with_entries, with_fields, without_entries
from lorebook_tui.formats.rereading import reread
from lorebook_tui.formats.slim import SlimDocument, SlimFile, slim_document, slim_file
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded


def world(count: int = 4, **extra: Any) -> Loaded:
    entries = {
        str(number): {"uid": number, "key": [f"key{number}"], "content": f"text {number}", "comment": f"E{number}"}
        for number in range(count)
    }
    return detect.load(json.dumps({"entries": entries, **extra}, indent=4).encode(), "a.json")


def card() -> Loaded:
    entries = [
        {"id": number, "keys": [f"k{number}"], "content": "c", "insertion_order": 1, "enabled": True, "extensions": {}}
        for number in range(3)
    ]
    book = {"entries": entries, "extensions": {}}
    data = {"name": "Mira", "first_mes": "Hi", "description": "", "character_book": book}
    return detect.load(json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}).encode(), "mira.json")


def told(loaded: Loaded) -> list[tuple[Any, ...]]:
    """Everything that loading says, lines of findings included."""
    found: list[tuple[Any, ...]] = [
        (each.code, each.message, each.path, each.found, each.line) for each in loaded.report
    ]
    for book in loaded.books:
        found.append((book.name, book.format, dict(book.extras)))
        found += [(entry.key, entry.path, dict(entry.fields)) for entry in book.entries]
    return found


def same_as_read_whole(made: Loaded) -> None:
    assert told(made) == told(detect.load(detect.dump(made), made.name))
    assert set(made.content.sound) == set(detect.load(detect.dump(made), made.name).content.sound)


@pytest.mark.parametrize("make", [world, card])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("content", "другой"),
        ("key", ["a", "b"]),
        ("order", 5),
        ("order", "high"),
        ("disable", True),
        ("uid", 77),
        ("probability", 300),
    ],
)
def test_any_field(make: Any, name: str, value: Any) -> None:
    loaded = make()
    made = with_fields(loaded, [(loaded.books[0].entries[1], name, value)])
    same_as_read_whole(made)


def test_a_content_is_read_quickly_and_others_stay_the_same_objects() -> None:
    loaded = world()
    document = loaded.document.set(("entries", "2", "content"), "new\ntext")
    made = reread(loaded, document)
    assert made is not None
    same_as_read_whole(made)
    kept = [new is old for new, old in zip(made.books[0].entries, loaded.books[0].entries, strict=True)]
    assert kept == [True, True, False, True]


def test_an_entry_with_a_finding_keeps_it_with_its_new_line() -> None:
    loaded = world()
    odd = with_fields(loaded, [(loaded.books[0].entries[3], "order", "high")])
    assert odd.report.of("type")
    document = odd.document.set(("entries", "0", "key"), ["one", "two", "three"])
    made = reread(odd, document)
    assert made is not None
    same_as_read_whole(made)
    assert made.report.of("type")[0].line != odd.report.of("type")[0].line


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("entries", "1", "uid"), 9),
        (("entries", "1", "order"), "high"),
        (("entries", "1", "key"), MISSING),
        (("entries", "1"), 5),
        (("name",), "Other"),
        (("entries", "9"), {"uid": 9}),
    ],
)
def test_whatever_may_concern_more_is_read_whole(path: tuple[str, ...], value: Any) -> None:
    loaded = world(name="One")
    document = loaded.document.changed([(path, value)])
    assert reread(loaded, document) is None
    same_as_read_whole(loaded.edited(document))


def test_a_copy_of_the_imported_book_is_compared_anew() -> None:
    copy = {"entries": [{"id": number, "content": f"text {number}"} for number in range(4)]}
    loaded = world(originalData=copy)
    assert not loaded.report.of("stale-copy")
    made = reread(loaded, loaded.document.set(("entries", "1", "content"), "new"))
    assert made is not None
    assert made.report.of("stale-copy")
    same_as_read_whole(made)
    again = reread(made, made.document.set(("entries", "1", "content"), "text 1"))
    assert again is not None
    assert not again.report.of("stale-copy")


def test_items_that_are_no_entries_do_not_shift_the_others() -> None:
    data = json.dumps({"entries": {"0": 5, "1": {"uid": 1, "key": ["a"], "content": "x"}}}).encode()
    loaded = detect.load(data, "a.json")
    made = reread(loaded, loaded.document.set(("entries", "1", "content"), "y"))
    assert made is not None
    same_as_read_whole(made)


def test_doubled_names_and_books_without_entries_are_read_whole() -> None:
    doubled = detect.load(b'{"entries": {"0": {"uid": 0, "uid": 0, "key": [], "content": ""}}}', "a.json")
    assert reread(doubled, doubled.document.set(("entries", "0", "content"), "y")) is None
    empty = detect.load(b'{"entries": {}}', "a.json")
    assert reread(empty, empty.document.set(("name",), "y")) is None


def test_many_changes_at_once_are_read_whole() -> None:
    loaded = world(300)
    document = loaded.document.changed([(("entries", str(number), "content"), "new") for number in range(300)])
    assert reread(loaded, document) is None


def back_and_forth(older: Loaded, newer: Loaded) -> Loaded:
    slim = slim_file(older, newer)
    assert isinstance(slim, SlimFile)
    made = slim.restored(newer)
    assert detect.dump(made) == detect.dump(older)
    assert told(made) == told(older)
    assert [document.ident for document in made.documents] == [document.ident for document in older.documents]
    return made


def test_an_older_state_comes_back_to_the_last_byte() -> None:
    start = world(50)
    entries = start.books[0].entries
    first = with_fields(start, [(entries[3], "content", "a longer text than before " * 20)])
    second = with_fields(first, [(first.books[0].entries[3], "content", "a longer text than ever " * 20)])
    third = with_entries(without_entries(second, [second.books[0].entries[7]]), [{"key": ["new"], "content": "new"}])[0]
    for older, newer in ((first, second), (second, third), (first, third), (third, second), (third, first)):
        back_and_forth(older, newer)


def test_a_restored_state_can_be_edited_on() -> None:
    start = world(50)
    first = with_fields(start, [(start.books[0].entries[3], "order", 7)])
    second = with_fields(first, [(first.books[0].entries[9], "order", 8)])
    made = back_and_forth(first, second)
    again = with_fields(made, [(made.books[0].entries[9], "order", 8)])
    assert detect.dump(again) == detect.dump(second)


def test_spelling_that_nobody_writes_comes_back() -> None:
    data = b'{"entries": {"0": {"uid": 0, "key": [ ], "content": "a", "order": 2.50, "x": 1e3}, "1" :{"uid":1}}}'
    start = detect.load(data, "a.json")
    first = with_fields(start, [(start.books[0].entries[0], "content", "b")])
    second = first.edited(first.document.remove(("entries", "0", "x")).set(("entries", "0", "order"), 3))
    made = back_and_forth(first, second)
    assert b"2.50" in detect.dump(made)
    assert b"1e3" in detect.dump(made)


def test_a_card_comes_back() -> None:
    start = card()
    first = with_fields(start, [(start.books[0].entries[1], "content", "x" * 300)])
    second = without_entries(first, [first.books[0].entries[0]])
    back_and_forth(first, second)
    third = with_fields(second, [(second.books[0].entries[0], "content", "x" * 200 + "y" * 100)])
    back_and_forth(second, third)


def test_what_was_read_is_kept_as_it_is() -> None:
    start = world()
    first = with_fields(start, [(start.books[0].entries[1], "order", 1)])
    assert slim_file(start, first) is start
    assert slim_file(first, first) is first
    assert slim_document(start.document, first.document) is start.document
    assert isinstance(slim_document(first.document, start.document), SlimDocument)


def test_lines_of_a_chat_are_shared_by_what_they_are() -> None:
    lines = [json.dumps({"name": "A", "mes": f"text {number}", "is_user": False}) for number in range(5)]
    start = detect.load("\n".join(lines).encode(), "c.jsonl")
    first = start.edited(start.documents[1].set(("mes",), "one"), 1)
    second = first.edited(first.documents[3].set(("mes",), "three"), 3)
    slim = slim_file(first, second)
    assert isinstance(slim, SlimFile)
    assert [type(kept).__name__ for kept in slim.documents] == ["int", "int", "int", "SlimDocument", "int"]
    assert detect.dump(slim.restored(second)) == detect.dump(first)
