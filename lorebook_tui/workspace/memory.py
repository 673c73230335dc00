"""What the program remembers by itself between runs: whether the tour was seen, the theme chosen last, recent files.

A file of its own beside journal and backups, `state.toml`; keys of other versions stay in it.
"""

from __future__ import annotations

import contextlib
import os
import tomllib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import LorebookError
from lorebook_tui.workspace.config import LARGEST
from lorebook_tui.workspace.places import made, state_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

MOST_RECENT: Final = 12
_NAME: Final = "state.toml"


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered."""

    tour_seen: bool = False
    theme: str = ""
    """The theme chosen last; "" if none ever was."""
    recent: tuple[str, ...] = ()
    """What was opened, the newest first: paths, as absolute texts."""
    others: Mapping[str, Any] = field(default_factory=dict)
    """What other versions remember; carried along."""

    def opened(self, paths: Iterable[Path]) -> Memory:
        """The same after something was opened."""
        newest = [os.path.abspath(path) for path in paths]  # noqa: PTH100 - resolve() would follow links
        return replace(self, recent=tuple(dict.fromkeys((*newest, *self.recent)))[:MOST_RECENT])


def memory_file() -> Path:
    """Where it is kept; it need not exist."""
    return state_folder() / _NAME


def load(path: Path) -> Memory:
    """What a file remembers; nothing if there is none, or it makes no sense: it is no work of the user's."""
    try:
        with path.open("rb") as file:
            table = tomllib.loads(file.read(LARGEST).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return Memory()
    seen, theme, recent = table.pop("tour_seen", False), table.pop("theme", ""), table.pop("recent", [])
    listed = recent if isinstance(recent, list) else []
    return Memory(
        seen is True,
        theme if isinstance(theme, str) else "",
        tuple(item for item in listed if isinstance(item, str))[:MOST_RECENT],
        table,
    )


def save(path: Path, memory: Memory) -> bool:
    """Remember; whether it could be written. A memory is not worth an error."""
    import tomli_w  # noqa: PLC0415 - only for who writes

    table = {**memory.others, "tour_seen": memory.tour_seen, "theme": memory.theme, "recent": list(memory.recent)}
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        made(path.parent)
        temporary.write_bytes(tomli_w.dumps(table).encode("utf-8", "replace"))
        temporary.replace(path)
    except (OSError, ValueError, LorebookError):
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        return False
    return True
