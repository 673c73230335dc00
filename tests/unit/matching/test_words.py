from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.words import find_plain, is_whole_word_key, match_plain

MATCHES: list[tuple[str, str, bool, bool]] = json.loads(
    gzip.decompress((Path(__file__).parents[2] / "golden/words/answers.json.gz").read_bytes())
)["matches"]


def test_answers_equal_those_recorded_from_node() -> None:
    assert len(MATCHES) == 4000
    assert 1000 < sum(row[3] for row in MATCHES) < sum(row[2] for row in MATCHES) < 3000
    wrong = [
        (text, key)
        for text, key, anywhere, word in MATCHES
        if (match_plain(text, key, whole_words=False), match_plain(text, key, whole_words=True)) != (anywhere, word)
    ]
    assert wrong == []


@pytest.mark.parametrize("whole_words", [False, True])
def test_spans_are_there_exactly_when_the_key_matches(whole_words: bool) -> None:
    for text, key, anywhere, word in MATCHES:
        if key:
            assert bool(find_plain(text, key, whole_words=whole_words)) == (word if whole_words else anywhere), (
                text,
                key,
            )


@pytest.mark.parametrize(
    ("text", "key", "anywhere", "word"),
    [
        ("maine is lovely, ain't it?", "ai", True, False),
        ("the ai woke.", "ai", True, True),
        ("post it with #hello today", "#hello", True, True),
        ("say#hello", "#hello", True, False),
        ("黒猫がいる", "猫", True, True),
        ("东京都に住む", "東京", False, False),
        ("เขาพยายาม", "ยา", True, True),
        ("앨리스가 왔다", "앨리스", True, True),
        ("который", "кот", True, True),
        ("rené", "ren", True, True),
        ("café", "cafe", False, False),
        ("viking arthurian", "king arthur", True, True),
        ("king\u00a0arthur", "king arthur", False, False),
        ("a_x b", "x", True, False),
        ("co-op", "co", True, True),
        ("don’t", "don't", False, False),
        ("naïve", "ve", True, True),
        ("c++11", "c++", True, False),
        ("\x01mira: hi", "mira", True, True),
    ],
)
def test_reported_cases(text: str, key: str, anywhere: bool, word: bool) -> None:
    assert match_plain(text, key, whole_words=False) is anywhere
    assert match_plain(text, key, whole_words=True) is word


def test_case_folding_is_the_callers_and_keeps_sharp_s() -> None:
    assert not match_plain(lower("STRASSE"), lower("straße"), whole_words=True)
    assert match_plain(lower("İSTANBUL"), lower("İstanbul"), whole_words=True)


@pytest.mark.parametrize(
    ("text", "key", "whole_words", "spans"),
    [
        ("bell, bell; bells", "bell", False, ((0, 4), (6, 10), (12, 16))),
        ("bell, bell; bells", "bell", True, ((0, 4), (6, 10))),
        ("aaaa", "aa", False, ((0, 2), (2, 4))),
        ("xaa aa", "aa", True, ((4, 6),)),
        ("a.a.a a.a", "a.a", True, ((0, 3), (6, 9))),
        ("b-b-b", "b", True, ((0, 1), (2, 3), (4, 5))),
        ("no", "bell", False, ()),
        ("anything", "", True, ()),
        ("x😀y", "\ud83d", False, ((1, 2),)),
        ("x😀y", "\ude00y", False, ((1, 3),)),
        ("x\ud83d\ude00y", "😀", False, ((1, 3),)),
        ("😀 \ud83d cat", "cat", True, ((4, 7),)),
    ],
)
def test_spans(text: str, key: str, whole_words: bool, spans: tuple[tuple[int, int], ...]) -> None:
    assert find_plain(text, key, whole_words=whole_words) == spans


def test_empty_key_needs_a_place_between_boundaries() -> None:
    assert match_plain("", "", whole_words=True)
    assert match_plain("\x01a", "", whole_words=True)
    assert not match_plain("a b", "", whole_words=True)
    assert match_plain("a b", "", whole_words=False)


def test_white_space_decides_whether_whole_words_apply() -> None:
    assert is_whole_word_key("c++")
    assert not is_whole_word_key("king arthur")
    assert not is_whole_word_key(" cat")
    assert is_whole_word_key("a\x1cb")
