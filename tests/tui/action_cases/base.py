"""What the case of an action is, and what many of them look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lorebook_tui.tui.screens.chooser import Chooser
from lorebook_tui.tui.targets import ToBranch

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.model.layers import Layer


@dataclass(frozen=True)
class Case:
    """What an action does."""

    check: Callable[[Any], object]
    """True of the bench afterwards."""
    before: tuple[str, ...] = ()
    """Keys that lead there."""
    size: tuple[int, int] = (120, 40)


def dialog(bench: Any) -> Chooser:
    assert isinstance(bench.app.screen, Chooser)
    return bench.app.screen


def target(bench: Any) -> object:
    tree = bench.screen.layer_tree
    return tree.blocks[tree.cursor].target


def in_pane(name: str) -> Case:
    return Case(lambda bench: bench.screen.pane == name and bench.screen.widget_of(name).has_focus)


def on_layer(layer: Layer) -> Case:
    return Case(lambda bench: target(bench) == ToBranch(layer), ("c",))


def on_phase(number: int) -> Case:
    before = ("p", "1") if number != 1 else ("p", "2")
    return Case(lambda bench: bench.screen.phase_rows.phase == number, before)


def at_turn(number: int, *before: str) -> Case:
    return Case(lambda bench: bench.screen.turn == number and bench.screen.picture.number == number, before)
