"""File names that users ask for, refused where some platform does not take them."""

from __future__ import annotations

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.model.file_names import fault, suggested_name

__all__ = ["safe_name", "suggested_name"]


def safe_name(text: str) -> str:
    """A file name, as it is given, if every platform takes it.

    Raises:
        UsageError: some platform does not; the hint proposes a name.
    """
    reason = fault(text)
    if not reason:
        return text
    proposed = suggested_name(text)
    raise UsageError(
        f"This cannot be a file name: {reason}.",
        expected='a name without / \\ : * ? " < > |, up to 200 bytes',
        found=text,
        hint=f"{quote(proposed)} would do.",
    )
