from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.evidence import evidence, message_hits
from lorebook_tui.engine.explain import explain
from lorebook_tui.engine.findings import MOST_HITS, MOST_NEAR
from lorebook_tui.engine.near import Near, merged
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import counts
from lorebook_tui.engine.wording import messages_text
from lorebook_tui.model.cast import InjectedPrompt
from lorebook_tui.model.transcript import Message, Transcript
from tests.unit.engine.lore import entry, index_of, run, scenario, turn, turns

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.evidence import Evidence
    from lorebook_tui.engine.findings import Hit, KeyFinding

NO_RECURSION = {"world_info_recursive": False}


def proof(assembly: Assembly, uid: int = 1) -> Evidence:
    return evidence(assembly, index_of(assembly, uid))


def finding(key: str, *chat: str, **fields: Any) -> KeyFinding:
    """What became of the only key of an entry."""
    (found,) = proof(turn(entry(1, key, **fields), chat=chat, settings=NO_RECURSION)).keys
    return found


def words(hits: tuple[Hit, ...]) -> list[tuple[int | None, str]]:
    return [(hit.message, hit.text[hit.start : hit.end]) for hit in hits]


def test_hits_are_spans_in_the_pieces_newest_first() -> None:
    found = finding("cat", "a cat", "Cat and CAT, no cats")
    assert found.matched
    assert words(found.hits) == [(1, "Cat"), (1, "CAT"), (0, "cat")]
    assert (found.kind, found.key, found.literal, found.near) == ("plain", "cat", "cat", ())


def test_a_text_that_grows_when_lowered_keeps_its_offsets() -> None:
    found = finding("bell", "İİ bell")
    assert words(found.hits) == [(0, "bell")]
    assert words(finding("i̇", "x İ y").hits) == [(0, "İ")]
    assert words(finding("i", "x İ y", matchWholeWords=False).hits) == [(0, "İ")]


def test_whole_words_have_spans_without_their_boundaries() -> None:
    assert words(finding("don", "don't scandon").hits) == [(0, "don")]
    assert words(finding("a b", "xa by").hits) == [(0, "a b")]


def test_patterns_hit_in_the_first_piece_they_touch() -> None:
    assert words(finding("/b.ll/i", "a BELL", "bill").hits) == [(1, "bill"), (0, "BELL")]
    crossing = finding("/two[^]*one/", "one!", "is two,")
    assert words(crossing.hits) == [(1, "two,")]
    assert crossing.matched
    assert [hit.runs_on for hit in crossing.hits] == [True]
    whole = "/^[^]*$/"
    assert [hit.runs_on for hit in finding("/two,/", "one!", "is two,").hits] == [False]
    told = explain(turn(entry(1, whole), chat=["one", "two"], settings=NO_RECURSION), 0).sentence
    assert told.endswith(f"because its key “{whole}” is in message 2 and on into the lines after it in the buffer.")
    start = finding("/^\\x01is/", "one", "is two")
    assert words(start.hits) == [(1, "is")]


def test_a_pattern_that_matches_between_pieces_only_says_so() -> None:
    found = finding("/\\n\\x01/", "one", "two")
    assert (found.matched, found.note) == (True, "It matches, but not within any single line of the buffer.")
    assert explain(turn(entry(1, "/\\n\\x01/"), chat=["one", "two"]), 0).sentence.endswith(
        "because its key “/\\n\\x01/” is in the scanned text."
    )


def test_a_pattern_may_match_the_empty_text() -> None:
    found = finding("/x*/", "ab")
    assert found.matched
    assert words(found.hits)[0] == (0, "")
    assert finding("/^$/", "ab", scanDepth=0).matched


def test_a_plain_key_that_crosses_pieces_is_found_in_the_whole_text() -> None:
    found = finding("two\n\x01one", "one", "two")
    assert (found.matched, words(found.hits), found.note) == (True, [(1, "two")], "")
    between = finding("\n\x01o", "one", "two", matchWholeWords=False)
    assert (between.matched, words(between.hits)) == (True, [(0, "o")])
    assert not finding("two\n\x01none", "one", "two").matched


def test_origins_of_hits() -> None:
    assembly = turn(
        entry(1, "cat", matchScenario=True), entry(2, constant=True, content="the cat"), chat=["cat"],
        injected=(InjectedPrompt("memory", "a cat", scan=True),), scan_data={"scenario": "cats and a cat"},
    )  # fmt: skip
    assert [(hit.origin, hit.name, hit.start) for hit in proof(assembly).keys[0].hits] == [
        ("message", "", 0), ("source", "scenario", 11), ("prompt", "memory", 2),
    ]  # fmt: skip


def test_the_path_leads_from_the_entry_that_the_chat_woke() -> None:
    assembly = turn(
        entry(1, "cat", content="a dog"), entry(2, "dog", content="a bird"), entry(3, "bird", content="x"),
        entry(4, "cat", content="noise", order=500), entry(5, constant=True, content="fish"), entry(6, "fish"),
    )  # fmt: skip
    by_uid = {uid: index_of(assembly, uid) for uid in range(1, 7)}
    assert proof(assembly, 3).path == (by_uid[1], by_uid[2], by_uid[3])
    assert proof(assembly, 2).path == (by_uid[1], by_uid[2])
    assert proof(assembly, 1).path == ()
    assert proof(assembly, 5).path == ()
    assert proof(assembly, 6).path == (by_uid[5], by_uid[6])
    hit = proof(assembly, 3).keys[0].hits[0]
    assert (hit.origin, hit.woken_by, hit.text[hit.start : hit.end]) == ("recursion", by_uid[2], "bird")
    assert "Woken by “e1” → “e2” → “e3”" in explain(assembly, by_uid[3]).details


def test_an_entry_that_was_not_taken_was_woken_by_nobody() -> None:
    waker, barred = entry(1, "cat", content="a dog"), entry(2, "dog", excludeRecursion=True)
    assembly = turn(waker, barred, chat=["cat"])
    told = explain(assembly, index_of(assembly, 2))
    assert told.verdict.reason is Reason.EXCLUDED_FROM_RECURSION
    assert told.details == ("Key “dog”: in the text of “e1”.",)


def test_a_turn_that_stops_tells_why_and_nothing_of_keys() -> None:
    assembly = turn(entry(1, "cat", group="constructor"), chat=["cat"])
    told = explain(assembly, 0)
    assert told.verdict.reason is Reason.STOPPED
    assert "'constructor'" in told.sentence
    assert told.details == ()


def test_a_hit_in_the_second_content_of_a_pass_names_that_entry() -> None:
    assembly = turn(
        entry(1, "cat", content="one"),
        entry(2, "cat", content="two"),
        entry(3, "two"),
        entry(4, "two\none"),
        entry(5, "one\ntwo"),
    )
    assert proof(assembly, 3).path == (1, 2)
    assert proof(assembly, 5).keys[0].hits[0].woken_by == 0
    assert not proof(assembly, 4).keys[0].matched


def test_recursed_text_of_later_passes_is_not_what_the_entry_saw() -> None:
    assembly = turn(entry(1, "cat", content="a dog"), entry(2, "dog", content="a dog again"), entry(3, "bird"))
    assert [hit.name for hit in proof(assembly, 2).keys[0].hits] == ["1"]


def test_looking_at_an_entry_that_was_not_woken_shows_the_last_pass() -> None:
    assembly = turn(entry(1, "cat", content="a dog"), entry(2, "zebra", keysecondary=["dog"]))
    shown = proof(assembly, 2)
    assert not shown.keys[0].matched
    assert words(shown.secondary[0].hits) == [(None, "dog")]


def near(key: str, *chat: str, depth: int = 2, **fields: Any) -> list[tuple[str, str, int | None]]:
    settings = {"world_info_depth": depth, **NO_RECURSION}
    assembly = turn(entry(1, key, **fields), chat=chat, settings=settings)
    (found,) = proof(assembly).keys
    assert not found.matched
    return [(str(miss.kind), miss.found, miss.message) for miss in found.near]


@pytest.mark.parametrize(
    ("key", "text", "fields", "miss"),
    [
        ("Cat", "a cat", {"caseSensitive": True}, ("case", "cat")),
        ("cat", "cats", {}, ("word_boundary", "cat")),
        ("lantern", "a lantren", {}, ("typo", "lantren")),
        ("don't", "don’t", {}, ("apostrophe", "don’t")),
        ("ёлка", "елка", {}, ("yo", "елка")),
        ("/bell/", "BELL", {}, ("pattern_case", "BELL")),
    ],
)
def test_near_misses(key: str, text: str, fields: dict[str, Any], miss: tuple[str, str]) -> None:
    assert (*miss, 0) in near(key, text, **fields)


def test_near_misses_that_read_alike_are_one_with_all_its_messages() -> None:
    assembly = turn(entry(1, "lt"), chat=("salt", "salt and malt", "felt"), settings={"world_info_depth": 9})
    (found,) = proof(assembly).keys
    assert len(found.near) == 3
    (told,) = merged(found.near)
    assert told == (found.near[0], tuple(dict.fromkeys(miss.message for miss in found.near)))
    nowhere = Near("typo", "bel", None, "It differs by one typing error.")
    assert merged([nowhere, nowhere, *found.near]) == [(nowhere, ()), told]
    lines = [line for line in explain(assembly, index_of(assembly, 1)).details if "almost" in line]
    assert lines == [f"  almost: “lt” ({messages_text(told[1])}). {told[0].note}"]


def test_a_key_beyond_the_window_is_the_first_near_miss() -> None:
    assert near("cat", "cat", "x", "y") == [("outside_window", "cat", 0)]
    assert near("cat", "cat", "a cat", "x", "y")[0] == ("outside_window", "cat", 1)
    assert near("/c.t/", "cut", "x", "y") == [("outside_window", "cut", 0)]
    assert near("/^\\x01cat/", "cat", "x", "y") == [("outside_window", "cat", 0)]
    assert near("cat", "x", "y", "z") == []
    note = proof(turn(entry(1, "cat"), chat=["cat", "w", "x", "y"])).keys[0].near[0].note
    assert note == "It stands 2 messages beyond the scanned ones."


def test_near_misses_are_few() -> None:
    assert len(near("lantern", "lantren lanten lanterm lanterns lantarn", depth=1)) == MOST_NEAR


def test_hits_are_few() -> None:
    assert len(finding("a", "a " * 200).hits) == MOST_HITS


def test_patterns_with_the_flag_i_or_none_at_all_have_no_near_miss() -> None:
    assert near("/bell/i", "ball") == []
    assert near("/bell/", "ball") == []
    assert near("", "text") == []
    assert near("{{noop}}", "text") == []


def test_blank_empty_and_odd_keys_have_a_note() -> None:
    assert finding(" ", "x").note == "It is white space only: it matches every text."
    assert finding("", "x").note == "It is empty once macros are replaced: it never matches."
    assert finding("/a/b/", "x").note.startswith("unescaped slash")
    assert (finding("/a/b/", "x").kind, finding("cat", "x").note) == ("plain", "")


def test_keys_with_changing_macros_are_shown_as_they_stand_at_the_start_of_the_turn() -> None:
    def looked(key: str, **variables: str) -> KeyFinding:
        made = scenario(entry(1, key), chat=["a cat, CAT"], local_variables=variables, settings=NO_RECURSION)
        return proof(run(made)).keys[0]

    assert words(looked("{{getvar::x}}", x="Cat").hits) == [(0, "cat"), (0, "CAT")]
    pattern = looked("{{getvar::x}}", x="/C.T/")
    assert (words(pattern.hits), pattern.kind) == ([(0, "CAT")], "macro")
    assert looked("{{getvar::x}}", x="dog").note == "Its macros give 'dog' at the start of this turn."
    nothing = looked("{{getvar::x}}")
    assert (nothing.matched, nothing.note) == (False, "Its macros give nothing at the start of this turn.")
    blank = looked("{{getvar::x}} ")
    assert (blank.matched, blank.kind) == (True, "macro")
    missed = looked("{{getvar::x}}", x="/c.t/")
    assert missed.matched
    assert [miss.found for miss in looked("{{getvar::x}}", x="cta").near] == []


def test_a_strict_entry_with_a_changing_key_compares_case() -> None:
    made = scenario(
        entry(1, "{{getvar::x}}", caseSensitive=True),
        chat=["a cat"],
        local_variables={"x": "CAT"},
        settings=NO_RECURSION,
    )
    found = proof(run(made)).keys[0]
    assert (found.matched, [str(miss.kind) for miss in found.near]) == (False, ["case"])


def test_a_pattern_beyond_its_time_is_told_and_is_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    from lorebook_tui.matching import ecma

    def endless(pattern: ecma.Pattern, *_: object) -> Any:
        raise ecma.PatternTimeout(pattern.source, pattern.flags, "0.25 s")

    assembly = turn(entry(1, "/zebra.*/"), chat=["cat", "x", "y"], settings=NO_RECURSION)
    monkeypatch.setattr(ecma.Pattern, "find_all", endless)
    found = proof(assembly).keys[0]
    assert (found.matched, found.note, found.near) == (False, "It ran into the time limit for patterns.", ())


def test_the_ledger_before_a_cut_is_what_stood_before_it_in_the_pass() -> None:
    assembly = turn(
        entry(1, "cat", content="a" * 5, order=30), entry(2, "cat", content="b" * 5, order=20), entry(3, "cat", content="c" * 50, order=10),
        settings={"world_info_budget": 100}, max_context=40,
    )  # fmt: skip
    shown = proof(assembly, 3)
    assert [row.index for row in shown.standing_before] == [0, 1]
    assert shown.own_row
    assert (shown.own_row.tokens, shown.own_row.total) == (51, 63)
    assert "Before it: “e1” (6), “e2” (6)" in explain(assembly, 2).details
    assert proof(turn(entry(1, "zebra"))).own_row is None


@pytest.mark.parametrize(
    ("fields", "depth"), [({}, 2), ({"scanDepth": 7}, 7), ({"scanDepth": 5000}, 1000), ({"scanDepth": 0}, 0)]
)
def test_the_depth_of_the_window(fields: dict[str, Any], depth: int) -> None:
    assert proof(turn(entry(1, "cat", **fields))).window_depth == depth


def test_min_activations_widen_the_window_that_is_shown() -> None:
    settings = {"world_info_depth": 1, "world_info_min_activations": 1, **NO_RECURSION}
    assembly = turn(entry(1, "cat"), entry(2, "zebra"), chat=["cat", "x", "y"], settings=settings)
    assert (proof(assembly, 1).window_depth, words(proof(assembly, 1).keys[0].hits)) == (3, [(0, "cat")])


def test_without_any_pass_there_is_nothing_to_show() -> None:
    assembly = turn(entry(1, "cat"), settings={"world_info_max_recursion_steps": -1})
    shown = proof(assembly)
    assert (assembly.passes, shown.window_depth, shown.path) == ((), 2, ())
    assert shown.keys[0].hits == ()


def test_message_hits_are_offsets_in_the_message_without_its_name() -> None:
    made = scenario(
        entry(1, "Anna", "bell"), entry(2, "ring"), entry(3, "zebra"), entry(4, constant=True),
        transcript=Transcript((Message("  Anna rings the bell", is_user=True), Message("ring, ring"), Message("Anna"))),
        settings={"world_info_depth": 3, "world_info_include_names": True},
    )  # fmt: skip
    found = message_hits(run(made))
    texts = [message.text for message in made.transcript.messages]
    shown = {
        number: [(texts[number][start:end], index) for start, end, index in spans] for number, spans in found.items()
    }
    assert shown == {0: [("Anna", 0), ("bell", 0)], 1: [("ring", 1), ("ring", 1)], 2: [("Anna", 0)]}


def test_message_hits_skip_attached_files_and_given_texts() -> None:
    extra = {"files": [{"text": "a cat in a file"}]}
    made = scenario(entry(1, "cat"), transcript=Transcript((Message("the cat", extra=extra),)))
    assert message_hits(run(made)) == {0: ((4, 7, 0),)}
    given = scenario(entry(1, "cat"), chat=["x"], scan_texts=("a cat", "cat"))
    assert message_hits(run(given)) == {}


def test_message_hits_of_a_first_message_with_macros_are_where_they_stand_in_the_chat() -> None:
    text = "cat and {{user}}, the cat"
    made = scenario(entry(1, "cat", "User"), chat=[text])
    assert [text[start:end] for start, end, _ in message_hits(run(made))[0]] == ["cat", "cat"]
    named = replace(made, settings=made.settings.with_values({"world_info_include_names": True}))
    assert [text[start:end] for start, end, _ in message_hits(run(named))[0]] == ["cat", "cat"]


def test_details_tell_order_tokens_place_and_keys() -> None:
    assembly = turn(
        entry(1, "cat", "dog", position=4, depth=2, role=2, order=7, keysecondary=["a"]),
        chat=["a cat, a cat, a cat, a cat"],
    )
    assert list(explain(assembly, 0).details) == [
        "Order 7, 7 tokens, activated in pass 1.",
        "Injected 2 messages above the end as assistant.",
        "Key “cat”: in message 1, message 1, message 1 and 1 more.",
        "Key “dog”: not in the scanned text.",
        "Secondary key “a”: in message 1, message 1, message 1 and 1 more.",
    ]


def test_details_tell_near_misses_and_notes() -> None:
    assembly = turn(entry(1, "cat", "/a/b/"), chat=["cats"])
    assert list(explain(assembly, 0).details) == [
        "Key “cat”: not in the scanned text.",
        "  almost: “cat” (message 1). It is there inside a longer word, and the key matches whole words only.",
        "Key “/a/b/”: not in the scanned text.",
        "  unescaped slash at offset 2: write \\/ inside a pattern",
    ]
    assert explain(assembly, 0).sentence.endswith(
        "Almost: “cat”. It is there inside a longer word, and the key matches whole words only."
    )


def test_details_of_a_sticky_entry_tell_how_long_it_stays() -> None:
    made = scenario(entry(1, "cat", sticky=4), chat=["cat", "x"], settings={"world_info_depth": 1})
    assert "Sticky since length 1, until 5 messages." in explain(turns(made, [1, 2])[1], 0).details


def test_a_long_chain_of_recursion_has_a_long_path() -> None:
    chain = [entry(number, f"w{number}", content=f"w{number + 1}") for number in range(300)]
    assembly = turn(*chain, chat=["w0"], settings={"world_info_budget": 100}, max_context=10**6)
    assert len(assembly.passes) == 301
    assert evidence(assembly, 299).path == tuple(range(300))


def test_a_key_whose_macros_changed_during_the_turn_is_told_without_a_place() -> None:
    assembly = turn(
        entry(1, constant=True, content="{{setvar::x::cat}}{{noop}}"), entry(2, "{{getvar::x}}"), chat=["cat"]
    )
    assert explain(assembly, 1).sentence.endswith("because one of its keys matched in pass 2.")


def test_the_near_miss_of_a_pattern_made_by_macros_is_not_looked_for() -> None:
    made = scenario(entry(1, "{{getvar::x}}"), chat=["cat", "x", "y"], local_variables={"x": "/c.t/"})
    assert proof(run(made)).keys[0].near == ()


def test_evidence_is_of_the_pass_that_decided() -> None:
    assembly = turn(
        entry(1, "cat", content="a dog, bird1"), entry(2, "/d.g/", excludeRecursion=True), entry(3, "dog", excludeRecursion=True),
        entry(4, "cat", keysecondary=["dog"], selectiveLogic=3, excludeRecursion=True), entry(5, "zebra", excludeRecursion=True),
    )  # fmt: skip
    told = [
        (explain(assembly, index).verdict.reason.code, proof(assembly, index + 1).keys[0].matched)
        for index in range(1, 5)
    ]
    assert told == [
        ("no_key_in_text", False),
        ("excluded_from_recursion", True),
        ("secondary_failed", True),
        ("no_key_in_text", False),
    ]
    assert not proof(assembly, 4).secondary[0].matched


def test_the_mark_of_an_empty_chat_is_there_but_not_for_a_depth_of_zero() -> None:
    assembly = turn(entry(1, "/\\x01/"), entry(2, "/\\x01/", scanDepth=0), entry(3, "/^$/", scanDepth=0), chat=[])
    assert [proof(assembly, uid).keys[0].matched for uid in (1, 2, 3)] == [True, False, True]
    assert list(assembly.admitted_by_index) == [0, 2]


def test_a_copy_is_told_what_the_passes_that_could_look_at_it_saw() -> None:
    from lorebook_tui.model.layers import Layers
    from tests.unit.engine.lore import book

    copies = (book(entry(1, "cat", content="a dog"), name="b"), book(entry(1, "dog"), name="b"))
    assembly = run(scenario(chat=["cat"], layers=Layers(global_=copies)))
    assert [explain(assembly, index).verdict.reason.code for index in (0, 1)] == ["in_prompt", "no_key_in_text"]
    assert not evidence(assembly, 1).keys[0].matched
    assert counts(assembly) == {Reason.IN_PROMPT: 1, Reason.NO_KEY_IN_TEXT: 1}
