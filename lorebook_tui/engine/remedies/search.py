"""The search for the smallest changes that bring an entry in: every one tried on the turn, the cheapest first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.remedies import budget, exits, gates, groups, secondary_keys, silent_keys, wording
from lorebook_tui.engine.remedies.case import Case, progress
from lorebook_tui.engine.remedies.changes import EntryChange
from lorebook_tui.engine.remedies.proposal import Kind, Option, Proposal, cost_of
from lorebook_tui.engine.remedies.trials import Trial, Trials
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lorebook_tui.engine.assemble import Assembly, Simulation, State
    from lorebook_tui.engine.remedies.trials import Earlier
    from lorebook_tui.model.scenario import Step

MOST: Final = 5
MOST_STEPS: Final = 5
"""Changes that one proposal may need."""
MOST_PARTIAL: Final = 4
"""Sets of changes that get the entry further and are built upon."""
MOST_MENDED: Final = 12
"""Replays of a chat in search of one change more."""

_OPTIONS: Final[dict[Reason, Callable[[Case], Iterator[Option]]]] = {
    Reason.DISABLED: gates.disabled,
    Reason.TRIGGER: gates.trigger,
    Reason.CHARACTER_NAME: gates.character_name,
    Reason.CHARACTER_TAG: gates.character_tag,
    Reason.DELAYED: gates.delayed,
    Reason.ON_COOLDOWN: gates.on_cooldown,
    Reason.WAITS_FOR_RECURSION: gates.waits_for_recursion,
    Reason.LEVEL_NOT_OPEN: gates.level_not_open,
    Reason.EXCLUDED_FROM_RECURSION: gates.excluded_from_recursion,
    Reason.SUPPRESSED: gates.suppressed,
    Reason.NO_KEYS: silent_keys.silent_key_options,
    Reason.NO_KEY_IN_TEXT: silent_keys.silent_key_options,
    Reason.SECONDARY_FAILED: secondary_keys.secondary_options,
    Reason.GROUP_TAKEN: groups.group_options,
    Reason.GROUP_COOLDOWN: groups.group_options,
    Reason.GROUP_STICKY_MEMBER: groups.group_options,
    Reason.GROUP_SCORE: groups.group_options,
    Reason.GROUP_OVERRIDE: groups.group_options,
    Reason.GROUP_ROLL: groups.group_options,
    Reason.GROUP_COLLATERAL: groups.group_options,
    Reason.ROLL_FAILED: groups.roll_options,
    Reason.BEHIND_THE_CUT: budget.cut_options,
    Reason.BUDGET_CUT: budget.cut_options,
    Reason.REPLACED: exits.replaced,
    Reason.STOPPED: exits.stopped,
    Reason.EMPTY_TEXT: exits.empty_text,
    Reason.UNKNOWN_POSITION: exits.positions,
    Reason.NO_OUTLET_NAME: exits.outlet_name,
    Reason.NOTE_NOT_DUE: exits.note_not_due,
}


_NOT_ASKED_OF_STICKY: Final = frozenset({
    Reason.NO_KEY_IN_TEXT, Reason.SECONDARY_FAILED, Reason.ROLL_FAILED, Reason.GROUP_ROLL, Reason.GROUP_SCORE,
    Reason.GROUP_OVERRIDE, Reason.BUDGET_CUT, Reason.BEHIND_THE_CUT,
})  # fmt: skip
"""Reasons that need not stop an entry that is still sticky."""


@dataclass(frozen=True)
class _Node:
    """Changes that were tried."""

    options: tuple[Option, ...]
    trial: Trial

    def then(self, option: Option, trial: Trial) -> _Node:
        """One step more; a step whose every value is changed again by it is no step any more."""
        later = _targets(option)
        return _Node((*(step for step in self.options if not _targets(step) <= later), option), trial)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What is changed, step by step."""
        return tuple(option.kind for option in self.options)

    @property
    def size(self) -> int:
        """The cost of the changes alone."""
        return sum(option.size for option in self.options)

    @property
    def signature(self) -> tuple[object, ...]:
        """What stays the same if only values differ."""
        return self.kinds, frozenset().union(*map(_targets, self.options))


def _targets(option: Option) -> frozenset[object]:
    """The fields and settings that an option changes."""
    return frozenset(
        (change.index, change.field) if isinstance(change, EntryChange) else change.name for change in option.changes
    )


def proposals(
    simulation: Simulation,
    step: Step,
    state: State,
    assembly: Assembly,
    index: int,
    *,
    most: int = MOST,
    earlier: Earlier | None = None,
) -> tuple[Proposal, ...]:
    """What would bring an entry into the prompt of a turn; nothing is proposed that was not tried.

    Args:
        simulation: made the assembly.
        step: the turn.
        state: what the turns before left.
        assembly: the turn as it is.
        index: load index of the entry.
        most: how many proposals at most.
        earlier: runs the turns before this one with a changed simulation. With it, changes are tried from the first
            turn on wherever earlier turns leave something behind (timed effects, dice, variables), and a longer sticky
            effect is proposed for an entry that came before. Without it they are tried on this turn alone, with the
            state as it is and running effects carried over to the changed entry.

    Returns:
        The cheapest first; () if the entry is in, or nothing was found.
    """
    trials = Trials(simulation, step, state, assembly)
    start = _Node((), Trial((), assembly))
    if start.trial.is_in(index):
        return ()
    nodes = _unlike(_reached(trials, start, index, most))
    found = sorted(((_proposal(trials, node, index), node) for node in nodes), key=lambda pair: _rank(pair[0]))
    if earlier is None:
        return tuple(proposal for proposal, _ in found[:most])
    return tuple(sorted(_replayed(trials, found, index, earlier, most), key=_rank)[:most])


def _rank(proposal: Proposal) -> tuple[int, int]:
    return proposal.cost, len(proposal.changes)


def _reached(trials: Trials, start: _Node, index: int, most: int) -> list[_Node]:
    """Sets of changes with which the entry is in, none longer than the shortest that does."""
    frontier = [start]
    for _ in range(MOST_STEPS):
        reached: list[_Node] = []
        partial: list[_Node] = []
        for node in frontier:
            if _enough(reached, node, most):
                break
            case = Case(trials, node.trial, index)
            for option in _OPTIONS.get(case.found.reason, _nothing)(case):
                tried = node.then(option, case.run(*option.changes))
                if tried.trial.is_in(index):
                    reached.append(tried)
                elif progress(tried.trial.verdict(index)) > progress(case.found):
                    partial.append(tried)
        if reached:
            return reached
        frontier = _promising(partial, index)
    return []


def _enough(reached: list[_Node], node: _Node, most: int) -> bool:
    """Whether nothing that builds upon a set of changes could be among the cheapest."""
    sizes = sorted(found.size for found in _unlike(reached))
    return len(sizes) >= most and sizes[most - 1] <= node.size + 1


def _nothing(_: Case) -> Iterator[Option]:
    """No remedy is known."""
    return iter(())


def _promising(partial: list[_Node], index: int) -> list[_Node]:
    """The cheapest changes that got the entry further, one for each way and reason it then stops at."""
    kept: dict[object, _Node] = {}
    for node in sorted(partial, key=lambda node: node.size):
        kept.setdefault((node.signature, node.trial.verdict(index).reason), node)
    return list(kept.values())[:MOST_PARTIAL]


def _unlike(nodes: Sequence[_Node]) -> list[_Node]:
    """Without those that only differ in a value: the first is the one preferred."""
    kept: dict[object, _Node] = {}
    for node in nodes:
        kept.setdefault(node.signature, node)
    return list(kept.values())


def _proposal(trials: Trials, node: _Node, index: int, replayed: Trial | None = None) -> Proposal:
    trial = node.trial if replayed is None else replayed
    effects = trials.side_effects(trial, index)
    shown = trial.shown(index)
    after = trial.verdict(index) if shown is None else verdict(trial.assembly, shown)
    admitted = replace(after.admitted, index=index) if after.admitted else None

    def title(number: int) -> str:
        return trials.assembly.entry(number).entry.title

    return Proposal(
        node.kinds,
        trial.changes,
        wording.sentence([option.phrase for option in node.options], effects, title),
        replace(after, index=index, decision=None, admitted=admitted),
        effects,
        node.size + cost_of(effects),
        is_example=any(option.is_example for option in node.options),
        replayed=replayed is not None,
    )


def _replayed(
    trials: Trials, found: Sequence[tuple[Proposal, _Node]], index: int, earlier: Earlier, most: int
) -> Iterator[Proposal]:
    """Those that still hold with the changes made before the first turn, and a longer sticky effect.

    If there are none, those that hold with one change more.
    """
    held = _held_by_sticky(trials, index, earlier)
    if held is not None:
        yield held
    undone: list[_Node] = []
    count = 0
    for proposal, node in found:
        if count == most:
            return
        if not trials.history_matters(node.trial):
            yield proposal
        else:
            trial = trials.replayed(node.trial.changes, earlier)
            if not trial.is_in(index):
                undone.append(_Node(node.options, trial))
                continue
            yield _proposal(trials, node, index, trial)
        count += 1
    if held is None and not count:
        for node in _mended(trials, undone, index, earlier):
            yield _proposal(trials, node, index, node.trial)


def _mended(trials: Trials, undone: Sequence[_Node], index: int, earlier: Earlier) -> list[_Node]:
    """Changes that earlier turns would undo, such as by a cooldown that begins sooner, with a remedy for that too."""
    found: list[_Node] = []
    tries = 0
    for node in undone[:MOST_PARTIAL]:
        case = Case(trials, node.trial, index)
        for option in _OPTIONS.get(case.found.reason, _nothing)(case):
            if tries == MOST_MENDED:
                return _unlike(found)
            tries += 1
            longer = node.then(option, trials.replayed(case.with_changes(option.changes), earlier))
            if longer.trial.is_in(index):
                found.append(longer)
    return _unlike(found)


def _held_by_sticky(trials: Trials, index: int, earlier: Earlier) -> Proposal | None:
    """The shortest sticky effect that an earlier activation would still hold; None if there was none."""
    case = Case(trials, Trial((), trials.assembly), index)
    if case.found.reason not in _NOT_ASKED_OF_STICKY or trials.assembly.dry_run:
        return None
    last = None
    for assembly in earlier(trials.simulation):
        if index in assembly.admitted_by_index:
            last = assembly.turn.length
    if last is None or last >= trials.assembly.turn.length:
        return None
    longer = trials.assembly.turn.length - last + 1
    option = Option(Kind.STICKY, (case.change("sticky", longer),), wording.length("sticky effect", longer))
    trial = trials.replayed(option.changes, earlier)
    return _proposal(trials, _Node((option,), trial), index, trial) if trial.is_in(index) else None
