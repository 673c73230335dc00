"""Cases of the simulation. "The mill" is chosen; at the turn before the last the budget cuts it."""

from __future__ import annotations

from typing import Any

from tests.tui.action_cases.base import Case, on_phase


def rows(bench: Any) -> Any:
    return bench.screen.settings.slider_rows


def depth(value: int, *before: str) -> Case:
    """The scan depth afterwards; it is the first of the settings."""
    return Case(
        lambda bench: (
            bench.screen.scene.scenario.settings.world_info_depth == value
            and bench.screen.picture.replay.scene is bench.screen.scene
        ),
        ("0", *before),
    )


def is_told(bench: Any, words: str) -> bool:
    return any(words in notice.message for notice in bench.app._notifications)


def offer(number: int) -> Case:
    """A first press asks for the proposals, which come by themselves only after a while."""
    return Case(lambda bench: is_applied(bench, number), ("left_square_bracket", "w", str(number)))


def is_applied(bench: Any, number: int) -> bool:
    """Whether a proposal was applied; one may leave the text to the author, and there are three."""
    if bench.screen.desk.undo_told:
        return number <= 3 and is_told(bench, "Applied: ")
    return is_told(bench, "for its author to decide" if number <= 3 else "There are 3 proposals only.")


CASES: dict[str, Case] = {
    "global.settings": Case(lambda bench: rows(bench).has_focus and bench.screen.settings.display),
    "phases.phase_8": on_phase(8),
    "timeline.unfold": Case(
        lambda bench: bench.screen.timeline.grid is not None and "cut by the budget · The mill" in bench.text(), ("t",)
    ),
    **{f"why.offer_{number}": offer(number) for number in range(1, 10)},
    "settings.lower_value": depth(1),
    "settings.raise_value": depth(3),
    "settings.lower_far": depth(0),
    "settings.raise_far": depth(12),
    "settings.reset_value": depth(2, "right", "right"),
    "settings.reset_all": depth(2, "right", "down", "left", "up"),
    "settings.type_value": Case(lambda bench: len(rows(bench).typed) == 1 and bench.screen.turn == 3, ("0",)),
    "settings.take_typed": depth(7, "7"),
    "settings.leave_settings": Case(
        lambda bench: not bench.screen.settings.display and bench.screen.phase_rows.has_focus, ("0",)
    ),
}
"""By id of the action."""
