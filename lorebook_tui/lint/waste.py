"""Texts without what models have to read for nothing."""

from __future__ import annotations

import html
import re
from itertools import pairwise
from typing import Final

_RULE: Final = re.compile(r"([-=_*~#+•·—])\1{5,}")
"""A line of nothing but one sign, six times or more."""
_FENCE: Final = "```"
_MEMBER: Final = re.compile(r"[^:：|]{1,40}[:：|].*|[{\[<(].*[}\]>)]")
"""A line of a template: `HP: 10`, `Name | Age`, `{{mood}}`."""
_HEADING: Final = re.compile(r"#{1,6}\s+\S.*|\*\*[^*]+\*\*:?|[^\n:]{2,60}:")
_BREAK: Final = re.compile(r"<br\s*/?>|</p>(?=.)", re.IGNORECASE | re.DOTALL)
_TAG: Final = re.compile(
    r"</?(?:p|b|i|u|em|strong|span|font|div|center|h[1-6]|small|big|hr)(?:\s[^<>]*)?/?>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_REFERENCE: Final = re.compile(r"&(?:nbsp|amp|lt|gt|quot|#39|ensp|emsp);", re.IGNORECASE)


def _framing(lines: list[str]) -> frozenset[int]:
    """Numbers of the lines of dashes that belong to what the model is to write: in code, or around a template."""
    kept: set[int] = set()
    by_sign: dict[str, list[int]] = {}
    in_code = False
    for number, line in enumerate(lines):
        if line.startswith(_FENCE):
            in_code = not in_code
        elif _RULE.fullmatch(line):
            if in_code:
                kept.add(number)
            else:
                by_sign.setdefault(line[0], []).append(number)
    for numbers in by_sign.values():
        if any(_is_template(lines[start + 1 : end]) for start, end in pairwise(numbers)):
            kept.update(numbers)
    return frozenset(kept)


def _is_template(lines: list[str]) -> bool:
    """Whether lines are names and values, and nothing else."""
    filled = [line for line in lines if line]
    return bool(filled) and all(_MEMBER.fullmatch(line) for line in filled)


def trimmed(text: str) -> str:
    """The text without blanks at its ends, lines of dashes, and headings that repeat the line above."""
    lines: list[str] = []
    last = ""
    given = text.split("\n")
    bare = [line.strip() for line in given]
    framing = _framing(bare) if any(map(_RULE.fullmatch, bare)) else ()
    for number, (line, stripped) in enumerate(zip(given, bare, strict=True)):
        if _RULE.fullmatch(stripped) and number not in framing:
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
