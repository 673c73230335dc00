"""Which keys somebody may say in a chat, and which are marks that only other entries can hold."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from lorebook_tui.model.js import trim

_MARKS: Final = re.compile(
    r"^[\[\]{}<>|§#@%^=]{2,}|[\[\]{}<>|§#@%^=]{2,}$|^\{.*\}$|::|[^\W_]_+[^\W_]+_+[^\W_]", re.DOTALL
)
"""Doubled signs at an end, braces around everything, `::`, and more than two words joined by low lines."""
_PRIVATE: Final = "Co"
"""Unicode's category of characters that mean nothing by themselves."""


def is_sayable(key: str) -> bool:
    """Whether a plain key is something that people write; in doubt it is.

    Args:
        key: as it stands; macros and patterns are for the caller to sort out.
    """
    text = trim(key)
    if not text:
        return False
    return _MARKS.search(text) is None and not any(unicodedata.category(char) == _PRIVATE for char in text)
