from __future__ import annotations

import pytest

from lorebook_tui.matching import literals
from lorebook_tui.matching.literals import LiteralSet, occurs_as_word

WAYS = pytest.mark.parametrize("accelerated", [True, False])


def found(text: str, substrings: list[str], words: list[str], *, accelerated: bool) -> set[str]:
    """Literals by name; whole words with a star."""
    numbers = {name: number for number, name in enumerate(substrings)}
    whole = {name: len(substrings) + number for number, name in enumerate(words)}
    names = [*substrings, *(f"{name}*" for name in words)]
    literal_set = LiteralSet(numbers, whole, accelerated=accelerated)
    return {names[number] for number in literal_set.numbers_in(text)}


@WAYS
def test_substrings_are_found_anywhere_and_inside_each_other(accelerated: bool) -> None:
    assert found("a doorbell bought", ["bell", "b", "ll b", "door", "cat"], [], accelerated=accelerated) == {
        "bell",
        "b",
        "ll b",
        "door",
    }


@WAYS
def test_words_need_boundaries_of_ascii(accelerated: bool) -> None:
    words = ["na", "ve", "京", "don", "x", "c++", "кот", "😀"]
    assert found("naïve", [], words, accelerated=accelerated) == {"na*", "ve*"}
    assert found("東京都", [], words, accelerated=accelerated) == {"京*"}
    assert found("don't", [], words, accelerated=accelerated) == {"don*"}
    assert found("_x x1 1x", [], words, accelerated=accelerated) == set()
    assert found("(c++) ac++", [], words, accelerated=accelerated) == {"c++*"}
    assert found("котик", [], words, accelerated=accelerated) == {"кот*"}
    assert found("a😀b", [], words, accelerated=accelerated) == set()
    assert found("é😀é", [], words, accelerated=accelerated) == {"😀*"}


@WAYS
def test_a_later_occurrence_can_be_the_word(accelerated: bool) -> None:
    assert found("cats scat cat", [], ["cat"], accelerated=accelerated) == {"cat*"}
    assert found("aaa aa", [], ["aa"], accelerated=accelerated) == {"aa*"}
    assert found("cats scat", ["cat"], ["cat"], accelerated=accelerated) == {"cat"}


@WAYS
def test_edges_of_the_text_are_boundaries(accelerated: bool) -> None:
    assert found("cat", ["cat"], ["cat"], accelerated=accelerated) == {"cat", "cat*"}
    assert found("", ["cat"], ["cat"], accelerated=accelerated) == set()


@WAYS
def test_an_empty_set_and_an_empty_literal_find_nothing(accelerated: bool) -> None:
    assert LiteralSet({}, {}, accelerated=accelerated).numbers_in("text") == frozenset()
    only_empty = LiteralSet({"": 0}, {"": 1}, accelerated=accelerated)
    assert (len(only_empty), only_empty.numbers_in("text")) == (0, frozenset())


def test_length_counts_distinct_literals() -> None:
    assert len(LiteralSet({"a": 0, "b": 1}, {"b": 2, "c": 3})) == 3


def test_a_machine_without_the_automaton_takes_the_slower_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(literals, "_ahocorasick", None)
    assert found("the cat", ["at"], ["cat", "he"], accelerated=True) == {"at", "cat*"}


@pytest.mark.parametrize(
    ("text", "literal", "occurs"),
    [
        ("a cat", "cat", True),
        ("cats", "cat", False),
        ("cats cat", "cat", True),
        ("", "cat", False),
        ("cat_", "cat", False),
    ],
)
def test_occurs_as_word(text: str, literal: str, occurs: bool) -> None:
    assert occurs_as_word(text, literal) is occurs
