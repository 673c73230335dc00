"""The query language: what each kind of term asks, facts, and what is said about mistakes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.formats import detect
from lorebook_tui.formats.new_book import loaded_of
from lorebook_tui.matching.ecma import PatternTimeout
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.workspace import query
from lorebook_tui.workspace.facts import LoreFacts, NothingKnown, TurnFacts, UnknownFactError
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.query import QueryError
from lorebook_tui.workspace.replayed_facts import replayed_facts
from lorebook_tui.workspace.workspace import OpenedBook, Workspace

SAMPLES = Path(__file__).parents[3] / "sample_books"
TITLE, KEYS = "The drowned bell", ["bell", "/колокол(а|ом)?/i"]


def entry(**fields: Any) -> Entry:
    return Entry({"uid": 3, "comment": TITLE, "key": KEYS, "content": "Under the landing.", **fields}, "3")


def says(text: str, **fields: Any) -> bool:
    return query.parse(text).matches(entry(**fields), NothingKnown())


@pytest.mark.parametrize(
    ("text", "fields", "is_meant"),
    [
        ("", {}, True),
        ("*", {}, True),
        ("drowned", {}, True),
        ("DROWNED колокол", {}, True),
        ("drowned guild", {}, False),
        ("drowned or guild", {}, True),
        ("guild | drowned", {}, True),
        ("(guild or bell) and drowned", {}, True),
        ("-drowned", {}, False),
        ("not guild", {}, True),
        ("!guild -(a or b)", {"key": [], "comment": "x"}, True),
        ("not not bell", {}, True),
        ('"the drowned"', {}, True),
        ("'the drowned'", {}, True),
        ('"or"', {"comment": "or"}, True),
        ("/^The/", {}, True),
        ("/^the/", {}, False),
        ("half-light", {"comment": "Half-light"}, True),
        ("o'hara", {"comment": "Miss O'Hara"}, True),
        ("bell(drowned)", {}, True),
        ("constant:yes", {"constant": True}, True),
        ("constant:yes", {}, False),
        ("constant=no", {}, True),
        ("constant:!=yes", {}, True),
        ("constant:1", {"constant": True}, True),
        ("enabled:no", {"disable": True}, True),
        ("enabled:yes", {}, True),
        ("disabled:yes", {"disable": True}, True),
        ("caseSensitive:no", {"caseSensitive": None}, False),
        ("caseSensitive:no", {"caseSensitive": False}, True),
        ("caseSensitive:none", {"caseSensitive": None}, True),
        ("case:yes", {"caseSensitive": True}, True),
        ("order:100", {"order": 100}, True),
        ("order:100", {"order": 100.0}, True),
        ("order:>100", {"order": 100}, False),
        ("order>=100", {"order": 100}, True),
        ("order<100", {"order": "90"}, True),
        ("order<=100", {}, False),
        ("order!=100", {"order": 90}, True),
        ("order:10..20", {"order": 20}, True),
        ("order:10..", {"order": 9}, False),
        ("order:..20", {"order": -5}, True),
        ("order:-5", {"order": -5}, True),
        ("order:5,7,9", {"order": 7}, True),
        ("order!=5,7", {"order": 7}, False),
        ("insertion_order:7", {"order": 7}, True),
        ("position:at-depth", {"position": 4}, True),
        ("position:atDepth", {"position": 4}, True),
        ('position:"at depth",outlet', {"position": 7}, True),
        ("position:4", {"position": 4}, True),
        ("logic:and-any", {"selectiveLogic": 0}, True),
        ("role:user", {"role": 1}, True),
        ("sticky:none", {"sticky": None}, True),
        ("sticky:none", {}, True),
        ("sticky:yes", {"sticky": 3}, True),
        ("sticky:no", {"sticky": 0}, True),
        ("-sticky:none", {"sticky": 3}, True),
        ("probability:50%", {"probability": 50}, True),
        ("level:yes", {"delayUntilRecursion": True}, True),
        ("level:2", {"delayUntilRecursion": 2}, True),
        ("level:no", {"delayUntilRecursion": 0}, True),
        ("uid:3", {}, True),
        ("id:3,4", {}, True),
        ("uid:abc", {"uid": "abc"}, True),
        ("key:bel", {}, True),
        ("key=bel", {}, False),
        ("key=BELL", {}, True),
        ("key:/колокола/", {}, False),
        (r"key:/^\/кол/i", {}, True),
        ("key:none", {"key": []}, True),
        ("key:>1", {}, True),
        ("key<2", {}, False),
        ("secondary:none", {}, True),
        ("triggers:swipe", {"triggers": ["swipe"]}, True),
        ("title:drowned", {}, True),
        ("comment=drowned", {}, False),
        ("content:landing", {}, True),
        ("content:yes", {}, False),
        ("content:>10", {}, True),
        ("content:none", {"content": " \n"}, True),
        ("group:none", {}, True),
        ("group:yes", {"group": "weather"}, True),
        ("group:no", {"group": ""}, True),
        ("group:weather", {"group": "Weather, moods"}, True),
        ("character:mira", {"characterFilter": {"names": ["Mira"], "tags": []}}, True),
        ("character:none", {"characterFilter": {"names": [], "tags": []}}, True),
        ("character:yes", {"characterFilter": {"names": ["Mira"]}}, True),
        ("character:none", {}, True),
        ("extensions:none", {"extensions": {}}, True),
        ("extensions:depth", {"extensions": {"depth": 4}}, True),
        ("section:examples", {"section": "examples"}, True),
        ("kind:constant", {"constant": True}, True),
        ("is:disabled", {"constant": True, "disable": True}, True),
        ("kind:vectorized", {"vectorized": True}, True),
        ("kind:keyed", {}, True),
        ("locked:yes", {"extensions": {"lorebook_tui": {"locked": True}}}, True),
        ("locked:no", {}, True),
        ('"scan depth":4', {"scanDepth": 4}, True),
        ("scan-depth:none", {}, True),
    ],
)
def test_terms(text: str, fields: dict[str, Any], is_meant: bool) -> None:
    assert says(text, **fields) is is_meant


@pytest.mark.parametrize(
    ("text", "offset", "told"),
    [
        ("ordr:5", 0, "order"),
        ("bell ordr:5", 5, "order"),
        ("a or", 2, "both sides"),
        ("or a", 0, "both sides"),
        ("and a", 0, "both sides"),
        ("a and", 2, "both sides"),
        ("(a", 0, "never closed"),
        ("a)", 1, "closes nothing"),
        ("()", 1, "nothing in the parentheses"),
        ("-", 0, "missing"),
        ("not", 0, "missing"),
        ("key:", 4, "missing"),
        ("key:a,", 6, "missing"),
        ("key: a", 4, "missing"),
        ('"a', 0, "never closed"),
        ("/a", 0, "never closed"),
        ("key:/a/b/", 8, "behind the pattern"),
        ("key:/(/", 6, "not valid"),
        ("key:/a/zz", 5, "not valid"),
        ("order:high", 6, "a number"),
        ("order:>none", 7, "a number"),
        ("order:20..10", 6, "10..20"),
        ("order:..", 6, "a number"),
        ("position:nowhere", 9, "4 at depth"),
        ("constant:maybe", 9, "yes or no"),
        ("constant>1", 0, "no order"),
        ("case:x", 5, "none"),
        ("level:x", 6, "yes or no"),
        ("layer:lore", 6, "persona"),
        ("kind:odd", 5, "keyed"),
        ("in:chat", 3, "prompt"),
        ("cut:maybe", 4, "yes or no"),
        ("tokens:many", 7, "a number"),
    ],
)
def test_mistakes_name_their_place_and_what_was_expected(text: str, offset: int, told: str) -> None:
    with pytest.raises(QueryError) as caught:
        query.parse(text)
    error = caught.value
    assert error.offset == offset
    assert error.where == f"character {offset + 1} of the query"
    assert told in f"{error.message} {error.expected} {error.hint}"


def test_what_is_too_deep_or_too_long_is_refused() -> None:
    with pytest.raises(QueryError, match="nested"):
        query.parse("(" * 5000 + "a" + ")" * 5000)
    with pytest.raises(QueryError, match="too long"):
        query.parse("a " * 600)
    assert query.parse("-" * 5001 + "a").matches(entry(comment="b", key=[]), NothingKnown())


def test_a_slow_pattern_ends_with_an_error() -> None:
    slow = query.parse("content:/(a+)+\\1$/")
    with pytest.raises(PatternTimeout):
        slow.matches(entry(content="a" * 60 + "!"), NothingKnown())


def lore(replayed: TurnFacts | None = None) -> LoreFacts:
    def book(layer: Layer, name: str, *entries: dict[str, Any]) -> OpenedBook:
        fields = {str(uid): {"uid": uid, "key": [], "content": "", **each} for uid, each in enumerate(entries)}
        loaded = loaded_of({"entries": fields}, "sillytavern", name)
        return OpenedBook(layer, loaded.books[0], Source(Path(name), loaded))

    folder = {"extensions": {"lorebook_tui": {"folder": "NPC/Town"}}}
    town = book(
        Layer.GLOBAL,
        "town.json",
        {"comment": "Old Pell", "content": "one two three four five six", **folder},
        {"comment": "Lantern guild"},
    )
    chat = book(Layer.CHAT, "chat.json", {"comment": "So far"})
    again = OpenedBook(Layer.PERSONA, town.book, town.source)
    return LoreFacts(Workspace((town, again, chat), tokenizer="estimate"), replayed)


def titles(made: LoreFacts, text: str, *, similar: bool = False) -> list[str]:
    return [made.entry(ref).title for ref in query.select(made, query.parse(text), similar=similar)]


FIRST, LAST = EntryRef(Layer.GLOBAL, 0, 0), EntryRef(Layer.CHAT, 0, 0)
PLAYED = TurnFacts(4, {FIRST: 4, LAST: 1}, frozenset({FIRST}), frozenset({LAST}), {LAST: 2})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ["Old Pell", "Lantern guild", "So far"]),
        ("layer:chat", ["So far"]),
        ("layer:1", ["Old Pell", "Lantern guild"]),
        ("book:town", ["Old Pell", "Lantern guild"]),
        ("file:chat.json", ["So far"]),
        ("folder:npc", ["Old Pell"]),
        ("folder=npc", ["Old Pell"]),
        ("folder=NPC/Town", ["Old Pell"]),
        ("folder=Town", []),
        ("folder:none", ["Lantern guild", "So far"]),
        ("folder!=npc", ["Lantern guild", "So far"]),
        ("tokens:>2", ["Old Pell"]),
        ("tokens:0", ["Lantern guild", "So far"]),
        ("fired:never", ["Lantern guild"]),
        ("fired:yes", ["Old Pell", "So far"]),
        ("fired:always", ["Old Pell"]),
        ("fired:1", ["So far"]),
        ("activated:>1", ["Old Pell"]),
        ("in:prompt", ["Old Pell"]),
        ("in:no", ["Lantern guild", "So far"]),
        ("in:cut", ["So far"]),
        ("cut:yes", ["So far"]),
        ("hits:2..", ["So far"]),
        ("hits:none", ["Old Pell", "Lantern guild"]),
    ],
)
def test_facts(text: str, found: list[str]) -> None:
    assert titles(lore(PLAYED), text) == found


def test_facts_that_nobody_knows_are_refused_before_any_entry_is_asked() -> None:
    for text in ("fired:never", "layer:chat cut:yes", "hits:>1"):
        with pytest.raises(UnknownFactError, match="Nobody knows") as caught:
            query.select(lore(), query.parse(text))
        assert "--chat" in caught.value.hint
    with pytest.raises(UnknownFactError, match="layer"):
        query.parse("layer:chat").require(frozenset())
    assert query.parse("fired:never -cut:yes layer:1").needs == {"fired", "turns", "cut", "layer"}


def test_similar_titles_are_meant_only_if_nothing_holds_the_words() -> None:
    assert titles(lore(), "lantren guidl") == []
    assert titles(lore(), "lantren", similar=True) == ["Lantern guild"]
    assert titles(lore(), "guild", similar=True) == ["Lantern guild"]
    assert titles(lore(), "-lantren", similar=True) == ["Old Pell", "Lantern guild", "So far"]
    assert titles(lore(), "lantren layer:chat", similar=True) == []


def test_a_replay_of_the_sample_knows_its_facts() -> None:
    workspace = open_workspace([SAMPLES / "harrowmere"])
    watched: list[int] = []
    facts = replayed_facts(workspace, watch=watched.append)
    made = LoreFacts(workspace, facts)
    assert watched == sorted(watched)
    assert len(watched) == facts.turns == 22
    assert "Old Pell" in titles(made, "cut:yes")
    assert "World rules" in titles(made, "in:prompt constant:yes")
    assert set(titles(made, "fired:never")).isdisjoint(titles(made, "fired:>0"))
    bells = titles(made, "hits:>0 title:'drowned bell'")
    lines = [message.text for message in workspace.transcript.messages if not message.is_hidden]
    ref = query.select(made, query.parse("title='the drowned bell'"))[0]
    assert bells == ["The drowned bell"]
    assert (
        0
        < facts.hits[ref]
        <= sum("bell" in line.lower() or "toll" in line.lower() or "knell" in line.lower() for line in lines)
    )


def test_hits_are_lines_that_hold_a_primary_key() -> None:
    keys = [["bell", "gong"], ["/b.ll/i"], ["  "], ["/(a+)+\\1$/"], ["{{random::bell::x}}"], ["/x|(a+)+\\1$/"]]
    fields = {
        str(uid): {"uid": uid, "key": each, "content": "", "matchWholeWords": True} for uid, each in enumerate(keys)
    }
    loaded = loaded_of({"entries": fields}, "sillytavern", "a.json")
    opened = OpenedBook(Layer.GLOBAL, loaded.books[0], Source(Path("a.json"), loaded))
    lines = ["a BELL and a gong", "the bells", "a" * 40 + "!", "x"]
    workspace = Workspace(
        (opened,), transcript=Transcript(tuple(Message(name="", text=line) for line in lines)), tokenizer="estimate"
    )
    facts = replayed_facts(
        replace(workspace, settings=workspace.settings.with_values({"world_info_include_names": False}))
    )
    hits = [facts.hits.get(ref, 0) for ref in LoreFacts(workspace).refs()]
    assert hits == [1, 2, 4, 0, 0, 0]


def test_a_book_that_another_layer_holds_has_no_facts_of_its_own() -> None:
    made = lore()
    second = replace(made.workspace.books[0].book, name="town")
    double = OpenedBook(Layer.CHAT, second, Source(Path("town.json"), made.workspace.books[0].source.loaded))
    facts = replayed_facts(replace(made.workspace, books=(*made.workspace.books, double)))
    assert facts.turns == 1


def test_facts_of_another_name_are_unknown() -> None:
    assert lore(PLAYED).of(FIRST).fact("weather") is None
    assert lore().of(FIRST).fact("cut") is None
    assert lore(PLAYED).of(FIRST).fact("turns") == 4


def test_a_query_error_is_an_error_of_usage() -> None:
    assert issubclass(QueryError, UsageError)
    assert issubclass(UnknownFactError, LorebookError)


def test_a_card_answers_by_sillytavern_s_names() -> None:
    loaded = detect.load((SAMPLES / "harrowmere" / "mira.png").read_bytes(), "mira.png")
    found = [
        each.title
        for each in loaded.require_book().entries
        if query.parse("depth:4 enabled:yes").matches(each, NothingKnown())
    ]
    assert "Fare" in found
