"""Which texts need no macro engine at all, and which need it only once."""

from __future__ import annotations

import re

_SUSPECTS = ("{{", "<", "\\{", "\\}")
_FIXED = re.compile(
    r"\{\{\s*(?:user|char|group|charIfNotGroup|newline|noop)\s*\}\}|<(?:USER|BOT|CHAR|GROUP|CHARIFNOTGROUP)>",
    re.IGNORECASE,
)


def is_plain(text: str) -> bool:
    """Whether no macro engine changes the text. Cautious: some texts that would stay as they are count as not plain."""
    return not any(suspect in text for suspect in _SUSPECTS)


def is_constant(text: str) -> bool:
    """Whether the replaced text is the same at every turn of a cast: names only; no draws, variables, messages or time."""
    return is_plain(_FIXED.sub("", text).replace("\\{", "").replace("\\}", "").replace("<", ""))
