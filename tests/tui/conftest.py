"""The screen under test: a small scene whose every turn is known, a driver that waits for workers, screens as text."""

from __future__ import annotations

import json
import os
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from textual.worker import WorkerCancelled

from lorebook_tui.formats import detect
from lorebook_tui.model.cast import Cast, Character, Persona
from lorebook_tui.model.layers import Layer
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.tui import replay
from lorebook_tui.tui.app import LorebookApp
from lorebook_tui.tui.scene import Scene, scene_of
from lorebook_tui.tui.screens import simulating
from lorebook_tui.tui.screens.lint_work import LintWork
from lorebook_tui.tui.screens.whatif_live import WhatIfLive
from lorebook_tui.tui.screens.workbench import Workbench
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.workspace import OpenedBook, Workspace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from textual.pilot import Pilot

    OpenBench = Callable[..., Any]

GOLDEN = Path(__file__).parents[1] / "golden" / "tui"
UPDATE_VARIABLE = "LOREBOOK_UPDATE_GOLDEN"


class Bench:
    """A running workbench."""

    def __init__(self, app: LorebookApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def screen(self) -> Workbench:
        """The workbench, whatever dialog stands over it."""
        screen = self.app.screen_stack[0]
        assert isinstance(screen, Workbench)
        return screen

    async def settle(self) -> None:
        """Wait until no worker runs and no message waits."""
        await settle(self.pilot)

    async def press(self, *keys: str) -> None:
        """Press keys and wait for what they cause."""
        await self.pilot.press(*keys)
        await self.settle()

    def text(self) -> str:
        """What stands on the screen."""
        return screen_text(self.app)

    @property
    def title(self) -> str:
        """The title of the chosen entry."""
        scene, chosen = self.screen.scene, self.screen.chosen
        assert scene
        assert chosen
        return scene.entry(chosen).title

    async def click_text(self, text: str, *, within: str = "") -> None:
        """Click the first occurrence of a text on the screen, or inside a widget."""
        region = self.app.screen.query_one(within).region if within else self.app.screen.region
        for y, line in enumerate(self.text().splitlines()):
            x = line.find(text, region.x)
            if x >= 0 and region.contains(x, y):
                await self.pilot.click(offset=(x, y))
                await self.settle()
                return
        raise AssertionError(f"{text!r} is not on the screen")


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until no worker runs and no message waits."""
    for _ in range(100):
        await pilot.pause()
        running = [worker for worker in pilot.app.workers if not worker.is_finished]
        if getattr(pilot.app, "has_keys_waiting", False):
            continue
        if not running:
            await pilot.pause()
            if all(worker.is_finished for worker in pilot.app.workers):
                return
        for worker in running:
            try:
                await worker.wait()
            except WorkerCancelled:
                continue
    raise AssertionError("the workers do not come to rest")


def screen_text(app: LorebookApp) -> str:
    """The compositor's strips joined; the only place that looks into Textual."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"


def entry(uid: int, comment: str, content: str, *keys: str, **fields: Any) -> dict[str, Any]:
    return {"uid": uid, "comment": comment, "content": content, "key": list(keys), "order": 100, "position": 1} | fields


def book(layer: Layer, name: str, *entries: dict[str, Any], folder: Path = Path()) -> OpenedBook:
    """A world as if read from `NAME.json`."""
    world = json.dumps({"entries": {str(item["uid"]): item for item in entries}}, indent=4)
    path = folder / f"{name}.json"
    loaded = detect.load(world.encode(), path.name)
    return OpenedBook(layer, loaded.require_book(), Source(path, loaded))


def small_workspace(folder: Path = Path()) -> Workspace:
    """Four layers, eight messages; every mark of the screen occurs at one of its turns."""
    harbour = book(
        Layer.GLOBAL,
        "harbour",
        entry(0, "World rules", "The tide takes one day in seven. " * 3, constant=True, order=200),
        entry(1, "The bell", "The bell under the landing answers the ferry.", "bell", order=150, sticky=3),
        entry(2, "The ferry", "The ferry carries salt and letters.", "ferry", order=90, preventRecursion=True),
        entry(3, "The mill", "A long text about the mill that no budget will take. " * 6, "mill", order=80),
        entry(4, "The guild", "Seven wicks keep the lamps.", "lantern guild", order=70, group="crowd", groupWeight=1),
        entry(5, "The crowd", "Nobody answers.", "lantern", order=71, group="crowd", groupOverride=True),
        entry(6, "Old map", "Here be mud.", "map", disable=True),
        entry(7, "Meaning", "Of salt and water.", vectorized=True),
        entry(8, "Nowhere", "", "pole"),
        entry(9, "Later", "The storm comes late.", "bell", delay=6, order=60),
        folder=folder,
    )
    mira = book(
        Layer.CHARACTER, "mira", entry(0, "Mira's oath", "Mira swore on the bell.", "oath", order=95), folder=folder
    )
    you = book(Layer.PERSONA, "you", entry(0, "Your coat", "It is wet.", "Coat", caseSensitive=True), folder=folder)
    return Workspace(
        books=(harbour, mira, you),
        settings=ScanSettings(world_info_depth=2, world_info_budget=100),
        cast=Cast(Persona("Rowan"), Character("Mira", "mira.png")),
        transcript=Transcript(
            tuple(
                Message(text, "Rowan" if number % 2 else "Mira", is_user=bool(number % 2))
                for number, text in enumerate(
                    (
                        "The ferry waits at the landing.",
                        "I ring the bell twice, and pull my coat shut.",
                        "An oath is an oath, says Mira.",
                        "I ask about the lantern guild.",
                        "She points with her pole.",
                        "Tell me of the mill and the ferry.",
                        "The mill is gone.",
                        "Then I count the lamps.\n\nOne. Two.",
                    )
                )
            ),
            "night-boat",
        ),
        context=90,
        tokenizer="estimate",
        seed=7,
        sources=(harbour.source, mira.source, you.source),
    )


def small_scene(**changes: Any) -> Scene:
    """The small workspace as a scene."""
    made = scene_of(small_workspace())
    scenario = replace(made.scenario, macro_texts={})
    return replace(made, title="ferry town", scenario=scenario, **changes)


@pytest.fixture(autouse=True)
def no_remedies_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would change a verdict comes a moment later; a picture of the screen must not depend on that moment."""
    monkeypatch.setattr(simulating, "REMEDIES_AFTER", 3600)


@pytest.fixture(autouse=True)
def no_checks_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The linter looks a moment later; a picture of the screen must not depend on that moment."""
    monkeypatch.setattr(LintWork, "check_after", None)


@pytest.fixture(autouse=True)
def no_news_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an edit changed comes a moment later, and its line takes the place of the names."""
    monkeypatch.setattr(WhatIfLive, "tells_news", False)


@pytest.fixture(autouse=True)
def notices_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a notice would be gone before a test looks for it."""
    usual = LorebookApp.notify

    def notify(app: LorebookApp, message: str, **options: Any) -> None:
        usual(app, message, **options | {"timeout": 3600})

    monkeypatch.setattr(LorebookApp, "notify", notify)
    monkeypatch.setattr(LorebookApp, "READ_AFTER", 3600)


@pytest.fixture(autouse=True)
def nothing_is_written_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Files that a test saves lie in a folder of its own."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def scene() -> Scene:
    return small_scene()


@pytest.fixture
def settle_app() -> Callable[[Pilot[Any]], Any]:
    """For tests that run the program themselves."""
    return settle


@pytest.fixture
def open_bench(monkeypatch: pytest.MonkeyPatch) -> OpenBench:
    """Opens a workbench: `async with open_bench(scene, size=(120, 40)) as bench`."""
    monkeypatch.setattr(replay, "thread_time", lambda: 0.0)

    @asynccontextmanager
    async def opened(
        scene: Scene, size: tuple[int, int] = (120, 40), *, settled: bool = True, **options: Any
    ) -> AsyncIterator[Bench]:
        app = LorebookApp(lambda: scene, **options)
        async with app.run_test(size=size) as pilot:
            bench = Bench(app, pilot)
            if settled:
                await bench.settle()
            yield bench

    return opened


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compares a screen with its file; `LOREBOOK_UPDATE_GOLDEN=1` writes the file, to be read before it is committed."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / f"{name}.txt"
        if os.environ.get(UPDATE_VARIABLE):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8"), f"{path.name}: if this is meant, run again with {UPDATE_VARIABLE}=1"

    return compare
