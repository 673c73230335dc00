"""The application: themes, the terminal's abilities, and the door for the command line."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.text import Text

from lorebook_tui.errors import EXIT_FINE, LorebookError, UsageError
from lorebook_tui.glyphs import Glyphs
from lorebook_tui.tui.actions import use_keys
from lorebook_tui.tui.inks import resolve
from lorebook_tui.tui.keymap import Keymap, settled
from lorebook_tui.tui.notices import Notices
from lorebook_tui.tui.scene import Scene, scene_of
from lorebook_tui.tui.screens.opening import Opening
from lorebook_tui.tui.terminal import can_run, wanted_theme, wants_letters
from lorebook_tui.tui.themes import CYCLE, DARK, HOUSE, MONO, own_variables, users_theme
from lorebook_tui.tui.tour_keys import TOUR_BINDINGS
from lorebook_tui.workspace import config, memory, mishap
from lorebook_tui.workspace.config import Preferences
from lorebook_tui.workspace.memory import Memory
from lorebook_tui.workspace.places import config_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from rich.style import Style
    from textual.actions import ActionParseResult
    from textual.binding import BindingType
    from textual.dom import DOMNode
    from textual.pilot import Pilot
    from textual.screen import Screen

    from lorebook_tui.workspace.workspace import Workspace

_HEADLESS_SIZE = (120, 40)
_WORKBENCH: Final = "lorebook_tui.tui.screens.workbench"
_STYLES = ("panes", "dialogs", "form", "helping", "chat", "tree", "sheet", "whatif")


class LorebookApp(Notices[LorebookError | None]):
    """The workbench as a program.

    Args:
        opener: reads the files; called in a worker thread. May raise `LorebookError`.
        letters: show letters in place of signs.
        theme: name of the theme to start with; an unknown one is as good as none.
        preferences: what the user wants of keys, themes and sizes.
        memory: what is remembered from earlier runs.
        keep: takes what is to be remembered from now on; None: nothing is.
        tour: begin with the tour once the first turn is drawn.
    """

    CSS_PATH: ClassVar[list[str]] = [f"styles/{name}.tcss" for name in _STYLES]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = list(TOUR_BINDINGS)
    TITLE = "lorebook"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-middle"), (140, "-wide")]  # noqa: RUF012 - not a ClassVar there
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-high")]  # noqa: RUF012 - not a ClassVar there

    def __init__(
        self,
        opener: Callable[[], Scene],
        *,
        letters: bool = False,
        theme: str = DARK.name,
        preferences: Preferences | None = None,
        memory: Memory | None = None,
        keep: Callable[[Memory], object] | None = None,
        tour: bool = False,
    ) -> None:
        self.preferences = preferences or Preferences()
        super().__init__()
        self.memory = memory or Memory()
        self.keep = keep
        self.opener = opener
        self.letters = letters
        self.tour_is_due = tour
        self.start_notices: list[str] = [config.told(notice) for notice in self.preferences.notices]
        """What is wrong with the configuration, told once the screen stands. Foreign text."""
        self._inks: tuple[str, dict[str, Style]] | None = None
        self.animation_level = self.preferences.animations  # type: ignore[assignment]
        self._use_keys()
        self._use_themes(theme)
        self.set_class(letters, "-letters")

    def _use_keys(self) -> None:
        """The registry's keys, or the user's in their place."""
        keymap = settled(self.preferences.keys) if self.preferences.keys else Keymap({})
        use_keys(keymap.keys)
        self.set_keymap(keymap.for_textual())
        self.start_notices += keymap.notices

    def _use_themes(self, wanted: str) -> None:
        """The house's themes and the user's."""
        self.users_themes: list[str] = []
        for house_theme in HOUSE:
            self.register_theme(house_theme)
        for wish in self.preferences.themes:
            if wish.name in self.available_themes:
                self.start_notices.append(f"There is a theme {wish.name} already. ({wish.where})")
                continue
            theme, doubt = users_theme(wish)
            self.register_theme(theme)
            self.users_themes.append(theme.name)
            self.start_notices += [doubt] if doubt else []
        if wanted not in self.available_themes:
            self.start_notices.append(f"There is no theme {wanted}.")
        self.theme = wanted if wanted in self.available_themes else DARK.name

    def get_default_screen(self) -> Screen[None]:
        """The workbench if it is loaded, else the screen that loads it."""
        loaded = sys.modules.get(_WORKBENCH)
        kind: Callable[[Callable[[], Scene], Glyphs], Screen[None]] = loaded.Workbench if loaded else Opening
        return kind(self.opener, Glyphs(self.letters))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own variables, for Textual's themes, and the sizes of panes."""
        wanted = self.preferences
        return own_variables(dark=self.current_theme.dark) | {
            "layers-width": str(wanted.layers_width),
            "layers-least": str(min(36, wanted.layers_width)),
            "entry-share": f"{wanted.entry_share}fr",
            "simulate-share": f"{wanted.simulate_share}fr",
        }

    @property
    def inks(self) -> dict[str, Style]:
        """The inks in the colours of the theme."""
        if self._inks is None or self._inks[0] != self.theme:
            self._inks = (self.theme, resolve(self.theme_variables))
        return self._inks[1]

    @property
    def offered_themes(self) -> tuple[str, ...]:
        """The themes that the key goes through; without colour there is one, as sixteen grey colours cannot be read."""
        return (MONO.name,) if self.no_color else (*CYCLE, *self.users_themes)

    def remember(self, **values: Any) -> None:
        """Keep something for the next run, by the names of `Memory`."""
        self.memory = replace(self.memory, **values)
        if self.keep is not None:
            self.keep(self.memory)

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do an action, and tell the tour that it was done."""
        done = await super().run_action(action, default_namespace, namespaces)
        benches = (notice for screen in self.screen_stack if (notice := getattr(screen, "notice_action", None)))
        if done and isinstance(action, str) and (notice := next(benches, None)) is not None:
            notice(action)
        return done

    def _fatal_error(self) -> None:
        """Tell what happened in three lines; Textual would fill the terminal with texts of the book."""
        error = self._exception
        if error is None:
            super()._fatal_error()
            return
        self.bell()
        self.panic(Text(mishap.told(error, mishap.write_down(error))))

    def action_next_theme(self) -> None:
        """The next of the offered themes."""
        offered = self.offered_themes
        place = offered.index(self.theme) if self.theme in offered else -1
        self.choose_theme(offered[(place + 1) % len(offered)])

    def choose_theme(self, name: str) -> None:
        """Use a theme, now and at the next start."""
        self.theme = name
        if not self.no_color:
            self.remember(theme=name)


_PATIENCE: Final = 0.02
"""Seconds between two looks."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How the screen is to be shown."""

    mouse: bool | None = None
    """False leaves the mouse to the terminal, for its own selection; None: as the configuration says."""
    colour: bool = True
    headless: bool = False
    """Draw into nothing, with the preferences of a new user."""
    smoke: bool = False
    """Leave as soon as the first turn is drawn."""
    tour: bool = False
    """Begin with the tour if it was never seen."""


def run(
    workspace: Workspace | Callable[[], Workspace], manner: Manner | None = None, *, opened: Iterable[Path] = ()
) -> int:
    """Show a workspace until the user leaves.

    Args:
        workspace: an open one, or what opens it (then the screen stands before the files are read).
        manner: how to show it.
        opened: what the user named, to be found again under recent files.

    Returns:
        The exit status.

    Raises:
        UsageError: this terminal cannot show a screen.
        LorebookError: what opening the workspace raised.
    """
    manner = manner or Manner()
    reason = None if manner.headless else can_run(os.environ)
    if reason is not None:
        raise UsageError(reason)
    if not manner.colour:
        os.environ["NO_COLOR"] = "1"  # Textual, and whatever editor is started from here
    app = _app(lambda: scene_of(workspace() if callable(workspace) else workspace), manner)
    if not manner.headless and opened:
        app.remember(recent=app.memory.opened(opened).recent)
    # Without a size of its own a headless screen flips between Textual's two defaults (24 and 25 lines) for ever.
    size = _HEADLESS_SIZE if manner.headless else None
    mouse = app.preferences.mouse if manner.mouse is None else manner.mouse
    leave = _leave_when_drawn if manner.smoke else None
    failure = app.run(mouse=mouse, headless=manner.headless, size=size, auto_pilot=leave)
    if failure is not None:
        raise failure
    return app.return_code or EXIT_FINE


def _app(opener: Callable[[], Scene], manner: Manner) -> LorebookApp:
    """The program as the configuration, the memory and the terminal want it."""
    fits_letters = wants_letters(os.environ, sys.stdout.encoding)
    if manner.headless:
        return LorebookApp(opener, letters=fits_letters, theme=wanted_theme(os.environ))
    wanted = config.load(config_file())
    place = memory.memory_file()
    remembered = memory.load(place)
    return LorebookApp(
        opener,
        letters=fits_letters if wanted.signs == "auto" else wanted.signs == "letters",
        theme=wanted_theme(os.environ, wanted.theme, remembered.theme),
        preferences=wanted,
        memory=remembered,
        keep=lambda kept: memory.save(place, kept),
        tour=manner.tour and not remembered.tour_seen,
    )


async def _leave_when_drawn(pilot: Pilot[object]) -> None:
    """Wait for the first turn, then leave; what cannot be opened ends the program by itself."""
    while pilot.app.is_running:
        bench = pilot.app.screen
        if getattr(bench, "picture", None) or getattr(bench, "trouble", ""):
            break
        await pilot.pause(_PATIENCE)
    pilot.app.exit(pilot.app.return_value)
