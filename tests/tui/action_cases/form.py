"""Cases of the form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.tui.targets import ToField
from lorebook_tui.tui.views.form_json import json_of
from tests.tui.action_cases.base import Case

if TYPE_CHECKING:
    from collections.abc import Callable

KEYS = ("s", "down", "down")
"""To the list of keys of the mill."""
DEPTH = (*KEYS, *["down"] * 7)
"""To its scan depth."""
TWO_KEYS = (*KEYS, "a", *"inn", "enter", "escape", "left")
"""Two keys, the cursor on the second one."""


def entry(bench: Any) -> Any:
    return bench.screen.scene.entry(bench.screen.chosen)


def stored(name: str, value: object) -> Callable[[Any], bool]:
    return lambda bench: entry(bench).get(name) == value


def editing(bench: Any) -> bool:
    return bool(bench.screen.form.line.has_focus)


def at_field(name: str) -> Callable[[Any], bool]:
    return lambda bench: bench.screen.form.rows.target_under_cursor == ToField(name)


def writing(bench: Any) -> bool:
    return bool(bench.screen.form.content.has_focus)


def told(text: str) -> Callable[[Any], bool]:
    return lambda bench: any(text in notice.message for notice in bench.app._notifications)


CASES: dict[str, Case] = {
    "writing.insert_snippet": Case(lambda bench: "Put a snippet into the text" in bench.text(), ("s", "i")),
    "layers.edit_outside": Case(told("cannot make room for another program")),
    "entry.edit_field": Case(lambda bench: editing(bench) and bench.screen.form.line.value == "The mill", ("s",)),
    "entry.toggle_field": Case(stored("disable", True), ("s", "down")),
    "entry.step_down": Case(stored("scanDepth", 1), DEPTH),
    "entry.step_up": Case(stored("scanDepth", 3), DEPTH),
    "entry.add_item": Case(lambda bench: editing(bench) and bench.screen.form.look.editing.name == "key", ("s",)),
    "entry.reset_field": Case(stored("key", []), KEYS),
    "entry.move_back": Case(stored("key", ["inn", "mill"]), TWO_KEYS),
    "entry.move_on": Case(stored("key", ["inn", "mill"]), (*TWO_KEYS, "left")),
    "entry.write_text": Case(writing, ("s",)),
    "entry.edit_outside": Case(told("cannot make room for another program"), ("s",)),
    "entry.full_text": Case(lambda bench: writing(bench) and bench.screen.in_sight() == {"entry"}, ("s",)),
    "entry.raw_json": Case(lambda bench: '"comment": "The mill"' in bench.text(), ("s",)),
    "entry.fold_groups": Case(lambda bench: not bench.screen.form.look.folded, ("s",)),
    "field.take_value": Case(stored("comment", "Inn"), ("s", "enter", *"Inn")),
    "field.give_up": Case(
        lambda bench: stored("comment", "The mill")(bench) and "half-typed: Inn" in bench.text(), ("s", "enter", *"Inn")
    ),
    "field.take_and_up": Case(
        lambda bench: at_field("comment")(bench) and stored("comment", "Inn")(bench), ("s", "enter", *"Inn")
    ),
    "field.take_and_down": Case(
        lambda bench: at_field("disable")(bench) and stored("comment", "Inn")(bench), ("s", "enter", *"Inn")
    ),
    "writing.leave_text": Case(
        lambda bench: at_field("content")(bench) and entry(bench).content.endswith("take. x"), ("s", "i", "x")
    ),
    "writing.full_text": Case(lambda bench: writing(bench) and bench.screen.size_mode == 0, ("s", "f9")),
    "writing.edit_outside": Case(told("cannot make room for another program"), ("s", "i")),
    "json.renew_json": Case(
        lambda bench: bench.app.screen.area.value == json_of(bench.app.screen.entry), ("s", "j", "x", "y")
    ),
    "json.accept_json": Case(lambda bench: bench.app.screen is bench.screen, ("s", "j")),
    "json.close_json": Case(
        lambda bench: bench.app.screen is bench.screen and told("offered again")(bench), ("s", "j", "x")
    ),
}
