"""Where the user's own files of this program lie: configuration, and state (journal, backups), per platform."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME: Final = "lorebook-tui"
CONFIG_VARIABLE: Final = "LOREBOOK_CONFIG_DIR"
STATE_VARIABLE: Final = "LOREBOOK_STATE_DIR"
_CONFIG_FILE: Final = "config.toml"


@dataclass(frozen=True, slots=True)
class _Kind:
    """Where one kind of the user's files lies."""

    variable: str
    """Overrules the platform."""
    windows: str
    """The variable that names the folder above on Windows."""
    windows_default: str
    xdg: str
    xdg_default: str


_CONFIG: Final = _Kind(CONFIG_VARIABLE, "APPDATA", "Roaming", "XDG_CONFIG_HOME", ".config")
_STATE: Final = _Kind(STATE_VARIABLE, "LOCALAPPDATA", "Local", "XDG_STATE_HOME", ".local/state")


def config_folder(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """The folder of the user's configuration; it need not exist.

    Args:
        environment: None is that of the process. `LOREBOOK_CONFIG_DIR` overrules the platform's place.
        platform: as in `sys.platform`.

    Raises:
        UsageError: the environment names no home.
    """
    return _folder(_CONFIG, os.environ if environment is None else environment, platform)


def state_folder(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """The folder of what the program keeps between runs, such as journal and backups; it need not exist.

    Args:
        environment: None is that of the process. `LOREBOOK_STATE_DIR` overrules the platform's place.
        platform: as in `sys.platform`.

    Raises:
        UsageError: the environment names no home.
    """
    return _folder(_STATE, os.environ if environment is None else environment, platform)


def config_file() -> Path:
    """The user's `config.toml`; it need not exist."""
    return config_folder() / _CONFIG_FILE


def journal_folder() -> Path:
    """Where running sessions note unsaved work."""
    return state_folder() / "journal"


def backup_folder() -> Path:
    """Where files go before they are overwritten."""
    return state_folder() / "backups"


def made(folder: Path) -> Path:
    """The folder, which exists from now on; only the user may look into the ones that had to be made.

    Raises:
        UsageError: it cannot be made.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            "A folder of the program cannot be made.",
            where=str(folder),
            found=error.strerror or str(error),
            hint=f"Set {STATE_VARIABLE} or {CONFIG_VARIABLE} to a folder that can be written.",
        ) from error
    return folder


def _folder(kind: _Kind, given: Mapping[str, str], platform: str) -> Path:
    if given.get(kind.variable):
        return Path(given[kind.variable]).expanduser()
    if platform == "win32":
        above = given.get(kind.windows)
        return (Path(above) if above else _home(given, kind) / "AppData" / kind.windows_default) / NAME
    if platform == "darwin":
        return _home(given, kind) / "Library" / "Application Support" / NAME
    stated = given.get(kind.xdg, "")
    # The XDG specification: a relative path is invalid and to be ignored.
    return (Path(stated) if stated.startswith("/") else _home(given, kind) / kind.xdg_default) / NAME


def _home(given: Mapping[str, str], kind: _Kind) -> Path:
    stated = given.get("HOME") or given.get("USERPROFILE")
    if stated:
        return Path(stated)
    try:
        return Path.home()
    except RuntimeError as error:
        raise UsageError(
            "The environment names no home folder.", hint=f"Set {kind.variable} to a folder that can be written."
        ) from error
