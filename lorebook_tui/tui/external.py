"""The user's own editor over the suspended screen: the text goes into a file for it, and comes back."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual.app import SuspendNotSupported

from lorebook_tui.errors import LorebookError, UnsupportedError, UsageError
from lorebook_tui.tui.views.form_editor import editor_command, wait_hint

if TYPE_CHECKING:
    from textual.app import App

_SUFFIX: Final = ".md"
_AT_ONCE: Final = 0.5
"""Seconds: an editor that is back sooner did not wait for the file to be closed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it."""

    text: str | None
    """None: it is as it was."""
    told: str
    """For the user."""


def edit_text(app: App[object], text: str) -> Outcome:
    """Let the user edit a text with `$VISUAL`, `$EDITOR` or what the system has.

    Args:
        app: gives the terminal away for so long.
        text: may hold anything, half characters too; they come back if they are left alone.

    Raises:
        UnsupportedError: this screen cannot give its terminal away.
        LorebookError: there is no editor, it cannot be started, it failed, or what it left is no text.
    """
    command = editor_command(os.environ, sys.platform, shutil.which)
    with tempfile.TemporaryDirectory(prefix="lorebook-") as folder:
        path = Path(folder) / f"entry{_SUFFIX}"
        before = text.encode("utf-8", "surrogatepass")
        path.write_bytes(before)
        began = monotonic()
        _run(app, [*command, str(path)])
        took = monotonic() - began
        after = _read(path)
    hint = wait_hint(command)
    if after == before:
        told = "The text is as it was." + (f" {hint}." if hint and took < _AT_ONCE else "")
        return Outcome(None, told)
    return Outcome(_text_of(after, before, text), "Taken from your editor; ctrl+z in the text takes it back.")


def _run(app: App[object], command: list[str]) -> None:
    try:
        with app.suspend():
            done = subprocess.run(command, check=False)  # noqa: S603 - the user's own editor, as the user set it
    except SuspendNotSupported as error:
        raise UnsupportedError(
            "This screen cannot make room for another program.", hint="Write in the text itself."
        ) from error
    except OSError as error:
        raise UsageError(
            f"The editor {command[0]!r} cannot be started: {error.strerror}.", hint="Set EDITOR."
        ) from error
    if done.returncode:
        raise LorebookError(f"The editor {command[0]!r} ended with status {done.returncode}; the text is as it was.")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise LorebookError(f"The editor left no file: {error.strerror}; the text is as it was.") from error


def _text_of(after: bytes, before: bytes, text: str) -> str:
    """What the editor left. Most of them end the last line; that end is theirs unless the text had one."""
    try:
        made = after.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise LorebookError("The editor left something that is no UTF-8; the text is as it was.") from error
    if "\r\n" not in text:
        made = made.replace("\r\n", "\n")
    if not before.endswith(b"\n") and made.endswith("\n"):
        made = made[:-1]
    return made
