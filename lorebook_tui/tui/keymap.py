"""The user's keys: what is written in the configuration as keys that Textual knows, and what clashes with what."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from textual.keys import Keys

from lorebook_tui.tui.action_types import Action, Scope, shown_key
from lorebook_tui.tui.actions import ACTIONS, WIDER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lorebook_tui.workspace.config import KeyWish

NOWHERE: Final = "no-key"
"""What Textual gets for an action without a key: no terminal sends it."""
_MODIFIERS: Final = ("ctrl", "alt", "shift", "super", "hyper", "meta")
_NAMES: Final = {"esc": "escape", "return": "enter", "pgup": "pageup", "pgdn": "pagedown", "del": "delete"} | {
    "↑": "up", "↓": "down", "←": "left", "→": "right", "ins": "insert",
}  # fmt: skip
"""Other names of keys, as the screen shows them and as people write them."""
_KNOWN: Final = {key.value.rpartition("+")[2] for key in Keys if not key.value.startswith("<")}
_FUNCTION: Final = re.compile(r"f(?:[1-9]|1\d|2[0-4])")
_SAME_BYTES: Final = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+j": "enter", "ctrl+h": "backspace"} | {
    "ctrl+left_square_bracket": "escape",
}
"""Keys that plain terminals cannot tell from others."""
_RENAMED: Final = {
    "solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "hyphen_minus": "minus",
    "plus_sign": "plus", "low_line": "underscore",
}  # fmt: skip
"""Where Textual's name of a character is not Unicode's."""
_MOST_GAPS: Final = 16
"""Blanks and hyphens in one name of a character."""
_MOST_HYPHENS: Final = 3
"""In one name of a character; Textual writes them as it writes blanks."""


@dataclass(frozen=True, slots=True)
class Keymap:
    """Keys by the id of the action, for the actions that do not have those of the registry."""

    keys: Mapping[str, tuple[str, ...]]
    notices: tuple[str, ...] = ()
    """What the user should know, a sentence each."""

    def for_textual(self) -> dict[str, str]:
        """As `App.set_keymap` wants it."""
        return {name: ",".join(keys) or NOWHERE for name, keys in self.keys.items()}


def key_name(written: str) -> str | None:
    """Textual's name of a key as people write it: `?`, `ctrl+P`, `esc`; None if there is no such key."""
    is_plus = written == "+" or written.endswith("++")
    *modifiers, last = (*written[:-2].split("+"), "+") if is_plus else written.split("+")
    modifiers = [item for item in modifiers if item or not is_plus]
    held = [name for name in _MODIFIERS if name in {item.strip().lower() for item in modifiers}]
    if len(held) != len(modifiers) or not last:
        return None
    last = last.strip()
    if len(last) == 1 and last not in _NAMES:
        last = last.lower() if held else last
        base = last if last.isalnum() else _character(last)
    else:
        base = _NAMES.get(last.lower(), last.lower().replace(" ", "_"))
        if base not in _KNOWN and not _FUNCTION.fullmatch(base) and not _is_character_name(base):
            return None
    return "+".join((*held, base)) if base else None


def _character(character: str) -> str:
    try:
        name = unicodedata.name(character).lower().replace("-", "_").replace(" ", "_")
    except ValueError:
        return ""
    return _RENAMED.get(name, name)


def _is_character_name(name: str) -> bool:
    unicode = next((old for old, new in _RENAMED.items() if new == name), name).replace("_", " ")
    blanks = [place for place, char in enumerate(unicode) if char == " "]
    if len(blanks) > _MOST_GAPS:
        return False
    choices = (chosen for hyphens in range(_MOST_HYPHENS + 1) for chosen in combinations(blanks, hyphens))
    return any(map(_is_unicode_name, (_with_hyphens(unicode, chosen) for chosen in choices)))


def _with_hyphens(name: str, places: Sequence[int]) -> str:
    return "".join("-" if place in places else char for place, char in enumerate(name))


def _is_unicode_name(name: str) -> bool:
    try:
        unicodedata.lookup(name)
    except KeyError:
        return False
    return True


def settled(wishes: Iterable[KeyWish], actions: Sequence[Action] = ACTIONS) -> Keymap:
    """The keys that wishes lead to: a wish wins over the registry, an earlier one over a later one.

    Within one place a key means one thing. A pane's key hides one that works everywhere, as it does in the registry.
    """
    return _Settling(wishes, actions).keymap()


class _Settling:
    """Keys being settled."""

    def __init__(self, wishes: Iterable[KeyWish], actions: Sequence[Action]) -> None:
        self.actions = actions
        self.notices: list[str] = []
        self.wanted = self._wanted(wishes)
        self.keys = dict(self.wanted)

    def keymap(self) -> Keymap:
        """Keys without clashes."""
        by_id = {action.id: action for action in self.actions}
        for name in self.wanted:
            self._take_from_others(by_id[name])
        for name in self.wanted:
            self._tell_hidden(by_id[name])
        return Keymap(self.keys, tuple(self.notices))

    def _keys_of(self, action: Action) -> tuple[str, ...]:
        return self.keys.get(action.id, action.keys)

    def _wanted(self, wishes: Iterable[KeyWish]) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for wish in wishes:
            action = self._meant(wish)
            if action is None or action.id in found:
                continue
            keys = self._names(wish)
            if action.scope is Scope.DIALOG and not keys:
                self.notices.append(f"{action.id} keeps its keys: a dialog needs them. ({wish.where})")
            elif keys or not wish.keys:
                found[action.id] = keys
        return found

    def _meant(self, wish: KeyWish) -> Action | None:
        """The action of a wish, by its id or by a name that only one has."""
        found = [action for action in self.actions if wish.action in {action.id, action.name}]
        if len(found) == 1:
            return found[0]
        if found:
            told = ", ".join(action.id for action in found)
            self.notices.append(f"{wish.action} is the name of several actions: {told}. ({wish.where})")
        else:
            self.notices.append(f"There is no action {wish.action}; `lorebook keys` lists them. ({wish.where})")
        return None

    def _names(self, wish: KeyWish) -> tuple[str, ...]:
        found = []
        for written in wish.keys:
            name = key_name(written)
            if name is None:
                self.notices.append(f"There is no key {written}. ({wish.where})")
                continue
            if name in _SAME_BYTES:
                same = shown_key(_SAME_BYTES[name])
                self.notices.append(f"Plain terminals send the same for {written} as for {same}. ({wish.where})")
            found.append(name)
        return tuple(dict.fromkeys(found))

    def _take_from_others(self, action: Action) -> None:
        """No other action of the same place keeps a key that the user gave to this one."""
        for other in self.actions:
            shared = [key for key in self._keys_of(other) if key in self.keys[action.id]]
            if other.scope is not action.scope or other.id == action.id or not shared:
                continue
            rest = self.keys[other.id] = tuple(key for key in self._keys_of(other) if key not in shared)
            left = f"{other.id} still has {_told(rest)}" if rest else f"{other.id} has no key now"
            self.notices.append(f"{_told(shared)} is {action.id} now; {left}.")

    def _tell_hidden(self, action: Action) -> None:
        """Where a key of another place takes precedence, or is hidden by this one."""
        for other in self.actions:
            shared = [key for key in self._keys_of(other) if key in self.keys[action.id]]
            if not shared or other.id == action.id or other.name in action.shadows:
                continue
            if action.scope in WIDER[other.scope]:
                inner, outer = other, action
            elif other.scope in WIDER[action.scope]:
                inner, outer = action, other
            else:
                continue
            place = inner.scope.value if inner.scope is not Scope.LIST else "with a list"
            self.notices.append(f"In the pane {place} {_told(shared)} is {inner.id}, not {outer.id}.")


def _told(keys: Iterable[str]) -> str:
    return " ".join(shown_key(key) for key in keys)
