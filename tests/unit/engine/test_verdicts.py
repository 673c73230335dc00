from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.explain import explain
from lorebook_tui.engine.trace import Cause, Outcome, Phase, Reason
from lorebook_tui.engine.verdicts import counts, furthest, verdict, verdicts
from lorebook_tui.matching import ecma
from lorebook_tui.model.cast import AuthorsNote, Cast, Character
from lorebook_tui.model.layers import Layers
from tests.unit.engine.lore import book, entry, index_of, scenario, turn, turns

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.model.entry import Entry


@dataclass(frozen=True)
class Told:
    """A small world, the entry looked at, and what is said of it."""

    reason: Reason
    sentence: str
    entries: tuple[Entry, ...]
    uid: int = 1
    before: tuple[int, ...] = ()
    """Lengths of turns that went before."""
    parts: dict[str, Any] = field(default_factory=dict)

    def assembly(self) -> Assembly:
        """The last turn."""
        made = scenario(*self.entries, **{"chat": ["cat"], **self.parts})
        return turns(made, [*self.before, len(made.transcript)])[-1]


TIGHT = {"settings": {"world_info_budget": 100}, "max_context": 20}
GROUP = {"group": "g"}
ANNA = Cast(character=Character("Anna", "anna.png", tags=("elf",)))
DEEP = {"settings": {"world_info_depth": 1}}

SLOW, HARD = "/(a+)+\\1$/", "a" * 60 + "!"

WORLDS = [
    Told(Reason.IN_PROMPT, "IN: before the character definitions, because its key “cat” is in message 1.", (entry(1, "cat"),)),
    Told(Reason.IN_PROMPT, "IN: after the character definitions, text 2 of 2, because it is constant.", (entry(1, constant=True, position=1), entry(2, constant=True, position=1))),
    Told(Reason.IN_PROMPT, "IN: in outlet “x”, because of its decorator @@activate.", (entry(1, content="@@activate\nx", position=7, outletName="x"),)),
    Told(Reason.IN_PROMPT, "IN: at depth 2 as user, because its key “dog” is in the text of “e2” in pass 2.", (entry(1, "dog", position=4, depth=2, role=1), entry(2, "cat", content="a dog"))),
    Told(Reason.IN_PROMPT, "IN: before the character definitions, because it is sticky.", (entry(1, "cat", sticky=5),), before=(1,), parts={"chat": ["cat", "x"], **DEEP}),
    Told(Reason.IN_PROMPT, "IN: before the example messages, because its key “Anna” is in the text of characterDescription.", (entry(1, "Anna", position=5, matchCharacterDescription=True),), parts={"scan_data": {"characterDescription": "Anna"}}),
    Told(Reason.IN_PROMPT, "IN: after the example messages, because its key “cat” is in the injected prompt QUIET_PROMPT.", (entry(1, "cat", position=6),), parts={"chat": ["x"], "quiet_prompt": "cat"}),
    Told(Reason.IN_PROMPT, "IN: before the character definitions, because its key “ ” is in the scanned text.", (entry(1, " "),)),
    Told(Reason.IN_PROMPT, "IN: top of the author's note, because its key “cat” is in message 1.", (entry(1, "cat", position=2),)),
    Told(Reason.EMPTY_TEXT, "NOT IN THE PROMPT: activated (because its key “cat” is in message 1), but its text is empty.", (entry(1, "cat", content=""),)),
    Told(Reason.UNKNOWN_POSITION, "NOT IN THE PROMPT: activated (because its key “cat” is in message 1), but there is no position 9.", (entry(1, "cat", position=9),)),
    Told(Reason.UNKNOWN_POSITION, "NOT IN THE PROMPT: activated (because it is constant), but it has no position.", (entry(1, constant=True, position=None),)),
    Told(Reason.NO_OUTLET_NAME, "NOT IN THE PROMPT: activated (because it is constant), but its position is outlet and it names none.", (entry(1, constant=True, position=7),)),
    Told(Reason.NOTE_NOT_DUE, "NOT IN THE PROMPT: activated (because it is constant), but it belongs to the author's note, which is not due at this turn.", (entry(1, constant=True, position=2),), parts={"note": AuthorsNote("n", interval=2)}),
    Told(Reason.BUDGET_CUT, "OUT: cut by the budget in pass 1: it needs 11 tokens, 11 of 20 were taken; 3 tokens too many.", (entry(2, "cat", content="a" * 10, order=200), entry(1, "cat", content="a" * 10)), parts=TIGHT),
    Told(Reason.BUDGET_CUT, "OUT: cut by the budget in pass 1: it needs 20 tokens, 0 of 20 were taken; 1 token too many.", (entry(1, "cat", content="a" * 19),), parts=TIGHT),
    Told(Reason.BEHIND_THE_CUT, "OUT: behind the cut: “e2” did not fit the budget, and nothing after it was tried.", (entry(2, "cat", content="a" * 20, order=200), entry(1, "cat")), parts=TIGHT),
    Told(Reason.ROLL_FAILED, "OUT: lost its roll: 62.5 against a probability of 40 %.", (entry(1, "cat", probability=40),), parts={"numbers": [0.625]}),
    Told(Reason.GROUP_STICKY_MEMBER, "OUT: lost its group “g”: “e2” is sticky.", (entry(2, "dog", sticky=9, **GROUP), entry(1, "cat", **GROUP)), before=(1,), parts={"chat": ["dog", "cat"], **DEEP}),
    Told(Reason.GROUP_COOLDOWN, "OUT: its group “g” puts it out while its own cooldown runs.", (entry(1, "cat", sticky=9, cooldown=5, **GROUP),), before=(1,), parts={"chat": ["cat", "cat"]}),
    Told(Reason.GROUP_SCORE, "OUT: lost its group “g”: 1 points, “e2” has more.", (entry(1, "cat", useGroupScoring=True, **GROUP), entry(2, "cat", "ca", matchWholeWords=False, **GROUP))),
    Told(Reason.GROUP_TAKEN, "OUT: its group “g” was taken in an earlier pass by “e2”.", (entry(2, "cat", content="dog", **GROUP), entry(1, "dog", **GROUP))),
    Told(Reason.GROUP_OVERRIDE, "OUT: lost its group “g” to “e2”, which has the override.", (entry(1, "cat", **GROUP), entry(2, "cat", groupOverride=True, **GROUP))),
    Told(Reason.GROUP_ROLL, "OUT: lost the roll of its group “g” to “e2”.", (entry(1, "cat", **GROUP), entry(2, "cat", **GROUP)), parts={"numbers": [0.9]}),
    Told(Reason.GROUP_COLLATERAL, "OUT: taken out by mistake: “e3” lost twice (group “b”), and SillyTavern then removes the last candidate.", (entry(2, "cat", group="a", order=9), entry(3, "cat", group="a, b", order=8), entry(4, "cat", group="b", order=7), entry(1, "cat", order=6)), parts={"numbers": [0, 0.9], "settings": {"world_info_recursive": False}}),
    Told(Reason.SECONDARY_FAILED, "OUT: a key matched, but the secondary keys stop it (AND ANY): none of the secondary keys is in the text.", (entry(1, "cat", keysecondary=["dog"]),)),
    Told(Reason.SECONDARY_FAILED, "OUT: a key matched, but the secondary keys stop it (NOT ALL): all secondary keys are in the text.", (entry(1, "cat", keysecondary=["a"], selectiveLogic=1),), parts={"chat": ["a cat"]}),
    Told(Reason.SECONDARY_FAILED, "OUT: a key matched, but the secondary keys stop it (NOT ANY): in the text: “a”.", (entry(1, "cat", keysecondary=["dog", "a"], selectiveLogic=2),), parts={"chat": ["a cat"]}),
    Told(Reason.SECONDARY_FAILED, "OUT: a key matched, but the secondary keys stop it (AND ALL): missing: “dog”, “bird”.", (entry(1, "cat", keysecondary=["dog", "a", "bird"], selectiveLogic=3),), parts={"chat": ["a cat"]}),
    Told(Reason.SECONDARY_FAILED, "OUT: a key matched, but the secondary keys stop it (?): that logic does not exist.", (entry(1, "cat", keysecondary=["a"], selectiveLogic="x"),), parts={"chat": ["a cat"]}),
    Told(Reason.NO_KEY_IN_TEXT, "OUT: none of its keys occurs in the last message or what was scanned with them.", (entry(1, "zebra"),), parts=DEEP),
    Told(Reason.NO_KEY_IN_TEXT, "OUT: its scan depth is 0, so it sees no text at all.", (entry(1, "cat", scanDepth=0),)),
    Told(Reason.PATTERN_TIMEOUT, f"OUT: its pattern “{SLOW}” gave no answer within the time limit; the product itself would hang or wait for it.", (entry(1, SLOW, "zebra"),), parts={"chat": [HARD]}),
    Told(Reason.PATTERN_TIMEOUT, f"OUT: its pattern “{SLOW}” gave no answer within the time limit; the product itself would hang or wait for it.", (entry(1, "b", keysecondary=[SLOW], selectiveLogic=2),), parts={"chat": [f"{HARD} b"]}),
    Told(Reason.NO_KEYS, "OUT: it has no keys and is not constant.", (entry(1),)),
    Told(Reason.SUPPRESSED, "OUT: its decorator @@dont_activate suppresses it.", (entry(1, "cat", content="@@dont_activate\nx"),)),
    Told(Reason.EXCLUDED_FROM_RECURSION, "OUT: it is excluded from recursion, and the first pass did not take it.", (entry(2, "cat", content="dog"), entry(1, "dog", excludeRecursion=True))),
    Told(Reason.LEVEL_NOT_OPEN, "OUT: its delay level 2 was never opened.", (entry(2, "cat"), entry(3, delayUntilRecursion=True), entry(1, "cat", delayUntilRecursion=2)), parts={"settings": {"world_info_max_recursion_steps": 2}}),
    Told(Reason.WAITS_FOR_RECURSION, "OUT: it waits for recursion, and no recursion pass was made.", (entry(1, "cat", delayUntilRecursion=True),)),
    Told(Reason.ON_COOLDOWN, "OUT: on cooldown since length 1; it may come again at 4 messages (now 2).", (entry(1, "cat", cooldown=3),), before=(1,), parts={"chat": ["cat", "cat"]}),
    Told(Reason.DELAYED, "OUT: delayed: the chat has 1 messages, it needs 3.", (entry(1, "cat", delay=3),)),
    Told(Reason.CHARACTER_TAG, "OUT: the character filter does not let this character's tags in.", (entry(1, "cat", characterFilter={"tags": ["orc"]}),), parts={"cast": ANNA}),
    Told(Reason.CHARACTER_NAME, "OUT: the character filter does not let this character in (it compares file names).", (entry(1, "cat", characterFilter={"names": ["Bert"]}),), parts={"cast": ANNA}),
    Told(Reason.TRIGGER, "OUT: this is a normal generation, and it only listens to quiet, swipe.", (entry(1, "cat", triggers=["swipe", "quiet"]),)),
    Told(Reason.DISABLED, "OUT: it is disabled.", (entry(1, "cat", disable=True),)),
    Told(Reason.REPLACED, "OUT: replaced by “other”, which has the same book and uid.", (), parts={"layers": Layers((book(entry(1, "cat")), book(entry(1, "cat", comment="other"))))}),
    Told(Reason.NOT_REACHED, "OUT: no pass came to it.", (entry(1, "cat"),), parts={"settings": {"world_info_max_recursion_steps": -1}}),
]  # fmt: skip


@pytest.mark.parametrize("told", WORLDS, ids=[f"{told.reason.code}-{number}" for number, told in enumerate(WORLDS)])
def test_every_verdict_is_told_in_one_sentence(told: Told) -> None:
    assembly = told.assembly()
    explained = explain(assembly, index_of(assembly, told.uid))
    assert explained.verdict.reason is told.reason
    assert explained.sentence == told.sentence
    assert counts(assembly) == Counter(found.reason for found in verdicts(assembly))


def test_every_reason_has_its_world_here() -> None:
    elsewhere = {Reason.STOPPED}
    assert {told.reason for told in WORLDS} == set(Reason) - elsewhere


def test_a_scan_that_the_product_would_stop_says_why() -> None:
    assembly = turn(entry(1, "cat", group="constructor"), entry(2, "zebra"))
    assert explain(assembly, 1).sentence.startswith(
        "OUT: there is no prompt at this turn. An inclusion group cannot be called 'constructor'"
    )
    assert counts(assembly) == {Reason.STOPPED: 2}
    assert [found.reason for found in verdicts(assembly)] == [Reason.STOPPED, Reason.STOPPED]


def test_a_slow_pattern_stops_neither_the_scan_nor_the_other_keys() -> None:
    assembly = turn(entry(1, SLOW, "bell"), entry(2, constant=True), chat=[f"bell {HARD}"])
    assert [verdict(assembly, index).reason for index in range(2)] == [Reason.IN_PROMPT, Reason.IN_PROMPT]
    scored = turn(
        entry(1, "bell", SLOW, group="g"), entry(2, "bell", "bel", matchWholeWords=False, group="g"),
        chat=[f"bell {HARD}"], settings={"world_info_use_group_scoring": True},
    )  # fmt: skip
    assert verdict(scored, 1).reason is Reason.IN_PROMPT


def test_a_turn_waits_for_a_slow_pattern_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def endless(pattern: ecma.Pattern, text: str) -> bool:
        asked.append(text)
        raise ecma.PatternTimeout(pattern.source, pattern.flags, "")

    monkeypatch.setattr(ecma.Pattern, "test", endless)
    assembly = turn(entry(1, "/x|y/"), entry(2, "/x|y/"), entry(3, constant=True), chat=["x"])
    assert len(assembly.passes) == 2
    assert len(asked) == 1
    assert verdict(assembly, 1).reason is Reason.PATTERN_TIMEOUT


def test_a_verdict_knows_its_outcome_phase_pass_and_cause() -> None:
    assembly = turn(
        entry(1, "cat", content="dog"), entry(2, "dog"), entry(3, "zebra"), entry(4, "dog", keysecondary=["x"])
    )
    inside, later, never, stopped = verdicts(assembly)
    assert (inside.outcome, inside.phase, inside.turn_pass, inside.cause) == (Outcome.IN, Phase.INJECT, 1, Cause.KEY)
    assert (later.turn_pass, later.place and later.place.slot) == (2, "before")
    assert (never.outcome, never.phase, never.turn_pass, never.cause) == (Outcome.OUT, Phase.KEYS, None, None)
    assert (stopped.turn_pass, stopped.cause, stopped.reason.code) == (3, None, "secondary_failed")
    assert furthest(assembly, 0) is None


def test_the_reason_is_the_one_of_the_pass_in_which_it_came_furthest() -> None:
    assembly = turn(
        entry(1, "cat", content="dog"), entry(2, "cat", keysecondary=["bird"], excludeRecursion=True), entry(3, "cat", probability=0),
        numbers=[0.5],
    )  # fmt: skip
    assert verdict(assembly, 1).reason is Reason.SECONDARY_FAILED
    assert verdict(assembly, 1).turn_pass == 1
    assert verdict(assembly, 2).reason is Reason.ROLL_FAILED


def test_a_later_pass_that_comes_as_far_is_the_one_told() -> None:
    assembly = turn(entry(1, "cat", content="dog"), entry(2, "cat", keysecondary=["bird"]))
    assert verdict(assembly, 1).turn_pass == 2


def test_a_forced_object_that_wins_leaves_no_contradiction() -> None:
    from lorebook_tui.model.scenario import ForcedEntry

    assembly = turn(
        entry(1, probability=50), entry(2, constant=True), forced=(ForcedEntry("lore", 1),), numbers=[0.9, 0.4]
    )
    assert verdict(assembly, 0).reason is Reason.IN_PROMPT
    assert counts(assembly) == {Reason.IN_PROMPT: 2}


def test_codes_are_stable_and_unique() -> None:
    assert len({reason.code for reason in Reason}) == len(Reason)
    assert [phase.label for phase in Phase] == ["Buffer", "Keys", "Filters", "Recursion", "Budget", "Order", "Inject"]
