"""Names that a file may have on every platform, so that a book can travel; SillyTavern takes such names as they are."""

from __future__ import annotations

import re
from typing import Final

from lorebook_tui.display import quote

_FORBIDDEN: Final = re.compile('[<>:"/\\\\|?*\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]')
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
LONGEST: Final = 200
"""Bytes in UTF-8: file systems take 255, and temporary names and backups add some."""


def suggested_name(text: str, fallback: str = "lorebook", longest: int = LONGEST) -> str:
    """The nearest name that every platform takes.

    Args:
        text: what it should be called.
        fallback: what it is called if nothing is left of that.
        longest: bytes in UTF-8 that it may have.
    """
    name = _FORBIDDEN.sub(" ", text)
    name = " ".join(name.split()).rstrip(". ")
    encoded = name.encode("utf-8")
    if len(encoded) > longest:
        stem, dot, ending = name.rpartition(".")
        tail = f"{dot}{ending}" if dot and len(ending.encode()) <= len(".lorebook") else ""
        head = (stem if tail else name).encode()[: longest - len(tail.encode())].decode("utf-8", "ignore")
        name = head.rstrip(". ") + tail
    if _RESERVED.fullmatch(name):
        name = f"_{name}"
    return name or fallback


def fault(text: str, longest: int = LONGEST) -> str:
    """What is wrong with a name, "" if nothing is.

    Args:
        text: the name.
        longest: bytes in UTF-8 that it may have.
    """
    if not text.strip():
        return "it is empty"
    if found := _FORBIDDEN.search(text):
        sign = found.group()
        return (
            f"the character {quote(sign)} is not allowed on every system"
            if sign.isprintable()
            else "it holds a control"
        )
    if text[-1] in ". " or text[0] == " ":
        return "it begins or ends with a space, or ends with a dot"
    if _RESERVED.fullmatch(text):
        return "Windows keeps this name for a device"
    if len(text.encode("utf-8")) > longest:
        return "it is too long"
    return ""
