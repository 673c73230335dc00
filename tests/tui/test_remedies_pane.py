"""The pane Why tells what would change a verdict, a moment after the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.tui import messages
from lorebook_tui.tui.replay import Remedies
from lorebook_tui.tui.screens import simulating

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene

WIDE = (180, 60)


def index_of(bench: Any, title: str) -> int:
    plan = bench.screen.picture.assembly.plan
    return int(next(entry.index for entry in plan.entries if entry.entry.title == title))


async def choose(bench: Any, title: str) -> None:
    """Choose an entry by its title and wait until its remedies are there."""
    index = index_of(bench, title)
    bench.screen.chosen = bench.screen.ref_of(index)
    bench.screen.explanation = None
    bench.screen.request_explanation()
    for _ in range(200):
        await bench.pilot.pause(0.02)
        await bench.settle()
        if bench.screen.remedies is not None:
            return
    raise AssertionError("no remedies came")


@pytest.fixture(autouse=True)
def soon(no_remedies_by_themselves: None, monkeypatch: pytest.MonkeyPatch) -> None:
    del no_remedies_by_themselves
    monkeypatch.setattr(simulating, "REMEDIES_AFTER", 0.001)


async def test_an_entry_that_is_out_is_told_what_would_bring_it_in(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene, size=WIDE) as bench:
        await choose(bench, "Old map")
        assert bench.screen.remedies.heading == "What would change it"
        assert bench.screen.remedies.sentences
        text = bench.text()
        assert "What would change it" in text
        assert bench.screen.remedies.sentences[0].split("(")[0].strip().rstrip(".")[:30] in text


async def test_an_entry_that_is_in_is_told_how_safe_it_is(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, size=WIDE) as bench:
        await choose(bench, "World rules")
        assert bench.screen.remedies.heading == "How safe it is"
        assert "How safe it is" in bench.text()


async def test_what_was_found_is_kept(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, size=WIDE) as bench:
        await choose(bench, "World rules")
        picture = bench.screen.picture
        first = bench.screen.remedies
        assert picture.replay.remedies(picture, index_of(bench, "World rules")) is first


async def test_remedies_of_another_entry_are_dropped(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, size=WIDE) as bench:
        await choose(bench, "World rules")
        shown = bench.screen.remedies
        other = index_of(bench, "Old map")
        bench.screen.post_message(messages.RemediesFound(bench.screen.picture, other, Remedies("Wrong", ("wrong",))))
        await bench.settle()
        assert bench.screen.remedies is shown


async def test_foreign_text_in_a_sentence_stays_text(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, size=WIDE) as bench:
        await choose(bench, "World rules")
        index = index_of(bench, "World rules")
        hostile = Remedies("What would change it", ("[bold]\x1b]0;x\x07 [@click=app.quit]here[/]",))
        bench.screen.post_message(messages.RemediesFound(bench.screen.picture, index, hostile))
        await bench.settle()
        text = bench.text()
        assert "[@click=app.quit]here[/]" in text
        assert "\x1b" not in text
