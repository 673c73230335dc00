"""Matches of a pattern with their groups."""

from __future__ import annotations

import pytest

from lorebook_tui.matching import ecma


def test_every_match_with_its_groups() -> None:
    found = list(ecma.compile("(a)(?<n>b)?", "i").matches("xxabaA"))
    assert [(match.start, match.end, match.groups, match.named) for match in found] == [
        (2, 4, ("a", "b"), {"n": "b"}),
        (4, 5, ("a", None), {"n": None}),
        (5, 6, ("A", None), {"n": None}),
    ]
    assert [(match.start, match.end) for match in ecma.compile("^", "").matches("ab")] == [(0, 0)]
    assert list(ecma.compile("z", "").matches("ab")) == []


def test_a_slow_match_ends() -> None:
    with pytest.raises(ecma.PatternTimeout):
        list(ecma.compile("(a+)+\\1$", "", 0.05).matches("a" * 60 + "!"))
