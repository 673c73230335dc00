"""What the panes of the simulation show: phases, differences, the timeline as a strip or a grid."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import on
from textual.worker import get_current_worker

from lorebook_tui.engine.trace import Phase
from lorebook_tui.tui import messages
from lorebook_tui.tui.ink import Paragraph, Span
from lorebook_tui.tui.screens.arranged import TIMELINE
from lorebook_tui.tui.screens.whatif_live import WhatIfLive
from lorebook_tui.tui.views.phases import ABOUT, DIFF, PHASE_NAMES, PhaseLook, phase_blocks
from lorebook_tui.tui.views.timeline import Timeline as Strip
from lorebook_tui.tui.widgets.panes import PhaseRows, Timeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.tui.chronicle import Chronicle
    from lorebook_tui.tui.ink import Block
    from lorebook_tui.tui.replay import Picture, Replay, Turn
    from lorebook_tui.tui.views.grid import Grid

_DRAW_EVERY: Final = 0.5
"""Seconds between two grids of a replay that is under way."""
_REPORT_EVERY: Final = 0.2
"""Seconds between two reports of near misses in the grid."""
_WITH_ODDS: Final = {Phase.BUDGET, Phase.ORDER}


class WhatIfViews(WhatIfLive):
    """Draws the panes of the simulation."""

    _rows: tuple[Chronicle | None, object, int | None, Sequence[int]] = (None, None, None, ())
    """Rows of the grid, and what they were made from."""
    _kept_grid: tuple[Grid | None, Replay | None, float] = (None, None, 0.0)
    """The grid that is drawn, of which replay, and when it was made."""
    _drawn_of: Replay | None = None
    """The last replay that came to its end."""
    _near_of: Replay | None = None
    _near_seen: frozenset[tuple[int, int]] = frozenset()
    """Cells of the grid at which a key nearly matched, turn and load index, of one replay."""
    _near_judged: frozenset[tuple[int, int]] = frozenset()
    """Cells that were looked at."""

    # Phases

    def show_phases(self) -> None:
        """Tabs and the rows of the chosen phase, or the differences."""
        picture, number = self.picture, self.phase_rows.phase
        if picture is None:
            self.phase_tabs.set_counts(("",) * len(PHASE_NAMES), number)
            return
        different = self.diffs.count if self.diffs is not None else ""
        self.phase_tabs.set_counts([*(view.count for view in picture.phases), different], number)
        if number == DIFF:
            from lorebook_tui.tui.views.turn_diff import diff_blocks  # noqa: PLC0415 - late, so that the screen stands sooner

            self.phase_rows.show(list(diff_blocks(self.diffs, self.ref_of, self.glyphs)))
            return
        view = picture.phases[number - 1]
        if view.phase is Phase.INJECT:
            self._show_prompt(picture)
            return
        pointed = self.index_of(self.phase_rows.hovered) if self.phase_rows.hovered else self.index_of(self.chosen)
        look = PhaseLook(picture, self.ref_of, pointed, self.glyphs, self.prospects)
        self.phase_rows.show(phase_blocks(view, look))

    def _show_prompt(self, picture: Picture) -> None:
        """The prompt; while a new one is on its way the old one stays."""
        blocks: list[Block] = [Paragraph((Span(ABOUT[Phase.INJECT], "muted"),))]
        if self.prompt_of is not picture:
            self.request_prompt()
        if self.prompt is not None:
            from lorebook_tui.tui.views.prompt import PromptBlocks  # noqa: PLC0415 - late, so that the screen stands sooner

            blocks += PromptBlocks(self.prompt, self.ref_of, self.glyphs).blocks()
        else:
            text, ink = (self.prompt_trouble, "cut") if self.prompt_trouble else ("Working it out.", "faint")
            blocks.append(Paragraph((Span(text, ink),)))
        self.phase_rows.show(blocks)

    def show_phase(self, number: int) -> None:
        """One of the seven phases, or the differences; what it shows of odds is worked out."""
        self.phase_rows.phase = number
        self.phase_rows.cursor = None
        self.show_phases()
        self.phase_rows.jump(0)
        self.request_prospects()

    def indices_in_sight(self) -> list[int]:
        """Entries whose odds are shown."""
        if self.phase_rows.phase not in _WITH_ODDS or not self.phase_rows.display:
            return []
        indices = (self.index_of(ref) for ref in self.phase_rows.in_sight())
        return [index for index in indices if index is not None]

    @on(PhaseRows.Hovered)
    def _hovered(self, event: PhaseRows.Hovered) -> None:
        event.stop()
        if self.phase_rows.phase == Phase.BUDGET:
            self.show_phases()

    @on(PhaseRows.Scrolled)
    def _scrolled(self, event: PhaseRows.Scrolled) -> None:
        event.stop()
        if self.phase_rows.phase in _WITH_ODDS:
            self.request_prospects()

    # Timeline

    def show_timeline(self) -> None:
        """The strip of turns, or the grid."""
        replay = self.replay
        if replay is None:
            return
        count = len(replay.steps)
        strip = Strip(self._known_turns(replay), count, self.turn, self.index_of(self.chosen), self.glyphs)
        self.timeline.show_turns(strip, lambda: self._grid(replay), self.turn, count)

    def _known_turns(self, replay: Replay) -> Sequence[Turn]:
        """The turns of a replay; those that it has not come to are shown as they were before the edit."""
        earlier = self._drawn_of
        if replay.complete:
            self._drawn_of = replay
        elif earlier is not None and earlier.steps == replay.steps:
            known = list(replay.turns)
            return known + earlier.turns[len(known) :]
        return replay.turns

    def _grid(self, replay: Replay) -> Grid:
        """The grid of a replay; while it is under way the older one stays, or it is drawn anew from time to time."""
        kept, made_of, made_at = self._kept_grid
        if kept is not None and made_of is not None and not replay.complete:
            is_same_shape = (
                len(made_of.steps) == len(replay.steps) and made_of.scene.entry_count == replay.scene.entry_count
            )
            is_other = made_of is not replay and made_of.complete and is_same_shape
            if is_other or (made_of is replay and monotonic() - made_at < _DRAW_EVERY):
                return replace(kept, chosen=self.turn, entry=self.index_of(self.chosen), glyphs=self.glyphs)
        grid = self._new_grid(replay)
        self._kept_grid = (grid, replay, monotonic())
        return grid

    def _new_grid(self, replay: Replay) -> Grid:
        """The grid of a replay as far as it has come."""
        from lorebook_tui.tui.views.grid import Grid  # noqa: PLC0415 - late, so that the screen stands sooner

        chronicle, entry = replay.chronicle, self.index_of(self.chosen)
        catalogue, scene = replay.catalogue, replay.scene

        def title_of(index: int) -> str:
            ref = catalogue.ref(index) if catalogue else None
            return scene.entry(ref).title if ref is not None else replay.simulation.plan().entries[index].entry.title

        rows = self._grid_rows(chronicle, entry)
        return Grid(
            chronicle, replay.steps, self.turn, entry, rows, title_of, self.ref_of, self.glyphs, self._near(replay)
        )

    def _grid_rows(self, chronicle: Chronicle, entry: int | None) -> Sequence[int]:
        """The chosen entry, then those that the tree's filter leaves, the first to come on top."""
        found = self.layer_tree.found
        if self._rows[0] is chronicle and self._rows[1] is found and self._rows[2] == entry:
            return self._rows[3]
        listed = chronicle.by_first()
        if found is not None:
            kept = {self.index_of(ref) for ref in found}
            listed = tuple(index for index in listed if index in kept)
        first = (entry,) if entry is not None else ()
        rows = (*first, *(index for index in listed if index != entry))
        self._rows = (chronicle, found, entry, rows)
        return rows

    def _near(self, replay: Replay) -> frozenset[tuple[int, int]]:
        """Near misses among the cells that were looked at."""
        if self._near_of is not replay:
            self._near_of, self._near_seen, self._near_judged = replay, frozenset(), frozenset()
        return self._near_seen

    @on(Timeline.PartShown)
    def request_near_cells(self) -> None:
        """Look for near misses in the cells in sight that nothing stands in, from the chosen turn outwards."""
        replay, grid = self.replay, self.timeline.grid
        if replay is None or grid is None or not replay.complete or grid.chronicle is not replay.chronicle:
            return
        self._near(replay)
        judged, (rows, turns) = self._near_judged, self.timeline.part
        wanted = []
        for turn in sorted(turns, key=lambda turn: abs(turn - self.turn)):
            cells = [index for index in rows if grid.fate(index, turn) is None and (turn, index) not in judged]
            if cells:
                wanted.append((turn, cells))

        def job() -> None:
            worker, reported = get_current_worker(), monotonic()
            seen: set[tuple[int, int]] = set()
            near: set[tuple[int, int]] = set()
            for turn, cells in wanted:
                if worker.is_cancelled or replay is not self.replay:
                    return
                seen |= {(turn, index) for index in cells}
                near |= {(turn, index) for index in replay.near_at(turn, cells)}
                if monotonic() - reported > _REPORT_EVERY or turn == wanted[-1][0]:
                    self.post_message(messages.NearCellsFound(replay, frozenset(seen), frozenset(near)))
                    reported = monotonic()
                    seen.clear()
                    near.clear()

        if wanted:
            self.work("near_cells", job)

    @on(messages.NearCellsFound)
    def _near_cells_found(self, event: messages.NearCellsFound) -> None:
        event.stop()
        if event.replay is not self._near_of:
            return
        self._near_judged |= event.judged
        if event.near:
            self._near_seen |= event.near
            self.show_timeline()

    def action_unfold(self) -> None:
        """The timeline as a grid, or as a strip again."""
        self.set_class(not self.has_class("-grid"), "-grid")
        self.go_to_pane(TIMELINE)
        self.call_after_refresh(self.show_timeline)
