"""Where the panes stand: three arrangements by width, one part of the simulation at a time when low, and pane sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from lorebook_tui.tui.actions import Scope, effective, footer, named
from lorebook_tui.tui.widgets.chat import Chat, ChatPane
from lorebook_tui.tui.widgets.edges import Breadcrumb, KeyLine, PaneBar, PlainInput
from lorebook_tui.tui.widgets.form import EntryForm
from lorebook_tui.tui.widgets.layer_tree import LayerTree
from lorebook_tui.tui.widgets.line_view import LineView
from lorebook_tui.tui.widgets.panes import PhaseRows, Phases, PhaseTabs, Timeline, Why
from lorebook_tui.tui.widgets.sheet import EntrySheet
from lorebook_tui.tui.widgets.sliders import Settings

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.widget import Widget

    from lorebook_tui.glyphs import Glyphs

LAYERS, ENTRY, SHEET, CHAT = "layers", "entry", "sheet", "chat"
PHASES, TIMELINE, WHY = "phases", "timeline", "why"
PANES: Final = (
    (LAYERS, "l", "Layers"),
    (ENTRY, "s", "Entry"),
    (CHAT, "c", "Chat"),
    (PHASES, "p", "Phases"),
    (WHY, "w", "Why"),
)
"""What the pane bar offers: (id, key, label)."""
ORDER: Final = (LAYERS, ENTRY, SHEET, CHAT, PHASES, TIMELINE, WHY)
"""The way of the tab key."""
SCOPES: Final = {
    LAYERS: Scope.LAYERS,
    ENTRY: Scope.ENTRY,
    SHEET: Scope.SHEET,
    CHAT: Scope.CHAT,
    PHASES: Scope.PHASES,
    TIMELINE: Scope.TIMELINE,
    WHY: Scope.WHY,
}
_SIZES: Final = ("", "-half", "-full")


def pane_names() -> list[tuple[str, str, str]]:
    """What the pane bar offers, with the keys that the user has: (id, key, label)."""
    return [(pane, effective(named(f"global.to_{pane}")).key_text, label) for pane, _, label in PANES]


class Arranged(Screen[None]):
    """The panes and which of them are in sight."""

    AUTO_FOCUS = "#tree"

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self.glyphs = glyphs
        self.pane = LAYERS
        """Id of the pane that has, or last had, the focus."""
        self.beside = CHAT
        """At middle width: what stands beside the tree, the entry or a part of the simulation."""
        self.size_mode = 0
        self.middle = ENTRY
        """What the middle column shows: the form of an entry, or the sheet."""

    def compose(self) -> ComposeResult:
        """Edges around three columns."""
        yield Breadcrumb(id="breadcrumb")
        yield PaneBar(id="pane-bar")
        with Horizontal(id="bench"):
            with Vertical(id="layers", classes="pane"):
                yield PlainInput(id="filter", placeholder="title or key", compact=True)
                yield LayerTree(id="tree")
            yield EntryForm(self.glyphs, id="entry", classes="pane")
            yield EntrySheet(id="sheet", classes="pane")
            with Vertical(id="simulate", classes="pane"):
                yield ChatPane(id="chat", classes="part")
                yield Settings(id="settings", classes="part")
                yield Phases(id="phases", classes="part")
                yield Timeline(id="timeline", classes="part")
                yield Why(id="why", classes="part")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Titles in our own words."""
        for pane, title in ((LAYERS, "Layers"), (ENTRY, "Entry"), (CHAT, "Chat"), (PHASES, "Phases"), (SHEET, "Sheet")):
            self.query_one(f"#{pane}").border_title = title
        self.query_one("#timeline").border_title = "Timeline"
        self.query_one("#why").border_title = "Why"
        self.settle_panes()

    @property
    def layer_tree(self) -> LayerTree:
        """The tree of layers."""
        return self.query_one(LayerTree)

    @property
    def form(self) -> EntryForm:
        """The entry."""
        return self.query_one(EntryForm)

    @property
    def chat(self) -> Chat:
        """The transcript."""
        return self.query_one(Chat)

    @property
    def phase_tabs(self) -> PhaseTabs:
        """The tabs of the phases and the differences."""
        return self.query_one(PhaseTabs)

    @property
    def phase_rows(self) -> PhaseRows:
        """The rows of the shown phase."""
        return self.query_one(PhaseRows)

    @property
    def timeline(self) -> Timeline:
        """The strip of turns."""
        return self.query_one(Timeline)

    @property
    def why(self) -> Why:
        """The reason."""
        return self.query_one(Why)

    @property
    def filter_input(self) -> PlainInput:
        """The line of the filter."""
        return self.query_one("#filter", PlainInput)

    def views(self) -> list[LineView]:
        """The panes that show a turn."""
        return [self.layer_tree, self.form.rows, self.chat, self.phase_tabs, self.phase_rows, self.timeline, self.why]

    def widget_of(self, pane: str) -> LineView:
        """What gets the focus in a pane."""
        inner = {
            LAYERS: "tree",
            ENTRY: "form-rows",
            SHEET: "sheet-rows",
            CHAT: "chat-lines",
            PHASES: "phase-rows",
        }.get(pane, pane)
        return self.query_one(f"#{inner}", LineView)

    def pane_of_focus(self) -> str:
        """The pane that has the focus; the last one while none has."""
        focused = self.focused
        while focused is not None and focused is not self:
            if focused.id in ORDER:
                return str(focused.id)
            focused = focused.parent  # type: ignore[assignment]
        return self.pane

    def go_to_pane(self, pane: str) -> None:
        """Bring a pane into sight and give it the focus."""
        self.pane = pane
        if pane != LAYERS:
            self.beside = pane
        self.settle_panes()
        self.give_focus(self.widget_of(pane))

    def give_focus(self, widget: Widget) -> None:
        """At once where it can be: what is typed next belongs there."""
        if widget.focusable:
            self.set_focus(widget, scroll_visible=False)
        else:
            widget.focus(scroll_visible=False)

    def settle_panes(self) -> None:
        """Set the classes that the styles follow, all at once: each change of classes styles the whole screen anew."""
        if self.pane in {ENTRY, SHEET}:
            self.middle = self.pane
        part = self.beside if self.beside in {CHAT, PHASES, WHY} else CHAT
        is_cramped = any(self.has_class(name) for name in ("-narrow", "-middle", "-low"))
        self.update_classes(
            {
                **{f"-in-{pane}": self.pane == pane for pane in ORDER},
                "-in-simulate": self.pane in {CHAT, PHASES, TIMELINE, WHY},
                "-sheet": self.middle == SHEET,
                "-beside-entry": self.beside in {ENTRY, SHEET},
                **{f"-part-{name}": part == name for name in (CHAT, PHASES, WHY)},
                **{name: number == self.size_mode for number, name in enumerate(_SIZES) if name},
                "-partial": is_cramped or self.size_mode > 0,
            }
        )
        self.query_one(PaneBar).tell(pane_names(), self.in_sight(), self.pane)
        self.tell_keys()

    def tell_keys(self) -> None:
        """The footer shows what can be done here."""
        self.query_one(KeyLine).tell(footer(self.footer_scope), self.glyphs)

    @property
    def scope_of_focus(self) -> Scope:
        """The scope of the pane that has the focus."""
        return SCOPES[self.pane_of_focus()]

    @property
    def footer_scope(self) -> Scope:
        """Whose keys the footer shows."""
        return SCOPES[self.pane]

    def in_sight(self) -> set[str]:
        """Ids of the panes that are shown."""
        return {pane for pane in ORDER if all(node.display for node in self.widget_of(pane).ancestors_with_self)}

    def on_resize(self) -> None:
        """Another arrangement may be in force once the breakpoints have set their classes."""
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        self.settle_panes()
        focused = self.focused
        if focused is None or not all(node.display for node in focused.ancestors_with_self):
            self.go_to_pane(self.pane)

    def on_descendant_focus(self) -> None:
        """The footer and the low arrangement follow the focus."""
        pane = self.pane_of_focus()
        if pane != self.pane:
            self.pane = pane
            if pane != LAYERS:
                self.beside = pane
            self.settle_panes()

    @property
    def cycle(self) -> tuple[str, ...]:
        """The way of the tab key: of form and sheet only the one that is shown."""
        hidden = ENTRY if self.middle == SHEET else SHEET
        if hidden == self.pane_of_focus():  # the arrangement is about to follow the focus
            hidden = SHEET if hidden == ENTRY else ENTRY
        return tuple(pane for pane in ORDER if pane != hidden)

    def action_next_pane(self) -> None:
        """The next pane, in sight or not."""
        cycle = self.cycle
        self.go_to_pane(cycle[(cycle.index(self.pane_of_focus()) + 1) % len(cycle)])

    def action_previous_pane(self) -> None:
        """The pane before."""
        cycle = self.cycle
        self.go_to_pane(cycle[cycle.index(self.pane_of_focus()) - 1])

    def action_to_layers(self) -> None:
        """The tree."""
        self.go_to_pane(LAYERS)

    def action_to_entry(self) -> None:
        """The sheet."""
        self.go_to_pane(ENTRY)

    def action_to_chat(self) -> None:
        """The transcript."""
        self.go_to_pane(CHAT)

    def action_to_phases(self) -> None:
        """The phases."""
        self.go_to_pane(PHASES)

    def action_to_timeline(self) -> None:
        """The strip of turns."""
        self.go_to_pane(TIMELINE)

    def action_to_why(self) -> None:
        """The reason."""
        self.go_to_pane(WHY)

    def action_flip(self) -> None:
        """Entry or simulation beside the tree."""
        other = ENTRY if self.beside != ENTRY else CHAT
        if self.pane == LAYERS and not self.has_class("-narrow"):
            self.beside = other
            self.settle_panes()
        else:
            self.go_to_pane(other)

    def action_grow(self) -> None:
        """Share, half, all."""
        self.size_mode = (self.size_mode + 1) % len(_SIZES)
        self.settle_panes()

    def action_shrink(self) -> None:
        """All, half, share."""
        self.size_mode = (self.size_mode - 1) % len(_SIZES)
        self.settle_panes()
