"""Where a text in quotation marks ends that is not written as JSON wants it, and what has to be escaped in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lorebook_tui.lint.findings import ReplaceText

OPENERS: Final = {
    '"': '"”“„',
    "'": "'’",
    "`": "`",
    "“": '”“"',
    "”": '”"',
    "„": '“”"',
    "«": "»",
    "‘": "’'",
    "’": "’'",
}
"""What may open a text, and what may close it then."""
_RIGHT: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NAME: Final = re.compile(r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|“[^”\n]*”|[A-Za-z_$][\w$]*)\s*:""")
_OPEN_NAME: Final = re.compile(r"([\w$-]+)\s*:")
_STRUCTURE: Final = re.compile(r"""[ \t]*\r?\n\s*(?:"(?:[^"\\\n]|\\.)*"\s*:|[}\]][\s}\],]*(?:\n|\Z))""")
_ITEM: Final = re.compile(r"""["'“{\[\d-]|(?:true|false|null|True|False|None)\b""")
_NEXT: Final = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_ESCAPE: Final = re.compile(r"""\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})""")
_HEX_ESCAPE: Final = re.compile(r"\\x([0-9a-fA-F]{2})")
_AFTER_END: Final = frozenset({"", ",", "}", "]", '"', ";", "`"})
"""What may follow the end of an object or array."""
_ONLY_SPACE: Final = re.compile(r"\s*\Z")
_MOST_TRIED: Final = 400
"""Quotation marks that are looked at before a text counts as never closed."""
_CONTROLS: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


@dataclass(frozen=True, slots=True)
class BadText:
    """One thing that is wrong with a text."""

    offset: int
    cause: str
    told: str
    edits: tuple[ReplaceText, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """A text in the source."""

    end: int
    """Behind its closing mark."""
    faults: tuple[BadText, ...] = ()


def text_at(source: str, start: int, role: str) -> Bounds:
    """The text that begins at a quotation mark.

    Args:
        source: everything.
        start: place of the opening mark.
        role: `name` or `member` of an object, `item` of an array, or `all` there is.
    """
    right = _RIGHT.match(source, start)
    if right and (_closes(source, right.end() - 1, role) or (role == "name" and _names(source, right.end()))):
        return Bounds(right.end())
    stop, is_closed = _end_of(source, start, role)
    faults = _marks(source, start, stop, is_closed=is_closed) + _inside(source, start, stop)
    return Bounds(stop + 1 if is_closed else stop, tuple(faults))


def _end_of(source: str, start: int, role: str) -> tuple[int, bool]:
    """Where the text ends: the place of its closing mark, or the place where one is missing."""
    closers = OPENERS[source[start]]
    if role == "name" and (open_name := _OPEN_NAME.match(source, start + 1)):
        return open_name.end(1), False
    for tried, match in enumerate(re.compile(f"[{re.escape(closers)}\n\\\\]").finditer(source, start + 1)):
        place = match.start()
        if tried > _MOST_TRIED:
            break
        if source[place] == "\\" or _is_escaped(source, start, place):
            continue
        if source[place] == "\n":
            if _STRUCTURE.match(source, place):
                return _line_end(source, start, place), False
        elif _closes(source, place, role):
            return place, True
        elif role == "member" and _NAME.match(source, place) and (comma := _comma_before(source, place)) > start:
            return comma, False
    line = source.find("\n", start)
    if line < 0 or _ONLY_SPACE.match(source, line):
        return line if line >= 0 else len(source), False
    return _line_end(source, start, line), False


def _comma_before(source: str, place: int) -> int:
    """The comma right before a place, white space aside; -1 if there is none."""
    while place > 0 and source[place - 1] in " \t\r\n":
        place -= 1
    return place - 1 if source[place - 1 : place] == "," else -1


def _line_end(source: str, start: int, place: int) -> int:
    """The end of a line, without the comma or bracket that ends it."""
    kept = source[start + 1 : place].rstrip()
    kept = kept.removesuffix(",").rstrip()
    return start + 1 + len(kept)


def _is_escaped(source: str, start: int, place: int) -> bool:
    before = place
    while before > start + 1 and source[before - 1] == "\\":
        before -= 1
    return (place - before) % 2 == 1


def _closes(source: str, place: int, role: str) -> bool:
    """Whether a quotation mark is followed by what follows a text of this role."""
    after = _past(source, place + 1)
    char = source[after : after + 1]
    if role == "name":
        return char in {":", "=", ""}
    if not char:
        return True
    if role == "all":
        return False
    if char in "}]":
        beyond = _past(source, after + 1)
        has_line = "\n" in source[after + 1 : beyond]
        return source[beyond : beyond + 1] in _AFTER_END or (has_line and _ITEM.match(source, beyond) is not None)
    if char in ",;":
        beyond = _past(source, after + 1)
        following = source[beyond : beyond + 1]
        wanted = _NAME if role == "member" else _ITEM
        return following in {"", "}", "]", ","} or wanted.match(source, beyond) is not None
    has_gap = after > place + 1
    if role == "member":
        return has_gap and _NAME.match(source, after) is not None
    if has_gap and "\n" in source[place + 1 : after]:
        return _ITEM.match(source, after) is not None
    return has_gap and char in "\"'“{["


def _names(source: str, end: int) -> bool:
    """Whether what follows a text shows that it is a name, though the colon is missing."""
    after = _past(source, end)
    return source[after : after + 1] in {",", "}"} or (after > end and _ITEM.match(source, after) is not None)


def _past(source: str, place: int) -> int:
    """The place of the next token."""
    match = _NEXT.match(source, place)
    return match.end() if match else place


def _marks(source: str, start: int, stop: int, *, is_closed: bool) -> list[BadText]:
    """The quotation marks themselves."""
    found = []
    wrong = [start] if source[start] != '"' else []
    if is_closed and source[stop] != '"':
        wrong.append(stop)
    if wrong:
        cause = f"{source[wrong[0]]} is no quotation mark of JSON, only the straight double one is."
        edits = tuple(ReplaceText(place, place + 1, '"') for place in wrong)
        found.append(BadText(wrong[0], cause, "put the text into straight double quotes", edits))
    if not is_closed:
        cause = 'A text begins here, and the " that closes it is missing.'
        found.append(BadText(start, cause, 'add the "', (ReplaceText(stop, stop, '"'),)))
    return found


def _inside(source: str, start: int, stop: int) -> list[BadText]:
    """What has to be escaped between the marks, by kind."""
    quotes, controls, escapes = [], [], []
    place = start + 1
    for match in re.compile('["\\\\\x00-\x1f]').finditer(source, start + 1, stop):
        if match.start() < place:
            continue
        place, char = match.start(), match.group()
        if char == '"':
            quotes.append(ReplaceText(place, place, "\\"))
        elif char == "\\":
            edit, place = _escape(source, place, stop)
            escapes += [edit] if edit else []
            continue
        elif char == "\r" and source[place + 1 : place + 2] == "\n":
            controls.append(ReplaceText(place, place + 1, ""))
        else:
            controls.append(ReplaceText(place, place + 1, _CONTROLS.get(char, f"\\u{ord(char):04x}")))
        place += 1
    found = []
    if controls:
        sign = source[controls[0].start]
        what = {"\t": "A tab", "\n": "A line break", "\r": "A line break"}.get(sign, "A control character")
        written = "\\n" if sign == "\r" else controls[0].text
        cause = f"{what} stands inside a text as it is, instead of as {written}."
        found.append(BadText(controls[0].start, cause, "write it with a backslash", tuple(controls)))
    if quotes:
        cause = "A quotation mark inside a text has no backslash in front."
        found.append(BadText(quotes[0].start, cause, "put a backslash in front", tuple(quotes)))
    if escapes:
        cause = "This backslash begins nothing that JSON knows."
        found.append(BadText(escapes[0].start, cause, "write what was meant", tuple(escapes)))
    return found


def _escape(source: str, place: int, stop: int) -> tuple[ReplaceText | None, int]:
    """What a backslash should be, and where to go on."""
    right = _ESCAPE.match(source, place, stop)
    if right:
        return None, right.end()
    by_code = _HEX_ESCAPE.match(source, place, stop)
    if by_code:
        return ReplaceText(place, by_code.end(), f"\\u00{by_code.group(1)}"), by_code.end()
    following = source[place + 1 : place + 2] if place + 1 < stop else ""
    if following and following in "'`":
        return ReplaceText(place, place + 1, ""), place + 2
    return ReplaceText(place, place, "\\"), place + 1
