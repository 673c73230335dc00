"""Notices give way to the work: equal ones are one, few stand at once, and what was read goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.tui.app import LorebookApp

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene

    OpenBench = Callable[..., Any]


def told(bench: Any) -> list[str]:
    return [notice.message for notice in bench.app._notifications]


async def say(bench: Any, *texts: str, severity: str = "information") -> None:
    for text in texts:
        bench.screen.tell(text, severity=severity)
        await bench.settle()


async def test_equal_notices_are_one(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await say(bench, "one", "two", "one", "one")
        assert told(bench) == ["two", "one"]


async def test_two_stand_at_once_where_there_is_little_room(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene, (80, 24)) as bench:
        await say(bench, "one", "two", "three")
        assert told(bench) == ["two", "three"]
        await say(bench, "careful", severity="warning")
        await say(bench, "four", "five")
        assert told(bench) == ["careful", "five"]
    async with open_bench(scene, (120, 40)) as bench:
        await say(bench, "one", "two", "three")
        assert told(bench) == ["one", "two", "three"]


@pytest.mark.parametrize("key", ["down", "question_mark", "ctrl+p"])
async def test_what_was_read_goes_with_the_next_key(
    key: str, open_bench: OpenBench, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_bench(scene, (80, 24)) as bench:
        await say(bench, "read")
        await say(bench, "careful", severity="warning")
        await bench.press(key)
        assert told(bench) == ["read", "careful"]
        monkeypatch.setattr(LorebookApp, "READ_AFTER", 0)
        await bench.press(key)
        assert told(bench) == ["careful"]


async def test_what_was_read_goes_when_a_dialog_comes(
    open_bench: OpenBench, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_bench(scene, (80, 24)) as bench:
        monkeypatch.setattr(LorebookApp, "READ_AFTER", 0)
        await say(bench, "read")
        bench.screen.action_help()
        await bench.settle()
        assert told(bench) == []
