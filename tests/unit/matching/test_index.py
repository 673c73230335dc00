from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.matching import index
from lorebook_tui.matching.index import HitIndex
from lorebook_tui.matching.literals import LiteralSet

if TYPE_CHECKING:
    import pytest


def test_the_same_question_has_one_number() -> None:
    hits = HitIndex()
    first = hits.register("cat", case_sensitive=False, whole_word=True)
    others = {
        hits.register("cat", case_sensitive=False, whole_word=False),
        hits.register("cat", case_sensitive=True, whole_word=True),
        hits.register("cat", case_sensitive=True, whole_word=False),
    }
    assert hits.register("cat", case_sensitive=False, whole_word=True) == first
    assert first not in others
    assert len(others) == 3


def test_case_is_ignored_by_lower_casing_the_piece_alone() -> None:
    hits = HitIndex()
    folded = hits.register("straße", case_sensitive=False, whole_word=False)
    strict = hits.register("Straße", case_sensitive=True, whole_word=False)
    sigma = hits.register("σοφος", case_sensitive=False, whole_word=False)
    final = hits.register("σοφος".replace("ς", "ς"), case_sensitive=False, whole_word=False)
    assert sigma == final
    assert hits.hits("Die Straße") == {folded, strict}
    assert hits.hits("die straße") == {folded}
    assert hits.hits("STRASSE") == frozenset()
    assert hits.hits("ΣΟΦΟΣ") == {sigma}


def test_nothing_registered_finds_nothing() -> None:
    assert HitIndex().hits("text") == frozenset()
    assert HitIndex().union([]) == set()


def test_only_case_sensitive_literals() -> None:
    hits = HitIndex()
    number = hits.register("Cat", case_sensitive=True, whole_word=False)
    assert hits.hits("Cat") == {number}
    assert hits.hits("cat") == frozenset()


def test_a_literal_registered_later_is_found_in_pieces_asked_for_before() -> None:
    hits = HitIndex()
    cat = hits.register("cat", case_sensitive=False, whole_word=False)
    assert hits.hits("cat and dog") == {cat}
    dog = hits.register("dog", case_sensitive=False, whole_word=False)
    assert hits.hits("cat and dog") == {cat, dog}


def test_union_is_over_all_pieces() -> None:
    hits = HitIndex()
    cat = hits.register("cat", case_sensitive=False, whole_word=False)
    dog = hits.register("dog", case_sensitive=False, whole_word=False)
    hits.register("ca\ndo", case_sensitive=False, whole_word=False)
    assert hits.union(["a cat", "a dog"]) == {cat, dog}


def test_pieces_are_searched_once_and_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []

    class Counting(LiteralSet):
        __slots__ = ()

        def numbers_in(self, text: str) -> frozenset[int]:
            searched.append(text)
            return super().numbers_in(text)

    monkeypatch.setattr(index, "LiteralSet", Counting)
    monkeypatch.setattr(index, "MOST_PIECES", 2)
    hits = HitIndex()
    hits.register("a", case_sensitive=False, whole_word=False)
    for piece in ("a1", "a2", "a1", "a2", "a3", "a1"):
        assert hits.hits(piece) == {0}
    assert searched == ["a1", "a2", "a3", "a1"]


def test_the_index_knows_whether_a_literal_spans_lines() -> None:
    hits = HitIndex()
    hits.register("one", case_sensitive=False, whole_word=False)
    assert not hits.spans_lines
    hits.register("one\ntwo", case_sensitive=True, whole_word=False)
    hits.register("two", case_sensitive=False, whole_word=False)
    assert hits.spans_lines
