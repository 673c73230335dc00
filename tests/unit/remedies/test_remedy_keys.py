from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.remedies.key_forms import fitting_words, is_telling, key_in_text, part_of, repairs
from lorebook_tui.model.cast import Cast, Character, Persona
from tests.unit.engine.lore import entry, scenario
from tests.unit.remedies.asking import about, ask, only


def test_the_smallest_depth_that_reaches_a_key() -> None:
    found = about(entry(1, "cat"), chat=("A cat.", "-", "A cat.", "-", "-"))
    assert only(found["scan_depth"]) == ("scanDepth", None, 3)
    assert found["scan_depth"].sentence == "With its own scan depth of 3 messages it is in."
    assert only(found["global_depth"]) == ("world_info_depth", 2, 3)
    assert only(found["min_activations"]) == ("world_info_min_activations", 0, 1)
    assert only(found["constant"]) == ("constant", False, True)
    assert next(iter(found)) == "scan_depth"
    assert list(found)[-1] == "constant"


def test_an_own_depth_is_not_helped_by_the_global_one() -> None:
    found = about(entry(1, "cat", scanDepth=1), chat=("A cat.", "-"))
    assert only(found["scan_depth"]) == ("scanDepth", 1, 2)
    assert "global_depth" not in found
    assert "min_activations" not in found


def test_a_blind_entry_gets_one_message() -> None:
    found = about(entry(1, "cat", scanDepth=0), chat=("-", "A cat."))
    assert only(found["scan_depth"]) == ("scanDepth", 0, 1)


def test_a_blind_entry_can_be_woken_once_it_sees_anything() -> None:
    found = about(entry(1, "dog", scanDepth=0), entry(2, "cat", content="A dog."))
    assert only(found["scan_depth"]) == ("scanDepth", 0, 1)


def test_a_depth_that_reaches_key_and_secondary_key() -> None:
    found = about(entry(1, "cat", keysecondary=["dog"]), chat=("A dog.", "A cat.", "-", "-"))
    assert only(found["scan_depth"]) == ("scanDepth", None, 4)


def test_another_case() -> None:
    found = about(entry(1, "Cat", caseSensitive=True), chat=("A cat.",))
    assert only(found["case"]) == ("caseSensitive", True, False)
    assert only(found["key_added"]) == ("key", ["Cat"], ["Cat", "cat"])
    assert found["key_added"].sentence == "With “cat” as another key it is in."
    assert "global_case" not in found


def test_the_option_of_all_entries() -> None:
    found = about(entry(1, "Cat"), chat=("A cat.",), settings={"world_info_case_sensitive": True})
    assert only(found["global_case"]) == ("world_info_case_sensitive", True, False)
    assert found["global_case"].sentence == "With “case-sensitive” off for all entries it is in."
    found = about(entry(1, "ring"), chat=("A spring.",))
    assert only(found["global_whole_words"]) == ("world_info_match_whole_words", True, False)


def test_inside_a_longer_word() -> None:
    found = about(entry(1, "ring"), chat=("A hot spring.",))
    assert only(found["whole_words"]) == ("matchWholeWords", None, False)
    assert only(found["key_added"])[2] == ["ring", "spring"]


def test_a_typing_error() -> None:
    found = about(entry(1, "lantern"), chat=("A lantrn.",))
    assert only(found["key_added"])[2] == ["lantern", "lantrn"]


def test_words_with_a_line_end_between_them() -> None:
    found = about(entry(1, "salt tithe"), chat=("The salt\ntithe.",))
    assert only(found["key_repaired"])[2] == [r"/salt\s+tithe/i"]


def test_a_pattern_without_its_flag() -> None:
    found = about(entry(1, "/Cat/"), chat=("A cat.",))
    assert only(found["key_flag"])[2] == ["/Cat/i"]
    assert found["key_flag"].sentence == "With the key “/Cat/i” in place of “/Cat/” it is in."


@pytest.mark.parametrize(
    ("key", "chat", "repaired"),
    [
        ("bell, ferry", "A ferry.", ["bell", "ferry"]),
        ("колокол，паром", "паром", ["колокол", "паром"]),
        ("bell OR ferry", "A ferry.", ["bell", "ferry"]),
        ("bell/ferry", "A ferry.", ["bell", "ferry"]),
        ("“ferry”", "A ferry.", ["ferry"]),
        ("ferr*", "A ferry.", [r"/ferr\w*/i"]),
        ("f*y", "A ferry.", [r"/f\w*y/i"]),
        ("/and/or/", "this and/or that", [r"/and\/or/"]),
        ("/ferry/ix", "A ferry.", ["/ferry/i"]),
        ("/a (ferry/", "a (ferry", [r"/a \(ferry/"]),
        ("/^ferry/", "ferry", [r"/\x01(?:[^:\n]{0,80}: )?ferry/"]),
        ("/ferry$/", "The ferry is gone", ["/ferry/"]),
    ],
)
def test_a_broken_key(key: str, chat: str, repaired: list[str]) -> None:
    found = about(entry(1, key), chat=(chat,))
    assert only(found["key_repaired"]) == ("key", [key], repaired)
    assert found["key_repaired"].cost == 1


def test_sound_keys_need_no_repair() -> None:
    assert [list(repairs(key)) for key in ("cat", "salt tithe", "/cat/i", "don't", "c++", "")] == [[]] * 6


def test_a_part_of_a_long_key() -> None:
    found = about(entry(1, "old lantern guild"), chat=("The guild lit it.",))
    assert only(found["key_shortened"])[2] == ["guild"]
    assert part_of("/old guild/", bool) == ""
    assert part_of("guild", bool) == ""


def test_texts_that_are_not_scanned() -> None:
    cast = Cast(Persona("User", "Has a dog."), Character("Anna", "anna.png", description="Has a cat."))
    assert only(about(entry(1, "cat"), chat=("-",), cast=cast)["source"]) == ("matchCharacterDescription", False, True)
    found = about(entry(1, "dog"), chat=("-",), cast=cast)["source"]
    assert found.sentence == "With the persona's description scanned too it is in."


def test_the_speakers_names() -> None:
    found = about(entry(1, "Anna"), chat=("-", "-"))
    assert only(found["include_names"]) == ("world_info_include_names", False, True)


def test_the_text_of_others() -> None:
    waker = {"content": "A dog.", "comment": "Waker"}
    found = about(entry(1, "dog"), entry(2, "cat", **waker), settings={"world_info_recursive": False})
    assert only(found["recursion_on"]) == ("world_info_recursive", False, True)
    found = about(entry(1, "dog"), entry(2, "cat", preventRecursion=True, **waker))
    assert only(found["waker"]) == ("preventRecursion", True, False)
    assert found["waker"].changes[0].index == 1  # type: ignore[union-attr]
    found = about(entry(1, "dog"), entry(2, "cat", **waker), settings={"world_info_max_recursion_steps": 1})
    assert only(found["recursion_steps"])[2] == 2


def test_a_word_of_the_title_is_a_key_at_last() -> None:
    found = about(entry(1, comment="The Lantern Guild"), chat=("They lit the lantern.",))
    assert only(found["key_from_text"]) == ("key", [], ["Lantern"])
    assert found["key_from_text"].cost < found["constant"].cost


def test_with_nothing_near_only_a_constant_is_left() -> None:
    found = about(entry(1, "zebra"), chat=("A cat.",))
    assert list(found) == ["constant"]
    assert found["constant"].sentence == "As a constant entry it is in."


def test_words_that_are_everywhere_are_no_keys() -> None:
    lines = ["the bell rang", *["nothing"] * 10]
    assert is_telling("Bell", lines)
    assert not is_telling("About", lines)
    assert not is_telling("bell", ["a bell"] * 11)
    assert is_telling("bell", ["a bell"] * 9)
    lore = entry(1, "bell", comment="About the Bell of Harrow", content="He met Mira there. Then, under Nether, rain.")
    assert list(fitting_words(lore, lambda word: is_telling(word, lines))) == ["Harrow", "Nether", "Mira"]
    assert list(fitting_words(entry(1, comment="雨夜 x"), bool)) == ["雨夜"]
    lore = entry(1, comment="ей", content="Вслух сказала ей тётка Марека из Моссфорда.")
    assert list(fitting_words(lore, bool)) == ["Моссфорда", "Марека"]


def test_a_pattern_without_an_answer_occurs_nowhere() -> None:
    text = "a" * 60 + "!"
    assert not key_in_text("/(a|aa|a)+$/", text, case_sensitive=False, whole_words=True)
    assert key_in_text("/!$/", text, case_sensitive=False, whole_words=True)
    assert not key_in_text("A", text, case_sensitive=True, whole_words=False)


def secondary(logic: int, *keys: str, chat: tuple[str, ...] = ("A cat and a dog.",), **fields: Any) -> Any:
    return about(entry(1, "cat", keysecondary=list(keys), selectiveLogic=logic, **fields), chat=chat)


def test_all_secondary_keys_are_asked_for() -> None:
    found = secondary(3, "dog", "zebra", "emu")
    assert only(found["secondary_removed"]) == ("keysecondary", ["dog", "zebra", "emu"], ["dog"])
    assert found["secondary_removed"].sentence == "Without the secondary keys “zebra” and “emu” it is in."
    assert only(found["logic"]) == ("selectiveLogic", 3, 0)
    assert found["logic"].sentence == "With the secondary logic AND ANY it is in."
    assert only(found["selective_off"]) == ("selective", True, False)
    assert "constant" in found


def test_a_secondary_key_that_must_not_be_there() -> None:
    found = secondary(2, "dog", "zebra")
    assert only(found["secondary_removed"])[2] == ["zebra"]
    assert only(found["logic"])[2] == 1


def test_a_shallower_window_leaves_it_out() -> None:
    found = secondary(2, "dog", chat=("A dog.", "A cat."))
    assert only(found["scan_depth"]) == ("scanDepth", None, 1)


def test_a_secondary_key_that_almost_matches() -> None:
    found = secondary(0, "lantern", chat=("A cat and a lantrn.",))
    assert only(found["secondary_added"]) == ("keysecondary", ["lantern"], ["lantern", "lantrn"])
    assert found["secondary_added"].sentence == "With “lantrn” as another secondary key it is in."


def test_a_deeper_window_for_a_secondary_key() -> None:
    assert only(secondary(0, "dog", chat=("A dog.", "-", "A cat."))["scan_depth"])[2] == 3


def test_a_logic_that_does_not_exist() -> None:
    assert only(secondary(9, "dog")["logic"]) == ("selectiveLogic", 9, 0)


def test_not_all_cannot_be_looser() -> None:
    assert list(secondary(1, "dog")) == ["selective_off", "constant"]


def test_keys_that_are_no_texts_stay() -> None:
    made = scenario(entry(1, key=[7, "Cat"], caseSensitive=True))
    found = next(found for found in ask(made, 1) if found.kind.value == "key_added")
    assert only(found)[2] == [7, "Cat", "cat"]
