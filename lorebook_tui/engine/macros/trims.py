"""White space that macros take away: around `{{trim}}`, and the indent of a text between tags."""

from __future__ import annotations

import re

from lorebook_tui.model.js import trim

_TRIM = re.compile(r"\{\{trim\}\}", re.IGNORECASE)
_LINE_ENDS = re.compile(r"(?:\r?\n)*")
_INDENT = re.compile(r"[ \t]*")


def without_trims(text: str) -> str:
    """The text without `{{trim}}` and the line ends on both sides of it."""
    first, *others = _TRIM.split(text)
    kept = [first]
    for piece in others:
        kept[-1] = _without_end(kept[-1])
        kept.append(piece[_matched(_LINE_ENDS, piece) :])
    return "".join(kept)


def _without_end(text: str) -> str:
    """The text without the line ends at its end; a lone carriage return is none."""
    end = len(text)
    while end and text[end - 1] == "\n":
        end -= 2 if text.startswith("\r", max(end - 2, 0)) and end > 1 else 1
    return text[:end]


def _matched(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


def dedented(text: str) -> str:
    """A text between tags without the indent of its first line, and trimmed."""
    lines = text.split("\n")
    first = next((line for line in lines if trim(line)), "")
    indent = _matched(_INDENT, first)
    return trim("\n".join(line[min(indent, _matched(_INDENT, line)) :] for line in lines))
