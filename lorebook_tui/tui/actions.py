"""The registry of actions: one row per thing the user can do. Bindings, footer, help and palette are made from it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lorebook_tui.tui.action_rows import books, chatting, files, form, helping, linting, moving, sheet, simulating
from lorebook_tui.tui.action_types import Action, Scope, shown_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from textual.binding import Binding

__all__ = [
    "ACTIONS", "Action", "Scope", "bindings", "clashes", "effective", "footer", "in_force", "key_table", "named",
    "of_scope", "shown_key", "use_keys",
]  # fmt: skip

ACTIONS: Final[tuple[Action, ...]] = tuple(
    action
    for module in (moving, files, books, form, sheet, simulating, chatting, linting, helping)
    for action in module.ROWS
)

_OUTERMOST: Final = {Scope.GLOBAL, Scope.DIALOG, Scope.JSON}
_DIALOGS: Final = {Scope.FINDINGS}
"""Dialogs with keys of their own."""
TYPING: Final = {Scope.FIELD, Scope.WRITING, Scope.MESSAGE}
"""Scopes in which letters are text: of the wider actions only those work that have another key."""
_LISTS: Final = [scope for scope in Scope if scope not in {Scope.LIST, *_OUTERMOST, *_DIALOGS, *TYPING}]
WIDER: Final[dict[Scope, tuple[Scope, ...]]] = {
    **dict.fromkeys(_LISTS, (Scope.GLOBAL, Scope.LIST)),
    **dict.fromkeys([Scope.LIST, *TYPING], (Scope.GLOBAL,)),
    **dict.fromkeys(_OUTERMOST, ()),
    **dict.fromkeys(_DIALOGS, (Scope.DIALOG,)),
}
"""The scopes whose keys work too where a scope has the focus."""


_own_keys: dict[str, tuple[str, ...]] = {}
"""Keys that the user chose in place of the registry's, by id. One program has one keyboard."""


def use_keys(keys: Mapping[str, tuple[str, ...]]) -> None:
    """From now on show these keys in footer, help and palette, by the id of the action; others as in the registry."""
    _own_keys.clear()
    _own_keys.update(keys)


def effective(action: Action) -> Action:
    """The action with the keys that it has for this user."""
    return replace(action, keys=_own_keys[action.id]) if action.id in _own_keys else action


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
    """What works while a scope has the focus, with the user's keys: its own actions first, none shadowed."""
    found = list(of_scope(scope))
    for wider in WIDER[scope]:
        shadowed = {name for action in found for name in action.shadows}
        found.extend(action for action in of_scope(wider) if action.name not in shadowed)
    listed = [effective(action) for action in found]
    return listed if scope not in TYPING else [typed for each in listed if (typed := _while_typing(each, scope)).keys]


_ARROWS: Final = {"up", "down", "left", "right"}


def _while_typing(action: Action, scope: Scope) -> Action:
    """A wider action with only those of its keys that type nothing."""
    if action.scope is scope:
        return action
    return replace(action, keys=tuple(key for key in action.keys if len(shown_key(key)) > 1 or key in _ARROWS))


def footer(scope: Scope) -> list[Action]:
    """What the footer shows while a scope has the focus: its own first."""
    listed = [action for action in in_force(scope) if action.footer and action.keys]
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
