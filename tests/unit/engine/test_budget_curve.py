"""The curve of a turn over budgets, the needs of a chat, and what to do about a budget that cuts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.budget_advice import chat_advice, turn_advice
from lorebook_tui.engine.budget_curve import (
    AMPLE,
    Limited,
    budget_curve,
    context_for,
    in_contexts,
    in_prompt,
    stretches,
    whole_percent,
    why_gone,
)
from lorebook_tui.engine.budget_needs import (
    ChatNeeds,
    always_on,
    chat_needs,
    percentile,
    shares,
    stop_of,
    turn_need,
)
from lorebook_tui.engine.phases.budget import scan_budget
from lorebook_tui.model.layers import Layer, Layers
from lorebook_tui.model.scenario import Step
from tests.unit.engine.lore import COUNTER, CharacterCounter, book, entry, scenario

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.budget_curve import Curve
    from lorebook_tui.engine.budget_needs import TurnNeed
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.scenario import Scenario
    from lorebook_tui.tokens.base import TokenCounter


def cap(tokens: int) -> dict[str, Any]:
    return {"world_info_budget": 100, "world_info_budget_cap": tokens}


def ready(made: Scenario, counter: TokenCounter = COUNTER) -> Simulation:
    return Simulation(made, counter)


def curve(*entries: Entry, counter: TokenCounter = COUNTER, **parts: Any) -> tuple[Curve, Simulation]:
    made = scenario(*entries, **parts)
    simulation = ready(made, counter)
    return budget_curve(simulation, Step(len(made.transcript)), simulation.initial_state()), simulation


def brute(simulation: Simulation, limit: int) -> Assembly:
    """A run whose budget is set where the user sets it."""
    settings = replace(simulation.scenario.settings, **cap(limit))
    own = Simulation(replace(simulation.scenario, settings=settings, max_context=100_000), simulation.counter)
    return own.assemble(Step(len(simulation.scenario.transcript)), own.initial_state())


def check_everywhere(found: Curve, simulation: Simulation) -> None:
    """The curve is what runs give, at every budget up to a little more than everything needs."""
    for limit in range(1, found.need + 3):
        assembly = brute(simulation, limit)
        assert assembly.budget == limit
        assert found.at(limit).inside == in_prompt(assembly)
        assert found.at(limit).tokens == assembly.tokens


def test_entries_come_in_one_by_one_in_their_order() -> None:
    found, simulation = curve(
        entry(1, "cat", order=30, content="1234"), entry(2, "cat", order=20, content="12"), entry(3, "cat", order=10),
        settings={"world_info_recursive": False},
    )  # fmt: skip
    assert [(point.low, point.high) for point in found.points] == [(1, 5), (6, 8), (9, 15), (16, AMPLE)]
    assert [point.came for point in found.points] == [(), (0,), (1,), (2,)]
    assert (found.need, found.is_monotone, found.here) == (16, True, found.points[-1])
    check_everywhere(found, simulation)


def test_texts_that_feed_later_passes_are_counted_as_the_scan_counts_them() -> None:
    found, simulation = curve(
        entry(1, "cat", order=30, content="a dog"), entry(2, "dog", order=20, content="an owl"), entry(3, "owl"),
        entry(4, "owl", preventRecursion=True, order=1), entry(5, "cat", ignoreBudget=True, content="12345"),
    )  # fmt: skip
    assert found.is_monotone
    check_everywhere(found, simulation)


def test_more_room_can_cost_an_entry_its_place() -> None:
    """A winner that is cut leaves its group open for a late member that ignores the budget."""
    found, simulation = curve(
        entry(1, "cat", group="g", order=200, content="long enough", comment="Early"),
        entry(2, "cat", group="g", ignoreBudget=True, delayUntilRecursion=1, content="x", comment="Late"),
        entry(3, "cat", delayUntilRecursion=2, content="y"),
    )
    check_everywhere(found, simulation)
    assert not found.is_monotone
    (point,) = [point for point in found.points if point.went]
    (gone,) = point.went
    assert simulation.plan().entries[gone].entry.title == "Late"
    assert why_gone(point, gone) == "OUT: its group “g” was taken in an earlier pass by “Early”."


def test_more_rolls_before_it_change_the_roll_of_an_entry() -> None:
    found, simulation = curve(
        entry(1, "cat", order=30, content="123456"), entry(2, "cat", order=20, probability=50),
        entry(3, "cat", order=10, probability=50, ignoreBudget=True), numbers=(0.9, 0.1, 0.6),
        settings={"world_info_recursive": False},
    )  # fmt: skip
    assert [(point.low, point.inside) for point in found.points] == [(1, frozenset()), (8, frozenset({0, 2}))]
    check_everywhere(found, simulation)


class Refusing(CharacterCounter):
    """Counts nothing once a text holds a special token, as tiktoken's server does."""

    def count(self, text: str) -> int:
        return 0 if "<|end|>" in text else len(text)

    def running(self) -> Any:
        from lorebook_tui.tokens.base import WholeTextCount

        return WholeTextCount(self.count)


def test_sums_that_fall_are_no_trouble() -> None:
    found, simulation = curve(
        entry(1, "cat", order=30, content="12345678"), entry(2, "cat", order=20, content="<|end|>"),
        entry(3, "cat", order=10, content="123"), counter=Refusing(), settings={"world_info_recursive": False},
    )  # fmt: skip
    assert [point.came for point in found.points] == [(), (0, 1, 2)]
    check_everywhere(found, simulation)


def test_each_stretch_of_budgets_is_run_at_both_ends() -> None:
    tried: list[int] = []
    made = scenario(entry(1, "cat", content="1234"), settings={"world_info_recursive": False})
    simulation = ready(made)

    def run(limit: int) -> Assembly:
        tried.append(limit)
        return Limited(simulation, limit).assemble(Step(1), simulation.initial_state())

    assert [(item.low, item.high) for item in stretches(run)] == [(6, AMPLE), (1, 5)]
    assert sorted(tried) == [1, 5, 6, AMPLE]


def test_a_budget_that_is_looked_at_otherwise_is_found_out() -> None:
    """A made-up engine that has another entry in wherever the budget is below 40."""
    made = scenario(entry(1, "cat", content="1234"), settings={"world_info_recursive": False})
    simulation = ready(made)
    other = ready(replace(made, layers=Layers((book(entry(2, "cat", content="abcd")),))))

    def run(limit: int) -> Assembly:
        given = other if limit < 40 else simulation
        return Limited(given, limit).assemble(Step(1), given.initial_state())

    found = [(item.low, item.high, item.assembly.entry(0).uid) for item in stretches(run) if item.assembly.admitted]
    assert found == [(40, AMPLE, 1), (6, 39, 2)]


def test_percentages_and_contexts() -> None:
    found, simulation = curve(entry(1, "cat", content="1234"), max_context=20, settings={"world_info_budget": 25})
    assert (found.limit, found.here.inside) == (5, frozenset())
    assert [found.limit_at(percent) for percent in (1, 25, 50, 100)] == [1, 5, 10, 20]
    assert found.at(found.limit_at(30)).inside == {0}
    small, large = in_contexts(simulation, Step(1), simulation.initial_state(), (20, 24))
    assert (small.budget, large.budget) == (5, 6)
    assert [set(in_prompt(assembly)) for assembly in (small, large)] == [set(), {0}]
    capped, _ = curve(entry(1, "cat"), settings={"world_info_budget_cap": 7})
    assert (capped.limit, capped.limit_at(100)) == (7, 7)


@pytest.mark.parametrize(("tokens", "context", "percent"), [(6, 20, 28), (1, 20, 1), (20, 20, 98), (21, 20, None)])
def test_whole_percent(tokens: int, context: int, percent: int | None) -> None:
    assert whole_percent(tokens, context) == percent


@pytest.mark.parametrize("percent", [1, 3, 25, 33, 100, 250])
@pytest.mark.parametrize("tokens", [1, 2, 7, 1000, 1204, 65537])
def test_context_for_is_the_smallest(tokens: int, percent: int) -> None:
    context = context_for(tokens, percent)
    assert context is not None
    assert scan_budget(percent, context, 0) >= tokens
    assert context == 1 or tokens == 1 or scan_budget(percent, context - 1, 0) < tokens


def test_no_percentage_no_context() -> None:
    assert context_for(5, 0) is None


def test_a_turn_without_lore_needs_nothing() -> None:
    found, _ = curve(entry(1, "dog"))
    assert (len(found.points), found.need) == (1, 1)


def needs(*entries: Entry, upto: tuple[int, ...] = (1, 3, 5), **parts: Any) -> tuple[ChatNeeds, Simulation]:
    simulation = ready(scenario(*entries, **parts))
    return ChatNeeds(tuple(chat_needs(simulation, [Step(number) for number in upto]))), simulation


CHAT = ("A cat.", "-", "A cat and a dog.", "-", "A dog.")
FLAT = {"world_info_recursive": False, "world_info_depth": 1}


def test_what_each_turn_needs_and_who_comes_and_goes() -> None:
    found, simulation = needs(
        entry(1, "cat", order=30, content="123"), entry(2, "dog", order=20, content="1234567"),
        entry(3, constant=True, order=10, content="12"), chat=CHAT, settings={**FLAT, **cap(12)},
    )  # fmt: skip
    assert [turn.need for turn in found.turns] == [8, 16, 12]
    assert [turn.cut for turn in found.turns] == [(), (1, 2), ()]
    assert (found.percentile(0.5), found.percentile(0.95), found.most) == (12, 16, 16)
    both = found.survivals
    assert [(item.index, item.inside, item.cut, item.always_on) for item in both] == [
        (1, (5,), (3,), False),
        (2, (1, 5), (3,), True),
    ]
    assert all(item.comes_and_goes for item in both)
    enough = ready(replace(simulation.scenario, settings=replace(simulation.scenario.settings, **cap(found.most))))
    state = enough.initial_state()
    for upto in (1, 3, 5):
        assembly = enough.assemble(Step(upto), state)
        assert not assembly.overflowed
        state = assembly.state


def test_what_earlier_cuts_leave_undone_is_part_of_the_need() -> None:
    """Without the budget the first turn would have started a sticky effect."""
    found, _ = needs(
        entry(1, "cat", sticky=9, order=30, content="12345678"), entry(2, "cat", order=20, content="1"), upto=(1, 5),
        chat=("A cat.", "-", "-", "-", "-"), settings={**FLAT, **cap(5)},
    )  # fmt: skip
    assert [turn.need for turn in found.turns] == [12, 10]
    assert found.turns[1].wanted == frozenset()


def test_entries_that_never_get_in_come_last() -> None:
    found, _ = needs(
        entry(1, "cat", order=5, content="1" * 50), entry(2, "cat", order=9, content="1" * 9), chat=CHAT,
        upto=(1, 3, 5), settings={**FLAT, **cap(11)},
    )  # fmt: skip
    assert [(item.index, item.comes_and_goes) for item in found.survivals] == [(1, False)]


def test_shares_and_what_is_always_on() -> None:
    made = replace(
        scenario(chat=("A cat.",)),
        layers=Layers(
            (book(entry(1, "cat", content="12"), name="a"), book(entry(1, constant=True, content="1234"), name="b")),
            persona=(book(entry(1, "cat", content="@@activate\n1", position=9), name="c"),),
        ),
    )
    simulation = ready(made)
    turn = turn_need(simulation, Step(1), simulation.initial_state())
    found = shares([turn.assembly])
    assert dict(found.layers) == {Layer.GLOBAL: 8}
    assert found.books == {(Layer.GLOBAL, "a"): 3, (Layer.GLOBAL, "b"): 5}
    assert found.total == 8
    assert list(always_on(turn.ample).values()) == [5, 2]


@pytest.mark.parametrize(
    ("values", "share", "found"), [([], 0.5, 0), ([3, 1, 2], 0.5, 2), ([4, 1, 2, 3], 0.5, 2), ([1, 9], 0.95, 9)]
)
def test_percentile(values: list[int], share: float, found: int) -> None:
    assert percentile(values, share) == found


def one_turn(*entries: Entry, **parts: Any) -> tuple[TurnNeed, Simulation]:
    simulation = ready(scenario(*entries, **parts))
    return turn_need(simulation, Step(1), simulation.initial_state()), simulation


def test_the_first_that_does_not_fit_keeps_smaller_ones_out() -> None:
    turn, simulation = one_turn(
        entry(1, "cat", order=30, content="123"), entry(2, "cat", order=20, content="1" * 30, comment="Big"),
        entry(3, "cat", order=10, content="12", comment="Small"), entry(4, "cat", order=5, content="1" * 20),
        settings={**FLAT, **cap(12)},
    )  # fmt: skip
    stop = stop_of(turn.assembly, simulation)
    assert stop is not None
    assert (stop.stopper, stop.tokens, stop.left, stop.behind, stop.would_fit) == (1, 31, 7, (2, 3), (2,))
    told = {item.kind.value: item.sentence for item in turn_advice(simulation, turn)}
    assert told["budget"] == ("With a budget of 60 tokens (now 12) everything fits; raise the cap.")
    assert told["length"] == (
        "About 48 tokens less text in all let everything in as well; the longest are “Big” (31), “e4” (21), “e1” (4)."
    )
    assert told["step_back"] == (
        "With order 9 (now 20) “Big” no longer stands in front of smaller ones for which the 7 tokens left are enough: "
        "“Small” comes in."
    )
    assert "entry" in told


@pytest.mark.parametrize("order", [50, None])
def test_stepping_back_is_only_offered_where_it_helps(order: int | None) -> None:
    """Chat lore is asked first whatever its order; an entry without an order is nowhere in particular."""
    big = entry(1, "cat", order=20, content="1" * 30)
    small = entry(2, "cat", order=order, content="12")
    made = scenario(settings={**FLAT, **cap(12)})
    simulation = ready(replace(made, layers=Layers((book(small, name="g"),), chat=(book(big, name="c"),))))
    turn = turn_need(simulation, Step(1), simulation.initial_state())
    assert stop_of(turn.assembly, simulation) is not None
    assert "step_back" not in {item.kind.value for item in turn_advice(simulation, turn)}


def test_stepping_back_goes_below_a_broken_order() -> None:
    turn, simulation = one_turn(
        entry(1, "cat", order=20, content="1" * 30),
        *(entry(uid, "cat", order=9.5, content="1") for uid in range(2, 7)),
        settings={**FLAT, **cap(12)},
    )
    (told,) = [item.sentence for item in turn_advice(simulation, turn) if item.kind.value == "step_back"]
    assert told.startswith("With order 9 (now 20) “e1”")
    assert told.endswith("“e2”, “e3”, “e4” and 2 more come in.")


def test_only_constants_that_are_cut_are_offered_it() -> None:
    found, simulation = needs(
        entry(1, constant=True, order=30, content="1234567890", comment="Rules"),
        entry(2, constant=True, order=40, content="12", comment="Small"),
        entry(3, constant=True, order=20, content="12", ignoreBudget=True, delayUntilRecursion=1),
        chat=CHAT, settings={**FLAT, **cap(9)},
    )  # fmt: skip
    told = [item.sentence for item in chat_advice(simulation, found) if item.kind.value == "constant"]
    assert told == [
        "“Rules” is constant, which only spares it the keys; with “ignore budget” on it is in at every turn."
    ]


def test_no_cut_no_advice() -> None:
    turn, simulation = one_turn(entry(1, "cat"))
    assert stop_of(turn.assembly, simulation) is None
    assert turn_advice(simulation, turn) == ()
    found, simulation = needs(entry(1, "cat"), chat=CHAT)
    assert chat_advice(simulation, found) == ()
    assert chat_advice(simulation, ChatNeeds(())) == ()


def test_advice_about_percentages_contexts_and_caps() -> None:
    turn, simulation = one_turn(entry(1, "cat", content="1" * 29), max_context=40)
    assert turn_advice(simulation, turn)[0].sentence == (
        "With a budget of 31 tokens (now 10) everything fits: 77 % of a context of 40 or 25 % of one of 122."
    )
    capped, simulation = one_turn(
        entry(1, "cat", content="1" * 29), max_context=40, settings={"world_info_budget_cap": 9}
    )
    assert turn_advice(simulation, capped)[0].sentence == (
        "With a budget of 31 tokens (now 9) everything fits: 77 % of a context of 40 or 25 % of one of 122; the cap of 9 "
        "has to be raised too."
    )


def test_a_constant_that_is_cut_is_offered_what_keeps_it_in() -> None:
    found, simulation = needs(
        entry(1, "cat", order=30, content="1234567"), entry(2, constant=True, order=10, content="12", comment="Rules"),
        chat=CHAT, settings={**FLAT, **cap(9)},
    )  # fmt: skip
    told = {item.kind.value: item.sentence for item in chat_advice(simulation, found)}
    assert told["constant"] == (
        "“Rules” is constant, which only spares it the keys; with “ignore budget” on it is in at every turn."
    )
    assert told["budget"].startswith("With a budget of 12 tokens (now 9) everything fits at every turn")


def test_the_base_simulation_is_left_alone() -> None:
    simulation = ready(scenario(entry(1, "cat")))
    before = simulation.plan().settings
    Limited(simulation, 1).assemble(Step(1), simulation.initial_state())
    assert simulation.plan().settings is before
