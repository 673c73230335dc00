"""Whatever two sides do to a book: what only one of them changed is in the merge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.formats import detect
from lorebook_tui.formats.entry_edits import with_entries, with_fields, without_entries
from lorebook_tui.workspace.conflict import Side, diff, three_way
from lorebook_tui.workspace.merging import merge

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded

COUNT = 4
VALUES = st.one_of(st.integers(0, 3), st.sampled_from(["", "a", "text"]), st.booleans(), st.just(["k"]))
CHANGES = st.dictionaries(
    st.tuples(st.integers(0, COUNT - 1), st.sampled_from(["content", "order", "key", "depth", "custom"])),
    VALUES,
    max_size=6,
)
REMOVED = st.sets(st.integers(0, COUNT - 1), max_size=2)
ADDED = st.lists(st.sampled_from(["x", "y", "z"]), max_size=2, unique=True)
SIDE = st.tuples(CHANGES, REMOVED, ADDED)


def world() -> Loaded:
    entries = {
        str(n): {"uid": n, "key": [f"k{n}"], "content": f"content number {n}", "comment": f"E{n}"} for n in range(COUNT)
    }
    return detect.load(json.dumps({"entries": entries}).encode(), "a.json")


def changed(base: Loaded, side: tuple[dict[tuple[int, str], Any], set[int], list[str]], who: str) -> Loaded:
    changes, removed, added = side
    entries = base.books[0].entries
    made = with_fields(base, [(entries[place], name, value) for (place, name), value in changes.items()])
    made = without_entries(made, [made.books[0].entries[place] for place in removed])
    for name in added:
        made = with_entries(made, [{"key": [name], "content": f"{who} {name}", "comment": f"{who}-{name}"}])[0]
    return made


def by_title(loaded: Loaded) -> dict[str, dict[str, Any]]:
    return {entry.title: dict(entry.fields) for entry in loaded.books[0].entries}


def without_uid(fields: dict[str, Any] | None) -> dict[str, Any] | None:
    """An entry whose uid somebody else took meanwhile gets another one."""
    return None if fields is None else {name: value for name, value in fields.items() if name != "uid"}


@settings(max_examples=150)
@given(SIDE, SIDE, st.sampled_from([Side.MINE, Side.THEIRS]))
def test_nothing_of_one_side_alone_is_lost(first: Any, second: Any, side: Side) -> None:
    base = world()
    mine, theirs = changed(base, first, "mine"), changed(base, second, "theirs")
    ways = three_way(base, theirs, mine)
    made = merge(ways, default=side)
    found, old, my, their = (by_title(each) for each in (made, base, mine, theirs))
    for title, fields in old.items():
        in_mine, in_theirs = my.get(title), their.get(title)
        if in_mine is None and in_theirs is None:
            assert title not in found
        elif in_mine is None or in_theirs is None:
            left = in_mine if in_theirs is None else in_theirs
            is_kept = left != fields and (side is Side.MINE) == (in_theirs is None)
            assert without_uid(found.get(title)) == (without_uid(left) if is_kept else None)
        else:
            for name in {*in_mine, *in_theirs}:
                expected = in_mine.get(name) if in_theirs.get(name) == fields.get(name) else in_theirs.get(name)
                if in_mine.get(name) != fields.get(name) and in_theirs.get(name) != fields.get(name):
                    expected = (in_mine if side is Side.MINE else in_theirs).get(name)
                assert found[title].get(name) == expected
    for title, fields in (*my.items(), *their.items()):
        if title not in old:
            assert found[title]["content"] == fields["content"]
    assert [entry.uid for entry in made.books[0].entries] == list(dict.fromkeys(e.uid for e in made.books[0].entries))
    assert by_title(detect.load(detect.dump(made), "a.json")) == found


@settings(max_examples=60)
@given(SIDE)
def test_a_side_that_did_nothing_gives_way(side: Any) -> None:
    base = world()
    other = changed(base, side, "other")
    assert not diff(merge(three_way(base, other, base)), other)
    assert detect.dump(merge(three_way(base, other, base))) == detect.dump(other)
    assert not diff(merge(three_way(base, base, other)), other)
