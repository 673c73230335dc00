"""The recursion graph of a book: who wakes whom under which flags, packs, roots, and what is kept between checks."""

from __future__ import annotations

from typing import Any
from weakref import ref

import pytest

from lorebook_tui.lint import recursion_graph, wide_keys
from lorebook_tui.lint.graph_shapes import way_to
from lorebook_tui.lint.groups import group_names, near_pairs
from lorebook_tui.lint.recursion_graph import RecursionGraph, graph_of
from lorebook_tui.lint.sayable import is_sayable
from lorebook_tui.lint.subjects import BookView, FileView
from lorebook_tui.model.book import book_from_fields
from lorebook_tui.model.fields import template
from lorebook_tui.model.settings import ScanSettings


def book_of(*entries: dict[str, Any]) -> BookView:
    fields = {str(number): {"uid": number, **template(), **entry} for number, entry in enumerate(entries)}
    return BookView(book_from_fields("lore", fields), FileView("lore.json"))


def graph(*entries: dict[str, Any], **settings: Any) -> RecursionGraph:
    return RecursionGraph(book_of(*entries), ScanSettings().with_values(settings))


def targets(made: RecursionGraph, number: int = 0) -> dict[int, bool]:
    return {target: edge.is_sure for target, edge in made.out[number].items()}


FERRY = {"key": ["ferry"], "content": "It passes the mill and the old bell."}


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"key": ["mill"]}, {1: True}),
        ({"key": ["MILL"]}, {1: True}),
        ({"key": ["MILL"], "caseSensitive": True}, {}),
        ({"key": ["mil"]}, {}),
        ({"key": ["mil"], "matchWholeWords": False}, {1: True}),
        ({"key": ["/mil+/"]}, {1: True}),
        ({"key": ["/^It/"]}, {}),
        ({"key": ["/./"]}, {1: True}),
        ({"key": ["{{user}}"]}, {}),
        ({"key": ["mill"], "excludeRecursion": True}, {}),
        ({"key": ["mill"], "constant": True}, {}),
        ({"key": ["mill"], "disable": True}, {}),
        ({"key": ["mill"], "scanDepth": 0}, {}),
        ({"key": ["mill"], "delayUntilRecursion": 2}, {1: True}),
        ({"key": ["mill"], "content": "@@dont_activate\nx"}, {}),
        ({"key": ["mill"], "keysecondary": ["bell"]}, {1: True}),
        ({"key": ["mill"], "keysecondary": ["fog"]}, {1: False}),
        ({"key": ["mill"], "keysecondary": ["bell", "fog"], "selectiveLogic": 3}, {1: False}),
        ({"key": ["mill"], "keysecondary": ["bell"], "selectiveLogic": 2}, {}),
        ({"key": ["mill"], "keysecondary": ["fog"], "selectiveLogic": 2}, {1: True}),
        ({"key": ["mill"], "keysecondary": ["bell"], "selectiveLogic": 1}, {}),
        ({"key": ["mill"], "keysecondary": ["bell"], "selectiveLogic": 9}, {}),
        ({"key": ["mill"], "keysecondary": ["bell"], "selective": False, "selectiveLogic": 2}, {1: True}),
    ],
)
def test_edge_follows_keys_and_flags(fields: dict[str, Any], wanted: dict[int, bool]) -> None:
    assert targets(graph(FERRY, {"content": "x", **fields})) == wanted


@pytest.mark.parametrize("flags", [{"preventRecursion": True}, {"disable": True}, {"content": "@@dont_activate\nmill"}])
def test_silent_entries_wake_nobody(flags: dict[str, Any]) -> None:
    assert targets(graph({**FERRY, **flags}, {"key": ["mill"], "content": "x"})) == {}


def test_closed_group_lets_nobody_in() -> None:
    fellow = {"key": ["mill"], "content": "x", "group": "a, b"}
    assert targets(graph({**FERRY, "group": "a"}, fellow)) == {}
    assert targets(graph({**FERRY, "group": "c"}, fellow)) == {1: True}
    assert targets(graph({**FERRY, "group": "a, b"}, fellow)) == {1: True}


def test_first_key_of_the_list_is_named() -> None:
    (edge,) = graph(FERRY, {"key": ["fog", "bell", "mill"], "content": "x"}).out[0].values()
    assert edge.key == 1


def test_pack_and_way() -> None:
    made = graph(
        {"key": ["aaa"], "content": "bbb"},
        {"key": ["bbb"], "content": "ccc"},
        {"key": ["ccc"], "content": "aaa ddd"},
        {"key": ["ddd"], "content": "x"},
    )
    assert made.cycles == ((0, 1, 2),)
    assert made.reach == (3, 3, 3, 0)
    assert way_to(made.ways_from(0), 3) == (0, 1, 2, 3)


def test_roots_and_what_they_reach() -> None:
    made = graph(
        {"key": ["sea"], "content": "[[storm]]"},
        {"key": ["[[storm]]"], "content": "x"},
        {"key": ["[[calm]]"], "content": "[[sun]]"},
        {"key": ["[[sun]]"], "content": "[[calm]]"},
    )
    assert made.roots == {0}
    assert made.reachable == {0, 1}
    assert graph({"key": ["[[a]]"], "content": "x"}, world_info_recursive=False).reachable == frozenset()


def test_settings_switch_recursion_off() -> None:
    assert graph(FERRY).is_on
    assert not graph(FERRY, world_info_recursive=False).is_on
    assert not graph(FERRY, world_info_max_recursion_steps=1).is_on


def test_graph_is_kept_until_an_entry_or_a_setting_changes() -> None:
    book = book_of(FERRY)
    settings = ScanSettings()
    made = graph_of(book, settings)
    assert graph_of(BookView(book.book, book.file), settings) is made
    assert graph_of(book, settings.with_values({"world_info_depth": 9})) is not made
    assert graph_of(book_of(FERRY), settings) is not made


def test_graphs_of_earlier_states_of_a_book_go() -> None:
    book = book_of(FERRY)
    settings = ScanSettings()
    earlier = ref(graph_of(book, settings))
    book.renew(book_of(FERRY, FERRY).book)
    assert graph_of(book, settings).size == 2
    assert earlier() is None


def test_patterns_end_with_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recursion_graph, "_ALL_PATTERNS_CHARACTERS", 0)
    assert targets(graph(FERRY, {"key": ["/mill/", "bell"], "content": "x"}, {"key": ["/bell/"]})) == {1: True}


def test_index_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recursion_graph, "_MOST_WOKEN", 3)
    made = graph({"key": ["x"], "content": "a1 a2 a3 a4 a5"}, *({"key": [f"a{n}"]} for n in range(1, 6)))
    assert len(made.out[0]) == 3


@pytest.mark.parametrize("key", ["mill", "dark_lord", "[OOC]", "<think>", "C++", "#hello", "{x", "naïve", "a@b.c"])
def test_words_are_sayable(key: str) -> None:
    assert is_sayable(key)


@pytest.mark.parametrize("key", ["[[rain]]", "{mood}", "trigger_forest_fire", "map::north", "##weather", "==x==", " "])
def test_marks_are_not(key: str) -> None:
    assert not is_sayable(key)


def test_near_names() -> None:
    names = ["weather", "wether", "quest1", "quest2", "sea-fog", "sea fog", "abc", "abd", "night"]
    assert near_pairs(["wether", "quest1", "sea-fog", "abc", "night"], names) == {
        "wether": "weather",
        "sea-fog": "sea fog",
    }


def test_group_names_are_parted_as_the_engine_does() -> None:
    (view,) = book_of({"group": "a ,b,  c,,a "}).entries
    assert group_names(view) == ("a ", "b", "c")


def crowd(listeners: int, others: int, speaking: int, conditions: int = 7) -> tuple[dict[str, Any], ...]:
    """Entries with one key, some of whose texts hold it; others whose texts do; a secondary key at every so many-th."""
    return tuple(
        {
            "key": ["mill"] if number < listeners else [f"other{number}"],
            "content": "The mill." if number % speaking == 0 or number >= listeners else "Nothing.",
            "keysecondary": ["fog"] if number % conditions == conditions - 1 else [],
        }
        for number in range(listeners + others)
    )


@pytest.mark.parametrize("entries", [crowd(60, 0, 1), crowd(60, 20, 3), crowd(50, 5, 25), crowd(80, 1, 90)])
def test_keys_of_a_crowd_lead_to_the_same_end(entries: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = graph(*entries)
    assert exact.count_woken(0) is None
    monkeypatch.setattr(wide_keys, "MOST_PAIRS", 40)
    monkeypatch.setattr(recursion_graph, "MOST_PAIRS", 40)
    thin = graph(*entries)
    assert sum(map(len, thin.out)) < sum(map(len, exact.out))
    assert thin.reach == exact.reach
    assert thin.cycles == exact.cycles
    assert thin.reachable == exact.reachable
    assert [bool(sources) for sources in thin.into] == [bool(sources) for sources in exact.into]
    assert thin.count_woken(0) == len(exact.out[0])
    for number in range(thin.size):
        wakers = thin.ways_from(number)
        assert all(len(way_to(wakers, target)) <= 4 for target in wakers)


def test_pairs_of_a_crowd_do_not_grow_with_its_square() -> None:
    pairs = [sum(map(len, graph(*crowd(size, 0, 1, 5000)).out)) for size in (600, 1200)]
    assert pairs[1] < 3 * pairs[0]
