"""The dialogs and what they offer: actions, and every place that has a name, as candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.glyphs import Kind, Mark, kind_of
from lorebook_tui.model.fields import ENTRY_FIELDS, SETTING_FIELDS
from lorebook_tui.model.layers import Layer
from lorebook_tui.tui.actions import Scope, in_force
from lorebook_tui.tui.ink import BLANK, Row, Span, heading
from lorebook_tui.tui.screens.arranged import SCOPES
from lorebook_tui.tui.screens.chooser import Chooser
from lorebook_tui.tui.search import Candidate
from lorebook_tui.tui.targets import ToAction, ToBook, ToEntry, ToField, ToReference, ToSetting, ToTheme, ToTurn
from lorebook_tui.tui.views.chat import name_of
from lorebook_tui.tui.views.form_values import plain_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.tui.action_types import Action
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


def action_offers(scope: Scope, why_not: Callable[[Action], str] = lambda _: "") -> list[Candidate]:
    """Every action: what can be done from here, then what belongs to other panes.

    Args:
        scope: of the pane that has the focus.
        why_not: says why an action can do nothing now; "" if it can.
    """
    here = [action for action in in_force(scope) if action.scope is not Scope.LIST]
    others = [
        action for other in SCOPES.values() if other is not scope for action in in_force(other) if action.scope is other
    ]
    return [
        *(_action_offer(action, "Actions", why_not(action)) for action in here),
        *(_action_offer(action, f"In the pane {action.scope.value}", why_not(action)) for action in others),
    ]


def _action_offer(action: Action, section: str, reason: str) -> Candidate:
    title = _capital(action.label)
    if section != "Actions":
        title = f"{action.scope.value}: {action.label}"
    return Candidate(title, ToAction(action.id), action.help, action.key_text, section, reason=reason)


def place_offers(
    scene: Scene | None, replay: Replay | None, marks: Mapping[EntryRef, Mark], glyphs: Glyphs
) -> list[Candidate]:
    """Books, entries, turns, settings and fields: every place that has a name."""
    found: list[Candidate] = []
    if scene is not None:
        found += [*book_offers(scene), *entry_offers(scene, marks, glyphs)]
    if scene is not None and replay is not None:
        found += turn_offers(scene, replay)
    settings = scene.scenario.settings if scene is not None else None
    return [*found, *setting_offers(settings), *field_offers()]


def book_offers(scene: Scene) -> Iterator[Candidate]:
    """Every book."""
    for layer, book, number in scene_books(scene):
        yield Candidate(
            book.name, ToBook(layer, number), f"{layer.value} book, {len(book.entries):,} entries", "", "Books"
        )


def scene_books(scene: Scene) -> Iterator[tuple[Layer, Book, int]]:
    """Every book with its layer and its number there."""
    for layer in Layer:
        for number, book in enumerate(scene.layers.of(layer)):
            yield layer, book, number


def setting_offers(settings: ScanSettings | None) -> Iterator[Candidate]:
    """Every setting of the scan with its value."""
    for row in SETTING_FIELDS:
        value = "" if settings is None else f"{plain_value(row, getattr(settings, row.name))}.  "
        yield Candidate(row.label, ToSetting(row.name), f"{value}{row.help}", "", "Settings")


def field_offers() -> Iterator[Candidate]:
    """Every field of an entry."""
    for row in ENTRY_FIELDS:
        yield Candidate(row.label or row.name, ToField(row.name), f"{row.name}: {row.help}", "", "Fields")


def theme_offers(names: Iterable[str], present: str) -> list[Candidate]:
    """The themes."""
    return [
        Candidate(f"Theme {name}", ToTheme(name), "in use" if name == present else "", "", "Themes") for name in names
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


def palette(offers: Sequence[Candidate], glyphs: Glyphs, later: Callable[[], Sequence[Candidate]]) -> Chooser:
    """Everything that can be found by a few letters; of many entries the list is made once the dialog stands."""
    return Chooser(
        "Find", offers, glyphs, key_cells=10, title_cells=34, placeholder="anything that has a name", later=later
    )


def field_dialog(glyphs: Glyphs) -> Chooser:
    """The fields of an entry, to be explained."""
    offers = [
        Candidate(row.label or row.name, ToReference(row.name), row.help, row.name, row.group.value)
        for row in ENTRY_FIELDS
    ]
    return Chooser("Fields of an entry", offers, glyphs, key_cells=27, title_cells=26, placeholder="name or words")


def turn_dialog(scene: Scene, replay: Replay, turn: int, glyphs: Glyphs) -> Chooser:
    """The turns, the cursor on the present one."""
    offers = list(turn_offers(scene, replay))
    return Chooser("Go to turn", offers, glyphs, key_cells=10, cursor=ToTurn(turn), placeholder="number or words")
