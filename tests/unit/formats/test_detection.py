"""The one door: recognised by content, refused by name."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.errors import LimitError, LorebookError, UnreadableError, UnsupportedError
from lorebook_tui.formats.base import Limits, Reporter, Severity, seen, stem_of
from lorebook_tui.formats.detect import load
from lorebook_tui.formats.json_text import JsonSyntaxError, parse
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Callable

WORLD = {"entries": {"0": {"uid": 0, "key": ["a"], "content": "x"}}}


@pytest.mark.parametrize("name", ["", "x.json", "x.png", "x.jsonl", "x.txt", "x"])
def test_names_do_not_matter(name: str) -> None:
    assert load(json.dumps(WORLD).encode(), name).format.name == "sillytavern"


@pytest.mark.parametrize(
    ("value", "title"),
    [
        ({"lorebookVersion": 5, "entries": []}, "a NovelAI lorebook"),
        ({"scenarioVersion": 1, "lorebook": {}}, "a NovelAI scenario"),
        ({"storyContainerVersion": 1}, "a NovelAI story"),
        ({"kind": "memory", "name": "x", "entries": []}, "an Agnai memory book"),
        ({"kind": "character", "name": "x"}, "an Agnai character"),
        ({"type": "risu", "ver": 1, "data": []}, "a RisuAI lorebook"),
        ({"type": "risuModule", "module": {}}, "a RisuAI module"),
        ({"worldinfo": [{"key": "a", "content": "x"}]}, "a KoboldAI story"),
        ({"folders": {"root": []}, "entries": {"0": {"manual_text": "", "key": []}}}, "KoboldAI United world info"),
        ({"worldInfos": [{"keys": "a", "entry": "x"}]}, "an AI Dungeon world"),
        ({"visible": [["a", "b"]], "internal": []}, "an oobabooga chat"),
        ([{"key": "a,b", "content": "x", "comment": ""}], "a KoboldAI Lite list"),
        ([{"keys": "a, b", "value": "x"}], "an AI Dungeon list"),
        ([{"keys": "a, b", "entry": "x"}], "an AI Dungeon list"),
        ([{"key": ["a"], "keysRaw": "a", "activationMode": "x", "content": "x"}], "a JanitorAI lorebook"),
        ([{"key": ["a"], "keywordsRaw": "a", "content": "x"}], "a JanitorAI lorebook"),
        ([{"key": "a", "secondkey": "", "content": "x", "insertorder": 1}], "a RisuAI list of entries"),
    ],
)
def test_other_products_are_named(value: object, title: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        load(json.dumps(value).encode())
    assert caught.value.found == title
    assert title in caught.value.message
    assert caught.value.hint


def test_a_list_of_entries_with_one_text_for_keys_is_not_koboldais() -> None:
    made = load(json.dumps([{"uid": 0, "key": ["a"], "content": ""}, {"uid": 1, "key": "b", "content": ""}]).encode())
    assert made.format.name == "sillytavern"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The file is empty"),
        (b" \n\t", "The file is empty"),
        (b"\xff\xfe", "The file is empty"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"\n <html lang='en'>", "web page"),
        (b'<?xml version="1.0"?>', "web page"),
        (b"\xff\xd8\xff\xe0 jpeg", "a JPEG image"),
        (b"GIF89a\x00\x00", "a GIF image"),
        (b"RIFF\x00\x00\x00\x00WEBP", "a RIFF file"),
        (b"BM\x00\x00\x00\x00", "a BMP image"),
        (b"%PDF-1.7", "a PDF"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"PK\x03\x04" + bytes(40), "a ZIP archive that is cut off"),
        (b"\x00\x01\x02\xff", "Byte 3 of the file"),
        (b"12", "no lorebook, card or chat"),
        (b'"text"', "no lorebook, card or chat"),
        (b"null", "no lorebook, card or chat"),
        (b"[]", "no lorebook, card or chat"),
        (b"{}", "no lorebook, card or chat"),
        (b'{"a": 1}', "no lorebook, card or chat: it has no `entries`"),
        (b'{"entries": 5}', "`entries` holds no entries"),
        (b'{"entries": null}', "`entries` holds no entries"),
        (b"just words", "plain text"),
        (b"[System: hi]", "broken at line 1, column 2"),
        (b'{"entries": {', "broken at line 1, column 14"),
    ],
)
def test_refusals_say_what_was_seen(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableError, match=message) as caught:
        load(data)
    assert caught.value.exit_status == 3
    assert caught.value.found
    assert caught.value.expected


def test_short_magic_words_may_begin_a_text() -> None:
    assert load(b"BMO: hi\nYou: hello").format.name == "chat_text"
    assert load(b"RIFF: hi\nYou: hello").format.name == "chat_text"


def test_a_risu_module_is_named() -> None:
    with pytest.raises(UnsupportedError, match="RisuAI module"):
        load(b"\x6f\x00" + struct.pack("<I", 3) + b"abc")


def test_size_is_checked_first() -> None:
    with pytest.raises(LimitError, match="20 bytes"):
        load(b"x" * 20, limits=Limits(file_bytes=19))


def test_a_broken_world_is_no_chat() -> None:
    with pytest.raises(JsonSyntaxError) as caught:
        load(b'{\n "entries": {\n  "0": {"mes": "x"},\n }\n}')
    assert (caught.value.line, caught.value.cause) == (4, 'there is a comma before "}"')


def test_lines_that_are_json_but_no_chat() -> None:
    with pytest.raises(JsonSyntaxError, match="something follows"):
        load(b'{"a": 1}\n{"a": 2}\n')
    many = b"\n".join([b'{"a": 1}'] * 60 + [b'{"mes": "late"}'])
    with pytest.raises(JsonSyntaxError):
        load(many)


def test_deeply_nested_lines_do_not_sink_the_search() -> None:
    with pytest.raises(LorebookError):
        load(b'{"a": ' + b"[" * 100_000 + b"\n")


def test_archives_behind_a_picture_are_found(charx: Callable[..., bytes], png: Callable[..., bytes]) -> None:
    card = json.dumps({"spec": "chara_card_v3", "data": {"name": "M"}}).encode()
    assert load(charx({"card.json": card}, before=b"\xff\xd8\xff\xe0")).container.kind == "charx"
    assert load(png(after=charx({"card.json": card}))).container.kind == "charx"
    with pytest.raises(UnreadableError, match="no character card"):
        load(png(after=charx({"other": card})))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (5, "the number 5"),
        (2.5, "the number 2.5"),
        ("x" * 50, f'the text "{"x" * 40}…"'),
        ([1, 2], "an array of 2"),
        ({}, "an empty object"),
        (dict.fromkeys("abcdefgh"), "an object with a, b, c, d, e, f, …"),
        ({"a": 1}, "an object with a"),
        (MISSING, "nothing"),
    ],
)
def test_values_in_words(value: object, text: str) -> None:
    assert seen(value) == text


def test_stems() -> None:
    assert [stem_of(name) for name in ("a/b.c.json", "c:\\x\\y.png", ".json", "plain", "")] == [
        "b.c",
        "y",
        ".json",
        "plain",
        "",
    ]


def test_reports() -> None:
    reporter = Reporter()
    reporter.add("a", "A.")
    reporter.add("b", "B.", ("x",), line=4, severity=Severity.ERROR)
    reporter.document = parse('{"x":\n 1}')
    reporter.add("c", "C.", ("x",))
    assert [finding.line for finding in reporter.findings] == [None, 4, 2]
