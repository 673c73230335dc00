"""The list of findings: found by a few letters, gone to with Enter, repaired or let pass by one key."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lorebook_tui.tui.actions import Scope, bindings
from lorebook_tui.tui.screens.chooser import Chooser
from lorebook_tui.tui.targets import ToChoice
from lorebook_tui.tui.views.findings import FINDING, candidates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.binding import BindingType

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.workspace.live_check import Note

_CODE_CELLS = 8
_TITLE_CELLS = 22


class FindingList(Chooser):
    """The dialog.

    Args:
        title: says how many there are.
        notes: the findings.
        glyphs: signs or letters.
        act: does what a key asks for, told by its name, with the finding under the cursor; the dialog is closed then.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.FINDINGS))
    SCOPE = Scope.FINDINGS

    def __init__(
        self, title: str, notes: Sequence[Note], glyphs: Glyphs, act: Callable[[str, Note], None], cursor: int | None
    ) -> None:
        super().__init__(
            title,
            candidates(notes),
            glyphs,
            key_cells=_CODE_CELLS,
            title_cells=_TITLE_CELLS,
            cursor=None if cursor is None else ToChoice(FINDING, cursor),
            placeholder="code, entry or words",
        )
        self.notes = notes
        self.act = act

    @property
    def note(self) -> Note | None:
        """The finding under the cursor."""
        place = self.choices.cursor
        target = self.choices.blocks[place].target if place is not None else None
        return self.notes[target.value] if isinstance(target, ToChoice) and isinstance(target.value, int) else None

    def action_repair_one(self) -> None:
        """Repair it."""
        self._leave("repair_one")

    def action_let_pass(self) -> None:
        """Say that it is fine."""
        self._leave("let_pass")

    def action_repair_all(self) -> None:
        """Repair what can be repaired in its file."""
        self._leave("repair_all")

    def action_explain_rule(self) -> None:
        """Tell about its rule."""
        self._leave("explain_rule")

    def _leave(self, what: str) -> None:
        note = self.note
        if note is not None:
            self.dismiss(None)
            self.act(what, note)
