"""A few composed screens as pictures: colours and borders that text cannot show. `--snapshot-update` writes them anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.tui import replay
from lorebook_tui.tui.app import LorebookApp

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.pilot import Pilot

    from lorebook_tui.tui.scene import Scene

PICTURES: dict[str, tuple[str, tuple[int, int], tuple[str, ...]]] = {
    "wide-dark": ("lorebook-dark", (160, 40), ("[", "[", "p", "2")),
    "dialog-light": ("lorebook-light", (110, 34), ("ctrl+p", *"bell")),
    "narrow-mono": ("lorebook-mono", (70, 20), ("w",)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_picture(
    name: str,
    snap_compare: Callable[..., bool],
    scene: Scene,
    settle_app: Callable[[Pilot[Any]], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay, "thread_time", lambda: 0.0)
    theme, size, keys = PICTURES[name]

    async def walk(pilot: Pilot[Any]) -> None:
        await settle_app(pilot)
        await pilot.press(*keys)
        await settle_app(pilot)

    assert snap_compare(LorebookApp(lambda: scene, theme=theme), terminal_size=size, run_before=walk)
