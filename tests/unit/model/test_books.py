from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.model.book import Book, book_from_fields
from lorebook_tui.model.cast import Cast, Character, Group
from lorebook_tui.model.decorators import split_sillytavern
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import Layer, Layers
from lorebook_tui.model.scenario import Scenario
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Message, Transcript


def made(**fields: Any) -> Entry:
    return Entry(fields, "0")


def test_missing_fields_are_not_filled_in() -> None:
    empty = made()
    assert empty.get("order") is MISSING
    assert empty.get("order", 5) == 5
    assert (empty.uid, empty.uid_text, empty.content, empty.keys, empty.secondary_keys) == (
        MISSING,
        "undefined",
        "",
        (),
        (),
    )


def test_only_texts_count_as_keys_and_content() -> None:
    odd = made(key=["a", 1, None, "b"], keysecondary="x", content=["x"], uid=2.0)
    assert (odd.keys, odd.secondary_keys, odd.content, odd.uid_text) == (("a", "b"), (), "", "2")


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"comment": " The bell ", "key": ["k"]}, " The bell "),
        ({"comment": "  ", "key": [" ", "k"], "uid": 3}, "k"),
        ({"comment": 12}, "12"),
        ({"comment": True, "uid": 3}, "#3"),
        ({"comment": None, "key": [], "uid": "x"}, "#x"),
        ({}, "#undefined"),
    ],
)
def test_title_is_comment_then_key_then_uid(fields: dict[str, Any], title: str) -> None:
    assert made(**fields).title == title


def test_flags_are_true_in_the_sense_of_javascript() -> None:
    assert made(constant="no").is_on("constant")
    assert not made(constant=0).is_on("constant")
    assert not made().is_on("constant")


def test_a_book_is_walked_as_javascript_walks_it() -> None:
    book = book_from_fields("b", {"x": {"uid": 1}, "10": {"uid": 2}, "2": {"uid": 3}, "a": {"uid": 4}})
    assert [entry.uid for entry in book.entries] == [1, 2, 3, 4]
    assert [entry.uid for entry in book.walked] == [3, 2, 1, 4]
    assert book.entries[0].path == ("entries", "x")


def test_find_prefers_uid_then_title_then_part_of_title_or_key() -> None:
    book = book_from_fields(
        "b",
        {
            "0": {"uid": 0, "comment": "Bell", "key": ["ring"]},
            "1": {"uid": 1, "comment": "The drowned bell"},
            "2": {"uid": 2, "comment": "1", "key": ["Bells"]},
        },
    )
    assert [entry.uid for entry in book.find("1")] == [1]
    assert [entry.uid for entry in book.find("#2")] == [2]
    assert [entry.uid for entry in book.find("BELL")] == [0]
    assert [entry.uid for entry in book.find("bell")] == [0]
    assert [entry.uid for entry in book.find("ells")] == [2]
    assert [entry.uid for entry in book.find("drowned")] == [1]
    assert book.find("nothing") == ()


def test_layers_are_walked_global_first() -> None:
    books = {name: Book(name) for name in "gcpt"}
    layers = Layers((books["g"],), (books["c"],), (books["p"],), (books["t"],))
    assert [(layer, book.name) for layer, book in layers] == [
        (Layer.GLOBAL, "g"),
        (Layer.CHARACTER, "c"),
        (Layer.PERSONA, "p"),
        (Layer.CHAT, "t"),
    ]
    assert [layer.number for layer in Layer] == [1, 2, 3, 4]
    assert layers.of(Layer.CHAT) == (books["t"],)


def test_settings_refuse_an_unknown_name() -> None:
    changed = ScanSettings().with_values({"world_info_depth": 7})
    assert (changed.world_info_depth, ScanSettings().world_info_depth) == (7, 2)
    with pytest.raises(UsageError, match="no setting 'depth'") as refused:
        ScanSettings().with_values({"depth": 7})
    assert "world_info_depth" in refused.value.expected


def test_the_speaker_is_a_member_of_the_group_if_there_is_one() -> None:
    anna, bert = Character("Anna"), Character("Bert")
    assert Cast().speaker is None
    assert Cast(character=anna).speaker is anna
    assert Cast(character=anna, group=Group((anna, bert), 1)).speaker is bert
    assert Cast(character=anna, group=Group(())).speaker is anna


def test_a_scenario_changes_its_books_and_nothing_else() -> None:
    layers = Layers((Book("b"),))
    changed = Scenario(trigger="swipe").with_layers(layers)
    assert (changed.layers, changed.trigger) == (layers, "swipe")
    assert len(Transcript((Message("a"), Message("b")))) == 2


@pytest.mark.parametrize(
    ("content", "known", "rest", "ignored"),
    [
        ("text", (), "text", ()),
        ("@@activate\ntext\n@@activate", ("@@activate",), "text\n@@activate", ()),
        ("@@activate\n@@dont_activate\nx", ("@@activate", "@@dont_activate"), "x", ()),
        ("@@activate now\nx", ("@@activate now",), "x", ("@@activate now",)),
        ("@@activate\r\nx", ("@@activate\r",), "x", ("@@activate\r",)),
        ("@@unknown\n@@@activate\nx", ("@@activate",), "x", ("@@unknown",)),
        ("@@@activate\nx", (), "x", ("@@@activate",)),
        ("@@unknown\n@@activate\n@@@dont_activate\nx", ("@@activate",), "x", ("@@unknown", "@@@dont_activate")),
        ("@@unknown\n@@@other\n@@@activate\nx", ("@@activate",), "x", ("@@unknown", "@@other")),
        ("@@activate", ("@@activate",), "@@activate", ()),
        (" @@activate\nx", (), " @@activate\nx", ()),
        ("@@\nx", (), "x", ("@@",)),
        ("@@activate\n", ("@@activate",), "", ()),
    ],
)
def test_decorators(content: str, known: tuple[str, ...], rest: str, ignored: tuple[str, ...]) -> None:
    assert split_sillytavern(content) == (known, rest, ignored)
