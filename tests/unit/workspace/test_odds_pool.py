"""Odds in several processes: the same figures in any number of them, and where none can be had."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.model.scenario import RandomSource
from lorebook_tui.tokens.registry import counter
from lorebook_tui.workspace import odds_pool
from lorebook_tui.workspace.odds_pool import Effort, odds_at_turns, odds_over_chat
from lorebook_tui.workspace.turns import Replay
from tests.unit.engine.lore import entry, scenario

if TYPE_CHECKING:
    from collections.abc import Iterator


def replayed(text: str = "{{roll:d1000}}") -> Replay:
    """A chat of three turns with dice, by default some of unknown odds."""
    made = scenario(
        entry(1, "cat", probability=50, sticky=3, content=text), entry(2, "cat", probability=20),
        chat=("A cat.", "-", "A cat.", "-", "A cat."), tokenizer="estimate",
    )  # fmt: skip
    return Replay(Simulation(made, counter("estimate")), (1, 3, 5))


def test_portions_cover_every_seed_once() -> None:
    effort = Effort(runs=1001, seed=7)
    for turns in (1, 3, 500):
        assert [seed for part in effort.parts(turns) for seed in part] == list(range(7, 1008))


def test_any_number_of_processes_gives_the_same() -> None:
    chat = replayed()
    one, two = (Effort(runs=420, seed=3, jobs=jobs) for jobs in (1, 2))
    assert odds_over_chat(chat, one) == odds_over_chat(chat, two)
    assert odds_at_turns(chat, [1, 5], one) == odds_at_turns(chat, [1, 5], two)


@pytest.mark.parametrize("error", [OSError, ImportError, NotImplementedError])
def test_without_processes_it_only_takes_longer(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    chat = replayed()
    expected = odds_over_chat(chat, Effort(runs=150, seed=3, jobs=1))

    def refused(*_: object) -> Iterator[object]:
        raise error
        yield

    monkeypatch.setattr(odds_pool, "_pooled", refused)
    assert odds_over_chat(chat, Effort(runs=150, seed=3, jobs=2)) == expected


def test_a_mistake_in_the_work_is_no_lack_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Iterator[object]:
        raise ValueError("a mistake")
        yield

    monkeypatch.setattr(odds_pool, "_pooled", broken)
    with pytest.raises(ValueError, match="a mistake"):
        odds_over_chat(replayed(), Effort(runs=150, seed=3, jobs=2))


def test_progress_goes_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    odds_over_chat(replayed(), Effort(runs=150, seed=1, jobs=1), lambda done, total: told.append((done, total)))
    assert told[-1] == (150, 150)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    told.clear()
    odds_at_turns(replayed(), [1, 3], Effort(runs=300, seed=1, jobs=1), lambda done, total: told.append((done, total)))
    assert told == [(200, 600), (300, 600), (500, 600), (600, 600)]
    told.clear()
    exact = odds_over_chat(replayed("x"), Effort(runs=90, seed=1), lambda done, total: told.append((done, total)))
    assert exact.why_estimated == ""
    assert told == [(30, 90), (60, 90), (90, 90)]


def test_a_turn_is_judged_after_the_turns_before_as_they_went() -> None:
    """Where the first roll of a seed was won, the next turn has the entry for sure."""
    made = replayed("x").simulation.scenario
    found = []
    for seed in range(1, 9):
        simulation = Simulation(replace(made, random=RandomSource(seed)), counter("estimate"))
        found.append(odds_at_turns(Replay(simulation, (1, 3, 5)), [1, 3], Effort(runs=10, seed=seed)))
    assert {round(turns[0].of(0).odds.chance, 6) for turns in found} == {0.5}
    assert {round(turns[1].of(0).odds.chance, 6) for turns in found} == {0.5, 1.0}


def test_a_turn_beside_the_chat_can_be_asked_for() -> None:
    found = odds_at_turns(replayed("x"), [2, 0], Effort(runs=10, seed=1))
    assert [turn.upto for turn in found] == [0, 2]
