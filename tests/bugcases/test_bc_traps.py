"""Bug cases, group 8: engine traps found by reading and running. The outcomes are SillyTavern's."""

from __future__ import annotations

import unicodedata

import pytest

from lorebook_tui.matching.ecma import compile as compile_pattern
from lorebook_tui.matching.ecma import why_not_regex
from tests.bugcases.lore import entry, turn, turns, words
from tests.bugcases.test_bc_keys import fires


def test_BC_089_delay_levels_run_without_recursion() -> None:
    two = {"A": entry("x", delayUntilRecursion=1), "B": entry("x", delayUntilRecursion=2)}
    for recursive in (True, False):
        assert turn(two, "u: x", settings={"recursive": recursive}).active == {"A", "B"}
        assert turn({"A": two["A"]}, "u: x", settings={"recursive": recursive}).active == set()


def test_BC_090_scan_depth_zero_silences_recursion_too() -> None:
    book = {"A": entry(content="wakes b", constant=True), "B": entry("wakes b", scanDepth=0), "C": entry("wakes b")}
    assert turn(book, "u: x").active == {"A", "C"}
    assert turn(book, "u: x", settings={"depth": 0}).active == {"A"}


@pytest.mark.parametrize("whole_words", [True, False])
def test_BC_091_a_blank_key_fires_always(*, whole_words: bool) -> None:
    assert fires("   ", "u: anything", whole_words=whole_words)
    assert not fires("", "u: anything", whole_words=whole_words)


@pytest.mark.parametrize(("key", "text"), [("кот", "который"), ("кот", "скотина"), ("ren", "René")])
def test_BC_092_whole_words_are_ascii_only(key: str, text: str) -> None:
    assert fires(key, f"u: {text}", whole_words=True)


def test_BC_092_an_accent_is_another_letter() -> None:
    assert not fires("cafe", "u: café", whole_words=False)


def test_BC_093_keys_of_several_words_skip_the_boundary() -> None:
    assert fires("king arthur", "u: viking arthurian", whole_words=True)


def test_BC_094_the_underscore_is_a_word_character_and_the_hyphen_is_not() -> None:
    assert not fires("x", "u: a_x b", whole_words=True)
    assert fires("co", "u: co-op", whole_words=True)


def test_BC_095_case_folding_is_lower_casing() -> None:
    assert not fires("straße", "u: STRASSE")
    assert fires("İstanbul", "u: İSTANBUL")
    assert "İ".lower() == "i̇"


@pytest.mark.parametrize(
    ("key", "text"),
    [("café", unicodedata.normalize("NFD", "café")), ("don't", "don’t"), ("old mill", "old\u00a0mill")],
)
def test_BC_096_unicode_forms_are_not_unified(key: str, text: str) -> None:
    assert not fires(key, f"u: {text}", whole_words=False)


def test_BC_097_equal_orders_print_reversed_but_not_in_an_outlet() -> None:
    same = {"A": entry(content="first", constant=True), "B": entry(content="second", constant=True)}
    assert turn(same, "u: x").before == ["second", "first"]
    outlet = {name: {**fields, "position": 7, "outletName": "o"} for name, fields in same.items()}
    assert turn(outlet, "u: x").raw["outletEntries"] == {"o": ["first", "second"]}


def test_BC_098_an_outlet_reads_from_the_highest_order_down() -> None:
    book = {
        n: entry(content=str(order), constant=True, position=7, outletName="o", order=order)
        for n, order in (("A", 10), ("B", 20))
    }
    assert turn(book, "u: x").raw["outletEntries"] == {"o": ["20", "10"]}


def test_BC_099_text_that_prevents_recursion_is_free_in_later_passes() -> None:
    book = {
        "P": entry(content=words(60), constant=True, order=300, preventRecursion=True),
        "R": entry(content="names q " + words(17), constant=True, order=200),
        "Q": entry("names q", content=words(70)),
    }
    found = turn(book, "u: x", settings={"budget": 100}, max_context=100)
    assert found.active == {"P", "R", "Q"}
    assert found.raw["tokens"] > 100


def test_BC_100_ignoring_the_budget_still_uses_it() -> None:
    book = {
        "I": entry(content=words(60), constant=True, order=300, ignoreBudget=True),
        "N": entry(content=words(60), constant=True),
    }
    assert turn(book, "u: x", settings={"budget": 100}, max_context=100).active == {"I"}
    assert turn({"N": book["N"]}, "u: x", settings={"budget": 100}, max_context=100).active == {"N"}


def test_BC_101_decorators_vanish() -> None:
    assert turn({"A": entry("x", content="@@note to self\ntext")}, "u: x").before == ["text"]
    assert turn({"A": entry("never", content="@@activate\ntext")}, "u: x").before == ["text"]
    assert turn({"A": entry("never", content="text\n@@activate")}, "u: x").active == set()
    for gate in ({"disable": True}, {"delay": 9}, {"characterFilter": {"names": ["Nobody"]}}):
        assert turn({"A": entry("never", content="@@activate\ntext", **gate)}, "u: x").active == set()


def test_BC_101_a_cooldown_stops_a_decorated_entry() -> None:
    found = turns({"A": entry(content="@@activate\ntext", cooldown=2)}, "u: x", "u: x", turns="each")
    assert [sorted(at.active) for at in found] == [["A"], []]


def test_BC_102_other_decorators_of_v3_have_no_effect() -> None:
    content = "@@depth 2\n@@role user\n@@additional_keys never\ntext"
    found = turn({"A": entry("x", content=content)}, "u: x")
    assert found.before == ["text"]
    assert found.raw["WIDepthEntries"] == []


def test_BC_103_a_forced_entry_skips_both_key_lists_and_no_other_gate() -> None:
    force = [{"world": "lore", "uid": "A"}]
    filtered = entry("never", keysecondary=["nor this"], selectiveLogic=3)
    assert turn({"A": filtered}, "u: x", force_activate=force).active == {"A"}
    assert turn({"A": {**filtered, "disable": True}}, "u: x", force_activate=force).active == set()


def test_BC_105_sticky_goes_first_in_the_queue() -> None:
    book = {"A": entry("x", order=1, sticky=9), "B": entry(constant=True, order=999)}
    found = turns(book, "u: x", "u: y", turns="each", settings={"depth": 1})
    assert [at.queue for at in found] == ["BA", "AB"]


@pytest.mark.parametrize("flags", ["v", "d", "ii"])
def test_BC_106_other_flags_make_the_key_literal(flags: str) -> None:
    assert why_not_regex(f"/abc/{flags}")
    assert not fires(f"/abc/{flags}", "u: abc", whole_words=False)


@pytest.mark.parametrize("flags", ["g", "i", "m", "s", "u", "gimsu"])
def test_BC_106_the_known_flags(flags: str) -> None:
    assert fires(f"/abc/{flags}", "u: abc")


def test_BC_106_sticky_patterns_start_at_the_mark() -> None:
    assert not fires("/abc/y", "u: abc")
    assert fires(r"/\x01abc/y", "u: abc")


JAVASCRIPT = [
    (r"\d", "", "٣", False), (r"\w", "", "é", False), (r"\w", "i", "ſ", False), (r"\w", "iu", "ſ", True),
    (r"\s", "", "\ufeff", True), (r"\s", "", "\x1c", False), (r"\s", "", "\x85", False), (r"\s", "", "\u2028", True),
    (r"\bд", "", "да", False), (r"x\b", "", "xд", True), ("a$", "", "a\n", False), ("a$", "m", "a\nb", True),
    (".", "", "\r", False), (".", "", "\u2028", False), (".", "s", "\n", True), ("[^]", "", "\n", True),
    ("[]", "", "a", False), ("(?<name>a)\\k<name>", "", "aa", True), (r"\k", "", "k", True),
    ("(?<=a+)b", "", "aab", True), ("(?<!a+)b", "", "aab", False), (r"\u{61}", "u", "a", True),
    (r"\u{61}", "", "u" * 61, True), ("^.$", "", "😀", False), ("^.$", "u", "😀", True), ("σ", "i", "ς", True),
    ("s", "i", "ſ", False), ("s", "iu", "ſ", True), ("k", "i", "\u212a", False), ("k", "iu", "\u212a", True),
    ("ß", "i", "ẞ", False), ("ß", "iu", "ẞ", True), ("i", "i", "İ", False), (r"\0", "", "\x00", True),
    (r"[\b]", "", "\b", True), (r"\cJ", "", "\n", True), ("a{,2}", "", "a{,2}", True), ("x{1", "", "x{1", True),
    ("(a)|b\\1", "", "b", True), ("(?:a|ab)(?:c|bcd)(?:d*)$", "", "abcd", True), (r"\p{L}", "", "p{L}", True),
    (r"\p{L}", "u", "я", True), ("(z)((a+)?(b+)?(c))*", "", "zaacbbbcac", True), (r"[^\W_]", "", "_", False),
]  # fmt: skip
"""Where Python's `re` would answer otherwise or refuse; the answers are Node's."""


@pytest.mark.parametrize(("source", "flags", "text", "matches"), JAVASCRIPT)
def test_BC_107_patterns_are_javascript(source: str, flags: str, text: str, *, matches: bool) -> None:
    assert compile_pattern(source, flags).test(text) is matches


def test_BC_107_there_are_forty_patterns() -> None:
    assert len(JAVASCRIPT) >= 40


def test_BC_118_the_buffer_runs_from_newest_to_oldest() -> None:
    book = {"A": entry(r"/new[\s\S]*old/"), "B": entry(r"/old[\s\S]*new/")}
    assert turn(book, "u: old", "u: new").active == {"A"}


def test_BC_119_anchors_meet_the_marks() -> None:
    bare = {"settings": {"include_names": False}}
    book = {
        "A": entry("/^foo/"), "B": entry("/^foo/m"), "C": entry("/foo$/"),
        "D": entry(r"/\x01foo/"), "E": entry("/bar$/"),
    }  # fmt: skip
    assert turn(book, "u: bar foo", "u: foo bar", **bare).active == {"C", "D"}


def test_BC_120_a_cooldown_on_a_constant_blocks_one_message_less() -> None:
    found = turns({"A": entry(constant=True, cooldown=2)}, *["u: x"] * 7, turns="each")
    assert [n for n, at in enumerate(found, 1) if at.active] == [1, 3, 5, 7]
