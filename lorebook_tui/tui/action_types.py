"""What a row of the registry of actions says: names, keys, the place where they work, the words of help."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from textual.binding import Binding


class Scope(Enum):
    """Where an action's keys work; the value is how the place is called."""

    GLOBAL = "Everywhere"
    LIST = "In every pane"
    LAYERS = "Layers"
    ENTRY = "Entry"
    SHEET = "Sheet"
    SETTINGS = "Settings"
    CHAT = "Chat"
    PHASES = "Phases"
    TIMELINE = "Timeline"
    WHY = "Why"
    MESSAGE = "Message line"
    DIALOG = "Dialogs"
    FINDINGS = "List of findings"
    FIELD = "A value being typed"
    WRITING = "Text of the entry"
    JSON = "Raw JSON"


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
        """The first key as people know it; "" if the user took all of them away."""
        return shown_key(self.keys[0]) if self.keys else ""

    @property
    def keys_text(self) -> str:
        """All keys as people know them."""
        return " ".join(shown_key(key) for key in self.keys)


_SHOWN: Final = {
    "question_mark": "?", "slash": "/", "left_square_bracket": "[", "right_square_bracket": "]", "comma": ",",
    "full_stop": ".", "left_curly_bracket": "{", "right_curly_bracket": "}", "plus": "+", "minus": "-",
    "underscore": "_", "escape": "esc", "pageup": "pgup", "pagedown": "pgdn", "up": "↑", "down": "↓",
    "left": "←", "right": "→", "less_than_sign": "<", "greater_than_sign": ">", "alt+left": "alt+←",
    "alt+right": "alt+→",
}  # fmt: skip


def shown_key(key: str) -> str:
    """A key as people know it: `?`, `ctrl+p`, `esc`."""
    return _SHOWN.get(key, key)
