"""The flow of work: never a blocked key, never a stale picture, the old one dimmed until the new one is there."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import EngineError, UnreadableError, UsageError
from lorebook_tui.tokens import registry
from lorebook_tui.tokens.base import WholeTextCount
from lorebook_tui.tokens.estimate import EstimateCounter
from lorebook_tui.tui import app as app_module
from lorebook_tui.tui import messages
from lorebook_tui.tui.app import LorebookApp, Manner, run
from lorebook_tui.tui.replay import KEPT_PICTURES, Picture, Replay, turn_steps
from lorebook_tui.tui.scene import EVERY_TURN, Catalogue, Scene
from lorebook_tui.tui.screens import simulating

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.replay import Turn

WAIT = 10
"""Seconds after which a test gives up on a thread."""


class Gate:
    """Holds every worker that comes through until it is opened."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()

    def pass_through(self) -> None:
        self.reached.set()
        assert self.open.wait(WAIT)


@pytest.fixture
def slow_pictures(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Full turns wait at a gate; replaying does not."""
    gate = Gate()
    real = Replay.picture

    def picture(replay: Replay, number: int) -> Picture:
        gate.pass_through()
        return real(replay, number)

    monkeypatch.setattr(Replay, "picture", picture)
    return gate


async def test_keys_work_and_the_old_picture_dims_while_a_turn_is_worked_out(
    open_bench: Callable[..., Any], scene: Scene, slow_pictures: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulating, "DIM_AFTER", 0.001)
    slow_pictures.open.set()
    async with open_bench(scene, (180, 50)) as bench:
        slow_pictures.open.clear()
        slow_pictures.reached.clear()
        await bench.pilot.press("left_square_bracket")
        assert slow_pictures.reached.wait(WAIT)
        while not bench.screen.phase_rows.has_class("-stale"):
            await bench.pilot.pause()
        assert "turn 6 of 8" in bench.text()
        assert bench.screen.picture.number == 3, "the old picture stays"
        style = bench.screen.phase_rows.render_line(0)._segments[0].style
        assert style
        assert style.dim
        await bench.pilot.press("p", "2")
        assert bench.screen.phase_rows.phase == 2, "keys are not blocked"
        slow_pictures.open.set()
        await bench.settle()
        assert bench.screen.picture.number == 2
        assert not bench.screen.phase_rows.has_class("-stale")


async def test_only_the_last_of_many_turns_is_shown(
    open_bench: Callable[..., Any], scene: Scene, slow_pictures: Gate
) -> None:
    slow_pictures.open.set()
    async with open_bench(scene) as bench:
        slow_pictures.open.clear()
        shown: list[int] = []
        taken = bench.screen.take_picture

        def take(picture: Picture, *rest: Any) -> None:
            shown.append(picture.number)
            taken(picture, *rest)

        bench.screen.take_picture = take
        await bench.pilot.press("left_square_bracket", "left_square_bracket", "left_square_bracket")
        slow_pictures.open.set()
        await bench.settle()
        assert shown == [0]


async def test_results_of_an_older_replay_are_dropped(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        old = bench.screen.replay
        await bench.press("m")
        current = bench.screen.picture
        bench.screen.post_message(messages.TurnPictured(old.picture(3), None, None))
        bench.screen.post_message(messages.TurnsReplayed(old))
        bench.screen.post_message(messages.NearMissesFound(old.picture(3), frozenset({1}), frozenset({1})))
        bench.screen.post_message(messages.EntryExplained(old.picture(3), 0, old.explain(old.picture(3), 0)))
        await bench.settle()
        assert bench.screen.picture is current
        assert bench.screen.near.isdisjoint({1})


async def test_going_back_to_a_turn_assembles_nothing(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        last = bench.screen.picture
        await bench.press("left_square_bracket", "right_square_bracket")
        assert bench.screen.picture is last


class SlowlyLoaded:
    """Counts twice what the estimate says, and waits at a gate before it first counts."""

    name = "slow"
    basis = "twice the estimate"
    approximate = False

    def __init__(self, estimate: EstimateCounter, gate: Gate) -> None:
        self.estimate = estimate
        self.gate = gate

    def count(self, text: str) -> int:
        self.gate.pass_through()
        return 2 * self.estimate.count(text)

    def running(self) -> WholeTextCount:
        return WholeTextCount(self.count)


async def test_tokens_are_estimated_until_the_vocabulary_is_there(
    open_bench: Callable[..., Any], scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()
    exact = SlowlyLoaded(EstimateCounter("slow"), gate)
    real = registry.counter
    monkeypatch.setattr(registry, "counter", lambda name: exact if name == "slow" else real(name))
    slow = Scene(scene.title, replace(scene.scenario, tokenizer="slow"))
    async with open_bench(slow, settled=False) as bench:
        while bench.screen.picture is None or not gate.reached.is_set():
            await bench.pilot.pause()
        estimated = bench.screen.picture
        assert estimated.approximate
        assert "≈ 30/90 tok" in bench.text()
        gate.open.set()
        await bench.settle()
        assert not bench.screen.picture.approximate
        assert "≈" not in bench.text().splitlines()[0]
        assert bench.screen.picture.turn.tokens == 2 * estimated.turn.tokens
        assert bench.screen.replay.catalogue is estimated.replay.catalogue, "nothing is compiled again"


async def test_an_error_of_the_product_is_told_and_survived(
    open_bench: Callable[..., Any], scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Replay.advance

    def advance(replay: Replay) -> Turn:
        if len(replay.turns) == 2:
            raise EngineError("The group [toString] stops the product.")
        return real(replay)

    monkeypatch.setattr(Replay, "advance", advance)
    async with open_bench(scene, (180, 50)) as bench:
        assert "The group [toString] stops the product." in bench.text()
        assert [notice.markup for notice in bench.app._notifications] == [False]
        assert "turn 8 of 8" in bench.text()
        await bench.press("ctrl+home")
        assert bench.screen.picture.number == 0
        assert "✓ IN" in bench.text()


def unreadable() -> Scene:
    raise UnreadableError("There is no such file.", where="lore.json")


async def test_files_that_cannot_be_opened_end_the_program_with_their_error() -> None:
    app = LorebookApp(unreadable)
    async with app.run_test() as pilot:
        while app.is_running and not app._exit:
            await pilot.pause()
    assert isinstance(app.return_value, UnreadableError)
    assert app.return_code == UnreadableError.exit_status


def test_run_raises_what_opening_raised() -> None:
    def refuse() -> Any:
        return unreadable()

    with pytest.raises(UnreadableError, match="no such file"):
        run(refuse, Manner(headless=True))


def test_run_refuses_a_dumb_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(UsageError, match="TERM=dumb"):
        run(lambda: pytest.fail("nothing is opened"))


def test_smoke_run_leaves_by_itself(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "scene_of", lambda given: given)
    assert run(lambda: scene, Manner(headless=True, smoke=True)) == 0  # type: ignore[arg-type, return-value]


class TestReplay:
    def test_any_turn_is_the_same_whether_replayed_or_assembled_again(self, scene: Scene) -> None:
        replay = Replay(scene, EstimateCounter("estimate"))
        while not replay.complete:
            replay.advance()
        for number, turn in enumerate(replay.turns):
            assert replay.picture(number).turn.marks == turn.marks
            assert replay.picture(number).turn.tokens == turn.tokens

    def test_few_pictures_are_kept(self, scene: Scene) -> None:
        messages_ = scene.scenario.transcript.messages * 10
        transcript = replace(scene.scenario.transcript, messages=messages_)
        long = Scene(scene.title, replace(scene.scenario, transcript=transcript))
        replay = Replay(long, EstimateCounter("estimate"), EVERY_TURN)
        while not replay.complete:
            replay.picture(replay.advance().number)
        assert len(replay.turns) == 80
        assert sum(replay.kept(number) is not None for number in range(80)) == KEPT_PICTURES
        assert replay.kept(79) is not None

    def test_a_chat_without_user_messages_has_one_turn(self, scene: Scene) -> None:
        empty = Scene("x", replace(scene.scenario, transcript=replace(scene.scenario.transcript, messages=())))
        assert [step.upto for step in turn_steps(empty, "user")] == [0]

    def test_book_of_two_layers_is_loaded_once(self, scene: Scene) -> None:
        layers = scene.scenario.layers
        twice = Scene("x", scene.scenario.with_layers(replace(layers, persona=layers.global_)))
        replay = Replay(twice, EstimateCounter("estimate"))
        replay.prepare()
        catalogue = replay.catalogue
        assert isinstance(catalogue, Catalogue)
        loaded = [ref for ref in twice.refs() if catalogue.index(ref) is not None]
        assert {ref.layer for ref in loaded} == {ref.layer for ref in scene.refs()} - {
            next(reversed(list(twice.refs()))).layer
        }
        assert all(catalogue.ref(catalogue.index(ref) or 0) == ref for ref in loaded)


async def test_empty_workspace_shows_empty_layers(open_bench: Callable[..., Any]) -> None:
    from lorebook_tui.model.scenario import Scenario

    async with open_bench(Scene("nothing", Scenario())) as bench:
        assert bench.text().count("none") == 4
        assert "no chat" in bench.text()
        for key in ("1", "enter", "p", "1", "c", "enter", "w", "g", "escape", "m", "left_square_bracket", "slash", "a"):
            await bench.press(key)
        assert bench.app.is_running


async def test_notes_of_loading_are_told_as_plain_text(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(replace(scene, notes=("[red]book[/] was taken as UTF-8",))) as bench:
        assert [notice.message for notice in bench.app._notifications] == ["[red]book[/] was taken as UTF-8"]
        assert all(not notice.markup for notice in bench.app._notifications)
