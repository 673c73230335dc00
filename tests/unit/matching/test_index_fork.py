from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.matching import index as module
from lorebook_tui.matching.index import HitIndex

if TYPE_CHECKING:
    import pytest


def register(index: HitIndex, *literals: str) -> list[int]:
    return [index.register(literal, case_sensitive=False, whole_word=False) for literal in literals]


def test_a_fork_knows_the_numbers_and_finds_old_and_new() -> None:
    base = HitIndex()
    assert register(base, "cat", "dog") == [0, 1]
    assert base.hits("a cat") == {0}
    fork = base.fork()
    assert register(fork, "dog", "mill") == [1, 2]
    assert fork.register("cat", case_sensitive=True, whole_word=False) == 3
    assert fork.hits("a cat in a mill") == {0, 2, 3}
    assert fork.union(["Cat", "dog"]) == {0, 1}
    assert base.hits("a cat in a mill") == {0}
    assert (len(base), len(fork)) == (2, 2)


def test_forks_of_a_fork_share_hits_until_one_grows() -> None:
    base = HitIndex()
    register(base, "cat")
    first = base.fork()
    register(first, "dog")
    assert first.hits("dog and mill") == {1}
    second, third = first.fork(), first.fork()
    assert second._hits is first._hits
    assert register(second, "mill") == [2]
    assert register(third, "and") == [2]
    assert second.hits("dog and mill") == {1, 2}
    assert third.hits("dog and mill") == {1, 2}
    assert third.hits("mill") == set()
    assert first.hits("dog and mill") == {1}


def test_a_fork_that_has_grown_much_becomes_one_with_its_base(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ABOVE", 1)
    base = HitIndex()
    register(base, "cat")
    fork = base.fork()
    register(fork, "dog", "mill\nx")
    joined = fork.fork()
    assert joined._base is None
    assert joined.spans_lines
    assert register(joined, "cat", "dog", "mill\nx", "new") == [0, 1, 2, 3]
    assert joined.hits("cat dog mill\nx new") == {0, 1, 2, 3}
    assert not base.spans_lines
