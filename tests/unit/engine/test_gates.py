from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.gates import Gates
from lorebook_tui.engine.phases.filters import GateState, closed_gate
from lorebook_tui.engine.trace import PassKind, Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.model.cast import Cast, Character, Persona
from tests.unit.engine.lore import entry, raw, run, scenario, turn, uids

ANNA = Cast(Persona("User"), Character("Anna", "Miss.Anna.png", tags=("elf", "sad")))
UNTAGGED = Cast(Persona("User"), Character("Anna", "anna.png", tags=None))


def reason(
    cast: Cast | None = None, trigger: str = "normal", chat: tuple[str, ...] = ("cat",), **fields: Any
) -> Reason:
    parts: dict[str, Any] = {"cast": cast} if cast else {}
    return verdict(turn(entry(1, "cat", **fields), chat=chat, trigger=trigger, **parts), 0).reason


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, Reason.DISABLED),
        (1, Reason.DISABLED),
        ("1", Reason.DISABLED),
        (2, Reason.IN_PROMPT),
        ("true", Reason.IN_PROMPT),
        (False, Reason.IN_PROMPT),
    ],
)
def test_disable_is_compared_with_true(value: Any, expected: Reason) -> None:
    assert reason(disable=value) is expected


@pytest.mark.parametrize(
    ("triggers", "trigger", "expected"),
    [
        ([], "swipe", Reason.IN_PROMPT),
        (["normal"], "normal", Reason.IN_PROMPT),
        (["normal"], "continue", Reason.TRIGGER),
        (["quiet", "continue"], "continue", Reason.IN_PROMPT),
        (["normal"], "invented", Reason.IN_PROMPT),
        ("normal", "continue", Reason.IN_PROMPT),
    ],
)
def test_triggers(triggers: Any, trigger: str, expected: Reason) -> None:
    assert reason(triggers=triggers, trigger=trigger, chat=("cat", "cat")) is expected


@pytest.mark.parametrize(
    ("names", "exclude", "expected"),
    [
        (["Miss.Anna"], False, Reason.IN_PROMPT),
        (["Anna"], False, Reason.CHARACTER_NAME),
        (["Miss.Anna"], True, Reason.CHARACTER_NAME),
        (["Anna"], True, Reason.IN_PROMPT),
        ([], True, Reason.IN_PROMPT),
    ],
)
def test_the_character_filter_compares_file_names(names: list[str], exclude: bool, expected: Reason) -> None:
    assert reason(ANNA, characterFilter={"names": names, "tags": [], "isExclude": exclude}) is expected


@pytest.mark.parametrize(("exclude", "expected"), [(False, Reason.CHARACTER_NAME), (True, Reason.IN_PROMPT)])
def test_without_a_card_no_name_fits(exclude: bool, expected: Reason) -> None:
    assert reason(Cast(), characterFilter={"names": ["Anna"], "tags": ["elf"], "isExclude": exclude}) is expected


@pytest.mark.parametrize(
    ("cast", "tags", "exclude", "expected"),
    [
        (ANNA, ["elf"], False, Reason.IN_PROMPT),
        (ANNA, ["orc"], False, Reason.CHARACTER_TAG),
        (ANNA, ["orc", "sad"], True, Reason.CHARACTER_TAG),
        (ANNA, ["orc"], True, Reason.IN_PROMPT),
        (UNTAGGED, ["orc"], False, Reason.IN_PROMPT),
        (UNTAGGED, ["orc"], True, Reason.IN_PROMPT),
        (Cast(character=Character("A", "a.png", tags=())), ["orc"], False, Reason.CHARACTER_TAG),
    ],
)
def test_tags_are_skipped_only_if_the_card_has_no_entry_in_the_tag_map(
    cast: Cast, tags: list[str], exclude: bool, expected: Reason
) -> None:
    assert reason(cast, characterFilter={"names": [], "tags": tags, "isExclude": exclude}) is expected


def test_names_and_tags_must_both_pass() -> None:
    both = {"names": ["Miss.Anna"], "tags": ["orc"], "isExclude": False}
    assert reason(ANNA, characterFilter=both) is Reason.CHARACTER_TAG
    assert reason(ANNA, characterFilter="Anna") is Reason.IN_PROMPT


@pytest.mark.parametrize(
    ("delay", "expected"),
    [
        (1, Reason.IN_PROMPT),
        (2, Reason.IN_PROMPT),
        (3, Reason.DELAYED),
        (0, Reason.IN_PROMPT),
        (None, Reason.IN_PROMPT),
    ],
)
def test_delay_counts_messages_also_in_dry_runs(delay: Any, expected: Reason) -> None:
    assert reason(chat=("x", "cat"), delay=delay) is expected
    assert verdict(turn(entry(1, "cat", delay=delay), chat=("x", "cat"), dry_run=True), 0).reason is expected


def test_hidden_messages_do_not_count_for_delay() -> None:
    from dataclasses import replace

    made = scenario(entry(1, "cat", delay=2), chat=["x", "cat"])
    first, second = made.transcript.messages
    hidden = replace(made, transcript=replace(made.transcript, messages=(replace(first, is_hidden=True), second)))
    assert verdict(run(hidden), 0).reason is Reason.DELAYED


OPEN = Gates(
    disabled=False,
    name_blocked=False,
    tag_blocked=False,
    triggers=None,
    delay=0,
    level=None,
    excludes_recursion=False,
    suppressed=False,
    has_keys=True,
)
FIRST = GateState(PassKind.INITIAL, 0, 3, "normal", recursive=True)
LATER = GateState(PassKind.RECURSION, 0, 3, "normal", recursive=True)


@pytest.mark.parametrize(
    ("changes", "state", "sticky", "cooldown", "expected"),
    [
        ({}, FIRST, False, False, None),
        ({}, FIRST, False, True, Reason.ON_COOLDOWN),
        ({}, FIRST, True, True, None),
        ({"disabled": True}, FIRST, True, False, Reason.DISABLED),
        ({"triggers": frozenset({"swipe"})}, FIRST, True, False, Reason.TRIGGER),
        ({"name_blocked": True}, FIRST, True, False, Reason.CHARACTER_NAME),
        ({"tag_blocked": True}, FIRST, True, False, Reason.CHARACTER_TAG),
        ({"delay": 4}, FIRST, True, False, Reason.DELAYED),
        ({"suppressed": True}, FIRST, True, False, Reason.SUPPRESSED),
        ({"suppressed": True}, FIRST, False, False, Reason.SUPPRESSED),
        ({"level": 1}, FIRST, False, False, Reason.WAITS_FOR_RECURSION),
        ({"level": 1}, FIRST, True, False, None),
        (
            {"level": 2},
            GateState(PassKind.RECURSION, 1, 3, "normal", recursive=True),
            False,
            False,
            Reason.LEVEL_NOT_OPEN,
        ),
        ({"level": 2}, GateState(PassKind.RECURSION, 2, 3, "normal", recursive=True), False, False, None),
        (
            {"level": 1},
            GateState(PassKind.MIN_ACTIVATIONS, 1, 3, "normal", recursive=True),
            False,
            False,
            Reason.WAITS_FOR_RECURSION,
        ),
        ({"excludes_recursion": True}, LATER, False, False, Reason.EXCLUDED_FROM_RECURSION),
        ({"excludes_recursion": True}, LATER, True, False, None),
        ({"excludes_recursion": True}, FIRST, False, False, None),
        (
            {"excludes_recursion": True},
            GateState(PassKind.RECURSION, 0, 3, "normal", recursive=False),
            False,
            False,
            None,
        ),
        (
            {"excludes_recursion": True},
            GateState(PassKind.MIN_ACTIVATIONS, 0, 3, "normal", recursive=True),
            False,
            False,
            None,
        ),
    ],
)
def test_gates_stand_in_a_fixed_order(
    changes: dict[str, Any], state: GateState, sticky: bool, cooldown: bool, expected: Reason | None
) -> None:
    assert closed_gate(OPEN._replace(**changes), state, sticky=sticky, cooldown=cooldown) is expected


def test_a_decorator_activates_without_keys_and_beats_its_opposite() -> None:
    assembly = turn(
        entry(1, content="@@activate\none"),
        entry(2, content="@@dont_activate\n@@activate\ntwo"),
        entry(3, "cat", content="@@dont_activate\nthree", constant=True),
        entry(4, "cat", content="@@activate now\nfour"),
        entry(5, content="@@activate"),
        chat=["cat"],
    )
    assert [(admitted.content, admitted.cause.value) for admitted in assembly.admitted] == [
        ("one", "decorator"),
        ("two", "decorator"),
        ("four", "key"),
        ("@@activate", "decorator"),
    ]


def test_an_entry_of_no_fields_at_all_is_harmless() -> None:
    assembly = run(scenario(raw("0"), raw("1", key=["cat"]), raw("2", key="cat", constant=True, uid=2)))
    assert uids(assembly) == [None, 2]
    assert verdict(assembly, 0).reason is Reason.NO_KEYS
    assert assembly.entry(0).identity == "lore.undefined"
    assert [verdict(assembly, index).reason for index in (1, 2)] == [Reason.EMPTY_TEXT, Reason.EMPTY_TEXT]
