"""Shipped system prompts of text completions that are known here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lorebook_tui.engine.prompt.settings import SystemPrompt

SYSTEM_PROMPTS: Final[dict[str, SystemPrompt]] = {}
"""By name."""
