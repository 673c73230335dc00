"""A file read again after an edit says what a file read from its bytes says, and older states come back exactly."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.errors import UnreadableError
from lorebook_tui.formats import detect
from lorebook_tui.formats.slim import SlimFile, slim_file

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded

NAMES = [
    "uid",
    "id",
    "key",
    "keys",
    "content",
    "comment",
    "order",
    "enabled",
    "displayIndex",
    "extensions",
    "entry_id",
    "x",
]
VALUES = st.one_of(
    st.integers(-1, 4), st.sampled_from(["", "a", "b\n{c}"]), st.none(), st.booleans(), st.just(1.0),
    st.lists(st.sampled_from(["k", "q"]), max_size=2), st.just({"depth": 1, "position": 0}),
)  # fmt: skip
ENTRY = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=8)
ITEMS = st.lists(st.one_of(ENTRY, ENTRY, ENTRY, VALUES), min_size=1, max_size=5)
EDITS = st.lists(st.tuples(st.integers(0, 4), st.sampled_from(NAMES), VALUES), min_size=1, max_size=4)


def told(loaded: Loaded) -> list[Any]:
    found: list[Any] = [
        (each.code, each.message, each.path, each.expected, each.found, each.line) for each in loaded.report
    ]
    for book in loaded.books:
        found.append((book.name, book.format, dict(book.extras)))
        found += [(entry.key, entry.path, dict(entry.fields), entry.source) for entry in book.entries]
    return [*found, loaded.card, set(loaded.content.sound)]


def file_of(items: list[Any], shape: str) -> dict[str, Any]:
    if shape == "list":
        return {"entries": items}
    entries = {str(place): item for place, item in enumerate(items)}
    if shape == "world":
        return {
            "entries": {**entries, "9": {"uid": 9, "key": ["a"], "content": "b"}},
            "originalData": {"entries": items},
        }
    book = {"entries": [*items, {"id": 9, "keys": ["a"], "content": "b", "insertion_order": 1, "enabled": True}]}
    return {"spec": "chara_card_v2", "data": {"name": "A", "first_mes": "", "description": "", "character_book": book}}


@settings(max_examples=200)
@given(ITEMS, st.sampled_from(["world", "card", "list"]), EDITS)
def test_after_any_edits(items: list[Any], shape: str, edits: list[tuple[int, str, Any]]) -> None:
    try:
        loaded = detect.load(json.dumps(file_of(items, shape)).encode(), "a.json")
    except UnreadableError:
        return
    states = [loaded]
    for place, name, value in edits:
        if not loaded.books or not loaded.books[0].entries:
            return
        entry = loaded.books[0].entries[place % len(loaded.books[0].entries)]
        made = loaded.edited(loaded.document.set((*entry.path, name), value))
        whole = made.read_anew(made.documents)
        assert told(made) == told(whole)
        loaded = made
        states.append(made)
    for older, newer in itertools.pairwise(states):
        slim = slim_file(older, newer)
        back = slim.restored(newer) if isinstance(slim, SlimFile) else slim
        assert detect.dump(back) == detect.dump(older)
        assert told(back) == told(older)
