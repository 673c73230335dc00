"""The proof that a repair leaves the engine's doings alone: the same chats replayed before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.assemble import Simulation, steps
from lorebook_tui.errors import EngineError
from lorebook_tui.lint.keyfacts import key_fact
from lorebook_tui.model.cast import Cast, Character, Persona
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import RandomSource, Scenario
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.tokens.estimate import EstimateCounter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.model.book import Book

MOST_MESSAGES: Final = 400
_CONTEXT: Final = 1_000_000
"""Tokens: so many that no budget hides an entry."""


def activations(book: Book, chats: Sequence[Transcript], settings: ScanSettings | None) -> list[tuple[int, ...]]:
    """Which entries, by place in the file, get into the prompt at each turn.

    Args:
        book: alone in the global layer.
        chats: what is said; without any, texts are made from `talk`.
        settings: the global ones.
    """
    found: list[tuple[int, ...]] = []
    place = {id(entry): number for number, entry in enumerate(book.entries)}
    for chat in chats:
        scenario = Scenario(
            layers=Layers((book,)),
            settings=settings or ScanSettings(),
            cast=Cast(Persona(chat.user_name or "You"), Character(chat.character_name or "Character")),
            transcript=chat,
            max_context=_CONTEXT,
            tokenizer="estimate",
            random=RandomSource(1),
        )
        simulation = Simulation(scenario, EstimateCounter())
        state = simulation.initial_state()
        for step in steps(scenario, "user") or steps(scenario, None):
            try:
                assembly = simulation.assemble(step, state)
            except EngineError:
                found.append((-1,))
                break
            state = assembly.state
            inside = (assembly.entry(index).entry for index in assembly.admitted_by_index)
            found.append(tuple(sorted(place.get(id(entry), -1) for entry in inside)))
    return found


def talk(books: Sequence[Book]) -> Transcript:
    """A chat that says the plain keys of the books one after the other, and something that is no key."""
    messages = [Message("Nothing in particular.", "You", is_user=True)]
    for text in _texts(books):
        messages.append(Message(f"They speak of {text} today.", "You", is_user=True))
        if len(messages) >= MOST_MESSAGES:
            break
    return Transcript(tuple(messages), "proof", "You", "Character")


def _texts(books: Sequence[Book]) -> Iterator[str]:
    """The keys, the first one of every entry before the second ones."""
    seen: set[str] = set()
    for place in range(4):
        for book in books:
            for entry in book.entries:
                keys = entry.keys
                if place < len(keys) and key_fact(keys[place], place).is_plain and keys[place] not in seen:
                    seen.add(keys[place])
                    yield keys[place]


def is_unchanged(before: Sequence[Book], after: Sequence[Book], chats: Sequence[Transcript] = (),
                 settings: ScanSettings | None = None) -> bool:  # fmt: skip
    """Whether the same entries get into the prompt at every turn."""
    if [len(book.entries) for book in before] != [len(book.entries) for book in after]:
        return False
    given = tuple(chats) or (talk((*before, *after)),)
    return all(
        activations(old, given, settings) == activations(new, given, settings)
        for old, new in zip(before, after, strict=True)
    )
