"""Reading JSON: values, encodings, places, and the reasons for refusals."""

from __future__ import annotations

import codecs
import sys

import pytest

from lorebook_tui.errors import LimitError, UnreadableError, UsageError
from lorebook_tui.formats.base import Limits
from lorebook_tui.formats.json_text import JsonSyntaxError, parse, path_text

BOOK = """{
    "entries": {
        "10": {"uid": 10, "order": 2.50, "key": ["a\\u00e9", "b"]},
        "2": {
            "content": "x\\ny",
            "depth": 1e3
        }
    }
}
"""


def test_values_are_those_of_javascript() -> None:
    document = parse('{"a": 1, "b": 2.50, "c": 1e3, "d": "\\ud83d\\ude00", "e": null, "a": 2}')
    assert document.value == {"a": 2, "b": 2.5, "c": 1000.0, "d": "😀", "e": None}
    assert list(document.value) == ["a", "b", "c", "d", "e"]
    assert isinstance(document.value["b"], float)


@pytest.mark.parametrize(
    "data",
    [
        BOOK.encode(),
        codecs.BOM_UTF8 + BOOK.encode(),
        codecs.BOM_UTF16_LE + BOOK.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + BOOK.encode("utf-16-be"),
        BOOK.replace("\n", "\r\n").encode(),
        BOOK.replace("\n", "\r").encode(),
        b' \t{"a":"\\uD83D lone","b":"\xed\xa0\x80"}\n\n',
        b"[2.50, 1e3, 1E+2, -0, 0.10e-05, 123456789012345678901234567890]",
        '"é\\u00e9\\/\u2028"'.encode(),
    ],
)
def test_an_unedited_document_keeps_its_bytes(data: bytes) -> None:
    assert parse(data).dump() == data


def test_every_encoding_gives_the_same_value() -> None:
    mark_16 = codecs.BOM_UTF16_BE + BOOK.encode("utf-16-be")
    assert parse(BOOK.encode()).value == parse(mark_16).value == parse(codecs.BOM_UTF8 + BOOK.encode()).value


def test_an_edit_keeps_encoding_and_mark() -> None:
    data = codecs.BOM_UTF16_LE + '{"a": "x"}'.encode("utf-16-le")
    assert parse(data).set(("a",), "é").dump() == codecs.BOM_UTF16_LE + '{"a": "é"}'.encode("utf-16-le")


@pytest.mark.parametrize(
    ("data", "where", "found"),
    [
        (b'{"a": "caf\xe9"}', "byte 10, line 1", "the byte 0xE9"),
        (b'{\n\n"a": "\xff"}', "byte 9, line 3", "the byte 0xFF"),
        (codecs.BOM_UTF16_LE + b"{\x00}", "byte 4, line 1", "the byte 0x7D"),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_their_place(data: bytes, where: str, found: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        parse(data)
    assert (caught.value.where, caught.value.found) == (where, found)


def test_utf_32_is_named() -> None:
    with pytest.raises(UnreadableError, match="UTF-32"):
        parse(codecs.BOM_UTF32_LE + "{}".encode("utf-32-le"))


@pytest.mark.parametrize(
    ("text", "line", "column", "cause"),
    [
        ('{\n  "a": 1,\n}', 3, 1, 'there is a comma before "}"'),
        ("[1, 2, ]", 1, 8, 'there is a comma before "]"'),
        ('{\n "a": 1\n "b": 2}', 3, 2, "a comma is missing before this"),
        ('{"a": "one" two"}', 1, 13, "a comma is missing before this"),
        ("{'a': 1}", 1, 2, "' is no quotation mark of JSON, only \" is"),
        ("{“a”: 1}", 1, 2, '“ is no quotation mark of JSON, only " is'),
        ("{a: 1}", 1, 2, "a member's name in double quotes is missing"),
        ('{"a" 1}', 1, 6, "a colon is missing after the name"),
        ('{"a": }', 1, 7, "a value is missing"),
        ('{"a": True}', 1, 7, "True is no JSON value"),
        ('{"a": undefined}', 1, 7, "undefined is no JSON value"),
        ('{"a": NaN}', 1, 7, "NaN is no JSON value"),
        ('{"x": "NaN", "a":\n [-Infinity]}', 2, 3, "-Infinity is no JSON value"),
        ('{"a": 1 // note\n}', 1, 9, "there is a comment, which JSON does not have"),
        ('{"a": "x\ny"}', 1, 9, "a line break stands inside a text"),
        ('{"a": "x\ty"}', 1, 9, "a tab stands inside a text"),
        ('{"a": "x\x01y"}', 1, 9, "the control U+0001 stands inside a text"),
        ('{"a": "x\\q"}', 1, 9, "a backslash begins no known escape"),
        ('{"a": "x', 1, 7, 'a text begins here and its closing " is missing'),
        ('{"a": {"b": 1}', 1, 15, "the text ends before the value is complete"),
        ('{"a": 1}\n{"b": 2}', 2, 1, "something follows after the end of the value"),
        ("{\x00}", 1, 2, "there is a zero byte"),
        ("", 1, 1, "the text ends before the value is complete"),
        ('{"a"\r\n:1,\r"b" 2}', 3, 5, "a colon is missing after the name"),
    ],
)
def test_broken_json_tells_line_column_and_cause(text: str, line: int, column: int, cause: str) -> None:
    with pytest.raises(JsonSyntaxError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column, caught.value.cause) == (line, column, cause)
    assert caught.value.where == f"line {line}, column {column}"
    assert caught.value.exit_status == 3


def test_a_line_of_a_bigger_file_counts_from_its_own() -> None:
    with pytest.raises(JsonSyntaxError) as caught:
        parse("{]", first_line=7)
    assert caught.value.line == 7
    assert parse('{"a":\n 1}', first_line=7).line(("a",)) == 8


def test_nesting_is_limited() -> None:
    assert parse("[" * 100 + "]" * 100).value
    with pytest.raises(LimitError):
        parse("[" * 101 + "]" * 101)
    with pytest.raises(LimitError):
        parse("[" * (sys.getrecursionlimit() * 20))
    assert parse("[[]]", Limits(nesting=2)).value == [[]]
    with pytest.raises(LimitError):
        parse('[{"a": []}]', Limits(nesting=2))


def test_size_is_limited() -> None:
    with pytest.raises(LimitError) as caught:
        parse(b"[1, 2, 3]", Limits(file_bytes=8))
    assert "9 bytes" in caught.value.found


def test_a_number_of_thousands_of_digits_is_a_double() -> None:
    text = "[" + "1" * 5000 + ", 2]"
    document = parse(text)
    assert document.value == [float("inf"), 2.0]
    assert document.dump() == text.encode()


def test_places() -> None:
    document = parse(BOOK)
    assert document.line_column(()) == (1, 1)
    assert document.line_column(("entries", "10", "order")) == (3, 36)
    assert document.line_column(("entries", "10", "key", 1)) == (3, 61)
    assert document.line_column(("entries", "2", "depth")) == (6, 22)
    assert BOOK[slice(*document.span(("entries", "10", "order")))] == "2.50"
    assert BOOK[slice(*document.span(("entries", "2", "content")))] == '"x\\ny"'


def test_a_place_that_does_not_exist_is_that_of_its_nearest_ancestor() -> None:
    document = parse(BOOK)
    assert document.line(("entries", "2", "key", 0)) == 4
    assert document.line(("entries", "10", "key", 7)) == document.line(("entries", "10", "key")) == 3
    assert document.line(("entries", "10", "key", "no index")) == 3
    assert document.line(("entries", 0)) == 2
    assert document.line(("entries", "10", "uid", "deeper")) == 3


def test_lines_end_with_any_line_end() -> None:
    for newline in ("\n", "\r\n", "\r"):
        assert parse(BOOK.replace("\n", newline)).line_column(("entries", "2", "depth")) == (6, 22)


def test_values_by_path() -> None:
    document = parse(BOOK)
    assert document.at(("entries", "10", "key", 0)) == "aé"
    assert document.has(("entries", "2"))
    assert not document.has(("entries", "3"))
    assert not document.has(("entries", "10", "key", -1))
    with pytest.raises(UsageError, match=r"entries\.10\.key\.5"):
        document.at(("entries", "10", "key", 5))


def test_hidden_members_are_told_with_their_lines() -> None:
    document = parse('{\n"a": [{"x": 1,\n"x": 2}],\n"b": 1,\n"b": 2,\n"c": {"x": 1}}')
    assert document.has_doubled_names
    assert document.doubled() == ((("a", 0, "x"), 2), (("b",), 4))
    assert document.line(("b",)) == 5
    assert parse('{"a": {"x": 1}, "b": {"x": 1}}').doubled() == ()


def test_names_with_escapes_are_found() -> None:
    document = parse('{"a\\"b": 1,\n "\\u0063": 2}')
    assert document.line(('a"b',)) == 1
    assert document.line(("c",)) == 2


def test_path_text() -> None:
    assert path_text(("entries", 3, "a b", "", "x.y")) == 'entries.3."a b"."".'.removesuffix(".") + '."x.y"'
