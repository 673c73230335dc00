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
    r"|```.*?```|``[^\n]*?``|`[^`\n]*`"  # code
    r"|[\[(]\s*[-+]?(?:[\d.]+%?|∞|inf(?:inity)?)\s*[,;]\s*[-+]?(?:[\d.]+%?|∞|inf(?:inity)?)\s*[\])]"  # an interval
    r"|\\[()\[\]{}\"]",
    re.MULTILINE | re.DOTALL,
)
_INCHES: Final = re.compile(r"(?<=\d)\s?\"(?=\W|$)|(?<=\d)['′]\s?\d+\"")
_LABEL: Final = re.compile(r"(?<![\dA-Za-zА-Яа-яё.'\-])(\d{1,2}|[A-Za-zА-Яа-я]|[ivx]{2,4}|[IVX]{2,4})\)")
_FIRST_LABELS: Final = (("1", "2"), ("a", "b"), ("A", "B"), ("а", "б"), ("А", "Б"), ("i", "ii"), ("I", "II"))
"""What the first two items of a list within a sentence are marked with."""


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
    loose = _loose_in(plain)
    if any(each.sign == ")" for each in loose) and _counts_items(text):
        return _loose_in(_LABEL.sub(_blanks, plain))
    return loose


def _counts_items(text: str) -> bool:
    """Whether the items of some list are marked with numbers or letters that only a closing bracket follows."""
    labels = set(_LABEL.findall(text))
    return any(labels.issuperset(pair) for pair in _FIRST_LABELS)


def _loose_in(plain: str) -> list[Loose]:
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
        loose += _loose_straight(masked(text))
    if text.count("«") != text.count("»"):
        more = "«" if text.count("«") > text.count("»") else "»"
        loose.append(Loose(text.rindex(more), more))
    return loose


def _loose_straight(text: str) -> list[Loose]:
    if text.count('"') % 2 == 0:
        return []
    paragraphs = text.split("\n")
    odd = [number for number, paragraph in enumerate(paragraphs) if not _can_be_even(paragraph)]
    if len(odd) % 2 == 0:
        return []
    for number in odd:
        following = next((each for each in paragraphs[number + 1 :] if each.strip()), "")
        if not following.lstrip().startswith('"'):
            begins = sum(len(each) + 1 for each in paragraphs[:number])
            return [Loose(begins + _INCHES.sub(_blanks, paragraphs[number]).rindex('"'), '"')]
    return []


def _can_be_even(paragraph: str) -> bool:
    """Whether every quotation mark has its other half in some reading: behind a number it may also mean inches."""
    doubtful = {found.end() - 1 for found in _INCHES.finditer(paragraph)}
    may_be_open, may_be_closed = False, True
    for place, char in enumerate(paragraph):
        if char == '"':
            if place in doubtful:
                may_be_closed = may_be_closed or may_be_open
            else:
                may_be_open, may_be_closed = may_be_closed, may_be_open
    return may_be_closed


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
