"""The registry of actions: one row per thing the user can do. Bindings, footer, help and palette are made from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from textual.binding import Binding

from lorebook_tui.engine.trace import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator


class Scope(Enum):
    """Where an action's keys work; the value is how the place is called."""

    GLOBAL = "Everywhere"
    LIST = "In every pane"
    LAYERS = "Layers"
    ENTRY = "Entry"
    CHAT = "Chat"
    PHASES = "Phases"
    TIMELINE = "Timeline"
    WHY = "Why"
    DIALOG = "Dialogs"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the user can do."""

    name: str
    """Stable id; also the method `action_NAME` unless `call` says otherwise."""
    keys: tuple[str, ...]
    """Textual's names of the keys, the one to advertise first."""
    label: str
    """Two or three words, for the footer and the palette."""
    help: str
    """One sentence for the help."""
    scope: Scope = Scope.GLOBAL
    call: str = ""
    """Textual action string if it is not the name."""
    footer: int = 0
    """Place in the footer, lowest first; 0: not there."""
    shadows: tuple[str, ...] = ()
    """Names of wider actions whose keys it takes over on purpose."""

    @property
    def binding(self) -> Binding:
        """For Textual."""
        return Binding(",".join(self.keys), self.call or self.name, self.label, show=False, id=self.id)

    @property
    def id(self) -> str:
        """Unique across scopes: `phases.next`."""
        return f"{self.scope.name.lower()}.{self.name}"

    @property
    def key_text(self) -> str:
        """The first key as people know it."""
        return shown_key(self.keys[0])

    @property
    def keys_text(self) -> str:
        """All keys as people know them."""
        return " ".join(shown_key(key) for key in self.keys)


_SHOWN: Final = {
    "question_mark": "?", "slash": "/", "left_square_bracket": "[", "right_square_bracket": "]", "comma": ",",
    "full_stop": ".", "left_curly_bracket": "{", "right_curly_bracket": "}", "plus": "+", "minus": "-",
    "underscore": "_", "escape": "esc", "pageup": "pgup", "pagedown": "pgdn", "up": "↑", "down": "↓",
    "left": "←", "right": "→",
}  # fmt: skip


def shown_key(key: str) -> str:
    """A key as people know it: `?`, `ctrl+p`, `esc`."""
    return _SHOWN.get(key, key)


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


ACTIONS: Final[tuple[Action, ...]] = (
    Action("help", ("question_mark", "f1"), "help", "Keys and help of the pane that has the focus.", footer=1),
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
    Action("go_to_turn", ("g",), "go to turn", "Choose a turn by its number or by words of its message.", footer=5),
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

_OUTERMOST: Final = {Scope.GLOBAL, Scope.DIALOG}
WIDER: Final = {scope: (Scope.GLOBAL, Scope.LIST) for scope in Scope if scope not in {Scope.LIST, *_OUTERMOST}} | {
    Scope.LIST: (Scope.GLOBAL,),
    Scope.GLOBAL: (),
    Scope.DIALOG: (),
}
"""The scopes whose keys work too where a scope has the focus."""


def of_scope(scope: Scope) -> Iterator[Action]:
    """The actions of one scope, in order."""
    return (action for action in ACTIONS if action.scope is scope)


def bindings(scope: Scope) -> list[Binding]:
    """Textual's bindings of a scope."""
    return [action.binding for action in of_scope(scope)]


def named(name: str) -> Action:
    """The action with an id or, if that is enough, a name.

    Raises:
        KeyError: there is none.
    """
    for action in ACTIONS:
        if name in {action.id, action.name}:
            return action
    raise KeyError(name)


def in_force(scope: Scope) -> list[Action]:
    """What works while a scope has the focus: its own actions first, the shadowed ones left out."""
    found = list(of_scope(scope))
    for wider in WIDER[scope]:
        shadowed = {name for action in found for name in action.shadows}
        found.extend(action for action in of_scope(wider) if action.name not in shadowed)
    return found


def footer(scope: Scope) -> list[Action]:
    """What the footer shows while a scope has the focus: its own first."""
    listed = [action for action in in_force(scope) if action.footer]
    return sorted(listed, key=lambda action: (action.scope is Scope.GLOBAL, action.footer))


def clashes() -> list[str]:
    """Keys that mean two things at one place without saying so; must be empty."""
    found = []
    for scope in Scope:
        taken: dict[str, Action] = {}
        for action in in_force(scope):
            for key in action.keys:
                if key in taken:
                    found.append(f"{scope.name}: {key} is {taken[key].id} and {action.id}")
                taken.setdefault(key, action)
    return found


def key_table() -> str:
    """The global actions as a Markdown table, for the README."""
    rows = (
        "| " + " ".join(f"`{shown_key(key)}`" for key in action.keys) + f" | {action.help} |"
        for action in of_scope(Scope.GLOBAL)
    )
    return "\n".join(("| keys | what they do |", "| --- | --- |", *rows))
