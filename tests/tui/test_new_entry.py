"""A new entry at middle width, where the form comes into sight only when one goes to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene


async def test_an_empty_text_can_be_shown_before_there_is_room(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (120, 40)) as bench:
        await bench.press("n", *"Gong", "enter", "s", "l", "f5", "f5")
        assert bench.app.is_running
        assert "Gong" in bench.text()
