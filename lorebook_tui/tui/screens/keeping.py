"""Nothing is lost: the journal, what earlier sessions left in it, files that change on the disk, and leaving."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from textual import on

from lorebook_tui.errors import LorebookError
from lorebook_tui.tui import messages
from lorebook_tui.tui.screens.asking import Confirmation, listed, said
from lorebook_tui.tui.screens.deciding import Decision
from lorebook_tui.tui.screens.editing import Editing
from lorebook_tui.workspace.journal import Journal
from lorebook_tui.workspace.restoring import ARRANGEMENT, note_down, opened_by, restored, values_on

if TYPE_CHECKING:
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.recovery import PendingSession
    from lorebook_tui.workspace.workspace import Workspace

LOOK_EVERY: Final = 2.0
"""Seconds between two looks at the files on the disk."""


class Keeping(Editing):
    """Keeps what is unsaved, and gives it back."""

    journal: Journal | None = None
    _seen: dict[int, tuple[int, int]]
    """Size and time of the open files on the disk, by `Source.ident`."""

    def scene_is_ready(self, scene: Scene) -> None:
        """Begin the journal, and see what earlier sessions left."""
        super().scene_is_ready(scene)
        self._seen = {}
        if self.desk is None:
            return
        try:
            self.journal = Journal(title=scene.title, opened=opened_by(self.desk.workspace))
        except LorebookError as error:
            self.tell_error(error)
            return
        self.desk.watchers.append(self._changed)
        self.set_interval(LOOK_EVERY, self.look_at_disk)
        journal = self.journal

        def job() -> None:
            self.post_message(messages.SessionsFound(journal.pending()))

        self.work("sessions", job)

    def _changed(self, workspace: Workspace) -> None:
        del workspace
        self.note_down()

    def note_down(self) -> None:
        """Tell the journal what is unsaved."""
        if self.journal is not None and self.desk is not None:
            note_down(self.journal, self.desk, self.desk.undo_told)
            if self.journal.trouble is not None:
                self.tell_error(self.journal.trouble)

    # What earlier sessions left

    @on(messages.SessionsFound)
    def _sessions_found(self, event: messages.SessionsFound) -> None:
        event.stop()
        paths = (
            (*(source.path for source in self.desk.workspace.sources), *opened_by(self.desk.workspace))
            if self.desk
            else ()
        )
        session = next((each for each in event.sessions if each.is_about(paths)), None)
        if session is not None:
            self._offer(session)

    def _offer(self, session: PendingSession) -> None:
        def answered(answer: str | None) -> None:
            if answer == "r":
                self._recover(session)
            elif answer == "d":
                told = [said(f"{count} will be gone, and nothing brings them back.")]
                self.app.push_screen(Confirmation("Discard", told, yes="discard", no="keep"), discarded)

        def discarded(yes: bool | None) -> None:
            if yes and self.journal is not None:
                self.journal.discard(session)
                self.tell("Discarded.")

        count = f"{session.changes} change" + ("" if session.changes == 1 else "s")
        told = [
            said(f"A session that ended without saving left {count}, the last one {_when(session.last)}."),
            *listed([file.path.name for file in session.files]),
            said(f"Last: {session.told}.", "muted"),
        ]
        ways = (("r", "recover them; undo takes them back"), ("d", "discard them for good"))
        self.app.push_screen(Decision("Unsaved work", told, ways, back="keep them for later"), answered)

    def _recover(self, session: PendingSession) -> None:
        journal, desk = self.journal, self.desk
        if journal is None or desk is None:
            return
        try:
            recovery = journal.recover(session)
            made = restored(desk.workspace, recovery)
        except LorebookError as error:
            self.tell_error(error)
            return
        for source in made.edited.workspace.sources:
            if source.ident in made.bases:
                known = made.bases[source.ident]
                desk.know(source, known.loaded, known.path)
        desk.do(made.edited)
        self.take_workspace()
        for lost in recovery.lost:
            self.tell_error(lost)
        if not recovery.lost and journal.flush():
            journal.discard(session)
            self.tell("Recovered. Save to keep it, or undo.")

    # Files that change on the disk

    def look_at_disk(self) -> None:
        """See whether somebody else wrote a file: an unchanged one is read again, a changed one is told of."""
        desk = self.desk
        if desk is None:
            return
        for source in desk.workspace.sources:
            path = desk.disk_path(source)
            if path is None:
                continue
            try:
                about = path.stat()
            except OSError:
                continue
            state = (about.st_size, about.st_mtime_ns)
            before = self._seen.setdefault(source.ident, state)
            if before != state:
                self._seen[source.ident] = state
                self._look_into(source)

    def _look_into(self, source: Source) -> None:
        desk = self.desk
        assert desk is not None  # noqa: S101 - asked by the caller

        def job() -> None:
            try:
                theirs = desk.read_again(source)
            except LorebookError:
                return
            self.post_message(messages.FileChanged(source.ident, theirs))

        self.work(f"reread-{source.ident}", job)

    @on(messages.FileChanged)
    def _file_changed(self, event: messages.FileChanged) -> None:
        event.stop()
        desk = self.desk
        source = next((each for each in desk.workspace.sources if each.ident == event.ident), None) if desk else None
        if desk is None or source is None:
            return
        base = desk.base(source)
        if base is not None and [d.text for d in base.documents] == [d.text for d in event.theirs.documents]:
            return
        if desk.is_dirty(source):
            self.tell(f"{source.name} was changed on the disk, and here too. Saving it will ask.", severity="warning")
            return
        desk.take_over(source, event.theirs, event.theirs, f"take {source.name} from the disk")
        self.take_workspace()
        self.tell(f"{source.name} was changed on the disk and read again; undo takes that back.")

    # Leaving

    async def action_quit(self) -> None:
        """Leave; with unsaved changes only after a question."""
        self.flush_form()
        desk, half_typed = self.desk, self.half_typed
        if desk is None or not (desk.dirty or self.are_settings_unsaved or half_typed):
            self.leave()
            return

        def answered(answer: str | None) -> None:
            if answer == "s":
                self.save_files(desk.dirty, leave=True)
            elif answer == "l":
                self.leave()

        names = [source.name for source in desk.dirty]
        is_unsaved = bool(names) or self.are_settings_unsaved
        told: list[Any] = [said("There are changes that are not saved:"), *listed(names)] if is_unsaved else []
        if self.are_settings_unsaved:
            told.append(said("  the settings of the workspace", "strong"))
        if half_typed:
            told += [said("Half-typed in the form, and lost if you leave:"), *listed(half_typed)]
        ways = [("s", "save all and leave")] if names else []
        ways.append(("l", "leave: the journal keeps them, the next start offers them" if is_unsaved else "leave"))
        self.app.push_screen(Decision("Leave?", told, ways, back="stay"), answered)

    def save_files(self, sources: Any, *, force: bool = False, leave: bool = False) -> None:
        """Write files."""
        raise NotImplementedError

    @property
    def are_settings_unsaved(self) -> bool:
        """Whether the workspace file, if there is one, says something else about options or who lies in which layer."""
        desk = self.desk
        if desk is None:
            return False
        return desk.are_options_dirty or (desk.workspace.file is not None and ARRANGEMENT in values_on(desk))

    def leave(self) -> None:
        """End the program; what is unsaved stays in the journal."""
        if self.journal is not None:
            if self.desk is not None and not (self.desk.dirty or self.are_settings_unsaved):
                self.journal.clear()  # which files were open together is no work to offer at the next start
            self.journal.close()
        self.app.exit()


def _when(moment: str) -> str:
    """A moment of the journal in the user's own time, as people write it."""
    try:
        return f"{datetime.fromisoformat(moment).astimezone():on %d %B %Y at %H:%M}"
    except ValueError:
        return "at an unknown time"
