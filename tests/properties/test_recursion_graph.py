"""The recursion graph against the engine: an edge is there exactly if one entry's text brings the other in."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.graph_shapes import breakers, components, reached
from lorebook_tui.lint.recursion_graph import RecursionGraph
from lorebook_tui.lint.staging import QUIET, with_fields
from lorebook_tui.lint.subjects import BookView, FileView
from lorebook_tui.lint.witness import reason_of, run, witness
from lorebook_tui.model.book import book_from_fields
from lorebook_tui.model.fields import template
from lorebook_tui.model.settings import ScanSettings

WORDS = ("mill", "Ferry", "bell", "mills", "old bell", "ё", "ß")
KEYS = st.sampled_from([*WORDS, "/bells?/", "/MILL/i", "/^./", "[[rain]]", " "])
TEXTS = st.lists(st.sampled_from([*WORDS, "windmill", "a", "ferry.", "[[rain]]"]), max_size=4).map(" ".join)
FLAGS = st.fixed_dictionaries(
    {},
    optional={
        "preventRecursion": st.booleans(),
        "excludeRecursion": st.booleans(),
        "delayUntilRecursion": st.sampled_from([0, 1, 2, True]),
        "scanDepth": st.sampled_from([None, 0, 1]),
        "caseSensitive": st.sampled_from([None, True]),
        "matchWholeWords": st.sampled_from([None, False]),
        "disable": st.booleans(),
    },
)
ENTRIES = st.tuples(st.lists(KEYS, max_size=2), st.lists(KEYS, max_size=2), st.integers(0, 3), TEXTS, FLAGS).map(
    lambda made: {"key": made[0], "keysecondary": made[1], "selectiveLogic": made[2], "content": made[3], **made[4]}
)


def book_of(entries: list[dict[str, Any]]) -> BookView:
    fields = {str(number): {"uid": number, **template(), **entry} for number, entry in enumerate(entries)}
    return BookView(book_from_fields("lore", fields), FileView("lore.json"))


@settings(max_examples=150, deadline=None)
@given(ENTRIES, ENTRIES)
def test_sure_edge_is_what_the_engine_does(one: dict[str, Any], other: dict[str, Any]) -> None:
    # the waker is in anyway, so that nothing but its text can call the other one
    waker = {**one, "constant": True, "delayUntilRecursion": 0, "content": one["content"] or "a"}
    book = book_of([waker, other])
    graph = RecursionGraph(book, ScanSettings())
    view = with_fields(book.entries[1], content=other["content"] or "a")
    shown = witness("", [book.entries[0], view], [QUIET])
    alone = reason_of(run(witness("", [view], [QUIET])), view)
    comes = reason_of(run(shown), view) is Reason.IN_PROMPT
    matches_any_chat = any(not key.strip() or key == "/^./" for key in [*other["key"], *other["keysecondary"]])
    if alone is Reason.IN_PROMPT or matches_any_chat:
        return  # it needs nobody, or what it needs beside the text stands in the chat of the witness
    edge = graph.out[0].get(1)
    assert comes == (edge is not None and edge.is_sure)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.integers(0, 7), max_size=4), min_size=8, max_size=8))
def test_shapes_agree_with_walking(out: list[list[int]]) -> None:
    def from_node(start: int) -> set[int]:
        found: set[int] = set()
        waiting = [start]
        while waiting:
            for target in out[waiting.pop()]:
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return found

    walks = [from_node(node) for node in range(8)]
    packs = components(out)
    assert sorted(node for pack in packs for node in pack) == list(range(8))
    for pack in packs:
        assert all(other in walks[node] for node in pack for other in pack if other != node)
    assert reached(out, packs) == tuple(len(walks[node] - {node}) for node in range(8))
    plain = [[target for target in targets if target != node] for node, targets in enumerate(out)]
    for pack in packs:
        if len(pack) > 1:
            cut = set(breakers(plain, pack))
            left = [[] if node in cut else targets for node, targets in enumerate(plain)]
            assert not any(len(part) > 1 and set(part) <= set(pack) for part in components(left))
