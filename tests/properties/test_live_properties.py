"""A replay made from the one before an edit is the replay that would be made from scratch, turn by turn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from lorebook_tui.engine.grown import grown
from lorebook_tui.engine.verdicts import verdicts
from lorebook_tui.model.book import Book
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.fields import template
from lorebook_tui.model.layers import Layer, Layers
from lorebook_tui.model.scenario import RandomSource, Scenario
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.tokens.registry import counter
from lorebook_tui.tui.replay import Replay
from lorebook_tui.tui.scene import Scene
from tests.properties.strategies import (
    MEANT,
    WORDS,
    meant_entries,
    meant_scenarios,
    meant_settings,
    one_key,
    texts,
    wild_scenarios,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.tui.replay import Turn

COUNTER = counter("estimate")
MODES = st.sampled_from(["each", "each", "user"])
MANY = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow], deadline=None)
CONTENTS = st.sampled_from(["", "cat", "a dog", "{{setvar::v::cat}}", "{{getvar::v}}", "{{roll:6}}", "x\ny"]) | texts
CHANGES: dict[str, st.SearchStrategy[Any]] = {
    **MEANT,
    "key": st.lists(one_key | st.sampled_from(["{{getvar::v}}", "dog\ncat", "{{user}}"]), max_size=3),
    "content": CONTENTS,
    "comment": st.sampled_from(["a", "b"]),
    "uid": st.integers(0, 3),
}


LIVELY: dict[str, st.SearchStrategy[Any]] = {
    "sticky": st.integers(1, 3),
    "cooldown": st.integers(1, 3),
    "probability": st.sampled_from([30, 70]),
    "group": st.sampled_from(["g", "g, h"]),
    "content": st.sampled_from(["cat", "dog", "{{setvar::v::dog}}", "{{getvar::v}}", "{{roll:2}}"]),
    "key": st.sampled_from([["cat"], ["dog"], ["wolf", "cat"], ["{{getvar::v}}"]]),
    "delayUntilRecursion": st.sampled_from([1, 2]),
    "scanDepth": st.sampled_from([1, 3]),
    "order": st.integers(98, 102),
    "uid": st.integers(0, 2),
    "delay": st.integers(1, 4),
}


@st.composite
def lively_entries(draw: st.DrawFn, number: int) -> Entry:
    """An entry that comes often and leaves something behind."""
    key, text = draw(st.sampled_from(["cat", "dog", "wolf"])), draw(st.sampled_from(["", "cat", "wolf"]))
    names = draw(st.lists(st.sampled_from(sorted(LIVELY)), max_size=3, unique=True))
    changed = {name: draw(LIVELY[name]) for name in names}
    fields = {**template(), "uid": number, "key": [key], "content": text, "useProbability": True, **changed}
    return Entry(fields, str(number))


@st.composite
def lively_scenarios(draw: st.DrawFn) -> Scenario:
    """A chat of single words over entries that roll, hold, rest and set variables."""
    book = Book("lore", tuple(draw(lively_entries(number)) for number in range(draw(st.integers(2, 6)))))
    words = draw(st.lists(st.sampled_from(["cat", "dog", "wolf", "mill"]), min_size=3, max_size=7))
    return Scenario(
        layers=Layers((book,)),
        settings=ScanSettings(world_info_depth=1),
        transcript=Transcript(tuple(Message(word, is_user=True) for word in words)),
        random=RandomSource(draw(st.integers(0, 9)), per_turn=draw(st.sampled_from([False, False, True]))),
    )


@st.composite
def lively_edits(draw: st.DrawFn, scenario: Scenario) -> Scenario:
    """Another entry, seed or variable."""
    kind = draw(st.sampled_from(["entry", "entry", "entry", "new", "turn", "seed", "variables"]))
    (book,) = scenario.layers.global_
    entries = list(book.entries)
    if kind == "seed":
        return replace(scenario, random=replace(scenario.random, seed=draw(st.integers(0, 9))))
    if kind == "variables":
        return replace(scenario, local_variables=draw(st.sampled_from([{}, {"v": "cat"}, {"v": "dog"}])))
    if kind == "turn":
        turned = draw(st.permutations(entries))
        entries = [Entry(entry.fields, str(place)) for place, entry in enumerate(turned)]
    elif kind == "new":
        entries.append(draw(lively_entries(len(entries))))
    else:
        place = draw(st.integers(0, len(entries) - 1))
        name = draw(st.sampled_from(sorted(LIVELY)))
        entries[place] = Entry({**entries[place].fields, name: draw(LIVELY[name])}, entries[place].key)
    return scenario.with_layers(Layers((Book("lore", tuple(entries)),)))


def told(turn: Turn) -> tuple[object, ...]:
    """All that a turn hands on."""
    return (
        turn.number, turn.upto, turn.active, turn.cut, turn.tokens, turn.budget, sorted(turn.fates.items(), key=lambda item: item[0]),
        repr(turn.state), sorted(turn.trail.judged), turn.trail.recursed, turn.trail.depth, repr(turn.trail.before),
    )  # fmt: skip


def trace(assembly: Assembly) -> str:
    return repr(
        (
            assembly.passes, assembly.decisions, assembly.ledger, assembly.admitted, assembly.slots, assembly.note,
            assembly.budget, assembly.tokens, assembly.draws, assembly.error, assembly.state, list(verdicts(assembly)),
        )
    )  # fmt: skip


@st.composite
def other_books(draw: st.DrawFn, books: tuple[Book, ...]) -> tuple[Book, ...]:
    """The same books with an entry changed, added, taken away or put elsewhere."""
    filled = [number for number, book in enumerate(books) if book.entries]
    kind = draw(st.sampled_from(["change", "change", "change", "add", "delete", "turn"]))
    if not books:
        return books
    number = draw(st.sampled_from(filled or list(range(len(books)))))
    entries = list(books[number].entries)
    if kind == "add" or not entries:
        entries.append(draw(meant_entries(len(entries) + 20)))
    elif kind == "delete":
        del entries[draw(st.integers(0, len(entries) - 1))]
    elif kind == "turn":
        entries = [Entry(entry.fields, str(place)) for place, entry in enumerate(reversed(entries))]
    else:
        place = draw(st.integers(0, len(entries) - 1))
        changed = draw(st.fixed_dictionaries({}, optional=CHANGES))
        old = entries[place]
        entries[place] = Entry({**old.fields, **changed}, old.key)
    return (*books[:number], Book(books[number].name, tuple(entries)), *books[number + 1 :])


@st.composite
def other_layers(draw: st.DrawFn, layers: Layers) -> Layers:
    name = draw(st.sampled_from(["global_", "global_", "character", "chat"]))
    return replace(layers, **{name: draw(other_books(getattr(layers, name)))})


@st.composite
def other_scenarios(draw: st.DrawFn, scenario: Scenario) -> Scenario:
    """A scenario as an edit would leave it; everything that was not edited is the same object."""
    kind = draw(st.sampled_from(["lore"] * 6 + ["chat", "chat", "setting", "seed", "variables", "context", "names"]))
    chat = scenario.transcript
    if kind == "lore":
        return replace(scenario, layers=draw(other_layers(scenario.layers)))
    if kind == "chat":
        kept = draw(st.integers(max(0, len(chat) - 1), len(chat)))
        more = draw(st.lists(st.builds(Message, texts, is_user=st.booleans()), max_size=2))
        return replace(scenario, transcript=replace(chat, messages=(*chat.messages[:kept], *more)))
    if kind == "setting":
        return replace(scenario, settings=scenario.settings.with_values(draw(meant_settings)))
    if kind == "seed":
        return replace(scenario, random=replace(scenario.random, seed=draw(st.integers(0, 3))))
    if kind == "variables":
        return replace(scenario, local_variables=draw(st.sampled_from([{}, {"v": "cat"}, {"v": 1}, {"v": True}])))
    if kind == "context":
        return replace(scenario, max_context=draw(st.sampled_from([20, 60, 8192])))
    return replace(scenario, trigger=draw(st.sampled_from(["normal", "swipe"])))


def from_scratch(scenario: Scenario, mode: str) -> Replay:
    replay = Replay(Scene("scratch", scenario), COUNTER, mode)
    finish(replay)
    return replay


def finish(replay: Replay) -> None:
    replay.prepare()
    while not replay.complete:
        replay.advance()


def assert_the_same(replay: Replay, scratch: Replay) -> None:
    finish(replay)
    assert list(map(told, replay.turns)) == list(map(told, scratch.turns))
    for number in range(len(replay.turns)):
        assert trace(replay.picture(number).assembly) == trace(scratch.picture(number).assembly)


def check_edits(
    data: st.DataObject, scenario: Scenario, edit: Callable[[Scenario], st.SearchStrategy[Scenario]]
) -> None:
    mode = data.draw(MODES)
    replay = Replay(Scene("live", scenario), COUNTER, mode)
    for _ in range(data.draw(st.integers(1, 4))):
        if data.draw(st.booleans()):
            finish(replay)
        elif data.draw(st.booleans()):
            replay.prepare()
            for _ in range(data.draw(st.integers(0, len(replay.steps) - len(replay.turns)))):
                replay.advance()
        scenario = data.draw(edit(scenario))
        replay = replay.after(Scene("live", scenario))
        if data.draw(st.booleans()):
            replay.look(data.draw(st.integers(0, len(replay.steps) - 1)))
    assert_the_same(replay, from_scratch(scenario, mode))


@MANY
@given(st.data(), meant_scenarios)
def test_edits_in_a_row_give_the_replay_from_scratch(data: st.DataObject, scenario: Scenario) -> None:
    check_edits(data, replace(scenario, forced=data.draw(st.sampled_from([(), (), scenario.forced]))), other_scenarios)


@settings(MANY, max_examples=40)
@given(st.data(), wild_scenarios)
def test_wild_books_do_too(data: st.DataObject, scenario: Scenario) -> None:
    check_edits(data, replace(scenario, forced=()), other_scenarios)


@MANY
@given(st.data(), meant_scenarios)
def test_edits_of_lore_alone_give_it_too(data: st.DataObject, scenario: Scenario) -> None:
    def edit(scenario: Scenario) -> st.SearchStrategy[Scenario]:
        return other_layers(scenario.layers).map(scenario.with_layers)

    check_edits(data, replace(scenario, forced=(), scan_texts=None, dry_run=False), edit)


@settings(MANY, max_examples=150)
@given(st.data(), lively_scenarios())
def test_edits_of_lore_that_leaves_much_behind_do_as_well(data: st.DataObject, scenario: Scenario) -> None:
    check_edits(data, scenario, lively_edits)


@MANY
@given(st.data(), meant_scenarios | lively_scenarios())
def test_what_can_be_looked_at_at_once_is_right_or_says_that_it_is_a_guess(
    data: st.DataObject, scenario: Scenario
) -> None:
    replay = Replay(Scene("live", replace(scenario, forced=())), COUNTER, "each")
    finish(replay)
    edit = lively_edits if replay.scene.scenario.layers.of(Layer.CHARACTER) == () else other_scenarios
    edited = data.draw(edit(replay.scene.scenario))
    after = replay.after(Scene("live", edited))
    number = data.draw(st.integers(0, len(after.steps) - 1))
    seen = after.look(number)
    scratch = from_scratch(edited, "each").picture(number)
    assert seen.number == number
    if seen.settled:
        assert trace(seen.assembly) == trace(scratch.assembly)
    finish(after)
    later = after.picture(number)
    assert later.settled
    assert trace(later.assembly) == trace(scratch.assembly)


@settings(MANY, max_examples=40)
@given(meant_scenarios, st.sampled_from(WORDS))
def test_a_grown_simulation_answers_as_a_new_one(scenario: Scenario, word: str) -> None:
    assume(scenario.transcript.messages)
    scenario = replace(scenario, forced=())
    replay = Replay(Scene("live", scenario), COUNTER, "each")
    finish(replay)
    picture = replay.picture(len(replay.steps) - 1)
    messages = (*scenario.transcript.messages, Message(f"{word} cat", is_user=True))
    longer = replace(scenario, transcript=replace(scenario.transcript, messages=messages))
    fresh = from_scratch(longer, "each").simulation
    step = replace(picture.assembly.step, upto=len(messages))
    seen = grown(replay.simulation, longer).assemble(step, picture.turn.state)
    assert trace(seen) == trace(fresh.assemble(step, picture.turn.state))
    again = grown(replay.simulation, scenario).assemble(picture.assembly.step, picture.assembly.before)
    assert trace(again) == trace(picture.assembly)
    assert replay.picture(picture.number) is picture
