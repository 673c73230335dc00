"""Files of the user: read up to a ceiling, told apart by their content, refused with the path that was meant."""

from __future__ import annotations

import difflib
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lorebook_tui.errors import LimitError, LorebookError, UnreadableError, UsageError
from lorebook_tui.formats.base import DEFAULT_LIMITS, MEBIBYTE, Finding, Loaded, Severity

if TYPE_CHECKING:
    from pathlib import Path

    from lorebook_tui.formats.base import Limits, LoadReport

__all__ = ["Finding", "Loaded", "Opener", "Source", "inside", "located", "read_bytes", "read_text", "require"]

_CLOSE_ENOUGH = 0.6
_idents = itertools.count()


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was opened, and what it turned out to be."""

    path: Path
    """As the user or the workspace file gave it."""
    loaded: Loaded
    ident: int = field(default_factory=_idents.__next__, compare=False)
    """Stays the same while the file is edited, renamed and saved."""

    @property
    def name(self) -> str:
        """File name without folders."""
        return self.path.name

    @property
    def format_title(self) -> str:
        """Its format for people, with an article: `a SillyTavern world`."""
        return self.loaded.format.title

    @property
    def report(self) -> LoadReport:
        """What was odd about it."""
        return self.loaded.report

    @property
    def worth_telling(self) -> tuple[Finding, ...]:
        """Findings that change a meaning or lose something, without mere oddities."""
        return tuple(finding for finding in self.report if finding.severity is not Severity.INFO)


def read_bytes(path: Path, limit: int = DEFAULT_LIMITS.file_bytes) -> bytes:
    """The whole file.

    Args:
        path: a regular file.
        limit: ceiling in bytes.

    Raises:
        LimitError: the file is larger than the ceiling.
        UnreadableError: there is no such file, or it cannot be read.
    """
    try:
        if not path.is_file():
            raise _no_file(path)
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UnreadableError("The file cannot be read.", where=str(path), found=reason) from error
    if len(data) > limit:
        raise LimitError(
            "The file is too large to be lore.",
            where=str(path),
            expected=f"at most {limit // MEBIBYTE} MiB",
            found=f"{path.stat().st_size / MEBIBYTE:.1f} MiB",
        )
    return data


def require(path: Path) -> None:
    """Make sure that a path leads to a file or folder.

    Raises:
        UnreadableError: it does not; says what was probably meant.
    """
    if not path.is_file() and not path.is_dir():
        raise _no_file(path)


def _no_file(path: Path) -> UnreadableError:
    """Nothing there, or something that is no file; says which, and what was probably meant."""
    if path.is_dir():
        return UnreadableError("This is a folder, not a file.", where=str(path), hint="Name a file inside it.")
    if path.exists():
        return UnreadableError("This is no ordinary file.", where=str(path), expected="a file on a disk")
    close = _similar(path)
    hint = f"Did you mean {close}?" if close else "Check the path; `lorebook new` makes a new book."
    return UnreadableError("There is no such file.", where=str(path), hint=hint)


def _similar(path: Path) -> str | None:
    """The file in the same folder whose name is nearest."""
    if not path.parent.is_dir():
        return None
    names = {item.name.casefold(): item for item in path.parent.iterdir() if item.is_file()}
    close = difflib.get_close_matches(path.name.casefold(), names, n=1, cutoff=_CLOSE_ENOUGH)
    return str(path.parent / names[close[0]].name) if close else None


@dataclass(slots=True)
class Opener:
    """Opens each file once, however often it is named."""

    user: str = ""
    """Who the user is, for chats that do not say."""
    limits: Limits = DEFAULT_LIMITS
    sources: dict[Path, Source] = field(default_factory=dict)
    """Everything opened so far, by resolved path, in order."""

    def open(self, path: Path) -> Source:
        """The file as lore.

        Raises:
            UnreadableError: it cannot be read, or is no format of lore; the place begins with the path.
        """
        resolved = path.resolve()
        source = self.sources.get(resolved)
        if source is None:
            data = read_bytes(path, self.limits.file_bytes)
            from lorebook_tui.formats import detect  # noqa: PLC0415 - all formats, only when there is something to read

            try:
                loaded = detect.load(data, path.name, self.limits, user=self.user)
            except LorebookError as error:
                raise located(error, str(path)) from error
            source = self.sources[resolved] = Source(path, loaded)
        return source


def located(error: LorebookError, place: str) -> LorebookError:
    """The same error with a place in front of the one it knows."""
    if not error.where.startswith(place):
        error.where = f"{place}, {error.where}" if error.where else place
    return error


def inside(folder: Path, written: str) -> Path:
    """A path that a workspace file names, which may not leave the workspace file's folder.

    Args:
        folder: where the workspace file is.
        written: the path as it stands there, with slashes or backslashes.

    Raises:
        UsageError: the path is absolute, climbs out, or leads out through a link.
    """
    neutral = written.replace("\\", "/")
    is_rooted = neutral.startswith("/") or neutral[1:2] == ":"
    path = folder / neutral
    try:
        is_inside = not is_rooted and path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        is_inside = False
    if not is_inside:
        raise UsageError(
            "A workspace file may only name files in its own folder.",
            expected="a path inside the folder",
            found=written,
            hint="Move the file there, or give it on the command line, where any path is fine.",
        )
    return path


def read_text(path: Path, limit: int = DEFAULT_LIMITS.file_bytes) -> str:
    """A text file in UTF-8, or in UTF-16 with a byte order mark.

    Raises:
        UnreadableError: it cannot be read, or is no text; the place begins with the path.
    """
    from lorebook_tui.formats.text import decode  # noqa: PLC0415 - with all of its package

    try:
        return decode(read_bytes(path, limit))[0]
    except LorebookError as error:
        raise located(error, str(path)) from error
