from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.trace import ExampleEntry, Reason
from lorebook_tui.engine.verdicts import Place, verdict
from lorebook_tui.model.cast import AuthorsNote, Cast
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.js import MISSING
from tests.unit.engine.lore import entry, index_of, turn, uids


def at(position: Any, uid: int, order: int = 100, **fields: Any) -> Entry:
    return entry(uid, constant=True, position=position, order=order, content=f"t{uid}", **fields)


def texts(slot: tuple[tuple[int, str], ...]) -> list[str]:
    return [text for _, text in slot]


@pytest.mark.parametrize(("position", "slot"), [(0, "before"), (1, "after"), (2, "note_top"), (3, "note_bottom")])
def test_texts_ascend_by_order_and_equal_orders_come_out_reversed(position: int, slot: str) -> None:
    assembly = turn(at(position, 1, 10), at(position, 2, 30), at(position, 3, 20), at(position, 4, 20))
    assert uids(assembly) == [2, 3, 4, 1]
    assert texts(getattr(assembly.slots, slot)) == ["t1", "t4", "t3", "t2"]
    assert assembly.places[index_of(assembly, 2)] == Place(slot, 4, 4)


def test_examples_are_one_list_with_their_position() -> None:
    assembly = turn(at(5, 1, 10), at(6, 2, 20), at(5, 3, 30))
    listed = [(example.position, example.content) for example in assembly.slots.examples]
    assert listed == [(0, "t1"), (1, "t2"), (0, "t3")]
    assert ExampleEntry(0, "t3", index_of(assembly, 3)) in assembly.slots.examples
    assert assembly.places[index_of(assembly, 3)] == Place("examples_top", 2, 2)
    assert assembly.places[index_of(assembly, 2)] == Place("examples_bottom", 1, 1)


def test_depth_records_are_by_depth_and_role_in_order_of_first_appearance() -> None:
    assembly = turn(
        at(4, 1, 50, depth=2, role=0), at(4, 2, 40, depth=0, role=1), at(4, 3, 30, depth=2, role=0), at(4, 4, 20, depth=2, role=2),
        at(4, 5, 10, depth=2.0, role=None),
    )  # fmt: skip
    assert [(record.depth, record.role, record.texts) for record in assembly.slots.depths] == [
        (2, 0, ("t5", "t3", "t1")),
        (0, 1, ("t2",)),
        (2, 2, ("t4",)),
    ]
    assert assembly.places[index_of(assembly, 3)] == Place("depth", 2, 3, 2, 0)


def test_a_new_record_carries_the_depth_as_it_is_so_that_a_missing_one_is_never_found_again() -> None:
    without = dict(at(4, 1, 50).fields)
    del without["depth"]
    missing = turn(Entry(without, "1"), at(4, 2, 40, depth=4)).slots.depths
    assert [(record.depth, record.texts) for record in missing] == [(MISSING, ("t1",)), (4, ("t2",))]
    null = turn(at(4, 1, 50, depth=None), at(4, 2, 40, depth="4")).slots.depths
    assert [(record.depth, record.texts) for record in null] == [(None, ("t1",)), ("4", ("t2",))]


def test_outlets_are_appended_highest_order_first() -> None:
    assembly = turn(
        at(7, 1, 10, outletName="x"), at(7, 2, 20, outletName="x"), at(7, 3, 30, outletName=" x"), at(7, 4, 40)
    )
    assert {name: texts(listed) for name, listed in assembly.slots.outlets.items()} == {" x": ["t3"], "x": ["t2", "t1"]}
    assert assembly.places[index_of(assembly, 1)] == Place("outlet", 2, 2, outlet="x")
    assert verdict(assembly, index_of(assembly, 4)).reason is Reason.NO_OUTLET_NAME


@pytest.mark.parametrize("position", [None, "0", 8, 9, -1, 1.5, True, [0]])
def test_any_other_position_is_nowhere(position: Any) -> None:
    assembly = turn(at(position, 1))
    assert uids(assembly) == [1]
    found = verdict(assembly, 0)
    assert (found.reason, found.place, found.admitted is not None) == (Reason.UNKNOWN_POSITION, None, True)
    assert assembly.places == {}


def test_a_float_position_is_the_same_number() -> None:
    assert texts(turn(at(1.0, 1)).slots.after) == ["t1"]


NOTE = AuthorsNote("note", interval=2, position=0, depth=3, role=1)


def test_the_note_takes_its_lore_when_it_is_due() -> None:
    assembly = turn(at(2, 1), at(3, 2), chat=["x", "y", "z"], note=NOTE)
    assert assembly.note.value == "t1\nnote\nt2"
    assert (assembly.note.merged, assembly.note.position, assembly.note.depth, assembly.note.role) == (True, 0, 3, 1)
    assert verdict(assembly, 0).reason is Reason.IN_PROMPT


def test_lore_of_a_note_that_is_not_due_is_lost_though_it_counts() -> None:
    assembly = turn(at(2, 1), at(3, 2), at(0, 3), chat=["x"], note=NOTE)
    assert (assembly.note.merged, assembly.note.value) == (False, "")
    assert [verdict(assembly, index_of(assembly, uid)).reason for uid in (1, 2, 3)] == [
        Reason.NOTE_NOT_DUE,
        Reason.NOTE_NOT_DUE,
        Reason.IN_PROMPT,
    ]
    assert [verdict(assembly, index_of(assembly, uid)).place for uid in (1, 2)] == [None, None]
    assert len(assembly.ledger) == 3


@pytest.mark.parametrize(
    ("top", "note", "bottom", "value"),
    [
        (True, "", True, "t1\n\nt2"),
        (True, "", False, "t1\n"),
        (False, "", True, "\nt2"),
        (False, "n", False, "n"),
        (True, "n\n", False, "t1\nn\n"),
        (False, "\nn", False, "\nn"),
    ],
)
def test_one_line_feed_is_taken_away_at_either_end(top: bool, note: str, bottom: bool, value: str) -> None:
    entries = [at(2, 1)] * top + [at(3, 2)] * bottom
    assembly = turn(*entries, at(0, 3), note=AuthorsNote(note))
    assert assembly.note.value == value


@pytest.mark.parametrize(
    ("interval", "users", "due"),
    [(1, 1, True), (2, 1, False), (2, 2, True), (3, 3, True), (0, 2, False), (-1, 2, False)],
)
def test_the_note_is_due_by_messages_of_the_user(interval: int, users: int, due: bool) -> None:
    chat = [text for _ in range(users) for text in ("x", "y")]
    assembly = turn(at(2, 1), chat=chat, note=AuthorsNote("note", interval=interval))
    assert assembly.note.merged is due
    assert verdict(assembly, 0).reason is (Reason.IN_PROMPT if due else Reason.NOTE_NOT_DUE)


@pytest.mark.parametrize(("place", "value"), [(0, "own"), (1, "own\nnote"), (2, "note\nown"), (9, "own")])
def test_the_characters_own_note_replaces_precedes_or_follows(place: int, value: str) -> None:
    note = AuthorsNote("note", character_prompt="own", use_character=True, character_position=place)
    assert turn(at(0, 1), note=note).note.value == value


def test_a_scan_without_entries_leaves_the_note_alone() -> None:
    assembly = turn(note=AuthorsNote("\nnote\n"))
    assert assembly.note.value == "\nnote\n"


def test_nobody_to_speak_means_no_merged_note() -> None:
    assembly = turn(at(2, 1), note=AuthorsNote("note"), cast=Cast())
    assert not assembly.nowhere or verdict(assembly, 0).reason is Reason.NOTE_NOT_DUE
