from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook_tui.matching.jstext import (
    code_point_offset,
    has_surrogates,
    lower,
    original_span,
    split_white_space,
    utf16_units,
)
from lorebook_tui.model.js import WHITE_SPACE

RECORDED: dict[str, Any] = json.loads(
    gzip.decompress((Path(__file__).parents[2] / "golden/words/answers.json.gz").read_bytes())
)
TEXTS = st.text(alphabet=st.sampled_from("aİ😀é\ud83d\ude00Ω "), max_size=8)


def test_lower_case_is_that_of_javascript() -> None:
    assert len(RECORDED["lower"]) > 20
    assert [(text, lower(text)) for text, _ in RECORDED["lower"]] == [
        (text, answer) for text, answer in RECORDED["lower"]
    ]


def test_white_space_splits_as_in_javascript() -> None:
    assert [split_white_space(text) for text, _ in RECORDED["split"]] == [pieces for _, pieces in RECORDED["split"]]


def test_every_white_space_character_splits() -> None:
    assert {len(split_white_space(f"a{char}b")) for char in WHITE_SPACE} == {2}


def test_only_one_character_grows_in_lower_case() -> None:
    assert [chr(code) for code in range(sys.maxunicode + 1) if len(chr(code).lower()) != 1] == ["İ"]


@pytest.mark.parametrize(
    ("text", "span", "original"),
    [
        ("plain", (1, 3), (1, 3)),
        ("İstanbul", (0, 2), (0, 1)),
        ("İstanbul", (0, 1), (0, 1)),
        ("İstanbul", (1, 3), (0, 2)),
        ("İstanbul", (2, 9), (1, 8)),
        ("aİbİc", (3, 4), (2, 3)),
        ("aİbİc", (4, 6), (3, 4)),
        ("aİ", (3, 3), (2, 2)),
        ("aİ", (0, 0), (0, 0)),
    ],
)
def test_span_in_lower_case_leads_back(text: str, span: tuple[int, int], original: tuple[int, int]) -> None:
    assert original_span(text, *span) == original


@given(text=TEXTS, start=st.integers(0, 8), length=st.integers(1, 4))
def test_original_span_covers_what_was_found(text: str, start: int, length: int) -> None:
    lowered = lower(text)
    found = lowered[start : start + length]
    if found:
        first, last = original_span(text, start, start + len(found))
        assert found in lower(text[first:last])
        assert last - first <= len(found)


@pytest.mark.parametrize(("text", "answer"), [("abc", False), ("é😀", False), ("a\ud83d", True), ("\ude00", True)])
def test_has_surrogates(text: str, answer: bool) -> None:
    assert has_surrogates(text) is answer


@given(text=TEXTS)
def test_offsets_agree_with_utf16(text: str) -> None:
    units = utf16_units(text)
    assert units.encode("utf-16-le", "surrogatepass") == text.encode("utf-16-le", "surrogatepass")
    for offset in range(len(text) + 1):
        assert code_point_offset(text, len(utf16_units(text[:offset]))) == offset


def test_offset_inside_a_pair_is_that_of_its_character() -> None:
    assert code_point_offset("a😀b", 2) == 1
    assert code_point_offset("a😀b", 3) == 2
    assert code_point_offset("ab", 9) == 2
