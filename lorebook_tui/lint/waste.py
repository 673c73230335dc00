"""Texts without what models have to read for nothing."""

from __future__ import annotations

import html
import re
from typing import Final

_RULE: Final = re.compile(r"([-=_*~#+•·—])\1{5,}")
"""A line of nothing but one sign, six times or more."""
_HEADING: Final = re.compile(r"#{1,6}\s+\S.*|\*\*[^*]+\*\*:?|[^\n:]{2,60}:")
_BREAK: Final = re.compile(r"<br\s*/?>|</p>(?=.)", re.IGNORECASE | re.DOTALL)
_TAG: Final = re.compile(
    r"</?(?:p|b|i|u|em|strong|span|font|div|center|h[1-6]|small|big|hr)(?:\s[^<>]*)?/?>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_REFERENCE: Final = re.compile(r"&(?:nbsp|amp|lt|gt|quot|#39|ensp|emsp);", re.IGNORECASE)


def trimmed(text: str) -> str:
    """The text without blanks at its ends, lines of dashes, and headings that repeat the line above."""
    lines: list[str] = []
    last = ""
    for line in text.split("\n"):
        stripped = line.strip()
        if _RULE.fullmatch(stripped):
            continue
        if stripped and stripped == last and _HEADING.fullmatch(stripped):
            while lines and not lines[-1].strip():
                lines.pop()
            continue
        last = stripped or last
        lines.append(line)
    return "\n".join(lines).strip() if len(lines) > 1 or text != text.strip() else text


def without_markup(text: str) -> str:
    """The text without HTML; breaks become line feeds. Tags that a prompt may be made of (`<mill>`) stay."""
    if "<" not in text and "&" not in text:
        return text
    plain = _TAG.sub("", _BREAK.sub("\n", text))
    return _REFERENCE.sub(lambda found: html.unescape(found[0]).replace("\u00a0", " "), plain)
