"""The flow of the simulation: workers get frozen values and report facts; the handlers here alone change widgets."""

from __future__ import annotations

from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from textual import on
from textual.worker import get_current_worker

from lorebook_tui.display import plain
from lorebook_tui.errors import LorebookError
from lorebook_tui.glyphs import Glyphs, Mark
from lorebook_tui.tokens import registry as tokens
from lorebook_tui.tokens.estimate import EstimateCounter
from lorebook_tui.tui import messages
from lorebook_tui.tui.scene import USER_TURNS
from lorebook_tui.tui.screens.arranged import Arranged
from lorebook_tui.tui.widgets.layer_tree import LayerTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.engine.explain import Explanation
    from lorebook_tui.engine.prompt.views import PromptView
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tokens.base import TokenCounter
    from lorebook_tui.tui.replay import Picture, Remedies, Replay
    from lorebook_tui.tui.scene import Scene

DIM_AFTER: Final = 0.12
"""Seconds after which an old picture is dimmed; most turns come sooner."""
REMEDIES_AFTER: Final = 0.25
"""Seconds that an entry is looked at before somebody works out what would change its verdict."""
_REPORT_EVERY: Final = 0.06
_NEAR_BATCH: Final = 20
_MOST_NOTES: Final = 3
_LATE_MODULES: Final = ("lorebook_tui.tui.replay", "lorebook_tui.tui.views.form_help", "lorebook_tui.tui.views.why")


class Simulating(Arranged):
    """Holds what is shown: scene, replay, turn, picture, chosen entry."""

    def __init__(self, opener: Callable[[], Scene], glyphs: Glyphs) -> None:
        super().__init__(glyphs)
        self.opener = opener
        self.scene: Scene | None = None
        self.replay: Replay | None = None
        self.counter: TokenCounter | None = None
        """What counts as the scenario asks; None until its vocabulary is loaded."""
        self.mode = USER_TURNS
        self.number: int | None = None
        """The wanted turn, counted from 0; None: the last one, once it is known."""
        self.picture: Picture | None = None
        """The newest picture; of another turn or scene while a newer one is on its way."""
        self.chosen: EntryRef | None = None
        self.has_chosen = False
        """Whether the user chose it or moved on; until then a new picture offers its most telling entry."""
        self.explanation: Explanation | None = None
        """Of the chosen entry at the shown turn."""
        self.prompt: PromptView | None = None
        """The newest prompt that was asked for; of another turn while a newer one is on its way."""
        self.prompt_of: Picture | None = None
        """The turn it belongs to."""
        self.prompt_trouble = ""
        """Why there is none."""
        self.remedies: Remedies | None = None
        """What would change the reason shown; None until it is known."""
        self.near: set[int] = set()
        """Load indices of entries whose keys nearly matched at the shown turn."""
        self.judged: set[int] = set()
        """Load indices of entries that were looked at for that."""
        self.trouble = ""
        """Why a turn cannot be assembled."""
        self.follow = True
        """Whether the next picture brings the turn cursor of the chat into sight."""

    def on_mount(self) -> None:
        """Start reading once the screen stands."""
        super().on_mount()
        self.call_after_refresh(self.work, "open", self._open)

    def work(self, group: str, job: Callable[[], Any]) -> None:
        """Run a job in a thread; a newer one of the group takes its place."""

        def guarded() -> None:
            try:
                job()
            except LorebookError as error:
                self.post_message(messages.WorkFailed(error, self.replay if group != "open" else None))

        self.run_worker(guarded, group=group, thread=True, exclusive=True)

    def _open(self) -> None:
        """Read the files, then load what the tree does not need: the engine, the table of fields."""
        scene = self.opener()
        self.post_message(messages.BooksRead(scene))
        for module in _LATE_MODULES:
            import_module(module)
        self.post_message(messages.SceneOpened(scene))

    @on(messages.BooksRead)
    def _books_read(self, event: messages.BooksRead) -> None:
        """Show the tree at once."""
        self.layer_tree.set_scene(event.scene, self.glyphs)

    @on(messages.SceneOpened)
    def _scene_opened(self, event: messages.SceneOpened) -> None:
        """Begin to replay; count by estimate until the vocabulary is there."""
        scene = self.scene = event.scene
        self.scene_is_ready(scene)
        for note in scene.notes[:_MOST_NOTES]:
            self.notify(plain(note), title="While opening", severity="warning", timeout=8, markup=False)
        counter = tokens.counter(scene.scenario.tokenizer)
        self.counter = counter if isinstance(counter, EstimateCounter) else None
        self.start_replay(self.new_replay(scene))
        if self.counter is None:
            self.work("vocabulary", lambda: self._load_vocabulary(scene))

    def scene_is_ready(self, scene: Scene) -> None:
        """The files are open; what else the screen keeps of them is for its other parts."""

    def new_replay(self, scene: Scene) -> Replay:
        """A replay of a scene in the chosen mode, by estimate as long as nothing better is loaded."""
        from lorebook_tui.tui.replay import Replay  # noqa: PLC0415 - late, so that the screen stands sooner

        counter = self.counter or tokens.counter("estimate")
        return Replay(scene, counter, self.mode, is_provisional=self.counter is None)

    def _load_vocabulary(self, scene: Scene) -> None:
        counter = tokens.counter(scene.scenario.tokenizer)
        counter.count("the first text loads the vocabulary")
        if self.replay is not None:
            self.post_message(messages.VocabularyLoaded(counter, self.replay, self.replay.counted_by(counter)))

    @on(messages.VocabularyLoaded)
    def _vocabulary_loaded(self, event: messages.VocabularyLoaded) -> None:
        if event.estimated is self.replay:
            self.counter = event.counter
            self.start_replay(event.exact)
        elif self.scene is not None:
            scene = self.scene
            self.work("vocabulary", lambda: self._load_vocabulary(scene))

    def start_replay(self, replay: Replay) -> None:
        """Replay from the first turn; what is shown stays until the new picture comes."""
        self.replay = replay
        if self.number is not None:
            self.number = min(self.number, len(replay.steps) - 1)
        self.expect()
        self.show_chat()
        self.show_status()
        self.work("replay", lambda: self._replay(replay))

    def expect(self) -> None:
        """Dim the old picture if the new one takes its time."""
        self.set_timer(DIM_AFTER, self._dim_if_old)

    def _dim_if_old(self) -> None:
        if not self.is_fresh:
            for view in self.views():
                view.set_stale(stale=True)

    @property
    def is_fresh(self) -> bool:
        """Whether the picture is of the wanted turn of the newest replay."""
        picture, replay = self.picture, self.replay
        return picture is not None and replay is not None and picture.replay is replay and picture.number == self.turn

    @property
    def turn(self) -> int:
        """The wanted turn, counted from 0."""
        if self.number is not None:
            return self.number
        return len(self.replay.steps) - 1 if self.replay else 0

    def _replay(self, replay: Replay) -> None:
        worker = get_current_worker()
        replay.prepare()
        if replay.is_grown and not worker.is_cancelled:
            self._look_first(replay, min(self.turn, len(replay.steps) - 1))
        reported = 0.0
        while not replay.complete and not worker.is_cancelled:
            turn = replay.advance()
            if turn.number == self.turn or monotonic() - reported > _REPORT_EVERY:
                reported = monotonic()
                self.post_message(messages.TurnsReplayed(replay))
        if not worker.is_cancelled:
            self.post_message(messages.TurnsReplayed(replay))

    def _look_first(self, replay: Replay, number: int) -> None:
        """The wanted turn before all others, as it seems if the turns before it have to be run again."""
        index = self.index_of(self.chosen)
        picture = replay.look(number)
        explanation = replay.explain(picture, index) if index is not None else None
        self.post_message(messages.TurnPictured(picture, index, explanation))

    @on(messages.TurnsReplayed)
    def _turns_replayed(self, event: messages.TurnsReplayed) -> None:
        if event.replay is not self.replay:
            return
        self.show_status()
        self.show_timeline()
        if not self.is_fresh or (self.picture is not None and not self.picture.settled):
            self.request_picture()

    def request_picture(self) -> None:
        """Ask for the wanted turn in full, with the reason of the chosen entry; or take both if they are kept."""
        replay, number, index = self.replay, self.turn, self.index_of(self.chosen)
        if replay is None or number >= len(replay.turns):
            return
        picture = replay.kept(number)
        if picture is not None and (index is None or replay.explained(picture, index) is not None):
            self.take_picture(picture, index, replay.explained(picture, index))
            return

        def job() -> None:
            picture = replay.picture(number)
            explanation = replay.explain(picture, index) if index is not None else None
            self.post_message(messages.TurnPictured(picture, index, explanation))

        self.work("picture", job)

    @on(messages.TurnPictured)
    def _turn_pictured(self, event: messages.TurnPictured) -> None:
        if event.picture.replay is self.replay and event.picture.number == self.turn:
            self.take_picture(event.picture, event.index, event.explanation)

    def take_picture(self, picture: Picture, index: int | None, explanation: Explanation | None) -> None:
        """Show a turn in all panes.

        Args:
            picture: the turn.
            index: load index of the entry that is explained.
            explanation: of that entry.
        """
        self.picture = picture
        self.near, self.judged = set(), set()
        for view in self.views():
            view.set_stale(stale=False)
        if not self.has_chosen:
            self.chosen = self.first_choice(picture)
            if self.chosen is not None and not getattr(self.app, "was_used", False):
                self.layer_tree.choose(self.chosen)
        self.explanation = explanation if index == self.index_of(self.chosen) else None
        self.remedies = None
        self.show_turn()
        if self.explanation is None:
            self.request_explanation()
        else:
            self.request_remedies()
        self.request_near_misses()

    def request_explanation(self) -> None:
        """Ask why the chosen entry is in or out."""
        picture = self.picture
        index = self.index_of(self.chosen)
        if picture is None or index is None or not self.is_fresh:
            return

        def job() -> None:
            explanation = picture.replay.explain(picture, index)
            self.post_message(messages.EntryExplained(picture, index, explanation))

        self.work("why", job)

    @on(messages.EntryExplained)
    def _entry_explained(self, event: messages.EntryExplained) -> None:
        if event.picture is self.picture and event.index == self.index_of(self.chosen):
            self.explanation = event.explanation
            self.remedies = None
            self.show_entry()
            self.request_remedies()

    def request_remedies(self) -> None:
        """Ask what would change the reason, a moment after it is shown: whoever only passes by should not wait."""
        picture, index = self.picture, self.index_of(self.chosen)
        if picture is not None and index is not None and not picture.assembly.error:
            self.set_timer(REMEDIES_AFTER, lambda: self._look_for_remedies(picture, index))

    def _look_for_remedies(self, picture: Picture, index: int) -> None:
        if picture is not self.picture or index != self.index_of(self.chosen) or not self.is_fresh:
            return

        def job() -> None:
            self.post_message(messages.RemediesFound(picture, index, picture.replay.remedies(picture, index)))

        self.work("remedies", job)

    @on(messages.RemediesFound)
    def _remedies_found(self, event: messages.RemediesFound) -> None:
        if event.picture is self.picture and event.index == self.index_of(self.chosen):
            self.remedies = event.remedies
            self.show_entry()

    def request_prompt(self) -> None:
        """Ask for the prompt of the shown turn."""
        picture = self.picture
        if picture is None or not self.is_fresh:
            return

        def job() -> None:
            try:
                self.post_message(messages.PromptAssembled(picture, picture.replay.prompt(picture)))
            except LorebookError as error:
                self.post_message(messages.PromptAssembled(picture, None, error.message))

        self.work("prompt", job)

    @on(messages.PromptAssembled)
    def _prompt_assembled(self, event: messages.PromptAssembled) -> None:
        if event.picture is self.picture:
            self.prompt, self.prompt_of, self.prompt_trouble = event.prompt, event.picture, event.trouble
            self.show_phases()

    @on(LayerTree.Scrolled)
    def request_near_misses(self) -> None:
        """Look for near misses among the entries that can be seen in the tree and were not looked at yet."""
        picture = self.picture
        if picture is None:
            return
        indices = [index for ref in self.layer_tree.in_sight() if (index := self.index_of(ref)) is not None]
        wanted = [index for index in indices if index not in picture.turn.marks and index not in self.judged]

        def job() -> None:
            worker = get_current_worker()
            for start in range(0, len(wanted), _NEAR_BATCH):
                batch = wanted[start : start + _NEAR_BATCH]
                if worker.is_cancelled:
                    return
                found = frozenset(index for index in batch if picture.replay.is_near(picture, index))
                self.post_message(messages.NearMissesFound(picture, frozenset(batch), found))

        if wanted:
            self.work("near", job)

    @on(messages.NearMissesFound)
    def _near_misses_found(self, event: messages.NearMissesFound) -> None:
        if event.picture is self.picture:
            self.judged |= event.judged
            if event.near:
                self.near |= event.near
                self.show_marks()

    def index_of(self, ref: EntryRef | None) -> int | None:
        """The load index of an entry; None if it is not loaded or nothing is compiled yet."""
        catalogue = self.replay.catalogue if self.replay else None
        return catalogue.index(ref) if catalogue and ref is not None else None

    def ref_of(self, index: int) -> EntryRef | None:
        """The entry behind a load index."""
        catalogue = self.replay.catalogue if self.replay else None
        return catalogue.ref(index) if catalogue else None

    def first_choice(self, picture: Picture) -> EntryRef | None:
        """What to look at first: an entry that was cut, else one that a key brought in, else the first of all."""
        by_mark: dict[Mark, int] = {}
        for index, mark in picture.turn.marks.items():
            if not picture.assembly.entry(index).constant:
                by_mark.setdefault(mark, index)
        for mark in (Mark.CUT, Mark.IN):
            if mark in by_mark:
                return self.ref_of(by_mark[mark])
        return next(iter(picture.replay.scene.refs()), None)

    # What the workbench draws

    def show_turn(self) -> None:
        """Everything anew."""
        raise NotImplementedError

    def show_phases(self) -> None:
        """The rows of the chosen phase."""
        raise NotImplementedError

    def show_chat(self) -> None:
        """The transcript."""
        raise NotImplementedError

    def show_status(self) -> None:
        """The breadcrumb."""
        raise NotImplementedError

    def show_timeline(self) -> None:
        """The strip of turns."""
        raise NotImplementedError

    def show_entry(self) -> None:
        """Sheet and reason of the chosen entry."""
        raise NotImplementedError

    def show_marks(self) -> None:
        """The marks of the tree."""
        raise NotImplementedError
