"""The budget in a check: how much there is, what texts take, and scenes that are run to see who is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.budget_curve import AMPLE, with_limit
from lorebook_tui.engine.phases.budget import scan_budget
from lorebook_tui.engine.phases.order import load_order
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.errors import LorebookError
from lorebook_tui.lint.slots import together
from lorebook_tui.lint.staging import QUIET, call_of, with_fields
from lorebook_tui.lint.witness import reason_of, run, witness
from lorebook_tui.model.cast import AuthorsNote, Cast
from lorebook_tui.model.decorators import ACTIVATE, DONT_ACTIVATE
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import Layer, Layers
from lorebook_tui.model.scenario import DEFAULT_CONTEXT, RandomSource, Scenario
from lorebook_tui.tokens.base import WholeTextCount

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import EntryView, World
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.model.transcript import Transcript
    from lorebook_tui.tokens.base import RunningCount, TokenCounter

CUT: Final = frozenset({Reason.BUDGET_CUT, Reason.BEHIND_THE_CUT})
_OPEN: Final[dict[str, Any]] = {
    "constant": True, "disable": False, "useProbability": False, "delay": None, "cooldown": None, "group": "",
    "delayUntilRecursion": False, "excludeRecursion": False, "triggers": [], "characterFilter": MISSING,
}  # fmt: skip
"""Fields with which nothing but the budget keeps an entry out."""


class _Counted:
    """A way of counting that is only known as a function."""

    basis = "given"
    name = "given"
    approximate = True

    def __init__(self, count: Callable[[str], int]) -> None:
        self.count = count

    def running(self) -> RunningCount:
        return WholeTextCount(self.count)


def counter_of(context: Context) -> TokenCounter:
    """What counts tokens in a check, as the engine wants it."""
    owner = getattr(context.count, "__self__", None)
    return cast("TokenCounter", owner) if hasattr(owner, "running") else _Counted(context.count)


def size_of(context: Context) -> int:
    """Tokens of the context, less the reply."""
    return context.world.context or DEFAULT_CONTEXT


def budget_of(context: Context) -> int:
    """Tokens that lore may take under the settings; those of a fresh installation if none are given."""
    settings = context.settings
    return scan_budget(settings.world_info_budget, size_of(context), settings.world_info_budget_cap)


def tokens_of(view: EntryView, context: Context) -> int:
    """Tokens of a text with the line feed that follows it; macros unreplaced."""
    return int(context.count(view.text + "\n"))


def is_always_on(view: EntryView) -> bool:
    """Whether it asks for a place whatever is said."""
    decorators = view.decorated.decorators
    return view.is_enabled and DONT_ACTIVATE not in decorators and (view.is_on("constant") or ACTIVATE in decorators)


def opened(view: EntryView) -> EntryView:
    """The entry with nothing but the budget to keep it out, for a witness."""
    return with_fields(view, **_OPEN)


def scene(shows: str, views: Sequence[EntryView], context: Context) -> Witness | None:
    """A chat that calls some entries at once; None if no plain text does."""
    calls = [call_of(view) for view in views]
    if None in calls:
        return None
    told = ", ".join(dict.fromkeys(call for call in calls if call and call != QUIET)) or QUIET
    return witness(shows, views, [told], context.settings, context=size_of(context))


def played(given: Witness | None, context: Context) -> Assembly | None:
    """The last turn of a scene; None if it cannot be run."""
    if given is None:
        return None
    try:
        return run(given, counter_of(context))
    except LorebookError:
        return None


def kept_out(assembly: Assembly | None, views: Iterable[EntryView]) -> list[EntryView]:
    """Those that the budget keeps out of a turn."""
    return [view for view in views if reason_of(assembly, view) in CUT] if assembly is not None else []


def came_in(assembly: Assembly | None, views: Iterable[EntryView]) -> list[EntryView]:
    """Those that are in the prompt at a turn."""
    if assembly is None:
        return []
    return [view for view in views if reason_of(assembly, view) is Reason.IN_PROMPT]


def asked_for(views: Sequence[EntryView], context: Context) -> dict[int, int]:
    """Tokens of the entries that come in at a quiet turn with room for everything, by their place among the given."""
    given = witness("", views, [QUIET], with_limit(context.settings, AMPLE), context=size_of(context))
    assembly = played(given, context)
    if assembly is None:
        return {}
    places = {(view.book.book.name, view.entry.key): number for number, view in enumerate(views)}
    found = {}
    for admitted in assembly.admitted:
        compiled = assembly.entry(admitted.index)
        found[places[compiled.book, compiled.entry.key]] = admitted.tokens
    return found


def in_scan_order(world: World, settings: ScanSettings) -> list[EntryView]:
    """All enabled entries of the open books in the order in which the budget is given out."""
    views = {id(view.entry): view for book in world.books for view in book.entries if view.is_enabled}
    ordered, _ = load_order(layers_of(world), settings.world_info_character_strategy)
    return [views[id(entry)] for _, _, entry in ordered if id(entry) in views]


def layers_of(world: World) -> Layers:
    """The open books as an engine receives them; those that are attached nowhere count as global."""
    listed: dict[Layer, list[Book]] = {layer: [] for layer in Layer}
    for view in world.books:
        listed[view.layer or Layer.GLOBAL].append(view.book)
    return Layers(*(tuple(listed[layer]) for layer in Layer))


def simulation_of(world: World, context: Context, chat: Transcript) -> Simulation:
    """All that is open, over a chat."""
    scenario = Scenario(
        layers=layers_of(world),
        settings=context.settings,
        cast=world.cast or Cast(),
        transcript=chat,
        note=world.note or AuthorsNote(),
        max_context=size_of(context),
        tokenizer="estimate",
        random=RandomSource(1),
    )
    return Simulation(scenario, counter_of(context))


def cut_in(assembly: Assembly) -> frozenset[int]:
    """Load indices of the entries that the budget keeps out of a turn."""
    judged = {decision.index for decision in assembly.decisions if decision.reason in CUT}
    return frozenset(index for index in judged if index >= 0 and verdict(assembly, index).reason in CUT)


def callable_ones(views: Iterable[EntryView], most: int) -> list[EntryView]:
    """The first entries that a plain text brings in, of each inclusion group only one."""
    return together([view for view in views if call_of(view) is not None])[:most]
