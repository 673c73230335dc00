"""What macros see: people, cards, chats, outlets and chance."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from lorebook_tui.engine.macros import (
    Card,
    CardPart,
    MacroEnvironment,
    Member,
    acts_always,
    card_of,
    is_constant,
    is_plain,
    substitute,
)
from lorebook_tui.engine.macros.card import format_examples
from lorebook_tui.engine.macros.definitions import MACRO_NAMES
from lorebook_tui.model.cast import Cast, Character, Group, Persona
from lorebook_tui.model.transcript import Message

ANNA = Character(
    name="Anna", description="I am {{char}}.", personality="", scenario="Here", example_messages="{{user}}: hi"
)
BERT = Character(name="Bert", description="He is {{char}}.", personality="gruff", example_messages="<START>yo")
ENGINES: tuple[Any, ...] = ("new", "legacy")


def test_a_card_without_anybody_is_the_persona_alone() -> None:
    assert card_of(Cast(Persona(description="me")), {}) == Card(persona="me")


def test_the_chat_can_stand_in_for_the_card() -> None:
    metadata = {"scenario": "There", "system_prompt": "Be", "mes_example": "ex"}
    card = card_of(Cast(character=ANNA), metadata)
    assert (card.scenario, card.system_prompt, card.examples) == ("There", "Be", "ex")
    assert card_of(Cast(character=ANNA), {"scenario": ""}).scenario == "Here"


def test_joined_cards_come_in_parts() -> None:
    group = Group((ANNA, BERT), generation_mode=1, join_prefix="<FieldName> of {{char}}: ", join_suffix=";")
    card = card_of(Cast(group=group), {})
    environment = MacroEnvironment(user="Bob", char="Anna", card=card)
    assert (
        substitute("{{description}}", environment)
        == "Description of Anna: I am Anna.;\nDescription of Bert: He is Bert.;"
    )
    assert card.personality == (CardPart("gruff", "Bert", "Personality of {{char}}: ", ";"),)
    assert substitute("{{mesExamplesRaw}}", environment).startswith("Example Messages of Anna: <START>\nBob: hi;\n")


def test_muted_members_are_joined_only_while_they_speak() -> None:
    def names(**given: Any) -> list[str]:
        parts = card_of(Cast(group=Group((ANNA, BERT), disabled=frozenset({1}), **given)), {}).description
        return [part.char for part in parts if isinstance(part, CardPart)]

    assert names(generation_mode=1) == ["Anna"]
    assert names(generation_mode=1, speaker=1) == ["Anna", "Bert"]
    assert names(generation_mode=2) == ["Anna", "Bert"]
    assert names() == []


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("", ""),
        ("<START>", ""),
        ("a", "***\na\n"),
        ("<START>\na\n<start>b", "***\na\n***\nb\n"),
        ("x<START>", "***\nx\n***\n\n"),
    ],
)
def test_examples_stand_under_separators(raw: str, expected: str) -> None:
    assert format_examples(raw) == expected


def test_fields_are_read_once_for_a_text_and_lazily() -> None:
    environment = MacroEnvironment(card=Card(description="{{incvar::n}}", personality="{{incvar::n}}"))
    assert substitute("{{description}}{{description}}", environment) == "11"
    assert substitute("{{description}}", environment) == "2"


def test_the_legacy_engine_reads_the_whole_card_before_every_text() -> None:
    environment = MacroEnvironment(
        card=Card(description="{{incvar::n}}", alternate_greetings=("{{incvar::n}}",)), engine="legacy"
    )
    assert substitute("plain", environment) == "plain"
    assert environment.local == {"n": 2.0}


@pytest.mark.parametrize("engine", ENGINES)
def test_only_cards_that_act_make_plain_texts_act(engine: Any) -> None:
    def acts(card: Card | None) -> bool:
        return acts_always(MacroEnvironment(card=card, engine=engine))

    assert acts(None) is False
    assert acts(Card(description="{{user}} and {{char}}")) is False
    assert acts(Card(description="{{roll:6}}")) is (engine == "legacy")
    assert acts(Card(description=(CardPart("x", "Anna", "{{roll:6}}"),))) is (engine == "legacy")
    assert acts(Card(alternate_greetings=("{{incvar::n}}",))) is (engine == "legacy")


def test_groups() -> None:
    members = (Member("A"), Member("B"), Member("C", muted=True))
    environment = MacroEnvironment(user="U", char="A", group="A, B, C", members=members)
    text = "{{group}}|{{charIfNotGroup}}|{{groupNotMuted}}|{{notChar}}"
    assert substitute(text, environment) == "A, B, C|A, B, C|A, B|B"
    assert substitute(text, replace(environment, engine="legacy")) == "A, B, C|A, B, C|A, B|B, C, U"
    assert substitute(text, replace(environment, group="", members=())) == "A|A|A|U"
    assert substitute("{{group}}{{groupNotMuted}}", MacroEnvironment(group="X, Y")) == "X, YX, Y"
    assert substitute("{{group}}", MacroEnvironment(members=members)) == "A, B, C"


@pytest.mark.parametrize("engine", ENGINES)
def test_outlets(engine: Any) -> None:
    environment = MacroEnvironment(outlets={"Mood": "calm"}, engine=engine)
    assert substitute("{{outlet:: Mood }}|{{outlet::mood}}|{{outlet::x}}", environment) == "calm||"


@pytest.mark.parametrize("engine", ENGINES)
def test_lent_macros(engine: Any) -> None:
    environment = MacroEnvironment(lent={"original": lambda: "mine"}, engine=engine)
    assert substitute("{{original}} {{Original}}", environment) == "mine mine"
    assert substitute("{{original}}", MacroEnvironment(engine=engine)) == "{{original}}"


@pytest.mark.parametrize("engine", ENGINES)
def test_settings_can_be_told(engine: Any) -> None:
    environment = MacroEnvironment(
        texts={"model": "kobold", "systemprompt": "Be."}, max_context=100, max_response=7, engine=engine
    )
    assert substitute("{{model}} {{systemPrompt}} {{maxPrompt}} {{maxResponse}}", environment) == "kobold Be. 100 7"


def test_extensions_and_notes() -> None:
    environment = MacroEnvironment(
        extensions=frozenset({"vectors"}), note="N {{user}}", character_note="C", generation_type="swipe"
    )
    text = "{{hasExtension::Vectors}} {{hasExtension::x}} {{authorsNote}} {{charAuthorsNote}} {{lastGenerationType}}"
    assert substitute(text, environment) == "true false N {{user}} C swipe"


def test_without_a_stream_random_leaves_the_dice_alone() -> None:
    drawn: list[float] = []

    def draw() -> float:
        drawn.append(0.5)
        return 0.5

    texts = {
        substitute("{{random::a::b::c::d}}" * 8, MacroEnvironment(draw=draw, chat_name=name))
        for name in ("x", "x", "y")
    }
    assert drawn == []
    assert len(texts) == 2
    assert substitute("{{random::a::b}}{{random}}", MacroEnvironment(draw_random=lambda: 0.9)) == "b"


def test_picks_depend_on_chat_text_place_and_reroll() -> None:
    environment = MacroEnvironment(chat_name="one")
    text = "{{pick::" + "::".join(str(number) for number in range(1000)) + "}}"
    first = substitute(text, environment)
    assert first == substitute(text, MacroEnvironment(chat_name="one", draw=lambda: 0.1))
    others = {
        substitute(text, MacroEnvironment(chat_name="two")),
        substitute(text, MacroEnvironment(chat_name="one", reroll="1")),
        substitute(text, MacroEnvironment(chat_name="one", chat_hash=5)),
        substitute(text, MacroEnvironment(chat_name="one", engine="legacy")),
        substitute(text + " ", environment).strip(),
    }
    assert first not in others
    assert len(others) == 5


def test_times_are_told_in_the_zone_of_the_clock() -> None:
    now = datetime(2025, 1, 1, 23, 30, tzinfo=timezone(timedelta(hours=2)))
    environment = MacroEnvironment(
        now=now, messages=[Message("a", is_user=True, sent="2025-01-01 20:30"), Message("b")]
    )
    assert substitute("{{time}} {{time::UTC+0}} {{idle_duration}}", environment) == "11:30 PM 9:30 PM 3 hours"


def test_a_clock_without_a_zone_is_in_utc() -> None:
    naive = datetime(2025, 1, 1, 12, 0, tzinfo=UTC).replace(tzinfo=None)
    assert substitute("{{timeDiff::2025-01-01::2025-01-03}}", MacroEnvironment(now=naive)) == "2 days ago"


@pytest.mark.parametrize(
    ("text", "plain", "constant"),
    [
        ("a cat", True, True),
        ("<b>bold</b> {x}", True, True),
        ("{{user}} <BOT>", False, True),
        ("{{ newline::2 }}{{noop}}{{trim}}{{// note}}", False, True),
        ("a\\{2\\}", False, True),
        ("{{roll:6}}", False, False),
        ("{{// {{roll:6}} }}", False, False),
        ("{{{noop}}{random:a,b}}", False, False),
        ("{{getvar::x}}", False, False),
        ("\0\x1fELSE\x1f\0", False, True),
    ],
)
def test_plain_and_constant_texts(text: str, plain: bool, constant: bool) -> None:
    assert (is_plain(text), is_constant(text)) == (plain, constant)


def test_all_names_are_known_to_the_new_engine() -> None:
    assert len(MACRO_NAMES) == len({name.lower() for name in MACRO_NAMES})
    assert {"if", "roll", "charPrompt", "setglobalvar"} <= set(MACRO_NAMES)
