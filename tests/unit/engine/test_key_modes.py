"""One key in every way of looking: which decides, where it hits, and why it does not."""

from __future__ import annotations

import pytest

from lorebook_tui.engine.key_modes import KeyMode, key_modes


def modes(key: str, text: str) -> dict[str, KeyMode]:
    return {mode.name: mode for mode in key_modes(key, text)}


def hits(key: str, text: str) -> dict[str, list[str]]:
    return {name: [text[start:end] for start, end in mode.spans] for name, mode in modes(key, text).items()}


def test_a_plain_key_in_all_its_modes() -> None:
    assert hits("bell", "Bell, bell and bells") == {
        "word": ["Bell", "bell"],
        "word_case": ["bell"],
        "anywhere": ["Bell", "bell", "bell"],
        "anywhere_case": ["bell", "bell"],
        "pattern": ["Bell", "bell", "bell"],
    }


def test_the_mode_of_a_fresh_installation_decides() -> None:
    assert [mode.name for mode in key_modes("bell", "") if mode.decides] == ["word"]
    assert [mode.name for mode in key_modes("/bell/", "") if mode.decides] == ["pattern"]
    assert key_modes("/bell/", "")[0].name == "pattern"


@pytest.mark.parametrize("key", ["", "  "])
def test_white_space_has_no_modes(key: str) -> None:
    assert key_modes(key, "text") == ()


@pytest.mark.parametrize(
    ("key", "text", "name", "note"),
    [
        ("bell", "the bells", "word", "inside a longer word"),
        ("Bell", "the bell", "word_case", "another case"),
        ("bell", "nothing", "word", "Nothing like it"),
        ("/bell(/", "bell", "word", "no pattern: unterminated group"),
        ("bell(", "x", "pattern", "It would be no pattern: unterminated group at offset 5."),
        ("/^bell/", "bell", "pattern", "mark in front of every message"),
        ("/bell/", "BELL", "pattern", "with the flag i"),
        ("/bell/i", "none", "pattern", "matches nowhere"),
        ("bell", "none", "pattern", "matches nowhere"),
    ],
)
def test_a_miss_says_why(key: str, text: str, name: str, note: str) -> None:
    mode = modes(key, text)[name]
    assert not mode.matched
    assert note in mode.note


@pytest.mark.parametrize(
    ("key", "text", "note"),
    [
        ("old bell", "the old bells", "several words"),
        ("колокол", "колокола", "Beside “а”"),
        ("na", "naïve", "Beside “ï”"),
        ("bell", "a bell!", ""),
    ],
)
def test_a_hit_as_a_whole_word_says_what_is_special(key: str, text: str, note: str) -> None:
    mode = modes(key, text)["word"]
    assert mode.matched
    assert mode.note.startswith(note) if note.startswith("Beside") else note in mode.note
    assert bool(mode.note) == bool(note)


def test_offsets_are_those_of_the_text_without_the_mark() -> None:
    assert modes("/bell/", "a bell")["pattern"].spans == ((2, 6),)
    assert modes("/\\x01a/", "a bell")["pattern"].spans == ((0, 1),)


def test_a_slash_in_a_plain_key_is_escaped_for_the_pattern() -> None:
    assert modes("a/b", "A/B")["pattern"].spans == ((0, 3),)


def test_a_slow_pattern_is_stopped() -> None:
    slow = modes("/(a+)+\\1$/", "a" * 40 + "!")["pattern"]
    assert (slow.matched, slow.timed_out, slow.decides) == (False, True, True)
    assert "time limit" in slow.note
