"""Starting: what is loaded before the screen stands, the shipped sample, and the walls inside the screen."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UnreadableError
from lorebook_tui.glyphs import Glyphs
from lorebook_tui.tui.app import LorebookApp, Manner, run
from lorebook_tui.tui.scene import scene_of
from lorebook_tui.tui.screens.opening import Opening
from lorebook_tui.tui.screens.workbench import Workbench
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.sample import sample

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.pilot import Pilot

    from lorebook_tui.tui.scene import Scene

PACKAGE = Path(__file__).parents[2] / "lorebook_tui" / "tui"
LATE = {
    "lorebook_tui.engine.assemble", "lorebook_tui.engine.macros", "lorebook_tui.model.fields", "lorebook_tui.formats",
    "lorebook_tui.workspace.opening", "rapidfuzz", "tiktoken", "ahocorasick", "corvus_regex_ecma262",
}  # fmt: skip
"""What a worker or a dialog loads; each of them would make the screen come later."""
PURE_MODULES = ("flow", "ink", "replay", "scene", "search", "targets", "terminal")
PURE = [*PACKAGE.glob("views/*.py"), *(PACKAGE / f"{name}.py" for name in PURE_MODULES)]


def loaded_by(*modules: str) -> set[str]:
    code = f"import json, sys, {', '.join(modules)}; json.dump(sorted(sys.modules), sys.stdout)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8")
    return set(json.loads(done.stdout))


def test_the_screen_stands_before_the_engine_is_loaded() -> None:
    assert loaded_by("lorebook_tui.tui.app") & LATE == set()


def textual_of(loaded: set[str]) -> set[str]:
    return {name for name in loaded if name.partition(".")[0] in {"textual", "rich"}}


def test_what_is_drawn_is_made_without_textual() -> None:
    """All modules in one interpreter: none loads Textual exactly if all together do not."""
    modules = [
        ".".join(path.relative_to(PACKAGE.parents[1]).with_suffix("").parts).removesuffix(".__init__") for path in PURE
    ]
    loaded = loaded_by(*modules)
    assert set(modules) <= loaded
    blamed = [module for module in modules if textual_of(loaded_by(module))] if textual_of(loaded) else []
    assert textual_of(loaded) == set(), f"loaded by {', '.join(blamed)}"


def test_the_sample_starts_and_leaves() -> None:
    assert run(lambda: open_workspace([sample()]), Manner(headless=True, smoke=True)) == 0


def test_a_smoke_run_of_nothing_fails_with_its_error() -> None:
    with pytest.raises(UnreadableError):
        run(lambda: open_workspace([Path("no such file.json")]), Manner(headless=True, smoke=True))


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process, where the workbench is not loaded yet."""
    monkeypatch.setattr(LorebookApp, "get_default_screen", lambda app: Opening(app.opener, Glyphs(letters=False)))


def held_back(scene: Scene) -> tuple[LorebookApp, threading.Event]:
    """A program that opens its files when it is told to."""
    may_open = threading.Event()

    def opener() -> Scene:
        may_open.wait(20)
        return scene

    return LorebookApp(opener), may_open


async def workbench_of(pilot: Pilot[Any], settle_app: Callable[[Any], Any]) -> Workbench:
    """The workbench with its first turn, which comes over the first screen when it is loaded."""
    for _ in range(50):
        await settle_app(pilot)
        if isinstance(pilot.app.screen, Workbench) and pilot.app.screen.picture:
            return pilot.app.screen
    raise AssertionError("the workbench does not come")


@pytest.mark.usefixtures("fresh")
async def test_the_tree_stands_first_and_the_workbench_comes_over_it(
    scene: Scene, settle_app: Callable[[Any], Any]
) -> None:
    app = LorebookApp(lambda: scene)
    async with app.run_test(size=(120, 40)) as pilot:
        await workbench_of(pilot, settle_app)
        await pilot.press("q")
        await settle_app(pilot)
        assert app._exit


@pytest.mark.usefixtures("fresh")
async def test_keys_that_are_typed_while_the_workbench_loads_are_meant_for_it(
    scene: Scene, settle_app: Callable[[Any], Any]
) -> None:
    app, may_open = held_back(scene)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("/", "f", "e", "r")
        assert isinstance(app.screen, Opening)
        may_open.set()
        bench = await workbench_of(pilot, settle_app)
        assert bench.filter_input.value == "fer"


@pytest.mark.usefixtures("fresh")
async def test_what_cannot_be_opened_ends_the_program_with_its_error() -> None:
    app = LorebookApp(lambda: scene_of(open_workspace([Path("no such file.json")])))
    async with app.run_test() as pilot:
        for _ in range(200):
            if app._exit:
                break
            await pilot.pause(0.02)
    assert isinstance(app.return_value, UnreadableError)
    assert app.return_code == UnreadableError.exit_status


async def test_what_is_typed_before_the_books_are_read_counts_when_they_are(
    scene: Scene, settle_app: Callable[[Any], Any]
) -> None:
    app, may_open = held_back(scene)
    async with app.run_test(size=(120, 40)) as pilot:
        assert isinstance(app.screen, Workbench)
        await pilot.press("/", *"ferry")
        may_open.set()
        bench = await workbench_of(pilot, settle_app)
        await settle_app(pilot)
        assert [scene.entry(ref).title for ref in bench.layer_tree.listed()] == ["The ferry"]
