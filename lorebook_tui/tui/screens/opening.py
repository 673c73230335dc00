"""The first screen: the tree of what is opened, while the workbench is still being loaded behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events, on
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from lorebook_tui.errors import LorebookError
from lorebook_tui.tui import messages
from lorebook_tui.tui.widgets.edges import Breadcrumb, KeyLine
from lorebook_tui.tui.widgets.layer_tree import LayerTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.scene import Scene


class Opening(Screen[None]):
    """Stands as soon as Textual does; the workbench comes over it, and gets the keys that were typed meanwhile.

    Args:
        opener: reads the files; called in a worker thread. May raise `LorebookError`.
        glyphs: signs or letters.
    """

    AUTO_FOCUS = ""

    def __init__(self, opener: Callable[[], Scene], glyphs: Glyphs) -> None:
        super().__init__()
        self.opener = opener
        self.glyphs = glyphs
        self._typed: list[events.Key] = []

    def compose(self) -> ComposeResult:
        """The edges and the tree, where the workbench has them."""
        yield Breadcrumb(id="breadcrumb")
        with Horizontal(id="bench"), Vertical(id="layers", classes="pane"):
            yield LayerTree(id="tree")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Begin to read."""
        self.query_one("#layers").border_title = "Layers"
        self.call_after_refresh(self.run_worker, self._open, thread=True)

    def _open(self) -> None:
        """Read the files, then load the workbench."""
        try:
            scene = self.opener()
        except LorebookError as error:
            self.post_message(messages.WorkFailed(error))
            return
        self.post_message(messages.BooksRead(scene))
        from lorebook_tui.tui.screens import workbench  # noqa: PLC0415 - half of the program, loaded behind this screen

        self.post_message(messages.WorkbenchLoaded(workbench.Workbench, scene))

    @on(messages.WorkFailed)
    def _failed(self, event: messages.WorkFailed) -> None:
        event.stop()
        self.app.exit(event.error, return_code=event.error.exit_status)

    @on(messages.BooksRead)
    def _books_read(self, event: messages.BooksRead) -> None:
        event.stop()
        self.query_one(LayerTree).set_scene(event.scene, self.glyphs)

    def on_key(self, event: events.Key) -> None:
        """Keep a key for the workbench."""
        event.stop()
        event.prevent_default()
        self._typed.append(event)

    @on(messages.WorkbenchLoaded)
    async def _loaded(self, event: messages.WorkbenchLoaded) -> None:
        event.stop()
        scene = event.scene
        bench = event.workbench(lambda: scene, self.glyphs)
        await self.app.push_screen(bench)
        bench.call_after_refresh(self._hand_over)

    def _hand_over(self) -> None:
        """Type again what was typed here."""
        for key in self._typed:
            self.app.post_message(events.Key(key.key, key.character))
        self._typed.clear()
