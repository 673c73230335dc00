from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook_tui.matching.fuzzy import NOTES, NearKind, NearMiss, near_misses
from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.words import find_plain


def seen(text: str, key: str, **options: bool) -> list[tuple[str, str]]:
    return [(miss.kind, miss.found) for miss in near_misses(text, key, **options)]


@pytest.mark.parametrize(
    ("text", "key", "misses"),
    [
        ("the forests burn", "forest", [("word_boundary", "forest")]),
        ("x_cat", "cat", [("word_boundary", "cat")]),
        ("don’t go", "don't", [("apostrophe", "don’t")]),
        ("the “bell” rings", 'the "bell"', [("apostrophe", "the “bell”")]),
        ("king\u00a0arthur", "king arthur", [("space", "king\u00a0arthur")]),
        ("king \n arthur", "king arthur", [("space", "king \n arthur")]),
        ("co\u2011op", "co-op", [("dash", "co\u2011op")]),
        ("пришёл Пётр", "петр", [("yo", "Пётр")]),
        ("пришел Петр", "пётр", [("yo", "Петр")]),
        ("a cafe\u0301 here", "café", [("unicode_form", "cafe\u0301")]),
        ("a café here", "cafe\u0301", [("unicode_form", "café")]),
        ("край света", "кра\u0438\u0306", [("unicode_form", "край")]),
        ("앨리스", "\u110b\u1162\u11af리스", [("unicode_form", "앨리스")]),
        ("a forset path", "forest", [("typo", "forset")]),
        ("a fores path", "forest", [("typo", "fores")]),
        ("a foxest path", "forest", [("typo", "foxest")]),
        ("the dark forset path", "dark forest", [("typo", "dark forset")]),
        ("Harowmeer", "Harrowmere", [("typo", "Harowmeer")]),
        ("прстань", "пристань", [("typo", "прстань")]),
        ("say hello", "#hello", [("typo", "hello")]),
        ("o'brein", "o’brien", [("typo", "o'brein")]),
        ("İstanbulda", "İstanbul", [("word_boundary", "İstanbul")]),
    ],
)
def test_what_almost_matches(text: str, key: str, misses: list[tuple[str, str]]) -> None:
    assert seen(text, key) == misses


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "bell"),
        ("bell", ""),
        ("the bell", "bell"),
        ("THE BELL", "bell"),
        ("a rng", "rin"),
        ("пристаньь", "пристань"),
        ("İ am", "i"),
        ("кит", "кот"),
        ("梅花山谷", "梅林山谷"),
        ("すすきの", "すすきぬ"),
        ("the year 2025", "2026"),
        ("level 12", "level 13"),
        ("nothing alike", "forest"),
        ("fxrxst", "forest"),
        ("word", "dark forest"),
    ],
)
def test_what_is_no_near_miss(text: str, key: str) -> None:
    assert seen(text, key) == []


def test_a_real_match_does_not_hide_another_miss() -> None:
    assert seen("forest, forests and forset", "forest") == [("word_boundary", "forest"), ("typo", "forset")]


def test_word_boundary_is_no_fault_without_whole_words() -> None:
    assert seen("the forests", "forest", whole_words=False) == []
    assert seen("viking arthurian", "king arthur") == []


def test_case_matters_only_if_the_key_is_case_sensitive() -> None:
    assert seen("The BELL", "bell", case_sensitive=True) == [("case", "BELL")]
    assert seen("İSTANBUL", "İstanbul", case_sensitive=True) == [("case", "İSTANBUL")]
    assert seen("The Bell", "Bell", case_sensitive=True) == []


def test_typing_errors_come_last_and_nearest_first() -> None:
    misses = near_misses("Harowmeer, Harrowmer, Harrowmeres", "Harrowmere", case_sensitive=False)
    assert [(miss.kind, miss.found, miss.errors) for miss in misses] == [
        ("word_boundary", "Harrowmere", 0),
        ("typo", "Harrowmer", 1),
        ("typo", "Harowmeer", 2),
    ]


def test_distance_two_needs_a_long_key() -> None:
    assert seen("lanten guld", "lantern guild") == [("typo", "lanten guld")]
    assert seen("latern", "lanterns") == []


def test_each_wrong_word_is_shown_once() -> None:
    assert seen("forset forset forset", "forest") == [("typo", "forset")]


def test_no_more_than_the_limit() -> None:
    text = "forests " * 9
    assert len(near_misses(text, "forest")) == 5
    assert len(near_misses(text, "forest", limit=2)) == 2
    assert len(near_misses("forset froest", "forest", limit=1)) == 1


def test_every_kind_has_a_sentence() -> None:
    assert set(NOTES) == set(NearKind)
    for kind in NearKind:
        assert NearMiss(kind, 0, 1, "x", 1).note.endswith(".")
    assert NearMiss(NearKind.TYPO, 0, 1, "x", 1).note == "It differs by one typing error."
    assert NearMiss(NearKind.TYPO, 0, 1, "x", 2).note == "It differs by 2 typing errors."
    assert NearMiss(NearKind.CASE, 0, 1, "x").note == NOTES[NearKind.CASE]


TEXTS = st.lists(
    st.sampled_from(
        [
            "bell",
            "Bell",
            "bells",
            "ball",
            "don't",
            "don’t",
            "a\u00a0b",
            "a b",
            "İ",
            "е\u0308",
            "ё",
            "é",
            "e\u0301",
            " ",
            ", ",
            "co-op",
            "co‑op",
            "\ud83d",
            "😀",
            "forest",
        ]
    ),
    max_size=8,
).map("".join)
KEYS = st.sampled_from(["bell", "Bell", "don't", "a b", "İ", "ё", "é", "e\u0301", "co-op", "forset", "😀", "\ude00"])


@given(text=TEXTS, key=KEYS, case_sensitive=st.booleans(), whole_words=st.booleans())
def test_misses_lie_in_the_text_and_are_no_matches(
    text: str, key: str, case_sensitive: bool, whole_words: bool
) -> None:
    misses = near_misses(text, key, case_sensitive=case_sensitive, whole_words=whole_words)
    assert len({(miss.start, miss.end) for miss in misses}) == len(misses)
    for miss in misses:
        assert miss.found == text[miss.start : miss.end] != ""
    if case_sensitive or "İ" not in text:
        compared = (text, key) if case_sensitive else (lower(text), lower(key))
        matches = set(find_plain(*compared, whole_words=whole_words))
        assert not matches & {(miss.start, miss.end) for miss in misses}


def test_importing_loads_no_distance_library() -> None:
    code = "import sys, lorebook_tui.matching.fuzzy; print('rapidfuzz' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        == "False"
    )
