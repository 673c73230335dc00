"""The simulation follows every edit: made from the one before, compared with it, asked for odds and proposals."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from textual import on

from lorebook_tui.tokens import registry as tokens
from lorebook_tui.tokens.estimate import EstimateCounter
from lorebook_tui.tui import messages
from lorebook_tui.tui.actions import effective, named
from lorebook_tui.tui.screens import simulating
from lorebook_tui.tui.screens.editing import Editing
from lorebook_tui.workspace.history import GROUPED_WITHIN

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from textual.timer import Timer

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.replay import Picture, Prospect, Replay, Turn
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.tui.views.turn_diff import Diffs
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.workspace import Workspace

NEWS_FOR: Final = 12.0
"""Seconds that the line of differences stands at the top."""
_REPORT_EVERY: Final = 0.1


class WhatIfLive(Editing):
    """What is known about the shown turn beyond its picture."""

    earlier: Replay | None = None
    """The replay before the last edit; edits that are undone together are one."""
    tells_news: bool = True
    """Whether the line at the top tells what an edit changed."""
    edit_told: str = ""
    """What the last edit was, as an order. Foreign text."""
    diffs: Diffs | None = None
    """Of the shown turn."""
    _is_next_step: bool = False
    """Whether the next replay is to be compared with the one that is shown."""
    _is_merged: bool = False
    _is_undo: bool = False
    _last_group: tuple[Hashable | None, float] = (None, 0.0)
    _news_are_due: bool = False
    _news_timer: Timer | None = None
    _news_turn: int = 0
    """The turn that the news are about."""
    _prospects_timer: Timer | None = None
    _are_prospects_asked: bool = False
    """Whether a job works on them."""
    _are_more_wanted: bool = False
    """Whether something else came into sight meanwhile."""
    _counted_as: str = ""
    """The tokenizer that `counter` stands for."""

    # The replay after an edit

    def edit(self, make: Callable[[Workspace], Edited], *, group: Hashable | None = None) -> bool:
        """Make an edit; whether it was made. See `Editing.edit`."""
        last, at = self._last_group
        now = monotonic()
        self._is_merged = group is not None and group == last and now - at <= GROUPED_WITHIN
        try:
            return super().edit(make, group=group)
        finally:
            self._is_merged = False
            self._last_group = (group, now)

    def action_undo(self) -> None:
        """Take back the last edit."""
        self._is_undo = True
        try:
            super().action_undo()
        finally:
            self._is_undo = False

    def take_workspace(self, focus: tuple[EntryRef, ...] = ()) -> None:
        """Show the workspace as the desk has it now; what was known of the old one is to be compared with it."""
        if self.desk is not None:
            self.edit_told = f"undo: {self.desk.redo_told}" if self._is_undo else self.desk.undo_told
        self._is_next_step = self._is_next_step or not self._is_merged
        self._news_are_due = True
        super().take_workspace(focus)

    def new_replay(self, scene: Scene) -> Replay:
        """A replay made from the one before: turns that an edit cannot touch are taken over."""
        self._follow_tokenizer(scene.scenario.tokenizer)
        before = self.replay
        if before is None or before.is_provisional is not (self.counter is None):
            return super().new_replay(scene)
        if self.counter is not None and before.counter is not self.counter:
            return super().new_replay(scene)
        return before.after(scene, self.mode)

    def _follow_tokenizer(self, name: str) -> None:
        """Count by another tokenizer from now on, by estimate until its vocabulary is loaded."""
        before, self._counted_as = self._counted_as, name
        if not before or name == before:
            return
        counter = tokens.counter(name)
        self.counter = counter if isinstance(counter, EstimateCounter) else None
        scene = self.scene
        if self.counter is None and scene is not None:
            self.call_after_refresh(self.work, "vocabulary", lambda: self._load_vocabulary(scene))

    def start_replay(self, replay: Replay) -> None:
        """Replay the chat; the picture from before the edit is kept to be compared with."""
        if self._is_next_step and self.replay is not None and self.replay is not replay:
            self.earlier = self.replay
            self._is_next_step = False
        super().start_replay(replay)

    def take_picture(self, picture: Picture, index: int | None, explanation: Any) -> None:
        """Show a turn; find out how it differs, and how safe what it shows is."""
        if picture is not self.picture:
            self.prospects = {}
            self.news = self.news if picture.number == self._news_turn else ()
            if self.diffs is not None and self.diffs.assembly is not picture.assembly:
                self.diffs = None
        super().take_picture(picture, index, explanation)
        is_half_known = self.diffs is not None and self.diffs.turn is None and picture.number > 0
        self._request_diffs(picture, again=is_half_known and picture.settled)
        self.request_prospects()

    # Differences

    @on(messages.TurnsReplayed)
    def _all_replayed(self, event: messages.TurnsReplayed) -> None:
        """Once all turns are known, tell which others are different."""
        diffs, picture = self.diffs, self.picture
        if event.replay is not self.replay or not event.replay.complete or picture is None or diffs is None:
            return
        if diffs.edit is not None and diffs.elsewhere is None and diffs.assembly is picture.assembly:
            self._request_diffs(picture, again=True)

    def _request_diffs(self, picture: Picture, *, again: bool = False) -> None:
        if (self.diffs is not None and not again) or picture.assembly.error:
            return
        earlier, told = self.earlier, self.edit_told

        def job() -> None:
            self.post_message(messages.DiffsFound(picture, _diffs(picture, earlier, told)))

        self.work("diff", job)

    @on(messages.DiffsFound)
    def _diffs_found(self, event: messages.DiffsFound) -> None:
        event.stop()
        if event.picture is not self.picture:
            return
        self.diffs = event.diffs
        if (self._news_are_due or self.news) and self.scene is event.picture.replay.scene:
            self._news_are_due = False
            self._tell_news(event.diffs)
        self.show_phases()

    def _tell_news(self, diffs: Diffs) -> None:
        """One line about what the edit changed, for a while."""
        from lorebook_tui.tui.views.turn_diff import news  # noqa: PLC0415 - with the engine, so that the screen stands sooner

        if diffs.edit is None or diffs.edit_before is None or not self.tells_news:
            return
        self._news_turn = self.turn
        others = len(diffs.elsewhere or ())
        self.news = news(diffs.edit, diffs.assembly, diffs.edit_before, self.glyphs, others)
        if self._news_timer is not None:
            self._news_timer.stop()
        self._news_timer = self.set_timer(NEWS_FOR, self._forget_news)
        self.show_status()

    def _forget_news(self) -> None:
        self.news = ()
        self.show_status()

    # Odds and margins

    def request_explanation(self) -> None:
        """Ask why the chosen entry is in or out, and a moment later how safely."""
        super().request_explanation()
        self.request_prospects()

    def request_prospects(self) -> None:
        """Ask for odds and margins of what is in sight, a moment after it is shown."""
        picture = self.picture
        if picture is None or picture.assembly.error:
            return
        if self._prospects_timer is not None:
            self._prospects_timer.stop()
        self._prospects_timer = self.set_timer(simulating.REMEDIES_AFTER, self._look_for_prospects)

    def _look_for_prospects(self) -> None:
        """One job at a time: what it throws dice for cannot be broken off, and threads are few."""
        picture = self.picture
        if picture is None or not self.is_fresh or not picture.settled:
            return
        if self._are_prospects_asked:
            self._are_more_wanted = True
            return
        chosen = self.index_of(self.chosen)
        listed = [*([chosen] if chosen is not None else []), *self.indices_in_sight()]
        wanted = [index for index in listed if self._is_asked(picture, index)]
        if not wanted:
            return
        self._are_prospects_asked, self._are_more_wanted = True, False

        known: set[int] = set()

        def is_unwanted() -> bool:
            """Dice are thrown for all entries at once; only then something else may come first."""
            is_old = picture is not self.picture or picture.replay is not self.replay
            return is_old or (self._are_more_wanted and bool(known))

        def job() -> None:
            found: list[Prospect] = []
            reported = monotonic()
            try:
                for prospect in picture.replay.prospects(picture, wanted, is_unwanted):
                    found.append(prospect)
                    known.add(prospect.index)
                    if monotonic() - reported > _REPORT_EVERY:
                        self.post_message(messages.ProspectsFound(picture, tuple(found), is_last=False))
                        found, reported = [], monotonic()
            finally:
                self.post_message(messages.ProspectsFound(picture, tuple(found), is_last=True))

        self.work("prospects", job)

    def _is_asked(self, picture: Picture, index: int) -> bool:
        """Whether something about an entry is not known yet."""
        known = self.prospects.get(index)
        return known is None or (known.margin is None and index in picture.assembly.places)

    def indices_in_sight(self) -> Iterable[int]:
        """Entries whose odds are shown."""
        raise NotImplementedError

    @on(messages.ProspectsFound)
    def _prospects_found(self, event: messages.ProspectsFound) -> None:
        event.stop()
        if event.is_last:
            self._are_prospects_asked = False
        if event.picture is self.picture and event.prospects:
            self.prospects = {**self.prospects, **{prospect.index: prospect for prospect in event.prospects}}
            self.show_phases()
            if self.index_of(self.chosen) in {prospect.index for prospect in event.prospects}:
                self.show_reason()
        if event.is_last and (self._are_more_wanted or event.picture is not self.picture):
            self.request_prospects()

    # Proposals

    def apply_offer(self, number: int) -> None:
        """Apply what would change the verdict about the chosen entry.

        Args:
            number: of the proposal, from 1.
        """
        remedies, picture, index = self.remedies, self.picture, self.index_of(self.chosen)
        if remedies is None:
            if picture is not None and index is not None and not picture.assembly.error:
                self._look_for_remedies(picture, index)
            self.tell("What would change it is still being worked out; a moment.")
            return
        offers = remedies.offers
        if not offers:
            is_in = remedies.margin is not None
            self.tell("It is in: there is nothing to apply." if is_in else "No small change was found.")
        elif number > len(offers):
            self.tell(f"There {'is one proposal' if len(offers) == 1 else f'are {len(offers)} proposals'} only.")
        elif picture is None or self.desk is None or picture.replay.scene.workspace is not self.desk.workspace:
            self.tell("The books have changed since; a moment.")
        elif self._keep_choice() and self.edit(lambda workspace: replace(offers[number - 1].make(workspace), focus=())):
            told = self.desk.undo_told
            key = effective(named("global.undo")).key_text
            self.simulate_soon(at_once=True)
            self.tell(f"Applied: {told}." + (f" {key} takes it back." if key else ""))

    def _keep_choice(self) -> bool:
        """Whoever changes something looks at the entry that is chosen, and goes on looking at it."""
        self.has_chosen = self.chosen is not None
        return True


def _diffs(picture: Picture, earlier: Replay | None, told: str) -> Diffs:
    """What a turn is different from. For workers."""
    from lorebook_tui.engine.turn_diff import turn_diff  # noqa: PLC0415 - late, so that the screen stands sooner
    from lorebook_tui.tui.views.turn_diff import Diffs  # noqa: PLC0415 - with the engine, so that the screen stands sooner

    replay, now = picture.replay, picture.assembly
    found = Diffs(now, is_first=not picture.number)
    if picture.number and picture.settled:
        before = replay.picture(picture.number - 1).assembly
        found = replace(found, turn=turn_diff(before, now), turn_before=before)
    old = _same_turn(picture, earlier)
    if old is not None:
        taken = (replay.taken_over, len(replay.steps))
        found = replace(found, edit=turn_diff(old.assembly, now), edit_before=old.assembly, told=told, replayed=taken)
        if earlier is not None and replay.complete and earlier.complete:
            found = replace(found, elsewhere=tuple(_elsewhere(replay, earlier, picture.number)))
    return found


def _elsewhere(replay: Replay, earlier: Replay, number: int) -> Iterator[tuple[Turn, Turn]]:
    """Other turns that went otherwise before, as they were and as they are."""
    known = {turn.upto: turn for turn in earlier.turns}
    same_size = len(replay.simulation.plan().entries) == len(earlier.simulation.plan().entries)
    for turn in replay.turns:
        old = known.get(turn.upto)
        if old is None or turn.number == number:
            continue
        figures = ((each.active, each.cut, each.tokens) for each in (old, turn))
        if len(set(figures)) > 1 or (same_size and old.fates is not turn.fates and old.fates != turn.fates):
            yield old, turn


def _same_turn(picture: Picture, earlier: Replay | None) -> Picture | None:
    """The turn in another replay; None if it has none that can be told at once, or counts otherwise for a while."""
    if earlier is None or earlier is picture.replay or earlier.is_provisional is not picture.replay.is_provisional:
        return None
    upto = picture.turn.upto
    number = next((number for number, step in enumerate(earlier.steps) if step.upto == upto), None)
    if number is None:
        return None
    kept = earlier.kept(number)  # mostly: it was shown; asking for another waits for the turns under way
    return kept or (earlier.picture(number) if number <= len(earlier.turns) else None)
