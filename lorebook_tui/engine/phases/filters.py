"""Phase 3, filters: gates that do not look at keys, and inclusion groups.

SillyTavern 1.19: the gates stand in a fixed order before the keys; groups are settled in three steps (sticky members,
scores, winners), with the program's mistakes kept: who loses twice takes a stranger along.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.engine.trace import Decision, PassKind, Reason
from lorebook_tui.errors import EngineError
from lorebook_tui.model.js import greater, key_order, plus, to_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.engine.candidate import Candidate
    from lorebook_tui.engine.chance import Chance
    from lorebook_tui.engine.gates import Gates

PROTOTYPE_NAMES: Final = frozenset({
    "constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
})  # fmt: skip
"""Names that every object of JavaScript has: SillyTavern 1.19 breaks off where a group is called so."""


@dataclass(frozen=True, slots=True)
class GateState:
    """What the gates of one pass depend on."""

    kind: PassKind
    level: Any
    """Delay level that is open."""
    length: int
    """Visible messages."""
    trigger: str
    recursive: bool


def closed_gate(gates: Gates, state: GateState, *, sticky: bool, cooldown: bool) -> Reason | None:
    """The first gate before the keys that stops an entry; None if all are open."""
    if gates.disabled:
        return Reason.DISABLED
    if gates.triggers is not None and state.trigger not in gates.triggers:
        return Reason.TRIGGER
    if gates.name_blocked:
        return Reason.CHARACTER_NAME
    if gates.tag_blocked:
        return Reason.CHARACTER_TAG
    if gates.delay and state.length < gates.delay:
        return Reason.DELAYED
    if sticky:
        return Reason.SUPPRESSED if gates.suppressed else None
    if cooldown:
        return Reason.ON_COOLDOWN
    if gates.level is not None:
        if state.kind is not PassKind.RECURSION:
            return Reason.WAITS_FOR_RECURSION
        if greater(gates.level, state.level):
            return Reason.LEVEL_NOT_OPEN
    if gates.excludes_recursion and state.recursive and state.kind is PassKind.RECURSION:
        return Reason.EXCLUDED_FROM_RECURSION
    return Reason.SUPPRESSED if gates.suppressed else None


class GroupFilter:
    """Settles the inclusion groups of one pass over a candidate list, in place.

    Args:
        candidates: the sorted candidates; members that lose are taken out of it.
        scores: points of a candidate in its own text.
        global_scoring: the global group-scoring setting.
        taken: group fields of entries activated in earlier passes, by exact text, with the holder's load index.
    """

    def __init__(
        self,
        candidates: list[Candidate],
        *,
        chance: Chance,
        scores: Callable[[Candidate], int],
        global_scoring: bool,
        taken: dict[str, int],
        turn_pass: int,
    ) -> None:
        self.candidates = candidates
        self.chance = chance
        self.scores = scores
        self.global_scoring = global_scoring
        self.taken = taken
        self.turn_pass = turn_pass
        self.decisions: list[Decision] = []

    def run(self) -> list[Decision]:
        """Remove the losers; returns what was decided about each.

        Raises:
            EngineError: a group that is no text, or whose name is a property of every JavaScript object; the program
                stops there too.
        """
        groups = self._members()
        if not groups:
            return self.decisions
        sticky = {name for name, members in groups.items() if self._timed(name, members)}
        for name in groups:
            if name not in sticky:
                groups[name] = self._keep_best(name, groups[name])
        for name, members in groups.items():
            if name not in sticky:
                self._choose(name, members)
        return self.decisions

    def _members(self) -> dict[str, list[Candidate]]:
        groups: dict[str, list[Candidate]] = {}
        for candidate in self.candidates:
            if not candidate.rules.group_text:
                continue
            if not isinstance(candidate.rules.entry.get("group"), str):
                raise EngineError(
                    f"The group of entry {candidate.rules.entry.uid_text} in {quote(candidate.rules.book)} is no text: "
                    "SillyTavern stops the whole scan with an error.",
                    expected="a text",
                    found=candidate.rules.group_text,
                    hint="Put the name of the group in quotation marks.",
                )
            for name in re.split(r",\s*", candidate.rules.group_text):
                if not name:
                    continue
                if name in PROTOTYPE_NAMES:
                    raise EngineError(
                        f"An inclusion group cannot be called {quote(name)}: SillyTavern then stops the whole scan.",
                        hint="Rename the group.",
                    )
                groups.setdefault(name, []).append(candidate)
        return {name: groups[name] for name in key_order(groups)}

    def _remove(
        self, loser: Candidate, reason: Reason, group: str, winner: int | None, score: int | None = None
    ) -> None:
        """Take a loser out; if it is gone already, the last candidate goes instead, as in the program."""
        self.decisions.append(
            Decision(
                loser.number, self.turn_pass, reason, group=group, score=score, forced=loser.forced,
                winner=winner,
            )
        )  # fmt: skip
        for place, candidate in enumerate(self.candidates):
            if candidate is loser:
                del self.candidates[place]
                return
        if self.candidates:
            stranger = self.candidates.pop()
            self.decisions.append(
                Decision(
                    stranger.number, self.turn_pass, Reason.GROUP_COLLATERAL, group=group, winner=loser.number,
                    forced=stranger.forced,
                )
            )  # fmt: skip

    def _timed(self, name: str, members: Sequence[Candidate]) -> bool:
        """Whether a sticky member ends the contest; then the others leave, and so do members on cooldown or delayed."""
        holder = next((member for member in members if member.sticky), None)
        if holder is not None:
            for member in members:
                if not member.sticky:
                    self._remove(member, Reason.GROUP_STICKY_MEMBER, name, holder.number)
        for member in members:
            if member.held_back:
                self._remove(member, Reason.GROUP_COOLDOWN, name, None)
        return holder is not None

    def _keep_best(self, name: str, members: list[Candidate]) -> list[Candidate]:
        """Scoring: members that use it and have fewer points than the best of all leave."""
        if not self.global_scoring and not any(member.rules.own_group_scoring for member in members):
            return members
        scores = [self.scores(member) for member in members]
        best = max(scores)
        winner = members[scores.index(best)].number
        kept = []
        for member, points in zip(members, scores, strict=True):
            own = member.rules.own_group_scoring
            if (self.global_scoring if own is None else own) and points < best:
                self._remove(member, Reason.GROUP_SCORE, name, winner, points)
            else:
                kept.append(member)
        return kept

    def _choose(self, name: str, members: Sequence[Candidate]) -> None:
        if name in self.taken:
            for member in members:
                self._remove(member, Reason.GROUP_TAKEN, name, self.taken[name])
            return
        if len(members) <= 1:
            return
        overriding = [member for member in members if member.rules.group_override]
        if overriding:
            winner = overriding[0]
            for member in overriding[1:]:
                if member.rules.order > winner.rules.order:
                    winner = member
            self._keep_only(winner, members, Reason.GROUP_OVERRIDE, name)
            return
        edges = _running_weights(members)
        draw = self.chance.for_group(name, edges)
        chosen = _weighted(members, edges, draw.value)
        if chosen is not None:
            draw.index = chosen.number
            self._keep_only(chosen, members, Reason.GROUP_ROLL, name)

    def _keep_only(self, winner: Candidate, members: Sequence[Candidate], reason: Reason, name: str) -> None:
        for member in members:
            if member is not winner:
                self._remove(member, reason, name, winner.number)


def _running_weights(members: Sequence[Candidate]) -> tuple[float, ...]:
    """The sums of the weights up to each member, added as JavaScript adds what stands in the file."""
    running: Any = 0
    sums = []
    for member in members:
        running = plus(running, member.rules.group_weight)
        sums.append(to_number(running))
    return tuple(sums)


def _weighted(members: Sequence[Candidate], edges: Sequence[float], value: float) -> Candidate | None:
    """The first member whose running sum of weights reaches the draw; None if the weights are no numbers."""
    target = value * edges[-1]
    return next((member for member, edge in zip(members, edges, strict=True) if target <= edge), None)
