"""What the budget does over the given chats, and in contexts of other sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.engine.assemble import steps
from lorebook_tui.engine.budget_curve import in_contexts, in_prompt
from lorebook_tui.engine.budget_needs import NEARLY_ALL, ChatNeeds, chat_needs
from lorebook_tui.errors import EngineError
from lorebook_tui.lint.budgeting import (
    asked_for,
    budget_of,
    cut_in,
    is_always_on,
    kept_out,
    played,
    simulation_of,
)
from lorebook_tui.lint.findings import Finding, Need, Scope, Severity
from lorebook_tui.lint.naming import named
from lorebook_tui.lint.rule import Context, Example, Option, WorldRule
from lorebook_tui.lint.staging import QUIET
from lorebook_tui.lint.witness import witness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.engine.assemble import Assembly, Simulation
    from lorebook_tui.engine.budget_needs import TurnNeed
    from lorebook_tui.lint.subjects import EntryView, World
    from lorebook_tui.model.transcript import Transcript

_MOST_TURNS: Final = 40
_SIZES: Final = (4096, 8192, 16384)
_CAPPED: Final = {"world_info_budget_cap": 100}
_BIG: Final = "x" * 3600


class BudgetOverChats(WorldRule):
    """What the open books need at the turns of the given chats: at most, and at 95 of 100 turns.

    Why: The budget of SillyTavern 1.19 is a percentage of the context, whatever the lore needs. With the numbers of
    real chats one can choose it: so much that nothing is cut at nearly all turns, and no more.
    Example: at most 1,900 tokens, 1,200 at 95 % of the turns, and a budget of 1,000.
    Do: set the budget between the two numbers, or shorten what comes most often.
    Source: SillyTavern 1.19.
    """

    code = "BUD006"
    name = "budget-over-chats"
    severity = Severity.INFO
    scope = Scope.CHATS
    needs = frozenset({Need.CHATS})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "It grinds."},), chat=("You: hello", "Mira: yes", "You: bye")),
        Example(({"key": ["mill"], "content": "It grinds."},), chat=("You: the mill",)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["mill"], "content": "x" * 400}, {"key": ["bell"], "content": "y" * 100}),
            chat=("You: bell", "Mira: yes", "You: mill"),
            settings=_CAPPED,
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """The last turns of each chat; said only where something is cut."""
        turns = [turn for chat in world.chats for turn in self._turns(world, context, chat)]
        needs = ChatNeeds(tuple(turns))
        cut = sum(1 for turn in turns if turn.cut)
        if not cut or not world.books:
            return
        often = needs.percentile(NEARLY_ALL)
        message = (
            f"The lore needs up to {needs.most:,} tokens at the last {len(turns):,} turns of the given chats, "
            f"{often:,} at 95 % of them; the budget is {budget_of(context):,}, so that something is cut at {cut:,}."
        )
        yield self.finding(world.books[0], message)

    def _turns(self, world: World, context: Context, chat: Transcript) -> list[TurnNeed]:
        simulation = simulation_of(world, context, chat)
        try:
            return list(chat_needs(simulation, steps(simulation.scenario, "user")[-_MOST_TURNS:]))
        except EngineError:
            return []


class ComesWithTheContext(WorldRule):
    """An entry that is in with one size of the context and cut with another.

    Why: The budget of SillyTavern 1.19 is a percentage of the context. Whoever plays the book with a smaller model has
    less of it, and what fits for its author is cut for them.
    Example: constants of 1,500 tokens under a budget of 25 %: all in with 8k, cut with 4k.
    Do: make the book fit into the smallest context it is meant for, or ask for a larger share in its description.
    Source: SillyTavern 1.19.
    """

    code = "BUD007"
    name = "comes-with-the-context"
    severity = Severity.WARNING
    needs = frozenset({Need.SETTINGS})
    options = (Option("sizes", list(_SIZES), "contexts in tokens, less the reply"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"constant": True, "content": "x" * 3000},), settings={}),
        Example(({"constant": True, "content": _BIG},), settings={"world_info_budget_cap": 800}),
        Example(({"key": ["mill"], "content": _BIG},), settings={}),
        Example(({"key": ["mill"], "content": _BIG},), settings={}, chat=("You: the bell",)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"constant": True, "content": _BIG}, {"constant": True, "content": "y"}), settings={}, findings=2),
        Example(({"key": ["mill"], "content": _BIG},), settings={}, chat=("You: the mill",)),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """What is always on, at a quiet turn; what the given chats call, at their last turns."""
        sizes = sorted(int(size) for size in context.options["sizes"])
        yield from self._always_on(world, context, sizes)
        flips: dict[int, set[int]] = {}
        simulation = None
        for chat in world.chats:
            simulation = simulation_of(world, context, chat)
            for index, size in self._flips(simulation, sizes):
                flips.setdefault(index, set()).add(size)
        if simulation is None or not flips:
            return
        views = {id(view.entry): view for book in world.books for view in book.entries}
        loaded = simulation.plan().entries
        found = [views[ident] for index in sorted(flips) if (ident := id(loaded[index].entry)) in views]
        keyed = [view for view in found if not is_always_on(view)]
        if keyed:
            message = (
                f"In the given chats {named(keyed)} {'is' if len(keyed) == 1 else 'are'} in or cut depending on "
                f"whether the context has {' or '.join(f'{size:,}' for size in sizes)} tokens."
            )
            yield self.finding(keyed[0], message, severity=Severity.INFO, others=keyed[1:])

    def _always_on(self, world: World, context: Context, sizes: list[int]) -> Iterator[Finding]:
        """Constants that a small context cuts and a large one does not."""
        constants = [view for book in world.books for view in book.entries if is_always_on(view)]
        if sum(len(view.entry.content) for view in constants) < sizes[0] // 100:
            return
        asking = [constants[number] for number in asked_for(constants, context)]
        cut: dict[int, list[EntryView]] = {}
        scenes = {
            size: witness(f"Nothing is said, in a context of {size:,} tokens.", asking, [QUIET], context.settings,
                          context=size)
            for size in sizes
        }  # fmt: skip
        for size, given in scenes.items():
            cut[size] = kept_out(played(given, context), asking)
        for view in asking:
            lost = [size for size in sizes if view in cut[size]]
            if lost and len(lost) < len(sizes):
                kept = next(size for size in sizes if size not in lost)
                message = (
                    f"It is always on, but cut with a context of {lost[-1]:,} tokens, and in with {kept:,}: whether it "
                    "is there depends on the model."
                )
                yield self.finding(view, message, witness=scenes[lost[-1]])

    def _flips(self, simulation: Simulation, sizes: list[int]) -> Iterator[tuple[int, int]]:
        """Load index and size for every entry that is cut with that size and in with another, turn by turn."""
        state = simulation.initial_state()
        for step in steps(simulation.scenario, "user")[-_MOST_TURNS // 2 :]:
            try:
                now: Assembly = simulation.assemble(step, state)
                others = in_contexts(simulation, step, state, sizes)
            except EngineError:
                return
            inside = frozenset().union(*(in_prompt(each) for each in others))
            for size, each in zip(sizes, others, strict=True):
                yield from ((index, size) for index in cut_in(each) & inside)
            state = now.state
