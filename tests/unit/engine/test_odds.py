"""Odds: the sides of dice, all ways they can fall, estimates, and whole chats with effects carried on."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.chance import Chance, Draw, RandomState
from lorebook_tui.engine.draw_tree import NUMBERS, InexactError, leaves, sides
from lorebook_tui.engine.odds import (
    Odds,
    estimated_chat,
    exact_chat,
    exact_turn,
    sampled_chat,
    sampled_turn,
    turn_odds,
    wilson,
)
from lorebook_tui.engine.reseeded import Reseeded
from lorebook_tui.engine.tally import ChatTally, Tally, outcomes
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.model.scenario import RandomSource, Scenario, Step
from tests.unit.engine.lore import COUNTER, entry, scenario, uids

if TYPE_CHECKING:
    from lorebook_tui.model.entry import Entry

SIGMAS = 3


def ready(made: Scenario) -> Reseeded:
    return Reseeded(Simulation(made, COUNTER))


def at_end(*entries: Entry, most: int = 1024, **parts: Any) -> dict[int, float]:
    """Exact odds by uid after the whole chat."""
    made = scenario(*entries, **parts)
    simulation = ready(made)
    found = exact_turn(simulation, Step(len(made.transcript)), simulation.initial_state(), most)
    return {loaded.uid: found.of(loaded.index).odds.chance for loaded in simulation.plan().entries}


def about(chance: float) -> Any:
    return pytest.approx(chance, abs=1e-9)


@pytest.mark.parametrize(
    ("percent", "passing"),
    [
        (50, 2**31 + 1), (0, 1), (-0.0, 1), (-1, 0), (math.nan, 0), (99.9999999999, NUMBERS), (150, NUMBERS),
        (math.inf, NUMBERS), (25, 2**30 + 1), (1e-9, 1), (33, 1417339207 + 1),
    ],
)  # fmt: skip
def test_sides_of_a_roll(percent: float, passing: int) -> None:
    listed = sides(Draw(0.5, "probability", 1, edges=(percent,)))
    assert sum(side.weight for side in listed) == 1
    won = [side for side in listed if side.number * 100 <= percent]
    assert sum(side.end - side.first for side in won) == passing
    for side in listed:
        for place in (side.first, side.end - 1):
            passed = Chance(RandomState(0, (place / NUMBERS,))).roll(0, percent)
            assert passed is (side in won)


@pytest.mark.parametrize(
    ("edges", "shares"),
    [
        ((55.0, 100.0), (Fraction(55, 100), Fraction(45, 100))),
        ((0.0, 0.0), (Fraction(1),)),
        ((0.0, 100.0), (Fraction(1, NUMBERS), Fraction(NUMBERS - 1, NUMBERS))),
        ((100.0, 50.0, 200.0), (Fraction(1, 2), Fraction(1, 2))),
        ((-10.0, 100.0), (Fraction(1),)),
    ],
)
def test_sides_of_a_group(edges: tuple[float, ...], shares: tuple[Fraction, ...]) -> None:
    listed = sides(Draw(0.5, "group", 1, edges=edges))
    assert sum(side.weight for side in listed) == 1
    assert [side.weight for side in listed] == [pytest.approx(share, abs=1e-9) for share in shares]


@pytest.mark.parametrize(
    "draw",
    [
        Draw(0.5, "macro", 1),
        Draw(0.5, "group", 1, edges=(1.0, math.nan)),
        Draw(0.5, "group", 1, edges=(1.0, math.inf)),
        Draw(0.5, "group", 1, edges=(1.0, -3.0)),
    ],
)
def test_dice_of_which_nobody_knows_the_sides(draw: Draw) -> None:
    with pytest.raises(InexactError):
        sides(draw)


def test_without_dice_odds_are_0_or_1() -> None:
    found = at_end(entry(1, constant=True), entry(2, "dog"), entry(3, "cat"), entry(4, "cat", disable=True))
    assert found == {1: 1.0, 2: 0.0, 3: 1.0, 4: 0.0}


def test_each_roll_counts() -> None:
    found = at_end(entry(1, "cat", probability=50), entry(2, "cat", probability=10), entry(3, "cat", probability=0))
    assert found == {1: about(0.5), 2: about(0.1), 3: about(0)}
    assert 0 < found[3] < 1e-9


def test_a_group_goes_by_weight_and_its_losers_get_what_a_failed_roll_leaves() -> None:
    weighted = {"group": "g", "useProbability": True}
    found = at_end(
        entry(1, "cat", groupWeight=55, probability=40, **weighted), entry(2, "cat", groupWeight=45, **weighted),
        settings={"world_info_recursive": False},
    )  # fmt: skip
    assert found == {1: about(0.55 * 0.4), 2: about(0.45)}
    with_recursion = at_end(
        entry(1, "cat", groupWeight=55, probability=40, **weighted),
        entry(2, "cat", groupWeight=45, **weighted),
        entry(3, "cat"),
    )
    assert with_recursion[2] == about(0.45 + 0.55 * 0.6)


def test_what_a_roll_wakes_has_its_odds() -> None:
    found = at_end(entry(1, "cat", probability=30, content="a dog"), entry(2, "dog", probability=50))
    assert found == {1: about(0.3), 2: about(0.15)}


def test_what_a_roll_pushes_out_has_the_rest() -> None:
    settings = {"world_info_budget": 100, "world_info_budget_cap": 10}
    found = at_end(
        entry(1, "cat", probability=30, order=200, content="12345678"), entry(2, "cat", order=100, content="1234567"),
        settings=settings,
    )  # fmt: skip
    assert found == {1: about(0.3), 2: about(0.7)}


def test_an_exact_turn_says_what_happens_otherwise() -> None:
    made = scenario(entry(1, "cat", probability=30, content="a dog"), entry(2, "dog", probability=50))
    simulation = ready(made)
    found = exact_turn(simulation, Step(1), simulation.initial_state())
    assert found.runs == 3
    assert found.of(1).reasons == {Reason.IN_PROMPT: about(0.15), Reason.ROLL_FAILED: about(0.15)}
    assert found.of(0).odds.exact
    assert found.of(0).odds.uncertain
    assert found.of(77).odds == Odds(0, 0, 0)


def test_too_many_ways_are_given_up() -> None:
    book = [entry(number, "cat", probability=50) for number in range(4)]
    assert at_end(*book, most=16) == {number: about(0.5) for number in range(4)}
    with pytest.raises(InexactError, match="too many ways"):
        at_end(*book, most=15)


@pytest.mark.parametrize(
    "parts",
    [
        {"entries": (entry(1, "cat", content="{{roll:d1000}}"),)},
        {"entries": (entry(1, "cat", content="{{roll:1d99999999999}}"),)},
        {"entries": (entry(1, "{{roll:d300}}"),)},
        {"entries": (entry(1, "cat"),), "chat": ("A {{roll:d6}} cat.", "So.")},
        {"entries": (entry(1, "cat"),), "chat": ("A {{random::a::b}} cat.", "So.")},
        {"entries": (entry(1, "cat", content="{{random:a,b}}"),), "macro_engine": "legacy"},
    ],
)
def test_some_dice_in_texts_are_not_worked_out(parts: dict[str, Any]) -> None:
    given = dict(parts)
    with pytest.raises(InexactError, match="macro"):
        at_end(*given.pop("entries"), **given)


@pytest.mark.parametrize(
    ("text", "engine", "chances"),
    [
        ("side {{roll:d2}}", "new", (1 / 2, 1 / 2)),
        ("side {{roll:d6}}", "new", (1 / 6, 1 / 6)),
        ("side {{roll:d6}}", "legacy", (1 / 6, 1 / 6)),
        ("side {{roll:2d2-1}}", "new", (1 / 4, 1 / 2)),
        ("side {{random::1::2::2}}", "new", (1 / 3, 2 / 3)),
        ("side {{random::1}}", "new", (1, 0)),
        ("side {{roll:d1}}", "new", (1, 0)),
    ],
)
def test_dice_in_texts_have_as_many_sides_as_they_say(text: str, engine: str, chances: tuple[float, float]) -> None:
    found = at_end(
        entry(1, "cat", content=text), entry(2, "side 1"), entry(3, "side 2"), macro_engine=engine,
        random_macro="native", settings={"world_info_match_whole_words": False},
    )  # fmt: skip
    assert (found[2], found[3]) == (about(chances[0]), about(chances[1]))


@pytest.mark.parametrize("count", [1, 2, 3, 6, 7, 100, 256])
def test_sides_of_a_die_fall_where_the_macro_cuts(count: int) -> None:
    listed = sides(Draw(0.5, "macro", 1, edges=(float(count),)))
    assert sum(side.weight for side in listed) == 1
    for face, side in enumerate(listed):
        for place in (side.first, side.end - 1):
            assert math.floor(place / NUMBERS * count) == face


@pytest.mark.parametrize("macro", ["{{roll:1d2}}", "{{random::1::2}}"])
@pytest.mark.parametrize("engine", ["new", "legacy"])
@pytest.mark.parametrize("where", ["content", "chat"])
def test_dice_in_texts_follow_the_seed(macro: str, engine: str, where: str) -> None:
    text = f"side {macro}."
    chat = (f"A cat. {text}",) if where == "chat" else ("A cat.",)
    made = scenario(
        entry(1, "cat", content=text if where == "content" else "-"), entry(2, "side 1"), entry(3, "side 2"),
        chat=chat, macro_engine=engine, settings={"world_info_match_whole_words": False}, random_macro="native",
    )  # fmt: skip
    simulation = ready(made)
    tally = sampled_turn(simulation, Step(1), simulation.initial_state(), range(100))
    assert tally.total == 100
    assert 30 < tally.inside(1) < 70
    assert tally.inside(1) + tally.inside(2) == 100


def test_a_sampled_run_is_the_run_of_its_seed() -> None:
    made = scenario(*(entry(number, "cat", probability=50) for number in range(5)), chat=("A cat.", "", "A cat."))
    steps = [Step(1), Step(3)]
    for seed in range(7, 12):
        tally = sampled_chat(ready(made), steps, [seed])
        own = Simulation(Scenario(**{**vars_of(made), "random": RandomSource(seed)}), COUNTER)
        state = own.initial_state()
        for step, counted in zip(steps, tally.turns, strict=True):
            assembly = own.assemble(step, state)
            state = assembly.state
            inside = [index for index in counted.reasons if counted.inside(index)]
            assert [own.plan().entries[index].uid for index in inside] == uids(assembly)


def vars_of(made: Scenario) -> dict[str, Any]:
    return {name: getattr(made, name) for name in made.__dataclass_fields__}


def test_estimates_agree_with_what_was_worked_out() -> None:
    group = {"group": "g"}
    made = scenario(
        entry(1, "cat", probability=30, content="a dog"), entry(2, "dog", probability=50),
        entry(3, "cat", groupWeight=3, **group), entry(4, "cat", groupWeight=1, **group),
    )  # fmt: skip
    simulation = ready(made)
    state = simulation.initial_state()
    exact = exact_turn(simulation, Step(1), state)
    runs = 2000
    sampled = turn_odds(
        1, sampled_turn(simulation, Step(1), state, range(runs)), runs=runs, why_estimated="to see whether they agree"
    )
    for known in exact.entries:
        guessed = sampled.of(known.index).odds
        assert not guessed.exact
        deviation = math.sqrt(known.odds.chance * (1 - known.odds.chance) / runs)
        assert abs(guessed.chance - known.odds.chance) <= SIGMAS * deviation


def test_effects_of_earlier_turns_are_worked_out() -> None:
    """Sticky for one more turn: the second turn has it if either roll was won, and an active one is not rolled for."""
    made = scenario(entry(1, "cat", probability=50, sticky=3), chat=("A cat.", "-", "A cat.", "-", "A cat."))
    steps = [Step(1), Step(3), Step(5)]
    found = exact_chat(ready(made), steps)
    assert found.why_estimated == ""
    assert [turn.of(0).odds.chance for turn in found.turns] == [about(0.5), about(0.75), about(0.625)]
    assert found.of(0).ever.chance == about(1 - 0.5**3)
    assert found.of(0).turns == about(0.5 + 0.75 + 0.625)
    assert found.of(0).ever.exact


def test_cooldown_and_variables_are_part_of_the_state() -> None:
    made = scenario(
        entry(1, "cat", probability=50, cooldown=3), entry(2, "{{getvar::x}}"),
        entry(3, "cat", probability=50, content="{{setvar::x::cat}}", order=1, cooldown=2),
        chat=("A cat.", "-", "A cat.", "-", "A cat."),
    )  # fmt: skip
    simulation = ready(made)
    steps = [Step(1), Step(3), Step(5)]
    exact = exact_chat(simulation, steps)
    assert exact.why_estimated == ""
    assert [turn.of(0).odds.chance for turn in exact.turns] == [about(0.5), about(0.25), about(0.375)]
    runs = 2000
    sampled = estimated_chat(steps, sampled_chat(simulation, steps, range(runs)), exact_nothing())
    for known in exact.entries:
        guessed = sampled.of(known.index)
        assert guessed.ever.chance == pytest.approx(known.ever.chance, abs=SIGMAS * 0.5 / math.sqrt(runs))
        assert guessed.turns == pytest.approx(known.turns, abs=0.1)
    for known_turn, guessed_turn in zip(exact.turns, sampled.turns, strict=True):
        for entry_odds in known_turn.entries:
            guess = guessed_turn.of(entry_odds.index).odds.chance
            assert guess == pytest.approx(entry_odds.odds.chance, abs=SIGMAS * 0.5 / math.sqrt(runs))


def exact_nothing() -> Any:
    made = scenario(entry(1, "cat", content="{{roll:d999}}"))
    found = exact_chat(ready(made), [Step(1)])
    assert (found.turns, found.entries) == ((), ())
    return found


def test_turns_before_the_first_dice_in_a_text_stay_exact() -> None:
    made = scenario(
        entry(1, "cat", probability=50), entry(2, "dog", content="{{roll:d999}}"), chat=("A cat.", "-", "A dog.")
    )
    steps = [Step(1), Step(3)]
    simulation = ready(made)
    exact = exact_chat(simulation, steps)
    assert exact.why_estimated == "turn 3: a macro throws a die with 999 sides"
    found = estimated_chat(steps, sampled_chat(simulation, steps, range(50)), exact)
    assert [turn.why_estimated == "" for turn in found.turns] == [True, False]
    assert found.turns[0].of(0).odds.chance == about(0.5)
    assert (found.runs, found.turns[1].runs) == (50, 50)
    assert found.of(1).ever.chance == 1
    assert found.of(1).turns == 1
    assert not found.of(1).ever.exact


def test_odds_of_a_chat_that_has_no_dice() -> None:
    made = scenario(entry(1, "cat"), entry(2, "dog"), chat=("A cat.", "-", "-", "A cat."))
    found = exact_chat(ready(made), [Step(1), Step(3), Step(4)])
    assert (found.of(0).ever.chance, found.of(0).turns) == (1, 2)
    assert found.of(9).ever.chance == 0
    assert found.runs == 0


def test_tallies_add_up_in_any_parts() -> None:
    made = scenario(entry(1, "cat", probability=50, sticky=2), chat=("A cat.", "-", "A cat."))
    steps = [Step(1), Step(3)]
    whole = sampled_chat(ready(made), steps, range(20))
    parts = ChatTally()
    for seeds in (range(13, 20), range(4), range(4, 13)):
        parts.merge(sampled_chat(ready(made), steps, seeds))
    assert parts == whole
    counted = whole.turns[0]
    assert counted.seed_in[0] != counted.seed_out[0]
    assert min(counted.seed_in[0], counted.seed_out[0]) == 0


def test_outcomes_are_the_verdicts() -> None:
    made = scenario(
        entry(1, "cat", probability=50), entry(2, "cat", group="g"), entry(3, "cat", group="g"), entry(4, "cat", position=9),
        entry(5, "cat", keysecondary=["dog"]), entry(6, "cat", cooldown=5, sticky=1), chat=("A cat.", "-", "A cat."),
        settings={"world_info_budget": 100, "world_info_budget_cap": 30},
    )  # fmt: skip
    simulation = ready(made)
    for seed in range(20):
        state = simulation.initial_state()
        for upto in (1, 3):
            assembly = simulation.assemble(Step(upto, random=simulation.reseed(seed)), state)
            state = assembly.state
            found = outcomes(assembly)
            assert found
            assert found == {index: verdict(assembly, index).reason for index in found}


def test_where_the_program_stops_nothing_is_in() -> None:
    assert at_end(entry(1, "cat", group="constructor"), entry(2, "cat")) == {1: 0, 2: 0}


@pytest.mark.parametrize(
    ("hits", "runs", "low", "high"),
    [(0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (5, 10, 0.2366, 0.7634), (500, 1000, 0.4691, 0.5309), (0, 0, 0, 1)],
)
def test_wilson(hits: int, runs: int, low: float, high: float) -> None:
    found = wilson(hits, runs)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)
    assert found.low <= found.chance <= found.high


def test_weights_of_all_ways_add_up_to_one() -> None:
    made = scenario(
        entry(1, "cat", probability=33, content="a dog"), entry(2, "dog", probability=7), entry(3, "dog", group="g"),
        entry(4, "cat", group="g", groupWeight=7),
    )  # fmt: skip
    simulation = ready(made)
    assert sum(leaf.weight for leaf in leaves(simulation, Step(1), simulation.initial_state(), 100)) == 1


def test_a_tally_of_nothing() -> None:
    assert turn_odds(1, Tally(), runs=0, why_estimated="nothing ran").entries == ()
