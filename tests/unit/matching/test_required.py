from __future__ import annotations

import pytest

from lorebook_tui.matching import ecma
from lorebook_tui.matching.folding import lowered, weight
from lorebook_tui.matching.required import required_literals


@pytest.mark.parametrize(
    ("source", "flags", "literals"),
    [
        ("dragon", "", {"dragon"}),
        ("DRAGON", "i", {"dragon"}),
        ("драк(он|оны)?", "", {"драк"}),
        ("дракон", "i", {"дракон", "ᲁ", "ᲂ"}),
        ("(?<!\\p{L})рак(?!\\p{L})", "iu", {"рак"}),
        ("\\bking\\b", "i", {"king"}),
        ("^king$", "m", {"king"}),
        ("(?:red|blue)\\s+dragons?", "", {"dragon"}),
        ("(?:red|blue)", "", {"red", "blue"}),
        ("red|blue|(?:green)", "", {"red", "blue", "green"}),
        ("(red|blue)+x", "", {"red", "blue"}),
        ("(storm|heavy, cold rain)", "i", {"storm", "heavy, cold rain"}),
        ("foo.*barley", "", {"barley"}),
        ("a+b", "", {"ab"}),
        ("ab+c", "", {"ab"}),
        ("ab{2}c", "", {"abbc"}),
        ("(abc){2,3}d", "", {"abcabcd"}),
        ("a{3,3}b", "", {"aaab"}),
        ("x{0}abc", "", {"abc"}),
        ("(?:foo)*barn", "", {"barn"}),
        ("[Дд]ракон", "", {"дракон"}),
        ("[Кк]от", "i", {"кот", "ᲂ", "ᲄ", "ᲅ"}),
        ("[^д]ракон", "", {"ракон"}),
        ("[д-я]ракон", "", {"ракон"}),
        ("[\\d]ракон", "", {"ракон"}),
        ("[\\].]ab", "", {"ab"}),
        ("a[.]b", "", {"a.b"}),
        ("猫", "", {"猫"}),
        ("가", "i", {"가"}),
        ("sea", "i", {"sea"}),
        ("sea", "iu", {"sea", "ſ"}),
        ("ΟΔΥΣΣΕΥΣ", "", {"οδυ"}),
        ("\\u0041\\x42C", "", {"abc"}),
        ("\\u{41}BC", "u", {"abc"}),
        ("\\u{2}x", "", {"uux"}),
        ("\\xZ1", "", {"xz1"}),
        ("a\\tb", "", {"a\tb"}),
        ("a\\/b", "", {"a/b"}),
        ("a{,2}b", "", {"a{,2}b"}),
        ("\\x01Mira:[^\\x01]*?hello", "", {"hello"}),
        ("two\\nlines", "", {"lines"}),
        ("(?i:Foo)Bar", "", {"foobar"}),
        ("(?-i:ΑΣ)xy", "i", {"xy"}),
        ("(?<name>foo)\\k<name>", "", {"foo"}),
        ("(foo)\\1x", "", {"foo"}),
        ("\\p{Lu}foo", "u", {"foo"}),
        ("\\cAfoo", "", {"foo"}),
        ("😀smile", "", {"smile"}),
        ("\\ud83dsmile", "", {"smile"}),
        ("(?=foo)bar(?!baz)(?<=qux)", "", {"bar"}),
        ("a{100}", "", {"a" * 64}),
        ("(abc){30}", "", {"abc" * 21}),
        ("(abc){21,}d", "", {"abc" * 21 + "d"}),
        ("(abc){22,}d", "", {"abc" * 21}),
    ],
)
def test_literals_of(source: str, flags: str, literals: set[str]) -> None:
    ecma.compile(source, flags)
    found = required_literals(source, flags)
    assert found is not None
    assert set(found) == literals
    assert sorted(found) == list(found)


@pytest.mark.parametrize(
    ("source", "flags"),
    [
        ("", ""),
        (".*", ""),
        ("k", "i"),
        ("foo|", ""),
        ("foo|\\d+", ""),
        ("a|b", ""),
        ("(?=foo)", ""),
        ("\\w+", "u"),
        ("[abc]+", ""),
        ("ΣΣΣ", "i"),
        ("İİİ", ""),
        (", ", ""),
        ("\\n\\x01", ""),
        ("(?:foo)?", ""),
    ],
)
def test_nothing_is_promised_by(source: str, flags: str) -> None:
    ecma.compile(source, flags)
    assert required_literals(source, flags) is None


def test_very_many_alternatives_are_not_worth_it() -> None:
    assert required_literals("|".join(f"word{number}" for number in range(256)), "") is not None
    assert required_literals("|".join(f"word{number}" for number in range(257)), "") is None


def test_deep_nesting_and_broken_patterns_promise_nothing() -> None:
    assert required_literals("(" * 60 + "foo" + ")" * 60, "") == ("foo",)
    assert required_literals("(" * 61 + "foo" + ")" * 61, "") is None
    for broken in ("(foo", "foo)", "[foo", "foo\\", "[foo\\"):
        assert required_literals(broken, "") is None


def test_run_longer_than_a_literal_is_cut() -> None:
    assert required_literals("x" * 300 + "y", "") == ("x" * 65,)


@pytest.mark.parametrize("flags", ["i", "iu"])
def test_promises_hold_for_every_character_that_javascript_takes_as_equal(flags: str) -> None:
    everything = "".join(
        chr(code) for code in range(0x1F000) if not 0xD800 <= code <= 0xDFFF
    )  # no letters with case beyond
    promised = [chr(code) for code in range(0x10000) if lowered(chr(code), ignore_case=True, unicode="u" in flags)]
    assert {"a", "s", "к", "λ", "猫", "가", "'", "é"} < set(promised)
    cased = [char for char in promised if char.lower() != char or char.upper() != char]
    caseless = [char for char in promised if char not in set(cased)]
    for char in cased:
        lower, relatives = lowered(char, ignore_case=True, unicode="u" in flags) or ("", frozenset())
        equal = ecma.compile(f"[{char}]", flags)
        assert {everything[start:end].lower() for start, end in equal.find_all(everything, 99)} <= {lower} | relatives
    folded = ecma.compile("[" + "".join(f"\\{char}" if char in "\\]^-" else char for char in caseless) + "]", flags)
    assert {everything[start:end] for start, end in folded.find_all(everything, 10**6)} <= set(caseless)


@pytest.mark.parametrize(
    ("literal", "tells"), [("", 0), ("ab", 4), ("猫", 4), ("が", 4), ("가", 4), (", ", 2), ("é1", 4)]
)
def test_weight(literal: str, tells: int) -> None:
    assert weight(literal) == tells
