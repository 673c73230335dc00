"""What is said of a mistake of ours that nobody foresaw: its kind and its place, no traceback and no text of a book."""

from __future__ import annotations

import platform
import traceback
from pathlib import Path
from typing import Final

from lorebook_tui import __version__
from lorebook_tui.display import plain
from lorebook_tui.errors import UsageError
from lorebook_tui.workspace.places import made, state_folder

_NAME: Final = "mishap.txt"
_PACKAGE: Final = "lorebook_tui"


def write_down(error: BaseException) -> Path | None:
    """The traceback in a file of its own beside the journal; None if it cannot be written.

    Names of files and lines of the program are in it, no text of a book.
    """
    frames = "".join(traceback.format_tb(error.__traceback__))
    words = f"lorebook-tui {__version__}, Python {platform.python_version()}, {platform.platform()}\n\n"
    try:
        path = made(state_folder()) / _NAME
        path.write_text(f"{words}{frames}{type(error).__name__}\n", "utf-8")
    except (OSError, UsageError):
        return None
    return path


def told(error: BaseException, written: Path | None) -> str:
    """What the user reads in the terminal."""
    where = ""
    if written is not None:
        where = f"Where it happened stands in {plain(str(written), ' ')}, without any text of yours. "
    return (
        f"This is a mistake of lorebook-tui, not yours ({type(error).__name__}).\n"
        "What was not saved is in the journal: start again with the same files to have it back.\n"
        f"{where}Please report it."
    )


def in_short(error: Exception) -> str:
    """The same in a line: its kind and its place in the program."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _PACKAGE in Path(frame.filename).parts]
    where = ""
    if frames:
        parts = Path(frames[-1].filename).parts
        inner = parts[len(parts) - parts[::-1].index(_PACKAGE) :]
        where = f" in {'/'.join(inner)}, line {frames[-1].lineno}"
    return f"a mistake of lorebook-tui stopped it ({type(error).__name__}{where}). Please report it"
