"""One verdict per entry and turn: in the prompt and where, or out with the first gate that stopped it.

Cheap by design: it reads the decisions of the turn; texts are searched only for evidence.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.engine.phases.filters import GateState, closed_gate
from lorebook_tui.engine.trace import Outcome, Phase, Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.gates import Gates
    from lorebook_tui.engine.trace import Admitted, Cause, Decision, Pass

PROGRESS = (
    Reason.NOT_REACHED, Reason.DISABLED, Reason.TRIGGER, Reason.CHARACTER_NAME, Reason.CHARACTER_TAG, Reason.DELAYED,
    Reason.ON_COOLDOWN, Reason.WAITS_FOR_RECURSION, Reason.LEVEL_NOT_OPEN, Reason.EXCLUDED_FROM_RECURSION,
    Reason.SUPPRESSED, Reason.NO_KEYS, Reason.NO_KEY_IN_TEXT, Reason.PATTERN_TIMEOUT, Reason.SECONDARY_FAILED,
    Reason.GROUP_TAKEN, Reason.GROUP_COOLDOWN, Reason.GROUP_STICKY_MEMBER, Reason.GROUP_SCORE, Reason.GROUP_OVERRIDE,
    Reason.GROUP_ROLL, Reason.GROUP_COLLATERAL, Reason.ROLL_FAILED, Reason.BEHIND_THE_CUT, Reason.BUDGET_CUT,
    Reason.REPLACED,
)  # fmt: skip
"""Reasons for being out, by how far the entry came; a group that is taken says less than the contest that was lost."""
_RANK = {reason: rank for rank, reason in enumerate(PROGRESS)}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text stands in the prompt."""

    slot: str
    """before, after, note_top, note_bottom, examples_top, examples_bottom, depth or outlet."""
    number: int
    """1 for the first text of the slot, as read from the top."""
    count: int
    """Texts in the slot."""
    depth: object = None
    role: object = None
    outlet: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one entry."""

    index: int
    """Load index in the plan."""
    reason: Reason
    decision: Decision | None
    """What the trace holds about it; None if no pass had a reason to look at it."""
    admitted: Admitted | None = None
    """Set if it was activated, even if its exit was closed."""
    place: Place | None = None

    @property
    def outcome(self) -> Outcome:
        """The short form."""
        return self.reason.outcome

    @property
    def phase(self) -> Phase:
        """The phase that decided."""
        return self.reason.phase

    @property
    def turn_pass(self) -> int | None:
        """The pass that decided; None if no pass looked at it."""
        if self.admitted is not None:
            return self.admitted.turn_pass
        return self.decision.turn_pass if self.decision else None

    @property
    def cause(self) -> Cause | None:
        """What made it a candidate; None if it never was one."""
        if self.admitted is not None:
            return self.admitted.cause
        return self.decision.cause if self.decision else None


def verdict(assembly: Assembly, index: int) -> Verdict:
    """The verdict about one entry."""
    if assembly.error:
        return Verdict(index, Reason.STOPPED, furthest(assembly, index))
    admitted = assembly.admitted_by_index.get(index)
    if admitted is not None:
        decision = assembly.last_decisions.get(index)
        reason = assembly.nowhere.get(index, Reason.IN_PROMPT)
        return Verdict(index, reason, decision, admitted, place_of(assembly, index))
    decision = furthest(assembly, index)
    if decision is not None and decision.reason is not None:
        return Verdict(index, decision.reason, decision)
    reason, _ = unjudged(assembly, assembly.entry(index).gates, passes_open_to(assembly, index))
    return Verdict(index, reason, decision)


def verdicts(assembly: Assembly) -> Iterator[Verdict]:
    """The verdicts about all entries, in load order."""
    for index in range(len(assembly.plan.entries)):
        yield verdict(assembly, index)


def furthest(assembly: Assembly, index: int) -> Decision | None:
    """The decision that stopped an entry where it came furthest; the later one if there are several."""
    best: Decision | None = None
    for decision in assembly.decisions_of(index):
        if decision.reason is None:
            continue
        if best is None or best.reason is None or _RANK.get(decision.reason, 0) >= _RANK.get(best.reason, 0):
            best = decision
    return best


def passes_open_to(assembly: Assembly, index: int) -> tuple[Pass, ...]:
    """The passes that could look at an entry: none after another one of its identity was activated."""
    if assembly.plan.has_copies:
        identity = assembly.entry(index).identity
        for admitted in assembly.admitted:
            if assembly.entry(admitted.index).identity == identity:
                return assembly.passes[: admitted.turn_pass]
    return assembly.passes


def unjudged(assembly: Assembly, gates: Gates, passes: Iterable[Pass]) -> tuple[Reason, Pass | None]:
    """The verdict about entries that no pass had a reason to look at, and the pass in which they came furthest.

    No key of theirs occurs in the scanned text, or a gate was closed before the keys.

    Args:
        assembly: the turn.
        gates: those of the entries.
        passes: the first passes of the turn, as many as could look at them.
    """
    best, deciding = Reason.NOT_REACHED, None
    level = assembly.plan.levels[0] if assembly.plan.levels else 0
    for turn_pass in passes:
        state = GateState(
            turn_pass.kind,
            level,
            assembly.turn.length,
            assembly.turn.trigger,
            assembly.plan.settings.world_info_recursive,
        )
        reason = closed_gate(gates, state, sticky=False, cooldown=False)
        if reason is None:
            reason = Reason.NO_KEY_IN_TEXT if gates.has_keys else Reason.NO_KEYS
        if _RANK[reason] >= _RANK[best]:
            best, deciding = reason, turn_pass
        level = turn_pass.level
    return best, deciding


def counts(assembly: Assembly) -> dict[Reason, int]:
    """How many entries got each reason; cost follows the judged entries and the kinds of gates, not the book."""
    if assembly.error:
        return {Reason.STOPPED: len(assembly.plan.entries)}
    found: Counter[Reason] = Counter()
    judged_gates: Counter[Gates] = Counter()
    judged = {*assembly.last_decisions, *assembly.admitted_by_index}
    if assembly.plan.has_copies:
        identities = {assembly.entry(index).identity for index in assembly.admitted_by_index}
        judged.update(copy.index for identity in identities for copy in assembly.plan.identified(identity))
    for index in judged:
        found[verdict(assembly, index).reason] += 1
        judged_gates[assembly.entry(index).gates] += 1
    for gates, number in assembly.plan.profiles.items():
        rest = number - judged_gates[gates]
        if rest:
            found[unjudged(assembly, gates, assembly.passes)[0]] += rest
    return dict(found)


def place_of(assembly: Assembly, index: int) -> Place | None:
    """Where the entry's text stands; None if it got no place."""
    if index in assembly.nowhere:
        return None
    return assembly.places.get(index)


def all_places(assembly: Assembly) -> dict[int, Place]:
    """The places of all texts, by load index."""
    slots = assembly.slots
    found: dict[int, Place] = {}
    for name, texts in (
        ("before", slots.before),
        ("after", slots.after),
        ("note_top", slots.note_top),
        ("note_bottom", slots.note_bottom),
    ):
        for number, (index, _) in enumerate(texts, 1):
            found[index] = Place(name, number, len(texts))
    for position, name in ((0, "examples_top"), (1, "examples_bottom")):
        listed = [example for example in slots.examples if example.position == position]
        for number, example in enumerate(listed, 1):
            found[example.index] = Place(name, number, len(listed))
    for record in slots.depths:
        for number, index in enumerate(record.indices, 1):
            found[index] = Place("depth", number, len(record.indices), record.depth, record.role)
    for outlet, texts in slots.outlets.items():
        for number, (index, _) in enumerate(texts, 1):
            found[index] = Place("outlet", number, len(texts), outlet=outlet)
    return found
