"""Keys that come in one burst: each goes to where the one before it has led."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.screen import Screen
from textual.widgets import Input, Label

from lorebook_tui.tui.app import LorebookApp
from lorebook_tui.tui.screens.workbench import Workbench
from lorebook_tui.tui.type_ahead import TypeAhead

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App, ComposeResult

    from lorebook_tui.tui.scene import Scene


def burst(app: App[Any], *typed: str) -> None:
    """Keys as a terminal sends them when they arrive together: names of keys, and texts letter by letter."""
    assert app._driver is not None
    for text in typed:
        if text in {"enter", "escape"} or text.startswith("ctrl+"):
            app._driver.send_message(events.Key(text, None))
            continue
        for char in text:
            key = char if char.isalnum() else _character_to_key(char)
            app._driver.send_message(events.Key(key, char))


async def test_what_follows_the_slash_goes_into_the_filter(scene: Scene, settle_app: Callable[[Any], Any]) -> None:
    """Its letters are commands of the tree."""
    app = LorebookApp(lambda: scene)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle_app(pilot)
        bench = app.screen
        assert isinstance(bench, Workbench)
        assert bench.scene is not None
        before = bench.scene.workspace
        burst(app, "/drowned x")
        await settle_app(pilot)
        assert bench.filter_input.value == "drowned x"
        assert bench.scene.workspace is before


async def test_what_follows_an_answer_goes_where_the_answer_leads(
    scene: Scene, settle_app: Callable[[Any], Any]
) -> None:
    app = LorebookApp(lambda: scene)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle_app(pilot)
        bench = app.screen
        assert isinstance(bench, Workbench)
        burst(app, "ctrl+t", "2", "enter", "/ferry")
        await settle_app(pilot)
        assert (bench.turn, bench.filter_input.value) == (0, "ferry")


class Asking(Screen[None]):
    """A screen with a line to type into."""

    def compose(self) -> ComposeResult:
        yield Input()

    def on_input_submitted(self) -> None:
        """Go, and take the line with it."""
        self.app.title = self.query_one(Input).value
        self.dismiss()


class Small(TypeAhead[None]):
    """`a` asks, `d` takes the label away that has the focus, `x` counts."""

    BINDINGS = [("a", "ask", ""), ("d", "drop", ""), ("x", "count", "")]  # noqa: RUF012 - Textual's way
    counted = 0

    def compose(self) -> ComposeResult:
        label = Label("focus")
        label.can_focus = True
        yield label

    def action_ask(self) -> None:
        self.push_screen(Asking())

    async def action_drop(self) -> None:
        await self.query_one(Label).remove()

    def action_count(self) -> None:
        self.counted += 1


async def test_a_screen_that_has_just_come_gets_what_is_typed_behind_the_key_that_called_it() -> None:
    app = Small()
    async with app.run_test() as pilot:
        burst(app, "axyz", "enter", "xx")
        for _ in range(20):
            await pilot.pause(0.02)
        assert app.title == "xyz"
        assert app.counted == 2


@pytest.mark.parametrize("keys", ["dxxx", "xdxx"])
async def test_keys_go_on_though_a_widget_went(keys: str) -> None:
    app = Small()
    async with app.run_test() as pilot:
        app.query_one(Label).focus()
        await pilot.pause()
        burst(app, keys)
        for _ in range(60):
            await pilot.pause(0.02)
            if app.counted == 3:
                break
        assert app.counted == keys.count("x")
