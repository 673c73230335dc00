"""Where the command line hands over to the screen, and what it says when there is none."""

from __future__ import annotations

import difflib
import os
import sys
from typing import TYPE_CHECKING

from lorebook_tui.cli.group import SECTIONS
from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.tui.terminal import can_run
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.sample import sample
from lorebook_tui.workspace.turns import replay_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.workspace.workspace import Workspace

_CLOSE_ENOUGH = 0.7


class ScreenError(LorebookError):
    """The workbench did not start."""

    code = "SCREEN"


def refuse_without_terminal(instead: str) -> None:
    """Make sure that there is a terminal to draw on.

    Args:
        instead: the command that does without.

    Raises:
        UsageError: there is none.
    """
    found = can_run(os.environ)
    if found is None and not (sys.stdin.isatty() and sys.stdout.isatty()):
        found = "Standard input or output is no terminal, so the workbench cannot be shown."
    if found is not None:
        raise UsageError(found, hint=f"Without a screen: {instead}; `lorebook --help` lists all commands.")


def refuse_mistyped_command(paths: Iterable[Path]) -> None:
    """A first word that is no file but nearly a command was meant as one.

    Raises:
        UsageError: says which.
    """
    first = next(iter(paths), None)
    if first is None or first.exists() or len(first.parts) != 1 or first.suffix:
        return
    commands = [name for names in SECTIONS.values() for name in names]
    close = difflib.get_close_matches(first.name, commands, n=1, cutoff=_CLOSE_ENOUGH)
    if close:
        raise UsageError(
            f"{quote(first.name)} is neither a command nor a file.",
            found=first.name,
            hint=f"Did you mean `lorebook {close[0]}`?",
        )


def show(
    opener: Callable[[], Workspace],
    *,
    mouse: bool | None,
    colour: bool,
    tour: bool = False,
    opened: Iterable[Path] = (),
) -> int:
    """The workbench, which opens the workspace once it stands; returns its exit status.

    Args:
        opener: reads the files.
        mouse: None is as the configuration says.
        colour: whether there may be any.
        tour: begin with the tour if the user never saw it.
        opened: what the user named, to be remembered.

    Raises:
        LorebookError: what opening raised.
    """
    from lorebook_tui.tui.app import Manner, run  # noqa: PLC0415 - Textual, only when a screen is wanted

    return run(opener, Manner(mouse=mouse, colour=colour, tour=tour), opened=opened)


def smoke(name: str, writer: Writer) -> None:
    """Load a sample, replay its chat, start the screen once without a terminal, and say so in one line.

    Raises:
        LorebookError: something of this does not work.
    """
    workspace = open_workspace([sample(name)])
    replayed = replay_of(workspace)
    *_, last = replayed.run(replayed.turns)
    from lorebook_tui.tui.app import Manner, run  # noqa: PLC0415 - Textual, only when a screen is wanted

    status = run(workspace, Manner(headless=True, smoke=True))
    if status:
        raise ScreenError("The screen did not start.", found=f"exit status {status}")
    entries = sum(len(opened.book.entries) for opened in workspace.books)
    writer.line(
        f"{name}: {entries} entries, {len(replayed.turns)} turns replayed; the last "
        f"has {len(last.admitted)} entries and {last.tokens:,} of {last.budget:,} tokens; the screen starts."
    )
