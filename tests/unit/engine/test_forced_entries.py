from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.engine.trace import Cause, Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import ForcedEntry, Step
from tests.unit.engine.lore import book, entry, run, scenario, turn, turns, uids

if TYPE_CHECKING:
    from typing import Any

    from lorebook_tui.model.entry import Entry


def forced(uid: Any, world: str = "lore", **fields: Any) -> ForcedEntry:
    return ForcedEntry(world, uid, fields)


def test_a_forced_entry_needs_no_key_and_sorts_first() -> None:
    assembly = turn(entry(1, "cat"), entry(2), forced=(forced(2),))
    assert [(assembly.entry(admitted.index).uid, admitted.cause) for admitted in assembly.admitted] == [
        (2, Cause.FORCED),
        (1, Cause.KEY),
    ]


def test_the_given_objects_fields_count() -> None:
    assembly = turn(entry(1), entry(2, "cat"), forced=(forced(1, content="given", position=1),))
    assert [text for _, text in assembly.slots.after] == ["given"]
    assert [text for _, text in assembly.slots.before] == ["text 2"]


def test_a_given_content_keeps_its_decorator_lines() -> None:
    assembly = turn(
        entry(1, content="@@x\nloaded"),
        entry(2, content="@@x\nloaded"),
        forced=(forced(1), forced(2, content="@@x\ngiven")),
    )
    assert sorted(admitted.content for admitted in assembly.admitted) == ["@@x\ngiven", "loaded"]


def test_a_forced_entry_still_passes_the_gates() -> None:
    gated: list[Entry] = [
        entry(1, disable=True), entry(2, triggers=["quiet"]), entry(3, delay=9), entry(4, delayUntilRecursion=2),
        entry(5, content="@@dont_activate\nx"),
    ]  # fmt: skip
    assembly = turn(*gated, forced=tuple(forced(uid) for uid in range(1, 6)))
    assert uids(assembly) == []
    assert [verdict(assembly, index).reason for index in range(5)] == [
        Reason.DISABLED, Reason.TRIGGER, Reason.DELAYED, Reason.WAITS_FOR_RECURSION, Reason.SUPPRESSED,
    ]  # fmt: skip


def test_activation_by_decorator_keeps_the_loaded_object() -> None:
    assembly = turn(entry(1, content="@@activate\nloaded"), forced=(forced(1, content="given"),))
    assert [(admitted.content, admitted.cause) for admitted in assembly.admitted] == [("loaded", Cause.DECORATOR)]


def test_what_is_not_loaded_cannot_be_forced() -> None:
    assert uids(turn(entry(1), forced=(forced(9), forced(1, "other")))) == []


def test_a_uid_is_compared_as_text() -> None:
    assert uids(turn(entry(1), forced=(forced("1"),))) == [1]


def test_a_forced_object_that_failed_its_roll_is_tried_again() -> None:
    assembly = turn(entry(1, probability=50), entry(2, constant=True), forced=(forced(1),), numbers=[0.9, 0.4])
    assert [draw.passed for draw in assembly.draws] == [False, True]
    assert uids(assembly) == [2, 1]


def test_a_step_forces_for_itself_only() -> None:
    made = scenario(entry(1), chat=["x", "y"], forced=(forced(1),))
    assert [uids(found) for found in turns(made, [Step(1, forced=()), 2])] == [[], [1]]


def test_copies_of_one_identity_become_one_entry_and_the_later_one_stays() -> None:
    copies = Layers(
        global_=(book(entry(1, "cat", content="first"), name="b"), book(entry(1, "cat", content="second"), name="b"))
    )
    assembly = run(scenario(layers=copies))
    assert [admitted.content for admitted in assembly.admitted] == ["second"]
    found = verdict(assembly, 0)
    assert (found.reason, found.decision and found.decision.winner) == (Reason.REPLACED, 1)


def test_the_given_object_is_tried_once_for_all_copies_of_its_identity() -> None:
    copies = Layers(global_=(book(entry(1, content="first"), name="b"), book(entry(1, content="second"), name="b")))
    assembly = run(scenario(layers=copies, forced=(forced(1, "b"),)))
    assert [(admitted.index, admitted.cause) for admitted in assembly.admitted] == [(0, Cause.FORCED)]
    found = verdict(assembly, 1)
    assert (found.reason, found.decision and found.decision.winner) == (Reason.REPLACED, 0)
