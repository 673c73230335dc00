"""Two runs side by side: pairs of entries, what came, went, moved or was rewritten, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.compare import NOT_THERE, Change, Comparison, Kind, compare_turn, in_order
from lorebook_tui.engine.pairing import pair_books, pairing_of
from lorebook_tui.model.cast import Cast, Character
from lorebook_tui.model.layers import Layer, Layers
from lorebook_tui.model.scenario import Step
from tests.unit.engine.lore import COUNTER, book, entry, scenario

if TYPE_CHECKING:
    from lorebook_tui.engine.compare import TurnDifference
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.scenario import Scenario

FLAT = {"world_info_recursive": False}


def over(*books: Book, **parts: Any) -> Scenario:
    made = scenario(settings={**FLAT, **parts.pop("settings", {})})
    return replace(made, layers=Layers(books), **parts)


def difference(left: Scenario, right: Scenario, named: dict[str, str] | None = None) -> TurnDifference:
    ours, theirs = Simulation(left, COUNTER), Simulation(right, COUNTER)
    first = ours.assemble(Step(1), ours.initial_state())
    second = theirs.assemble(Step(1), theirs.initial_state())
    return compare_turn(first, second, pairing_of(ours, theirs, named))


def kinds(found: TurnDifference) -> list[tuple[str, Any]]:
    return [(change.kind.value, change.pair) for change in found.changes]


def test_a_run_does_not_differ_from_itself() -> None:
    made = over(book(entry(1, "cat"), entry(2, "dog"), entry(3, "cat", position=4)))
    found = difference(made, made)
    assert found.changes == ()
    assert found.is_same
    assert found.left == found.right


def test_who_came_and_who_went_and_why() -> None:
    left = over(book(entry(1, "cat"), entry(2, "dog"), entry(3, "cat")))
    right = over(book(entry(1, "cow"), entry(2, "cat"), entry(4, "cat")))
    found = difference(left, right)
    assert [(change.kind, change.left.told, change.right.told) for change in found.changes] == [
        (
            Kind.CAME,
            NOT_THERE,
            "IN: before the character definitions, text 1 of 2, because its key “cat” is in message 1.",
        ),
        (
            Kind.CAME,
            "OUT: none of its keys occurs in the last 2 messages or what was scanned with them.",
            "IN: before the character definitions, text 2 of 2, because its key “cat” is in message 1.",
        ),
        (
            Kind.WENT,
            "IN: before the character definitions, text 2 of 2, because its key “cat” is in message 1.",
            "OUT: none of its keys occurs in the last 2 messages or what was scanned with them.",
        ),
        (
            Kind.WENT,
            "IN: before the character definitions, text 1 of 2, because its key “cat” is in message 1.",
            NOT_THERE,
        ),
    ]
    assert not found.is_same
    assert (found.left.entries, found.right.entries) == (2, 2)
    assert found.flipped() == difference(right, left)


def test_another_slot_depth_or_outlet_is_a_move() -> None:
    def made(**fields: Any) -> Scenario:
        return over(book(entry(1, "cat", **fields)))

    home = made(position=4, depth=4)
    for other in (made(position=0), made(position=4, depth=5), made(position=4, depth=4, role=1)):
        found = difference(home, other)
        assert kinds(found) == [("moved", (0, 0))]
    told = difference(home, made(position=1)).changes[0]
    assert (told.left.told, told.right.told) == ("at depth 4 as system", "after the character definitions")
    outlets = difference(made(position=7, outletName="a"), made(position=7, outletName="b"))
    assert kinds(outlets) == [("moved", (0, 0))]


def test_only_those_that_break_the_order_moved() -> None:
    left = over(book(*(entry(number, "cat", order=number) for number in range(5))))
    right = over(book(*(entry(number, "cat", order=50 if number == 1 else number) for number in range(5))))
    found = difference(left, right)
    (change,) = found.changes
    assert change.kind is Kind.MOVED
    assert change.left.told.endswith("text 2 of 5")
    assert change.right.told.endswith("text 5 of 5")
    assert found.flipped() == difference(right, left)


def test_a_newcomer_moves_nobody() -> None:
    left = over(book(entry(1, "cat", order=1), entry(2, "cat", order=3)))
    right = over(book(entry(1, "cat", order=1), entry(9, "cat", order=2), entry(2, "cat", order=3)))
    assert [kind for kind, _ in kinds(difference(left, right))] == ["came"]


def test_another_text_is_a_difference() -> None:
    found = difference(over(book(entry(1, "cat", content="old"))), over(book(entry(1, "cat", content="new"))))
    assert [(change.kind, change.left.told, change.right.told) for change in found.changes] == [
        (Kind.REWRITTEN, "old", "new")
    ]


def test_another_seed_is_another_run() -> None:
    entries = [entry(1, "cat", group="g"), entry(2, "cat", group="g")]
    found = difference(
        scenario(*entries, numbers=(0.1,), settings=FLAT), scenario(*entries, numbers=(0.9,), settings=FLAT)
    )
    assert kinds(found) == [("came", (1, 1)), ("went", (0, 0))]
    assert "lost the roll of its group" in found.of(Kind.CAME)[0].left.told


def test_another_budget_is_told_in_numbers() -> None:
    entries = (entry(1, "cat", content="123456"),)
    small = scenario(*entries, settings={"world_info_budget": 100, "world_info_budget_cap": 3})
    found = difference(scenario(*entries), small)
    assert (found.left.overflowed, found.right.overflowed, found.right.limit) == (False, True, 3)
    assert found.of(Kind.WENT)[0].right.told.startswith("OUT: cut by the budget")


def test_a_prompt_that_is_never_made_is_another_prompt() -> None:
    fine, broken = over(book(entry(1, "dog"))), over(book(entry(1, "dog"), entry(2, "cat", group="constructor")))
    assert difference(fine, broken).changes == ()
    assert not difference(fine, broken).is_same
    assert difference(broken, broken).is_same


def test_books_are_found_again_under_another_name() -> None:
    left = over(book(entry(1, "cat"), name="old"))
    right = over(book(entry(1, "cat"), name="new"))
    assert difference(left, right).is_same
    moved = replace(right, layers=Layers(chat=(book(entry(1, "cat"), name="new"),)))
    assert difference(left, moved).is_same


def names(*found: tuple[Any, Any]) -> list[tuple[str, str]]:
    return [(mine[1], other[1]) for mine, other in found]


def test_which_book_is_which() -> None:
    a, b, c, d = (book(entry(1, "cat"), name=name) for name in "abcd")
    assert names(*pair_books(Layers((a, b)), Layers((b, c)))) == [("b", "b"), ("a", "c")]
    assert names(*pair_books(Layers((a, b)), Layers((c, d)))) == [("a", "c"), ("b", "d")]
    assert names(*pair_books(Layers((a, b)), Layers((c, d)), {"a": "d"})) == [("a", "d"), ("b", "c")]
    assert names(*pair_books(Layers((a,)), Layers(chat=(b,)), {"a": "b"})) == [("a", "b")]
    assert names(*pair_books(Layers((a, b)), Layers(chat=(a,), persona=(c,)))) == [("a", "a"), ("b", "c")]
    assert names(*pair_books(Layers((a, b)), Layers(chat=(c,)))) == [("a", "c")]
    assert pair_books(Layers((a,)), Layers((a,), chat=(a,)))[0][1] == (Layer.GLOBAL, "a")


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        (entry(1, "cat", comment="x", content="y"), True),
        (entry(1, "dog", comment="e1", content="y"), True),
        (entry(1, "dog", comment="x", content="text 1"), True),
        (entry(1, "dog", comment="x", content="y"), False),
        (entry(2, "cat", comment="e1", content="text 1"), False),
    ],
)
def test_a_book_under_another_name_has_to_look_like_it(other: Entry, alike: bool) -> None:
    found = pair_books(Layers((book(entry(1, "cat"), name="a"),)), Layers((book(other, name="b"),)))
    assert names(*found) == ([("a", "b")] if alike else [])


def test_a_bracket_in_common_makes_no_version() -> None:
    left = book(*(entry(uid, "cat", content="[" if uid == 1 else "a") for uid in range(1, 5)), name="a")
    others = (entry(uid, "dog", comment="x", content="[" if uid == 1 else "b") for uid in range(1, 5))
    assert pair_books(Layers((left,)), Layers((book(*others, name="b"),))) == ()


def test_the_version_that_looks_like_it_is_taken_whatever_its_rank() -> None:
    ferry, mill = (book(entry(1, word, comment=word, content=word), name=word[0]) for word in ("a ferry", "b mill"))
    renamed = Layers((replace(mill, name="m"), replace(ferry, name="f")))
    assert names(*pair_books(Layers((ferry, mill)), renamed)) == [("a", "f"), ("b", "m")]


def test_entries_with_one_uid_are_told_apart_by_their_place_in_the_file() -> None:
    def twin(key: str, order: int) -> Entry:
        return replace(entry(1, "cat", order=order, content=f"{key}!"), key=key)

    left = over(book(twin("a", 1), twin("b", 2)))
    right = over(book(twin("b", 1), twin("a", 2)))
    ours, theirs = Simulation(left, COUNTER), Simulation(right, COUNTER)
    pairs = pairing_of(ours, theirs).pairs
    assert [(ours.plan().entries[i].entry.key, theirs.plan().entries[k].entry.key) for i, k in pairs] == [
        ("b", "b"), ("a", "a"),
    ]  # fmt: skip
    renamed = over(book(twin("x", 1), twin("a", 2)))
    pairs = pairing_of(ours, Simulation(renamed, COUNTER)).pairs
    assert len(pairs) == 2
    assert pairing_of(ours, theirs).flipped().pairs == pairing_of(theirs, ours).pairs


def test_books_of_the_speaker_count() -> None:
    card = Character("Anna", "anna.png", books=(book(entry(1, "cat"), name="own"),))
    made = over(cast=Cast(character=card))
    found = difference(
        made, replace(made, cast=Cast(character=replace(card, books=(book(entry(1, "dog"), name="x"),))))
    )
    assert kinds(found) == [("went", (0, 0))]


def test_a_comparison_of_turns() -> None:
    left = over(book(entry(1, "cat"), entry(2, "cat")))
    right = over(book(entry(1, "cat"), entry(2, "dog")))
    turn = difference(left, right)
    whole = Comparison((turn, turn), (3,), ())
    assert not whole.is_same
    assert {pair: dict(count) for pair, count in whole.counts().items()} == {(1, 1): {Kind.WENT: 2}}
    assert whole.flipped().only_right == (3,)
    assert whole.flipped().flipped() == whole
    assert Comparison(()).is_same
    assert not Comparison((), (), (1,)).is_same


def test_a_change_seen_from_the_other_side() -> None:
    left = over(book(entry(1, "cat")))
    change = difference(left, over()).changes[0]
    assert change.flipped() == Change(Kind.CAME, change.right, change.left)
    assert Kind.MOVED.opposite is Kind.MOVED


@pytest.mark.parametrize(
    ("ours", "theirs", "kept"),
    [
        ("abc", "abc", "abc"),
        ("ab", "ba", "a"),
        ("abcd", "bcda", "bcd"),
        ("abcd", "dcba", "a"),
        ("abcd", "badc", "ac"),
        ("", "", ""),
    ],
)
def test_the_longest_common_order(ours: str, theirs: str, kept: str) -> None:
    def items(text: str) -> list[tuple[int, int]]:
        return [(ord(letter), 0) for letter in text]

    def name(item: tuple[int, int]) -> tuple[str, ...]:
        return (chr(item[0]),)

    assert in_order(items(ours), items(theirs), name) == set(items(kept))
    assert in_order(items(theirs), items(ours), name) == set(items(kept))
