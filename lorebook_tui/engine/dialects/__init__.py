"""The engines of products: each owns its loop and composes the phases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError

if TYPE_CHECKING:
    from lorebook_tui.engine.dialects.sillytavern import SillyTavernScan

NAMES = ("sillytavern",)


def dialect(name: str) -> type[SillyTavernScan]:
    """The scan of an engine.

    Raises:
        UsageError: an engine that this version does not know.
    """
    if name not in NAMES:
        raise UsageError(f"There is no engine {quote(name)}.", expected=" or ".join(NAMES), found=name)
    from lorebook_tui.engine.dialects.sillytavern import SillyTavernScan  # noqa: PLC0415 - dialects load when used

    return SillyTavernScan
