"""The workbench: what choosing a place means, and the actions of the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on

from lorebook_tui.display import plain
from lorebook_tui.glyphs import Glyphs
from lorebook_tui.tui import messages
from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.scene import EVERY_TURN, USER_TURNS
from lorebook_tui.tui.screens.arranged import CHAT, LAYERS, WHY
from lorebook_tui.tui.screens.chat_work import ChatWork
from lorebook_tui.tui.screens.file_work import FileWork
from lorebook_tui.tui.screens.helping import Helping
from lorebook_tui.tui.screens.json_work import JsonWork
from lorebook_tui.tui.screens.lint_work import LintWork
from lorebook_tui.tui.screens.sheet_work import SheetWork
from lorebook_tui.tui.screens.snippet_work import SnippetWork
from lorebook_tui.tui.screens.tree_work import TreeWork
from lorebook_tui.tui.screens.whatif_work import WhatIfWork
from lorebook_tui.tui.targets import Target, ToAction, ToBranch, ToCell, ToEntry, ToMessage, ToOffer, ToPhase, ToTurn
from lorebook_tui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from textual.binding import BindingType

    from lorebook_tui.model.layers import EntryRef


class Workbench(LintWork, FileWork, TreeWork, JsonWork, SnippetWork, SheetWork, ChatWork, WhatIfWork, Helping):
    """Everything on one screen."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.GLOBAL))

    # Facts

    @on(messages.WorkFailed)
    def _work_failed(self, event: messages.WorkFailed) -> None:
        """Without books there is nothing to show; otherwise the turn says what stopped it."""
        if self.scene is None:
            self.app.exit(event.error, return_code=event.error.exit_status)
        elif event.replay is self.replay:
            if event.error.message != self.trouble:
                self.notify(plain(event.error.message), title="A turn stops here", severity="error", markup=False)
            self.trouble = event.error.message
            self.show_status()

    @on(LineView.Chosen)
    async def _place_chosen(self, event: LineView.Chosen) -> None:
        event.stop()
        await self.follow_target(event.target, from_tree=event.view is self.layer_tree)

    @on(LineView.Pointed)
    def _place_pointed(self, event: LineView.Pointed) -> None:
        """Moving over entries chooses them at once."""
        event.stop()
        if isinstance(event.target, ToEntry) and event.view is not self.why:
            self.choose_entry(event.target.ref, by=event.view)

    async def follow_target(self, target: Target, *, from_tree: bool = False) -> None:
        """Do what a click or Enter on a place means."""
        match target:
            case ToEntry(ref):
                self.choose_entry(ref, by=self.layer_tree if from_tree else None)
                if from_tree and self.focused is self.layer_tree:
                    self.go_to_pane(WHY)
            case ToTurn(number):
                self.go_to_turn(number)
            case ToMessage(message):
                self.show_message(message)
            case ToPhase(number):
                self.show_phase(number)
            case ToBranch():
                self.layer_tree.toggle(target)
                self.request_near_misses()
            case ToAction(name):
                await self.do(name)
            case ToCell(turn, ref):
                self.choose_entry(ref)
                self.go_to_turn(turn)
            case ToOffer(number):
                self.apply_offer(number)
            case _:
                self.follow_teaching(target)

    def choose_entry(self, ref: EntryRef, by: LineView | None = None) -> None:
        """Choose an entry everywhere."""
        self.has_chosen = True
        if by is not self.layer_tree:
            self.layer_tree.choose(ref)
        if ref == self.chosen:
            return
        self.flush_form()
        self.chosen = ref
        self.explanation = None
        self.why.jump(0)
        self.why.cursor = None
        self.show_entry()
        self.show_timeline()
        if self.phase_rows.phase == 5:  # noqa: PLR2004 - the budget's bar shows the chosen entry
            self.show_phases()
        self.request_explanation()

    def go_to_turn(self, number: int) -> None:
        """Another turn; the old picture stays until the new one comes."""
        if self.replay is None or not 0 <= number < len(self.replay.steps) or number == self.turn:
            return
        self.number = number
        self.has_chosen = self.chosen is not None
        self.follow = True
        self.trouble = ""
        self.expect()
        self.show_status()
        self.show_timeline()
        self.request_picture()

    def show_message(self, message: int) -> None:
        """A message: in the chat itself its turn, from elsewhere the message in the chat."""
        if self.focused is self.chat:
            self.go_to_turn(self.turn_of(message))
            return
        if CHAT not in self.in_sight():
            self.go_to_pane(CHAT)
        self.chat.point_at(ToMessage(message), center=True)

    def turn_of(self, message: int) -> int:
        """The turn that answers a message, or else the one that gave it."""
        listed = self.replay.steps if self.replay else []
        exact = next((number for number, step in enumerate(listed) if step.upto == message + 1), None)
        if exact is not None:
            return exact
        return max((number for number, step in enumerate(listed) if step.upto <= message), default=0)

    def show_phase(self, number: int) -> None:
        """One of the seven, or the differences."""
        self.phase_rows.phase = number
        self.phase_rows.cursor = None
        self.show_phases()
        self.phase_rows.jump(0)

    # Actions

    def action_previous_turn(self) -> None:
        """One turn back."""
        self.go_to_turn(self.turn - 1)

    def action_next_turn(self) -> None:
        """One turn on."""
        self.go_to_turn(self.turn + 1)

    def action_first_turn(self) -> None:
        """The first turn."""
        self.go_to_turn(0)

    def action_last_turn(self) -> None:
        """The last turn."""
        self.go_to_turn(len(self.replay.steps) - 1 if self.replay else 0)

    def action_turn_mode(self) -> None:
        """Turns after the user's messages, or after every message; the chat stays about where it was."""
        if self.scene is None or self.replay is None:
            return
        upto = self.replay.steps[self.turn].upto
        self.mode = EVERY_TURN if self.mode == USER_TURNS else USER_TURNS
        replay = self.new_replay(self.scene)
        earlier = [number for number, step in enumerate(replay.steps) if step.upto <= upto]
        self.number = earlier[-1] if earlier else 0
        self.follow = True
        self.start_replay(replay)
        told = "every message" if self.mode == EVERY_TURN else "each message of the user"
        self.notify(f"A turn now follows {told}.", timeout=3, markup=False)

    def action_layer(self, number: int) -> None:
        """The tree at a layer."""
        self.clear_filter()
        self.go_to_pane(LAYERS)
        self.layer_tree.go_to_layer(number)
        self.request_near_misses()

    def action_back(self) -> None:
        """One step up."""
        if self.layer_tree.cancel_drag() or self.clear_filter() or self.clear_marked():
            return
        if self.size_mode:
            self.size_mode = 0
            self.settle_panes()
        elif self.pane != LAYERS:
            self.go_to_pane(LAYERS)

    def action_letters(self) -> None:
        """Signs or letters."""
        self.glyphs = Glyphs(not self.glyphs.letters)
        self.app.set_class(self.glyphs.letters, "-letters")
        self.layer_tree.set_glyphs(self.glyphs)
        self.settle_panes()
        self.show_turn()

    async def action_theme(self) -> None:
        """The next theme."""
        await self.app.run_action("next_theme")
