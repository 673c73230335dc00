"""Entries go to the clipboard and come back; what else people paste is read too, or refused with a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorebook_tui.errors import LimitError, UnreadableError, UnsupportedError
from lorebook_tui.formats import clip
from lorebook_tui.formats.base import Limits
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.formats.entry_edits import with_entries
from lorebook_tui.formats.json_errors import JsonSyntaxError
from lorebook_tui.model.fields import template

WORLD: dict[str, Any] = {
    "entries": {
        "4": {**template(), "uid": 4, "key": ["bell"], "content": "A bell.", "displayIndex": 9, "other": {"a": [1]}},
        "7": {**template(), "uid": 7, "key": ["/fer+y/i"], "content": "Паром \ud800.", "comment": "Ferry"},
    }
}


def world(value: object = WORLD) -> Any:
    return load(json.dumps(value).encode(), "harrow.json")


def test_entries_come_back_as_they_were() -> None:
    book = world().require_book()
    text = clip.write(book.entries, book)
    assert json.loads(text)["kind"] == "lorebook-entries"
    read = clip.read(text)
    assert read.entries == tuple(WORLD["entries"].values())
    assert (read.book, read.format) == ("harrow", "sillytavern")
    text.encode()  # a clipboard takes no half surrogates


def test_text_beyond_ascii_stays_readable() -> None:
    book = world({"entries": {"0": {"uid": 0, "key": ["паром"], "content": "東京"}}}).require_book()
    assert "паром" in clip.write(book.entries, book)


def test_pasted_entries_get_uids_of_their_own_and_change_nothing_else() -> None:
    loaded = world()
    book = loaded.require_book()
    pasted = clip.for_paste(clip.read(clip.write(book.entries, book)))
    assert all(not {"uid", "displayIndex"} & fields.keys() for fields in pasted)
    grown, place = with_entries(loaded, pasted)
    made = json.loads(dump(grown))["entries"]
    assert list(made) == ["4", "7", "0", "1"]
    assert place == 2
    assert made["4"] == WORLD["entries"]["4"]
    assert made["0"] == {**{k: v for k, v in WORLD["entries"]["4"].items() if k != "displayIndex"}, "uid": 0}


V2 = {"keys": ["bell"], "content": "A bell.", "insertion_order": 7, "enabled": True, "extensions": {"depth": 2}}


@pytest.mark.parametrize(
    ("pasted", "keys"),
    [
        (WORLD["entries"]["4"], [["bell"]]),
        (list(WORLD["entries"].values()), [["bell"], ["/fer+y/i"]]),
        (WORLD, [["bell"], ["/fer+y/i"]]),
        (V2, [["bell"]]),
        ([V2, V2], [["bell"], ["bell"]]),
        ([V2, WORLD["entries"]["4"]], [["bell"], ["bell"]]),
        ({"name": "B", "entries": [V2]}, [["bell"]]),
        ({"spec": "lorebook_v3", "data": {"entries": [V2], "extensions": {}}}, [["bell"]]),
        ({"spec": "chara_card_v2", "data": {"name": "N", "character_book": {"entries": [V2]}}}, [["bell"]]),
        ({"content": "no keys", "constant": True, "order": 3}, [None]),
        ({"lorebookVersion": 5, "entries": [{"text": "t", "keys": ["a"]}]}, [["a"]]),
        ([{"key": "a, b", "content": "t"}, {"key": "c", "content": "t"}], [["a", "b"], ["c"]]),
        ({"content": "no keys", "enabled": True, "insertion_order": 3}, [None]),
    ],
)
def test_what_people_copy_elsewhere_is_read(pasted: object, keys: list[list[str] | None]) -> None:
    assert [fields.get("key") for fields in clip.read(json.dumps(pasted)).entries] == keys


def test_an_entry_of_a_card_speaks_sillytaverns_names() -> None:
    fields = clip.read(json.dumps(V2)).entries[0]
    assert (fields["order"], fields["depth"], fields["disable"]) == (7, 2, False)


def test_a_book_that_tells_its_name_is_known() -> None:
    read = clip.read(json.dumps({"name": "Harrow", "entries": [V2]}))
    assert (read.book, read.format) == ("Harrow", "v2_book")


@pytest.mark.parametrize(
    "text",
    ["A bell.", "{{char}} rings it.", "[Elf: old, tall]", "[", "]", "[[a]]", "42", '"quoted"', "true", "[1, 2]", "{x"],
)
def test_plain_text_becomes_the_content(text: str) -> None:
    read = clip.read(text + "\n")
    assert [fields["content"] for fields in read.entries] == [text]
    assert read.entries[0].keys() == template().keys()
    assert read.format == clip.PLAIN_TEXT


def test_the_first_of_several_lines_is_the_title() -> None:
    fields = clip.read("The bell\r\nNobody has cast it.").entries[0]
    assert (fields["comment"], fields["addMemo"]) == ("The bell", True)
    assert fields["content"] == "The bell\nNobody has cast it."
    assert clip.read(f"{'long ' * 20}\nmore").entries[0]["comment"] == ""


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", UnreadableError),
        (" \n", UnreadableError),
        ('{"kind": "lorebook-entries", "version": 1, "entr', JsonSyntaxError),
        ('[{"key": ["a"]', JsonSyntaxError),
        ("[]", UnreadableError),
        ("{}", UnreadableError),
        ('{"a": 1}', UnreadableError),
        ('[{"a": 1}]', UnreadableError),
        ('{"entries": {}}', UnreadableError),
        ('{"kind": "lorebook-entries", "version": 2, "entries": [{}]}', UnreadableError),
        ('{"kind": "lorebook-entries", "version": true, "entries": [{}]}', UnreadableError),
        ('{"kind": "lorebook-entries", "entries": [{}]}', UnreadableError),
        ('{"kind": "lorebook-entries", "version": 1}', UnreadableError),
        ('{"kind": "lorebook-entries", "version": 1, "entries": []}', UnreadableError),
        ('{"kind": "lorebook-entries", "version": 1, "entries": [1]}', UnreadableError),
        ('{"lorebookVersion": 5, "entries": []}', UnreadableError),
        ('{"worldInfos": []}', UnsupportedError),
        ('[{"name": "A", "mes": "hi", "is_user": true}]', UnreadableError),
    ],
)
def test_what_holds_no_entry_is_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        clip.read(text)


def test_a_ceiling_holds() -> None:
    with pytest.raises(LimitError):
        clip.read('{"key": ["a"], "content": "b"}', Limits(file_bytes=10))


def test_the_origin_of_a_clip_may_be_anything() -> None:
    text = json.dumps({"kind": "lorebook-entries", "version": 1, "book": 3, "entries": [{"key": []}]})
    assert clip.read(text) == clip.Clip(({"key": []},))
