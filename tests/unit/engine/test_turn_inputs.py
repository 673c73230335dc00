from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.model.cast import AuthorsNote, Cast, Character, DepthPrompt, Group, InjectedPrompt, Persona
from lorebook_tui.model.scenario import Step
from lorebook_tui.model.transcript import Message, Transcript
from tests.unit.engine.lore import entry, run, scenario, turn, turns, uids

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.model.scenario import Scenario


def talk(*listed: Message, **parts: Any) -> Scenario:
    return scenario(entry(1, "cat"), transcript=Transcript(listed), **parts)


def lines(assembly: Assembly) -> tuple[str, ...]:
    """What was handed to the scan, newest first."""
    return assembly.turn.newest(assembly.turn.length)


def test_hidden_messages_are_left_out_of_scan_and_length() -> None:
    made = talk(Message("one"), Message("two", is_hidden=True), Message("three"))
    assembly = run(made)
    assert (lines(assembly), assembly.turn.length) == (("three", "one"), 2)
    assert assembly.turn.newest_numbers(5) == (2, 0)


def test_names_come_from_the_message_the_persona_or_the_speaker() -> None:
    made = talk(
        Message("one", is_user=True),
        Message("two"),
        Message("three", "Guest"),
        settings={"world_info_include_names": True},
    )
    assert lines(run(made)) == ("Guest: three", "Anna: two", "User: one")
    nobody = replace(made, cast=Cast())
    assert lines(run(nobody))[1] == "Assistant: two"


def test_lines_are_trimmed_after_the_name_and_an_empty_one_keeps_its_place() -> None:
    made = talk(Message("  one \n"), Message(""), settings={"world_info_include_names": True})
    assert lines(run(made)) == ("Anna:", "Anna:   one")
    assert lines(run(talk(Message("  one \n"), Message("")))) == ("", "one")


def test_attached_files_stand_before_and_an_appended_title_behind() -> None:
    extra = {
        "files": [{"text": "file one"}, {"text": ""}, "odd", {"text": 5}, {"text": "file two"}],
        "title": "picture",
        "append_title": True,
    }
    assert lines(run(talk(Message("text", extra=extra)))) == ("file one\n\nfile two\n\ntext\n\npicture",)
    assert lines(run(talk(Message("text", extra={"title": "picture"})))) == ("text",)
    assert lines(run(talk(Message("text", extra={"files": "x", "append_title": True, "title": 3})))) == ("text\n\n3",)


def test_swipe_scans_without_the_last_visible_message() -> None:
    made = talk(Message("one", is_user=True), Message("two"), Message("hidden", is_hidden=True))
    assert lines(run(made, trigger="swipe")) == ("one",)
    assert lines(run(talk(), trigger="swipe")) == ()


@pytest.mark.parametrize(
    ("last_is_user", "dry_run", "expected"),
    [(False, False, ("one",)), (True, False, ("two", "one")), (False, True, ("two", "one"))],
)
def test_regenerate_first_takes_the_answer_away(last_is_user: bool, dry_run: bool, expected: tuple[str, ...]) -> None:
    made = talk(Message("one", is_user=True), Message("two", is_user=last_is_user))
    assert lines(run(made, trigger="regenerate", dry_run=dry_run)) == expected


def test_a_length_beyond_the_chat_is_the_whole_chat() -> None:
    made = talk(Message("one"), Message("two"))
    assert lines(run(made, 99)) == ("two", "one")
    assert lines(run(made, 0)) == ()


def test_macros_are_replaced_in_the_first_message_only() -> None:
    made = talk(Message("{{char}} one"), Message("{{char}} two"))
    assert lines(run(made)) == ("{{char}} two", "Anna one")
    hidden = talk(Message("{{setvar::x::cat}}", is_hidden=True), Message("two"))
    assembly = run(hidden)
    assert (lines(assembly), assembly.turn.first_line, dict(assembly.state.local)) == (("two",), None, {"x": "cat"})


def test_the_first_line_is_replaced_only_where_the_window_reaches_it() -> None:
    made = talk(Message("{{char}}"), Message("x"), Message("y"), settings={"world_info_include_names": True})
    assembly = run(made)
    assert assembly.turn.newest(2) == ("Anna: y", "Anna: x")
    assert assembly.turn.newest(3)[-1] == "Anna: Anna"
    assert run(made, trigger="swipe").turn.newest(9)[-1] == "Anna: Anna"


def test_given_texts_replace_the_chat() -> None:
    assembly = run(scenario(entry(1, "cat"), chat=["nothing"], scan_texts=(" a cat ", "older")))
    assert (lines(assembly), assembly.turn.length, uids(assembly)) == (("a cat", "older"), 2, [1])
    assert run(scenario(scan_texts=())).turn.length == 0


@pytest.mark.parametrize(
    ("trigger", "data", "seen"),
    [
        ("swipe", {}, "swipe"),
        ("invented", {}, "normal"),
        ("normal", {"trigger": "quiet"}, "quiet"),
        ("normal", {"trigger": "own"}, "own"),
        ("normal", {"trigger": ""}, ""),
    ],
)
def test_the_trigger_that_entries_see(trigger: str, data: dict[str, str], seen: str) -> None:
    assembly = turn(entry(1, "cat"), trigger=trigger, scan_data=data)
    assert (assembly.turn.trigger, assembly.trigger) == (seen, trigger)


def prompts(assembly: Assembly) -> list[tuple[str, str]]:
    return [(prompt.name, prompt.text) for prompt in assembly.turn.prompts]


def test_notes_are_scanned_only_where_the_user_allows_it() -> None:
    cast = Cast(Persona("User"), Character("Anna", depth_prompt=DepthPrompt(" {{char}} limps ")))
    note = AuthorsNote("a note")
    assert prompts(turn(cast=cast, note=note)) == []
    assert prompts(turn(cast=cast, note=note, allow_wi_scan=True)) == [
        ("DEPTH_PROMPT", "Anna limps"),
        ("2_floating_prompt", "a note"),
    ]
    assert prompts(turn(cast=Cast(Persona(), Character("Anna")), note=note, allow_wi_scan=True)) == [
        ("2_floating_prompt", "a note")
    ]


def test_the_quiet_prompt_is_always_scanned() -> None:
    made = scenario(entry(1, "cat"), chat=["x"], quiet_prompt="a cat")
    assert prompts(run(made)) == [("QUIET_PROMPT", "a cat")]
    assert uids(run(made)) == [1]
    assert prompts(run(made, quiet_prompt="")) == []


def test_a_persona_at_depth_is_scanned_from_the_next_generation_on() -> None:
    cast = Cast(Persona("User", "a cat", position="at_depth"), Character("Anna"))
    made = scenario(entry(1, "cat"), chat=["x", "y"], cast=cast)
    assert [uids(assembly) for assembly in turns(made, [1, 2])] == [[], [1]]
    elsewhere = replace(made, cast=Cast(Persona("User", "a cat"), Character("Anna")))
    assert [uids(assembly) for assembly in turns(elsewhere, [1, 2])] == [[], []]


def test_a_prompt_that_is_empty_after_its_macros_is_none() -> None:
    assert prompts(turn(injected=(InjectedPrompt("m", "{{noop}}", scan=True),))) == []


ANNA = Character(
    "Anna",
    "anna.png",
    description="about Anna",
    personality="kind",
    scenario="a mill",
    depth_prompt=DepthPrompt("Anna limps"),
)
BERT = Character(
    "Bert",
    "bert.png",
    description="{{char}} is old",
    personality="",
    scenario="a ferry",
    depth_prompt=DepthPrompt("Bert coughs"),
)
CARL = Character("Carl", "carl.png", description="about Carl")


def group(mode: int, **parts: Any) -> Cast:
    return Cast(Persona("User"), None, Group((ANNA, BERT, CARL), 1, frozenset({2}), mode, **parts))


def test_a_group_that_swaps_cards_speaks_with_one_of_them() -> None:
    assembly = turn(cast=group(0), allow_wi_scan=True)
    assert assembly.turn.sources["characterDescription"] == "Bert is old"
    assert prompts(assembly) == [("DEPTH_PROMPT", "Bert coughs")]


@pytest.mark.parametrize(
    ("mode", "description"), [(1, "about Anna\nBert is old"), (2, "about Anna\nBert is old\nabout Carl")]
)
def test_joined_cards_are_one_a_line_without_the_muted_ones_in_mode_1(mode: int, description: str) -> None:
    assembly = turn(cast=group(mode), allow_wi_scan=True)
    assert assembly.turn.sources["characterDescription"] == description
    assert assembly.turn.sources["characterPersonality"] == "kind"
    assert assembly.turn.sources["scenario"] == "a mill\na ferry"
    assert [name for name, _ in prompts(assembly)] == ["DEPTH_PROMPT_0", "DEPTH_PROMPT_1"]


def test_joined_cards_have_a_prefix_and_suffix_with_the_fields_name() -> None:
    assembly = turn(cast=group(1, join_prefix="[{{char}} <FIELDNAME>: ", join_suffix="]"))
    assert (
        assembly.turn.sources["characterDescription"]
        == "[Anna Description: about Anna]\n[Bert Description: Bert is old]"
    )


def test_the_chats_own_scenario_comes_first() -> None:
    transcript = Transcript((Message("x"),), metadata={"scenario": "a storm"})
    made = scenario(cast=Cast(character=ANNA), transcript=transcript)
    assert run(made).turn.sources["scenario"] == "a storm"
    assert run(replace(made, scan_data={"scenario": "given", "trigger": "quiet"})).turn.sources == {
        **run(made).turn.sources,
        "scenario": "given",
    }


def test_a_speaking_member_brings_its_own_books() -> None:
    from lorebook_tui.model.book import Book

    own = Book("own", (entry(7, "cat"),))
    cast = Cast(Persona(), None, Group((replace(ANNA, books=(own,)), BERT), 0))
    assert uids(turn(cast=cast)) == [7]
    assert uids(turn(cast=replace(cast, group=replace(cast.group, speaker=1)))) == []  # type: ignore[type-var]


def test_sources_with_changing_macros_are_read_anew_each_turn() -> None:
    cast = Cast(Persona("User", "seen {{getvar::n}}"), Character("Anna"))
    made = scenario(
        entry(1, constant=True, content="{{incvar::n}}"), chat=["x", "y"], cast=cast, local_variables={"n": "0"}
    )
    assert [assembly.turn.sources["personaDescription"] for assembly in turns(made, [1, 2])] == ["seen 0", "seen 1"]


def test_a_step_may_change_time_prompt_and_forced_entries() -> None:
    from datetime import UTC, datetime

    made = scenario(entry(1, "{{isodate}}"), chat=["2030-05-06"])
    assert uids(run(made)) == []
    assert [uids(found) for found in turns(made, [Step(1, now=datetime(2030, 5, 6, tzinfo=UTC))])] == [[1]]
