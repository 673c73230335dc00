"""Cases of looking around."""

from __future__ import annotations

from lorebook_tui.model.layers import Layer
from lorebook_tui.tui.targets import ToBranch
from tests.tui.action_cases.base import Case, at_turn, dialog, in_pane, on_layer, on_phase, target

CASES: dict[str, Case] = {
    "global.help": Case(
        lambda bench: dialog(bench).heading == "Help: Chat" and "answers here" not in bench.text(), ("c",)
    ),
    "global.palette": Case(lambda bench: dialog(bench).heading == "Find"),
    "global.filter": Case(lambda bench: bench.screen.filter_input.has_focus, ("p",)),
    "global.previous_turn": at_turn(2),
    "global.next_turn": at_turn(3, "comma"),
    "global.first_turn": at_turn(0),
    "global.last_turn": at_turn(3, "ctrl+home"),
    "global.go_to_turn": Case(lambda bench: dialog(bench).heading == "Go to turn"),
    "global.turn_mode": Case(lambda bench: len(bench.screen.replay.steps) == 8 and "turn 8 of 8" in bench.text()),
    "global.layer_1": on_layer(Layer.GLOBAL),
    "global.layer_2": on_layer(Layer.CHARACTER),
    "global.layer_3": on_layer(Layer.PERSONA),
    "global.layer_4": on_layer(Layer.CHAT),
    "global.to_layers": Case(lambda bench: bench.screen.layer_tree.has_focus, ("w",)),
    "global.to_entry": in_pane("entry"),
    "global.to_chat": in_pane("chat"),
    "global.to_phases": in_pane("phases"),
    "global.to_timeline": in_pane("timeline"),
    "global.to_why": in_pane("why"),
    "global.next_pane": Case(lambda bench: bench.screen.pane == "phases", ("c",)),
    "global.previous_pane": Case(lambda bench: bench.screen.pane == "entry", ("c",)),
    "global.flip": Case(lambda bench: bench.screen.in_sight() == {"layers", "entry"}),
    "global.grow": Case(
        lambda bench: bench.screen.has_class("-full") and bench.screen.in_sight() == {"layers"}, ("z",)
    ),
    "global.shrink": Case(lambda bench: bench.screen.has_class("-full") and bench.screen.in_sight() == {"layers"}),
    "global.theme": Case(lambda bench: bench.app.theme == "lorebook-light"),
    "global.letters": Case(lambda bench: "C OUT" in bench.text() and "✂" not in bench.text()),
    "global.back": Case(lambda bench: bench.screen.layer_tree.has_focus, ("w",)),
    "global.quit": Case(lambda bench: bench.app._exit, ("w",)),
    "list.up": Case(lambda bench: bench.title == "World rules", ("home", "down", "down", "down")),
    "list.down": Case(lambda bench: bench.title == "World rules", ("home", "down")),
    "list.page_up": Case(lambda bench: target(bench) == ToBranch(Layer.GLOBAL), ("end",)),
    "list.page_down": Case(lambda bench: target(bench) == ToBranch(Layer.CHAT), ("home",)),
    "list.first": Case(lambda bench: target(bench) == ToBranch(Layer.GLOBAL), ("down",)),
    "list.last": Case(lambda bench: target(bench) == ToBranch(Layer.CHAT)),
    "list.choose": Case(
        lambda bench: bench.screen.why.has_focus and bench.title == "World rules", ("home", "down", "down")
    ),
    "layers.expand": Case(lambda bench: bench.title == "The guild"),
    "layers.collapse": Case(lambda bench: target(bench) == ToBranch(Layer.GLOBAL, 0)),
    "phases.previous_phase": Case(lambda bench: bench.screen.phase_rows.phase == 4, ("p",)),
    "phases.next_phase": Case(lambda bench: bench.screen.phase_rows.phase == 1, ("p", "8")),
    **{f"phases.phase_{number}": on_phase(number) for number in range(1, 8)},
    "timeline.earlier": at_turn(2, "t"),
    "timeline.later": at_turn(1, "t", "home"),
    "timeline.earliest": at_turn(0, "t"),
    "timeline.latest": at_turn(3, "t", "home"),
    "dialog.close": Case(lambda bench: bench.app.screen is bench.screen and bench.screen.turn == 3, ("ctrl+t",)),
    "dialog.accept": at_turn(0, "ctrl+t", "home", *"bell"),
    "dialog.cursor_up": Case(lambda bench: dialog(bench).choices.cursor == 3, ("ctrl+t",)),
    "dialog.cursor_down": Case(lambda bench: dialog(bench).choices.cursor == 4, ("ctrl+t", "up")),
    "dialog.cursor_page_up": Case(lambda bench: dialog(bench).choices.cursor == 1, ("ctrl+t",)),
    "dialog.cursor_page_down": Case(lambda bench: dialog(bench).choices.cursor == 4, ("ctrl+t", "pageup")),
}
