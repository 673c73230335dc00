"""What the chat pane draws: messages with their notes, swipes, searched words, the bar, the message line; and offers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.glyphs import Glyphs
from lorebook_tui.model.transcript import Message
from lorebook_tui.tui.ink import width_of
from lorebook_tui.tui.screens import chat_offers
from lorebook_tui.tui.screens.chat_dialogs import named_offers
from lorebook_tui.tui.search import Candidate
from lorebook_tui.tui.targets import ToChoice, ToSwipe
from lorebook_tui.tui.views.chat import (
    LONGEST,
    Look,
    MessageBlock,
    chat_blocks,
    fate_lines,
    places_in,
    scrub_line,
    turn_at,
    who_line,
)
from tests.tui.conftest import small_scene, small_workspace

if TYPE_CHECKING:
    from lorebook_tui.tui.ink import Line

SIGNS, LETTERS = Glyphs(letters=False), Glyphs(letters=True)


def text_of(line: Line) -> str:
    return "".join(span.text for span in line)


def drawn(message: Message, width: int = 60, glyphs: Glyphs = SIGNS, **changes: Any) -> list[str]:
    scene = small_scene()
    transcript = replace(scene.scenario.transcript, messages=(message,))
    scene = replace(scene, scenario=replace(scene.scenario, transcript=transcript))
    look = Look(scene, None, 1, None, glyphs, **changes)
    return [text_of(line) for line in MessageBlock(0, message, look).lines(width)]


def test_what_is_special_about_a_message_stands_behind_its_name() -> None:
    assert drawn(Message("hi", "Mira")) == ["  1 Mira  hi"]
    assert drawn(Message("hi", "Mira", is_hidden=True), edited=frozenset({0})) == ["  1 Mira (hidden, edited) hi"]
    assert drawn(Message("hi", "Mira"), unsent=0, edited=frozenset({0})) == ["  1 Mira (not sent) hi"]


def test_swipes_are_counted_between_arrows_that_can_be_clicked() -> None:
    message = Message("b", "Mira", swipes=("a", "b", "c"), swipe=1)
    assert drawn(message) == ["  1 Mira ‹ 2/3 ›  b"]
    assert drawn(message, glyphs=LETTERS) == ["  1 Mira < 2/3 >  b"]
    assert drawn(Message("b", "Mira", swipes=("b",))) == ["  1 Mira  b"]
    line = MessageBlock(0, message, Look(small_scene(), None, 1, None, SIGNS)).lines(60)[0]
    assert [span.target for span in line if isinstance(span.target, ToSwipe)] == [ToSwipe(0, -1), ToSwipe(0, 1)]


def test_a_huge_message_is_cut_and_says_so() -> None:
    lines = drawn(Message("word " * 40_000, "Mira"))
    assert lines[-1].endswith(f"… {200_000 - LONGEST:,} more characters")
    assert len(lines) < 300


@pytest.mark.parametrize(("text", "words", "places"), [
    ("The Bell, the bell", "bell", [4, 14]), ("aaaa", "aa", [0, 2]), ("x", "", []), ("x", "y", []),
    ("İstanbul", "i", []), ("İstanbul", "stan", [1]),
])  # fmt: skip
def test_words_are_found_whatever_their_case(text: str, words: str, places: list[int]) -> None:
    assert places_in(text, words) == places


def test_searched_words_are_marked_also_in_the_future() -> None:
    message = Message("the bell", "Mira")
    look = Look(small_scene(), None, 0, None, SIGNS, found="bell")
    inks = {span.text: span.ink for span in MessageBlock(0, message, look).lines(60)[0]}
    assert inks["bell"] == "found"


def test_an_empty_chat_says_what_can_be_done() -> None:
    scene = small_scene()
    scene = replace(scene, scenario=replace(scene.scenario, transcript=replace(scene.scenario.transcript, messages=())))
    blocks, place = chat_blocks(Look(scene, None, 0, None, SIGNS))
    told = " ".join(text_of(line) for block in blocks for line in block.lines(60))
    assert "Type a message below, open a chat, or paste one." in told
    assert "answers here" in text_of(blocks[place].lines(60)[0])


@pytest.mark.parametrize(("chosen", "count", "width", "bar"), [
    (0, 1, 8, "●───────"), (0, 4, 10, "●─────────"), (1, 4, 10, "━━━●──────"), (3, 4, 10, "━━━━━━━━━●"),
    (5, 1000, 6, "●─────"), (0, 0, 6, ""), (0, 3, 0, ""), (1, 3, 1, "●"),
])  # fmt: skip
def test_the_bar_shows_where_the_turn_is(chosen: int, count: int, width: int, bar: str) -> None:
    assert text_of(scrub_line(chosen, count, SIGNS, width)) == bar


def test_the_bar_in_letters() -> None:
    assert text_of(scrub_line(1, 3, LETTERS, 7)) == "===O---"


@pytest.mark.parametrize("count", [1, 2, 5, 44, 1000])
def test_every_knob_is_hit_where_it_is_drawn(count: int) -> None:
    width = 60
    for turn in range(min(count, width)):
        place = text_of(scrub_line(turn, min(count, width), SIGNS, width)).index("●")
        assert turn_at(place, min(count, width), width) == turn
    assert turn_at(-5, count, width) == 0
    assert turn_at(500, count, width) == count - 1


def test_who_and_what_of_the_message_line_fit() -> None:
    assert text_of(who_line(8, "Rowan", SIGNS, 16)) == "9 Rowan ▸"
    assert width_of(who_line(8, "A very long name of somebody", SIGNS, 16)) <= 16
    assert [text_of(line) for line in fate_lines(None, [], waiting=True, width=20)] == ["…"]
    assert [text_of(line) for line in fate_lines(None, [], waiting=False, width=20)] == [""]


def test_offers_of_the_dialogs() -> None:
    workspace = small_workspace()
    assert [offer.title for offer in chat_offers.chat_offers(workspace, frozenset())] == [
        "Open a file", "Paste or type a transcript", "Begin a new chat",
    ]  # fmt: skip
    names = [offer.title for offer in chat_offers.character_offers(workspace)]
    assert names == ["Mira", "Open a card", "Nobody"]
    assert [offer.title for offer in chat_offers.persona_offers(workspace)] == ["Rowan", "Describe Rowan"]
    kinds = chat_offers.trigger_offers("quiet")
    assert [offer.title for offer in kinds if offer.key] == ["quiet"]
    said = chat_offers.speaker_offers(workspace, ("Mira", False))
    assert [(offer.title, offer.target, bool(offer.key)) for offer in said] == [
        ("Rowan", ToChoice("user", "Rowan"), False), ("Mira", ToChoice("other", "Mira"), True),
    ]  # fmt: skip


def test_what_is_typed_is_offered_as_a_new_name_behind_what_fits() -> None:
    offered = named_offers([Candidate("Rowan", ToChoice("persona", "Rowan"))], chat_offers.new_persona)
    assert [offer.title for offer in offered("")] == ["Rowan"]
    assert [offer.title for offer in offered("Row")] == ["Rowan", "Be Row"]
    assert [offer.title for offer in offered("Rowan")] == ["Rowan"]
    assert [offer.title for offer in offered(" Ada ")] == ["Be Ada"]
    assert not named_offers([], None)("x")
