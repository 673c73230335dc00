from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.keys import BlankKey, DynamicKey, EmptyKey, KeyReader, PatternKey, PlainKey
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.matching.index import HitIndex
from lorebook_tui.model.cast import Cast, Character, InjectedPrompt, Persona
from tests.unit.engine.lore import entry, raw, run, scenario, turn, turns, uids


def fires(key: Any, text: str, **fields: Any) -> bool:
    assembly = turn(entry(1, key, **fields), chat=[text])
    found = verdict(assembly, 0)
    assert found.reason in {Reason.IN_PROMPT, Reason.NO_KEY_IN_TEXT}
    return found.reason is Reason.IN_PROMPT


@pytest.mark.parametrize(
    ("key", "text", "whole", "anywhere"),
    [
        ("cat", "A Cat.", True, True), ("cat", "cats", False, True), (" cat ", "the cat", True, True),
        ("na", "naïve", True, True), ("京", "東京都", True, True), ("he c", "the cat", True, True), ("x_", "x_y", False, True),
        ("Straße", "DIE STRAßE", True, True), ("strasse", "straße", False, False), ("ΣΟΦΟΣ", "σοφος", True, True),
        ("", "anything", False, False), ("  ", "anything", True, True), ("İ", "i̇", True, True), ("c++", "c++!", True, True),
        ("//", "a // b", True, True), ("/a/b/", "x /a/b/ y", True, True), ("/(/", "a /(/", True, True),
    ],
)  # fmt: skip
def test_plain_keys(key: str, text: str, whole: bool, anywhere: bool) -> None:
    assert fires(key, text, matchWholeWords=True) is whole
    assert fires(key, text, matchWholeWords=False) is anywhere


def test_case_is_the_entrys_choice_before_the_global_one() -> None:
    assert not fires("cat", "CAT", caseSensitive=True)
    assert fires("CAT", "CAT", caseSensitive=True)
    strict = {"world_info_case_sensitive": True, "world_info_match_whole_words": False}
    assembly = turn(
        entry(1, "cat"), entry(2, "cat", caseSensitive=False), entry(3, "AT"), chat=["CAT"], settings=strict
    )
    assert uids(assembly) == [2, 3]


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("/c.t/", "a cut", True), ("/c.t/", "a CUT", False), ("/c.t/i", "a CUT", True), ("/^cat/", "cat", False), ("/\\x01cat/", "cat", True),
        ("/cat/y", "cat", False), ("/cat$/", "the cat", True), ("/a\\/b/", "a/b", True), ("/a|b/gi", "B", True), ("/[/", "x [ y", False),
        (" /CAT/ ", "CAT", True),
    ],
)  # fmt: skip
def test_patterns_run_on_the_unchanged_text_with_its_marks(key: str, text: str, expected: bool) -> None:
    assert fires(key, text) is expected


def test_a_pattern_may_cross_messages_newest_first() -> None:
    assembly = turn(entry(1, "/two[^]*one/"), entry(2, "/one[^]*two/"), chat=["one", "two"])
    assert uids(assembly) == [1]


def test_a_plain_key_with_the_mark_or_half_a_character_is_looked_for_in_the_whole_text() -> None:
    assembly = turn(
        entry(1, "\ud83d\n\x01one"), entry(2, "\ud83d"), entry(3, "\x01ONE", caseSensitive=True), entry(4, "\x01one"),
        entry(5, "one\n\x01two"), chat=["one", "two \ud83d"], settings={"world_info_match_whole_words": False},
    )  # fmt: skip
    assert uids(assembly) == [1, 2, 4]


def test_keys_that_are_no_text_are_read_as_javascript_prints_them() -> None:
    assembly = turn(
        raw("0", uid=0, key=[5], content="a", order=1), raw("1", uid=1, key=[None, True], content="b", order=1),
        raw("2", uid=2, key=[None], content="c", order=1), chat=["5 true null"],
    )  # fmt: skip
    assert [verdict(assembly, index).reason for index in range(3)] == [
        Reason.UNKNOWN_POSITION,
        Reason.UNKNOWN_POSITION,
        Reason.NO_KEY_IN_TEXT,
    ]


def test_the_window_is_the_entrys_own_depth_or_the_global_one() -> None:
    chat = ["one", "two", "three"]
    assembly = turn(
        entry(1, "one"), entry(2, "one", scanDepth=3), entry(3, "three", scanDepth=0), entry(4, "three", scanDepth=-1),
        entry(5, "two"), entry(6, "one", scanDepth=5000), entry(7, "two", scanDepth=1), chat=chat,
    )  # fmt: skip
    assert uids(assembly) == [2, 5, 6]


def test_a_depth_of_zero_hides_prompts_sources_and_recursion_too() -> None:
    assembly = turn(
        entry(1, "cat", scanDepth=0), entry(2, "/^$/", scanDepth=0), entry(3, "cat", scanDepth=0, matchScenario=True),
        entry(4, content="cat", constant=True), entry(5, "cat"),
        chat=["x"], injected=(InjectedPrompt("memory", "cat", scan=True),), scan_data={"scenario": "cat"},
    )  # fmt: skip
    assert uids(assembly) == [2, 4, 5]


SOURCES = {
    "matchPersonaDescription": "personaDescription",
    "matchCharacterDescription": "characterDescription",
    "matchCharacterPersonality": "characterPersonality",
    "matchCharacterDepthPrompt": "characterDepthPrompt",
    "matchScenario": "scenario",
    "matchCreatorNotes": "creatorNotes",
}


@pytest.mark.parametrize(("flag", "source"), SOURCES.items())
def test_extra_sources_are_for_the_entries_that_ask(flag: str, source: str) -> None:
    others = [name for name in SOURCES if name != flag]
    assembly = turn(
        entry(1, "cat", **{flag: True}), entry(2, "cat"), entry(3, "cat", **dict.fromkeys(others, True)),
        chat=["x"], scan_data={source: "a cat"},
    )  # fmt: skip
    assert uids(assembly) == [1]


def test_card_fields_are_the_sources() -> None:
    cast = Cast(
        Persona("User", "persona text"),
        Character(
            "Anna",
            "anna.png",
            description="  description text\r\n",
            personality="personality text",
            scenario="scenario text",
            creator_notes="notes text",
        ),
    )
    assembly = turn(
        *(entry(number, source, **{flag: True}) for number, (flag, source) in enumerate(
            {"matchPersonaDescription": "persona text", "matchCharacterDescription": "description text", "matchCharacterPersonality": "personality text",
             "matchScenario": "scenario text", "matchCreatorNotes": "notes text"}.items())),
        cast=cast, chat=["x"],
    )  # fmt: skip
    assert uids(assembly) == [0, 1, 2, 3, 4]
    assert assembly.turn.sources["characterDescription"] == "description text"


def test_injected_prompts_are_scanned_only_if_asked_for() -> None:
    prompts = (
        InjectedPrompt("a", "a cat", scan=True),
        InjectedPrompt("b", "a dog"),
        InjectedPrompt("c", "", scan=True),
    )
    assembly = turn(entry(1, "cat"), entry(2, "dog"), chat=["x"], injected=prompts)
    assert uids(assembly) == [1]
    assert [prompt.name for prompt in assembly.turn.prompts] == ["a"]


def test_names_are_scanned_if_the_setting_says_so() -> None:
    settings = {"world_info_include_names": True}
    made = scenario(
        entry(1, "Anna"),
        entry(2, "User: hello"),
        entry(3, "/\\x01Anna: {1}$/"),
        chat=["hello", "  "],
        settings=settings,
    )
    assert uids(run(made)) == [1, 2]
    assert run(made).turn.newest(2) == ("Anna:", "User: hello")
    assert uids(run(scenario(entry(1, "Anna"), chat=["hello", "  "]))) == []


def test_min_activation_windows_do_not_hold_recursed_text() -> None:
    settings = {"world_info_min_activations": 3}
    assembly = turn(
        entry(1, content="wakes bird", constant=True), entry(2, "bird"), entry(3, "fish"),
        chat=["fish", "x", "y", "z"], settings=settings,
    )  # fmt: skip
    assert [turn_pass.kind.name for turn_pass in assembly.passes] == [
        "INITIAL", "RECURSION", "RECURSION", "MIN_ACTIVATIONS", "RECURSION", "MIN_ACTIVATIONS", "RECURSION",
    ]  # fmt: skip
    assert uids(assembly) == [1, 2, 3]


READER = KeyReader(
    HitIndex(), lambda text: None if "{{roll" in text else text.replace("{{char}}", "Anna").replace("{{noop}}", "")
)


@pytest.mark.parametrize(
    ("raw_key", "kind"),
    [
        ("cat", PlainKey),
        ("the cat", PlainKey),
        ("/c.t/", PatternKey),
        ("", EmptyKey),
        ("{{noop}}", EmptyKey),
        (" \n", BlankKey),
        ("{{roll:6}}", DynamicKey),
        ("/(/", PlainKey),
    ],
)
def test_keys_are_read_as_what_they_are(raw_key: str, kind: type) -> None:
    key = READER.read(raw_key, case_sensitive=False, whole_words=True)
    assert type(key) is kind
    assert key.raw == raw_key


@pytest.mark.parametrize(
    ("raw_key", "literal", "whole"),
    [
        ("Кот", "кот", True),
        ("A cat ", "a cat", False),
        ("{{char}}", "anna", True),
        ("c++", "c++", True),
        (" x\u00a0y", "x\u00a0y", False),
    ],
)
def test_plain_keys_are_trimmed_lowered_and_know_whether_they_are_words(
    raw_key: str, literal: str, whole: bool
) -> None:
    key = READER.read(raw_key, case_sensitive=False, whole_words=True)
    assert isinstance(key, PlainKey)
    assert (key.literal, key.whole_word, key.crosses) == (literal, whole, False)
    loose = READER.read(raw_key, case_sensitive=True, whole_words=False)
    assert isinstance(loose, PlainKey)
    assert not loose.whole_word
    assert loose.literal.lower() == literal


def test_patterns_with_a_required_literal_are_only_judged_where_it_occurs() -> None:
    made = scenario(
        entry(1, "/bell\\d/"),
        entry(2, "/.b/"),
        entry(3, "/bell\\d/i"),
        chat=["silence", "a BELL", "bell1"],
        settings={"world_info_depth": 1},
    )
    judged = [
        {decision.index for decision in assembly.decisions if decision.turn_pass == 1}
        for assembly in turns(made, [1, 2, 3])
    ]
    assert judged == [{1}, {0, 1, 2}, {0, 1, 2}]


def test_literals_of_secondary_keys_wake_nobody() -> None:
    assembly = turn(entry(1, "cat", keysecondary=["dog", "/bell/"]), entry(2, "dog"), chat=["dog bell"])
    assert {decision.index for decision in assembly.decisions} == {1}


def test_an_entry_that_only_its_timed_effect_brings_before_the_judge_has_no_keys() -> None:
    timed = {"cooldown": {"lore.1": {"start": 0, "end": 99}}}
    assembly = turn(entry(1, cooldown=9), timed=timed, dry_run=True)
    assert [decision.reason for decision in assembly.decisions] == [Reason.NO_KEYS]


def test_a_pattern_without_its_literal_does_not_hinder_the_other_keys() -> None:
    assert uids(turn(entry(1, "/bell\\d/", "cat"), chat=["cat"])) == [1]
    assert uids(turn(entry(1, "/bell\\d/", "/dog\\d/"), chat=["a bell, dog3"])) == [1]
