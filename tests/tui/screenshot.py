"""Draws the README's picture anew: the sample at its most telling turn, in the wide arrangement.

Run: python tests/tui/screenshot.py
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from textual.worker import WorkerCancelled

from lorebook_tui.tui.app import LorebookApp
from lorebook_tui.tui.scene import Scene, scene_of
from lorebook_tui.tui.screens.workbench import Workbench
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.sample import sample

PICTURE = Path(__file__).parents[2] / ".github" / "screenshot.svg"
SIZE = (160, 46)
MESSAGES, TITLE = 14, "The salt tithe"
"""The turn after so many messages, and the entry that the budget cuts there."""


def opened() -> Scene:
    return scene_of(open_workspace([sample()]))


async def draw() -> str:
    """The picture as SVG."""
    app = LorebookApp(opened)
    async with app.run_test(size=SIZE) as pilot:

        async def settle() -> None:
            await pilot.pause()
            while running := [worker for worker in app.workers if not worker.is_finished]:
                for worker in running:
                    try:
                        await worker.wait()
                    except WorkerCancelled:
                        continue
                await pilot.pause()

        await settle()
        bench = app.screen
        assert isinstance(bench, Workbench)
        assert bench.replay
        assert bench.scene
        bench.go_to_turn([step.upto for step in bench.replay.steps].index(MESSAGES))
        await settle()
        bench.choose_entry(next(ref for ref in bench.scene.refs() if bench.scene.entry(ref).title == TITLE))
        await settle()
        return app.export_screenshot(title="lorebook demo", simplify=True)


if __name__ == "__main__":
    for variable in ("LOREBOOK_STATE_DIR", "LOREBOOK_CONFIG_DIR"):
        os.environ[variable] = tempfile.mkdtemp()
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(asyncio.run(draw()), "utf-8")
    print(PICTURE)
