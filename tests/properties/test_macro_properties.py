"""Whatever a text holds, macros never stop a scan, and texts that are taken for plain or constant are."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook_tui.engine.macros import Card, MacroEnvironment, Member, is_constant, is_plain, substitute
from lorebook_tui.engine.macros.lexer import tokens_of
from lorebook_tui.engine.macros.pairing import steps_of
from lorebook_tui.engine.macros.parser import calls_of
from lorebook_tui.model.transcript import Message

ENGINES = ("new", "legacy")
FRAGMENTS = st.sampled_from(
    [
        "{{", "}}", "{", "}", "::", ":", ",", "\\", "/", "//", "#", "!", ".", "$", "|", " ", "\n", "\r\n", "\t", "é", "😀", "\ud800", "\0\x1fELSE\x1f\0",
        "user", "char", "if", "else", "reverse", "setvar", "getvar", "addvar", "incvar", "hasvar", "deletevar", "newline", "space", "trim", "noop",
        "roll", "random", "pick", "time", "time_UTC+2", "date", "datetimeformat", "timeDiff", "idle_duration", "outlet", "description", "greeting",
        "lastMessage", 'banned "x"', "unknown", "constructor", "__proto__", "<USER>", "<BOT>", "1d6", "99999d6", "9" * 30, "-1", "0", "x", "a,b",
        "{{user}}", "{{.a}}", "{{.a += 1}}", "{{if 1}}", "{{/if}}", "{{else}}", "{{reverse}}", "{{/reverse}}", "{{// c}}", "{{///}}", "{{newline::3}}",
        "YYYY", "[", "]", "2025-01-01", "Jan 5", "12:00", "++", "--", "||", "??=", "==", "=",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(FRAGMENTS, max_size=25).map("".join))
SAFE_NAMES = st.text(st.characters(exclude_characters="{}<>\\", codec="utf-8"), max_size=8)
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.lists(st.integers(), max_size=3)
)
MESSAGES = st.lists(st.builds(Message, TEXTS, is_user=st.booleans(), sent=st.text(max_size=12)), max_size=3)


class Stream:
    """Counts what is drawn."""

    def __init__(self) -> None:
        self.draws = 0

    def draw(self) -> float:
        self.draws += 1
        return 0.25


@pytest.mark.parametrize("engine", ENGINES)
@given(text=TEXTS, card=TEXTS, messages=MESSAGES, local=st.dictionaries(st.sampled_from(["a", "x", "1d6"]), VALUES))
def test_no_text_stops_a_scan(
    engine: Any, text: str, card: str, messages: list[Message], local: dict[str, Any]
) -> None:
    environment = MacroEnvironment(card=Card(description=card), local=dict(local), messages=messages, engine=engine)
    again = MacroEnvironment(card=Card(description=card), local=dict(local), messages=messages, engine=engine)
    assert substitute(text, environment) == substitute(text, again)


@pytest.mark.parametrize("engine", ENGINES)
@given(text=TEXTS)
def test_plain_texts_stay(engine: Any, text: str) -> None:
    if is_plain(text):
        assert substitute(text, MacroEnvironment(card=Card(description="x"), engine=engine)) == text
        assert is_constant(text)


@pytest.mark.parametrize("engine", ENGINES)
@given(text=TEXTS, user=SAFE_NAMES, char=SAFE_NAMES)
def test_constant_texts_neither_draw_nor_change(engine: Any, text: str, user: str, char: str) -> None:
    if not is_constant(text):
        return
    stream = Stream()
    environment = MacroEnvironment(
        user=user,
        char=char,
        members=(Member(char), Member(user)),
        draw=stream.draw,
        draw_random=stream.draw,
        engine=engine,
    )
    other = MacroEnvironment(
        user=user,
        char=char,
        members=(Member(char), Member(user)),
        local={"a": 1},
        messages=[Message("m")],
        engine=engine,
    )
    first = substitute(text, environment)
    assert first == substitute(text, environment) == substitute(text, other)
    assert (stream.draws, environment.local, environment.globals, other.local) == (0, {}, {}, {"a": 1})


@given(text=TEXTS)
def test_tokens_and_calls_lie_in_order(text: str) -> None:
    spans = [(token.start, token.end) for token in tokens_of(text)]
    assert all(start <= end for start, end in spans)
    assert all(before[1] <= behind[0] for before, behind in pairwise(spans))
    calls = calls_of(text)
    assert all(before.end <= behind.start for before, behind in pairwise(calls))
    assert all(text[call.start : call.start + 2] == "{{" and text[call.end - 2 : call.end] == "}}" for call in calls)
    steps = steps_of(text)
    assert all(before.end <= behind.call.start for before, behind in pairwise(steps))
