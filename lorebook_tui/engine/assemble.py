"""The public door: a scenario becomes a simulation, a step with a state becomes an assembly.

Everything a turn depends on goes in through `Scenario`, `Step` and `State`; everything it changes comes out in the
assembly's state, so that any turn can be replayed alone and the same seed gives the same result.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lorebook_tui.display import quote
from lorebook_tui.engine.chance import Chance, RandomState
from lorebook_tui.engine.chat import ChatView
from lorebook_tui.engine.dialects import dialect
from lorebook_tui.engine.inputs import TurnBuilder
from lorebook_tui.engine.plan import Plan
from lorebook_tui.engine.standing import Standing
from lorebook_tui.engine.timed import Effect, TimedState
from lorebook_tui.engine.trace import NoteResult, Reason, Slots
from lorebook_tui.engine.turn import merged_note
from lorebook_tui.engine.verdicts import all_places
from lorebook_tui.errors import UsageError
from lorebook_tui.model.js import MISSING, to_number
from lorebook_tui.model.scenario import ForcedEntry, Scenario, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lorebook_tui.engine.chance import Draw
    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.engine.scan import ScanOutcome
    from lorebook_tui.engine.timed import TimedEffects
    from lorebook_tui.engine.trace import Admitted, Decision, LedgerRow, Pass
    from lorebook_tui.engine.turn import TurnInput
    from lorebook_tui.engine.verdicts import Place
    from lorebook_tui.model.layers import Layers
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.tokens.base import TokenCounter


@dataclass(frozen=True, slots=True)
class State:
    """What one turn hands to the next."""

    timed: TimedState
    random: RandomState
    local: Mapping[str, Any] = field(default_factory=dict)
    """Chat variables."""
    globals: Mapping[str, Any] = field(default_factory=dict)
    generated: bool = False
    """A generation went before: what it injected last (the persona at depth) is scanned from now on."""
    settings: ScanSettings | None = None
    """Settings that a step changed."""
    layers: Layers | None = None
    """Books that a step changed."""
    pending: tuple[ForcedEntry, ...] = ()
    """Forced activations that no scan took up yet, because nothing was loaded."""
    standing: Standing = Standing()
    """What the last assembled prompt left behind."""


@dataclass(frozen=True, eq=False)
class Assembly:
    """One assembled turn: the trace, the places, and the state afterwards."""

    plan: Plan
    turn: TurnInput
    upto: int
    """Messages that existed at this turn."""
    trigger: str
    """The kind of generation that was asked for."""
    dry_run: bool
    passes: tuple[Pass, ...]
    decisions: tuple[Decision, ...]
    ledger: tuple[LedgerRow, ...]
    admitted: tuple[Admitted, ...]
    """Activated entries in the order of activation."""
    slots: Slots
    note: NoteResult
    budget: int
    """Tokens the scan could spend."""
    overflowed: bool
    tokens: int
    """Tokens of all activated texts, a line feed behind each."""
    draws: tuple[Draw, ...]
    exhausted: bool
    """A list of random numbers ran out."""
    effects: TimedEffects
    state: State
    chat: ChatView
    step: Step
    """The turn that was asked for."""
    before: State
    """The state it started from."""
    error: str
    """Why SillyTavern itself would stop here without a prompt; "" if it would not."""
    asked: frozenset[str]
    """Macros in it that told what only a running generation knows."""
    expand: Callable[[str], str]
    """Replaces macros for looking only, with the variables from the start of the turn."""

    @cached_property
    def last_decisions(self) -> dict[int, Decision]:
        """The last thing decided about every judged entry, by load index."""
        last: dict[int, Decision] = {}
        for decision in self.decisions:
            last[decision.index] = decision
        return last

    @cached_property
    def _decisions_by_index(self) -> dict[int, list[Decision]]:
        grouped: dict[int, list[Decision]] = {}
        for decision in self.decisions:
            grouped.setdefault(decision.index, []).append(decision)
        return grouped

    def decisions_of(self, index: int) -> list[Decision]:
        """Everything decided about one entry, pass by pass."""
        return self._decisions_by_index.get(index, [])

    @cached_property
    def places(self) -> dict[int, Place]:
        """Where each text stands, by load index."""
        return all_places(self)

    @cached_property
    def admitted_by_index(self) -> dict[int, Admitted]:
        """Activated entries by load index."""
        return {admitted.index: admitted for admitted in self.admitted}

    def entry(self, index: int) -> CompiledEntry:
        """The loaded entry with a load index."""
        return self.plan.entries[index]

    @cached_property
    def nowhere(self) -> dict[int, Reason]:
        """Activated entries that got no place in the prompt."""
        places = dict(self.slots.nowhere)
        if not self.note.merged:
            for index, _ in (*self.slots.note_top, *self.slots.note_bottom):
                places[index] = Reason.NOTE_NOT_DUE
        return places


class Simulation:
    """A scenario made ready. Plans are compiled when a turn needs them and kept until books or settings change.

    Args:
        scenario: everything that is simulated.
        counter: counts tokens the way the scenario's tokenizer does.

    Raises:
        UsageError: an engine nobody knows.
    """

    def __init__(self, scenario: Scenario, counter: TokenCounter) -> None:
        self.scenario = scenario
        self.counter = counter
        self.dialect = dialect(scenario.engine)
        self.builder = TurnBuilder(scenario)
        self._plans: dict[tuple[int, ScanSettings], tuple[Layers, Plan]] = {}
        self._chats: dict[bool, ChatView] = {}

    def plan(self, state: State | None = None) -> Plan:
        """The plan for the scenario, or for what earlier steps made of it."""
        layers = (state.layers if state else None) or self.scenario.layers
        settings = (state.settings if state else None) or self.scenario.settings
        key = (id(layers), settings)
        kept = self._plans.get(key)
        if kept is None or kept[0] is not layers:
            speaker = self.scenario.cast.speaker
            used = replace(layers, character=speaker.books) if speaker and speaker.books else layers
            kept = self._plans[key] = (layers, self._compiled(used, settings))
        return kept[1]

    def _compiled(self, layers: Layers, settings: ScanSettings) -> Plan:
        """Books and settings made ready."""
        return Plan(layers, settings, self.scenario.cast.speaker, self.builder.resolve, dynamic=self.builder.acts)

    def chat(self, *, include_names: bool) -> ChatView:
        """The transcript as scan lines."""
        view = self._chats.get(include_names)
        if view is None:
            view = self._chats[include_names] = ChatView(
                self.scenario.transcript, self.scenario.cast, include_names=include_names
            )
        return view

    def initial_state(self) -> State:
        """The state before the first turn, with earlier timed effects tied to the entries as they are now."""
        plan = self.plan()

        def effects(kind: str) -> dict[str, Effect]:
            found = {}
            for identity, record in self.scenario.timed.get(kind, {}).items():
                loaded = plan.identified(identity)
                found[identity] = Effect(
                    loaded[-1].fingerprint if loaded else "",
                    to_number(record.get("start", MISSING)),
                    to_number(record.get("end", MISSING)),
                    protected=bool(record.get("protected", False)),
                )
            return found

        return State(
            TimedState(effects("sticky"), effects("cooldown")),
            RandomState.start(self.scenario.random),
            dict(self.scenario.local_variables),
            dict(self.scenario.global_variables),
        )

    def assemble(self, step: Step, state: State) -> Assembly:
        """One turn.

        Args:
            step: which turn, and what differs from the scenario.
            state: what the turns before left; never changed.

        Returns:
            The turn; where the simulated product itself would stop with an error, one with `error` set and no entry in.
        """
        before = state
        state = self._changed(step, state)
        plan = self.plan(state)
        chance = Chance(state.random)
        settings = plan.settings
        chat = self.chat(include_names=settings.world_info_include_names)
        turn, macros = self.builder.build(step, state, chat, chance)
        expand = macros.preview()
        forced = (*state.pending, *(self.scenario.forced if step.forced is None else step.forced))
        scan = self.dialect(plan, turn, state.timed, chance, macros.substitute, self.counter, forced)
        outcome = scan.run()
        after = replace(
            state,
            timed=outcome.effects.state(),
            random=chance.state,
            local=macros.environment.local,
            globals=macros.environment.globals,
            standing=replace(state.standing, dice=macros.dice.state),
            generated=True,
            pending=() if plan.entries else tuple(replace(given, bare=True) for given in forced),
        )
        return self._assembly(
            step=step,
            before=before,
            plan=plan,
            turn=turn,
            chat=chat,
            asked=frozenset(macros.environment.asked),
            expand=expand,
            outcome=outcome,
            chance=chance,
            after=after,
        )

    def _assembly(
        self,
        *,
        step: Step,
        before: State,
        plan: Plan,
        turn: TurnInput,
        chat: ChatView,
        asked: frozenset[str],
        expand: Callable[[str], str],
        outcome: ScanOutcome,
        chance: Chance,
        after: State,
    ) -> Assembly:
        note, slots = turn.note, outcome.slots
        if plan.entries and note.merged and not outcome.error:
            note = merged_note(note, [text for _, text in slots.note_top], [text for _, text in slots.note_bottom])
        return Assembly(
            plan=plan,
            turn=turn,
            upto=step.upto,
            trigger=step.trigger or self.scenario.trigger,
            dry_run=turn.dry_run,
            passes=tuple(outcome.passes),
            decisions=tuple(outcome.decisions),
            ledger=tuple(outcome.ledger),
            admitted=tuple(outcome.admitted),
            slots=slots,
            note=note,
            budget=outcome.budget,
            overflowed=outcome.overflowed,
            tokens=self.counter.count("".join(f"{admitted.content}\n" for admitted in outcome.admitted)),
            draws=tuple(chance.log),
            exhausted=chance.state.exhausted,
            effects=outcome.effects,
            state=after,
            chat=chat,
            step=step,
            before=before,
            error=outcome.error,
            asked=asked,
            expand=expand,
        )

    def _changed(self, step: Step, state: State) -> State:
        """The state with what the step itself changes."""
        if step.settings:
            state = replace(state, settings=(state.settings or self.scenario.settings).with_values(step.settings))
        if step.layers is not None:
            state = replace(state, layers=step.layers)
        if step.random is not None:
            state = replace(state, random=RandomState.start(step.random))
        elif self.scenario.random.per_turn:
            state = replace(state, random=RandomState.start(self.scenario.random))
        return state


def steps(scenario: Scenario, turns: str | Iterable[int] | None = None) -> list[Step]:
    """Steps of a replay.

    Args:
        scenario: gives the transcript.
        turns: "each" (after every message), "user" (after every message of the user), lengths, or None (whole chat).

    Raises:
        UsageError: another word, or a length that is no number.
    """
    messages = scenario.transcript.messages
    if turns is None:
        return [Step(len(messages))]
    if turns == "each":
        return [Step(number) for number in range(1, len(messages) + 1)]
    if turns == "user":
        return [Step(number) for number, message in enumerate(messages, 1) if message.is_user]
    if isinstance(turns, str):
        raise UsageError(f"Cannot replay {quote(turns)}.", expected="each, user, or a list of lengths", found=turns)
    return [Step(upto) for upto in turns]


def replay(simulation: Simulation, listed: Iterable[Step], state: State | None = None) -> Iterator[Assembly]:
    """Assemble turn after turn, timed effects, variables and random stream carried on.

    Args:
        simulation: the scenario made ready.
        listed: the turns, in order; those with `report` off run but are not given out.
        state: where to go on from; None: the beginning.
    """
    current = state or simulation.initial_state()
    for step in listed:
        assembly = simulation.assemble(step, current)
        current = assembly.state
        if step.report:
            yield assembly
