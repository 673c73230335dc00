"""What foreign text looks like once it may be shown."""

from __future__ import annotations

import sys
import unicodedata
from typing import Any

import pytest
from rich.cells import cell_len

from lorebook_tui.display import cell_width, elide, json_excerpt, pad, plain, quote, row, simple_emoji


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("harmless", "harmless"),
        ("колокол 鐘 naïve", "колокол 鐘 naïve"),
        ("\x1b]52;c;AAAA\x07", "␛]52;c;AAAA␇"),
        ("a\x00b\x7f", "a␀b␡"),
        ("\x9b31m", "�31m"),
        ("one\r\ntwo\tthree", "one␍↵two⇥three"),
        ("a\u2028b\u2029c\x85d", "a␤b␤c␤d"),
        ("user\u202etxt.exe\u202c", "user⇠txt.exe⊣"),
        ("\u2066a\u2069\u200eb\u200f", "⇢a⊣⇢b⇠"),
        ("\ufeffa\u200bb\u00adc\u3164", "¦a¦b¦c¦"),
        ("\ud83d", "�"),
        ("hi\U000e0068\U000e0069", "hi��"),
        ("\ufdd0\uffff\U0010ffff", "���"),
    ],
)
def test_plain_shows_what_would_act_or_hide(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_line_feeds_stay_where_the_caller_shows_lines() -> None:
    assert plain("a\n\x1bb", newline="\n") == "a\n␛b"
    assert plain("a\nb", newline=" ") == "a b"


def test_no_character_gets_through_that_acts_or_hides() -> None:
    """Every code point, in the middle of a text, in this interpreter's Unicode."""
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    everything = "".join("a" + chr(code) for code in range(sys.maxunicode + 1))
    through = {char for char in plain(everything) if unicodedata.category(char) in hidden}
    assert through == set()


def test_selectors_stay_where_they_choose_a_glyph_and_show_where_they_hide_data() -> None:
    assert plain("❤\ufe0f 1\ufe0f\u20e3 ⌚\ufe0e") == "❤\ufe0f 1\ufe0f\u20e3 ⌚\ufe0e"
    assert plain("葛\U000e0100") == "葛\U000e0100"
    assert plain("x\ufe0f") == "x¦"
    assert plain("😀\ufe01\ufe02\ufe03") == "😀¦¦¦"
    assert plain("葛\U000e0100\U000e0101") == "葛\U000e0100¦"
    assert plain("ᠠ\u180b") == "ᠠ\u180b"
    assert plain("a\u180b") == "a¦"


def test_marks_stay_on_letters_but_neither_float_nor_heap() -> None:
    assert plain("e\u0301 שָׁלוֹם ที่") == "e\u0301 שָׁלוֹם ที่"
    assert plain("\u0301a") == "◌a"
    assert plain("a\n\u0301b", newline="\n") == "a\n◌b"
    assert plain("z" + "\u0335" * 10) == "z" + "\u0335" * 8 + "◌◌"


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0),
        ("abc", 3),
        ("日本語", 6),
        ("ｈａｌｆ", 8),
        ("e\u0301", 1),
        ("क्षि", 2),
        ("각\u1112\u1161", 4),
        ("👨\u200d👩\u200d👧", 2),
        ("👍🏽", 2),
        ("🇷🇺", 2),
        ("❤", 1),
        ("❤\ufe0f", 2),
        ("1\ufe0f\u20e3", 2),
        ("☰", 2),
        ("\u3164", 0),
        ("\U0001d301", 2),
        ("\u0378", 1),
        ("\U0001faff", 2),
    ],
)
def test_cell_width(text: str, cells: int) -> None:
    assert cell_width(text) == cells


def test_widths_are_those_that_rich_lays_out_with() -> None:
    """Textual measures by Rich; where both know the character they must agree, or columns break."""
    differing = [
        hex(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(char := chr(code)) not in {"Cn", "Cc", "Cf", "Cs"}
        and cell_width(char) != cell_len(char)
    ]
    assert differing == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("👨\u200d👩\u200d👧 family", "👨 family"),
        ("👍🏽 ok", "👍 ok"),
        ("❤\ufe0f\u200d🔥", "❤"),
        ("1\ufe0f\u20e3 first", "1 first"),
        ("1 first #2", "1 first #2"),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🏴"),
        ("🇷🇺", "🇷🇺"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_simple_emoji(text: str, shown: str) -> None:
    assert simple_emoji(text) == shown


def test_elide_cuts_at_the_wanted_side_and_never_through_a_character() -> None:
    assert elide("short", 5) == "short"
    assert elide("longer", 5) == "long…"
    assert elide("日本語", 4) == "日…"
    assert elide("日本語", 5) == "日本…"
    assert elide("a🇷🇺b", 3) == "a…"
    assert elide("ae\u0301e\u0301", 2) == "a…"
    assert elide("/home/me/worlds/harrowmere.json", 12, at="start") == "…owmere.json"
    assert elide("abcdefghij", 5, at="start") == "…ghij"
    assert elide("abcdefghij", 6, at="middle") == "abc…ij"
    assert elide("anything", 0) == ""
    assert elide("two\nlines", 20) == "two lines"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("mill", "'mill'"),
        (r"/(\w+) of (\w+)/i", r"'/(\w+) of (\w+)/i'"),
        ("Pell's mill", '"Pell\'s mill"'),
        ('it\'s "so"', "'it's \"so\"'"),
        ("a\nb\x1b[31m\u202e", "'a↵b␛[31m⇠'"),
        (7, "7"),
        (None, "None"),
    ],
)
def test_quote_doubles_no_backslash_and_lets_nothing_through(value: object, shown: str) -> None:
    assert quote(value) == shown


def test_pad_fills_to_the_cell() -> None:
    assert pad("ab", 4) == "ab  "
    assert pad("ab", 4, align="right") == "  ab"
    assert pad("日本語", 4) == "日… "
    assert pad("", 2) == "  "


def test_row_is_one_line_of_safe_width() -> None:
    assert row("👨\u200d👩\u200d👧 the\nWrens", 9) == "👨 the W…"


@pytest.mark.parametrize(
    ("value", "cells", "shown"),
    [
        (None, 10, "null"),
        (True, 10, "true"),
        (False, 10, "false"),
        (2.5, 10, "2.5"),
        ("tithe", 10, '"tithe"'),
        ('say "hi"\n', 20, '"say \\"hi\\"\\n"'),
        ("\x9b\u202e", 10, '"�⇠"'),
        ("a long text", 8, '"a lon…"'),
        ([], 10, "[]"),
        ({}, 10, "{}"),
        ([1, 2, 3], 20, "[1, 2, 3]"),
        ([100, 200, 300], 12, "[100, …]"),
        ({"uid": 1, "key": ["a", "b"]}, 30, '{"uid": 1, "key": ["a", "b"]}'),
        ({"uid": 1, "key": ["a", "b"]}, 20, '{"uid": 1, …}'),
        ({"a": {"b": {"c": 1}}}, 12, '{"a": {…}}'),
        ([["deep"]], 4, "[…]"),
    ],
)
def test_json_excerpt(value: Any, cells: int, shown: str) -> None:
    assert json_excerpt(value, cells) == shown


def test_an_excerpt_of_a_bottomless_value_is_short() -> None:
    value: list[Any] = []
    for _ in range(50_000):
        value = [value]
    assert json_excerpt(value, 9) == "[[[[…]]]]"
    assert cell_width(json_excerpt(value, 10_000)) <= 240
