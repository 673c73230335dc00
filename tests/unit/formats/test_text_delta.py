"""One text made from another: exact, and small where little changed."""

from __future__ import annotations

import pytest

from lorebook_tui.formats.text_delta import applied, delta, weight

BOOK = "".join(f'{{"uid": {number}, "content": "{"words " * 40}"}},\n' for number in range(500))


@pytest.mark.parametrize(
    ("base", "target"),
    [("", ""), ("", "new"), ("old", ""), ("same", "same"), ("aaa", "aa"), ("aa", "aaa"), ("abcabc", "abc")],
)
def test_small_texts(base: str, target: str) -> None:
    assert applied(base, delta(base, target)) == target


def test_an_equal_text_is_one_stretch() -> None:
    assert delta(BOOK, BOOK) == ((0, len(BOOK)),)


def test_an_insertion_keeps_only_itself() -> None:
    target = BOOK[:70_000] + "тут" + BOOK[70_000:]
    pieces = delta(BOOK, target)
    assert applied(BOOK, pieces) == target
    assert weight(pieces) == 3


def test_objects_that_moved_far_are_copied() -> None:
    lines = BOOK.splitlines(keepends=True)
    target = "".join([*lines[400:], *lines[:400]])
    pieces = delta(BOOK, target)
    assert applied(BOOK, pieces) == target
    assert weight(pieces) < 1500


def test_two_removals_far_apart_keep_little() -> None:
    lines = BOOK.splitlines(keepends=True)
    target = "".join([*lines[1:250], *lines[251:499]])
    pieces = delta(BOOK, target)
    assert applied(BOOK, pieces) == target
    assert weight(pieces) < 1500


def test_a_base_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match="outside"):
        applied("short", delta(BOOK, BOOK))
