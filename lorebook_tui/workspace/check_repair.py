"""Repairs of a check, written or shown as a difference: broken JSON made readable, and findings repaired."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats import detect
from lorebook_tui.formats.json_text import parse
from lorebook_tui.formats.text import decode
from lorebook_tui.lint.findings import Grade, ReplaceText
from lorebook_tui.lint.fixing import fixed
from lorebook_tui.lint.repairs import replaced_text
from lorebook_tui.lint.told import told
from lorebook_tui.workspace import store
from lorebook_tui.workspace.backups import BackupPolicy
from lorebook_tui.workspace.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.formats.text import Encoding
    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.fixing import Fixed
    from lorebook_tui.lint.runner import Linter
    from lorebook_tui.lint.subjects import FileView, World
    from lorebook_tui.lint.told import ToldFile


@dataclass(frozen=True)
class Repairs:
    """What to do about findings that can be repaired."""

    write: bool = False
    """Write the files; otherwise only the difference is worked out."""
    offered: bool = False
    """Take repairs that are guesses, too."""
    fixes: bool = True
    """Repair findings in files that can be read."""
    mends: bool = False
    """Repair files that cannot be read because their JSON is broken."""


@dataclass(frozen=True)
class Mended:
    """Broken JSON made readable."""

    data: bytes
    before: store.Stamp
    """The broken file, which must still be there when it is written."""
    difference: str
    applied: tuple[Finding, ...]


def mended(path: Path, text: str, findings: Sequence[Finding]) -> Mended | None:
    """The file made readable; None if that cannot be done without losing something.

    Args:
        path: the file.
        text: what it said when it was looked at.
        findings: what is wrong with it, each with the characters that would put it right.
    """
    listed = [finding for finding in findings if finding.fix is not None and finding.fix.grade is not Grade.NONE]
    edits = [change for finding in listed for change in _changes(finding) if isinstance(change, ReplaceText)]
    if not edits:
        return None
    old = read_bytes(path)
    before, encoding = decode(old)
    if before != text:
        return None  # somebody else has written it since it was looked at
    after = replaced_text(before, edits)
    data = encoding.encode(after)
    try:
        parse(data)
    except LorebookError:
        return None
    return Mended(data, store.stamp_of(old), difference(before, after, path), tuple(listed))


def _changes(finding: Finding) -> tuple[Any, ...]:
    return finding.fix.changes if finding.fix is not None else ()


def write_mended(path: Path, made: Mended) -> str:
    """Put the readable file in its place, checked by reading it again; returns where the old one is kept.

    Raises:
        LorebookError: it cannot be written; the old file stands.
    """
    wanted = parse(made.data).value

    def check(data: bytes) -> None:
        if parse(data).value != wanted:
            raise store.NotTheSameError("The repaired file would not read as what was shown.")

    saved = store.write(path, made.data, made.before, check, BackupPolicy(every=True))
    return str(saved.backup or "")


def repaired(file: FileView, linter: Linter, world_with: Callable[[FileView], World], repairs: Repairs) -> Fixed:
    """A file with its findings repaired, nothing written yet."""
    return fixed(file, linter, world_with, offered=repairs.offered)


def write_repaired(path: Path, file: FileView, done: Fixed) -> str:
    """Put the repaired file in its place; returns where the old one is kept.

    Raises:
        LorebookError: it cannot be written; the old file stands.
    """
    assert file.loaded is not None  # noqa: S101 - it was repaired
    expected = store.stamp_of(detect.dump(file.loaded))
    check = store.check_for(done.loaded)
    return str(store.write(path, detect.dump(done.loaded), expected, check, BackupPolicy(every=True)).backup or "")


def with_repairs(made: ToldFile, applied: Sequence[Finding], shown: str, refused: Sequence[Finding] = ()) -> ToldFile:
    """What is told of a file, with what was repaired in it and what was left as it is."""
    return replace(made, fixed=tuple(map(told, applied)), refused=tuple(map(told, refused)), diff=shown)


def difference(old: str, new: str, path: Path) -> str:
    """What changes in the text, as a unified difference."""
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), str(path), str(path), n=2
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def changes_of(file: FileView, done: Fixed, path: Path) -> str:
    """What repairs change, as a unified difference of the JSON; another encoding is told in words."""
    shown = difference(text_of(file.loaded), text_of(done.loaded), path)
    if shown or not done.applied or file.loaded is None or not file.loaded.documents:
        return shown
    old, new = file.loaded.document.encoding, done.loaded.document.encoding
    return f"--- {path}\n+++ {path}\n@@ encoding @@\n-{_encoding_in_words(old)}\n+{_encoding_in_words(new)}\n"


def _encoding_in_words(encoding: Encoding) -> str:
    return f"{encoding.codec.upper()}{' with a byte order mark' if encoding.mark else ''}"


def text_of(loaded: Loaded | None) -> str:
    """The JSON of a file as text; of what holds none, nothing."""
    return loaded.document.text if loaded is not None and loaded.documents else ""
