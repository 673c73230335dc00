"""Saving: one file, all of them, under another name; what to do when somebody else changed a file; the options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import on

from lorebook_tui.errors import LorebookError
from lorebook_tui.tui import messages
from lorebook_tui.tui.screens.arranged import CHAT, LAYERS
from lorebook_tui.tui.screens.asking import said
from lorebook_tui.tui.screens.deciding import Decision
from lorebook_tui.tui.screens.keeping import Keeping
from lorebook_tui.tui.targets import ToBranch
from lorebook_tui.tui.views.conflict import difference_blocks
from lorebook_tui.workspace import toml_write
from lorebook_tui.workspace.conflict import Side, three_way
from lorebook_tui.workspace.merging import merge
from lorebook_tui.workspace.sample import WORKSPACE_FILE
from lorebook_tui.workspace.store import ChangedOnDiskError, FileThereError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.tui.ink import Block
    from lorebook_tui.workspace.conflict import Place, ThreeWay
    from lorebook_tui.workspace.files import Loaded, Source

_MINE: Final = ("m", "mine: overwrite the disk; a backup of it is kept")
_THEIRS: Final = ("t", "theirs: take what is on the disk; undo brings mine back")
_BOTH: Final = ("b", "both: merge, and save that")


class FileWork(Keeping):
    """Writes files, and asks before anything could be lost."""

    def chosen_source(self) -> Source | None:
        """The file of the book that is looked at, or whose row has the cursor; in the chat pane that of the chat."""
        desk, ref = self.desk, self.chosen
        if desk is not None and desk.workspace.chat is not None and self.pane_of_focus() == CHAT:
            return desk.workspace.chat
        row = self.layer_tree.cursor_target if self.pane_of_focus() == LAYERS else None
        if desk is not None and isinstance(row, ToBranch) and row.book is not None:
            return desk.workspace.of(row.layer)[row.book].source
        if desk is None or ref is None:
            return None
        listed = desk.workspace.of(ref.layer)
        return listed[ref.book].source if ref.book < len(listed) else None

    # Saving

    def action_save(self) -> None:
        """The file of the chosen entry."""
        self.flush_form()
        desk, source = self.desk, self.chosen_source()
        if desk is None or source is None:
            self.tell("There is nothing to save.")
        elif desk.is_dirty(source):
            self.save_files([source])
        else:
            others = [each.name for each in desk.dirty]
            more = f" Unsaved: {', '.join(others)} (save all)." if others else ""
            self.tell(f"{source.name} has no changes.{more}")

    def action_save_all(self) -> None:
        """Every file with changes."""
        self.flush_form()
        dirty = self.desk.dirty if self.desk else ()
        if dirty:
            self.save_files(dirty)
        else:
            self.tell("Nothing has changed.")

    def save_files(self, sources: Sequence[Source], *, force: bool = False, leave: bool = False) -> None:
        """Write files in a worker, and tell what came of it.

        Args:
            sources: of the workspace as it is.
            force: whatever is on the disk gives way.
            leave: leave the program if all of them are safe.
        """
        desk = self.desk
        if desk is None:
            return
        writers = [(source, desk.writing(source, force=force)) for source in sources]

        def job() -> None:
            results: list[messages.SaveResult] = []
            for source, write in writers:
                try:
                    results.append((source, write(), None))
                except LorebookError as error:
                    results.append((source, None, error))
            self.post_message(messages.FilesSaved(tuple(results), leave=leave))

        self.work("save", job)

    @on(messages.FilesSaved)
    def _files_saved(self, event: messages.FilesSaved) -> None:
        event.stop()
        assert self.desk is not None  # noqa: S101 - only a desk saves
        saved = [(source, result) for source, result, _ in event.results if result is not None]
        for source, _ in saved:
            self.desk.know(source)
        if saved:
            names = ", ".join(source.name for source, _ in saved)
            backup = next((result.backup for _, result in saved if result.backup), None)
            self.tell(f"Saved {names}." + (f"\nBackup: {backup.name}" if backup else ""))
        self.after_saving()
        for source, _, error in event.results:
            if isinstance(error, ChangedOnDiskError):
                self.ask_about_change(source)
                return
            if isinstance(error, FileThereError):
                self.ask_to_overwrite(source)
                return
            if error is not None:
                self.tell_error(error)
        if event.leave and not self.desk.dirty:
            self.leave()

    def after_saving(self) -> None:
        """The marks of unsaved work follow."""
        self.note_down()
        self.show_dirty()
        self.show_status()
        self.show_chat()

    def ask_to_overwrite(self, source: Source) -> None:
        """A new file would take another one's place."""

        def answered(answer: str | None) -> None:
            if answer == "o":
                self.save_files([source], force=True)
            elif answer == "a":
                self.action_save_as()

        told = [said(f"There is already a file {source.path}."), said("A backup of it is kept if it is overwritten.")]
        ways = (("o", "overwrite it"), ("a", "save under another name"))
        self.app.push_screen(Decision("A file of that name is there", told, ways), answered)

    # Other names

    def action_save_as(self) -> None:
        """The file of the chosen entry, under another name."""
        self.flush_form()
        source = self.chosen_source()
        if source is None:
            self.tell("There is nothing to save.")
        else:
            self._ask_for_name(source, source.path.resolve())

    def _ask_for_name(self, source: Source, start: Path) -> None:
        """Where to; the line begins with a path that may lead nowhere."""
        from lorebook_tui.tui.screens.file_picker import FilePicker  # noqa: PLC0415 - late, so that the screen stands sooner

        picker = FilePicker(f"Save {source.name} as", start.parent, self.glyphs, name=start.name)

        def picked(path: Path | None) -> None:
            if path is not None:
                self._save_as(source, path)

        self.app.push_screen(picker, picked)

    def _save_as(self, source: Source, path: Path, *, force: bool = False) -> None:
        assert self.desk is not None  # noqa: S101 - there is a source
        try:
            self.desk.save_as(source, path, force=force)
        except FileThereError:
            self._ask_to_replace(source, path)
        except LorebookError as error:
            self.tell_error(error)
            self._ask_for_name(source, path)
        else:
            self.take_workspace()
            self.after_saving()
            self.tell(f"Saved as {path.name}.")

    def _ask_to_replace(self, source: Source, path: Path) -> None:
        def answered(answer: str | None) -> None:
            if answer == "o":
                self._save_as(source, path, force=True)

        told = [said(f"There is already a file {path}."), said("A backup of it is kept if it is overwritten.")]
        self.app.push_screen(Decision("A file of that name is there", told, (("o", "overwrite it"),)), answered)

    def action_save_options(self) -> None:
        """Settings, engine, seed, cast and who lies where, into the workspace file."""
        self.flush_form()
        desk = self.desk
        if desk is None:
            return
        path = desk.workspace.file or _folder_of(desk.workspace.sources) / WORKSPACE_FILE
        try:
            toml_write.save(desk.workspace, path, desk.backup)
        except LorebookError as error:
            self.tell_error(error)
        else:
            desk.mark_options_saved()
            self.after_saving()
            self.tell(f"Saved the settings of the workspace in {path}.")

    # Somebody else changed a file

    def ask_about_change(self, source: Source) -> None:
        """The disk holds something else than what was opened: show who changed what, and ask."""
        desk = self.desk
        if desk is None:
            return
        base = desk.base(source)

        def job() -> None:
            try:
                theirs = desk.read_again(source)
            except LorebookError as error:
                self.post_message(messages.ChangeFound(source, None, error))
                return
            ways = three_way(base or theirs, theirs, source.loaded)
            self.post_message(messages.ChangeFound(source, ways))

        self.work("change", job)

    @on(messages.ChangeFound)
    def _change_found(self, event: messages.ChangeFound) -> None:
        event.stop()
        source, ways = event.source, event.ways
        if ways is None:
            words = event.error.message if event.error else ""
            told = [said(f"{source.name} cannot be read any more: {words}")]

            def answered_gone(answer: str | None) -> None:
                if answer == "m":
                    self.save_files([source], force=True)

            self.app.push_screen(Decision("The file is gone or broken", told, (_MINE,)), answered_gone)
            return
        words = f"{source.name} was changed by somebody else since it was opened."
        blocks: list[Block] = [said(words), *difference_blocks(ways)]

        def answered(answer: str | None) -> None:
            if answer == "m":
                self.save_files([source], force=True)
            elif answer == "t":
                self.take_over(source, ways.theirs, ways.theirs, f"take {source.name} from the disk")
            elif answer == "b":
                self._merge(source, ways)

        self.app.push_screen(Decision("The file changed on the disk", blocks, (_BOTH, _MINE, _THEIRS)), answered)

    def _merge(self, source: Source, ways: ThreeWay) -> None:
        def chosen(choices: dict[Place, Side] | None) -> None:
            if choices is None:
                return
            merged = merge(ways, choices, Side.MINE)
            self.take_over(source, ways.theirs, merged, f"merge {source.name} with the disk")
            assert self.desk is not None  # noqa: S101 - there is a source
            current = next((each for each in self.desk.workspace.sources if each.ident == source.ident), None)
            if current is not None and self.desk.is_dirty(current):
                self.save_files([current])

        if ways.conflicts:
            from lorebook_tui.tui.screens.merging import Merging  # noqa: PLC0415 - seldom needed

            self.app.push_screen(Merging(ways), chosen)
        else:
            chosen({})

    def take_over(self, source: Source, theirs: Loaded, merged: Loaded, told: str) -> None:
        """Go on from what the disk holds."""
        if self.desk is not None:
            self.desk.take_over(source, theirs, merged, told)
            self.take_workspace()
            self.after_saving()


def _folder_of(sources: Sequence[Source]) -> Path:
    return sources[0].path.resolve().parent if sources else Path()
