"""The sample books that come with the program: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UnreadableError, UsageError

NAMES: Final = ("harrowmere", "mossford", "support")
"""The samples, the default one first."""
FOLDER: Final = "sample_books"
WORKSPACE_FILE: Final = "lorebook.toml"


def samples_folder(package: Path | None = None) -> Path:
    """Where the samples are.

    Args:
        package: the folder of the installed package; None: this one.

    Raises:
        UnreadableError: they are neither in the package nor beside it.
    """
    home = package if package is not None else Path(__file__).parents[1]
    for folder in (home / FOLDER, home.parent / FOLDER):
        if any((folder / name / WORKSPACE_FILE).is_file() for name in NAMES):
            return folder
    raise UnreadableError(
        "The sample books are missing from this installation.",
        where=str(home),
        expected=f"a folder {FOLDER}",
        hint="Install lorebook-tui again.",
    )


def sample(name: str = NAMES[0], package: Path | None = None) -> Path:
    """The workspace file of one sample.

    Raises:
        UsageError: no sample has that name.
        UnreadableError: the samples are not installed.
    """
    if name not in NAMES:
        raise UsageError(f"There is no sample {quote(name)}.", expected=" or ".join(NAMES), found=name)
    path = samples_folder(package) / name / WORKSPACE_FILE
    if not path.is_file():
        raise UnreadableError(f"The sample {quote(name)} is missing from this installation.", where=str(path))
    return path
