"""Names that a file may have on every platform, so that a book can travel; SillyTavern takes such names as they are."""

from __future__ import annotations

import re
from typing import Final

from lorebook_tui.errors import UsageError

_FORBIDDEN: Final = re.compile('[<>:"/\\\\|?*\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]')
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_LONGEST: Final = 200
"""Bytes in UTF-8: file systems take 255, and temporary names and backups add some."""


def safe_name(text: str) -> str:
    """A file name, as it is given, if every platform takes it.

    Raises:
        UsageError: some platform does not; the hint proposes a name.
    """
    reason = _fault(text)
    if not reason:
        return text
    proposed = suggested_name(text)
    raise UsageError(
        f"This cannot be a file name: {reason}.",
        expected='a name without / \\ : * ? " < > |, up to 200 bytes',
        found=text,
        hint=f"{proposed!r} would do.",
    )


def suggested_name(text: str, fallback: str = "lorebook") -> str:
    """The nearest name that every platform takes.

    Args:
        text: what it should be called.
        fallback: what it is called if nothing is left of that.
    """
    name = _FORBIDDEN.sub(" ", text)
    name = " ".join(name.split()).rstrip(". ")
    encoded = name.encode("utf-8")
    if len(encoded) > _LONGEST:
        stem, dot, ending = name.rpartition(".")
        tail = f"{dot}{ending}" if dot and len(ending.encode()) <= len(".lorebook") else ""
        head = (stem if tail else name).encode()[: _LONGEST - len(tail.encode())].decode("utf-8", "ignore")
        name = head.rstrip(". ") + tail
    if _RESERVED.fullmatch(name):
        name = f"_{name}"
    return name or fallback


def _fault(text: str) -> str:
    """What is wrong with a name, "" if nothing is."""
    if not text.strip():
        return "it is empty"
    if found := _FORBIDDEN.search(text):
        sign = found.group()
        return f"the character {sign!r} is not allowed on every system" if sign.isprintable() else "it holds a control"
    if text[-1] in ". " or text[0] == " ":
        return "it begins or ends with a space, or ends with a dot"
    if _RESERVED.fullmatch(text):
        return "Windows keeps this name for a device"
    if len(text.encode("utf-8")) > _LONGEST:
        return "it is too long"
    return ""
