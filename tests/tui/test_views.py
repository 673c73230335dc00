"""The pure parts: what the blocks say, without a terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.display import cell_width
from lorebook_tui.engine.findings import KeyFinding
from lorebook_tui.engine.near import Near
from lorebook_tui.engine.trace import Outcome
from lorebook_tui.glyphs import Glyphs, Kind, Mark, kind_of, mark_of_outcome
from lorebook_tui.model.entry import Entry
from lorebook_tui.tokens.estimate import EstimateCounter
from lorebook_tui.tui.ink import Span
from lorebook_tui.tui.replay import Replay
from lorebook_tui.tui.search import Candidate, EntrySearch, rank
from lorebook_tui.tui.targets import ToAction, ToEntry, ToMessage, ToTurn
from lorebook_tui.tui.views.phases import tab_lines
from lorebook_tui.tui.views.status import Status, breadcrumb
from lorebook_tui.tui.views.timeline import Timeline, window
from lorebook_tui.tui.views.why import why_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.scene import Scene

SIGNS, LETTERS = Glyphs(), Glyphs(letters=True)


def text_of(lines: Iterable[Line]) -> str:
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def drawn(blocks: Iterable[Block], width: int = 80) -> str:
    return "\n".join(text_of(block.lines(width)) for block in blocks)


def replayed(scene: Scene) -> Replay:
    replay = Replay(scene, EstimateCounter("estimate"))
    replay.prepare()
    while not replay.complete:
        replay.advance()
    return replay


class TestGlyphs:
    @pytest.mark.parametrize(
        ("fields", "kind"),
        [
            ({}, Kind.KEYED),
            ({"constant": True}, Kind.CONSTANT),
            ({"vectorized": True}, Kind.VECTORISED),
            ({"constant": True, "vectorized": True}, Kind.CONSTANT),
            ({"constant": True, "disable": True}, Kind.DISABLED),
        ],
    )
    def test_kind(self, fields: dict[str, Any], kind: Kind) -> None:
        assert kind_of(Entry(fields, "0")) is kind

    def test_every_sign_has_a_letter_of_its_own_and_one_cell(self) -> None:
        for kinds in (list(Kind), list(Mark)):
            assert len({item.letter for item in kinds}) == len(kinds) == len({item.sign for item in kinds})
            assert all(item.letter.isascii() and cell_width(item.sign) == 1 for item in kinds)

    def test_letters_are_ascii_throughout(self) -> None:
        names = ("open", "shut", "step", "bars", "free", "lost", "limit", "edge", "rule", "dot")
        assert all(getattr(LETTERS, name).isascii() and not getattr(SIGNS, name).isascii() for name in names)
        assert "".join(LETTERS.filled).isascii()
        assert len(LETTERS.bars) == len(SIGNS.bars)

    def test_every_outcome_but_out_has_a_mark(self) -> None:
        assert {outcome for outcome in Outcome if mark_of_outcome(outcome) is None} == {Outcome.OUT}
        assert mark_of_outcome(None) is None


class TestTimeline:
    def test_window_holds_the_chosen_turn(self) -> None:
        assert window(5, 2, 10) == (0, 5)
        for chosen in range(100):
            first, last = window(100, chosen, 10)
            assert first <= chosen < last
            assert last - first == 10

    def test_marks_of_the_chosen_entry(self, scene: Scene) -> None:
        replay = replayed(scene)
        ref = next(ref for ref in scene.refs() if scene.entry(ref).title == "The bell")
        assert replay.catalogue
        lines = Timeline(replay.turns, 4, 1, replay.catalogue.index(ref), LETTERS).lines(30)
        assert text_of(lines[2:]) == "entry I   SSS .   ."
        assert [span.target for span in lines[0][1:5]] == [ToTurn(number) for number in range(4)]

    def test_turns_that_are_not_replayed_yet_are_dots(self, scene: Scene) -> None:
        replay = replayed(scene)
        assert text_of(Timeline(replay.turns[:1], 4, 3, None, LETTERS).lines(30)[:1]).split() == [
            "in",
            "@@@",
            ".",
            ".",
            ".",
        ]


class TestStatus:
    STATUS = Status("harrowmere", "the-ferry", None, 18, 44, (22, 22), "sillytavern", "7", 4096, "cl100k_base", False)

    @pytest.mark.parametrize("width", [1, 10, 20, 30, 40, 60, 80, 100, 140, 200])
    def test_breadcrumb_fits_and_keeps_the_turn(self, width: int) -> None:
        text = text_of([breadcrumb(self.STATUS, SIGNS, width)])
        assert cell_width(text) <= width
        if width >= 26:
            assert "turn 18 of 44" in text

    def test_less_important_parts_go_first(self) -> None:
        texts = {width: text_of([breadcrumb(self.STATUS, SIGNS, width)]) for width in (40, 60, 90, 140)}
        assert "harrowmere" not in texts[40]
        assert "the-ferry" in texts[40]
        assert "harrowmere" in texts[60]
        assert "sillytavern" in texts[90]
        assert "seed 7" not in texts[90]
        assert "seed 7 · 4,096 ctx · cl100k_base" in texts[140]

    @pytest.mark.parametrize("width", [30, 40, 60, 80, 100, 140])
    def test_what_is_not_saved_is_marked_wherever_there_is_room(self, width: int) -> None:
        news = (Span("no change at this turn, but at 3 other turns"),)
        for status in (replace(self.STATUS, unsaved=True), replace(self.STATUS, unsaved=True, news=news)):
            text = text_of([breadcrumb(status, SIGNS, width)])
            assert cell_width(text) <= width
            assert "●" in text

    def test_the_news_leave_the_name_of_the_book(self) -> None:
        news = (Span("+ Salt tithe, − The Reeve, 12 tokens more"),)
        text = text_of([breadcrumb(replace(self.STATUS, unsaved=True, news=news), SIGNS, 80)])
        assert text.startswith(" harrowmere ● ▸ turn 18 of 44 · + Salt tithe, − The Reeve, 12 ")

    def test_long_foreign_names_give_way(self) -> None:
        status = Status("w" * 300, "漢" * 300, None, 1, 2, (1, 4), "sillytavern", "7", 10, "estimate", False)
        text = text_of([breadcrumb(status, SIGNS, 100)])
        assert cell_width(text) <= 100
        assert "turn 1 of 2 · replaying 1/4" in text


class TestSearch:
    def test_all_words_must_be_there(self, scene: Scene) -> None:
        search = EntrySearch(scene)
        assert [scene.entry(ref).title for ref in search.find("guild lantern")] == ["The guild"]
        assert search.find("  ") == list(scene.refs())

    def test_similar_titles_if_nothing_is_there(self, scene: Scene) -> None:
        assert [scene.entry(ref).title for ref in EntrySearch(scene).find("world rulse")] == ["World rules"]

    def test_rank_prefers_real_occurrences_at_the_start(self) -> None:
        offers = [Candidate(title, ToAction(title)) for title in ("abell", "the bell", "bell", "well", "x")]
        assert [offer.title for offer in rank(offers, "bell")][:3] == ["bell", "the bell", "abell"]

    def test_rank_of_nothing_keeps_the_order(self) -> None:
        offers = [Candidate(title, ToAction(title)) for title in "ba"]
        assert rank(offers, "  ") == offers

    def test_rank_finds_by_detail_and_by_number(self) -> None:
        offers = [Candidate("one", ToTurn(0), "about salt", "turn 12"), Candidate("two", ToTurn(1), "", "turn 2")]
        assert rank(offers, "salt") == offers[:1]
        assert rank(offers, "2") == offers[1:]

    def test_surrogates_and_long_texts_are_no_trouble(self, scene: Scene) -> None:
        offers = [Candidate("\ud83d" * 5 + "x" * 10_000, ToTurn(0))]
        assert rank(offers, "\udc00 xx") in ([], offers)
        assert EntrySearch(scene).find("\ud83d") == []


def test_tabs_wrap_where_they_do_not_fit() -> None:
    counts = ["10", "20", "−3", "+1", "−1", "12", "12", "+1"]
    assert len(tab_lines(counts, 1, 120)) == 1
    assert len(tab_lines(counts, 1, 60)) == 2
    assert all(cell_width(text_of([line])) <= 30 for line in tab_lines(counts, 1, 30))


def test_reason_lists_who_had_the_tokens_first(scene: Scene) -> None:
    replay = replayed(scene)
    picture = replay.picture(3)
    assert replay.catalogue
    ref = next(ref for ref in scene.refs() if scene.entry(ref).title == "The mill")
    index = replay.catalogue.index(ref)
    assert index is not None
    blocks = why_blocks(replay.explain(picture, index), picture.assembly, replay.catalogue.ref, SIGNS)
    shown = drawn(blocks)
    assert shown.startswith("✂ OUT: cut by the budget in pass 1")
    assert "Admitted before it" in shown
    first = next(ref for ref in scene.refs() if scene.entry(ref).title == "World rules")
    assert any(block.target == ToEntry(first) for block in blocks)


def test_why_says_in_which_messages_something_nearly_hit(scene: Scene) -> None:
    near = tuple(Near("word_boundary", "lt", message, "It is there inside a longer word.") for message in (3, 3, 6))
    finding = KeyFinding("lt", "plain", matched=False, near=near)
    replay = replayed(scene)
    picture = replay.picture(3)
    made = replay.explain(picture, 0)
    explanation = replace(made, evidence=replace(made.evidence, keys=(finding,)))
    blocks = why_blocks(explanation, picture.assembly, lambda _: None, SIGNS)
    assert drawn(blocks).count("It is there inside") == 1
    assert "lt  messages 4, 7  It is there inside a longer word." in drawn(blocks)
    assert any(block.target == ToMessage(3) for block in blocks)
