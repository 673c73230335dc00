"""Bug cases, group 1: key matching. The outcomes are SillyTavern's."""

from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.matching.ecma import why_not_regex
from tests.bugcases.lore import entry, turn


def fires(
    key: str, line: str, *, whole_words: bool | None = None, case_sensitive: bool | None = None, **more: Any
) -> bool:
    fields: dict[str, Any] = {"matchWholeWords": whole_words, "caseSensitive": case_sensitive, **more}
    return turn({"A": entry(key, **fields)}, line, settings={"include_names": False}).active == {"A"}


def test_BC_001_a_short_key_inside_words() -> None:
    assert fires("AI", "u: Maine is lovely, ain't it?", whole_words=False)
    assert not fires("AI", "u: Maine is lovely, ain't it?", whole_words=True)
    assert fires("AI", "u: The AI woke.", whole_words=True)
    assert fires("AI", "u: The AI woke.", whole_words=False)


def test_BC_002_a_symbol_at_the_edge_of_a_key() -> None:
    assert fires("#hello", "u: post it with #hello today", whole_words=True)
    assert not fires("#hello", "u: say#hello", whole_words=True)


def test_BC_003_cjk_with_whole_words() -> None:
    assert fires("猫", "u: 黒猫がいる", whole_words=True)


@pytest.mark.parametrize("whole_words", [True, False])
def test_BC_004_whole_words_change_nothing_for_cjk(*, whole_words: bool) -> None:
    assert fires("東京", "u: 東京都に住む", whole_words=whole_words)


def test_BC_005_a_thai_key_inside_a_longer_word() -> None:
    assert fires("ยา", "u: เขาพยายาม", whole_words=True)


def test_BC_006_punctuation_after_the_key_and_korean_particles() -> None:
    assert fires("cat", "u: the cat, runs", whole_words=True)
    assert fires("앨리스", "u: 앨리스가 왔다", whole_words=True)


def test_BC_007_a_comma_inside_a_regex_key() -> None:
    assert fires("/(storm|heavy, cold rain)/i", "u: A heavy, cold rain fell.")
    assert fires("/(storm|heavy, cold rain)/i", "u: STORM")
    assert not fires("/(storm|heavy, cold rain)/i", "u: cold rain")


def test_BC_008_a_regex_without_its_i() -> None:
    assert not fires("/hello/", "u: Hello", case_sensitive=False)
    assert fires("/hello/i", "u: Hello", case_sensitive=True)


@pytest.mark.parametrize(("key", "text"), [("/and/or/i", "and or"), ("/(/", "("), ("/abc/q", "abc")])
def test_BC_009_a_broken_regex_becomes_literal_text(key: str, text: str) -> None:
    assert why_not_regex(key)
    assert not fires(key, f"u: {text}", whole_words=False)
    assert fires(key, f"u: so {key} it is", whole_words=False)


def test_BC_009_an_escaped_slash_is_a_regex() -> None:
    assert fires(r"/and\/or/i", "u: this and/or that")
    assert why_not_regex(r"/and\/or/i") is None


SWEEP = {
    "A": entry("1", content="alpha", excludeRecursion=True),
    "B": entry("2", content="beta", keysecondary=["alpha"], selectiveLogic=2),
}


def test_BC_011_entries_of_one_sweep_do_not_see_each_other() -> None:
    assert turn(SWEEP, "u: 1 2").active == {"A", "B"}


def test_BC_012_delay_until_recursion_lets_the_not_filter_see_the_sweep_before() -> None:
    delayed = {"A": SWEEP["A"], "B": {**SWEEP["B"], "delayUntilRecursion": 1}}
    assert turn(delayed, "u: 1 2").active == {"A"}


GENERAL_AND_SPECIFIC = {
    "A": entry("sheep", keysecondary=["prairie"]),
    "B": entry("sheep", keysecondary=["prairie", "wolf"], selectiveLogic=3),
}


def test_BC_013_a_general_and_a_specific_entry_both_fire() -> None:
    assert turn(GENERAL_AND_SPECIFIC, "u: a wolf near the sheep on the prairie").active == {"A", "B"}


def test_BC_013_group_scoring_lets_the_specific_one_win() -> None:
    grouped = {name: {**fields, "group": "sheep"} for name, fields in GENERAL_AND_SPECIFIC.items()}
    line = "u: a wolf near the sheep on the prairie"
    assert turn(grouped, line, settings={"use_group_scoring": True}).active == {"B"}


def test_BC_014_and_any_is_not_all() -> None:
    assert fires("king", "u: the king lost his crown", keysecondary=["crown", "throne"], selectiveLogic=0)


@pytest.mark.parametrize(
    ("logic", "both", "one", "none"),
    [(0, True, True, False), (1, False, True, True), (2, False, False, True), (3, True, False, False)],
)
def test_BC_015_the_numbers_of_the_four_logics(logic: int, *, both: bool, one: bool, none: bool) -> None:
    for line, expected in (("u: k a b", both), ("u: k a", one), ("u: k", none)):
        assert fires("k", line, keysecondary=["a", "b"], selectiveLogic=logic) is expected


@pytest.mark.parametrize("logic", ["2", "not_any", 4])
def test_BC_015_a_logic_that_is_no_known_number_never_lets_through(logic: object) -> None:
    assert not fires("k", "u: k", keysecondary=["a"], selectiveLogic=logic)


def test_BC_016_secondary_keys_with_selective_off_are_ignored() -> None:
    assert fires("elf", "u: an elf", keysecondary=["bow"], selective=False)
    assert not fires("elf", "u: a bow", keysecondary=["bow"], selective=False)


def test_BC_017_include_names_makes_the_prefix_match() -> None:
    named = {"A": entry("Mira")}
    assert turn(named, "Mira: Hello.", settings={"include_names": True}).active == {"A"}
    assert turn(named, "Mira: Hello.", settings={"include_names": False}).active == set()


def test_BC_019_a_regex_for_one_speaker() -> None:
    mine = {"A": entry(r"/\x01{{user}}:[^\x01]*?hello/")}
    rowan = {"name": "Rowan"}
    assert turn(mine, "Rowan: hello", persona=rowan).active == {"A"}
    assert turn(mine, "Mira: hello", persona=rowan).active == set()
    assert turn(mine, "Rowan: hi", "Mira: hello", persona=rowan).active == set()


def test_BC_020_only_the_content_is_sent() -> None:
    shape = {"A": entry("triangle", content="A figure with three corners.", comment="Triangle")}
    assert turn(shape, "u: a triangle").before == ["A figure with three corners."]
