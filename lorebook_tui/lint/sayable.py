"""Which keys somebody may say in a chat, and which are marks that only other entries can hold."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from lorebook_tui.model.js import trim

_MARKS: Final = re.compile(
    r"^[\[\]{}<>|§@#%^~=_*]{2,}|[\[\]{}<>|§@#%^~=_*]{2,}$|^[\[{<|].*[\]}>|]$|::|\w_\w*[^\W_]|\|\|", re.DOTALL
)
"""Doubled signs at an end, brackets around everything, `::`, and words joined by low lines."""
_HIDDEN: Final = {"Cc", "Cf", "Co", "Cn"}


def is_sayable(key: str) -> bool:
    """Whether a plain key is something that people write; in doubt it is.

    Args:
        key: as it stands; macros and patterns are for the caller to sort out.
    """
    text = trim(key)
    if not text:
        return False
    return _MARKS.search(text) is None and not any(unicodedata.category(char) in _HIDDEN for char in text)
