"""Editing from the screen: every change goes through the desk, is seen at once, and simulated a moment later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.display import plain
from lorebook_tui.errors import LorebookError
from lorebook_tui.tui.scene import scene_of
from lorebook_tui.tui.screens.drawing import Drawing
from lorebook_tui.workspace.desk import Desk

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from textual.timer import Timer

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.workspace import Workspace

SIMULATE_AFTER: Final = 0.15
"""Seconds after the last edit until the chat is replayed with it."""


class Editing(Drawing):
    """Holds the desk; the parts of the screen edit through `edit`."""

    desk: Desk | None = None
    """None while nothing is open, or what is open can only be looked at."""
    simulate_after: float = SIMULATE_AFTER
    _simulation: Timer | None = None

    def scene_is_ready(self, scene: Scene) -> None:
        """Lay what was opened on the desk."""
        super().scene_is_ready(scene)
        if scene.workspace is not None:
            self.desk = Desk(scene.workspace)

    @property
    def selected(self) -> tuple[EntryRef, ...]:
        """What an action is meant for: the marked entries, else the chosen one."""
        marked = self.layer_tree.marked
        if marked:
            return tuple(marked)
        return (self.chosen,) if self.chosen is not None else ()

    def edit(self, make: Callable[[Workspace], Edited], *, group: Hashable | None = None) -> bool:
        """Make an edit; whether it was made.

        Args:
            make: from the workspace as it is; may raise `LorebookError`, which the user is told.
            group: edits of an equal group in quick succession are undone together.
        """
        desk = self.desk
        if desk is None:
            self.tell("There is nothing to edit.", severity="warning")
            return False
        try:
            edited = make(desk.workspace)
        except LorebookError as error:
            self.tell_error(error)
            return False
        if edited.workspace is not desk.workspace:
            desk.do(edited, group, self.selected)
            self.take_workspace(edited.focus)
        if edited.note:
            self.tell(edited.note)
        return True

    def take_workspace(self, focus: tuple[EntryRef, ...] = ()) -> None:
        """Show the workspace as the desk has it now, and simulate it a moment later.

        Args:
            focus: the first of these becomes the chosen entry.
        """
        assert self.desk is not None  # noqa: S101 - only called after a change of the desk
        before = self.scene
        self.scene = scene = self.scene_for(self.desk.workspace)
        self.__dict__.pop("search", None)
        unmoved = scene.unmoved(before) if before is not None else frozenset()
        is_same_shape = before is not None and len(unmoved) == len(scene.identities) == len(before.identities)
        self.layer_tree.set_scene(scene, self.glyphs)
        if before is not None:
            self.settle_marked(before, scene, focus)
        if not is_same_shape:
            self.layer_tree.keep_marks(unmoved)
            self.explanation = None
        wanted = next(filter(scene.has, focus), None)
        if wanted is None and (self.chosen is None or not scene.has(self.chosen)):
            wanted = next(scene.refs(), None)
            self.chosen = None
        if wanted is not None and wanted != self.chosen:
            self.choose_entry(wanted)
        self.show_entry()
        self.show_status()
        self.simulate_soon(at_once=not is_same_shape)

    def settle_marked(self, before: Scene, scene: Scene, focus: tuple[EntryRef, ...]) -> None:
        """Whatever was marked by its place stands somewhere else now, or nowhere."""

    def scene_for(self, workspace: Workspace) -> Scene:
        """The workspace as the screen shows it."""
        return scene_of(workspace, self.scene)

    def simulate_soon(self, *, at_once: bool = False) -> None:
        """Replay the chat with the books as they are, once the user pauses."""
        if self._simulation is not None:
            self._simulation.stop()
        if at_once:
            self._simulate()
        else:
            self._simulation = self.set_timer(self.simulate_after, self._simulate)

    def _simulate(self) -> None:
        self._simulation = None
        if self.scene is not None and (self.replay is None or self.replay.scene is not self.scene):
            self.start_replay(self.new_replay(self.scene))

    def action_undo(self) -> None:
        """Take back the last edit."""
        self.flush_form()
        step = self.desk.undo() if self.desk else None
        if step is None:
            self.tell("There is nothing to undo.")
            return
        self.take_workspace(step.focus_before)
        self.tell(f"Undid: {step.told}.")

    def action_redo(self) -> None:
        """Make the edit again that was taken back last."""
        self.flush_form()
        step = self.desk.redo() if self.desk else None
        if step is None:
            self.tell("There is nothing to redo.")
            return
        self.take_workspace(step.focus_after)
        self.tell(f"Did again: {step.told}.")

    def show_dirty(self) -> None:
        """Which books have changes that are not saved."""

    @property
    def half_typed(self) -> tuple[str, ...]:
        """What was typed and is in no book, because it was put aside or cannot be taken."""
        return ()

    def flush_form(self) -> None:
        """Take what is half-typed in the form; before the books are saved, left or changed otherwise."""

    def tell(self, text: str, *, title: str = "", severity: str = "information") -> None:
        """Say something for a moment; the text may be foreign."""
        self.notify(plain(text, "\n"), title=plain(title), severity=severity, timeout=4, markup=False)  # type: ignore[arg-type]

    def tell_error(self, error: LorebookError) -> None:
        """Say why something cannot be done."""
        details = [error.message, error.hint] if error.hint else [error.message]
        self.tell("\n".join(details), title="Not done", severity="error")

    def choose_entry(self, ref: EntryRef) -> None:
        """Choose an entry everywhere."""
        raise NotImplementedError
