"""What macros tell about prompt settings: instruct sequences, separators, the system prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.engine.prompt.settings import PromptSettings


def macro_texts(settings: PromptSettings) -> Mapping[str, str]:
    """Values of such macros by name in lower case."""
    del settings
    return {}
