"""The registry of actions is complete: bound, documented, reachable, and free of clashes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.tui.actions import ACTIONS, TYPING, Scope, bindings, clashes, footer, in_force, named, shown_key
from lorebook_tui.tui.screens.arranged import SCOPES
from lorebook_tui.tui.screens.chooser import Chooser
from lorebook_tui.tui.screens.finding_list import FindingList
from lorebook_tui.tui.screens.offers import action_offers, help_offers
from lorebook_tui.tui.screens.workbench import Workbench
from lorebook_tui.tui.targets import ToAction
from lorebook_tui.tui.widgets.chat import Chat
from lorebook_tui.tui.widgets.form_json import JsonScreen
from lorebook_tui.tui.widgets.form_line import FieldLine
from lorebook_tui.tui.widgets.form_rows import FormRows
from lorebook_tui.tui.widgets.form_text import ContentArea
from lorebook_tui.tui.widgets.layer_tree import LayerTree
from lorebook_tui.tui.widgets.line_view import LineView
from lorebook_tui.tui.widgets.message_line import MessageArea
from lorebook_tui.tui.widgets.panes import PhaseRows, Timeline, Why
from lorebook_tui.tui.widgets.sheet import SheetRows
from lorebook_tui.tui.widgets.sliders import SliderRows

if TYPE_CHECKING:
    from textual.dom import DOMNode

    from lorebook_tui.tui.actions import Action

OWNERS: dict[Scope, type[DOMNode]] = {
    Scope.GLOBAL: Workbench,
    Scope.LIST: LineView,
    Scope.LAYERS: LayerTree,
    Scope.ENTRY: FormRows,
    Scope.FIELD: FieldLine,
    Scope.WRITING: ContentArea,
    Scope.JSON: JsonScreen,
    Scope.SHEET: SheetRows,
    Scope.CHAT: Chat,
    Scope.PHASES: PhaseRows,
    Scope.TIMELINE: Timeline,
    Scope.WHY: Why,
    Scope.SETTINGS: SliderRows,
    Scope.MESSAGE: MessageArea,
    Scope.DIALOG: Chooser,
    Scope.FINDINGS: FindingList,
}
PANES = [
    scope
    for scope in Scope
    if scope not in {Scope.GLOBAL, Scope.LIST, Scope.DIALOG, Scope.FINDINGS, Scope.JSON, *TYPING}
]
UNREACHABLE = {"ctrl+i", "ctrl+m", "ctrl+j", "ctrl+h", "ctrl+left_square_bracket"}
"""Plain terminals send the same bytes for these as for tab, enter, backspace and escape."""
TAKEN_BY_MULTIPLEXERS = {"ctrl+s", "ctrl+b", "ctrl+a", "ctrl+o"}
UNSHIFTED = re.compile(
    r"[a-z0-9]|f\d+|ctrl\+(?:[a-z]|home|end|up|down)|enter|escape|tab|shift\+(?:tab|up|down)|up|down|left|right|home|end|pageup|pagedown"
    r"|slash|comma|full_stop|minus|space|backspace|delete"
)
"""Keys that need no shifted symbol on any common keyboard."""


def test_no_key_means_two_things() -> None:
    assert clashes() == []


def test_ids_are_unique() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
    assert all(named(action.id) is action for action in ACTIONS)


def test_an_unknown_action_is_no_action() -> None:
    with pytest.raises(KeyError):
        named("fly")


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_action_is_bound_and_documented(action: Action) -> None:
    owner = OWNERS[action.scope]
    method = (action.call or action.name).partition("(")[0]
    doer = Workbench if method.startswith("screen.") else owner
    method = method.removeprefix("screen.")
    assert callable(getattr(doer, f"action_{method}", None)), f"{doer.__name__} does nothing for {action.id}"
    bound = {(binding.key, binding.action) for binding in owner.BINDINGS if not isinstance(binding, tuple)}
    assert (",".join(action.keys), action.call or action.name) in bound
    assert action.help.endswith(".")
    assert 0 < len(action.label) <= 16


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_action_is_reachable_on_every_keyboard(action: Action) -> None:
    assert not set(action.keys) & UNREACHABLE
    assert set(action.keys) - TAKEN_BY_MULTIPLEXERS, f"{action.id} has only keys that multiplexers take"
    # F1 leads to the help of the pane wherever no field has the focus.
    keys = (*action.keys, "f1") if action.id == "global.help" else action.keys
    assert any(UNSHIFTED.fullmatch(key) for key in keys), f"{action.id} has only shifted symbols"


@pytest.mark.parametrize("scope", PANES)
def test_help_lists_all_that_works_and_nothing_else(scope: Scope) -> None:
    listed = {offer.target for offer in help_offers(scope)}
    assert listed == {ToAction(action.id) for action in in_force(scope)}
    shadowed = {name for action in in_force(scope) for name in action.shadows}
    expected = {action.id for action in ACTIONS if action.scope in {scope, Scope.GLOBAL, Scope.LIST}}
    missing = expected - {action.id for action in in_force(scope)}
    assert {name.partition(".")[2] for name in missing} == shadowed


@pytest.mark.parametrize("scope", PANES)
def test_palette_offers_every_action_but_moving(scope: Scope) -> None:
    offered = [offer.target for offer in action_offers(scope)]
    others = {action for other in SCOPES.values() for action in in_force(other) if action.scope is other}
    here = {action for action in in_force(scope) if action.scope is not Scope.LIST}
    assert set(offered) == {ToAction(action.id) for action in here | others}
    assert len(offered) == len(set(offered))


@pytest.mark.parametrize("scope", PANES)
def test_footer_begins_with_the_pane_and_keeps_help(scope: Scope) -> None:
    shown = footer(scope)
    own = [action for action in shown if action.scope is scope]
    assert shown[: len(own)] == own
    assert named("global.help") in shown


def test_only_shadowing_actions_share_keys_with_wider_ones() -> None:
    for action in ACTIONS:
        for name in action.shadows:
            assert any(set(action.keys) & set(other.keys) for other in ACTIONS if other.name == name), action.id


def test_dialogs_leave_letters_to_their_input_line() -> None:
    keys = {key for action in ACTIONS if action.scope is Scope.DIALOG for key in action.keys}
    assert keys == {"escape", "enter", "up", "down", "pageup", "pagedown"}


@pytest.mark.parametrize("scope", [scope for scope in Scope if scope in TYPING])
def test_where_one_types_no_letter_is_a_key(scope: Scope) -> None:
    keys = {key for action in in_force(scope) for key in action.keys}
    assert not {key for key in keys if len(shown_key(key)) == 1 and key not in {"up", "down"}}
    assert named("global.quit").name in {action.name for action in in_force(scope)}


def test_bindings_carry_ids_for_keymaps() -> None:
    assert all(binding.id for scope in Scope for binding in bindings(scope))
