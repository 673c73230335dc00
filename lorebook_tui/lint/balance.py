"""Brackets and quotation marks that lack their other half."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
_CLOSERS: Final = {closer: opener for opener, closer in _PAIRS.items()}
_MACRO: Final = re.compile(r"\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*\}\}")
_MASK: Final = re.compile(
    r"(?<!\w)[:;=][-'^]?[()\[\]{}]+(?=[\s.,!?]|$)"  # a face
    r"|^[ \t]*(?:\w{1,3}|[ivxIVX]{1,5})\)"  # the number of a list item
    r"|`[^`\n]*`|```.*?```"  # code
    r"|\\[()\[\]{}\"]",
    re.MULTILINE | re.DOTALL,
)
_INCHES: Final = re.compile(r"(?<=\d)\s?\"(?=\W|$)|(?<=\d)['′]\s?\d+\"")


class Loose(NamedTuple):
    """A sign without its other half."""

    place: int
    """Character of the text."""
    sign: str


def masked(text: str) -> str:
    """The text, of the same length, without macros, faces, list numbers, code and escaped signs."""
    while "{{" in text:
        plain = _MACRO.sub(_blanks, text)
        if plain == text:
            break
        text = plain
    return _MASK.sub(_blanks, text)


def _blanks(found: re.Match[str]) -> str:
    return " " * len(found[0])


def loose_brackets(text: str) -> list[Loose]:
    """Brackets that nothing closes, or that close nothing, in order."""
    count = text.count
    if count("(") == count(")") and count("[") == count("]") and count("{") == count("}"):
        return []
    plain = masked(text)
    open_: list[Loose] = []
    loose: list[Loose] = []
    for place, char in enumerate(plain):
        if char in _PAIRS:
            open_.append(Loose(place, char))
        elif char in _CLOSERS:
            while open_ and open_[-1].sign != _CLOSERS[char] and any(each.sign == _CLOSERS[char] for each in open_):
                loose.append(open_.pop())
            if open_ and open_[-1].sign == _CLOSERS[char]:
                open_.pop()
            else:
                loose.append(Loose(place, char))
    return sorted(loose + open_)


def loose_quotes(text: str) -> list[Loose]:
    """The last quotation mark of each paragraph with an odd number; a speech over several paragraphs is none.

    Of typographic marks only those are looked at whose two halves differ everywhere: « and ».
    """
    loose: list[Loose] = []
    if '"' in text:
        loose += _loose_straight(_INCHES.sub(_blanks, masked(text)))
    if text.count("«") != text.count("»"):
        more = "«" if text.count("«") > text.count("»") else "»"
        loose.append(Loose(text.rindex(more), more))
    return loose


def _loose_straight(text: str) -> list[Loose]:
    if text.count('"') % 2 == 0:
        return []
    paragraphs = text.split("\n")
    begins = 0
    for number, paragraph in enumerate(paragraphs):
        if paragraph.count('"') % 2:
            following = next((each for each in paragraphs[number + 1 :] if each.strip()), "")
            if not following.lstrip().startswith('"'):
                return [Loose(begins + paragraph.rindex('"'), '"')]
        begins += len(paragraph) + 1
    return []


def mended(text: str, loose: list[Loose]) -> str | None:
    """The text with one loose bracket put right; None if there is more than one, or it cannot be guessed."""
    if len(loose) != 1:
        return None
    better = _guessed(text, *loose[0])
    return None if better is None or loose_brackets(better) else better


def _guessed(text: str, place: int, sign: str) -> str | None:
    if sign in _CLOSERS:
        return text[:place] + text[place + 1 :]
    if sign not in _PAIRS:
        return None
    end = text.find("\n", place) if sign == "(" else -1
    head, tail = (text, "") if end < 0 else (text[:end], text[end:])
    body = head.rstrip()
    stop = body[-1:] if sign == "(" and body[-1:] in ".;," else ""
    return body[: len(body) - len(stop)] + _PAIRS[sign] + stop + head[len(body) :] + tail
