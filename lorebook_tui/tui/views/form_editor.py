"""The user's own editor: which command starts it, and what has to be said about it."""

from __future__ import annotations

import shlex
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
