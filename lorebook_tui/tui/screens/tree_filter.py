"""The filter of the tree: words and `field:value` queries, found while they are typed, with a history."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from textual import on
from textual.message import Message
from textual.widgets import Input

from lorebook_tui.display import cell_width
from lorebook_tui.errors import LorebookError
from lorebook_tui.tui.ink import Drawn, Span, fit, width_of
from lorebook_tui.tui.screens.arranged import LAYERS
from lorebook_tui.tui.screens.editing import Editing
from lorebook_tui.tui.targets import ToEntry
from lorebook_tui.tui.widgets.edges import OneLine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual import events

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Line
    from lorebook_tui.tui.replay import Replay
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.workspace.facts import LoreFacts, TurnFacts

_AT_ONCE: Final = 1500
"""Up to so many entries are looked through between two keys, more in a thread."""
_KEPT: Final = 50
_HINT: Final = "words, or order:>100 key:/пат/ constant:yes fired:never"


class FilterFound(Message):
    """Entries were looked through."""

    def __init__(self, query: str, scene: Scene, found: tuple[EntryRef, ...], trouble: LorebookError | None) -> None:
        super().__init__()
        self.query = query
        self.scene = scene
        self.found = found
        self.trouble = trouble


class TreeFilter(Editing):
    """The part of the workbench."""

    filter_history: tuple[str, ...] = ()
    """Queries that were taken, the newest last."""
    _recalled: int = 0
    """How many steps back in the history; 0: what is typed."""
    _typed: str = ""
    _lore: LoreFacts | None = None

    def on_mount(self) -> None:
        """A line under the filter tells what was found, or what is wrong."""
        self.filter_input.placeholder = _HINT
        self.mount(OneLine(id="filter-told"), after="#filter")

    def scene_is_ready(self, scene: Scene) -> None:
        """What was typed before there was anything to look in is looked for now."""
        super().scene_is_ready(scene)
        if self.filter_input.value.strip():
            self.call_after_refresh(self.refresh_filter)

    def action_filter(self) -> None:
        """Type to filter the tree."""
        self.go_to_pane(LAYERS)
        self.filter_input.add_class("-open")
        self.query_one("#filter-told").add_class("-open")
        self._recalled = 0
        self._tell_found("")
        self.give_focus(self.filter_input)

    @on(Input.Changed, "#filter")
    def _filter_typed(self, event: Input.Changed) -> None:
        event.stop()
        self.refresh_filter()

    def refresh_filter(self) -> None:
        """Look again: something else is typed, or the entries changed."""
        scene, query = self.scene, self.filter_input.value
        if scene is None:
            return
        if not query.strip():
            self.layer_tree.set_found(None)
            self._tell_found("")
            self.request_near_misses()
            return
        lore = self.lore_facts()
        turns = self.turn_facts() if lore is not None else None
        replay = self.replay if turns is not None else None
        if scene.entry_count > _AT_ONCE or "hits" in query:
            self.work("filter", lambda: self.post_message(look_for(query, scene, lore, turns, replay)))
        else:
            self._take_found(look_for(query, scene, lore, turns, replay))

    @on(FilterFound)
    def _filter_found(self, event: FilterFound) -> None:
        if event.query == self.filter_input.value and event.scene is self.scene:
            self._take_found(event)

    def _take_found(self, found: FilterFound) -> None:
        if found.trouble is not None:
            offset = getattr(found.trouble, "offset", None)
            self._tell_trouble(found.trouble.message, offset)
            return
        self.layer_tree.set_found(found.found)
        total = found.scene.entry_count
        count = len(found.found)
        self._tell_found(f"{count:,} of {total:,}" if count else f"none of {total:,}", is_none=not count)
        self.request_near_misses()

    def _tell_found(self, words: str, *, is_none: bool = False) -> None:
        hint = () if words else (Span("↑ earlier queries", "faint"),)
        keys = (Span("  enter, then a marks all", "faint"),) if words and not is_none else ()
        line = (Span(words, "near" if is_none else "in"), *keys, *hint)
        self.query_one("#filter-told", OneLine).show([Drawn(lambda width: [fit(line, width)], 1)])

    def _tell_trouble(self, words: str, offset: int | None) -> None:
        """What is wrong with the query, an arrow at the place; the tree keeps what was found before."""
        place = None if offset is None else cell_width(self.filter_input.value[:offset])

        def draw(width: int) -> list[Line]:
            told = (Span(words, "near"),)
            if place is None or place >= width:
                return [fit(told, width)]
            arrow = Span("↑" if not self.glyphs.letters else "^", "cut")
            if place + width_of(told) + 2 <= width or place < width // 2:
                return [fit((Span(" " * place), arrow, Span(" "), *told), width)]
            left = fit(told, place - 1)
            return [(*left, Span(" " * (place - width_of(left))), arrow)]

        self.query_one("#filter-told", OneLine).show([Drawn(draw, 1)])

    def on_key(self, event: events.Key) -> None:
        """Up and down in the filter's line go through its history."""
        if self.focused is not self.filter_input or event.key not in {"up", "down"}:
            return
        event.stop()
        event.prevent_default()
        if self._recalled == 0:
            self._typed = self.filter_input.value
        step = 1 if event.key == "up" else -1
        self._recalled = max(0, min(self._recalled + step, len(self.filter_history)))
        recalled = self.filter_history[-self._recalled] if self._recalled else self._typed
        self.filter_input.value = recalled
        self.filter_input.cursor_position = len(recalled)

    @on(Input.Submitted, "#filter")
    def _filter_taken(self, event: Input.Submitted) -> None:
        event.stop()
        query = event.value.strip()
        if query:
            kept = tuple(each for each in self.filter_history if each != query)
            self.filter_history = (*kept, query)[-_KEPT:]
        self.layer_tree.focus()
        refs = self.layer_tree.listed()
        if refs and self.chosen not in refs:
            self.layer_tree.point_at(ToEntry(refs[0]))
            self.choose_entry(refs[0])

    def clear_filter(self) -> bool:
        """All entries again; whether there was a filter."""
        was_open = self.filter_input.has_class("-open")
        self.filter_input.value = ""
        for name in ("#filter", "#filter-told"):
            self.query_one(name).remove_class("-open")
        self.layer_tree.set_found(None)
        if was_open:
            self.layer_tree.focus()
            if self.chosen is not None:
                self.layer_tree.choose(self.chosen)
        return was_open

    def lore_facts(self) -> LoreFacts | None:
        """What queries can ask about entries; None for a scene without files."""
        workspace = self.scene.workspace if self.scene is not None else None
        if workspace is None:
            return None
        if self._lore is None or self._lore.workspace is not workspace:
            from lorebook_tui.workspace.facts import LoreFacts  # noqa: PLC0415 - only where somebody filters

            self._lore = LoreFacts(workspace)
        return self._lore

    def turn_facts(self) -> TurnFacts | None:
        """What the replay knows of all entries by now; None before its books are compiled."""
        replay, picture = self.replay, self.picture
        if replay is None or replay.catalogue is None or self.scene is not replay.scene:
            return None
        from lorebook_tui.glyphs import Mark  # noqa: PLC0415 - as above
        from lorebook_tui.workspace.facts import TurnFacts  # noqa: PLC0415 - as above

        fired: dict[EntryRef, int] = {}
        for turn in tuple(replay.turns):
            for index, mark in turn.marks.items():
                ref = self.ref_of(index) if mark.in_prompt or mark is Mark.CLOSED else None
                if ref is not None:
                    fired[ref] = fired.get(ref, 0) + 1
        marks = self.marks() if picture is not None else {}
        inside = frozenset(ref for ref, mark in marks.items() if mark.in_prompt)
        cut = frozenset(ref for ref, mark in marks.items() if mark is Mark.CUT)
        return TurnFacts(len(replay.turns), fired, inside, cut)


def look_for(
    query: str, scene: Scene, lore: LoreFacts | None, turns: TurnFacts | None, replay: Replay | None = None
) -> FilterFound:
    """The entries that a query means, or why none can be.

    Args:
        query: as it was typed.
        scene: has the entries.
        lore: the facts about them; None: only words can be found.
        turns: what a replay knows of them.
        replay: that replay, for what is only worked out when it is asked for.
    """
    if lore is None:
        from lorebook_tui.tui.search import EntrySearch  # noqa: PLC0415 - as above

        return FilterFound(query, scene, tuple(EntrySearch(scene).find(query)), None)
    from lorebook_tui.workspace import query as queries  # noqa: PLC0415 - as above

    try:
        parsed = queries.parse(query)
        if "hits" in parsed.needs and turns is not None and replay is not None:
            turns = replace(turns, hits=hits_of(replay, lore))
        lore.replayed = turns
        found = queries.select(lore, parsed, similar=True)
    except LorebookError as error:
        return FilterFound(query, scene, (), error)
    return FilterFound(query, scene, found, None)


def hits_of(replay: Replay, lore: LoreFacts) -> Mapping[EntryRef, int]:
    """How many messages of the chat hold a key of each entry. For a thread: it searches the whole chat."""
    from lorebook_tui.workspace.replayed_facts import key_hits  # noqa: PLC0415 - as above

    refs = {id(lore.entry(ref)): ref for ref in lore.refs()}
    names = replay.scene.scenario.settings.world_info_include_names
    lines = replay.simulation.chat(include_names=names).lines
    return key_hits(replay.simulation.plan(), refs, lines)
