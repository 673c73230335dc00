"""Chats from strangers: no control of theirs reaches the terminal from the chat pane and its dialogs, whatever is done."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from textual import events

from lorebook_tui.tui.scene import scene_of
from lorebook_tui.workspace.opening import open_workspace
from tests.tui.test_hostile import SAMPLES, TOGETHER, harm

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    OpenBench = Callable[..., Any]

WALK = (
    "c", "home", "right", "left", "e", "end", "escape", "v", "down", "escape", "o", "x", "ctrl+r", "ctrl+g", "h", "j", "down",
    "escape", "a", "down", "escape", "y", "down", "escape", "r", "escape", "ctrl+f", "x", "enter", "n", "b", "ctrl+f", "escape",
    "f", "j", "down", "escape", "d", "ctrl+e", "escape", "i",
)  # fmt: skip


def hostile_chat(folder: Path, texts: tuple[str, ...]) -> Path:
    """Every place of a chat that can be shown, full of the texts."""
    whole = "\n".join(texts)
    lines: list[dict[str, Any]] = [
        {"user_name": whole, "character_name": whole, "chat_metadata": {"world_info": whole, "note_prompt": whole}}
    ]
    for number, text in enumerate(texts):
        lines.append({
            "name": text, "is_user": bool(number % 2), "is_system": number == 2, "mes": f"{text} bell",
            "swipes": [f"{text} bell", text, whole], "swipe_id": 0, "send_date": text, "extra": {"files": [{"text": text}]},
        })  # fmt: skip
    path = folder / "[@click=app.quit]x[end tag \u202egnp.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path


@pytest.mark.parametrize("size", [(150, 40), (60, 16)])
async def test_hostile_chats_are_shown_and_edited_harmlessly(
    size: tuple[int, int], open_bench: OpenBench, tmp_path: Path
) -> None:
    opened = open_workspace([hostile_chat(tmp_path, TOGETHER)])
    async with open_bench(scene_of(opened), size) as bench:
        for key in WALK:
            await bench.press(key)
            assert harm(bench.app.screen._compositor.render_strips()) == set(), f"after {key}"
        for text in SAMPLES.values():
            bench.screen.message_area.load_text(text)
            await bench.settle()
            assert harm(bench.app.screen._compositor.render_strips()) == set(), text[:20]
        bench.app.post_message(events.Paste("\n".join(TOGETHER)))
        await bench.settle()
        assert harm(bench.app.screen._compositor.render_strips()) == set()
        assert bench.app.is_running


async def test_clicks_on_a_hostile_chat_run_nothing(open_bench: OpenBench, tmp_path: Path) -> None:
    opened = open_workspace([hostile_chat(tmp_path, (SAMPLES["action"],) * 6)])
    async with open_bench(scene_of(opened), (120, 40)) as bench:
        await bench.press("c", "z", "z")
        for y in range(2, 38, 3):
            await bench.pilot.click(offset=(30, y))
        await bench.settle()
        assert not bench.app._exit


async def test_a_huge_message_is_cut_and_the_chat_stays_quick(open_bench: OpenBench, tmp_path: Path) -> None:
    opened = open_workspace([hostile_chat(tmp_path, (SAMPLES["huge"], "two"))])
    async with open_bench(scene_of(opened), (120, 40)) as bench:
        await bench.press("c", "home", "z", "z", "end")
        assert harm(bench.app.screen._compositor.render_strips()) == set()
        assert bench.screen.chat.flow.height < 500
