"""Books made from nothing can be filled, saved and opened again."""

from __future__ import annotations

import json

import pytest

from lorebook_tui.errors import UnsupportedError
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.formats.entry_edits import with_entries
from lorebook_tui.formats.new_book import FORMATS, new_book
from lorebook_tui.model.fields import template


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("file_name", ["Salt & Bells", "Salt & Bells.json", "books/Salt & Bells.JSON", ""])
def test_an_empty_book_opens_as_what_it_is(name: str, file_name: str) -> None:
    made = new_book(name, file_name)
    assert made.require_book().entries == ()
    assert made.require_book().name == ("Salt & Bells" if file_name else "")
    assert made.name == (f"{file_name}.json" if file_name and not file_name.lower().endswith(".json") else file_name)
    again = load(dump(made), made.name)
    assert (again.format.name, again.books) == (name, made.books)


@pytest.mark.parametrize("name", FORMATS)
def test_a_new_book_takes_entries(name: str) -> None:
    fields = {**template(), "key": ["bell"], "content": "Колокол", "comment": "Bell", "depth": 2}
    filled, place = with_entries(new_book(name, "b"), [fields, {**fields, "key": ["mill"]}])
    assert place == 0
    again = load(dump(filled), "b.json")
    assert again.format.name == name
    assert [(entry.uid, entry.keys, entry.get("depth")) for entry in again.require_book().entries] == [
        (0, ("bell",), 2),
        (1, ("mill",), 2),
    ]
    assert not [finding for finding in again.report if finding.code != "not-a-world"]


def test_a_world_looks_as_sillytavern_writes_it() -> None:
    filled, _ = with_entries(new_book("sillytavern", "b"), [{"key": ["bell"], "content": "x"}])
    expected = {"entries": {"0": {"uid": 0, "key": ["bell"], "content": "x"}}}
    assert dump(filled).decode() == json.dumps(expected, indent=4) + "\n"


def test_the_specifications_books_hold_their_name() -> None:
    assert json.loads(dump(new_book("v2_book", "a/Harrow.json")))["name"] == "Harrow"
    assert json.loads(dump(new_book("lorebook_v3", "Harrow")))["data"]["name"] == "Harrow"


def test_other_formats_are_refused() -> None:
    with pytest.raises(UnsupportedError):
        new_book("card", "x")
