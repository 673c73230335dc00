"""The form as whole screens in every arrangement, and with text from strangers in every state of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from textual import events

from lorebook_tui.model.layers import Layer
from lorebook_tui.tui.scene import scene_of
from lorebook_tui.tui.targets import ToField
from tests.tui.action_cases.form import DEPTH, KEYS
from tests.tui.conftest import book, entry, small_workspace
from tests.tui.test_hostile import SAMPLES, harm, hostile_scene
from tests.tui.test_screens import SIZES

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene

STATES: dict[str, tuple[str, ...]] = {
    "typed": (*KEYS, "a", *"ferry"),
    "refused": (*DEPTH, "enter", *"2.5", "enter"),
    "text": ("s", "i", "ctrl+end"),
    "last": ("s", "o", "end"),
}
MORE: dict[str, tuple[str, tuple[str, ...]]] = {
    "full": ("120x40", ("s", "f9")),
    "json": ("80x24", ("s", "j")),
    "choices": ("80x24", (*KEYS, *["down"] * 17, "enter")),
    "letters": ("80x24", ("f3", *KEYS)),
    "draft": ("80x24", (*DEPTH, "enter", *"2x", "escape")),
}


def pane(bench: Any) -> str:
    """What stands in the pane of the form; no sign beside it is wider than a cell."""
    region = bench.screen.form.region
    lines = bench.text().splitlines()[region.y : region.bottom]
    return "".join(line[region.x : region.right].rstrip() + "\n" for line in lines)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
async def test_state(
    state: str, size: str, open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene
) -> None:
    async with open_bench(scene, SIZES[size]) as bench:
        await bench.press(*STATES[state])
        golden(f"form-{state}-{size}", pane(bench))


@pytest.mark.parametrize("name", MORE)
async def test_more(
    name: str, open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene
) -> None:
    size, keys = MORE[name]
    async with open_bench(scene, SIZES[size]) as bench:
        await bench.press(*keys)
        golden(f"form-{name}", pane(bench) if bench.app.screen is bench.screen else bench.text())


async def test_several(open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene) -> None:
    async with open_bench(scene, (80, 24)) as bench:
        bench.screen.layer_tree.mark(list(scene.refs())[1:4])
        bench.screen.show_entry()
        await bench.press("s")
        golden("form-several", pane(bench))


HOSTILE_WALK = (
    *(
        "s",
        "o",
        "end",
        "home",
        "enter",
        "escape",
        "down",
        "down",
        "right",
        "enter",
        "escape",
        "a",
        "x",
        "escape",
        "home",
    ),
    *("i", "end", "x", "ctrl+end", "escape", "j", "ctrl+end", "x", "escape", "e"),
)


TOGETHER = {
    "markup": ("markup", "action", "pattern"),
    "controls": ("clipboard", "one-byte-controls"),
    "unseen": ("bidi", "invisible", "surrogate", "heap"),
    "lines": ("lines", "wide"),
    "huge": ("huge",),
}
"""Samples in one text, so that the walk is made less often."""


def test_no_sample_is_forgotten() -> None:
    assert {name for names in TOGETHER.values() for name in names} == set(SAMPLES) - {"empty"}


@pytest.mark.parametrize("name", TOGETHER)
async def test_every_state_with_hostile_text(name: str, open_bench: Callable[..., Any]) -> None:
    """Each entry is shown, its title and keys are edited, its text is written in, its JSON opened."""
    text = " ".join(SAMPLES[each] for each in TOGETHER[name])
    async with open_bench(hostile_scene(text), (120, 40)) as bench:

        def safe(after: object) -> None:
            assert harm(bench.app.screen._compositor.render_strips()) == set(), f"after {after}"

        for ref in list(bench.screen.scene.refs())[:6]:
            bench.screen.choose_entry(ref)
            await bench.settle()
            safe(ref)
        for key in HOSTILE_WALK:
            await bench.press(key)
            safe(key)
        bench.screen.open_field("key")
        bench.app.post_message(events.Paste(text))
        await bench.settle()
        safe("a paste into the keys")
        bench.screen.form.write()
        bench.app.post_message(events.Paste(text))
        await bench.settle()
        safe("a paste into the text")
        assert bench.app.is_running


def editable(text: str) -> Scene:
    """A book of such text that can be edited."""
    fields = {"group": text, "outletName": text, "automationId": text, "keysecondary": [text], "selective": True}
    made = book(
        Layer.GLOBAL, "odd", entry(0, text, f"bell {text}", "bell", text, **fields), entry(1, "Bell", "", "bell")
    )
    return scene_of(replace(small_workspace(), books=(made,), sources=(made.source,)))


@pytest.mark.parametrize("name", ["surrogate", "one-byte-controls", "lines", "bidi"])
async def test_opening_a_value_and_leaving_it_changes_nothing(name: str, open_bench: Callable[..., Any]) -> None:
    """What cannot be typed is not lost when it is looked at, nor when a letter is typed beside it."""
    async with open_bench(editable(SAMPLES[name]), (120, 40)) as bench:
        screen = bench.screen
        first = next(iter(screen.scene.refs()))
        before = dict(screen.scene.entry(first).fields)
        screen.choose_entry(first)
        for field in ("comment", "group", "outletName", "automationId"):
            screen.open_field(field)
            assert screen.form.rows.target_under_cursor == ToField(field)
            await bench.press("enter", "enter")
        screen.open_field("key")
        await bench.press("right", "enter", "enter", "i", "escape")
        assert dict(screen.scene.entry(first).fields) == before
        screen.open_field("comment")
        await bench.press("enter", "end", "x", "enter", "i", "x")
        screen.flush_form()
        after = screen.scene.entry(first)
        assert after.get("comment") == before["comment"] + "x"
        assert after.content == before["content"] + "x"
        assert harm(bench.app.screen._compositor.render_strips()) == set()
