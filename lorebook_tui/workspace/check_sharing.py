"""Repairs that take something from another file, made once every file was looked at by itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats import detect
from lorebook_tui.lint.findings import TakeBook, TakeEntries
from lorebook_tui.lint.repairs import with_fix
from lorebook_tui.lint.subjects import FileView
from lorebook_tui.workspace import store
from lorebook_tui.workspace.backups import BackupPolicy
from lorebook_tui.workspace.check_repair import difference, text_of
from lorebook_tui.workspace.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.lint.findings import Finding


@dataclass(frozen=True)
class Shared:
    """A file that took something from others."""

    view: FileView
    applied: tuple[Finding, ...]
    difference: str
    backup: str = ""


def takes_from_others(finding: Finding) -> bool:
    """Whether its repair needs another file."""
    changes = finding.fix.changes if finding.fix is not None else ()
    return any(isinstance(change, (TakeBook, TakeEntries)) for change in changes)


def shared(findings: Iterable[Finding], *, write: bool) -> Mapping[str, Shared]:
    """What files take from each other, by the name of the file that takes; what cannot be taken is left.

    Args:
        findings: of all files.
        write: write the files; otherwise only the difference is worked out.
    """
    waiting: dict[str, list[Finding]] = {}
    for finding in filter(takes_from_others, findings):
        waiting.setdefault(finding.file.name, []).append(finding)
    made = {name: _taken(Path(name), listed, write=write) for name, listed in waiting.items()}
    return {name: each for name, each in made.items() if each is not None}


def _taken(path: Path, findings: list[Finding], *, write: bool) -> Shared | None:
    try:
        data = read_bytes(path)
        before = loaded = detect.load(data, path.name)
        applied = []
        for finding in findings:
            assert finding.fix is not None  # noqa: S101 - chosen by it
            loaded = with_fix(loaded, finding.fix, _read)
            applied.append(finding)
        backup = _written(path, data, loaded) if write else ""
    except LorebookError:
        return None
    shown = difference(text_of(before), text_of(loaded), path)
    return Shared(FileView(str(path), loaded), tuple(applied), shown, backup)


def _written(path: Path, data: bytes, loaded: Loaded) -> str:
    check = store.check_for(loaded)
    saved = store.write(path, detect.dump(loaded), store.stamp_of(data), check, BackupPolicy(every=True))
    return str(saved.backup or "")


def _read(name: str) -> Loaded:
    return detect.load(read_bytes(Path(name)), Path(name).name)
