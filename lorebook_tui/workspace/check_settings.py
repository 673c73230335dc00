"""Settings of the scan for a check: from SillyTavern's `settings.json`, with single ones on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.errors import LorebookError, UnreadableError
from lorebook_tui.model.fields import SETTING_FIELDS
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.workspace import settings_file
from lorebook_tui.workspace.values import assignment

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_HOME = "world_info_settings"


def settings_from(path: Path | None, assignments: Iterable[str] = ()) -> ScanSettings | None:
    """The settings; None if nothing is given.

    Args:
        path: SillyTavern's settings file, or an object of its `world_info_…` settings.
        assignments: `NAME=VALUE`, as the command line has them.

    Raises:
        UnreadableError: the file is none.
        UsageError: a setting that does not exist, or a value it cannot have.
    """
    found: dict[str, Any] = {} if path is None else _read(path)
    given = list(assignments)
    for text in given:
        try:
            name, value = assignment(text)
        except LorebookError as error:
            error.where = f"--set {text}"
            raise
        found[name] = value
    return ScanSettings().with_values(found) if path is not None or given else None


def _read(path: Path) -> dict[str, Any]:
    value = settings_file.read(path)
    home = value.get(_HOME, value) if isinstance(value, dict) else None
    names = {row.name for row in SETTING_FIELDS}
    known = {name: item for name, item in home.items() if name in names} if isinstance(home, dict) else {}
    if not known:
        raise UnreadableError(
            "These are no settings of the scan.",
            where=str(path),
            expected=f"SillyTavern's settings.json, or an object with {', '.join(sorted(names)[:3])}, …",
        )
    return known
