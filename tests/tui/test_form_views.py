"""The form as blocks, without a terminal: what it says about an entry, its keys, its text, its fields."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook_tui.display import cell_width
from lorebook_tui.engine.chat_hits import keys_in_chat
from lorebook_tui.engine.key_owners import KeyOwners
from lorebook_tui.glyphs import Glyphs
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.fields import ENTRY_FIELDS
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.tokens.estimate import EstimateCounter
from lorebook_tui.tui.replay import Replay
from lorebook_tui.tui.targets import ToField, ToGroup, ToItem
from lorebook_tui.tui.views.form import content_note, form_blocks
from lorebook_tui.tui.views.form_help import help_of
from lorebook_tui.tui.views.form_keys import told_of_key
from lorebook_tui.tui.views.form_state import IN_HEAD, NEW, UNUSED, Look, Place, Subject
from lorebook_tui.tui.views.form_text import StandIns, by_line, is_known_macro, line_inks, waking_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.pictures import Picture
    from lorebook_tui.tui.scene import Scene

SIGNS = Glyphs()


def text_of(lines: Iterable[Line]) -> str:
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def drawn(blocks: Iterable[Block], width: int = 80) -> str:
    return "\n".join(text_of(block.lines(width)) for block in blocks)


def subject(fields: dict[str, Any], *others: dict[str, Any], **more: Any) -> Subject:
    entries = tuple(Entry({"uid": 0, **each}, "0") for each in (fields, *others))
    return Subject(entries, "book", "Global", more.pop("settings", ScanSettings()), **more)


def form(
    fields: dict[str, Any], *others: dict[str, Any], look: Look | None = None, width: int = 80, **more: Any
) -> str:
    return drawn(form_blocks(subject(fields, *others, **more), look or Look(SIGNS, folded=frozenset())), width)


def picture_of(scene: Scene) -> Picture:
    replay = Replay(scene, EstimateCounter("estimate"))
    replay.prepare()
    while not replay.complete:
        replay.advance()
    return replay.picture(0)


def find(scene: Scene, title: str) -> EntryRef:
    return next(ref for ref in scene.refs() if scene.entry(ref).title == title)


class TestForm:
    @pytest.mark.parametrize("engine", ["sillytavern", "guide", "unorouter", "yumina"])
    def test_every_field_of_the_table_has_its_row_once(self, engine: str) -> None:
        blocks = form_blocks(subject({"characterFilter": {}}, engine=engine), Look(SIGNS, folded=frozenset()))
        names = [block.target.name for block in blocks if isinstance(block.target, ToField)]
        listed = [name.partition(".")[0] for name in dict.fromkeys(names)]
        assert set(listed) | {"selectiveLogic"} == {field.name for field in ENTRY_FIELDS}
        assert len(names) == len(set(names))

    def test_what_the_engine_does_not_honour_is_folded_away(self) -> None:
        assert UNUSED not in form({})
        text = form({"sticky": 3}, look=Look(SIGNS), engine="unorouter")
        assert "▸ Not used by unorouter" in text
        assert "sticky 3 messages" in text, "what is set in a closed group is told"
        assert "Case-sensitive" not in text
        assert "▾ Other products" in text
        assert "▸ Other products" in form({}, look=Look(SIGNS))

    def test_a_missing_field_and_a_setting_say_where_the_value_comes_from(self) -> None:
        text = form({"scanDepth": None}, settings=ScanSettings(world_info_depth=7))
        assert "Scan depth               7 messages  from the settings" in text
        assert "Probability              –  not in the file: With the roll on" in text

    def test_what_is_carried_along_is_shown(self) -> None:
        assert 'Carried along            {"somebodys": {"own": "field"}}' in form({"somebodys": {"own": "field"}})

    def test_logic_is_spelled_out(self) -> None:
        text = form({"key": ["bell"], "keysecondary": ["ferry", "mill"], "selective": True, "selectiveLogic": 3})
        assert "AND ALL" in text
        assert "ferry" in text.partition("AND ALL")[2].partition("Content")[0]
        off = form({"key": ["bell"], "keysecondary": ["ferry"], "selective": False, "selectiveLogic": 3})
        assert "not used" in off

    def test_several_entries_show_what_they_share(self) -> None:
        text = form({"order": 5, "depth": 4}, {"order": 9, "depth": 4}, {"order": 5, "depth": 4})
        assert "3 entries" in text
        assert "Order                    differ" in text
        assert "Depth                    4 messages" in text
        assert "Keys" not in text

    def test_drafts_are_shown_at_their_field(self) -> None:
        look = Look(SIGNS, folded=frozenset(), drafts={Place("order"): "4x", Place("key", NEW): "fer"})
        text = form({"order": 4, "key": []}, look=look)
        assert "Order                    4  half-typed: 4x" in text
        assert "half-typed: fer" in text

    def test_in_little_height_nothing_is_blank(self) -> None:
        look = Look(SIGNS, text_height=1, is_dense=True)
        assert "\n\n\n" not in form({"content": "x"}, look=look)
        assert len(form({}, look=look).splitlines()) < len(form({}, look=Look(SIGNS, text_height=1)).splitlines())

    @pytest.mark.parametrize("width", [1, 9, 20, 40, 58, 80, 200])
    def test_every_line_fits(self, width: int) -> None:
        fields = {
            "comment": "漢" * 50, "key": ["x" * 300, "漢字", "a"], "keysecondary": ["b"], "selective": True,
            "characterFilter": {"names": ["n" * 90]}, "order": "odd", "triggers": ["normal"],
        }  # fmt: skip
        for block in form_blocks(subject(fields), Look(SIGNS, folded=frozenset())):
            for line in block.lines(width):
                assert cell_width(text_of([line])) <= max(width, 16)

    def test_tokens_and_their_share(self) -> None:
        assert content_note(subject({}, tokens=41, budget=1960)) == "41 tokens, 2 % of 1,960"
        assert content_note(subject({}, tokens=1, budget=1000)) == "1 token, < 1 % of 1,000"
        assert content_note(subject({}, tokens=7, approximate=True)) == "≈ 7 tokens"
        assert content_note(subject({})) == ""

    @pytest.mark.parametrize(
        ("content", "tokens", "note"),
        [
            ("It is wet.", 13, "13 tokens, 14 in the prompt, 16 % of 90"),
            ("{{char}} is wet.", 15, "15 tokens, 14 in the prompt, 16 % of 90"),
            ("It is wet.", 14, "14 tokens, 16 % of 90"),
        ],
    )
    def test_where_the_prompt_counts_otherwise_both_are_told(
        self, content: str, tokens: int, note: str, scene: Scene
    ) -> None:
        picture = picture_of(scene)
        index = next(index for index, found in picture.assembly.admitted_by_index.items() if found.tokens)
        explanation = picture.replay.explain(picture, index)
        assert explanation.evidence.own_row
        row = replace(explanation.evidence.own_row, tokens=14)
        counted = replace(explanation, evidence=replace(explanation.evidence, own_row=row))
        assert content_note(subject({"content": content}, tokens=tokens, budget=90, explanation=counted)) == note


class TestKeys:
    def test_badges_and_hits(self, scene: Scene) -> None:
        picture = picture_of(scene)
        ref = find(scene, "The bell")
        index = picture.replay.catalogue.index(ref) if picture.replay.catalogue else None
        assert index is not None
        plan, chat = picture.assembly.plan, picture.assembly.chat
        fields = {"key": ["bell", "/be(ll/", "/lan.*d/i", "{{char}}", ""]}
        entry = Entry(fields, "0")
        hits = {found.key: found for found in keys_in_chat(plan, chat, entry)}
        shown = Subject(
            (entry,), "b", "Global", ScanSettings(), explanation=picture.replay.explain(picture, index), hits=hits
        )
        text = drawn(form_blocks(shown, Look(SIGNS)))
        assert " bell ·1/1" in text
        assert " /be(ll/ !·/0" in text
        assert f" /lan.*d/i re·/{len(hits['/lan.*d/i'].messages)}" in text
        assert "{{char}} {}" in text

    def test_the_chosen_item_is_marked_and_told_about(self) -> None:
        found = subject({"key": ["bell", "/(/"]})
        look = Look(SIGNS, at="key", items={"key": 1})
        chosen = [
            span.text for block in form_blocks(found, look) for line in block.lines(80) for span in line
            if span.ink == "tab-chosen"
        ]  # fmt: skip
        assert chosen == [" /(/ "]
        assert text_of([help_of(ToField("key"), found, look)]).startswith("invalid regex. Taken as plain text")

    def test_also_a_key_of(self, scene: Scene) -> None:
        owners = KeyOwners(scene.layers)
        told = told_of_key("Bell", whole_words=True, owners=owners.also("Bell"))
        assert "“The bell”" in text_of([told])
        assert "“Later”" in text_of([told])

    def test_a_line_break_in_a_key_is_seen(self) -> None:
        assert " new↵line " in form({"key": ["new\nline"]})

    def test_chips_can_be_clicked(self) -> None:
        blocks = form_blocks(subject({"key": ["a", "b"]}), Look(SIGNS))
        block = next(block for block in blocks if block.target == ToField("key"))
        targets = list(dict.fromkeys(span.target for line in block.lines(80) for span in line if span.target))
        assert targets == [ToItem("key", 0), ToItem("key", 1), ToItem("key", 2)]


class TestHelp:
    def test_help_tells_what_the_field_and_its_choice_are(self) -> None:
        found = subject({"position": 4, "order": 3})
        told = text_of([help_of(ToField("position"), found, Look(SIGNS))])
        assert told.startswith("at depth: Inside the chat")
        assert "0 to 100 percent" in text_of([help_of(ToField("probability"), found, Look(SIGNS))])
        assert "the entry never passes" in text_of([help_of(ToField("probability"), found, Look(SIGNS))])
        assert help_of(ToGroup(UNUSED), found, Look(SIGNS))
        assert help_of(None, found, Look(SIGNS)) == ()
        assert help_of(ToField("comment"), None, Look(SIGNS)) == ()

    def test_every_field_has_help(self) -> None:
        found = subject({})
        for name in (
            *(field.name for field in ENTRY_FIELDS),
            *IN_HEAD,
            "characterFilter.names",
            "characterFilter.tags",
        ):
            assert text_of([help_of(ToField(name), found, Look(SIGNS))]), name


class TestText:
    @given(st.text(st.characters(), max_size=40))
    def test_what_goes_into_the_editor_comes_out_unchanged(self, text: str) -> None:
        stand_ins = StandIns()
        encoded = stand_ins.encoded(text, is_whole=True)
        assert stand_ins.decoded(encoded) == text
        assert len(encoded.splitlines()) <= len(text.split("\n"))
        assert all(len(line) == len(stand_ins.shown(line)) for line in encoded.split("\n"))

    @given(st.text(st.sampled_from("ab\r\n\u2028\x85\x0b\x1b\ud83d\U00100000\U0010fffd\u202e\u200d\t"), max_size=30))
    def test_so_do_line_ends_and_controls_of_every_kind(self, text: str) -> None:
        stand_ins = StandIns()
        encoded = stand_ins.encoded(text, is_whole=True)
        assert stand_ins.decoded(encoded) == text
        assert not set(encoded) & set("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\x1b\ud83d\u202e\u200d")

    def test_windows_line_ends_are_the_editors_own(self) -> None:
        stand_ins = StandIns()
        assert stand_ins.encoded("a\r\nb", is_whole=True) == "a\nb"
        assert stand_ins.decoded("a\nb\nc") == "a\r\nb\r\nc"

    @pytest.mark.parametrize(
        ("macro", "known"),
        [
            ("{{user}}", True), ("{{ char }}", True), ("{{random::a::b}}", True), ("{{//note}}", True), ("<BOT>", True),
            ("{{.mood}}", True), ("{{$mood = 3}}", True), ("{{roll:d6}}", True), ("{{setvar::x::1}}", True),
            ("{{usr}}", False), ("{{}}", False), ("{{getvr::x}}", False), ("{{/if}}", True), ("{{#if x}}", True),
        ],
    )  # fmt: skip
    def test_known_macros(self, macro: str, known: bool) -> None:
        assert is_known_macro(macro) is known

    def test_inks_of_a_line(self) -> None:
        text = "@@activate\n@@depth 4\nsay {{char}} and {{chr}}"
        assert line_inks("@@activate", 0, text) == [(0, 10, "label")]
        assert line_inks("@@depth 4", 1, text) == [(0, 9, "near")]
        assert line_inks("say {{char}} and {{chr}}", 2, text) == [(4, 12, "macro"), (17, 24, "near")]
        assert line_inks("@@activate", 1, "text\n@@activate") == []
        assert line_inks("{{char}}" * 2000, 0, "") == []

    def test_keys_of_others_in_a_text(self, scene: Scene) -> None:
        plan = picture_of(scene).assembly.plan
        entry = Entry({"uid": 77, "content": ""}, "77", ("elsewhere",))
        text = "The BELL rings.\nA lantern guild, and the map."
        found = waking_of(plan, entry, text)
        assert {(item.title, item.words) for item in found} == {
            ("The bell", "BELL"), ("Later", "BELL"), ("The guild", "lantern guild"), ("The crowd", "lantern"),
        }  # fmt: skip
        lines = by_line(text, found)
        assert {item.words for item in lines[0]} == {"BELL"}
        assert [(item.start, item.end) for item in lines[1] if item.title == "The guild"] == [(2, 15)]
        assert waking_of(plan, Entry({"preventRecursion": True}, "77", ("elsewhere",)), text) == ()
