"""The lines at the edges: breadcrumb, pane bar, keys."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import cell_width
from lorebook_tui.tui.ink import Span, fit, width_of
from lorebook_tui.tui.targets import ToAction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.actions import Action
    from lorebook_tui.tui.ink import Line
    from lorebook_tui.tui.replay import Turn

_GAUGE: Final = 10
_SHORTEST_NAME: Final = 8
_LEAST_NAMES: Final = 36
_ROOMY: Final = 76
_ROOMY_FOR_NEWS: Final = 110
_LEAST_NEWS: Final = 24
_NAME_BESIDE_NEWS: Final = 22


@dataclass(frozen=True, slots=True)
class Status:
    """What the breadcrumb tells."""

    workspace: str
    chat: str
    turn: Turn | None
    upto: int
    """Chosen turn, by the number of messages that exist."""
    messages: int
    """Messages of the chat."""
    replayed: tuple[int, int]
    """Turns that are replayed, and all."""
    engine: str
    seed: str
    context: int
    tokenizer: str
    approximate: bool
    note: str = ""
    """Something that is going on or wrong."""
    news: Line = ()
    """What the last edit changed; stands in place of the chat's name and the setting for a while."""
    unsaved: bool = False
    """Whether a book has changes that are not saved."""


def breadcrumb(status: Status, glyphs: Glyphs, width: int) -> Line:
    """One line, the less important parts left out where there is no room."""
    right = _right(status, glyphs, is_roomy=width >= (_ROOMY_FOR_NEWS if status.news else _ROOMY))
    setting = f" {glyphs.dot} ".join(
        (status.engine, f"seed {status.seed}", f"{status.context:,} ctx", status.tokenizer)
    )
    turn = _turn(status, glyphs)
    if status.news:
        return _with_news(status, glyphs, width, turn, right)
    names = cell_width(status.workspace) + cell_width(status.chat) + 6
    free = width - width_of(right) - width_of(turn) - 2
    middle = next(
        (text for text in (setting, status.engine, "") if free >= min(names, _LEAST_NAMES) + len(text) + 4), ""
    )
    left = (Span(" "), *_names(status, glyphs, free - (len(middle) + 3 if middle else 0)), *turn)
    blank = max(0, width - width_of(left) - width_of(right) - len(middle))
    before = blank // 2 if middle else 0
    return fit((*left, Span(" " * before), Span(middle, "faint"), Span(" " * (blank - before)), *right), width)


def _with_news(status: Status, glyphs: Glyphs, width: int, turn: Line, right: Line) -> Line:
    """The news beside what must not be lost meanwhile: whose book it is, and that it is not saved."""
    room = max(0, width - width_of(right) - width_of(turn) - 5)
    names = _names(replace(status, chat=""), glyphs, max(2, min(room - _LEAST_NEWS, _NAME_BESIDE_NEWS)))
    news = fit(status.news, room - width_of(names))
    told = (Span(" "), *names, *turn, Span(f" {glyphs.dot} ", "faint"), *news)
    return fit((*told, Span(" " * max(0, width - width_of(told) - width_of(right))), *right), width)


def _names(status: Status, glyphs: Glyphs, room: int) -> Line:
    """Workspace and chat; where both do not fit the workspace gives way, then the chat."""
    step = Span(f" {glyphs.step} ", "faint")
    found: list[Span] = []
    mark = (Span(f" {glyphs.unsaved}", "near"),) if status.unsaved else ()
    room -= width_of(mark)
    chat_cells = min(cell_width(status.chat), max(0, room - 3))
    left_over = room - chat_cells - 6
    if left_over >= min(cell_width(status.workspace), _SHORTEST_NAME):
        found += [*fit((Span(status.workspace, "title"),), left_over), *mark, step]
    elif mark and room >= 0:
        found.append(Span(f"{glyphs.unsaved} ", "near"))
    if chat_cells >= min(cell_width(status.chat), _SHORTEST_NAME) and status.chat:
        found += [*fit((Span(status.chat, "label"),), chat_cells), step]
    return tuple(found)


def _turn(status: Status, glyphs: Glyphs) -> Line:
    """Which turn, and how far the replay has come; a click asks for another one."""
    text = f"turn {status.upto} of {status.messages}" if status.messages else "no chat"
    done, turns = status.replayed
    going = f" {glyphs.dot} replaying {done}/{turns}" if done < turns else ""
    return (Span(text, "strong", ToAction("go_to_turn")), Span(going, "near"))


def _right(status: Status, glyphs: Glyphs, *, is_roomy: bool) -> Line:
    """Tokens against the budget, with a small gauge, and what the turn cost."""
    if status.note:
        return (Span(status.note, "near"), Span(" "))
    turn = status.turn
    if turn is None:
        return (Span("simulating", "near"), Span(" "))
    full = min(_GAUGE, round(turn.tokens * _GAUGE / turn.budget)) if turn.budget else _GAUGE
    gauge = (Span(glyphs.filled[0] * full, "cut" if turn.cut else "in"), Span(glyphs.free * (_GAUGE - full), "faint"))
    about = ("~" if glyphs.letters else "≈ ") if status.approximate else ""
    return (
        *(gauge if is_roomy else ()),
        Span(f" {about}{turn.tokens:,}", "strong"),
        Span(f"/{turn.budget:,} tok", "muted"),
        Span(f"  {turn.milliseconds:.1f} ms " if is_roomy else " ", "faint"),
    )


def pane_bar(panes: Sequence[tuple[str, str, str]], shown: set[str], focused: str) -> Line:
    """The panes by name, those in sight strong, the focused one as a tab; each can be clicked.

    Args:
        panes: (id, key, label).
        shown: ids in sight.
        focused: id of the one that has the focus.
    """
    spans: list[Span] = []
    for pane, key, label in panes:
        target = ToAction(f"to_{pane}")
        ink = "tab-chosen" if pane == focused else "strong" if pane in shown else "tab"
        spans += [
            Span(f" {key} ", ink if pane == focused else "faint", target),
            Span(f"{label} ", ink, target),
            Span(" "),
        ]
    return tuple(spans)


def key_line(actions: Sequence[Action], glyphs: Glyphs, width: int) -> Line:
    """The footer: keys and labels, as many as fit whole; keys of one rank share a place."""
    merged: list[tuple[list[Action], str]] = []
    for action in actions:
        if merged and merged[-1][0][-1].footer == action.footer and merged[-1][0][-1].scope is action.scope:
            merged[-1][0].append(action)
        else:
            merged.append(([action], action.label))
    spans: list[Span] = []
    used = 0
    for group, label in merged:
        label = label.split(maxsplit=1)[0] if len(group) > 1 else label  # noqa: PLW2901 - `turn back`, `turn on` are `turn`
        parts = [Span(" ")]
        for action in group:
            key = action.keys[0] if glyphs.letters and not action.key_text.isascii() else action.key_text
            parts.append(Span(f"{key} ", "key-name", ToAction(action.id)))
        parts += [Span(label, "muted", ToAction(group[0].id)), Span(" ")]
        cells = width_of(parts)
        if used + cells > width:
            break
        spans += parts
        used += cells
    return tuple(spans)
