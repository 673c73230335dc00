"""Scenarios that prove a finding: a few entries, a short chat, settings; made by rules, run by anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.engine.assemble import Simulation, steps
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.errors import UnreadableError
from lorebook_tui.lint.findings import Witness
from lorebook_tui.model.book import book_from_fields
from lorebook_tui.model.cast import Cast, Character, Persona
from lorebook_tui.model.layers import Layer, Layers
from lorebook_tui.model.scenario import DEFAULT_CONTEXT, RandomSource, Scenario
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.tokens.estimate import EstimateCounter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.trace import Reason
    from lorebook_tui.lint.subjects import EntryView
    from lorebook_tui.tokens.base import TokenCounter

KIND: Final = "lorebook_witness"
USER: Final = "You"
CHARACTER: Final = "Character"


def witness(
    shows: str,
    entries: Iterable[EntryView],
    messages: Sequence[str],
    settings: ScanSettings | None = None,
    *,
    seed: int = 1,
    context: int = DEFAULT_CONTEXT,
) -> Witness:
    """A scenario from entries of books and messages.

    Args:
        shows: what to look at, in a sentence.
        entries: of any number of books.
        messages: texts, by turns of the user and the character, the last one the user's; `Name: text` names another.
        settings: the global ones; a fresh installation's if none are given.
        seed: of the dice.
        context: tokens.
    """
    books: dict[str, dict[str, Any]] = {}
    layers: dict[str, str] = {}
    for view in entries:
        name = view.book.book.name
        layers[name] = (view.book.layer or Layer.GLOBAL).value
        books.setdefault(name, {})[view.entry.key] = dict(view.entry.fields)
    values = {
        name: getattr(settings, name)
        for name in ScanSettings.__dataclass_fields__
        if settings is not None and getattr(settings, name) != getattr(ScanSettings(), name)
    }
    return Witness(
        shows,
        {
            KIND: 1,
            "shows": shows,
            "books": [{"layer": layers[name], "name": name, "entries": listed} for name, listed in books.items()],
            "chat": list(messages),
            "settings": values,
            "seed": seed,
            "context": context,
        },
    )


def scenario_of(value: Mapping[str, Any]) -> Scenario:
    """The engine's input for a witness.

    Raises:
        UnreadableError: it is none.
    """
    if not isinstance(value, dict) or value.get(KIND) != 1:
        raise UnreadableError("This is no witness.", expected=f'an object with "{KIND}": 1', found=type(value).__name__)
    layers: dict[Layer, list[Any]] = {layer: [] for layer in Layer}
    try:
        for book in value["books"]:
            layers[Layer(book["layer"])].append(book_from_fields(book["name"], book["entries"]))
        messages = _messages([str(text) for text in value["chat"]])
        return Scenario(
            layers=Layers(*(tuple(layers[layer]) for layer in Layer)),
            settings=ScanSettings().with_values(value["settings"]),
            cast=Cast(Persona(USER), Character(CHARACTER)),
            transcript=Transcript(messages, "witness", USER, CHARACTER),
            max_context=int(value["context"]),
            tokenizer="estimate",
            random=RandomSource(int(value["seed"])),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableError("The witness is damaged.", found=str(error)[:200]) from error


def run(given: Witness, counter: TokenCounter | None = None) -> Assembly:
    """The last turn of a witness, all turns before it replayed."""
    scenario = scenario_of(given.scenario)
    simulation = Simulation(scenario, counter or EstimateCounter())
    state = simulation.initial_state()
    assembly = None
    for step in steps(scenario, "user") or steps(scenario, None):
        assembly = simulation.assemble(step, state)
        state = assembly.state
    assert assembly is not None  # noqa: S101 - even an empty chat has one turn
    return assembly


def reason_of(assembly: Assembly, view: EntryView) -> Reason | None:
    """Why an entry is in or out at that turn; None if it was not loaded."""
    for compiled in assembly.plan.entries:
        if compiled.book == view.book.book.name and compiled.entry.key == view.entry.key:
            return verdict(assembly, compiled.index).reason
    return None


def _messages(texts: Sequence[str]) -> tuple[Message, ...]:
    """By turns of both, so that the last is the user's."""
    made = []
    for number, text in enumerate(texts):
        is_user = (len(texts) - 1 - number) % 2 == 0
        made.append(Message(text, USER if is_user else CHARACTER, is_user=is_user))
    return tuple(made)
