"""The dialogs and what they offer: actions, entries and turns as candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.tui.actions import Scope, in_force
from lorebook_tui.tui.glyphs import Kind, Mark, kind_of
from lorebook_tui.tui.ink import BLANK, Row, Span, heading
from lorebook_tui.tui.screens.chooser import Chooser
from lorebook_tui.tui.search import Candidate
from lorebook_tui.tui.targets import ToAction, ToEntry, ToTurn
from lorebook_tui.tui.views.chat import name_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.glyphs import Glyphs
    from lorebook_tui.tui.ink import Block
    from lorebook_tui.tui.replay import Replay
    from lorebook_tui.tui.scene import Scene

_PREVIEW = 160


def help_offers(scope: Scope) -> list[Candidate]:
    """The actions of the pane that has the focus, those of every pane, those everywhere."""
    return [
        Candidate(action.label, ToAction(action.id), action.help, action.keys_text, action.scope.value)
        for action in in_force(scope)
    ]


def action_offers(scope: Scope) -> list[Candidate]:
    """Every action that can be done from here."""
    return [
        Candidate(_capital(action.label), ToAction(action.id), action.help, action.key_text, "Actions")
        for action in in_force(scope)
        if action.scope is not Scope.LIST
    ]


def entry_offers(scene: Scene, marks: Mapping[EntryRef, Mark], glyphs: Glyphs) -> Iterator[Candidate]:
    """Every entry."""
    for ref in scene.refs():
        entry = scene.entry(ref)
        kind = kind_of(entry)
        mark = marks.get(ref)
        sign = glyphs.kind(kind) + glyphs.mark(mark)
        keys = ", ".join(entry.keys[:6])
        detail = f"{ref.layer.value}  {keys}"
        yield Candidate(entry.title, ToEntry(ref), detail, "", "Entries", sign, mark.ink if mark else kind.ink)


def turn_offers(scene: Scene, replay: Replay) -> Iterator[Candidate]:
    """Every turn by the message it answers."""
    messages = scene.scenario.transcript.messages
    for number, step in enumerate(replay.steps):
        message = messages[step.upto - 1] if 0 < step.upto <= len(messages) else None
        title = f"{name_of(scene, message)}: {message.text[:_PREVIEW]}" if message else "before the first message"
        yield Candidate(title, ToTurn(number), "", f"turn {step.upto}", "Turns")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def legend(glyphs: Glyphs) -> list[Block]:
    """The signs and what they mean."""
    blocks: list[Block] = [BLANK, heading("Signs of kind")]
    blocks += [Row((Span(f" {glyphs.kind(kind)}  ", kind.ink), Span(kind.word, "muted"))) for kind in Kind]
    blocks += [BLANK, heading("Marks of the turn")]
    blocks += [Row((Span(f" {glyphs.mark(mark)}  ", mark.ink), Span(mark.word, "muted"))) for mark in Mark]
    return [*blocks, Row((Span("    no mark: no key in the scanned text", "muted"),))]


def help_dialog(scope: Scope, glyphs: Glyphs) -> Chooser:
    """What can be done in a pane."""
    return Chooser(f"Help: {scope.value}", help_offers(scope), glyphs, legend(glyphs), key_cells=13, title_cells=16)


def palette(
    scope: Scope, scene: Scene | None, replay: Replay | None, marks: Mapping[EntryRef, Mark], glyphs: Glyphs
) -> Chooser:
    """Everything that can be found by a few letters."""
    offers = action_offers(scope)
    if scene is not None and replay is not None:
        offers += [*entry_offers(scene, marks, glyphs), *turn_offers(scene, replay)]
    return Chooser("Find", offers, glyphs, key_cells=10, title_cells=34, placeholder="action, entry or turn")


def turn_dialog(scene: Scene, replay: Replay, turn: int, glyphs: Glyphs) -> Chooser:
    """The turns, the cursor on the present one."""
    offers = list(turn_offers(scene, replay))
    return Chooser("Go to turn", offers, glyphs, key_cells=10, cursor=ToTurn(turn), placeholder="number or words")
