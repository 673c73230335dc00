"""One key at a glance: what it is, and what is wrong with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook_tui.engine.key_badges import KeyKind, key_badge
from lorebook_tui.matching.ecma import parse_key
from lorebook_tui.model.js import trim


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("ferry", KeyKind.PLAIN),
        ("drowned bell", KeyKind.PLAIN),
        ("Salt-tithe", KeyKind.PLAIN),
        ("C-3PO", KeyKind.PLAIN),
        ("暗影", KeyKind.PLAIN),
        ("паром", KeyKind.PLAIN),
        ("9", KeyKind.PLAIN),
        ("/колокол(а|ом)?/i", KeyKind.PATTERN),
        (" /bells?/ ", KeyKind.PATTERN),
        ("/a,b/", KeyKind.PATTERN),
        ("{{char}}", KeyKind.MACROS),
        ("<USER>", KeyKind.MACROS),
        ("/{{char}}s?/i", KeyKind.MACROS),
        ("/bell(/", KeyKind.BROKEN),
        ("/roll", KeyKind.BROKEN),
        ("/bell/x", KeyKind.BROKEN),
        (r"bells?\b", KeyKind.UNMARKED),
        ("колокол(а|ом)?", KeyKind.UNMARKED),
        ("bell|chime", KeyKind.UNMARKED),
        ("bell, chime", KeyKind.JOINED),
        ("森林，树林", KeyKind.JOINED),
        ("森林、树林", KeyKind.JOINED),
        ("bell；chime", KeyKind.JOINED),
        ("bell,", KeyKind.JOINED),
        ("", KeyKind.EMPTY),
        ("  ", KeyKind.BLANK),
        ("AI", KeyKind.SHORT),
        ("龙", KeyKind.SHORT),
        ("кот", KeyKind.SHORT),
        ("The", KeyKind.COMMON),
        ("Время", KeyKind.COMMON),
        ("什么", KeyKind.COMMON),
    ],
)
def test_kinds(key: str, kind: KeyKind) -> None:
    badge = key_badge(key)
    assert badge.kind is kind
    assert bool(badge.note) is (kind is not KeyKind.PLAIN)


def test_a_broken_pattern_says_why_and_where() -> None:
    badge = key_badge("  /bell(/")
    assert badge.offset is not None
    assert "  /bell(/"[badge.offset :].startswith(("(", "/", ""))
    assert "at offset" not in badge.note
    assert key_badge("/bell/x").note == (
        'Taken as plain text, slashes included: unknown flag "x": only g, i, m, s, u, y are flags of a key.'
    )
    assert key_badge("/bell/x").offset == 6


def test_joined_keys_are_taken_apart() -> None:
    badge = key_badge("森林，树林, 暗影")
    assert badge.parts == ("森林", "树林", "暗影")
    assert badge.offset == 2
    assert "full-width" in badge.note
    assert "full-width" not in key_badge("bell, chime").note
    assert key_badge("bell,").parts == ("bell",)


def test_a_pattern_without_slashes_is_offered_with_them() -> None:
    for key in (r"bells?\b", "bell|chime", r"either/or\b"):
        (offered,) = key_badge(key).parts
        assert parse_key(offered) is not None


def test_how_short_is_too_short_depends_on_whole_words() -> None:
    assert key_badge("elf").kind is KeyKind.PLAIN
    assert key_badge("elf", whole_words=False).kind is KeyKind.SHORT
    assert key_badge("кот", whole_words=True).note.startswith("Whole words know only A-Z")
    assert key_badge("elfs", whole_words=False).kind is KeyKind.PLAIN


@given(st.text() | st.from_regex(r"\s?/.*/[gimsuyx]*", fullmatch=True))
def test_every_text_has_a_badge(key: str) -> None:
    badge = key_badge(key)
    assert badge.offset is None or 0 <= badge.offset <= len(key)
    if badge.kind in {KeyKind.PATTERN, KeyKind.BROKEN}:
        assert (parse_key(trim(key)) is not None) is (badge.kind is KeyKind.PATTERN)


@pytest.mark.parametrize("sign", ["[", "(", "a|", "，", "/", "{{", "\\"])
def test_keys_of_strangers_take_no_time(sign: str) -> None:
    assert key_badge("x" + sign * 100_000).kind in KeyKind
