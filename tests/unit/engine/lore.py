"""Small worlds for tests of the engine: entries from the template, a counter with one token per character."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.engine.assemble import Simulation, replay
from lorebook_tui.model.book import Book
from lorebook_tui.model.cast import Cast, Character, Persona
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.fields import template
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import RandomSource, Scenario, Step
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.tokens.base import WholeTextCount

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.engine.assemble import Assembly


class CharacterCounter:
    """One token per character, so that budgets can be read off."""

    name = basis = "characters"
    approximate = False

    def count(self, text: str) -> int:
        return len(text)

    def running(self) -> WholeTextCount:
        return WholeTextCount(len)


COUNTER = CharacterCounter()


def entry(uid: int, *keys: str, **fields: Any) -> Entry:
    """An entry with the template's fields; its content is `text UID` if none is given."""
    return Entry(
        {**template(), "uid": uid, "key": list(keys), "comment": f"e{uid}", "content": f"text {uid}", **fields},
        str(uid),
    )


def raw(name: str, /, **fields: Any) -> Entry:
    """An entry with these fields and no others."""
    return Entry(fields, name)


def book(*entries: Entry, name: str = "lore") -> Book:
    return Book(name, entries)


def messages(*texts: str) -> tuple[Message, ...]:
    """Messages by the user and the character in turns, the user's first."""
    return tuple(Message(text, is_user=number % 2 == 0) for number, text in enumerate(texts))


def scenario(
    *entries: Entry,
    chat: Iterable[str] = ("A cat.",),
    settings: dict[str, Any] | None = None,
    numbers: Sequence[float] | None = None,
    **parts: Any,
) -> Scenario:
    """A scenario over one global book, names left out of the scan unless the settings say otherwise.

    Args:
        entries: the book.
        chat: texts, the user's first.
        settings: changes to a fresh install's settings.
        numbers: random numbers in place of the seed.
        parts: further fields of the scenario.
    """
    made = Scenario(
        layers=Layers(global_=(book(*entries),)),
        settings=ScanSettings(world_info_include_names=False).with_values(settings or {}),
        cast=Cast(Persona("User"), Character("Anna", "anna.png")),
        transcript=Transcript(messages(*chat)),
        random=RandomSource(numbers=tuple(numbers)) if numbers is not None else RandomSource(1),
    )
    return replace(made, **parts)


def run(made: Scenario, upto: int | None = None, **step: Any) -> Assembly:
    """One turn, by default on the whole chat."""
    simulation = Simulation(made, COUNTER)
    length = len(made.transcript) if upto is None else upto
    return simulation.assemble(Step(length, **step), simulation.initial_state())


def turn(*entries: Entry, **parts: Any) -> Assembly:
    """One turn over one global book; arguments as for `scenario`."""
    return run(scenario(*entries, **parts))


def turns(made: Scenario, lengths: Iterable[int | Step]) -> list[Assembly]:
    """Turn after turn, state carried on."""
    listed = [length if isinstance(length, Step) else Step(length) for length in lengths]
    return list(replay(Simulation(made, COUNTER), listed))


def uids(assembly: Assembly) -> list[Any]:
    """Activated entries in the order of activation."""
    return [assembly.entry(admitted.index).uid for admitted in assembly.admitted]


def index_of(assembly: Assembly, uid: int) -> int:
    """The load index of the first entry with a uid."""
    return next(loaded.index for loaded in assembly.plan.entries if loaded.uid == uid)
