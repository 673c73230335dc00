"""`lorebook check --watch`: checks again whenever a file changes, until somebody stops it."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lorebook_tui.cli.check_run import checked, files_of
from lorebook_tui.cli.output import show_error
from lorebook_tui.errors import LorebookError
from lorebook_tui.workspace.check_paths import collected
from lorebook_tui.workspace.sample import WORKSPACE_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.cli.check_run import Asked
    from lorebook_tui.cli.output import Writer

EVERY: Final = 0.5
"""Seconds between two looks at the files."""


def watched(asked: Asked, writer: Writer, sleep: Callable[[float], None] = time.sleep) -> None:
    """Check, and again after every change.

    Args:
        asked: what the command line says; nothing is repaired while watching.
        writer: of the reports.
        sleep: waits so many seconds.
    """
    looking = replace(asked, fix=False, diff=False, repair=False, offered=False)
    before: dict[Path, tuple[int, int]] | None = None
    try:
        while True:
            now = _states(looking)
            if now != before:
                before = now
                writer.narrate(f"{datetime.now().astimezone():%H:%M:%S}")
                _once(looking, writer)
            sleep(EVERY)
    except KeyboardInterrupt:
        return


def _once(asked: Asked, writer: Writer) -> None:
    """A mistake in a file must not end the watch."""
    try:
        checked(asked, writer)
    except LorebookError as error:
        show_error(error, writer)


def _states(asked: Asked) -> dict[Path, tuple[int, int]]:
    """Size and time of every file that is looked at."""
    found = {}
    for path in _looked_at(asked):
        try:
            about = path.stat()
        except OSError:
            continue
        found[path] = (about.st_size, about.st_mtime_ns)
    return found


def _looked_at(asked: Asked) -> list[Path]:
    """The files, and what they are looked at with; a workspace file with all that it names."""
    paths = asked.paths or (Path(),)
    beside = [path for path in (asked.settings, asked.config) if path is not None]
    beside += [path / WORKSPACE_FILE if path.is_dir() else path for path in paths]
    try:
        return [*collected(files_of(paths)), *asked.chats, *beside]
    except LorebookError:
        return [*asked.chats, *beside]
