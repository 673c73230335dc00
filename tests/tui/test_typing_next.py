"""What is typed after a key that opens a line reaches the line, also where its pane was out of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.tui.screens.tree_targets import InPlace

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene

    OpenBench = Callable[..., Any]

MILL = "A long text about the mill that no budget will take. " * 6
SIZES = {"80x24": (80, 24), "180x50": (180, 50)}
LINES: dict[str, tuple[list[str], Callable[[Any], str]]] = {
    "message": (["ctrl+l"], lambda bench: bench.screen.message_area.text),
    "filter": (["slash"], lambda bench: bench.screen.filter_input.value),
    "content": (["s", "i"], lambda bench: bench.screen.form.content.text.removeprefix(MILL)),
    "search": (["c", "ctrl+f"], lambda bench: bench.screen.search_line.value),
    "title": (["l", "down", "down", "r"], lambda bench: bench.screen.query_one(InPlace).value),
    "palette": (["ctrl+p"], lambda bench: bench.app.screen.query_one("#query").value),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("line", LINES)
async def test_nothing_typed_goes_elsewhere(line: str, size: str, open_bench: OpenBench, scene: Scene) -> None:
    keys, typed = LINES[line]
    async with open_bench(scene, SIZES[size]) as bench:
        await bench.pilot.press(*keys, *"undo")
        assert typed(bench) == "undo"
