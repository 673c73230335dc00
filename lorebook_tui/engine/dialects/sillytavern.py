"""SillyTavern 1.19.0, mistakes included: the loop over the entries and the order in which it asks the phases.

It checks filters before keys, settles groups and admits to the budget inside every pass, and goes on until nothing new
fires, the budget is full, or the number of passes is reached.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lorebook_tui.display import quote
from lorebook_tui.engine import timed
from lorebook_tui.engine.candidate import Candidate
from lorebook_tui.engine.phases.budget import Budget, scan_budget
from lorebook_tui.engine.phases.buffer import Buffer
from lorebook_tui.engine.phases.filters import GateState, GroupFilter, closed_gate
from lorebook_tui.engine.phases.inject import place
from lorebook_tui.engine.phases.keys import first_match, score, secondary_passes
from lorebook_tui.engine.phases.recursion import AfterPass, Levels, next_kind
from lorebook_tui.engine.scan import ScanOutcome
from lorebook_tui.engine.trace import Admitted, Cause, Decision, Pass, PassKind, Reason
from lorebook_tui.errors import EngineError
from lorebook_tui.matching.ecma import PatternTimeout
from lorebook_tui.model.js import to_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lorebook_tui.engine.chance import Chance
    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.engine.phases.budget import Admission
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.engine.timed import TimedState
    from lorebook_tui.engine.turn import TurnInput
    from lorebook_tui.model.scenario import ForcedEntry
    from lorebook_tui.tokens.base import TokenCounter


@dataclass(slots=True)
class SillyTavernScan:
    """One scan in progress."""

    plan: Plan
    turn: TurnInput
    effects_before: TimedState
    chance: Chance
    substitute: Callable[[str], str]
    counter: TokenCounter
    forced_entries: tuple[ForcedEntry, ...] = ()
    kind: PassKind = PassKind.INITIAL
    number: int = 0
    recursed_text: str = ""
    buffer: Buffer = field(init=False)
    budget: Budget = field(init=False)
    levels: Levels = field(init=False)
    effects: timed.TimedEffects = field(init=False)
    forced: dict[str, CompiledEntry] = field(default_factory=dict)
    always: frozenset[int] = frozenset()
    activated: dict[str, Candidate] = field(default_factory=dict)
    admitted: dict[str, Admitted] = field(default_factory=dict)
    failed: set[int] = field(default_factory=set)
    """Load indices whose roll failed; out for the rest of the scan."""
    failed_objects: set[int] = field(default_factory=set)
    """The same by object: a given object is tried and rolled again, but never counts as new any more."""
    replaced: dict[int, str] = field(default_factory=dict)
    """Texts by object: macros are replaced in place, so a cut entry keeps what it became."""
    outcome: ScanOutcome = field(default_factory=ScanOutcome)

    def __post_init__(self) -> None:
        settings = self.plan.settings
        limit = scan_budget(settings.world_info_budget, self.turn.max_context, settings.world_info_budget_cap)
        self.buffer = Buffer(self.plan, self.turn)
        self.budget = Budget(limit, self.counter, self.chance, self.substitute)
        self.levels = Levels.start(self.plan.levels)

    def run(self) -> ScanOutcome:
        """All passes, the places of what was activated, and the timed effects afterwards.

        Where the program itself would stop with an error, the outcome carries the error and admits nothing.
        """
        self.effects = timed.begin(
            self.effects_before, self.turn.length, self.plan.fingerprinted, dry_run=self.turn.dry_run
        )
        if not self.plan.entries:
            self.outcome.effects = self.effects
            return self.outcome
        self._prepare_always()
        most = self.plan.settings.world_info_max_recursion_steps
        try:
            self._refuse_faulty()
            while self.kind is not PassKind.NONE and not (most and most <= self.number):
                self._pass()
        except EngineError as stop:
            self.outcome.error = stop.message
            self.outcome.budget = self.budget.limit
            self.outcome.effects = self.effects
        else:
            self._finish()
        return self.outcome

    def _refuse_faulty(self) -> None:
        """SillyTavern 1.19: a character filter that is searched but is neither list nor text is a TypeError."""
        for entry in self.plan.faulty:
            triggers = entry.gates.triggers
            if not entry.gates.disabled and (triggers is None or self.turn.trigger in triggers):
                raise EngineError(
                    f"The {entry.gates.faulty_filter} in the character filter of entry {entry.entry.uid_text} in "
                    f"{quote(entry.book)} are no list: SillyTavern stops the whole scan with an error.",
                    expected="a list",
                )

    def _prepare_always(self) -> None:
        """Entries to judge in every pass: constants and the like, forced ones, and those with a running effect."""
        judged = set(self.plan.always)
        for given in self.forced_entries:
            compiled = self.plan.forced(given)
            if compiled is not None:
                self.forced[compiled.identity] = compiled
                judged.update(entry.index for entry in self.plan.identified(compiled.identity))
        for identity in (*self.effects.sticky, *self.effects.cooldown):
            judged.update(entry.index for entry in self.plan.identified(identity))
        self.always = frozenset(judged)

    def _pass(self) -> None:
        self.number += 1
        self.chance.turn_pass = self.number
        candidates = self._search()
        candidates.sort(key=lambda candidate: candidate.sort_key)
        groups = GroupFilter(
            candidates,
            chance=self.chance,
            scores=self._score,
            global_scoring=self.plan.settings.world_info_use_group_scoring,
            taken=self._groups_taken(),
            turn_pass=self.number,
        )
        self.outcome.decisions.extend(groups.run())
        base = self.counter.count(self.recursed_text)
        admission = self.budget.admit(candidates, base, self.number)
        self._take_in(admission, candidates)
        successful = [candidate for candidate in candidates if id(candidate.rules) not in self.failed_objects]
        self._conclude(candidates, successful, base, admission)

    def _woken(self) -> Iterable[int]:
        """Load indices worth judging in this pass, ascending."""
        with_recursion = self.kind is not PassKind.MIN_ACTIVATIONS
        judged = set(self.always)
        for number, window in enumerate(self.plan.windows):
            if window.first:
                judged.update(window.woken(self.buffer.view(number, with_recursion=with_recursion).numbers))
        return sorted(judged)

    def _search(self) -> list[Candidate]:
        settings = self.plan.settings
        state = GateState(
            self.kind, self.levels.current, self.turn.length, self.turn.trigger, settings.world_info_recursive
        )
        found: list[Candidate] = []
        given_already: dict[int, int] = {}
        for index in self._woken():
            entry = self.plan.entries[index]
            if index in self.failed or entry.identity in self.activated:
                continue
            sticky = self.effects.is_sticky(entry)
            cooldown = self.effects.on_cooldown(entry)
            reason = closed_gate(entry.gates, state, sticky=sticky, cooldown=cooldown)
            candidate = None
            if reason is None:
                given = None if entry.activates else self.forced.get(entry.identity)
                if given is not None and id(given) in given_already:
                    self.outcome.decisions.append(
                        Decision(index, self.number, Reason.REPLACED, winner=given_already[id(given)])
                    )
                    continue
                outcome = self._cause(entry, forced=given is not None, sticky=sticky)
                if isinstance(outcome, Cause):
                    candidate = self._candidate(given or entry, index, outcome, forced=given is not None)
                    found.append(candidate)
                    given_already[id(candidate.rules)] = index
                else:
                    reason = outcome
            self.outcome.decisions.append(Decision(index, self.number, reason, candidate.cause if candidate else None))
        return found

    def _candidate(self, rules: CompiledEntry, index: int, cause: Cause, *, forced: bool) -> Candidate:
        """A candidate with the timed effects of the object it is, which for a given one are not the loaded entry's."""
        candidate = Candidate(
            rules,
            index,
            cause,
            sticky=self.effects.is_sticky(rules),
            held_back=self.effects.on_cooldown(rules) or self.turn.length < self.plan.entries[rules.index].gates.delay,
            forced=forced,
        )
        candidate.content = self.replaced.get(id(rules), candidate.content)
        return candidate

    def _cause(self, entry: CompiledEntry, *, forced: bool, sticky: bool) -> Cause | Reason:
        """What makes an entry with open gates a candidate, or why it is none."""
        if entry.activates:
            return Cause.DECORATOR
        if forced:
            return Cause.FORCED
        if entry.constant:
            return Cause.CONSTANT
        if sticky:
            return Cause.STICKY
        if not entry.gates.has_keys:
            return Reason.NO_KEYS
        view = self.buffer.view(entry.window, with_recursion=self.kind is not PassKind.MIN_ACTIVATIONS)
        try:
            if first_match(entry, view, self.substitute) < 0:
                return Reason.NO_KEY_IN_TEXT
            if entry.secondary and not secondary_passes(entry, view, self.substitute):
                return Reason.SECONDARY_FAILED
        except PatternTimeout:
            return Reason.PATTERN_TIMEOUT
        return Cause.KEY

    def _score(self, candidate: Candidate) -> int:
        rules = candidate.rules
        view = self.buffer.view(rules.window, with_recursion=self.kind is not PassKind.MIN_ACTIVATIONS)
        return score(
            rules,
            view,
            self.plan.case_sensitive(rules.entry),
            whole_words=self.plan.whole_words(rules.entry),
        )

    def _groups_taken(self) -> dict[str, int]:
        """Group fields of the entries that are activated now; one that another of its identity replaced holds none."""
        taken: dict[str, int] = {}
        for candidate in self.activated.values():
            if candidate.rules.group_text:
                taken.setdefault(candidate.rules.group_text, candidate.number)
        return taken

    def _take_in(self, admission: Admission, candidates: Iterable[Candidate]) -> None:
        self.replaced.update((id(candidate.rules), candidate.content) for candidate in candidates)
        self.outcome.decisions.extend(admission.decisions)
        self.outcome.ledger.extend(admission.ledger)
        self.failed.update(candidate.number for candidate in admission.failed if not candidate.forced)
        self.failed_objects.update(id(candidate.rules) for candidate in admission.failed)
        tokens = {(row.index, row.admitted): row.tokens for row in admission.ledger}
        for candidate in admission.admitted:
            identity = candidate.rules.identity
            earlier = self.activated.get(identity)
            if earlier is not None and earlier.number != candidate.number:
                self.outcome.decisions.append(
                    Decision(earlier.number, self.number, Reason.REPLACED, winner=candidate.number)
                )
            self.activated[identity] = candidate
            self.admitted[identity] = Admitted(
                candidate.number, self.number, candidate.cause, candidate.content, tokens[candidate.number, True]
            )

    def _conclude(
        self, candidates: list[Candidate], successful: list[Candidate], base: int, admission: Admission
    ) -> None:
        """Decide about the next pass and give it its new text."""
        recursing = [candidate for candidate in successful if not candidate.rules.prevents_recursion]
        depth = self.plan.settings.world_info_depth + self.buffer.skew
        after = AfterPass(
            kind=self.kind,
            overflowed=admission.overflowed,
            has_recursing=bool(recursing),
            has_recursed_text=bool(self.buffer.recursed),
            activated=len(self.activated),
            depth=depth,
            messages=self.turn.length,
        )
        following = next_kind(self.plan.settings, after, self.levels)
        if following is PassKind.MIN_ACTIVATIONS:
            self.buffer.skew += 1
        fed: tuple[tuple[int, str], ...] = ()
        if following is not PassKind.NONE:
            text = "\n".join(candidate.content for candidate in recursing)
            if text:
                fed = tuple((candidate.number, candidate.content) for candidate in recursing)
                self.buffer.feed([candidate.content for candidate in recursing])
                self.recursed_text = f"{text}\n{self.recursed_text}"
        self.outcome.passes.append(
            Pass(
                number=self.number,
                kind=self.kind,
                next_kind=following,
                candidates=tuple(candidate.number for candidate in candidates),
                successful=tuple(candidate.number for candidate in successful),
                activated_total=len(self.activated),
                overflowed=admission.overflowed,
                base_tokens=base,
                level=to_number(self.levels.current),
                levels_left=tuple(map(to_number, self.levels.waiting)),
                depth=depth,
                recursed=fed,
            )
        )
        self.kind = following

    def _finish(self) -> None:
        outcome = self.outcome
        outcome.admitted = list(self.admitted.values())
        outcome.slots = place(self.activated.values())
        outcome.budget = self.budget.limit
        outcome.overflowed = self.budget.overflowed
        if not self.turn.dry_run:
            timed.finish(self.effects, (candidate.rules for candidate in self.activated.values()), self.turn.length)
        outcome.effects = self.effects
