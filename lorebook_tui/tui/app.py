"""The application: themes, the terminal's abilities, and the door for the command line."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import App

from lorebook_tui.errors import EXIT_FINE, LorebookError, UsageError
from lorebook_tui.tui.glyphs import Glyphs
from lorebook_tui.tui.inks import resolve
from lorebook_tui.tui.scene import Scene, scene_of
from lorebook_tui.tui.screens.workbench import Workbench
from lorebook_tui.tui.terminal import can_run, wanted_theme, wants_letters
from lorebook_tui.tui.themes import CYCLE, DARK, HOUSE, own_variables

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.style import Style
    from textual.pilot import Pilot
    from textual.screen import Screen

    from lorebook_tui.workspace.workspace import Workspace

_HEADLESS_SIZE = (120, 40)


class LorebookApp(App[LorebookError | None]):
    """The workbench as a program.

    Args:
        opener: reads the files; called in a worker thread. May raise `LorebookError`.
        letters: show letters in place of signs.
        theme: name of the theme to start with; an unknown one is as good as none.
    """

    CSS_PATH: ClassVar[list[str]] = ["styles/panes.tcss", "styles/dialogs.tcss"]  # type: ignore[assignment]
    TITLE = "lorebook"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-middle"), (140, "-wide")]  # noqa: RUF012 - not a ClassVar there
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-high")]  # noqa: RUF012 - not a ClassVar there

    def __init__(self, opener: Callable[[], Scene], *, letters: bool = False, theme: str = DARK.name) -> None:
        super().__init__()
        self.animation_level = "none"
        self.opener = opener
        self.letters = letters
        self._inks: tuple[str, dict[str, Style]] | None = None
        for house_theme in HOUSE:
            self.register_theme(house_theme)
        self.theme = theme if theme in self.available_themes else DARK.name
        self.set_class(letters, "-letters")

    def get_default_screen(self) -> Screen[None]:
        """The workbench."""
        return Workbench(self.opener, Glyphs(self.letters))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own variables, for Textual's themes."""
        return own_variables(dark=self.current_theme.dark)

    @property
    def inks(self) -> dict[str, Style]:
        """The inks in the colours of the theme."""
        if self._inks is None or self._inks[0] != self.theme:
            self._inks = (self.theme, resolve(self.theme_variables))
        return self._inks[1]

    def action_next_theme(self) -> None:
        """The next of the house's themes."""
        place = CYCLE.index(self.theme) if self.theme in CYCLE else -1
        self.theme = CYCLE[(place + 1) % len(CYCLE)]


_PATIENCE: Final = 0.02
"""Seconds between two looks."""


def run(
    workspace: Workspace | Callable[[], Workspace], *, mouse: bool = True, headless: bool = False, smoke: bool = False
) -> int:
    """Show a workspace until the user leaves.

    Args:
        workspace: an open one, or what opens it (then the screen stands before the files are read).
        mouse: False leaves the mouse to the terminal, for its own selection.
        headless: draw into nothing.
        smoke: leave as soon as the first turn is drawn.

    Returns:
        The exit status.

    Raises:
        UsageError: this terminal cannot show a screen.
        LorebookError: what opening the workspace raised.
    """
    reason = None if headless else can_run(os.environ)
    if reason is not None:
        raise UsageError(reason)
    app = LorebookApp(
        lambda: scene_of(workspace() if callable(workspace) else workspace),
        letters=wants_letters(os.environ, sys.stdout.encoding),
        theme=wanted_theme(os.environ),
    )
    # Without a size of its own a headless screen flips between Textual's two defaults (24 and 25 lines) for ever.
    size = _HEADLESS_SIZE if headless else None
    failure = app.run(mouse=mouse, headless=headless, size=size, auto_pilot=_leave_when_drawn if smoke else None)
    if failure is not None:
        raise failure
    return app.return_code or EXIT_FINE


async def _leave_when_drawn(pilot: Pilot[object]) -> None:
    """Wait for the first turn, then leave; what cannot be opened ends the program by itself."""
    bench = pilot.app.screen
    while isinstance(bench, Workbench) and not (bench.picture or bench.trouble) and pilot.app.is_running:
        await pilot.pause(_PATIENCE)
    pilot.app.exit(pilot.app.return_value)
