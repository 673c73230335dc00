"""Bug cases, group 2: the scan window and activation settings. The outcomes are SillyTavern's."""

from __future__ import annotations

from typing import Any

from lorebook_tui.formats.detect import load
from tests.bugcases.lore import entry, turn


def test_BC_021_a_missing_book_depth_is_not_zero() -> None:
    book = {"A": entry("one"), "B": entry("two"), "C": entry("three"), "D": entry(constant=True)}
    assert turn(book, "u: one two three").active == {"A", "B", "C", "D"}


def test_BC_022_an_entrys_own_depth_counts_and_the_books_is_not_read() -> None:
    data = (
        b'{"spec":"lorebook_v3","data":{"scan_depth":4,"extensions":{},"entries":['
        b'{"keys":["far"],"content":"a","enabled":true,"insertion_order":1,"extensions":{"scan_depth":5}},'
        b'{"keys":["far"],"content":"b","enabled":true,"insertion_order":1,"extensions":{}}]}}'
    )
    first, second = load(data, "book.json").books[0].entries
    assert first.get("scanDepth") == 5
    assert second.get("scanDepth") is None
    lines = ["u: far", *["c: hm"] * 4]
    own = {"A": entry("far", scanDepth=5), "B": entry("far", scanDepth=6), "C": entry("far")}
    assert turn(own, *lines).active == {"A", "B"}
    assert turn(own, *lines, settings={"depth": 5}).active == {"A", "B", "C"}


def test_BC_023_null_is_not_zero_and_zero_is_not_all() -> None:
    depths = {"A": entry("key", scanDepth=None), "B": entry("key", scanDepth=0)}
    assert turn(depths, "u: key").active == {"A"}


def test_BC_024_depth_one_is_the_last_message_and_depth_zero_none() -> None:
    book = {"A": entry("old"), "B": entry("new")}
    assert turn(book, "u: old", "u: new", settings={"depth": 1}).active == {"B"}
    assert turn(book, "u: old", "u: new", settings={"depth": 0}).active == set()


def test_BC_025_min_activations_from_depth_zero() -> None:
    book = {"A": entry("third"), "B": entry("fifth")}
    lines = ["u: fifth", "c: x", "u: third", "c: x", "u: x"]
    found = turn(book, *lines, settings={"depth": 0, "min_activations": 2, "min_activations_depth_max": 10})
    assert found.active == {"A", "B"}


def test_BC_026_min_activations_beside_a_limit_of_passes_where_the_real_program_overrules_the_case() -> None:
    """The case says min activations is off; the scan itself honours both, only the editor keeps them apart."""
    book = {"A": entry("one"), "B": entry("two"), "C": entry("three")}
    lines = ["u: three", "u: two", "u: one"]
    wanted = {"depth": 1, "min_activations": 3, "recursive": False}
    both = turn(book, *lines, settings={**wanted, "max_recursion_steps": 2})
    assert both.active == {"A", "B"}
    assert both.passes == 2
    assert turn(book, *lines, settings=wanted).active == {"A", "B", "C"}


def test_BC_027_recursed_entries_count_for_min_activations() -> None:
    book = {"A": entry("one", content="see two"), "B": entry("two"), "C": entry("three")}
    found = turn(book, "u: three", "c: x", "u: x", "u: one", settings={"depth": 1, "min_activations": 2})
    assert found.active == {"A", "B"}


def chain(length: int) -> dict[str, dict[str, object]]:
    return {chr(65 + n): entry(f"key{n}", content=f"names key{n + 1}") for n in range(length)}


def test_BC_028_recursion_pulls_in_everything_reachable() -> None:
    assert len(turn(chain(10), "u: key0 key3 key6").active) == 10
    assert turn(chain(10), "u: key0 key3 key6", settings={"recursive": False}).active == {"A", "D", "G"}


def test_BC_029_an_incidental_edge() -> None:
    book = {"A": entry("x", content="about y and z"), "B": entry("y"), "C": entry("z")}
    assert turn(book, "u: x").active == {"A", "B", "C"}
    assert turn({**book, "C": {**book["C"], "excludeRecursion": True}}, "u: x").active == {"A", "B"}


def test_BC_030_contradictory_recursion_flags() -> None:
    flags: dict[str, Any] = {"excludeRecursion": True, "delayUntilRecursion": True}
    waker = entry("x", content="x again")
    assert turn({"A": entry("x", **flags), "B": waker}, "u: x").active == {"B"}
    assert turn({"A": entry("x", constant=True, **flags), "B": waker}, "u: x").active == {"B"}


def test_BC_032_a_chain_across_books() -> None:
    other = {"other": {"entries": {"0": {"uid": "B", "key": ["bridge"], "content": "b"}}}}
    row_layers = {"global": {"lore": {"entries": {"0": {"uid": "A", "key": ["town"], "content": "a bridge"}}}, **other}}
    assert turn({}, "u: town", layers=row_layers).active == {"A", "B"}


def test_BC_033_a_cut_entry_does_not_recurse() -> None:
    book = {
        "A": entry("x", content="a", order=300),
        "B": entry("x", content="names c " + "long " * 40, order=200),
        "C": entry("names c"),
    }
    assert turn(book, "u: x", settings={"budget": 100}, max_context=30).active == {"A"}
