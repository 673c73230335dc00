"""The dialog that finds a file: a path to type, completed, over the folder it leads to, with what each file holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input
from textual.worker import get_current_worker

from lorebook_tui.display import plain
from lorebook_tui.tui.actions import Scope, bindings, footer, named
from lorebook_tui.tui.ink import Paragraph, Row, Span, padded
from lorebook_tui.tui.screens.chooser import ChoiceList
from lorebook_tui.tui.screens.dialog import Dialog
from lorebook_tui.tui.targets import ToAction, ToPath
from lorebook_tui.tui.widgets.edges import KeyLine, OneLine, PlainInput
from lorebook_tui.tui.widgets.line_view import LineView
from lorebook_tui.workspace.folder_listing import Found, complete, listing, look_into

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.ink import Block

_NAME_CELLS: Final = 36


class FilePicker(Dialog[Path | None]):
    """Type a path or move in the list; Enter goes into a folder or takes a file.

    Args:
        title: of the dialog, in our own words.
        folder: where to begin.
        glyphs: signs or letters.
        name: file name to begin with; where it is given, a file that is not there yet can be taken.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Scope.DIALOG),
        Binding("tab", "complete", show=False, priority=True),
    ]
    AUTO_FOCUS = "#query"

    class Looked(Message):
        """It is known what a file holds."""

        def __init__(self, path: Path, words: str) -> None:
            super().__init__()
            self.path = path
            self.words = words
            """"" if it is no lore."""

    def __init__(self, title: str, folder: Path, glyphs: Glyphs, *, name: str = "") -> None:
        super().__init__()
        self.heading = title
        self.glyphs = glyphs
        self.is_new = bool(name)
        self.start = f"{_shown(folder)}{name}"
        self.folder: Path | None = None
        self.found: tuple[Found, ...] = ()
        self.held: dict[Path, str] = {}
        """What files hold, by path; those nobody has looked into yet are not in it."""
        self.trouble = ""

    def compose(self) -> ComposeResult:
        """Input, list, detail, keys."""
        with Vertical(id="dialog"):
            yield PlainInput(self.start, id="query", placeholder="path", compact=True, select_on_focus=False)
            yield ChoiceList(id="choices")
            yield OneLine(id="detail")
            yield KeyLine(id="dialog-keys")

    def on_mount(self) -> None:
        """The first folder."""
        self.query_one("#dialog").border_title = self.heading
        self.query_one(KeyLine).tell(footer(Scope.DIALOG), self.glyphs)
        line = self.query_one("#query", PlainInput)
        line.cursor_position = len(line.value)
        self._offer(line.value)

    @property
    def choices(self) -> ChoiceList:
        """The list."""
        return self.query_one(ChoiceList)

    @property
    def moved(self) -> ChoiceList:
        """The cursor keys move it."""
        return self.choices

    @property
    def typed(self) -> Path:
        """The path in the line."""
        return Path(self.query_one("#query", PlainInput).value.strip()).expanduser()

    @on(Input.Changed, "#query")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._offer(event.value)

    def _offer(self, typed: str) -> None:
        """List what is in the folder that the path leads to and begins like its last part."""
        folder, self.found, self.trouble = listing(typed)
        if folder != self.folder:
            self.folder = folder
            self.run_worker(self._look, group="look", thread=True, exclusive=True)
        self._draw()
        blocks = self.choices.blocks
        first = len(blocks) - len(self.found) if self.found else 0
        is_there = bool(blocks) and first < len(blocks) and isinstance(blocks[first].target, ToPath)
        self.choices.cursor = first if is_there and (self.found or not self.is_new) else None
        self._tell()

    def _draw(self) -> None:
        blocks: list[Block] = []
        if self.folder is not None and self.folder.parent != self.folder:
            blocks.append(
                Row(
                    (Span("  ..  ", "muted"), Span("the folder above", "faint")), target=ToPath(str(self.folder.parent))
                )
            )
        blocks += [self._row(found) for found in self.found]
        if self.trouble:
            blocks.append(Paragraph((Span(self.trouble, "near"),)))
        elif not self.found:
            told = "Enter writes this file." if self.is_new else "Nothing here begins like that."
            blocks.append(Paragraph((Span(told, "muted"),)))
        self.choices.show(blocks)

    def _row(self, found: Found) -> Row:
        sign = self.glyphs.shut if found.is_folder else " "
        held = self.held.get(found.path)
        ink = "label" if found.is_folder else "off" if held == "" else "text"
        name = padded((Span(found.path.name, ink),), _NAME_CELLS)
        told = "" if found.is_folder else "…" if held is None else held or "no lore"
        return Row((Span(f" {sign} ", "faint"), *name, Span("  "), Span(told, "muted")), target=ToPath(str(found.path)))

    def _look(self) -> None:
        """In a thread: what the files of this folder hold."""
        worker = get_current_worker()
        for found in listing(_shown(self.folder or Path()))[1]:
            if worker.is_cancelled:
                return
            if not found.is_folder and found.path not in self.held:
                self.post_message(self.Looked(found.path, look_into(found)))

    @on(Looked)
    def _looked(self, event: Looked) -> None:
        event.stop()
        self.held[event.path] = event.words
        self._draw()
        self._tell()

    @on(LineView.Pointed)
    def _pointed(self, event: LineView.Pointed) -> None:
        event.stop()
        self._tell()

    def _tell(self) -> None:
        """The whole path under the cursor."""
        target = self._target()
        words = target.path if target is not None else str(self.typed)
        self.query_one("#detail", OneLine).show([Paragraph((Span(words, "muted"),), most=2)])

    def _target(self) -> ToPath | None:
        place = self.choices.cursor
        target = self.choices.blocks[place].target if place is not None and place < len(self.choices.blocks) else None
        return target if isinstance(target, ToPath) else None

    @on(LineView.Chosen)
    async def _chosen(self, event: LineView.Chosen) -> None:
        event.stop()
        if isinstance(event.target, ToPath):
            self._take(Path(event.target.path))
        elif isinstance(event.target, ToAction):
            await self.run_action(named(event.target.name).name)

    def _take(self, path: Path) -> None:
        """Go into a folder; take a file."""
        if path.is_dir():
            self._write(_shown(path))
        elif self.is_new:
            self._write(str(path))
        else:
            self.dismiss(path)

    def _write(self, text: str) -> None:
        line = self.query_one("#query", PlainInput)
        line.value = plain(text)
        line.cursor_position = len(line.value)
        line.focus()

    @on(Input.Submitted, "#query")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        """What the line names exactly, else what the cursor stands on."""
        typed, target = self.typed, self._target()
        is_bare = self.query_one("#query", PlainInput).value.endswith(("/", "\\"))
        if (self.is_new and not is_bare and not typed.is_dir()) or typed.is_file():
            self.dismiss(typed)
        elif target is not None:
            self._take(Path(target.path))

    def action_complete(self) -> None:
        """As much as all that is listed has in common, or what the cursor stands on."""
        target = self._target()
        value = self.query_one("#query", PlainInput).value
        self._write(complete(value, self.found, Path(target.path) if target is not None else None))


def _shown(folder: Path) -> str:
    """A folder as it stands in the line, with what separates it from a name."""
    text = str(folder.expanduser().absolute())
    return text if text.endswith("/") else f"{text}/"
