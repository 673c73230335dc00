"""Bug cases, group 6: timed effects. The outcomes are SillyTavern's; lengths are numbers of messages."""

from __future__ import annotations

from typing import Any

from tests.bugcases.lore import Turn, entry, say, turns

EVERY = [f"{'u' if n % 2 == 0 else 'c'}: key {n}" for n in range(9)]


def pattern(found: list[Turn]) -> str:
    return "".join("A" if "A" in at.active else "." for at in found)


def test_BC_069_the_documented_timeline_counts_lengths_where_the_real_program_overrules_the_docs() -> None:
    """The documentation promises three sticky messages after the first; the program counts the first one in."""
    book = {"A": entry("key", sticky=3, cooldown=2, delay=2)}
    found = turns(book, *EVERY, turns="each", settings={"depth": 1})
    assert pattern(found) == ".AAA..AAA"


def test_BC_069_one_scan_for_each_user_line_hides_short_sticky_states() -> None:
    def after_every_user_line(sticky: int) -> str:
        lines = ["u: key", "c: hm", "u: hm", "c: hm", "u: hm"]
        return pattern(turns({"A": entry("key", sticky=sticky)}, *lines, turns="user", settings={"depth": 1}))

    assert [after_every_user_line(sticky) for sticky in (1, 2, 3, 4)] == ["A..", "A..", "AA.", "AA."]


def test_BC_070_delay_counts_from_the_start_of_the_chat() -> None:
    lines = [*["u: hm"] * 11, "u: key"]
    assert pattern(turns({"A": entry("key", delay=5)}, *lines, turns=[12])) == "A"
    assert pattern(turns({"A": entry("key", delay=5)}, "u: key", turns=[1])) == "."


def test_BC_071_a_swipe_ends_an_effect_of_the_same_length() -> None:
    book = {"A": entry("key", sticky=5)}
    found = turns(book, "u: key", "u: hm", turns=[1, 2, 2, 1], settings={"depth": 1})
    assert pattern(found) == "AAAA"
    again = turns(book, "u: hm", "u: key", "u: hm", turns=[2, 1, 2], settings={"depth": 1})
    assert pattern(again) == "A.A"
    assert found[-1].raw["timed"]["sticky"]["lore.A"]["start"] == 1


def test_BC_071_a_cooldown_left_by_an_ended_sticky_state_is_protected() -> None:
    book = {"A": entry("key", sticky=1, cooldown=9)}
    found = turns(book, *EVERY[:4], turns=[1, 2, 2], settings={"depth": 1})
    assert pattern(found) == "A.."
    assert found[-1].raw["timed"]["cooldown"]["lore.A"]["protected"] is True


def edited(fields: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"upto": 1}, {"upto": 2, "books": {"lore": {"entries": {"0": {"uid": "A", **fields}}}}}]


def test_BC_072_editing_ends_the_effect() -> None:
    book = {"A": entry("key", sticky=9, content="one")}
    same = turns(book, "u: key", "u: hm", turns=edited(book["A"]), settings={"depth": 1})
    assert pattern(same) == "AA"
    changed = turns(book, "u: key", "u: hm", turns=edited({**book["A"], "content": "two"}), settings={"depth": 1})
    assert pattern(changed) == "A."
    assert changed[-1].raw["timed"]["sticky"]["lore.A"]["stale"] is True


def test_BC_073_a_key_during_the_sticky_state_does_not_refresh_it() -> None:
    found = turns({"A": entry("key", sticky=4)}, *EVERY[:4], turns="each", settings={"depth": 1})
    assert [at.raw["timed"]["sticky"]["lore.A"]["end"] for at in found] == [5, 5, 5, 5]


def test_BC_074_a_dry_run_does_not_write() -> None:
    listed: list[dict[str, Any]] = [
        {"upto": 1},
        {"upto": 2, "dry_run": True},
        {"upto": 2, "dry_run": True},
        {"upto": 2},
    ]
    found = turns({"A": entry("key", sticky=5, cooldown=2)}, "u: key", "u: hm", turns=listed, settings={"depth": 1})
    assert pattern(found) == "A..A"
    assert found[0].raw["timed"] == found[1].raw["timed"] == found[2].raw["timed"]


def test_chats_in_these_cases_alternate() -> None:
    assert [message["is_user"] for message in say(*EVERY)][:3] == [True, False, True]
