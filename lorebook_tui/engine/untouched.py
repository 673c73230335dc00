"""Which turns of a replay an edit cannot touch, proven from what they looked at; everything else has to be run again.

A scan asks nothing of an entry that no pass has cause to look at. So a turn goes the same with other books if nothing
that is gone was looked at, nothing that is new would be, the others stand in the same order, and it starts from the
same state. Where that cannot be told for certain, the answer is no.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar

from lorebook_tui.engine.grown import same_names, same_value
from lorebook_tui.engine.phases.buffer import window_pieces
from lorebook_tui.engine.plan import wakers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lorebook_tui.engine.assemble import Assembly, Simulation, State
    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.engine.timed import TimedState
    from lorebook_tui.engine.turn import TurnInput
    from lorebook_tui.model.scenario import Scenario

T = TypeVar("T")

_SAME: Final = (
    "engine", "trigger", "dry_run", "max_context", "tokenizer", "random_macro", "note", "injected", "now",
    "quiet_prompt", "allow_wi_scan", "scan_texts",
)  # fmt: skip
"""What every turn of a scenario depends on, besides names, books, settings, chat, chance and variables."""


@dataclass(frozen=True, slots=True)
class Trail:
    """What a turn looked at, as far as another set of books could make it go otherwise."""

    upto: int
    """Messages that existed at the turn."""
    turn: TurnInput
    judged: frozenset[int]
    """Load indices of all entries that a pass looked at."""
    depth: int
    """The largest global depth of a pass."""
    recursed: tuple[tuple[str, ...], ...]
    """The texts that each pass gave to recursion."""
    before: State
    after: State
    stopped: bool
    """The product would stop with an error."""


def trail_of(assembly: Assembly) -> Trail:
    """What to remember of a turn."""
    return Trail(
        assembly.upto,
        assembly.turn,
        frozenset(decision.index for decision in assembly.decisions),
        max((turn_pass.depth for turn_pass in assembly.passes), default=assembly.plan.settings.world_info_depth),
        tuple(tuple(text for _, text in turn_pass.recursed) for turn_pass in assembly.passes if turn_pass.recursed),
        assembly.before,
        assembly.state,
        bool(assembly.error),
    )


@dataclass(frozen=True)
class PlanChange:
    """From one plan to another."""

    plan: Plan
    """The new one."""
    places: Mapping[int, int] | None
    """The new load index of every old entry that is the same; None: all of them have their old one."""
    gone: frozenset[int]
    """Old load indices of entries that are not the same any more."""
    fresh: tuple[CompiledEntry, ...]
    """Entries of the new plan that are not those of the old one."""
    identities: frozenset[str]
    """`BOOK.UID` of both."""
    has_texts: bool
    """Turns scan given texts in place of the chat."""
    per_turn: bool
    """The random stream starts anew at every turn."""
    messages: int
    """So many messages at the beginning of the chat are the same."""
    lines: Sequence[str] | None
    """The lines of the chat; None: they are the same object as before."""

    def kept(self, trail: Trail, state: State) -> Trail | None:
        """The trail of a turn that goes as before; None if it may not.

        Args:
            trail: the turn as it was with the old plan.
            state: what the turns before leave now.
        """
        if trail.stopped or trail.upto > self.messages or not self.gone.isdisjoint(trail.judged):
            return None
        after = _carried(trail, state, per_turn=self.per_turn)
        if after is None or not self.is_apart(state.timed) or any(self._may_wake(entry, trail) for entry in self.fresh):
            return None
        judged, turn = trail.judged, trail.turn
        if self.places is not None:
            judged = frozenset(self.places[index] for index in judged)
        if self.lines is not None and self.lines is not turn.lines and not self.has_texts:
            turn = replace(turn, lines=self.lines)
        return replace(trail, turn=turn, judged=judged, before=state, after=after)

    def moved(self, found: Mapping[int, T]) -> Mapping[int, T]:
        """What was told by load index, under the new ones; what is gone is left out."""
        if self.places is None:
            if self.gone.isdisjoint(found):
                return found
            return {index: told for index, told in found.items() if index not in self.gone}
        return {place: told for index, told in found.items() if (place := self.places.get(index)) is not None}

    def is_apart(self, timed: TimedState) -> bool:
        """Whether no running effect belongs to an entry that is another one now."""
        return self.identities.isdisjoint(timed.sticky) and self.identities.isdisjoint(timed.cooldown)

    def _may_wake(self, entry: CompiledEntry, trail: Trail) -> bool:
        """Whether a pass of a turn would look at a new entry, or the turn's picture tell of it unasked."""
        gates = entry.gates
        if gates.closed:
            return False
        if gates.delay or gates.level is not None or entry.constant or entry.activates:
            return True
        wanted: set[int] = set()
        for key in entry.keys:
            numbers = wakers(key)
            if numbers is None:
                return True
            wanted.update(numbers)
        if not wanted:
            return False
        index = self.plan.index
        return any(not wanted.isdisjoint(index.hits(piece)) for piece in self._pieces(entry, trail))

    def _pieces(self, entry: CompiledEntry, trail: Trail) -> Iterator[str]:
        """Every text that the entry could have seen in any pass, as the index is asked for it."""
        yield from window_pieces(trail.turn, self.plan.windows[entry.window], trail.depth) or ()
        for contents in trail.recursed:
            if self.plan.index.spans_lines:
                yield "\n".join(contents)
            else:
                yield from contents


def _carried(trail: Trail, state: State, *, per_turn: bool) -> State | None:
    """The state after a turn that starts from another one; None if it could go otherwise from there."""
    before, after = trail.before, trail.after
    if (
        before.generated != state.generated
        or before.settings is not state.settings
        or before.layers is not state.layers
        or before.pending != state.pending
        or not _same_effects(before.timed, state.timed)
        or not same_value(before.local, state.local)
        or not same_value(before.globals, state.globals)
    ):
        return None
    if before.random == state.random and before.standing == state.standing:
        return after
    dice, old_dice = state.standing.dice, before.standing.dice
    if replace(state.standing, dice=old_dice) != before.standing:
        return None
    if dice != old_dice:
        if after.standing.dice != old_dice:
            return None
        after = replace(after, standing=replace(after.standing, dice=dice))
    if before.random != state.random and not per_turn:
        if after.random != before.random:
            return None
        after = replace(after, random=state.random)
    return after


def _same_effects(left: TimedState, right: TimedState) -> bool:
    """Whether the same effects run, set in the same order."""
    return left is right or all(
        list(mine.items()) == list(theirs.items())
        for mine, theirs in ((left.sticky, right.sticky), (left.cooldown, right.cooldown))
    )


def plan_change(old: Simulation, new: Simulation) -> PlanChange | None:
    """What is different between two simulations; None if no turn of the old one says anything about the new one.

    Args:
        old: its turns were run, by steps that leave books and settings alone.
        new: is to run the same steps.
    """
    if old.counter is not new.counter or not _same_scan(old.scenario, new.scenario):
        return None
    before, after = old.plan(), new.plan()
    if not (before.entries and after.entries) or not same_value(_levels(before), _levels(after)):
        return None
    places = _kept(before, after)
    gone = [entry for entry in before.entries if entry.index not in places]
    staying = set(places.values())
    fresh = tuple(entry for entry in after.entries if entry.index not in staying)
    alike = all(index == place for index, place in places.items())
    chat, other = old.scenario.transcript.messages, new.scenario.transcript.messages
    names = new.scenario.settings.world_info_include_names
    return PlanChange(
        plan=after,
        places=None if alike else places,
        gone=frozenset(entry.index for entry in gone),
        fresh=fresh,
        identities=frozenset(entry.identity for entry in (*gone, *fresh)),
        has_texts=new.scenario.scan_texts is not None,
        per_turn=new.scenario.random.per_turn,
        messages=len(chat) if chat is other else _common(chat, other),
        lines=None if chat is other else new.chat(include_names=names).lines,
    )


def _levels(plan: Plan) -> list[object]:
    return list(plan.levels)


def _same_scan(old: Scenario, new: Scenario) -> bool:
    """Whether two scenarios differ at most in books, the end of the chat, the seed, and where they start from."""
    return (
        all(same_value(getattr(old, name), getattr(new, name)) for name in _SAME)
        and same_value(old.settings, new.settings)
        and same_value(old.scan_data, new.scan_data)
        and not old.forced
        and not new.forced
        and old.random.per_turn == new.random.per_turn
        and (old.random == new.random or not new.random.per_turn)
        and same_names(old, new)
    )


def _common(left: Sequence[object], right: Sequence[object]) -> int:
    """How many items two sequences have in common at their beginning."""
    count = 0
    for mine, theirs in zip(left, right, strict=False):
        if not same_value(mine, theirs):
            break
        count += 1
    return count


def _kept(before: Plan, after: Plan) -> dict[int, int]:
    """The new load index of every entry that is the same and stands among the same ones."""
    old, new = before.entries, after.entries
    if before is after:
        return dict(enumerate(range(len(old))))
    first = 0
    while first < min(len(old), len(new)) and _same_entry(old[first], new[first]):
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and _same_entry(old[-1 - last], new[-1 - last]):
        last += 1
    waiting: dict[tuple[object, ...], list[int]] = {}
    for entry in reversed(new[first : len(new) - last]):
        waiting.setdefault((entry.layer, entry.book, id(entry.entry.fields)), []).append(entry.index)
    pairs = list(zip(range(first), range(first), strict=True))
    for entry in old[first : len(old) - last]:
        found = waiting.get((entry.layer, entry.book, id(entry.entry.fields)))
        if found:
            pairs.append((entry.index, found.pop()))
    pairs += zip(range(len(old) - last, len(old)), range(len(new) - last, len(new)), strict=True)
    return dict(pairs if _ascends(pairs) else _longest_rise(pairs))


def _same_entry(left: CompiledEntry, right: CompiledEntry) -> bool:
    """Whether two plans mean the same entry of the same book."""
    return left is right or (
        left.entry.fields is right.entry.fields and left.layer is right.layer and left.book == right.book
    )


def _ascends(pairs: Sequence[tuple[int, int]]) -> bool:
    last = -1
    for _, place in pairs:
        if place < last:
            return False
        last = place
    return True


def _longest_rise(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most pairs whose second numbers ascend as the first ones do: who is not among them was moved."""
    tails: list[int] = []
    ends: list[int] = []
    earlier: list[int | None] = []
    for number, (_, place) in enumerate(pairs):
        at = bisect_left(tails, place)
        earlier.append(ends[at - 1] if at else None)
        if at == len(tails):
            tails.append(place)
            ends.append(number)
        else:
            tails[at], ends[at] = place, number
    found: list[tuple[int, int]] = []
    number_ = ends[-1] if ends else None
    while number_ is not None:
        found.append(pairs[number_])
        number_ = earlier[number_]
    return found[::-1]


def same_state(left: State, right: State) -> bool:
    """Whether a turn goes the same from both."""
    return left is right or (
        left == right
        and _same_effects(left.timed, right.timed)
        and same_value(left.local, right.local)
        and same_value(left.globals, right.globals)
    )


def moved_effects(change: PlanChange, old: Plan, state: State) -> State:
    """The state with running effects of edited entries tied to what became of them: a guess at what will be.

    Args:
        change: from the old plan to the new one.
        old: the plan that the state belongs to.
        state: what turns with the old plan left.
    """
    by_name = {(entry.identity, entry.entry.key): entry.fingerprint for entry in change.fresh}
    renamed = {
        old.entries[index].fingerprint: by_name.get((old.entries[index].identity, old.entries[index].entry.key))
        for index in change.gone
    }
    if not renamed or change.is_apart(state.timed):
        return state
    sticky, cooldown = (
        {
            identity: replace(effect, fingerprint=renamed.get(effect.fingerprint) or effect.fingerprint)
            for identity, effect in effects.items()
        }
        for effects in (state.timed.sticky, state.timed.cooldown)
    )
    return replace(state, timed=replace(state.timed, sticky=sticky, cooldown=cooldown))
