"""Actions of looking around: panes, turns, layers, phases, dialogs."""

from __future__ import annotations

from typing import Final

from lorebook_tui.engine.trace import Phase
from lorebook_tui.tui.action_types import Action, Scope


def _layer(number: int, name: str) -> Action:
    return Action(
        f"layer_{number}", (str(number),), f"{name} layer", f"Show the {name} layer in the tree and open it.",
        call=f"layer({number})",
    )  # fmt: skip


def _phase(phase: Phase) -> Action:
    number, name = phase.value, phase.label
    shadows = (f"layer_{number}",) if number <= 4 else ()  # noqa: PLR2004 - layers have keys 1 to 4
    return Action(
        f"phase_{number}", (str(number),), f"phase {name}", f"Show phase {number}, {name}.", Scope.PHASES,
        call=f"phase({number})", shadows=shadows,
    )  # fmt: skip


ROWS: Final[tuple[Action, ...]] = (
    Action("help", ("question_mark",), "help", "Keys and help of the pane that has the focus.", footer=1),
    Action("palette", ("ctrl+p",), "palette", "Find any action, entry or turn by a few letters.", footer=2),
    Action("filter", ("slash",), "filter", "Show only entries whose title or keys hold what you type.", footer=4),
    Action(
        "previous_turn", ("left_square_bracket", "comma"), "turn back",
        "Go to the turn before: the reply is assembled with the chat as it was then.", footer=3,
    ),
    Action(
        "next_turn", ("right_square_bracket", "full_stop"), "turn on",
        "Go to the next turn of the chat.", footer=3,
    ),
    Action("first_turn", ("ctrl+home", "left_curly_bracket"), "first turn", "Go to the first turn."),
    Action("last_turn", ("ctrl+end", "right_curly_bracket"), "last turn", "Go to the last turn."),
    Action("go_to_turn", ("ctrl+t",), "go to turn", "Choose a turn by its number or by words of its message."),
    Action(
        "turn_mode", ("m",), "turn mode",
        "Count a turn after each message of the user, or after every message.",
    ),
    _layer(1, "Global"),
    _layer(2, "Character"),
    _layer(3, "Persona"),
    _layer(4, "Chat"),
    Action("to_layers", ("l",), "layers", "Go to the tree of layers, books and entries."),
    Action("to_entry", ("s",), "entry sheet", "Go to the sheet of the chosen entry: content, keys and all fields."),
    Action("to_chat", ("c",), "chat", "Go to the chat with its highlighted hits."),
    Action("to_phases", ("p",), "phases", "Go to the seven phases of the turn."),
    Action("to_timeline", ("t",), "timeline", "Go to the strip of all turns."),
    Action("to_why", ("w",), "why", "Go to the reason why the chosen entry is in or out.", footer=6),
    Action("next_pane", ("tab",), "next pane", "Go to the next pane.", footer=7),
    Action("previous_pane", ("shift+tab",), "pane before", "Go to the pane before."),
    Action("flip", ("f5",), "flip", "At middle width: show the entry or the simulation beside the tree."),
    Action("grow", ("z", "plus"), "grow pane", "Give the pane half of the screen, then all, then its share."),
    Action("shrink", ("x", "minus", "underscore"), "shrink pane", "The other way round."),
    Action("theme", ("f4",), "theme", "Dark, light, the sixteen colours of the terminal, or none."),
    Action("letters", ("f3",), "signs or letters", "Show letters in place of signs such as ✓ and ✂, and back."),
    Action("back", ("escape",), "back", "One step up: close what is open, then back to the tree."),
    Action("quit", ("q", "ctrl+q"), "quit", "Leave.", footer=9),
    Action("up", ("up",), "up", "One line up.", Scope.LIST),
    Action("down", ("down",), "down", "One line down.", Scope.LIST),
    Action("page_up", ("pageup",), "page up", "One window up.", Scope.LIST),
    Action("page_down", ("pagedown",), "page down", "One window down.", Scope.LIST),
    Action("first", ("home",), "top", "To the top.", Scope.LIST),
    Action("last", ("end",), "bottom", "To the bottom.", Scope.LIST),
    Action("choose", ("enter",), "open", "Open what the cursor stands on.", Scope.LIST),
    Action("expand", ("right",), "open branch", "Open the branch, or step into it.", Scope.LAYERS),
    Action("collapse", ("left",), "close branch", "Close the branch, or go to the one above.", Scope.LAYERS),
    Action("previous_phase", ("left",), "phase back", "Show the phase before.", Scope.PHASES, footer=1),
    Action("next_phase", ("right",), "phase on", "Show the next phase.", Scope.PHASES, footer=1),
    *(_phase(phase) for phase in Phase),
    Action("earlier", ("left",), "turn back", "Go to the turn before.", Scope.TIMELINE, footer=1),
    Action("later", ("right",), "turn on", "Go to the next turn.", Scope.TIMELINE, footer=1),
    Action("earliest", ("home",), "first turn", "Go to the first turn.", Scope.TIMELINE, shadows=("first",)),
    Action("latest", ("end",), "last turn", "Go to the last turn.", Scope.TIMELINE, shadows=("last",)),
    Action("close", ("escape",), "close", "Close the dialog.", Scope.DIALOG, footer=1),
    Action("accept", ("enter",), "choose", "Take what the cursor stands on.", Scope.DIALOG, footer=2),
    Action("cursor_up", ("up",), "up", "One line up.", Scope.DIALOG),
    Action("cursor_down", ("down",), "down", "One line down.", Scope.DIALOG),
    Action("cursor_page_up", ("pageup",), "page up", "One window up.", Scope.DIALOG),
    Action("cursor_page_down", ("pagedown",), "page down", "One window down.", Scope.DIALOG),
)  # fmt: skip
