"""The prompt as rows: pieces with their origins cover what the model reads, and nothing activated is lost silently."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.prompt import AssembledPrompt, assemble_prompt
from lorebook_tui.engine.prompt.sources import Source
from lorebook_tui.engine.prompt.views import PromptRow, PromptView, left_out, prompt_view
from lorebook_tui.model.cast import AuthorsNote, Cast, Character, DepthPrompt, InjectedPrompt, Persona
from lorebook_tui.model.scenario import Scenario, Step
from tests.parity.prompt_settings import settings_from
from tests.unit.engine.lore import COUNTER, entry, scenario

if TYPE_CHECKING:
    from lorebook_tui.model.entry import Entry

CARD = Character(
    "Anna", "anna.png", description="DESCRIPTION", personality="PERSONALITY", scenario="SCENARIO",
    example_messages="<START>\nUser: Is it deep?\nAnna: Deep enough.", depth_prompt=DepthPrompt("CARD NOTE", 1),
)  # fmt: skip
CAST = Cast(Persona("User", "PERSONA"), CARD)
CHAT = ("one", "two", "three")
BOTH = ({"api": "openai"}, {"api": "text"})


def constant(uid: int, **fields: Any) -> Entry:
    return entry(uid, constant=True, **fields)


def made(*entries: Entry, prompt: dict[str, Any] | None = None, **parts: Any) -> AssembledPrompt:
    """The prompt of the last turn of a chat; one token per character."""
    given: Scenario = scenario(*entries, **{"chat": CHAT, "cast": CAST, "max_context": 100_000, **parts})
    simulation = Simulation(given, COUNTER)
    assembly = simulation.assemble(Step(len(given.transcript)), simulation.initial_state())
    return assemble_prompt(simulation, assembly, settings_from(prompt or {}))


def view(*entries: Entry, prompt: dict[str, Any] | None = None, **parts: Any) -> PromptView:
    return prompt_view(made(*entries, prompt=prompt, **parts))


def pieces(row: PromptRow) -> list[tuple[str, str, str]]:
    return [(piece.source.letter, piece.label, piece.text) for piece in row.pieces]


def holding(shown: PromptView, text: str) -> PromptRow:
    (row,) = (row for row in shown.rows if text in row.text)
    return row


def missing(shown: PromptView) -> dict[str, str]:
    return {item.title: item.code for item in shown.missing}


@pytest.mark.parametrize("shape", BOTH)
def test_rows_are_the_whole_prompt(shape: dict[str, Any]) -> None:
    prompt = made(*(constant(uid, position=uid) for uid in range(7)), prompt=shape)
    rows = prompt_view(prompt).rows
    texts = [row.text for row in rows]
    assert texts == [message.content.text for message in prompt.messages] or "".join(texts) == prompt.text
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        assert [row.text[piece.start : piece.start + len(piece.text)] for piece in row.pieces] == [
            piece.text for piece in row.pieces
        ]


def test_messages_of_a_chat_completion_say_what_they_are() -> None:
    shown = view(constant(0), constant(1, position=4, depth=1, role=1))
    told = [(row.role, row.title, [(letter, label) for letter, label, _ in pieces(row)]) for row in shown.rows]
    assert told == [
        ("system", "main prompt", [("P", "main prompt")]),
        ("system", "lore before the character", [("E", "e0")]),
        ("system", "persona", [("U", "persona")]),
        ("system", "description", [("C", "description of Anna")]),
        ("system", "personality", [("C", "personality of Anna")]),
        ("system", "scenario", [("C", "scenario of Anna")]),
        ("system", "example messages", [("=", "start of an example")]),
        ("system", "example messages", [("C", "example messages of Anna")]),
        ("system", "example messages", [("C", "example messages of Anna")]),
        ("system", "", [("=", "start of the chat")]),
        ("user", "", [("M", "message 1, User")]),
        ("assistant", "", [("M", "message 2, Anna")]),
        ("user", "at depth 1", [("E", "e1")]),
        ("system", "at depth 1", [("C", "character's note of Anna")]),
        ("user", "", [("M", "message 3, User")]),
    ]
    assert [row.name for row in shown.rows if row.name] == ["example_user", "example_assistant"]


def test_parts_of_a_text_completion_say_what_they_are() -> None:
    shown = view(constant(0), constant(1, position=4, depth=1, role=1), prompt={"api": "text"})
    assert [row.title for row in shown.rows] == [
        "story string", "example messages", "", "", "", "at depth 1", "at depth 1", "",
    ]  # fmt: skip
    story, examples, start, *_, last = shown.rows
    assert [label for _, label, _ in pieces(story)] == [
        "system prompt", "e0", "description of Anna", "personality of Anna", "scenario of Anna", "persona",
    ]  # fmt: skip
    assert pieces(story)[3] == ("C", "personality of Anna", "Anna's personality: PERSONALITY\n")
    assert pieces(examples)[0][2] == "***\nUser: Is it deep?\nAnna: Deep enough.\n"
    assert pieces(start) == [("=", "start of the chat", "***\n")]
    assert pieces(last) == [("M", "message 3, User", "User: three\n"), ("=", "name", "Anna:")]
    assert holding(shown, "text 1").role == ""
    assert pieces(holding(shown, "text 1")) == [("E", "e1", "User: text 1\n")]


def test_sequences_of_a_template_frame_the_texts_they_belong_to() -> None:
    shown = view(prompt={"api": "text", "instruct": "ChatML"})
    row = holding(shown, "two")
    assert [(text, source.letter) for text, source in row.pieces[0].spans] == [
        ("<|im_start|>assistant\n", "="), ("two", "M"), ("<|im_end|>\n", "="),
    ]  # fmt: skip
    assert pieces(shown.rows[-1])[-1] == ("=", "template", "<|im_start|>assistant\n")
    assert shown.rows[0].text.startswith("<|im_start|>system\n")
    assert shown.rows[0].pieces[-1].text.endswith("<|im_end|>\n")


def test_collapsed_line_feeds_and_carriage_returns_leave_the_lines_whole() -> None:
    chat = ("\n\none\r\n\n\n\r", "\n\n", "three\n\n\n")
    prompt = made(chat=chat, prompt={"api": "text", "power": {"collapse_newlines": True}})
    rows = prompt_view(prompt).rows
    assert "".join(row.text for row in rows) == prompt.text
    assert "\n\n" not in prompt.text
    assert [piece.message for row in rows for piece in row.pieces if piece.source is Source.MESSAGE][-1] == 2


def test_one_message_of_a_depth_shows_each_of_its_texts() -> None:
    shown = view(
        constant(0, position=2), constant(1, position=4, depth=1), note=AuthorsNote("NOTE", depth=1),
        injected=(InjectedPrompt("1_memory", "SUMMARY", depth=1),),
    )  # fmt: skip
    row = holding(shown, "NOTE")
    assert row.title == "at depth 1"
    assert [(letter, label) for letter, label, _ in pieces(row)] == [
        ("X", "summary"), ("E", "e0"), ("N", "author's note"), ("C", "character's note of Anna"), ("E", "e1"),
    ]  # fmt: skip
    assert not any(piece.is_inline for piece in row.pieces)


def test_an_outlet_stands_inside_the_text_that_asks_for_it() -> None:
    entries = (constant(0, position=7, outletName="door"),)
    for shape in BOTH:
        shown = view(*entries, note=AuthorsNote("Mind {{outlet::door}}."), prompt=shape)
        row = holding(shown, "Mind")
        inside = [(piece.label, piece.is_inline) for piece in row.pieces if piece.label in {"author's note", "e0"}]
        assert inside == [("author's note", False), ("e0", True), ("author's note", True)]
        assert shown.missing == ()


def test_an_outlet_asked_for_twice_has_its_origin_both_times() -> None:
    shown = view(
        constant(0, position=7, outletName="door"),
        prompt={"prompts": [{"identifier": "nsfw", "content": "A {{outlet::door}}"}, {"identifier": "jailbreak", "content": "B {{outlet::door}}"}]},
    )  # fmt: skip
    assert [piece.label for row in shown.rows for piece in row.pieces].count("e0") == 2


def test_tokens_of_pieces_rows_and_sources() -> None:
    shown = view(constant(0, content="abcd"))
    row = holding(shown, "abcd")
    assert (row.tokens, [piece.tokens for piece in row.pieces]) == (5 + 4, [4])
    assert sum(row.tokens for row in shown.rows) == shown.tokens == sum(tokens for _, tokens in shown.shares)
    assert dict(shown.shares)[Source.ENTRY] == 4
    assert dict(shown.shares)[Source.MESSAGE] == len("onetwothree")


@pytest.mark.parametrize(
    ("fields", "code", "why"),
    [
        ({"position": 7, "outletName": "x"}, "not_asked_for", "outlet “x”"),
        ({"position": 7}, "no_outlet_name", "names none"),
        ({"position": 9}, "unknown_position", "none of the known ones"),
        ({"position": 2}, "note_not_due", "not sent at this turn"),
        ({"position": 4, "depth": 20_000}, "no_such_depth", "whole number"),
        ({"position": 4, "role": 7}, "no_such_role", "role"),
        ({"position": 5}, "no_named_line", "begins with a name"),
        ({"content": ""}, "empty_text", "empty"),
        ({"position": 4, "content": "  "}, "empty", "Nothing is left"),
    ],
)
def test_an_activated_entry_that_is_not_in_the_prompt_says_why(fields: dict[str, Any], code: str, why: str) -> None:
    shown = view(constant(0, **fields), note=AuthorsNote("NOTE", interval=0))
    (lost,) = shown.missing
    assert (lost.title, lost.code) == ("e0", code)
    assert why in lost.why
    assert lost.why.endswith(".")


def test_records_of_one_name_overwrite_each_other() -> None:
    shown = view(constant(0, position=4, depth="2", order=200), constant(1, position=4, depth=2, order=100))
    assert missing(shown) == {"e0": "overwritten"}


@pytest.mark.parametrize(
    ("prompt", "position", "code"),
    [
        ({"oai": {"wi_format": "No lore."}}, 0, "hidden_by_format"),
        ({"prompt_order": [{"identifier": "worldInfoBefore", "enabled": False}]}, 0, "slot_off"),
        ({"power": {"strip_examples": True}}, 5, "stripped"),
        ({"generate": {"skipWIAN": True}}, 4, "skipped"),
        ({"generate": {"skipWIAN": True}}, 7, "skipped"),
        ({"api": "text", "context": {"story_string": "{{system}}"}}, 0, "not_in_template"),
        ({"api": "text", "instruct": "ChatML"}, 5, "no_named_line"),
    ],
)
def test_settings_can_lose_an_entry(prompt: dict[str, Any], position: int, code: str) -> None:
    shown = view(constant(0, position=position, outletName="x"), prompt=prompt)
    assert missing(shown) == {"e0": code}


def test_a_depth_entry_goes_with_the_messages_around_it() -> None:
    entries = (constant(0, position=4, depth=2), constant(1, position=4, depth=0))
    cast = Cast(Persona("User"), Character("Anna"))
    needed = len("Write Anna's next reply in a fictional chat between Anna and User.") + len("[Start a new Chat]")
    room = needed + 2 * 5 + 3 + len("text 1") + 5 + len("three") + 5
    budget = {"world_info_budget": 100}
    shown = view(*entries, cast=cast, max_context=room, settings=budget)
    assert missing(shown) == {"e0": "behind_the_cut"}
    assert "at depth 2 as system, where the chat does not fit any more" in shown.missing[0].why
    told = [(line.source.letter, line.label, line.index, line.message) for line in left_out(shown)]
    assert told == [("E", "e0", 0, None), ("M", "message 1, User", None, 0), ("M", "message 2, Anna", None, 1)]
    assert [row.first_message for row in shown.dropped if row.is_chat] == [0, 1]


def test_examples_get_what_the_rest_leaves() -> None:
    whole = made(cast=CAST)
    shown = view(
        constant(0, position=6, content="Anna: " + "x" * 50),
        max_context=whole.tokens + 3,
        settings={"world_info_budget": 100},
    )
    assert missing(shown) == {"e0": "context_full"}
    assert "Examples get what the rest leaves" in shown.missing[0].why


def test_messages_are_told_in_runs() -> None:
    cast = Cast(Persona("User"), Character("Anna"))
    shown = view(chat=[f"message {number}" for number in range(20)], cast=cast, max_context=200)
    told = [(line.label, line.tokens) for line in left_out(shown)]
    assert len(told) == 2
    assert told[0][0].startswith("messages 1 to ")
    assert told[0][1] == sum(piece.tokens for row in shown.dropped[:-1] for piece in row.pieces)


def test_dropped_texts_that_are_no_entry_are_told_once_each() -> None:
    persona = Persona("User", "PERSONA", position="top_an")
    shown = view(note=AuthorsNote("NOTE", interval=0), cast=Cast(persona, CARD))
    (line,) = left_out(shown)
    assert (line.source, line.label, line.index) == (Source.PERSONA, "persona, author's note", None)
    assert line.why == "The author's note is not due in this generation."


def test_a_prompt_that_is_too_long_leaves_the_chat_out_and_says_so() -> None:
    shown = view(constant(0), max_context=100, settings={"world_info_budget": 100})
    assert "Not enough free tokens" in shown.error
    assert missing(shown) == {}
    assert shown.unread == (0, 1, 2)
    (line,) = left_out(shown)
    assert (line.label, line.tokens, line.message) == ("messages 1 to 3", None, 0)
    assert "mandatory" in line.why


def test_messages_that_were_tried_are_told_once_where_the_prompt_ends_later() -> None:
    cast = Cast(Persona("User"), Character("Anna"))
    chat = ("one", "x" * 500)
    needed = len("Write Anna's next reply in a fictional chat between Anna and User.") + 5 + 3
    shown = view(chat=chat, cast=cast, max_context=needed + 5)
    assert shown.error
    assert shown.unread == ()
    told = [(line.label, line.tokens) for line in left_out(shown)]
    assert told == [("message 1, User", 3), ("message 2, Anna", 500)]


def test_entries_that_a_prompt_too_long_did_not_reach() -> None:
    shown = view(constant(0, position=1), max_context=80, settings={"world_info_budget": 100})
    assert missing(shown) == {"e0": "mandatory_too_long"}


def test_a_generation_that_runs_otherwise_is_told() -> None:
    shown = view(prompt={"oai": {"send_if_empty": "Go on."}})
    assert shown.changed
    assert "Go on." in shown.rows[-1].text
    assert not view().changed


def test_squashed_messages_keep_the_origins_of_all_their_texts() -> None:
    shown = view(constant(0), prompt={"oai": {"squash_system_messages": True}})
    first = shown.rows[0]
    assert [label for _, label, _ in pieces(first)] == [
        "main prompt", "e0", "persona", "description of Anna", "personality of Anna", "scenario of Anna",
    ]  # fmt: skip
    assert first.title == "main prompt"


def test_own_prompts_of_the_manager_are_named() -> None:
    prompt = {
        "prompts": [{"identifier": "my-own", "content": "Slowly.", "injection_position": 1, "injection_depth": 1}],
        "prompt_order": ["main", "chatHistory", "my-own"],
    }
    row = holding(view(prompt=prompt, cast=replace(CAST, character=Character("Anna"))), "Slowly.")
    assert pieces(row) == [("P", "my-own", "Slowly.")]


def test_a_prompt_with_neither_examples_nor_chat_start_has_fewer_parts() -> None:
    prompt = {"api": "text", "context": {"story_string": "{{description}}", "chat_start": "", "example_separator": ""}}
    shown = view(chat=("one",), cast=Cast(Persona("User"), Character("Anna", description="DESCRIPTION")), prompt=prompt)
    assert [row.text for row in shown.rows] == ["DESCRIPTION\n", "User: one\nAnna:"]


@pytest.mark.parametrize("api", ["openai", "text"])
def test_a_persona_at_depth_says_where(api: str) -> None:
    persona = Persona("User", "PERSONA", position="at_depth", depth=2)
    shown = view(cast=Cast(persona, Character("Anna")), prompt={"api": api})
    row = holding(shown, "PERSONA")
    assert (row.title, row.pieces[0].source) == ("at depth 2", Source.PERSONA)


def test_a_note_beside_the_main_prompt_stands_at_no_depth() -> None:
    shown = view(constant(0, position=3), note=AuthorsNote("MIND", position=0))
    row = holding(shown, "MIND")
    assert (row.title, [label for _, label, _ in pieces(row)]) == ("main prompt", ["author's note", "e0"])


def test_injections_that_do_not_fit_a_text_completion_say_so() -> None:
    cast = Cast(Persona("User"), Character("Anna"))
    shown = view(
        constant(0, position=4, depth=0, content="x" * 40),
        chat=("one",), cast=cast, max_context=160, settings={"world_info_budget": 100}, prompt={"api": "text"},
    )  # fmt: skip
    assert missing(shown) == {"e0": "context_full"}
    assert "before any message of the chat is in" in shown.missing[0].why


def test_where_sillytavern_stops_nothing_is_sent() -> None:
    prompt = {"api": "text", "power": {"user_prompt_bias": "Hm,"}}
    shown = view(constant(0), max_context=10, settings={"world_info_budget": 100}, prompt=prompt)
    assert (shown.stops, shown.rows, shown.tokens) == (True, (), 0)
    assert shown.error
    assert missing(shown) == {"e0": "stopped"}
    assert shown.unread == ()
    assert [line.label for line in left_out(shown)][:2] == ["e0", "character's note of Anna, at depth 1"]
