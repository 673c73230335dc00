from __future__ import annotations

from typing import Any

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.chat_hits import KeyInChat, keys_in_chat
from lorebook_tui.model.transcript import Message, Transcript
from tests.unit.engine.lore import COUNTER, entry, raw, scenario

SLOW, HARD = "/(a+)+\\1$/", "a" * 60 + "!"
CHAT = Transcript(
    (
        Message("A Cat sits."),
        Message("cats and dogs", is_user=True),
        Message("a cat nobody sees", is_hidden=True),
        Message("The cat of User."),
    )
)


def asked(*keys: Any, name: str = "key", **fields: Any) -> tuple[KeyInChat, ...]:
    made = scenario(entry(0, "whatever"), transcript=CHAT)
    simulation = Simulation(made, COUNTER)
    subject = entry(1, **{name: list(keys)}, **fields)
    return keys_in_chat(simulation.plan(), simulation.chat(include_names=False), subject, name)


def test_plain_keys_follow_the_options_of_the_entry_and_hidden_messages_do_not_count() -> None:
    assert [found.messages for found in asked("cat", "cats and", "zebra")] == [(0, 3), (1,), ()]
    assert [found.messages for found in asked("cat", matchWholeWords=False)] == [(0, 1, 3)]
    assert [found.messages for found in asked("cat", caseSensitive=True)] == [(3,)]
    assert [found.messages for found in asked("dogs", name="keysecondary")] == [(1,)]


def test_kinds_are_told() -> None:
    found = asked("cat", "/c.ts/", "/c.t(/", "{{random::cat::dog}}", " ", "", "{{user}}", 5)
    assert [(key.kind, key.messages) for key in found] == [
        ("plain", (0, 3)), ("pattern", (1,)), ("invalid", ()), ("macro", ()), ("blank", (0, 1, 3)), ("empty", ()),
        ("plain", (3,)),
    ]  # fmt: skip
    assert found[2].note
    assert found[3].note


def test_a_pattern_that_takes_too_long_says_so() -> None:
    made = scenario(entry(0), chat=["aac", HARD])
    simulation = Simulation(made, COUNTER)
    subject = entry(1, SLOW)
    (found,) = keys_in_chat(simulation.plan(), simulation.chat(include_names=False), subject)
    assert found.kind == "pattern"
    assert "time limit" in found.note


def test_an_entry_without_a_list_of_keys_has_none() -> None:
    simulation = Simulation(scenario(entry(0)), COUNTER)
    assert keys_in_chat(simulation.plan(), simulation.chat(include_names=False), raw("x", key="cat")) == ()
