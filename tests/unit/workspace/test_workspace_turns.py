"""Turns of a chat: which there were, how people name them, and that looking in passing changes nothing."""

from __future__ import annotations

import pytest

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.errors import UsageError
from lorebook_tui.model.book import book_from_fields
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import Scenario
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.tokens.registry import counter
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.sample import sample
from lorebook_tui.workspace.turns import Replay, parse_turns, replay_of, schedule


def chat(pattern: str) -> Scenario:
    """A chat with a message per letter: `u` by the user, `c` by the character."""
    return Scenario(transcript=Transcript(tuple(Message(letter, is_user=letter == "u") for letter in pattern)))


@pytest.mark.parametrize(
    ("pattern", "mode", "turns"),
    [
        ("cucuuc", "user", [2, 4, 5]),
        ("cuc", "each", [1, 2, 3]),
        ("cc", "user", [2]),
        ("", "user", [0]),
        ("", "each", [0]),
    ],
)
def test_turns_follow_the_messages(pattern: str, mode: str, turns: list[int]) -> None:
    assert schedule(chat(pattern), mode) == turns


def test_another_mode_is_refused() -> None:
    with pytest.raises(UsageError, match="sometimes"):
        schedule(chat("u"), "sometimes")


@pytest.mark.parametrize(
    ("text", "turns"),
    [("12", [12]), ("3,5", [3, 5]), ("4-6", [4, 5, 6]), ("4..6, 9", [4, 5, 6, 9]), ("last", [20]), ("0", [0])],
)
def test_turns_are_listed_as_people_do(text: str, turns: list[int]) -> None:
    assert parse_turns(text, 20) == turns


@pytest.mark.parametrize("text", ["", "a", "1,", "-3", "21", "5-3", "1-99", "1.5"])
def test_what_names_no_turns_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_turns(text, 20)


def sticky_replay() -> Replay:
    """Only the first message holds the key; the entry is sticky for 4 messages, then cools down for 4."""
    entry = {
        "uid": 0, "key": ["bell"], "content": "x", "order": 100, "position": 0, "sticky": 4, "cooldown": 4,
        "scanDepth": 1,
    }  # fmt: skip
    made = Scenario(
        layers=Layers(global_=(book_from_fields("b", {"0": entry}),)),
        transcript=Transcript(tuple(Message(text, is_user=True) for text in ("bell", "a", "b", "c", "bell", "d"))),
    )
    return Replay(Simulation(made, counter("estimate")), tuple(schedule(made)))


def test_a_turn_stands_where_the_turns_before_left_it() -> None:
    replayed = sticky_replay()
    inside = {assembly.upto: bool(assembly.admitted) for assembly in replayed.run([1, 2, 3, 4, 5, 6])}
    alone = {turn: bool(next(iter(replayed.run([turn]))).admitted) for turn in range(1, 7)}
    assert inside == alone == {1: True, 2: True, 3: True, 4: True, 5: False, 6: False}


def test_a_turn_that_was_none_is_looked_at_in_passing() -> None:
    entry = {"uid": 0, "key": ["bell"], "content": "x", "order": 100, "position": 0, "sticky": 9, "scanDepth": 1}
    messages = (Message("a", is_user=True), Message("bell"), Message("b", is_user=True), Message("c"))
    made = Scenario(layers=Layers(global_=(book_from_fields("b", {"0": entry}),)), transcript=Transcript(messages))
    replayed = Replay(Simulation(made, counter("estimate")), tuple(schedule(made)))
    assert replayed.turns == (1, 3)
    looked = {assembly.upto: bool(assembly.admitted) for assembly in replayed.run([2, 3, 4])}
    assert looked == {2: True, 3: False, 4: False}


def test_the_last_turn_is_the_last_that_happened() -> None:
    replayed = replay_of(open_workspace([sample()]))
    assert replayed.last == replayed.turns[-1] == 44
