from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.phases.order import SkippedBook, load_order, sort_descending
from lorebook_tui.model.book import Book, book_from_fields
from lorebook_tui.model.layers import Layer, Layers
from tests.unit.engine.lore import COUNTER, book, entry, run, scenario

NAN = float("nan")


def ordered(layers: Layers, strategy: int = 1) -> list[tuple[str, Any]]:
    loaded, _ = load_order(layers, strategy)
    return [(name, item.uid) for _, name, item in loaded]


GLOBAL = book(entry(1, order=10), entry(2, order=30), name="g")
CHARACTER = book(entry(1, order=20), entry(2, order=30), name="c")
PERSONA = book(entry(1, order=1), name="p")
CHAT = book(entry(1, order=1), entry(2, order=2), name="t")
ALL = Layers((GLOBAL,), (CHARACTER,), (PERSONA,), (CHAT,))
CHAT_AND_PERSONA = [("t", 2), ("t", 1), ("p", 1)]


@pytest.mark.parametrize(
    ("strategy", "rest"),
    [
        (0, [("g", 2), ("c", 2), ("c", 1), ("g", 1)]),
        (1, [("c", 2), ("c", 1), ("g", 2), ("g", 1)]),
        (2, [("g", 2), ("g", 1), ("c", 2), ("c", 1)]),
        (7, [("g", 2), ("c", 2), ("c", 1), ("g", 1)]),
    ],
)
def test_chat_then_persona_then_the_rest_by_strategy(strategy: int, rest: list[tuple[str, int]]) -> None:
    assert ordered(ALL, strategy) == CHAT_AND_PERSONA + rest


def test_equal_orders_keep_the_order_of_books_and_keys() -> None:
    first = book_from_fields(
        "a", {"10": {"uid": 10, "order": 5}, "x": {"uid": 0, "order": 5}, "9": {"uid": 9, "order": 5}}
    )
    second = book(entry(1, order=5), name="b")
    assert ordered(Layers((second, first))) == [("b", 1), ("a", 9), ("a", 10), ("a", 0)]


def test_a_missing_order_compares_as_equal_to_all() -> None:
    assert sort_descending([1, 3, 2], float) == [3, 2, 1]
    assert sort_descending([NAN, NAN], float) != []
    assert [str(value) for value in sort_descending([1.0, NAN, 2.0], lambda value: value)] == ["1.0", "nan", "2.0"]


@pytest.mark.parametrize(
    ("layers", "skipped"),
    [
        (Layers((GLOBAL,), chat=(GLOBAL,)), [SkippedBook(Layer.CHAT, "g", Layer.GLOBAL)]),
        (Layers((GLOBAL,), persona=(GLOBAL,)), [SkippedBook(Layer.PERSONA, "g", Layer.GLOBAL)]),
        (Layers((GLOBAL,), character=(GLOBAL,)), [SkippedBook(Layer.CHARACTER, "g", Layer.GLOBAL)]),
        (Layers(persona=(CHAT,), chat=(CHAT,)), [SkippedBook(Layer.PERSONA, "t", Layer.CHAT)]),
        (Layers(character=(CHAT,), chat=(CHAT,)), [SkippedBook(Layer.CHARACTER, "t", Layer.CHAT)]),
        (Layers(character=(PERSONA,), persona=(PERSONA,)), [SkippedBook(Layer.CHARACTER, "p", Layer.PERSONA)]),
        (ALL, []),
    ],
)
def test_a_book_of_several_layers_is_used_once(layers: Layers, skipped: list[SkippedBook]) -> None:
    loaded, left_out = load_order(layers, 1)
    assert list(left_out) == skipped
    assert len({(name, item.uid) for _, name, item in loaded}) == len(loaded)


def test_a_book_listed_twice_for_the_character_is_used_once_but_twice_globally() -> None:
    assert ordered(Layers(character=(PERSONA, PERSONA))) == [("p", 1)]
    assert ordered(Layers(global_=(PERSONA, PERSONA))) == [("p", 1), ("p", 1)]


def test_the_copy_of_a_book_selected_twice_costs_budget_but_is_one_entry() -> None:
    once = book(entry(1, "cat", content="12345"), name="b")
    made = scenario(chat=["cat"], layers=Layers(global_=(once, once)))
    assembly = run(made)
    assert [(row.index, row.total) for row in assembly.ledger] == [(0, 6), (1, 12)]
    assert [admitted.index for admitted in assembly.admitted] == [1]
    assert assembly.tokens == COUNTER.count("12345\n")


def test_a_scenario_without_books_has_an_empty_plan() -> None:
    assembly = run(scenario(layers=Layers((Book("empty"),))))
    assert (assembly.plan.entries, assembly.passes, assembly.budget) == ([], (), 0)
