"""Text from strangers: no control, markup, link or action of theirs reaches the terminal or runs."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from textual.app import App

from lorebook_tui.model.book import book_from_fields
from lorebook_tui.model.cast import Cast, Character, Persona
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.tui.flow import Flow
from lorebook_tui.tui.ink import Paragraph, Row, Span
from lorebook_tui.tui.scene import Scene
from lorebook_tui.tui.targets import ToAction
from lorebook_tui.tui.widgets.edges import PlainInput
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.strip import Strip

SAMPLES = {
    "markup": "[bold]b[/bold] [/] [/unopened] [link=https://example.org]x[/link] end [/] tag",
    "action": "[@click=app.quit]quit[/] [@click='app.bell']ring[/]",
    "pattern": "/[a-z]+[/]/i",
    "clipboard": "\x1b]52;c;ZXZpbA==\x07 \x1b]0;title\x1b\\ \x1b[2J\x1b[31m",
    "one-byte-controls": "\x9b31m \x90q \x9d0;t\x9c \x07\x08\x0b\x0c\r\x7f\x00",
    "bidi": "\u202egnp.exe\u202c \u2066x\u2069 \u200fevil",
    "invisible": "a\u200bb\u2060c\ufeff \u00ad \u034f \U000e0041\U000e007f",
    "surrogate": "lone \ud83d and \udc00 end",
    "heap": "Z" + "\u0300" * 200,
    "wide": "\u6f22\u5b57" * 30 + "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea 1\ufe0f\u20e3",
    "lines": "one\ntwo\r\nthree\u2028four\x85five",
    "huge": "bell " + "x" * 100_000,
    "empty": "",
}
SCROLLBAR_ACTIONS = {"grab", "release", "scroll_up", "scroll_down"}
HARMFUL = {"Cc", "Cs", "Co", "Zl", "Zp"}
MOVES_TEXT = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u2060\ufeff")


def hostile_scene(*texts: str) -> Scene:
    """The texts in every place that a file can fill, each entry and message another one."""
    text = "\n".join(texts)

    def fields(uid: int, **more: Any) -> dict[str, Any]:
        text = texts[uid % len(texts)]
        return {
            "uid": uid, "comment": text, "content": f"bell {text}", "key": ["bell", text], "keysecondary": [text],
            "group": text, "automationId": text, "outletName": text, "position": 7, "order": 100, "selective": False,
            "triggers": [], "characterFilter": {"names": [text], "tags": [text], "isExclude": True}, f"x {text}": text,
        } | more  # fmt: skip

    entries = {str(uid): fields(uid) for uid in range(6, len(texts))} | {
        "0": fields(0),
        "1": fields(1, position=1, group=""),
        "2": fields(2, key=[text], position=4, depth=text, role=text, group=""),
        "3": fields(3, content=text * 3, constant=True, group="", position=text),
        "4": fields(4, selective=True, group="") | {"uid": text},
        "5": fields(5, disable=True),
    }
    book = book_from_fields(text, entries)
    messages = [
        Message(f"{each} bell", each, is_user=bool(number % 2)) for number, each in enumerate((*texts, *texts)[:14])
    ]
    return Scene(
        text,
        _scenario(
            Layers((book,), (replace(book, name=text + "2"),), (book,), ()),
            Cast(Persona(text, text), Character(text, text, text)),
            Transcript(tuple(messages), text, text, text),
        ),
        (text,) * 5,
    )


def _scenario(layers: Layers, cast: Cast, transcript: Transcript) -> Any:
    from lorebook_tui.model.scenario import Scenario

    return Scenario(layers=layers, cast=cast, transcript=transcript, max_context=1000, injected=())


def harm(strips: list[Strip]) -> set[str]:
    """Everything in the strips that could act on a terminal, or lie about what stands there."""
    found = set()
    for strip in strips:
        for segment in strip:
            assert segment.control is None
            assert segment.style is None or segment.style.link is None
            actions = segment.style.meta.values() if segment.style else ()
            assert set(map(str, actions)) <= SCROLLBAR_ACTIONS
            found |= {c for c in segment.text if unicodedata.category(c) in HARMFUL or c in MOVES_TEXT}
    return {f"U+{ord(char):04X}" for char in found}


WALK = (
    *("p", "1"), *("2", "3", "4", "5", "6", "7"), "s", "end", "c", "home", "w", "end", "t", "l", "end", "home", "f3", "f5",
    "left_square_bracket", "m", "question_mark", "escape", "ctrl+p", "b", "pagedown", "escape", "ctrl+t", "down", "escape",
    "g", "escape", "s", "f1", "pagedown", "escape", "f7", "enter", "escape", "l",
    "slash", "b", "enter", "escape", "z", "z", "f4",
)  # fmt: skip


TOGETHER = tuple(text for name, text in SAMPLES.items() if name != "huge")
SCENES = {
    "together": (TOGETHER, (150, 40)),
    "the other way round": (TOGETHER[::-1], (80, 24)),
    "huge": ((SAMPLES["huge"],), (150, 40)),
    "small": ((SAMPLES["markup"], SAMPLES["wide"]), (60, 16)),
}


@pytest.mark.parametrize("name", SCENES)
async def test_every_pane_with_hostile_text(name: str, open_bench: Callable[..., Any]) -> None:
    texts, size = SCENES[name]
    async with open_bench(hostile_scene(*texts), size) as bench:
        for key in WALK:
            await bench.press(key)
            assert harm(bench.app.screen._compositor.render_strips()) == set(), f"after {key}"
        assert bench.app.is_running
        assert bench.screen.replay.turns


async def test_clicks_on_hostile_text_run_nothing(open_bench: Callable[..., Any]) -> None:
    async with open_bench(hostile_scene(SAMPLES["action"]), (120, 40)) as bench:
        for y in range(1, 39, 2):
            for x in (12, 60):
                await bench.pilot.click(offset=(x, y))
        await bench.settle()
        assert bench.app.is_running
        assert not bench.app._exit


class Viewer(App[None]):
    """A single view in a program of its own."""

    def compose(self) -> ComposeResult:
        yield LineView()
        yield PlainInput()


@pytest.mark.parametrize("name", SAMPLES)
async def test_view_makes_whatever_it_is_given_harmless(name: str) -> None:
    """Even a block that hands out raw text, as none of ours does."""

    class Raw(Row):
        def lines(self, width: int) -> Any:
            del width
            return ((Span(SAMPLES[name]),),)

    app = Viewer()
    async with app.run_test(size=(40, 10)) as pilot:
        view = app.query_one(LineView)
        text = SAMPLES[name]
        view.show(
            [Raw(()), Row((Span(text),), (Span(text),)), Paragraph((Span(text),), ToAction("x"), (Span(text),), 3)]
        )
        await pilot.pause()
        assert harm([view.render_line(y) for y in range(9)]) == set()
        view.action_last()
        await pilot.pause()
        assert harm([view.render_line(y) for y in range(9)]) == set()


async def test_view_shows_nothing_until_it_knows_its_width() -> None:
    """Otherwise a dialog flashes with one letter a line."""
    app = Viewer()
    async with app.run_test(size=(40, 10)):
        view = app.query_one(LineView)
        view.flow = Flow([Paragraph((Span("Old Pell"),))])
        assert not "".join(view.render_line(y).text for y in range(9)).strip()
        view.show([Paragraph((Span("Old Pell"),))])
        assert view.render_line(0).text.strip() == "Old Pell"


async def test_pasting_into_an_input_line_cannot_bring_controls(open_bench: Callable[..., Any], scene: Scene) -> None:
    from textual import events

    async with open_bench(scene) as bench:
        await bench.press("slash")
        bench.app.post_message(events.Paste("bell\x1b]52;c;eA==\x07\nsecond line"))
        await bench.settle()
        assert bench.screen.filter_input.value == "bell␛]52;c;eA==␇"
        assert harm(bench.app.screen._compositor.render_strips()) == set()
