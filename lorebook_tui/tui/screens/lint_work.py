"""Work on what the linter says: marks beside fields and entries, the way from one finding to the next, repairs."""

from __future__ import annotations

from bisect import bisect_left
from time import monotonic, sleep
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.message import Message
from textual.worker import get_current_worker

from lorebook_tui.tui.screens.form_work import FormWork
from lorebook_tui.tui.targets import ToBranch, ToChoice, ToField

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.timer import Timer

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.tui.targets import Target
    from lorebook_tui.workspace.lint_edits import Plan
    from lorebook_tui.workspace.live_check import LiveCheck, Note, Notes

CHECK_AFTER: Final = 0.4
"""Seconds after the last edit until the books are checked; the same after they are opened."""
LONG_AFTER: Final = 1.6
"""Seconds after that until the rules that look at whole books begin, where the books are large."""
_LARGE: Final = 2000
"""Entries."""
_REST: Final = 0.05


class NotesFound(Message):
    """The linter has looked at the books."""

    def __init__(self, notes: Notes) -> None:
        super().__init__()
        self.notes = notes

    def can_replace(self, message: Message) -> bool:
        """Only the newest answer counts."""
        return isinstance(message, NotesFound)


class RepairsPlanned(Message):
    """It is known what repairing a whole file would change."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan


class LintWork(FormWork):
    """The part of the workbench."""

    notes: Notes | None = None
    """What the linter said last; None: nothing yet."""
    check_after: ClassVar[float | None] = CHECK_AFTER
    """None: only when somebody asks."""
    _live: LiveCheck | None = None
    _check_timer: Timer | None = None
    _at: Note | None = None
    """The finding that was gone to last."""
    _then: Callable[[], None] | None = None
    """What waits for the next answer."""

    # Looking

    def scene_is_ready(self, scene: Scene) -> None:
        """Look at what was opened, once the screen has come to rest."""
        super().scene_is_ready(scene)
        self.notes = self._live = self._at = None
        self.check_soon()

    def take_workspace(self, focus: tuple[EntryRef, ...] = ()) -> None:
        """Look again a moment later; letters of books whose entries changed places are taken away at once."""
        before = self.scene
        super().take_workspace(focus)
        worst = self.layer_tree.worst
        if worst and self.scene is not None and before is not None:
            unmoved = self.scene.unmoved(before)
            kept = {ref: severity for ref, severity in worst.items() if (ref.layer, ref.book) in unmoved}
            if len(kept) != len(worst):
                self.layer_tree.set_findings(kept, self.layer_tree.faults)
        self.check_soon()

    def check_soon(self) -> None:
        """Look once the user pauses."""
        if self._check_timer is not None:
            self._check_timer.stop()
            self._check_timer = None
        if self.check_after is not None:
            self._check_timer = self.set_timer(self.check_after, self.check_now)

    def check_now(self, then: Callable[[], None] | None = None) -> None:
        """Look: first at what the last edit touched, then at everything.

        Args:
            then: done once everything is known.
        """
        self._then = then or self._then
        workspace = self.desk.workspace if self.desk is not None else None
        if workspace is None:
            return
        size, is_awaited = sum(len(opened.book.entries) for opened in workspace.books), self._then is not None

        def job() -> None:
            from lorebook_tui.workspace.live_check import LiveCheck  # noqa: PLC0415 - all rules, in a worker

            worker = get_current_worker()
            live = self._live = self._live or LiveCheck()
            for deep in (False, True):
                if deep and size > _LARGE and not is_awaited:
                    _rest(LONG_AFTER, lambda: worker.is_cancelled)
                notes = live.check(workspace, deep=deep, is_stopped=lambda: worker.is_cancelled)
                if notes is None or worker.is_cancelled:
                    return
                self.post_message(NotesFound(notes))

        self.work("check", job)

    @on(NotesFound)
    def _notes_found(self, event: NotesFound) -> None:
        event.stop()
        desk, notes = self.desk, event.notes
        if desk is None or notes.workspace is not desk.workspace:
            return
        if notes.trouble is not None and (self.notes is None or self.notes.trouble is None):
            self.tell_error(notes.trouble)
        self.notes = notes
        self.layer_tree.set_findings(notes.worst, notes.counts)
        if self.chosen is not None:
            self.show_form(self.chosen)
        if notes.is_whole and self._then is not None:
            then, self._then = self._then, None
            then()

    def show_form(self, ref: EntryRef) -> None:
        """The form, with letters beside the fields that there is something to say about."""
        from lorebook_tui.tui.views.findings import by_field  # noqa: PLC0415 - late, so that the screen stands sooner

        found = {}
        if self.notes is not None and self.scene is not None and len(self.layer_tree.marked) < 2:  # noqa: PLR2004 - together
            fields = self.scene.entry(ref).fields if self.scene.has(ref) else None
            found = by_field(note for note in self.notes.by_entry.get(ref, ()) if note.fields is fields)
        form = self.form
        has_changed = found != form.look.findings
        form.look.findings = found
        super().show_form(ref)
        if has_changed and not form.is_hidden:
            form.draw()

    # Going

    def action_next_finding(self) -> None:
        """The next fault."""
        self._step(1)

    def action_previous_finding(self) -> None:
        """The fault before."""
        self._step(-1)

    def _step(self, step: int) -> None:
        self.flush_form()
        if not self._is_known(lambda: self._step(step)):
            return
        listed = self._worth_a_visit()
        if not listed:
            self.tell("The linter has nothing to say." if self.notes else "Nothing is open.")
            return
        here = self._at
        if here is not None and here.ref == self.chosen and (place := _place(listed, here)) is not None:
            place += step
        else:
            places = [_key(note) for note in listed]
            wanted = _order_of(self.chosen)
            place = bisect_left(places, wanted) if step > 0 else bisect_left(places, wanted) - 1
        self.go_to_finding(listed[place % len(listed)])

    def _worth_a_visit(self) -> list[Note]:
        """Errors and warnings of entries and books; hints if there is nothing worse."""
        from lorebook_tui.lint.findings import Severity  # noqa: PLC0415 - late, so that the screen stands sooner

        listed = [note for note in self.notes.listed if note.book is not None] if self.notes else []
        return [note for note in listed if note.severity is not Severity.INFO] or listed

    def _is_known(self, then: Callable[[], None]) -> bool:
        """Whether the newest state of the books was looked at; otherwise it is, and `then` is done."""
        notes, desk = self.notes, self.desk
        if desk is None or (notes is not None and notes.is_whole and notes.workspace is desk.workspace):
            return True
        self.check_now(then)
        return False

    def go_to_finding(self, note: Note) -> None:
        """Its entry, and its field in the form; of a book the branch in the tree."""
        self._at = note
        if note.ref is None:
            if note.book is not None:
                self.layer_tree.choose_branch(ToBranch(*note.book))
            self.tell(f"{note.finding.code}: {note.finding.message}")
            return
        from lorebook_tui.tui.views.findings import TITLE, by_field  # noqa: PLC0415 - late, so that the screen stands sooner

        self.choose_entry(note.ref)
        self.bring_form()
        name = next(iter(by_field([note])))
        if note.item is not None:
            self.form.look.items[name] = note.item
        self.show_form(note.ref)
        if not self.form.go_to_field(name):
            self.form.go_to_field(TITLE)
        self.form.draw()

    def action_findings(self) -> None:
        """Everything the linter has to say."""
        self.flush_form()
        if self._is_known(self.action_findings):
            self._list_findings()

    def _list_findings(self, cursor: int | None = None) -> None:
        from lorebook_tui.tui.screens.finding_list import FindingList  # noqa: PLC0415 - late, so that the screen stands sooner

        notes = self.notes
        if notes is None or not notes.listed:
            self.tell("The linter has nothing to say.")
            return
        if cursor is None:
            chosen = self.chosen
            cursor = next((place for place, note in enumerate(notes.listed) if note.ref == chosen), 0)
        passed = f", {notes.suppressed:,} let pass" if notes.suppressed else ""
        title = f"Findings: {len(notes.listed):,}{passed}"
        dialog = FindingList(title, notes.listed, self.glyphs, self._act, min(cursor, len(notes.listed) - 1))
        self.app.push_screen(dialog, self._finding_chosen)

    def _finding_chosen(self, target: Target | None) -> None:
        if isinstance(target, ToChoice) and isinstance(target.value, int) and self.notes is not None:
            self.go_to_finding(self.notes.listed[target.value])

    # Answering

    def _act(self, what: str, note: Note) -> None:
        """What a key of the list asks for."""
        place = _place(list(self.notes.listed), note) if self.notes else None
        if what == "repair_all":
            self._plan_repairs(note)
        elif what == "explain_rule":
            self._explain_rule(note)
        elif self._repair(note) if what == "repair_one" else self._let_pass(note):
            self.check_now(lambda: self._list_findings(place))

    def action_fix_finding(self) -> None:
        """Repair the finding at the cursor, or the first one of the entry that can be repaired."""
        self.flush_form()
        if not self._is_known(self.action_fix_finding):
            return
        note = self._repairable_here()
        if note is None:
            self.tell("Nothing here can be repaired by itself.")
        else:
            self._repair(note)

    def _repairable_here(self) -> Note | None:
        from lorebook_tui.tui.views.findings import note_at  # noqa: PLC0415 - late, so that the screen stands sooner

        look = self.form.look
        target = self.form.rows.target_under_cursor
        name = target.name if isinstance(target, ToField) else ""
        at_cursor = note_at(target, look.items.get(name), look.findings)
        if at_cursor is not None and at_cursor.fix is not None:
            return at_cursor
        listed = [note for notes in look.findings.values() for note in notes]
        here = [note for note in look.findings.get(name, ()) if note.fix is not None]
        return next((note for note in (*here, *listed) if note.fix is not None), None)

    def _repair(self, note: Note) -> bool:
        from lorebook_tui.workspace.lint_edits import repaired  # noqa: PLC0415 - late, so that the screen stands sooner

        return self.edit(lambda workspace: repaired(workspace, note))

    def _let_pass(self, note: Note) -> bool:
        from lorebook_tui.workspace.lint_edits import let_pass  # noqa: PLC0415 - late, so that the screen stands sooner

        return self.edit(lambda workspace: let_pass(workspace, note))

    def _explain_rule(self, note: Note) -> None:
        from lorebook_tui.tui.screens.reader import Reader  # noqa: PLC0415 - late, so that the screen stands sooner
        from lorebook_tui.tui.views.findings import rule_blocks  # noqa: PLC0415 - as above

        self.app.push_screen(Reader(f"{note.finding.code} {note.finding.name}", rule_blocks(note), self.glyphs))

    def _plan_repairs(self, note: Note) -> None:
        """Work out all safe repairs of a file."""
        desk, live = self.desk, self._live
        source = next((each for each in desk.workspace.sources if each.ident == note.ident), None) if desk else None
        if desk is None or live is None or source is None:
            return
        workspace, config = desk.workspace, live.config

        def job() -> None:
            from lorebook_tui.workspace.lint_edits import planned  # noqa: PLC0415 - late, so that the screen stands sooner

            self.post_message(RepairsPlanned(planned(workspace, source, config)))

        self.work("repairs", job)

    @on(RepairsPlanned)
    def _repairs_planned(self, event: RepairsPlanned) -> None:
        event.stop()
        from lorebook_tui.tui.screens.deciding import Decision  # noqa: PLC0415 - late, so that the screen stands sooner
        from lorebook_tui.tui.views.findings import plan_blocks  # noqa: PLC0415 - as above
        from lorebook_tui.workspace.lint_edits import carried_out  # noqa: PLC0415 - as above

        plan = event.plan
        if not plan.applied:
            self.tell(f"Nothing in {plan.source.name} can be repaired safely.")
            return

        count = len(plan.applied)

        def decided(way: str | None) -> None:
            if way == "r" and self.edit(lambda workspace: carried_out(workspace, plan)):
                self.tell(f"{count} repaired in {plan.source.name}; u takes them back together.")

        ways = (("r", "make the repair" if count == 1 else f"make {count} repairs"),)
        self.app.push_screen(Decision(f"Repair {plan.source.name}", plan_blocks(plan), ways), decided)


def _rest(seconds: float, is_over: Callable[[], bool]) -> None:
    """Wait, unless it is over before."""
    end = monotonic() + seconds
    while monotonic() < end and not is_over():
        sleep(_REST)


def _place(listed: list[Note], note: Note) -> int | None:
    """Where a finding stands in a list, by what it says."""
    return next((place for place, each in enumerate(listed) if each.key == note.key), None)


def _key(note: Note) -> tuple[int, int, int]:
    layer, book = note.book if note.book is not None else (None, 0)
    return (layer.number if layer is not None else -1, book, note.ref.entry if note.ref is not None else -1)


def _order_of(ref: EntryRef | None) -> tuple[int, int, int]:
    return (ref.layer.number, ref.book, ref.entry) if ref is not None else (-1, 0, -1)
