"""The sentence about an entry's keys says what the engine does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.engine.key_logic import Firing, Piece, key_logic
from tests.unit.engine.lore import entry, raw, turn, uids

if TYPE_CHECKING:
    from lorebook_tui.model.entry import Entry


def sentence(*keys: str, **fields: Any) -> str:
    return key_logic(entry(0, *keys, **fields)).text


@pytest.mark.parametrize(
    ("logic", "more", "told"),
    [
        (0, ["dream"], "Fires when “bell” or “колокол” is said, and “dream” too."),
        (0, ["dream", "sleep"], "Fires when “bell” or “колокол” is said, and at least one of “dream” or “sleep” too."),
        (1, ["dream"], "Fires when “bell” or “колокол” is said, unless “dream” is said too."),
        (1, ["dream", "sleep"], "Fires when “bell” or “колокол” is said, unless “dream” and “sleep” are all said too."),
        (2, ["dream"], "Fires when “bell” or “колокол” is said, and “dream” is not."),
        (2, ["dream", "sleep"], "Fires when “bell” or “колокол” is said, and none of “dream” or “sleep” is."),
        (3, ["dream"], "Fires when “bell” or “колокол” is said, and “dream” too."),
        (3, ["a", "b", "c"], "Fires when “bell” or “колокол” is said, and “a”, “b” and “c” too."),
    ],
)
def test_the_four_logics(logic: int, more: list[str], told: str) -> None:
    assert sentence("bell", "колокол", keysecondary=more, selectiveLogic=logic) == told


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (entry(0, "bell"), "Fires when “bell” is said."),
        (entry(0, "a", "b", "c"), "Fires when “a”, “b” or “c” is said."),
        (entry(0, "/bells?/i"), "Fires when “/bells?/i” matches."),
        (entry(0, "/bells?/i", "ferry"), "Fires when “ferry” is said or “/bells?/i” matches."),
        (entry(0, "/bell(/"), "Fires when “/bell(/” is said."),
        (entry(0, "bell", constant=True), "Fires at every turn: it is constant, its keys are not looked at."),
        (entry(0, constant=True), "Fires at every turn: it is constant."),
        (entry(0), "Never fires by itself: it has no keys."),
        (entry(0, vectorized=True), "Never fires by itself: it has no keys, only similar meaning wakes it."),
        (entry(0, ""), "Never fires by itself: its keys are empty."),
        (entry(0, " ", "bell"), "Fires at every turn, because a key of blanks matches every text."),
        (raw("0", key="bell"), "Never fires by itself: it has no keys."),
        (raw("0", key=[7]), "Fires when “7” is said."),
        (entry(0, "bell", disable=True), "Disabled. Without that it fires when “bell” is said."),
        (
            entry(0, "bell", content="@@activate\nx"),
            "Fires at every turn: its text begins with @@activate.",
        ),
        (
            entry(0, "bell", content="@@dont_activate\nx"),
            "Never fires by itself: its text begins with @@dont_activate.",
        ),
        (
            entry(0, "bell", keysecondary=["x"], selective=False),
            "Fires when “bell” is said; its secondary keys are switched off.",
        ),
        (
            entry(0, "bell", keysecondary=["x"], selectiveLogic=7),
            "Never fires by itself: its secondary logic 7 is none of the four.",
        ),
        (
            entry(0, "bell", keysecondary=["x"], selectiveLogic=True),
            "Never fires by itself: its secondary logic true is none of the four.",
        ),
        (entry(0, "bell", keysecondary=["x"], selectiveLogic=None), "Fires when “bell” is said, and “x” too."),
        (
            entry(0, "bell", keysecondary=[""], selectiveLogic=0),
            "Never fires by itself: its secondary keys are empty, and one must match.",
        ),
        (
            entry(0, "bell", keysecondary=["x", ""], selectiveLogic=3),
            "Never fires by itself: an empty secondary key never matches, and all must.",
        ),
        (
            entry(0, "bell", keysecondary=["x", ""], selectiveLogic=1),
            "Fires when “bell” is said; an empty secondary key never matches, so they let everything through.",
        ),
        (entry(0, "bell", keysecondary=["x", ""], selectiveLogic=2), "Fires when “bell” is said, and “x” is not."),
        (entry(0, "bell", keysecondary="x"), "Fires when “bell” is said."),
    ],
)
def test_other_cases(made: Entry, told: str) -> None:
    assert key_logic(made).text == told


def test_keys_are_pieces_of_their_own() -> None:
    pieces = key_logic(entry(0, "[b]bell[/b]", "ferry")).pieces
    assert pieces == (
        Piece("Fires when "), Piece("[b]bell[/b]", is_key=True), Piece(" or "), Piece("ferry", is_key=True),
        Piece(" is said"), Piece("."),
    )  # fmt: skip


WORDS = ("bell", "ferry", "mill", "", " ", "/be+ll/", "/(/")


def occurs(key: str, text: str) -> bool:
    if not key:
        return False
    if not key.strip():
        return True
    return bool(re.search("be+ll", text)) if key == "/be+ll/" else key in text


def promised(made: Entry, text: str) -> bool:
    """What the sentence promises about a text, read from its pieces."""
    logic = key_logic(made)
    if logic.firing is not Firing.KEYS:
        return logic.firing is Firing.ALWAYS
    told = logic.text
    keys = [piece.text for piece in logic.pieces if piece.is_key]
    front = "".join(piece.text if not piece.is_key else "\0" for piece in logic.pieces)
    head, _, tail = front.partition(", ")
    while tail.startswith("\0"):  # a comma between keys
        more, _, tail = tail.partition(", ")
        head += more
    count = head.count("\0")
    primary, secondary = keys[:count], keys[count:]
    said = "every turn" in told or any(occurs(key, text) for key in primary)
    hits = [occurs(key, text) for key in secondary]
    if "unless" in told:
        return said and not all(hits)
    if "none of" in told or told.endswith("is not."):
        return said and not any(hits)
    return said and (any(hits) if "at least one" in told else all(hits))


@settings(max_examples=300, deadline=None)
@given(
    keys=st.lists(st.sampled_from(WORDS), max_size=3),
    more=st.lists(st.sampled_from(WORDS), max_size=3),
    logic=st.sampled_from([0, 1, 2, 3, 4, None]),
    flags=st.fixed_dictionaries({name: st.sampled_from([False, False, True]) for name in ("constant", "disable")}),
    selective=st.booleans(),
    said=st.lists(st.sampled_from(["bell", "ferry", "mill", "beell", "/(/"]), max_size=3),
)
def test_the_sentence_keeps_its_promise(
    *, keys: list[str], more: list[str], logic: int | None, flags: dict[str, bool], selective: bool, said: list[str]
) -> None:
    made = entry(0, *keys, keysecondary=more, selectiveLogic=logic, selective=selective, **flags)
    text = " ".join(["well", *said])
    assert (uids(turn(made, chat=(text,))) == [0]) is promised(made, text), key_logic(made).text
