from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.verdicts import Place
from lorebook_tui.engine.wording import order_text, place_text, quoted, role_text, slot_text, tokens_text
from lorebook_tui.model.js import MISSING


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (None, "nowhere"),
        (Place("before", 1, 1), "before the character definitions"),
        (Place("after", 2, 3), "after the character definitions, text 2 of 3"),
        (Place("depth", 1, 1, 4, 0), "at depth 4 as system"),
        (Place("depth", 1, 1, None, 1), "at depth 4 (none given) as user"),
        (Place("depth", 1, 1, MISSING, 2), "at depth 4 (none given) as assistant"),
        (Place("depth", 1, 1, "2", 7), "at depth 2 as 7"),
        (Place("outlet", 1, 1, outlet="x y"), "in outlet “x y”"),
        (Place("examples_top", 1, 1), "before the example messages"),
        (Place("note_bottom", 1, 1), "bottom of the author's note"),
    ],
)
def test_places(place: Place | None, text: str) -> None:
    assert place_text(place) == text


@pytest.mark.parametrize(
    ("role", "text"),
    [
        (0, "system"),
        (1.0, "user"),
        (2, "assistant"),
        ("x", "x"),
        ([1, 2], "1,2"),
        ({}, "[object Object]"),
        (None, "null"),
    ],
)
def test_roles(role: Any, text: str) -> None:
    assert role_text(role) == text


def test_numbers_and_quotations() -> None:
    assert [order_text(value) for value in (100.0, 2.5, float("nan"), -1)] == ["100", "2.5", "none", "-1"]
    assert [tokens_text(count) for count in (0, 1, 2)] == ["0 tokens", "1 token", "2 tokens"]
    assert quoted("a") == "“a”"
    with pytest.raises(KeyError):
        slot_text("elsewhere")
