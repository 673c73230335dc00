"""The system prompt of a text completion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MAIN: Final = "Write {{char}}'s next reply in a fictional chat between {{char}} and {{user}}."
"""The main prompt of a fresh install, in both shapes."""


@dataclass(frozen=True, slots=True)
class SystemPrompt:
    """The system prompt of a text completion."""

    enabled: bool = True
    content: str = MAIN
    post_history: str = ""
