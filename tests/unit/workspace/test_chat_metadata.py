"""What a chat says about its note, its variables and its book; wrong types count as absent."""

from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.model.cast import AuthorsNote
from lorebook_tui.workspace.chat_metadata import linked_world, note_of, variables_of


def test_the_note_is_read() -> None:
    metadata = {
        "note_prompt": "Slow.", "note_interval": "3", "note_position": 0, "note_depth": 2.0, "note_role": 1,
    }  # fmt: skip
    assert note_of(metadata) == AuthorsNote("Slow.", interval=3, position=0, depth=2, role=1)


@pytest.mark.parametrize("value", [None, True, "many", [], {}, 1.5, "", "²"])
def test_a_number_that_is_none_counts_as_absent(value: Any) -> None:
    assert note_of({"note_depth": value, "note_prompt": value if not isinstance(value, str) else ""}) == AuthorsNote()


def test_variables_are_a_copy() -> None:
    stored = {"variables": {"a": 1}}
    found = variables_of(stored)
    found["a"] = 2
    assert stored == {"variables": {"a": 1}}
    assert variables_of({"variables": [1]}) == {}


@pytest.mark.parametrize(("value", "name"), [("trip", "trip"), (7, "7"), (True, ""), (None, ""), ("", ""), ([], "")])
def test_the_linked_book_is_named(value: Any, name: str) -> None:
    assert linked_world({"world_info": value}) == name
