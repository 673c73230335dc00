"""The user's own editor: which command starts it, and a text that goes into a file for it and comes back."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePath
from time import monotonic
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

VARIABLES: Final = ("LOREBOOK_EDITOR", "VISUAL", "EDITOR")
"""Looked at in this order."""
_FALLBACKS: Final = {
    "win32": ("notepad",),
    "darwin": ("nano", "vim", "vi"),
    "": ("sensible-editor", "nano", "vim", "vi"),
}
_WAIT_FLAGS: Final = {
    "code": "--wait", "code-insiders": "--wait", "codium": "--wait", "cursor": "--wait", "windsurf": "--wait",
    "subl": "--wait", "zed": "--wait", "atom": "--wait", "mate": "--wait", "bbedit": "--wait", "gvim": "--nofork",
    "mvim": "--nofork", "kate": "--block", "gedit": "--wait", "emacsclient": "",
}  # fmt: skip
"""Editors with a window of their own, and what makes them wait until the file is closed; "": they do."""
_SHORT_FLAGS: Final = {"--wait": "-w", "--nofork": "-f", "--block": "-b"}
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


def edit_text(text: str, hand_over: Callable[[], AbstractContextManager[None]]) -> Outcome:
    """Let the user edit a text with `$VISUAL`, `$EDITOR` or what the system has.

    Args:
        text: may hold anything, half characters too; they come back if they are left alone.
        hand_over: gives the terminal away as long as the context lasts; what it raises goes through.

    Raises:
        LorebookError: there is no editor, it cannot be started, it failed, or what it left is no text.
    """
    command = editor_command(os.environ, sys.platform, shutil.which)
    with tempfile.TemporaryDirectory(prefix="lorebook-") as folder:
        path = Path(folder) / f"entry{_SUFFIX}"
        before = text.encode("utf-8", "surrogatepass")
        path.write_bytes(before)
        began = monotonic()
        _run([*command, str(path)], hand_over)
        took = monotonic() - began
        after = _read(path)
    hint = wait_hint(command)
    if after == before:
        told = "The text is as it was." + (f" {hint}." if hint and took < _AT_ONCE else "")
        return Outcome(None, told)
    return Outcome(_text_of(after, before, text), "Taken from your editor; ctrl+z in the text takes it back.")


def _run(command: list[str], hand_over: Callable[[], AbstractContextManager[None]]) -> None:
    with hand_over():
        try:
            done = subprocess.run(command, check=False)  # noqa: S603 - the user's own editor, as the user set it
        except OSError as error:
            reason = f"The editor {quote(command[0])} cannot be started: {error.strerror}."
            raise UsageError(reason, hint="Set EDITOR.") from error
    if done.returncode:
        raise LorebookError(
            f"The editor {quote(command[0])} ended with status {done.returncode}; the text is as it was."
        )


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


def editor_command(environ: Mapping[str, str], platform: str, which: Callable[[str], object]) -> list[str]:
    """The command that starts the user's editor, without the file.

    Args:
        environ: the environment.
        platform: as `sys.platform` says.
        which: finds a program, as `shutil.which` does.

    Raises:
        UsageError: none is set and none is there, or the command cannot be read.
    """
    for name in VARIABLES:
        value = environ.get(name, "").strip()
        if value:
            return _split(name, value, platform)
    for program in _FALLBACKS.get(platform, _FALLBACKS[""]):
        if which(program):
            return [program]
    raise UsageError("There is no editor.", hint="Set EDITOR, for example: export EDITOR=nano")


def _split(name: str, value: str, platform: str) -> list[str]:
    try:
        parts = shlex.split(value, posix=platform != "win32")
    except ValueError as error:
        raise UsageError(f"{name} cannot be read as a command: {error}.", hint=f"It is: {value}") from error
    return [part.strip('"') for part in parts] if platform == "win32" else parts


def wait_hint(command: list[str]) -> str:
    """What to add to a command whose editor comes back before the file is closed; "" if it waits."""
    program = PurePath(command[0].replace("\\", "/")).stem.lower()
    flag = _WAIT_FLAGS.get(program, "")
    if not flag or {flag, _SHORT_FLAGS[flag]} & set(command[1:]):
        return ""
    return f"{program} needs {flag} to wait until you close the file: EDITOR='{program} {flag}'"
